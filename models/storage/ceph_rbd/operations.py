"""What a client of a Ceph block device does beside the OSDs: it computes checksums and copies each byte."""

from __future__ import annotations

from models.hardware.cluster import Layout
from models.requests import FirstByte
from models.storage.ceph.operations import RadosOperations
from models.storage.ceph_rbd.system import CephRbd
from models.storage.described import ByteRange
from models.storage.operation import Operation
from models.storage.stages import Compute


class RbdOperations(RadosOperations):
    """Reads and writes of an image."""

    spec: CephRbd

    def __init__(self, spec: CephRbd, layout: Layout) -> None:
        super().__init__(spec, layout)

    def get(self, part: ByteRange) -> Operation:
        """Return a read."""
        taken = FirstByte(), Compute("client", per_byte=self.spec.client_cpu)
        return Operation((*self._found(part.size), self._read(part.size, taken)), part.size)

    def put(self, size: float, missing: int = 0) -> Operation:
        """Return a write, done once all pieces are committed."""
        given = (Compute("client", per_byte=self.spec.client_cpu),)
        return Operation(self._written(size, missing, given), size)
