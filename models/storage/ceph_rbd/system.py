"""Ceph's block devices (librbd): files lie on images, images in objects of a RADOS pool that clients ask themselves.

There is no gateway: a client computes where an object lies and speaks to its primary, which the pool describes
(`models.storage.ceph.pool`). What a file system on the image adds is left out, as are its journal, discards, snapshots
and caches.

Source: Ceph documentation, Block Device.
"""

from __future__ import annotations

from typing import ClassVar, Literal

from models.quantity import Quantity, quantity, setting
from models.storage.ceph.pool import RadosPool
from models.storage.contract import Interface


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
