"""What MinIO does for a request: one description, which runs of jobs and of requests share.

The coordinator asks all drives of the object's set for its metadata, a seek each. A GET then takes stripe after stripe:
k drives read and send their shards at the same time, the coordinator receives, checks and joins them and sends the
stripe to the client. A PUT takes the way back: receive, hash and encode, send, and wait for all n drives. Buffers let
several stripes be under way: connections hold bytes at both ends, each drive has a stream of its own, and by release
the coordinator hashes ahead of coding and keeps coded shards in a ring for each drive (`models.storage.minio.rules`).
In the coordinator one thread takes stripe after stripe. Bytes that lie together cost no seek beyond `read_chunk` and
`write_chunk` of the drive, but the first of a request.

Where drives are down, a stripe is read from k shards that are left, and the coordinator computes what is missing; a PUT
writes the shards that are left, with the parity that the release gives it. A replacement takes writes but holds nothing
until it is rebuilt: object by object, k shards are read, from drives whatever page caches hold, and one is computed and
written, by the workers of a drive, which pause while many requests are in flight (`models.storage.minio.heal`).

A stripe is longer than a core's own cache: its data are touched to code them, its parity is made, and all shards are
touched to hash them; MD5 runs over pieces as they are received.

Assumptions: each hop passes a stripe on when it has all of it; shards for the coordinator's own drives, to which it has
no connection, have as much room before them as others. Not covered: the scanner, the listing of what to rebuild.

Source: as models/storage/minio/system.py; small objects in their metadata: MinIO 2021, `xl.meta`,
docs/small-file-benchmark.
"""

from __future__ import annotations

import math
from types import MappingProxyType

from models.distributions import Spread
from models.hardware.memory_bus import MADE
from models.storage.described import REBUILT_PIECE, ByteRange, Description
from models.storage.minio.calls import LOCKS
from models.storage.minio.rules import Code
from models.storage.minio.system import Minio
from models.storage.operation import Operation
from models.storage.stages import (
    LIST_PAGE,
    SOCKETS,
    Buffer,
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


class MinioOperations(Description):
    """The operations of MinIO on one of its `sets`, of which `offline` drives are down, and `empty` ones replaced.

    Its roles are the "coordinator", the drives of the set with shards to read ("source") and to write ("target"), and
    a drive of each set ("lister").
    """

    roles = MappingProxyType({})
    front = "coordinator"

    def __init__(
        self, spec: Minio, code: Code, sets: int = 1, offline: int = 0, empty: int = 0, servers: int | None = None
    ) -> None:
        self._spec, self._code, self._sets, self._empty = spec, code, sets, empty
        self._lockers = code.drives if servers is None else min(servers, code.drives)
        self.home, self.pieces = (spec.servers, spec.bay), (code.drives, code.data)
        self._up, self._written = code.drives - offline, code.at_write(offline)

    def get(self, part: ByteRange) -> Operation:
        """Return a GET: whole stripes are read and checked."""
        spec, data, size = self._spec, self._code.data, part.size
        read, sought = 1.0, tuple[Stage, ...]()
        if 0 < size < math.inf:
            read = min(math.ceil(size / spec.stripe_bytes) * spec.stripe_bytes, max(part.object_size, size)) / size
        calls = spec.calls.get
        if self._lies_apart(size, part.object_size / data):
            first = Seek("source", spec.bay, 1 - spec.cached_reads, reads=size / data)
            opened = (Compute("source", spec.open_cpu), first) if spec.open_cpu else (first,)
            sought, calls = (Lanes(opened, data),), calls + data / self._up
        gathered = self._gathered(read, spec.end_cpu)
        bytes_out = *gathered, FirstByte(), Buffer(self._sockets), Move("coordinator", "client")
        asked = self._called(calls, *self._lookup("target", part.opens))
        return self._asked(size, *asked, *sought, self._striped("one download stream", *bytes_out))

    def put(self, size: float, missing: int = 0) -> Operation:
        """Return a PUT, done once all shards are written, and noted."""
        shard, sought, calls = size / self._written.data, tuple[Stage, ...](), self._spec.calls.put
        if self._lies_apart(size, shard):
            calls += self._spec.calls.file
            sought = (Lanes((Seek("target", self._spec.bay, writes=shard),), self._up),)
        spec = self._spec
        scattered = self._scattered(spec.read_ahead(size), spec.end_cpu)
        bytes_in = Move("client", "coordinator"), Buffer(self._sockets), *scattered
        striped = self._striped("one upload stream", *bytes_in)
        return self._asked(size, striped, *sought, *self._noted(calls, spec.note_cpu))

    def gathered(self, cpu: float = 0.0) -> Operation:
        """Return how stripes come to the coordinator: what a GET does before its client, and a COPY at first.

        It spends so much `cpu` (reference core-s/B) on sending them on.
        """
        return Operation((self._striped("one download stream", *self._gathered(1.0, cpu)),))

    def streamed(self, cpu: float) -> Operation:
        """Return how bytes of an object that is open come to its client by way of the coordinator."""
        return Operation((*self.gathered(cpu).stages, Move("coordinator", "client")))

    def scattered(self, ahead: float, cpu: float = 0.0) -> Operation:
        """Return how the coordinator writes stripes: what a PUT does behind its client, and a COPY in the end.

        It has received and hashed so many bytes (B) `ahead` of coding them, and spent so much `cpu` (reference
        core-s/B) on receiving them.
        """
        return Operation((self._striped("one upload stream", *self._scattered(ahead, cpu)),))

    def head(self, *, exists: bool = True) -> Operation:
        """Return a HEAD: all drives of the set are asked, whether the object exists or not."""
        return self._asked(0.0, *self._called(self._spec.calls.head, *self._lookup("target")))

    def note(self, parts: int = 0) -> Operation:
        """Return what begins or completes a multipart upload: metadata on all drives of the set."""
        return self._asked(0.0, *self._noted(self._spec.calls.put, self._spec.note_cpu))

    def delete(self) -> Operation:
        """Return a DELETE: metadata on all drives of the set."""
        return self._asked(0.0, *self._noted(self._spec.calls.delete, self._spec.note_cpu))

    def list_page(self, names: float = LIST_PAGE) -> Operation:
        """Return a page of a listing: a drive of each set is asked, and the coordinator merges their answers."""
        asked = Lanes((Seek("lister", self._spec.bay, self._accesses),), self._sets)
        return self._asked(0.0, asked, Compute("coordinator", self._spec.list_cpu))

    def rebuild(self, size: float) -> Operation:
        """Return the rebuild of a shard on the drive that replaced its own."""
        spec, data = self._spec, self._code.data
        lookup = self._lookup("source")
        lookups = (Lanes(lookup, self._up - self._empty),) if lookup else ()
        sought = Lanes((Seek("source", spec.bay, reads=size / data),), data)
        shards = Lanes(
            (Read("source", spec.bay), *self._sent("source", REBUILT_PIECE)), data, 1 / data, together=REBUILT_PIECE
        )
        coding, touched = spec.encode_cpu / max(self._code.parity, 1), 2 + MADE / data
        coded = Compute(REBUILT_PIECE, per_byte=spec.bitrot_cpu, coding=coding, touched=touched)
        stripes = self._striped("one rebuild stream", shards, coded, Write(REBUILT_PIECE, spec.bay, 1 / data))
        noted = Seek(REBUILT_PIECE, spec.bay, spec.noted_writes, is_write=True)
        placed = Seek(REBUILT_PIECE, spec.bay, writes=size / data), noted
        waited = Wait(f"{spec.servers}/request time", spec.request_time, Spread(spec.request_spread))
        return Operation((waited, *lookups, sought, stripes, *placed), size)

    def rebuild_pause(self, in_flight: float) -> float:
        """Return the seconds for which a worker waits after each object while a server has requests in flight."""
        return self._spec.heal.pause(self._spec.release, in_flight)

    @property
    def _accesses(self) -> float:
        """Accesses of a drive to find the metadata of an object."""
        return self._spec.metadata_seeks * (1 - self._spec.cached_reads)

    def _asked(self, size: float, *stages: Stage) -> Operation:
        handled = Compute("coordinator", self._spec.request_cpu, spread=Spread(self._spec.request_spread))
        return Operation((handled, *stages), size)

    def _lookup(self, at: str, opens: float = 1.0) -> tuple[Stage, ...]:
        """Return how a drive finds the metadata of an object, which is in the page cache but for those that open it."""
        accesses = self._accesses * opens
        return (Seek(at, self._spec.bay, accesses),) if accesses else ()

    def _called(self, calls: float, *stages: Stage, noted: float = 0.0) -> tuple[Stage, ...]:
        """Return how the coordinator calls each drive of the set that is up, and for locks; both ends work for it.

        What the drive does then are `stages`.
        """
        spec = self._spec
        cpu = spec.call_cpu * (calls + LOCKS * self._lockers / self._code.drives) / 2
        own = Compute("target", spec.drive_cpu * calls + noted)
        lane = *((Compute("target", cpu, beside="coordinator"),) if cpu else ()), *((own,) if own.once else ()), *stages
        asked = (Compute("coordinator", cpu * self._up, beside="target"),) if cpu else ()
        return *asked, *((Lanes(lane, self._up),) if lane else ())

    def _noted(self, calls: float, cpu: float = 0.0) -> tuple[Stage, ...]:
        """Return how the drives of the set that are up note metadata, each in writes one after the other."""
        writes = self._spec.noted_writes
        noted = (Seek("target", self._spec.bay, writes, is_write=True),) if writes else ()
        return self._called(calls, *noted, noted=cpu)

    def _lies_apart(self, size: float, shard: float) -> bool:
        """Tell whether bytes that end somewhere lie beside their metadata: no small object does."""
        return math.isfinite(size) and shard > self._spec.inline_bytes

    def _striped(self, cap: str, *stages: Stage) -> Stream:
        return Stream(stages, self._spec.stripe_bytes, in_turn=True, cap=cap)

    def _gathered(self, read: float, cpu: float) -> tuple[Stage, ...]:
        """Return how k shards come to the coordinator, `read` times as many bytes as are asked for."""
        spec, data = self._spec, self._code.data
        shard = Read("source", spec.bay, 1 - spec.cached_reads), *self._sent("source", "coordinator")
        checked = Compute("coordinator", per_byte=spec.bitrot_cpu * read + cpu, touched=read)
        decoded = Decode("coordinator", spec.encode_cpu * data / max(self._code.parity, 1) * read)
        shards = Lanes(shard, data, read / data, together="coordinator")
        return shards, Buffer(self._sockets * data), checked, decoded

    def _sent(self, source: str, target: str) -> tuple[Stage, ...]:
        """Return how bytes go from one server to another, both of which spend what the end of a connection takes."""
        cpu, moved = self._spec.end_cpu, Move(source, target)
        if not cpu:
            return (moved,)
        return Compute(source, per_byte=cpu, beside=target), moved, Compute(target, per_byte=cpu, beside=source)

    def _scattered(self, ahead: float, cpu: float) -> tuple[Stage, ...]:
        """Return how the coordinator hashes and codes bytes and sends them to all drives of the set that are up."""
        spec, data = self._spec, self._written.data
        hashed = Compute("coordinator", per_byte=spec.hash_cpu + cpu), Buffer(ahead)
        coded = Compute(
            "coordinator",
            per_byte=spec.bitrot_cpu * self._up / data,
            coding=spec.encode_cpu if self._written.parity else 0.0,
            touched=1 + MADE * self._written.parity / data + self._up / data,
        )
        room = Buffer((self._sockets + spec.rules.shard_ring) * data)
        shard = *self._sent("coordinator", "target"), Write("target", spec.bay)
        return *hashed, coded, room, Lanes(shard, self._up, 1 / data, together="coordinator")

    @property
    def _sockets(self) -> float:
        """Bytes (B) that wait in a connection: whole stripes, so that each hop has the next while it passes one on."""
        return max(SOCKETS, self._spec.stripe_bytes)
