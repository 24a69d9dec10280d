"""Ceph's block devices (librbd): files lie on images, images in objects of a RADOS pool that clients ask themselves.

There is no gateway: a client computes where an object lies and speaks to its primary, which the pool describes
(`models.storage.ceph.pool`). What a file system on the image adds is left out, as are its journal, discards, snapshots
and caches.

Source: Ceph documentation, Block Device.
"""

from __future__ import annotations

from typing import ClassVar, Literal

from models.hardware.cluster import Cluster
from models.quantity import Quantity, quantity, setting
from models.storage.ceph.pool import RadosPool
from models.storage.contract import Interface

SERVERS_A_PIECE = 2
"""Servers for each piece of an object on which clients fare as on all. Measured: writes of a code of eight pieces were
up to 4 % faster on nine servers than on 63, and as fast as on these on 21 of them."""


class CephRbd(RadosPool):
    """Block devices of Ceph with files on them."""

    interface: ClassVar[Interface] = "files"
    system: Literal["ceph-rbd"] = setting("Storage system.")
    client_cpu: Quantity = quantity(
        "s/B",
        "Reference core-seconds of a client per byte.",
        default="0.65 ns/B",
        ge=0,
        source="prior: TCP 0.25, checksums 0.1, copies 0.15 alone, 1.3 times as much beside busy cores",
        between=("0.4 ns/B", "1.3 ns/B"),
    )
    client_processes: int | None = setting(
        "Processes of each client that open images through librbd (jobs of fio, virtual machines): what one does one "
        "after the other, and has asked of OSDs, is bounded. Default: nothing is.",
        default=None,
        ge=1,
    )
    inflight_op_bytes: Quantity = quantity(
        "B",
        "Bytes that a process may have asked of OSDs at a time (objecter_inflight_op_bytes).",
        default="100 MiB",
        gt=0,
        source="published: ceph/ceph, src/common/options/global.yaml.in; 25 operations of 4 MiB of a queue of 64 were "
        "under way when looked at with fio and Ceph 16.2",
    )
    inflight_ops: int = setting(
        "Operations that a process may have asked of OSDs at a time (objecter_inflight_ops).",
        default=1024,
        ge=1,
        source="published: ceph/ceph, src/common/options/global.yaml.in",
    )
    client_read_time: Quantity = quantity(
        "s",
        "Reference core-seconds from one read of a process to its next: what its threads do one by one.",
        default="5.6 us",
        ge=0,
        source="prior: measured with fio and librbd 16.2 on one server of two busy cores, a queue of 128, 4 KiB: half "
        "of what both threads of librados (librados_thread_count) take, more than the thread of the job and than each "
        "messenger, by the pace of MD5 there and 1.3 times beside busy cores; 5.5, 5.6 and 5.7 in three rounds. What "
        "threads lose to each other's locks comes on top, and is not known",
        between=("5 us", "7.8 us"),
    )
    client_write_time: Quantity = quantity(
        "s",
        "The same of writes.",
        default="10.6 us",
        ge=0,
        source="prior: as above, 10.5, 10.6 and 11.4",
        between=("9.7 us", "16 us"),
    )

    def serves_alike(self, cluster: Cluster, part: Cluster) -> bool:
        """Tell whether the pieces of a block still find other servers free; all that a request passes has a server."""
        return SERVERS_A_PIECE * self.code.pieces <= part.groups[self.servers].count
