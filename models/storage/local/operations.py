"""What a server's drive does for a process that reads or writes a file; see `models.storage.local.system`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence as Series

from models.hardware.cluster import Node
from models.storage.described import Anyone, ByteRange, Description, DrawnServers, Piece, Role, Sources, Targets
from models.storage.local.system import LocalDisks
from models.storage.operation import Operation
from models.storage.stages import LIST_PAGE, Compute, FirstByte, Move, Read, Seek, Stage, Stream, Write


class LocalOperations(Description):
    """The operations of processes that see the drives of a server."""

    is_local = whole_files = True

    def __init__(self, spec: LocalDisks) -> None:
        self._bay, self._cpu = spec.bay, spec.request_cpu
        self.home, self.pieces = spec.home, (1, 1)
        self.roles: dict[str, Role] = {
            "anyone": Anyone(spec.servers),
            "source": Sources(),
            "target": Targets(first="client"),
        }

    def placement(self, nodes: Series[Node], salt: int) -> OwnDrives:
        """Return where files lie: on drawn servers, and there on a drawn drive."""
        return OwnDrives(nodes, self._bay, salt)

    def get(self, part: ByteRange) -> Operation:
        """Return a read."""
        read = Stream((Read("source", self._bay), FirstByte(), Move("source", "client")))
        return Operation((*self._sought(Seek("source", self._bay)), read), part.size)

    def put(self, size: float, missing: int = 0) -> Operation:
        """Return a write, done once the drive has it."""
        written = Stream((Move("client", "target"), Write("target", self._bay)))
        return Operation((*self._sought(Seek("target", self._bay, is_write=True)), written), size)

    def head(self, *, exists: bool = True) -> Operation:
        """Return a stat."""
        return Operation(self._sought(Seek("source", self._bay)))

    def list_page(self, names: float = LIST_PAGE) -> Operation:
        """Return a page of a directory."""
        return Operation(self._sought(Seek("anyone", self._bay)))

    def delete(self) -> Operation:
        """Return a removal."""
        return Operation(self._sought(Seek("source", self._bay, is_write=True)))

    def _sought(self, seek: Seek) -> tuple[Stage, ...]:
        return Compute(seek.at, self._cpu), seek


class OwnDrives(DrawnServers):
    """Files on servers that differ; where a drive is lost, those behind it on the server come before other servers."""

    def order(self, name: int, first: Node | None = None) -> Iterator[Piece]:
        """Yield all drives of one server after the other, on each from a drawn one on."""
        for node, drive in super().order(name, first):
            drives = node.bays[self._bay]
            start = drives.index(drive)
            yield from ((node, other) for other in drives[start:] + drives[:start])
