"""A RADOS pool: objects in n replicas or k + m shards on OSDs that differ, by default of hosts, or racks, that do.

An OSD is a drive, or a part of one. CRUSH gives each object some of them (`models.storage.ceph.placed`); the first of
these, the primary, serves clients and sends what it gets to the others. Allocation is in units of `min_alloc_size` a
piece.

The fullest OSD decides what fits: writes stop when it is filled to `full_ratio`, and the balancer leaves it up to five
groups more than the mean; without it as many as the most of so many draws has (Blom, Statistical Estimates, 1958).

Source: Ceph documentation, architecture, erasure-code, bluestore-config-ref; ceph/ceph, src/common/options. What an
operation costs an OSD others measured of clusters under load. How long its threads take, one after the other, is that
of a classic OSD on an idle server, in core-seconds of the reference core, whose others are busy: by the pace of a lone
core, and 1.3 times (docs/storage.md, Core-seconds).
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from statistics import NormalDist

from models.advice import Advice
from models.hardware.cluster import Cluster
from models.quantity import Quantity, quantity, setting
from models.storage.ceph.bounded import MESSENGERS, READERS
from models.storage.ceph.deferred_writes import DeferredWrites
from models.storage.ceph.placed import PlacedPool
from models.storage.ceph.recovery import Recovery
from models.storage.ceph.wakeups import Wakeups
from models.storage.room import Room, on_distinct_servers, with_places

FLASH_THREADS, DRIVE_THREADS = 16, 5
"""Threads of an OSD that execute operations, on flash and on a hard drive. Source: as `osd_op_threads`."""
DEVIATION = 5
"""Groups by which the balancer lets an OSD be away from its share. Source: upmap_max_deviation, on since Octopus."""


class RadosPool(PlacedPool):
    """A pool and the OSDs that hold it."""

    window: Quantity = quantity(
        "B", "Bytes of a request under way (rgw_get_obj_window_size, rgw_put_obj_min_window_size).", default="16 MiB"
    )
    min_alloc_size: Quantity = quantity(
        "B",
        "Unit of space of an OSD (bluestore_min_alloc_size); 64 KiB on hard drives before Pacific.",
        default="4 KiB",
        gt=0,
    )
    stripe_unit: Quantity = quantity(
        "B", "Bytes of a stripe on a shard (osd_pool_erasure_code_stripe_unit).", default="4 KiB", gt=0
    )
    partial_reads: bool = setting(
        "Whether a read of a coded object asks only the shards that hold its bytes (osd_ec_partial_reads, since "
        "Tentacle); before, all k.",
        default=False,
    )
    deferred_size: Quantity = quantity(
        "B",
        "Pieces below it go to the journal of a hard drive first (bluestore_prefer_deferred_size_hdd).",
        default="64 KiB",
        ge=0,
    )
    deferred_writes: DeferredWrites = setting("Throttles and batches of those.", default=DeferredWrites())
    full_ratio: Quantity = quantity(
        "1", "Part of the fullest OSD at which writes stop (mon_osd_full_ratio).", default=0.95, gt=0, le=1
    )
    osd_read_cpu: Quantity = quantity(
        "s",
        "Reference core-seconds of an OSD for an operation that reads and comes alone on its connection.",
        default="140 us",
        ge=0,
        source="prior: clusters under load, 4 KiB: 67 to 104 us (60 OSDs beside EPYC 7742, Pacific to Reef: Ceph blog, "
        "OSD CPU scaling, 2022; RBD performance, OSDs per NVMe, Encryption, 2023: 2 to 4 under way on a connection), "
        "78 to 104 (24 OSDs limited to 2, 4 or 6 threads, Reef: neil1taylor/storage-perf-tests, 2026: 14), 249 (48 "
        "OSDs, 15.2: Vitastor documentation, 2020: not told, assumed 0.3 to 16); the median, 81, with all wakeups",
        between=("105 us", "430 us"),
    )
    shard_read: Quantity = quantity(
        "1",
        "Operations that read, as whose the read of each shard of a coded object counts, its answer to the primary "
        "with it.",
        default=1.57,
        ge=0,
        source="prior: measured with Ceph 16.2 on one server of two cores, codes 2 + 1 to 4 + 1 beside one replica, 4 "
        "KiB, core-seconds of all OSDs: what a further shard adds, median of nine rounds",
        between=(1.0, 1.84),
    )
    gathered_read: Quantity = quantity(
        "1",
        "The same of its primary, which asks for shards and puts together what they answer.",
        default=1.76,
        ge=0,
        source="prior: as above, what is left without shards",
        between=(1.17, 2.7),
    )
    osd_write_cpu: Quantity = quantity(
        "s",
        "Reference core-seconds of an OSD for an operation that writes and comes alone, of each OSD that does so.",
        default="281 us",
        ge=0,
        source="prior: as above, 190 to 228, 218 to 292, and 656 us a write of 4 KiB and replica; of the median, 229, "
        "two in three came from primaries, with one beside them",
        between=("260 us", "890 us"),
    )
    wakeups: Wakeups = setting("Parts of both that operations share which come together.", default=Wakeups())
    osd_read_time: Quantity = quantity(
        "s",
        "Reference core-seconds from one read of an OSD until it can do the next: what its threads do one by one.",
        default="10 us",
        ge=0,
        source="prior: 130,000 to 137,000 reads a second of one OSD with 56 threads to itself (Ceph blog, Classic vs. "
        "Crimson OSD, 2025), so 10 us beside busy cores",
        between=("7 us", "20 us"),
    )
    osd_write_time: Quantity = quantity(
        "s",
        "The same of writes.",
        default="13 us",
        ge=0,
        source="prior: as above, 104,000 writes a second; older releases take longer",
        between=("9 us", "27 us"),
    )
    osd_op_threads: int | None = setting(
        "Threads of an OSD that execute operations (osd_op_num_shards times osd_op_num_threads_per_shard). One that "
        "reads waits for the drive: an OSD has as many reads there at a time. Default: 16 on flash, 5 on a hard drive.",
        default=None,
        ge=1,
        source="published: ceph/ceph, src/common/options/osd.yaml.in: 8 x 2 on flash, 5 x 1 and since Squid 1 x 5 on "
        "hard drives; src/os/bluestore, BlueStore.cc, _do_read (aio_wait)",
    )
    osd_cpu: Quantity = quantity(
        "s/B",
        "Reference core-seconds of an OSD per byte of a piece.",
        default="0.95 ns/B",
        ge=0,
        source="prior: as above, 0.55 of reads and 0.9 of writes of 64 KiB beyond those of 4 KiB, so 0.74 and 1.2 "
        "beside busy cores, and measured as below 0.79, and 0.94 to 1.1; 1.35 and 2.07 where OSDs have two threads "
        "(Ceph blog, OSDs per NVMe, 2023, 4 MB); documentation: 200 to 500 MB/s a core, before replication",
        between=("0.55 ns/B", "2.1 ns/B"),
    )
    osd_send_cpu: Quantity = quantity(
        "s/B",
        "Reference core-seconds of a primary per byte that it sends on to a replica.",
        default="0.31 ns/B",
        ge=0,
        source="prior: measured with Ceph 16.2, three OSDs with tcmalloc on one server of two busy cores, writes "
        "of 4 MiB: what a primary takes beyond a replica, by the pace of MD5 there and 1.3 times beside busy cores; "
        "0.21, 0.31 and 0.37 in three rounds",
        between=("0.2 ns/B", "0.51 ns/B"),
    )
    split_cpu: Quantity = quantity(
        "s/B",
        "Reference core-seconds of a primary per byte of a coded object that it takes and cuts into shards, beside "
        "encode_cpu and what it sends on.",
        default="1.67 ns/B",
        ge=0,
        source="prior: measured as above with a code 2 + 1, stripes of 8 KiB: what the primary takes beyond its own "
        "shard (osd_cpu), encode_cpu and osd_send_cpu; 1.64, 1.67 and 1.85 in three rounds",
        between=("1.5 ns/B", "2.6 ns/B"),
    )
    join_cpu: Quantity = quantity(
        "s/B",
        "The same of one that puts a coded object together and sends it.",
        default="1.36 ns/B",
        ge=0,
        source="prior: measured as above, reads of 4 MiB: 1.31, 1.36 and 1.43 beyond its own shard",
        between=("1.2 ns/B", "2 ns/B"),
    )
    osd_messenger_threads: int = setting(
        "Threads of an OSD that send and receive all its bytes (ms_async_op_threads); what they spend is part of "
        "osd_cpu and osd_send_cpu.",
        default=3,
        ge=1,
        source="published: ceph/ceph, src/common/options/global.yaml.in",
    )
    messenger_cpu: Quantity = quantity(
        "s/B",
        "Reference core-seconds of such a thread, of an OSD or a gateway, per byte in or out: they limit what passes.",
        default="0.42 ns/B",
        gt=0,
        source="prior: TCP 0.33 beside busy cores, CRC32C of the bytes 0.09; measured as above 0.44 of those received "
        "and 0.32 of those sent",
        between=("0.3 ns/B", "0.65 ns/B"),
    )
    messenger_read: Quantity = quantity(
        "1",
        "Part of osd_read_cpu that such threads take of an OSD, one for each of its connections.",
        default=0.42,
        ge=0,
        le=1,
        source="prior: measured with Ceph 16.2, OSDs with tcmalloc, 4 KiB by one and three processes with 16 under way "
        "each, core-seconds of msgr-worker over those of all threads: median of six rounds",
        between=(0.38, 0.45),
    )
    messenger_write: Quantity = quantity(
        "1",
        "The same of osd_write_cpu.",
        default=0.14,
        ge=0,
        le=1,
        source="prior: as above",
        between=(0.13, 0.17),
    )
    client_op_cpu: Quantity = quantity(
        "s",
        "Reference core-seconds of a client of RADOS (librbd, gateway) per operation of an OSD.",
        default="58 us",
        ge=0,
        source="prior: librbd with fio alone, 50 us a read and 60 us a write of 4 KiB, 45 without fio (ceph/ceph, "
        "pull request 28044, 2019), so 58 us beside busy cores; the kernel's client about half",
        between=("25 us", "80 us"),
    )
    encode_cpu: Quantity = quantity(
        "s/B",
        "Reference core-seconds of a primary per byte it codes.",
        default="0.35 ns/B",
        ge=0,
        source="prior: ISA-L 0.15, shards 0.2",
        between=("0.1 ns/B", "0.7 ns/B"),
    )
    overwrite_writes: float = setting(
        "Operations that write, as whose the write of each shard counts where a part of a stripe is overwritten; the "
        "stripe is read before.",
        default=1.47,
        ge=0,
        source="prior: measured as shard_read, a code 2 + 1 beside three replicas, overwrites of 4 KiB through librbd: "
        "1.93 times the core-seconds of all OSDs, less the reads, which count already; 1.43, 1.47 and 1.77 in three "
        "rounds",
        between=(1.14, 2.2),
    )
    noted_size: Quantity = quantity(
        "B",
        "Bytes that an OSD writes to its database for an operation that writes: journal, and compactions later.",
        default="8 KiB",
        ge=0,
        source="prior: an onode, a log entry and attributes of 1 to 3 KiB, journalled in blocks of 4 KiB and "
        "compacted; Lee et al., MSST 2017: 13 bytes a byte in three replicas, data and its journal within",
        between=("4 KiB", "16 KiB"),
    )
    commit_time: Quantity | None = quantity(
        "s",
        "Until an OSD has noted a write in its database. Default, an assumption: two flushes, 0.1 ms on flash, 20 ms "
        "on a hard drive.",
        default=None,
        ge=0,
    )
    recovery: Recovery = setting("Throttles of recovery and backfill.", default=Recovery())

    def reads_at_once(self, *, spins: bool) -> int:
        """Return the reads that an OSD has at its drive at a time, which `spins` or does not."""
        return self.osd_op_threads or (DRIVE_THREADS if spins else FLASH_THREADS)

    def behind(self, what: str) -> Iterator[Advice]:
        """Yield the setting that bounds how many messages its OSDs pass, or how many reads they have, at a time."""
        if what.startswith(READERS):
            text = "each thread of an OSD waits for the read that it executes; raise them, or OSDs of a drive"
            source = "Ceph documentation, OSD configuration (osd_op_num_threads_per_shard)"
            yield Advice("few-at-a-time", "hint", "storage.osd_op_threads", text, source)
        if what.startswith(MESSENGERS):
            text = f"an OSD has {self.osd_messenger_threads:,} threads for its messages; raise them, or OSDs of a drive"
            source = "Ceph documentation, messenger configuration (ms_async_op_threads)"
            yield Advice("few-at-a-time", "hint", "storage.osd_messenger_threads", text, source)

    @property
    def rebuilds_into_free_space(self) -> bool:
        """Whether lost pieces are rebuilt on the servers that are left: placement groups move to other OSDs."""
        return True

    def usable(self, cluster: Cluster, rooms: Sequence[Room]) -> float:
        """Return bytes of data that fit into rooms before the fullest OSD is full."""
        code, batches = self.code, self.batches(cluster)
        full = [Room(b.servers, b.capacity / b.servers * self.full_ratio, i) for i, b in enumerate(batches)]
        places = [self.osds_of(b) if self.failure_domain == "osd" else 1 for b in batches]
        fits = min(on_distinct_servers(with_places(given, places), code.pieces, code.data) for given in (rooms, full))
        mean, osds = self.pieces_an_osd(cluster), self.osds(cluster)
        over = DEVIATION if self.balancer else _most_of(osds) * math.sqrt(mean)
        return fits / (1 + over / mean)

    def object_bytes(self, cluster: Cluster, size: float) -> float:
        """Return raw bytes of an object of `size` bytes: its pieces, padded to stripes and to units of space."""
        whole, rest = divmod(size, self.object_size)
        return self.code.pieces * (whole * self.allocated(self.object_size) + self.allocated(rest))

    def allocated(self, size: float) -> float:
        """Return the bytes that a piece of a RADOS object of `size` bytes takes."""
        data = self.code.data
        piece = size if data == 1 else math.ceil(size / data / self.stripe_unit) * self.stripe_unit
        return math.ceil(piece / self.min_alloc_size) * self.min_alloc_size


def _most_of(draws: int) -> float:
    """Return by how many standard deviations the most of so many draws exceeds their mean (Blom)."""
    return NormalDist().inv_cdf((draws - 0.375) / (draws + 0.25))
