"""What a client of a Ceph block device does beside the OSDs: operations, checksums, and copies of each byte."""

from __future__ import annotations

from models.hardware.cluster import Layout
from models.storage.ceph.operations import RadosOperations
from models.storage.ceph_rbd.system import CephRbd
from models.storage.described import ByteRange
from models.storage.operation import Operation
from models.storage.stages import Compute, FirstByte


class RbdOperations(RadosOperations):
    """Reads and writes of an image."""

    spec: CephRbd

    def __init__(self, spec: CephRbd, layout: Layout) -> None:
        super().__init__(spec, layout)

    def get(self, part: ByteRange) -> Operation:
        """Return a read."""
        taken = FirstByte(), Compute("client", per_byte=self.spec.client_cpu + self._passed(part.size))
        asked = self._asked(self._sent(part.size))
        return Operation((asked, *self._found(part.size), self._read(part.size, taken)), part.size)

    def put(self, size: float, missing: int = 0) -> Operation:
        """Return a write, done once all pieces are committed."""
        given = (Compute("client", per_byte=self.spec.client_cpu + self._passed(size)),)
        asked = self._asked(self._sent(size))
        return Operation((asked, *self._reread(size), *self._written(size, missing, given)), size)
