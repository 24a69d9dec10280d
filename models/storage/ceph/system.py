"""Ceph's object store: S3 requests through gateways (RGW) to a RADOS pool.

A gateway is a server with `daemons` radosgw, each of which serves at most `max_concurrent_requests` at a time; others
wait. Gateways may be servers of their own or those of the OSDs. Of their threads those limit that exchange bytes with
OSDs; of the others a request that waits holds none.

Source: ceph/ceph, src/common/options/rgw.yaml.in. CPU costs are assumptions from those of their parts: beside busy
cores TCP 0.33 ns/B each way (docs/storage.md, Core-seconds) and copies, MD5 1.5 ns/B for the ETag of a PUT, AES-GCM
0.25 ns/B.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import ClassVar, Literal, Self

from models.advice import Advice
from models.quantity import Quantity, group, quantity, setting
from models.storage.ceph.bounded import IN_FLIGHT, REQUESTS, SHARDS
from models.storage.ceph.pool import RadosPool
from models.storage.contract import Interface
from models.storage.tls import ServesTls
from models.units import format

NEW_SHARDS, MOST_SHARDS = 11, 1999
"""Shards of a new bucket's index, and the most to which gateways divide it by themselves.

Source: ceph/ceph, src/common/options/rgw.yaml.in, rgw_override_bucket_index_max_shards, rgw_max_dynamic_shards.
"""
OBJECTS_A_SHARD = 100_000
"""Objects of a shard above which a gateway divides an index again, into twice as many shards as that takes: as many as
it has at least. Source: as above, rgw_max_objs_per_shard; src/rgw/rgw_reshard.cc, calculate_preferred_shards."""


class Ceph(ServesTls, RadosPool):
    """The object store of Ceph."""

    interface: ClassVar[Interface] = "objects"
    system: Literal["ceph"] = setting("Storage system.")
    gateways: str = group("Server group of the gateways; that of the OSDs where they run beside them.")
    daemons: int = setting("Gateway daemons (radosgw) of a server.", default=1, ge=1)
    max_concurrent_requests: int = setting(
        "Requests of a daemon at a time (rgw_max_concurrent_requests).", default=1024, ge=1
    )
    inflight_op_bytes: Quantity = quantity(
        "B",
        "Bytes that a daemon may have asked of OSDs at a time (objecter_inflight_op_bytes). A GET of a whole object "
        "counts as rgw_max_chunk_size (4 MiB) at least, whatever the object holds.",
        default="100 MiB",
        gt=0,
        source="published: ceph/ceph, src/common/options/global.yaml.in; Objecter::calc_op_budget; radosgw raises the "
        "number of operations alone (rgw_main.cc)",
    )
    messenger_threads: int = setting(
        "Threads of a daemon that send and receive what it exchanges with OSDs (ms_async_op_threads); what they spend "
        "is part of get_cpu and put_cpu.",
        default=3,
        ge=1,
        source="published: ceph/ceph, src/common/options/global.yaml.in",
    )
    index_shards: int | None = setting(
        "Shards of the index of a bucket (bucket_index_max_shards); each takes one note at a time. Default: 11 of a "
        "new bucket, or one for each 100,000 objects that it holds (rgw_max_objs_per_shard), 1,999 at most.",
        default=None,
        ge=1,
    )
    shared_index_locks: bool = setting(
        "Whether a shard of an index takes a note while replicas commit the one before: since 16.2.15, 17.2.8, 18.2.4 "
        "and 19 (osd: don't require RWEXCL lock for stat+write ops); before, none until all have.",
        default=True,
    )
    note_held: Quantity = quantity(
        "1",
        "Part of osd_write_cpu for which a note holds its shard then: what threads take that execute and commit it.",
        default=0.74,
        ge=0,
        le=1,
        source="prior: measured with Ceph 16.2, OSDs with tcmalloc, PUTs of 4 KiB, core-seconds of tp_osd_tp and "
        "bstore_kv_sync over those of all threads: 0.73 to 0.75, four rounds",
        between=(0.73, 0.75),
    )
    buckets: int = setting("Buckets to which requests write, each with an index of its own.", default=1, ge=1)
    tcp_nodelay: bool = setting(
        "Whether gateways send small packets at once (tcp_nodelay of rgw_frontends). As they ship, the body of an "
        "object that fits into one packet waits for the client's delayed acknowledgement of the head, 40 ms.",
        default=False,
    )
    request_cpu: Quantity = quantity(
        "s",
        "Reference core-seconds of a gateway per request, beside client_op_cpu for each operation of an OSD.",
        default="710 us",
        ge=0,
        source="prior: measured with Ceph 16.2, radosgw on one server of two busy cores, GETs of 4 KiB: 9.5 times what "
        "OSDs spent there on a plain read (8.6 to 10.7, six rounds), so 770 us with its operation where that is 81; by "
        "the clock of that server 1.2 ms",
        between=("350 us", "1.14 ms"),
    )
    put_request_cpu: Quantity = quantity(
        "s",
        "The same of a PUT, and of what else is noted in an index: a DELETE, a COPY, the begin and end of an upload.",
        default="990 us",
        ge=0,
        source="prior: measured as above beside GETs, with tcmalloc, PUTs of 4 KiB: 1.51 times what a GET takes of "
        "radosgw, its operation with it (1.34 to 1.68, six rounds), less three operations of client_op_cpu",
        between=("370 us", "1.84 ms"),
    )
    get_cpu: Quantity = quantity(
        "s/B",
        "Reference core-seconds of a gateway per byte of a GET.",
        default="1 ns/B",
        ge=0,
        source="prior: in, out and a copy, 0.75 alone and 1.3 times as much beside busy cores",
        between=("0.65 ns/B", "2 ns/B"),
    )
    put_cpu: Quantity = quantity(
        "s/B",
        "The same of a PUT.",
        default="2.5 ns/B",
        ge=0,
        source="prior: the same and MD5; 2.3 more where clients sign the payload (SHA-256)",
        between=("2 ns/B", "3.5 ns/B"),
    )
    list_cpu: Quantity = quantity(
        "s",
        "Reference core-seconds of an OSD per shard of a page of a listing.",
        default="1 ms",
        ge=0,
        source="assumed: 1,000 entries",
        between=("0.5 ms", "3 ms"),
    )

    @property
    def shards(self) -> int:
        """Shards of the index of a bucket, of a new one where nothing else is known."""
        return self.index_shards or NEW_SHARDS

    def behind(self, what: str) -> Iterator[Advice]:
        """Yield the setting that bounds what its gateways have under way, or what an index notes at a time."""
        most = format(self.inflight_op_bytes, "B")
        told = {
            REQUESTS: (
                "max_concurrent_requests",
                f"a gateway daemon takes {self.max_concurrent_requests:,} requests at a time; raise it, or run more",
            ),
            IN_FLIGHT: (
                "inflight_op_bytes",
                f"a gateway daemon has at most {most} asked of OSDs at a time; raise it, or run more",
            ),
            SHARDS: ("index_shards", "each shard of a bucket's index takes one note at a time; state more of them"),
        }
        yield from super().behind(what)
        for name, (key, text) in told.items():
            if what.startswith(name):
                source = "Ceph documentation, configuration of gateways and of the object store"
                yield Advice("few-at-a-time", "hint", f"storage.{key}", text, source)

    def holding(self, objects: float) -> Self:
        """Return the store with the shards to which its gateways have divided the indexes of so many objects."""
        if self.index_shards is not None:
            return self
        shards = math.ceil(objects / self.buckets / OBJECTS_A_SHARD)
        return self.model_copy(update={"index_shards": min(max(shards, NEW_SHARDS), MOST_SHARDS)})
