"""What the targets of an object store do for a request; see `models.storage.object_store.system`."""

from __future__ import annotations

from models.hardware.cluster import Layout
from models.hardware.memory_bus import MADE
from models.storage.described import Anyone, ByteRange, Description, First, Role, Sources, Targets
from models.storage.object_store.system import DirectStore
from models.storage.operation import Operation
from models.storage.stages import (
    LIST_PAGE,
    Compute,
    Decode,
    FirstByte,
    Lanes,
    Move,
    Read,
    Seek,
    Stage,
    Stream,
    Wait,
    Write,
)


class DirectOperations(Description):
    """The operations of an object store whose targets answer clients."""

    front = "anyone"

    def __init__(self, spec: DirectStore, layout: Layout) -> None:
        self.spec, self._round_trip = spec, layout.cluster.network.round_trip
        self.home, self.pieces = spec.home, (spec.code.pieces, spec.code.data)
        self.roles: dict[str, Role] = {
            "anyone": Anyone(spec.servers),
            "source": Sources(),
            "target": Targets(),
            "copy": Targets(object=1),
            "reader": First("source"),
            "writer": First("target"),
        }

    def get(self, part: ByteRange) -> Operation:
        """Return a GET: the target reads, or collects pieces, and answers."""
        out = Compute("reader", per_byte=self.spec.get_cpu), FirstByte(), Move("reader", "client")
        return Operation(
            (*self._asked("reader"), self._sought("source", 1.0), Stream((*self._read(), *out))), part.size
        )

    def put(self, size: float, missing: int = 0) -> Operation:
        """Return a PUT, acknowledged once all pieces are written."""
        received = Move("client", "writer"), Compute("writer", per_byte=self.spec.put_cpu)
        written = Stream((*received, *self._written("writer", "target", missing)))
        return Operation((*self._asked("writer"), self._sought("target", 1.0, missing), written), size)

    def head(self, *, exists: bool = True) -> Operation:
        """Return a HEAD."""
        return Operation((*self._asked("reader"), Seek("reader", self.spec.bay, self.spec.metadata_seeks)))

    def list_page(self, names: float = LIST_PAGE) -> Operation:
        """Return a page of a listing."""
        return Operation((Wait("round trip", self._round_trip), Compute("anyone", self.spec.list_cpu)))

    def delete(self) -> Operation:
        """Return a DELETE: each piece is noted as gone."""
        return Operation((*self._asked("writer"), self._sought("target", 0.0)))

    def copy(self) -> Operation:
        """Return a COPY: the target reads the object and writes it under another name."""
        both = Stream((*self._read(), *self._written("reader", "copy", 0)))
        return Operation((*self._asked("reader"), self._sought("source", 1.0), self._sought("copy", 1.0), both))

    @property
    def rebuild_streams(self) -> int:
        """Objects that a server makes whole at a time."""
        return self.spec.rebuild_streams

    @property
    def rebuild_delay(self) -> float:
        """Seconds from a failure until objects are made whole on other servers."""
        return self.spec.rebuild_delay

    @property
    def rebuilds_into_free_space(self) -> bool:
        """Whether pieces are rebuilt on servers that are left: yes."""
        return True

    def _asked(self, at: str) -> tuple[Stage, ...]:
        """Return how a request comes to who serves it: by way of a proxy, where clients are redirected."""
        asked = Wait("round trip", self._round_trip), Compute(at, self.spec.request_cpu)
        if not self.spec.redirects:
            return asked
        return Wait("redirect", self._round_trip), Compute("anyone", self.spec.redirect_cpu), *asked

    def _sought(self, at: str, times: float, missing: int = 0) -> Lanes:
        """Return the seeks for metadata, and so many for the bytes, of each server that takes part."""
        lanes = self.pieces[1] if at == "source" else self.pieces[0] - missing
        seek = Seek(at, self.spec.bay, times + self.spec.metadata_seeks, is_write=at != "source")
        return Lanes((seek,), lanes)

    def _read(self) -> tuple[Stage, ...]:
        """Return how bytes come from the drives to the target."""
        spec, data = self.spec, self.pieces[1]
        if data == 1:
            return (Read("reader", spec.bay),)
        piece = Read("source", spec.bay), Compute("source", per_byte=spec.piece_cpu), Move("source", "reader")
        return Lanes(piece, data, 1 / data), Decode("reader", spec.encode_cpu)

    def _written(self, source: str, at: str, missing: int) -> tuple[Stage, ...]:
        """Return how bytes go from the target that has them to all pieces but those missing."""
        spec, (count, data) = self.spec, self.pieces
        touched = 1 + MADE * (count / data - 1)
        coded = (Compute(source, coding=spec.encode_cpu, touched=touched),) if data > 1 else ()
        piece = Move(source, at), Compute(at, per_byte=spec.piece_cpu), Write(at, spec.bay)
        return *coded, Lanes(piece, count - missing, 1 / data)
