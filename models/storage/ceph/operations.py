"""What RADOS does for a request.

A request's bytes are cut into RADOS objects of `object_size`, of which `window` bytes are under way at a time, each
with a primary of its own. A read takes an object from its primary, which with a code collects k shards; a write goes to
the primary, which has it whole before it sends pieces on, and is done once all are committed. Small pieces on a hard
drive go to the journal first, and to the drive in batches; others lie together there, and are written at once.

An operation costs who asks for it, and each OSD that takes part, its replicas and shards as well, and a round trip of
the network between the two, and another one where the primary asks further OSDs. Those that are under way at once on a
connection share wakeups of the OSD (`models.storage.ceph.company`). OSDs of one server need no network. A read of a
coded object asks k OSDs however small it is, since Tentacle those that hold its bytes (`partial_reads`), a stat the
primary alone; a write of a part of a stripe reads that stripe first. What shards answer is to the primary a message
like any other, for which an operation waits in its queue: so a shard that is asked costs more than an object that is
read (`shard_read`), and the primary works besides (`gathered_read`). An overwrite keeps on each shard what it replaces,
to roll it back, and counts as more than one write (`overwrite_writes`). On all bytes of a coded object the primary
spends `split_cpu` to cut them into shards, or `join_cpu` to put them together.

All bytes that an OSD receives and sends, those between OSDs too, pass its few messenger threads, which copy them from
and to sockets and compute their checksums: those of a write in n replicas 2 n - 1 times.

Assumptions: bytes of jobs go on as they come, and wait for what `models.storage.ceph.deferred` leaves for later; an
operation of an OSD reads its database in memory or flash, on a hard drive with another seek; connections load messenger
threads alike, each the one with fewest. Not covered: scrubs, fast_read, messengers in backfills and overwrites.

Source: Ceph documentation, architecture, erasure-code; ceph/ceph, src/osd/ECBackend.h and ECTransaction.h (what a read
and an overwrite ask); src/msg/async, ProtocolV2.cc (messages are handed on whole), Stack.cc (threads of a
process, and which a connection gets), frames_v2.cc (checksums).
"""

from __future__ import annotations

import math
from collections.abc import Sequence as Series
from copy import copy
from functools import partial
from typing import Self

from models.hardware.cluster import Device, Layout, Node
from models.hardware.drive import Direction, Drive
from models.hardware.drive_times import commits
from models.hardware.memory_bus import MADE
from models.requests import Places
from models.storage.ceph.company import Company
from models.storage.ceph.deferred import deferred
from models.storage.ceph.groups import Numbered, PlacementGroups, Rule, places_of
from models.storage.ceph.in_flight import Askers
from models.storage.ceph.pool import RadosPool
from models.storage.ceph.threads import OsdThreads
from models.storage.described import ByteRange, Description, Parts, Placement, Role, Sources, Targets
from models.storage.operation import Operation
from models.storage.stages import (
    LIST_PAGE,
    Compute,
    Decode,
    Lanes,
    Move,
    Read,
    Seek,
    Stage,
    Stream,
    Wait,
    Write,
)

SUMS = 2.0
"""Times that an OSD goes through a byte for checksums: a message's, and that of the block on the drive. Source:
ceph/ceph, src/msg/async/frames_v2.cc; src/os/bluestore/BlueStore.cc, _verify_csum and _do_write."""
FLASH_COMMIT, DRIVE_COMMIT = 1e-4, 0.02
"""Seconds of the two flushes of a commit. Assumption: capacitors, 0.04 to 0.2 ms; a hard drive, 10 to 30 ms."""


class RadosOperations(Description):
    """The operations of clients that speak to OSDs themselves (librbd, librados); `gate` is who asks them.

    What its processes may have asked at a time (`askers`) has no bound by default.
    """

    def __init__(self, spec: RadosPool, layout: Layout, gate: str = "client", askers: Askers | None = None) -> None:
        self.spec, self._gate, self._askers = spec, gate, askers
        self._company = Company(spec, spec.osds(layout.whole))
        self.home, self.pieces = (spec.servers, spec.bay), (spec.code.pieces, spec.code.data)
        self.object_size = spec.object_size
        (count, data), self._piece = self.pieces, spec.object_size / spec.code.data
        self.roles: dict[str, Role] = {
            "source": Sources(),
            "target": Targets(),
            "index": Targets(object=1 << 20),
            "reader": Parts("source", each=data, is_first=True),
            "shard": Parts("source", each=data),
            "primary": Parts("source"),
            "writer": Parts("target"),
            "sender": Parts("target", each=count, is_first=True),
            "piece": Parts("target", each=count),
        }
        self._shape = max(round(spec.groups(layout.whole) / layout.alike), 1), count
        self._rule = Rule(spec.osds_per_drive, spec.failure_domain, layout.parts, spec.balancer)
        self.shares_servers = spec.failure_domain == "osd"
        self._apart = partial(self._rule.apart, layout.whole.groups[spec.servers].count, self._company.osds)
        node = layout.groups[spec.servers][0]
        server, self._osds = node.server, node.bays[spec.bay]
        self._round_trip = layout.cluster.network.round_trip
        self._drive, self._db = server.bays[spec.bay].drive, server.bays[spec.db_bay or spec.bay].drive
        self._threads = OsdThreads(spec, len(self._osds) * spec.osds_per_drive, server.cpu.speed, self.spins)
        self._commit = Wait("OSD commit", self.commit_time, commits(self._db))

    @property
    def quorum(self) -> int:
        """The pieces without which nothing is written: min_size."""
        return self.spec.least

    @property
    def read_quorum(self) -> int:
        """The pieces without which nothing is read: min_size as well, as the placement group is inactive."""
        return self.spec.least

    def asked_by(self, clients: int, under_way: float) -> Self:
        """Return the operations for a load of so many clients that have so many requests under way each."""
        asked = copy(self)
        reads, writes = self._each_asks(clients, under_way, "read"), self._each_asks(clients, under_way, "write")
        asked._company = Company(self.spec, self._company.osds, reads, writes, clients * under_way)
        return asked

    def _each_asks(self, clients: int, under_way: float, way: Direction) -> float:
        """Return the requests under way of each who has a connection to each OSD: a client's kernel, by default."""
        return under_way

    def prepare(self, layout: Layout) -> None:
        """Make the threads of the OSDs of each server."""
        for node in layout.groups[self.spec.servers]:
            self._threads.prepare(layout, node)

    def placement(self, nodes: Series[Node], salt: int) -> Placement:
        """Return where pieces lie: by placement group."""
        return PlacementGroups(nodes, self.spec.bay, self._shape, salt, self._rule)

    def places(self, nodes: Series[Node], drives: int, stride: int, salt: int) -> Places:
        """Return where the placement groups lie."""
        return places_of(nodes, self.spec.bay, self._shape, salt, self._rule, Numbered(drives, stride))

    def get(self, part: ByteRange) -> Operation:
        """Return a read of objects."""
        asked = self._asked(self._sent(part.size))
        return Operation((asked, *self._got(part.size, part.size, self._come(part.size), ())), part.size)

    def put(self, size: float, missing: int = 0) -> Operation:
        """Return a write, done once all pieces are committed."""
        return Operation((self._asked(self._sent(size)), *self._given(size, missing, ())), size)

    def head(self, *, exists: bool = True) -> Operation:
        """Return a stat of an object."""
        return Operation((self._asked(1), *self._found(0.0)))

    def list_page(self, names: float = LIST_PAGE) -> Operation:
        """Return a page of a listing of objects: one operation of an OSD."""
        return self.head()

    def delete(self) -> Operation:
        """Return the removal of an object: each of its pieces is noted as gone."""
        return Operation((self._asked(1), *self._noted("target", self.pieces[0])))

    @property
    def rebuild_streams(self) -> int:
        """Objects that are under way to the OSDs of a server at a time."""
        recovery = self.spec.recovery
        return recovery.active(spins=self.spins) * recovery.max_backfills * self._threads.osds

    @property
    def rebuild_delay(self) -> float:
        """Seconds from a failure until its placement groups move to other OSDs."""
        return self.spec.recovery.heartbeat_grace + self.spec.recovery.down_out_interval

    @property
    def rebuilds_into_free_space(self) -> bool:
        """Whether pieces are rebuilt on servers that are left: yes."""
        return True

    def rebuild(self, size: float) -> Operation:
        """Return the backfill of a piece of an object, whose OSDs pause after each part of it as their throttles ask.

        Assumption: they pause for as long beside requests as they would in an idle pool.
        """
        part = min(size, self.spec.object_size)
        alone, rate = self.backfill(part, self._osds[0], self._osds[0])
        pause = self.spec.recovery.active(spins=self.spins) * part / self.pieces[1] / rate - alone
        throttled = Wait("backfill throttle", pause * max(size / self.spec.object_size, 1.0))
        return Operation((*super().rebuild(size).stages, throttled), size)

    def backfill(self, size: float, source: Device, target: Device) -> tuple[float, float]:
        """Return what the pieces of objects of `size` bytes (B) take from one OSD to another.

        That are the seconds of one in an idle pool, and the bytes a second of all that throttles allow.
        """
        piece = size / self.pieces[1]
        ends: tuple[tuple[Device, Direction], ...] = (source, "read"), (target, "write")
        seeks = sum(end.drive.access_time(way) for end, way in ends if isinstance(end.drive, Drive))
        alone = seeks + piece / source.read_rate() + piece / target.write_rate() + self.commit_time
        rate = self.spec.recovery.rate(piece, alone, spins=self.spins, flash_db=self.spec.db_bay is not None)
        return alone, rate

    def objects(self, size: float) -> int:
        """Return the RADOS objects of a request that are under way at a time."""
        most = max(round(self.spec.window / self.spec.object_size), 1)
        return most if math.isinf(size) else min(most, max(math.ceil(size / self.spec.object_size), 1))

    @property
    def spins(self) -> bool:
        """Whether the OSDs are hard drives."""
        return self._drive.technology == "hdd"

    @property
    def commit_time(self) -> float:
        """Seconds until an OSD has noted a write in its database."""
        if self.spec.commit_time is not None:
            return self.spec.commit_time
        return DRIVE_COMMIT if self._db.technology == "hdd" else FLASH_COMMIT

    def _found(self, size: float) -> tuple[Stage, ...]:
        """Return the operations of OSDs that find the objects of a read, and seek for them."""
        objects, data = self.objects(size), self.pieces[1]
        once, _ = self._operations(size)
        seeks = self._seeks(size / objects, "read") if size else 0.0
        shards = self._shards(size)
        reads, gathered = self._company.shared(shards)
        cost = once * reads * self._company.read_cpu(shards)
        done = self._threads.read("shard", cost, once, seeks + self._lookups)
        lookup = Lanes(done, objects * shards), self._trips(1 + self._apart(data if size > 0 else 1))
        if once * gathered == 0:
            return lookup
        return Lanes((Compute("primary", once * gathered * self._company.read_cpu(shards)),), objects), *lookup

    def _got(self, size: float, counted: float, come: Series[Stage], out: Series[Stage]) -> tuple[Stage, ...]:
        """Return how objects are found, and their bytes `come` to who asks, and go on through `out`.

        In what may be under way at a time the request counts as so many bytes (B), and one of many turns by turns.
        """
        lookup, turn, on = self._found(size), self._turn(size), (Stream(tuple(out)),) if out else ()
        if size > turn or self._askers is None:
            return *lookup, Stream((*self._asked_of_osds(size, tuple(come)), *on), turn)
        return *self._asked_of_osds(counted, (*lookup, Stream(tuple(come), turn))), *on

    def _given(
        self, size: float, missing: int, sent: Series[Stage], on: Series[Stage] = (), before: Series[Stage] = ()
    ) -> tuple[Stage, ...]:
        """Return how bytes are `sent` to who asks OSDs, and `on`, and are committed in all pieces but those missing.

        What the OSDs do `before` counts as the request does in what may be under way at a time.
        """
        counts = self.spec.overwrite_writes if before else 1.0
        (noted, go, ended), turn = self._go(size, missing, counts), self._turn(size)
        go, come = (*on, *go), (Stream(tuple(sent)),) if sent else ()
        if size > turn or self._askers is None:
            return *before, noted, Stream((*come, *self._asked_of_osds(size, go)), turn), *ended
        done = *before, noted, Stream(go, turn), *ended
        return *come, *self._asked_of_osds(size, done)

    def _asked_of_osds(self, counted: float, stages: tuple[Stage, ...]) -> tuple[Stage, ...]:
        """Return what OSDs do for a request that counts as so many bytes (B), each of its objects for itself."""
        if self._askers is None:
            return stages
        return self._askers.asked(counted, self.objects(counted), self.spec.object_size, stages)

    def _come(self, size: float) -> tuple[Stage, ...]:
        """Return how bytes come from the OSDs to who asks."""
        spec, objects, data = self.spec, self.objects(size), self.pieces[1]
        _, per_byte = self._operations(size)
        asked = self._shards(size)
        reads, gathered = self._company.shared(asked)
        cost = spec.osd_cpu + per_byte * reads * self._company.read_cpu(asked) * data
        taken = Compute("shard", per_byte=cost, touched=SUMS)
        shards: tuple[Stage, ...] = (Read("shard", spec.bay), taken)
        first: tuple[Stage, ...] = (Lanes(shards, objects, 1 / objects),)
        of_others = 1 - 1 / asked  # one shard is the primary's own
        if data > 1:
            put_together = spec.join_cpu + per_byte * gathered * self._company.read_cpu(asked)
            joined = Compute("primary", per_byte=put_together, touched=1), Decode("primary", spec.encode_cpu)
            shards = (*shards, self._threads.carried("shard", of_others), Move("shard", "reader"))
            lanes = objects * asked
            first = Lanes(shards, lanes, 1 / lanes), Lanes(joined, objects, 1 / objects)
        sent = self._threads.carried("primary", of_others + 1), Move("primary", self._gate)
        return *first, Lanes(sent, objects, 1 / objects)

    def _turn(self, size: float) -> float:
        """Return the bytes of a request that are under way at a time."""
        return self.objects(size) * self.spec.object_size

    def _go(self, size: float, missing: int, counts: float) -> tuple[Stage, tuple[Stage, ...], tuple[Stage, ...]]:
        """Return what OSDs do for a write once, how its bytes go to all pieces but those missing, and the commit.

        The write of each piece counts as so many.
        """
        spec, objects, (count, data) = self.spec, self.objects(size), self.pieces
        kept, share = count - missing, 1 / (objects * data)
        lanes, sent = objects * kept, (kept - 1) / data  # one piece is the primary's own
        once, per_byte = self._operations(size)
        padded, is_deferred, seeks = self._stored(size)
        sends = Compute("writer", per_byte=spec.osd_send_cpu * sent)
        if data > 1:
            cut, touched = sends.per_byte + spec.split_cpu, 2 + MADE * (count / data - 1)
            sends = Compute("writer", per_byte=cut, coding=spec.encode_cpu, touched=touched)
        cost = spec.osd_cpu + per_byte * self._company.write_cpu(kept) * data
        taken = Compute("piece", per_byte=cost, touched=SUMS)
        db, noted = spec.db_bay or spec.bay, spec.noted_size * data / min(max(size, 1.0), spec.object_size)
        sought = Seek("piece", spec.bay, seeks, is_write=True, waited=False)
        if is_deferred:
            later = deferred(spec, self._drive.sorts, size * share, padded)
            written: tuple[Stage, ...] = Write("piece", db, noted + padded), later
        else:
            shares = ((spec.bay, noted + padded),) if db == spec.bay else ((db, noted), (spec.bay, padded))
            written = tuple(Write("piece", bay, bytes, self._piece, "whole") for bay, bytes in shares if bytes)
        cost = once * counts * self._company.write_cpu(kept)
        done = self._threads.done("piece", cost, once * spec.osd_write_time, spec.messenger_write)
        passed = self._threads.carried("writer", 1 + sent), self._threads.carried("piece", 1 - 1 / kept)
        received = Lanes((Move(self._gate, "writer"), passed[0], sends), objects, 1 / objects)
        stored = Lanes((Move("sender", "piece"), passed[1], taken, *written), lanes, share)
        ended = self._commit, self._trips(1 + self._apart(count))
        return Lanes(done if is_deferred else (*done, sought), lanes), (received, stored), ended

    def _reread(self, size: float) -> tuple[Stage, ...]:
        """Return how the stripes are read of which a write of a part of an object changes only a part."""
        spec, data = self.spec, self.pieces[1]
        stripe = data * spec.stripe_unit
        if data == 1 or size >= spec.object_size or size % stripe == 0:
            return ()
        bytes = stripe * (1 if size < stripe else 2) / size
        reads, gathered = self._company.shared(data)
        cost = reads * self._company.read_cpu(data)
        done = self._threads.read("shard", cost, 1.0, 1.0 + self._lookups)
        beside = max(gathered - 1.0, 0.0)  # the write, which the primary does too
        asked = Compute("primary", beside * self._company.read_cpu(data))
        lookup = asked, Lanes(done, data), self._trips(self._apart(data))
        taken = Compute("shard", per_byte=spec.osd_cpu, touched=SUMS)
        return *lookup, Stream((Lanes((Read("shard", spec.bay), taken, Move("shard", "reader")), data, bytes / data),))

    def _shards(self, size: float) -> int:
        """Return the pieces of an object that a read asks; its attributes lie with each of them."""
        data = self.pieces[1]
        if size <= 0:
            return 1
        is_small = self.spec.partial_reads and self.objects(size) == 1 and math.isfinite(size)
        return min(max(math.ceil(size / self.spec.stripe_unit), 1), data) if is_small else data

    def _trips(self, times: float) -> Stage:
        """Return so many round trips between servers."""
        return Wait("round trips", times * self._round_trip)

    def _sent(self, size: float) -> float:
        """Return the operations that one who asks sends at once."""
        return self.objects(size) * self._operations(size)[0]

    def _asked(self, operations: float, more: float = 0.0) -> Stage:
        """Return what who asks spends on so many operations of OSDs, and core-seconds on more."""
        return Compute(self._gate, more + operations * self.spec.client_op_cpu)

    def _passed(self, size: float) -> float:
        """Return core-seconds that who asks spends on each byte of a large request: those of its operations."""
        return self._operations(size)[1] * self.spec.client_op_cpu

    def _noted(self, at: str, pieces: int) -> tuple[Lanes, Wait, Stage]:
        """Return the small write of an object in so many pieces, and its commit."""
        spec = self.spec
        bay = spec.bay if spec.db_bay is None else spec.db_bay
        seek = Seek(at, bay, 1.0 if bay == spec.bay else 0.0, is_write=True, waited=False)
        cost = self._company.write_cpu(pieces)
        lane = *self._threads.done(at, cost, spec.osd_write_time, spec.messenger_write), seek
        return Lanes(lane, pieces), self._commit, self._trips(1 + self._apart(pieces))

    def _operations(self, size: float) -> tuple[float, float]:
        """Return the operations of an OSD for each object under way: once, or for each byte of a large request."""
        return (1.0, 0.0) if size <= self.spec.object_size else (0.0, 1 / self.spec.object_size)

    @property
    def _lookups(self) -> float:
        """Seeks of a drive to find an object in its database: one on a hard drive, unless memory or flash holds it."""
        return 1.0 if self.spec.db_bay is None and self._db.technology == "hdd" else 0.0

    def _seeks(self, held: float, direction: Direction) -> float:
        """Return the seeks to `held` bytes in pieces beyond those that the cost of a byte on the drive contains."""
        drive = self._drive
        if math.isinf(held) or not isinstance(drive, Drive):
            return 1.0
        held, chunk = held / self.pieces[1], drive.read_chunk if direction == "read" else self._piece
        return max(max(held / self._piece, 1.0) - held / chunk, 0.0)

    def _stored(self, size: float) -> tuple[float, bool, float]:
        """Return bytes written per byte of a piece, whether they pass the journal first, and the seeks of the drive."""
        spec, data = self.spec, self.pieces[1]
        if math.isinf(size) or size <= 0:
            return 1.0, False, 1.0
        objects = self.objects(size)
        held = min(size, spec.object_size)
        piece = spec.allocated(held)
        padded = piece * data / held
        is_deferred = self.spins and piece < spec.deferred_size
        return padded, is_deferred, self._seeks(size / objects, "write")
