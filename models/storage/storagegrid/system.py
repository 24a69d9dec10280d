"""NetApp StorageGRID: storage nodes behind gateways that balance the load, and an index of its own for metadata.

What it does for a request is described in `storagegrid_operations`.

Not covered: the second copy in the background, information lifecycle rules, several sites. A range that spans several
fragments of an erasure-coded object reads them side by side.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from types import MappingProxyType
from typing import ClassVar, Literal

from pydantic import model_validator

from models.hardware.cluster import BayBatch, Cluster, bay_batches, bay_capacity, check_bay
from models.problem import refusal
from models.quantity import Quantity, quantity, setting
from models.storage.contract import Interface, StorageModel
from models.storage.room import Room, in_blocks, on_distinct_servers


class StorageGrid(StorageModel):
    """An object store of storage nodes and gateways."""

    usual = MappingProxyType({"planning": "storagegrid-usual"})
    interface: ClassVar[Interface] = "objects"
    system: Literal["storagegrid"] = setting("Storage system.")
    servers: str = setting("Server group of the storage nodes.")
    gateways: str = setting("Server group of the gateways.")
    bay: str = setting("Drives that hold the objects.", default="data")
    protection: Literal["copies", "erasure-coding"] = setting("How objects are protected.", default="copies")
    copies: int = setting("Copies of an object.", default=2, ge=1)
    data_fragments: int = setting("Fragments that hold the bytes of an erasure-coded object.", default=2, ge=1)
    parity_fragments: int = setting("Fragments that hold its parity.", default=1, ge=1)
    fragment_stripe: Quantity = quantity("B", "Bytes that lie together in one fragment.", default="1 MiB", gt=0)
    workers: int = setting("Requests that a storage node serves at once.", default=256, ge=1)
    index_threads: int = setting("Requests that the index of a storage node serves at once.", default=32, ge=1)
    gateway_cpu: Quantity = quantity("s", "Reference core-seconds of a gateway per request.", default="0.2 ms", ge=0)
    lookup_cpu: Quantity = quantity("s", "Reference core-seconds of the index to look an object up.", ge=0)
    list_cpu: Quantity = quantity("s", "Reference core-seconds of the index per page of a listing.", ge=0)
    index_spread: float = setting(
        "Standard deviation of the logarithm of the times of the index.", default=0.5, ge=0, le=2
    )
    cached_reads: float = setting("Part of the GETs that the SSD read cache serves.", default=0.0, ge=0, le=1)
    cache_bay: str | None = setting("Drives of the SSD read cache.", default=None)
    compression: bool = setting(
        "Whether objects are stored compressed: a range is then read from the start of its object.", default=False
    )
    compression_cpu: Quantity = quantity(
        "s/B",
        "Reference core-seconds per byte to compress what is written through S3A, or decompress what is read.",
        default="5 ns/B",
        ge=0,
    )
    array_parity: int = setting(
        "Drives of a node that its array survives: 2 of a dynamic disk pool; 0 where drives are not protected.",
        default=2,
        ge=0,
    )
    array_rebuild: Quantity = quantity(
        "s", "Until the array has made safe what a full drive held, on its other drives.", default="24 h", gt=0
    )
    rebuilt_objects: int = setting("Objects that are restored to a recovered node at a time.", default=8, ge=1)
    pending_expiry: Quantity = quantity(
        "s", "Age at which the store removes uploads that were never completed.", default="15 d", gt=0
    )

    @model_validator(mode="after")
    def _cache_has_drives(self) -> StorageGrid:
        if self.cached_reads > 0 and self.cache_bay is None:
            raise refusal("storage.cached_reads", "name the drives of the cache in storage.cache_bay")
        return self

    def server_groups(self) -> dict[str, str]:
        """Return the server groups that the system names, by key."""
        return {"storage.servers": self.servers, "storage.gateways": self.gateways}

    def fits(self, cluster: Cluster) -> None:
        """Refuse a cluster without the bays, or with fewer nodes than copies or fragments.

        Raises:
            RefusalError: with the number of nodes or the name of the bay.
        """
        check_bay(cluster, self.servers, self.bay)
        if self.cache_bay is not None:
            check_bay(cluster, self.servers, self.cache_bay)
        needed, _ = self.pieces()
        if needed > (count := cluster.groups[self.servers].count):
            raise refusal("storage.protection", f"{needed} storage nodes are needed, storage.servers has {count}")

    @property
    def uploads_expire(self) -> float:
        """Age (s) at which the system removes uploads that were never completed."""
        return self.pending_expiry

    def shares(self, group: str, place: str) -> bool:
        """Tell whether the system keeps its bytes on the drives at `place` of a server group."""
        return group == self.servers and place == self.bay

    def raw_capacity(self, cluster: Cluster) -> float:
        """Return bytes of all its drives but the cache."""
        return bay_capacity(cluster, self.servers, self.bay)

    def raw_per_byte(self, cluster: Cluster, replicas: int | None = None) -> float:
        """Return raw bytes that a stored byte takes."""
        pieces, data = self.pieces()
        return pieces / data

    def batches(self, cluster: Cluster) -> list[BayBatch]:
        """Return its drives, by kind of storage node."""
        return bay_batches(cluster, self.servers, self.bay)

    def usable(self, cluster: Cluster, rooms: Sequence[Room]) -> float:
        """Return bytes of data that fit into rooms: copies or fragments lie on storage nodes that differ."""
        return on_distinct_servers(rooms, *self.pieces())

    @property
    def rebuilds_into_free_space(self) -> bool:
        """Whether lost pieces are rebuilt on the nodes that are left: no, on the node that is recovered.

        Source: NetApp, StorageGRID documentation, "Recover appliance Storage Node": object data is restored to it.
        """
        return False

    def object_bytes(self, cluster: Cluster, size: float) -> float:
        """Return raw bytes of an object of `size` bytes: copies or fragments, each in blocks of the drive."""
        pieces, data = self.pieces()
        return pieces * in_blocks(math.ceil(size / data))

    def pieces(self) -> tuple[int, int]:
        """Return the pieces of an object, and how many of them hold its bytes once."""
        if self.protection == "copies":
            return self.copies, 1
        return self.data_fragments + self.parity_fragments, self.data_fragments
