"""What the object gateway of Ceph (RGW) does for a request, beside what RADOS does.

RGW is one more hop: it holds each request in one of its slots, spends CPU a request and a byte (GET and PUT apart, TLS
besides), and notes a PUT in the index of the bucket, which is kept in shards on OSDs, before it writes, and once more
when that is done. A COPY shares the bytes of its origin and only notes it. What a daemon has asked of OSDs is
bounded by `inflight_op_bytes`: to send a further operation, one for each object of a request, it waits for answers. The
head of an object is read with its attributes in one operation, which counts as a chunk of 4 MiB, however small the
object is. All bytes between a daemon and OSDs pass its `messenger_threads`, which copy them from and to sockets and
compute their checksums.

A note reads and writes the shard of an index in one operation. Its read waits until the note before is in the database
of the primary, which applies what has come each time it begins to commit: a shard takes one note for what the threads
of its primary execute of it (`note_held`), or each commit where that takes longer, and two notes for each PUT. What
replicas do holds no shard. It did in older releases, whose OSDs lock it until all have committed
(`shared_index_locks`).

What a client gets, or gives, streams through the gateway as on any connection. The OSDs have a window of objects side
by side; while that is sent on they have the next, and a PUT has come before its last window is written.

The body of an answer is sent behind its head. Where it fills no packet, Nagle's algorithm keeps it back until the head
is acknowledged, which a client does after 40 ms; a larger one has a full packet that makes it answer at once.

Assumptions: what an index notes costs a gateway as much as a PUT; what messengers do of a note holds none of them; the
index has as many replicas as the pool has pieces, three at most, and both notes are taken before the write, side by
side. Nobody waits for the second, so half the shards are busy with those and half are left for the first; each kind of
request has all bytes in flight, and all shards, for itself; the next window begins as a whole, where Ceph adds an
object of it once one of the last is there. Not covered: garbage collection, the time of resharding, the bytes in flight
of jobs, and their notes of requests without bytes.

Source: Ceph documentation, radosgw; ceph/ceph, src/common/options/rgw.yaml.in, src/rgw/driver/rados/rgw_rados.cc
(prepare, write, complete; the chunk of a head), src/cls/rgw/cls_rgw.cc (notes read and write), src/osd/PrimaryLogPG.cc
(get_rw_locks) and osd_op_util.cc (what reads data: no call of a class), src/os/bluestore/BlueStore.cc (Onode::flush,
_kv_sync_thread), src/rgw/rgw_aio_throttle.cc (the window), src/osdc/Objecter.cc (_throttle_op, calc_op_budget),
src/msg/async/Stack.cc (workers); doc/radosgw, frontends (tcp_nodelay); Linux, net/ipv4/tcp_output.c (tcp_nagle_check)
and tcp_input.c (__tcp_ack_snd_check).
"""

from __future__ import annotations

import math
from dataclasses import replace

from models.hardware.cluster import Layout
from models.hardware.drive import Direction
from models.hardware.server import PACKET_HEADERS
from models.storage.ceph.bounded import REQUESTS, SHARDS
from models.storage.ceph.in_flight import Askers
from models.storage.ceph.operations import RadosOperations
from models.storage.ceph.system import Ceph
from models.storage.described import Anyone, ByteRange
from models.storage.operation import Operation
from models.storage.stages import LIST_PAGE, Compute, FirstByte, Held, Lanes, Move, Process, Stage, Wait

CHUNK = 4 * 2.0**20
"""Bytes that a read of the head of an object asks for. Source: as above, rgw_max_chunk_size."""
INDEX_REPLICAS = 3
"""Replicas of the index of a bucket. Source: ceph/ceph, osd_pool_default_size."""
INDEX_NOTES = 2
"""Notes in the index that a PUT takes: prepare and complete. Source: as above, rgw_rados.cc."""
DELAYED_ACK = 0.04
"""Seconds after which a client acknowledges a lone packet. Source: Linux, include/net/tcp.h, TCP_DELACK_MIN."""


class RgwOperations(RadosOperations):
    """The operations of clients of the object gateway."""

    spec: Ceph
    front = "gateway"

    def __init__(self, spec: Ceph, layout: Layout) -> None:
        asking = Askers(
            "gateway", spec.daemons, spec.inflight_op_bytes, spec.max_concurrent_requests, are_counted=False
        )
        super().__init__(spec, layout, "gateway", asking)
        self._daemons = spec.daemons * layout.whole.groups[spec.gateways].count
        self.roles["gateway"] = Anyone(spec.gateways)
        server = layout.groups[spec.gateways][0].server
        self._segment = server.nic.mtu - PACKET_HEADERS
        core = server.cpu.speed / spec.messenger_cpu
        carried = spec.daemons * spec.messenger_threads * core
        self._messenger = Process("gateway", "messenger", carried)
        for node in layout.groups[spec.gateways]:
            layout.process(node, "messenger", carried)  # before the run, which knows no resource that comes later
        layout.service(None, SHARDS, self._free_shards)

    def _each_asks(self, clients: int, under_way: float, way: Direction) -> float:
        """Return the requests under way of each daemon: as many as it takes at a time, and reads as `CHUNK` counts."""
        most = self.spec.max_concurrent_requests
        if way == "read":
            most = min(most, max(int(self.spec.inflight_op_bytes / CHUNK), 1))
        return min(clients * under_way / self._daemons, most)

    def get(self, part: ByteRange) -> Operation:
        """Return a GET."""
        spec = self.spec
        cost = spec.get_cpu + spec.encryption_cpu + self._passed(part.size)
        out = (
            Compute("gateway", per_byte=cost, touched=1),
            *self._held_back(part.size),
            FirstByte(),
            Move("gateway", "client"),
        )
        return self._served(self._sent(part.size), self._answered(part, out), part.size)

    def put(self, size: float, missing: int = 0) -> Operation:
        """Return a PUT: noted in the index, then written."""
        spec = self.spec
        cost = spec.put_cpu + spec.encryption_cpu + self._passed(size)
        received = Move("client", "gateway"), Compute("gateway", per_byte=cost, touched=1)
        written = self._given(size, missing, received, (self._messenger,))
        return self._served(INDEX_NOTES + self._sent(size), (*self._indexed(), *written), size, is_noted=True)

    def head(self, *, exists: bool = True) -> Operation:
        """Return a HEAD."""
        return self._served(1, self._found(0.0))

    def list_page(self, names: float = LIST_PAGE) -> Operation:
        """Return a page of a listing: all shards of the index are asked, and merged."""
        spec = self.spec
        return self._served(spec.shards, (Lanes((Compute("index", spec.list_cpu),), spec.shards),))

    def delete(self) -> Operation:
        """Return a DELETE: noted in the index, and the head of the object removed; its bytes go later."""
        stages = *self._indexed(), *self._noted("target", self.pieces[0])
        return self._served(INDEX_NOTES + 1, stages, is_noted=True)

    def note(self, parts: int = 0) -> Operation:
        """Return what begins or completes a multipart upload: a small object and its note in the index."""
        return self.delete()

    def copy(self) -> Operation:
        """Return a COPY: the copy shares the bytes, and is noted."""
        return self.delete()

    def _answered(self, part: ByteRange, out: tuple[Stage, ...]) -> tuple[Stage, ...]:
        """Return how a GET finds its objects, and how their bytes come from OSDs and go on through `out`."""
        size = part.size
        reads_head = max(part.object_size, size) <= max(size, CHUNK)
        counted = max(size, CHUNK) if reads_head else size
        return self._got(size, counted, (*self._come(size), self._messenger), out)

    def _indexed(self) -> tuple[Stage, ...]:
        """Return both notes of a request in the index, and for what of them a shard takes no other."""
        replicas = min(INDEX_REPLICAS, self.pieces[0])
        count, trips = INDEX_NOTES * replicas, self._trips(self._apart(replicas))
        notes, commit, _ = self._noted("index", count)
        held: tuple[Stage, ...] = notes, commit, trips
        then: tuple[Stage, ...] = ()
        if self.spec.shared_index_locks:
            cost = self._company.write_cpu(count)
            executed = self.spec.note_held * cost
            lane = *self._threads.done("index", executed, self.spec.osd_write_time, 0.0), notes.stages[-1]
            beside = min(executed / self._threads.speed, commit.seconds)
            held = Lanes(lane, INDEX_NOTES), replace(commit, seconds=commit.seconds - beside)
            rest = Lanes((Compute("index", cost - executed),), INDEX_NOTES)
            copied = (replace(notes, count=count - INDEX_NOTES),) if replicas > 1 else ()
            then = rest, *copied, replace(commit, seconds=beside), trips
        return self._trips(1), Held(None, SHARDS, 1, held, is_brief=True, copies=self._free_shards), *then

    @property
    def _free_shards(self) -> int:
        """The shards that are left for first notes."""
        return math.ceil(self.spec.buckets * self.spec.shards / INDEX_NOTES)

    def _held_back(self, size: float) -> tuple[Stage, ...]:
        """Return how long the body of an object waits that is sent behind the head of its answer."""
        waits = not self.spec.tcp_nodelay and 0 < size < self._segment
        return (Wait("delayed acknowledgement", DELAYED_ACK),) if waits else ()

    def _served(
        self, operations: float, stages: tuple[Stage, ...], size: float = 0.0, *, is_noted: bool = False
    ) -> Operation:
        """Return a request for which a gateway asks OSDs for so many operations, and which an index may have noted."""
        spec = self.spec
        own = spec.put_request_cpu if is_noted else spec.request_cpu
        slots, asked = spec.max_concurrent_requests * spec.daemons, self._asked(operations, own)
        return Operation((self._trips(1), Held("gateway", REQUESTS, slots, (asked, *stages))), size)
