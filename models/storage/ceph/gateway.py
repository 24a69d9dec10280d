"""What the object gateway of Ceph (RGW) does for a request, beside what RADOS does.

RGW is one more hop: it holds each request in one of its slots, spends CPU a request and a byte (GET and PUT apart, TLS
besides), and notes a PUT in the index of the bucket, which is kept in shards on OSDs, before it writes, and
once more when that is done. A COPY shares the bytes of its origin and only notes it. What a daemon has asked of OSDs is
bounded by `inflight_op_bytes`: to send a further operation, one for each object of a request, it waits for answers. The
head of an object is read with its attributes in one operation, which counts as a chunk of 4 MiB, however small the
object is. All bytes between a daemon and OSDs pass its `messenger_threads`, which copy them from and to sockets and
compute their checksums.

A note reads and writes the shard of an index in one operation, for which an OSD locks it until all replicas have
committed: a shard takes one note at a time, two for each PUT.

The body of an answer is sent behind its head. Where it fills no packet, Nagle's algorithm keeps it back until the head
is acknowledged, which a client does after 40 ms; a larger one has a full packet that makes it answer at once.

Assumptions: the index has as many replicas as the pool has pieces, three at most, and both notes are taken before the
write, side by side. Nobody waits for the second, so half the shards are busy with those and half are left for the
first; each kind of request has all bytes in flight, and all shards, for itself. Not covered: garbage collection,
the time of resharding, the bytes in flight of jobs and their notes.

Source: Ceph documentation, radosgw; ceph/ceph, src/common/options/rgw.yaml.in, src/rgw/driver/rados/rgw_rados.cc
(prepare, write, complete; the chunk of a head), src/cls/rgw/cls_rgw.cc (notes read and write), src/osd/PrimaryLogPG.cc
(get_rw_locks), src/osdc/Objecter.cc (_throttle_op, calc_op_budget), src/msg/async/Stack.cc (workers); doc/radosgw,
frontends (tcp_nodelay); Linux, net/ipv4/tcp_output.c (tcp_nagle_check) and tcp_input.c (__tcp_ack_snd_check).
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace

from models.hardware.cluster import Layout
from models.hardware.server import PACKET_HEADERS
from models.storage.ceph.operations import RadosOperations
from models.storage.ceph.system import Ceph
from models.storage.described import Anyone, ByteRange
from models.storage.operation import Operation
from models.storage.stages import Compute, FirstByte, Held, Lanes, Move, Process, Stage, Stream, Wait
from models.units import format

SLOTS, IN_FLIGHT, SHARDS = "RGW requests", "bytes asked of OSDs", "shards of bucket indexes"
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

    def __init__(self, spec: Ceph, layout: Layout) -> None:
        super().__init__(spec, layout, gate="gateway")
        self.roles["gateway"] = Anyone(spec.gateways)
        server = layout.groups[spec.gateways][0].server
        self._segment = server.nic.mtu - PACKET_HEADERS
        core = server.cpu.speed / spec.messenger_cpu
        carried = spec.daemons * spec.messenger_threads * core
        self._messenger = Process("gateway", "messenger", carried)
        for node in layout.groups[spec.gateways]:
            layout.process(node, "messenger", carried)  # before the run, which knows no resource that comes later

    def get(self, part: ByteRange) -> Operation:
        """Return a GET."""
        spec = self.spec
        cost = spec.get_cpu + spec.encryption_cpu + self._passed(part.size)
        out = Compute("gateway", per_byte=cost), *self._held_back(part.size), FirstByte(), Move("gateway", "client")
        return self._served(self._sent(part.size), self._answered(part, out), part.size)

    def put(self, size: float, missing: int = 0) -> Operation:
        """Return a PUT: noted in the index, then written."""
        spec = self.spec
        cost = spec.put_cpu + spec.encryption_cpu + self._passed(size)
        received = Move("client", "gateway"), Compute("gateway", per_byte=cost)
        (noted, go, ended), turn = self._go(size, missing), self._turn(size)
        go = self._messenger, *go
        if size > turn:
            written = noted, Stream((*received, *self._asked_of_osds(size, go)), turn), *ended
        else:
            written = Stream(received, turn), *self._asked_of_osds(size, (noted, Stream(go, turn), *ended))
        return self._served(INDEX_NOTES + self._sent(size), (*self._indexed(), *written), size)

    def head(self, *, exists: bool = True) -> Operation:
        """Return a HEAD."""
        return self._served(1, self._found(0.0))

    def list_page(self) -> Operation:
        """Return a page of a listing: all shards of the index are asked, and merged."""
        spec = self.spec
        return self._served(spec.shards, (Lanes((Compute("index", spec.list_cpu),), spec.shards),))

    def delete(self) -> Operation:
        """Return a DELETE: noted in the index, and the head of the object removed; its bytes go later."""
        return self._served(INDEX_NOTES + 1, (*self._indexed(), *self._noted("target", self.pieces[0])))

    def note(self, parts: int = 0) -> Operation:
        """Return what begins or completes a multipart upload: a small object and its note in the index."""
        return self.delete()

    def copy(self) -> Operation:
        """Return a COPY: the copy shares the bytes, and is noted."""
        return self.delete()

    def _answered(self, part: ByteRange, out: tuple[Stage, ...]) -> tuple[Stage, ...]:
        """Return how a GET finds its objects, and how their bytes come from OSDs and go on through `out`."""
        size, turn = part.size, self._turn(part.size)
        lookup, come = self._found(size), (*self._come(size), self._messenger)
        if size > turn:
            return *lookup, Stream((*self._asked_of_osds(size, come), *out), turn)
        reads_head = max(part.object_size, size) <= max(size, CHUNK)
        asked = self._asked_of_osds(max(size, CHUNK) if reads_head else size, (*lookup, Stream(come, turn)))
        return *asked, Stream(out, turn)

    def _asked_of_osds(self, counted: float, stages: tuple[Stage, ...]) -> tuple[Stage, ...]:
        """Return what OSDs do for a request that counts as so many bytes (B); each of its objects is asked for alone.

        What an object counts as is free again when its own OSDs have answered, whatever the others do. Parts of an
        upload that are sent at a time have objects of their own.
        """
        objects = self.objects(counted)
        if objects == 1:
            return self._in_flight(counted, stages)
        own = self._in_flight(min(counted / objects, self.spec.object_size), tuple(of_an_object(stages, objects)))
        return (Lanes(own, objects, 1 / objects, counts_on=True),)

    def _in_flight(self, counted: float, stages: tuple[Stage, ...]) -> tuple[Stage, ...]:
        """Return what OSDs do for a request that counts as so many bytes (B), as many at a time as a daemon may ask."""
        spec = self.spec
        slots = max(int(spec.daemons * spec.inflight_op_bytes / max(counted, 1.0)), spec.daemons)
        if slots >= spec.daemons * spec.max_concurrent_requests:
            return stages
        return (Held("gateway", f"{IN_FLIGHT}, {format(counted, 'B')} each", slots, stages, is_brief=True),)

    def _indexed(self) -> tuple[Stage, ...]:
        """Return both notes of a request in the index: a shard takes no other from when its primary has them."""
        replicas = min(INDEX_REPLICAS, self.pieces[0])
        lanes, commit, _ = self._noted("index", INDEX_NOTES * replicas)
        notes = lanes, commit, self._trips(min(replicas - 1, 1))
        shards = math.ceil(self.spec.buckets * self.spec.shards / INDEX_NOTES)
        return self._trips(1), Held(None, SHARDS, 1, notes, is_brief=True, copies=shards)

    def _held_back(self, size: float) -> tuple[Stage, ...]:
        """Return how long the body of an object waits that is sent behind the head of its answer."""
        waits = not self.spec.tcp_nodelay and 0 < size < self._segment
        return (Wait("delayed acknowledgement", DELAYED_ACK),) if waits else ()

    def _served(self, operations: float, stages: tuple[Stage, ...], size: float = 0.0) -> Operation:
        spec = self.spec
        slots, asked = spec.max_concurrent_requests * spec.daemons, self._asked(operations, spec.request_cpu)
        return Operation((self._trips(1), Held("gateway", SLOTS, slots, (asked, *stages))), size)


def of_an_object(stages: tuple[Stage, ...], objects: int) -> Iterator[Stage]:
    """Yield what stages do for one of so many objects, which they have side by side in lanes of their own."""
    for stage in stages:
        match stage:
            case Stream(inside):
                yield from of_an_object(inside, objects)
            case Lanes(inside, count) if count == objects:
                yield from inside
            case Lanes(_, count, share):
                yield replace(stage, count=count // objects, share=min(share * objects, 1.0), counts_on=True)
            case _:
                yield stage
