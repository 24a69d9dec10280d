"""What a client of a Ceph block device does beside the OSDs: operations, checksums, and copies of each byte.

Where its processes are stated (`client_processes`), each does one operation after the other, and has only so much asked
of OSDs at a time, which is why a deep queue of large operations is not all under way. Not covered: what their threads
lose to each other's locks.
"""

from __future__ import annotations

from models.hardware.cluster import Layout
from models.hardware.drive import Direction
from models.storage.ceph.in_flight import Askers
from models.storage.ceph.operations import RadosOperations
from models.storage.ceph_rbd.system import CephRbd
from models.storage.described import ByteRange
from models.storage.operation import Operation
from models.storage.stages import Compute, FirstByte, Service, Stage

PROCESSES = "librbd processes"


class RbdOperations(RadosOperations):
    """Reads and writes of an image."""

    spec: CephRbd

    def __init__(self, spec: CephRbd, layout: Layout) -> None:
        count, askers = spec.client_processes, None
        if count is not None:
            askers = Askers("client", count, spec.inflight_op_bytes, spec.inflight_ops)
        super().__init__(spec, layout, askers=askers)

    def _each_asks(self, clients: int, under_way: float, way: Direction) -> float:
        """Return the requests under way of each process, or of the kernel of a client where none are stated."""
        return under_way / (self.spec.client_processes or 1)

    def prepare(self, layout: Layout) -> None:
        """Make the threads of the OSDs of each server, and those of processes that may ask them."""
        super().prepare(layout)
        if self.spec.client_processes is not None:
            for nodes in layout.groups.values():
                for node in nodes:
                    layout.service(node, PROCESSES, self.spec.client_processes)

    def get(self, part: ByteRange) -> Operation:
        """Return a read."""
        size = part.size
        taken = FirstByte(), Compute("client", per_byte=self.spec.client_cpu + self._passed(size))
        got = self._got(size, size, self._come(size), taken)
        return Operation((*self._begun(size, self.spec.client_read_time), *got), size)

    def put(self, size: float, missing: int = 0) -> Operation:
        """Return a write, done once all pieces are committed."""
        given = (Compute("client", per_byte=self.spec.client_cpu + self._passed(size)),)
        written = self._given(size, missing, given, before=self._reread(size))
        return Operation((*self._begun(size, self.spec.client_write_time), *written), size)

    def _begun(self, size: float, serial: float) -> tuple[Stage, ...]:
        """Return what a client does for operations: on its processors, and one after the other in each process."""
        asked = self._asked(self._sent(size))
        if self.spec.client_processes is None:
            return (asked,)
        return asked, Service("client", PROCESSES, self.spec.client_processes, serial * self._sent(size))
