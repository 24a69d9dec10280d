"""NetApp StorageGRID: storage nodes behind gateways that balance the load, and an index of its own for metadata.

What it does for a request is described in `models.storage.storagegrid.operations`.

Not covered: the second copy in the background, information lifecycle rules, several sites. A range that spans several
fragments of an erasure-coded object reads them side by side.
"""

from __future__ import annotations

from collections.abc import Iterator
from types import MappingProxyType
from typing import Any, ClassVar, Literal

from pydantic import model_validator

from models.advice import Advice
from models.hardware.cluster import Cluster
from models.hardware.places import check_bay
from models.problem import refusal
from models.quantity import Quantity, group, quantity, setting
from models.storage.contract import Interface
from models.storage.domains import Arrays
from models.storage.owned import OwnedStorage
from models.storage.protection import Protection
from models.storage.redundancy import ErasureCode, Redundancy, Replicas, spare
from models.storage.tls import ServesTls

WORKERS, INDEX = "request workers", "metadata index"
"""What a storage node has a bounded number of, by the names that runs have for it."""
INTERIM_COPIES = 2
"""Copies of an object whose fragments find too few nodes. Source: NetApp, StorageGRID documentation, "Ingest options":
dual commit and balanced."""


class StorageGrid(ServesTls, OwnedStorage):
    """An object store of storage nodes and gateways."""

    usual = MappingProxyType({"planning": "storagegrid-usual"})
    interface: ClassVar[Interface] = "objects"
    protected_by: ClassVar[str] = "storage.protection"
    system: Literal["storagegrid"] = setting("Storage system.")
    servers: str = group("Server group of the storage nodes.")
    gateways: str = group("Server group of the gateways.")
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

    @classmethod
    def protected(cls, protection: Protection) -> dict[str, Any]:
        """Return the keys that choose a protection, None for those that must not be stated.

        Raises:
            RefusalError: the system has no such protection.
        """
        if protection.is_copies:
            return {"protection": "copies", "copies": protection.copies}
        data, parity = protection.code()
        return {"protection": "erasure-coding", "data_fragments": data, "parity_fragments": parity}

    def fits(self, cluster: Cluster) -> None:
        """Refuse a cluster without the bays, or with fewer nodes than copies or fragments.

        Raises:
            RefusalError: with the number of nodes or the name of the bay.
        """
        check_bay(cluster, self.servers, self.bay)
        if self.cache_bay is not None:
            check_bay(cluster, self.servers, self.cache_bay)
        needed = self.code.pieces
        if needed > (count := cluster.groups[self.servers].count):
            raise refusal("storage.protection", f"{needed} storage nodes are needed, storage.servers has {count}")

    def behind(self, what: str) -> Iterator[Advice]:
        """Yield the setting that bounds the requests that a storage node serves, or its index."""
        told = {WORKERS: ("workers", self.workers), INDEX: ("index_threads", self.index_threads)}
        if what in told:
            key, many = told[what]
            text = f"the {what} of a storage node: {many} requests at a time; raise it, or add storage nodes"
            yield Advice("few-at-a-time", "hint", f"storage.{key}", text, "by arithmetic")

    @property
    def uploads_expire(self) -> float:
        """Age (s) at which the system removes uploads that were never completed."""
        return self.pending_expiry

    @property
    def code(self) -> Redundancy:
        """How objects are protected: by copies or by a code."""
        if self.protection == "copies":
            return Replicas(self.copies)
        return ErasureCode(self.data_fragments, self.parity_fragments)

    def redundancy(self, cluster: Cluster) -> Redundancy:
        """Return how its bytes outlive the loss of storage nodes."""
        return self.code

    @property
    def drive_rebuild(self) -> float:
        """Seconds in which a node's own array makes a full drive safe again."""
        return self.array_rebuild

    def placement(self, cluster: Cluster) -> Arrays:
        """Return its failure domains: nodes, each with an array that survives the loss of some of its drives.

        With two nodes of a site down requests that ask several copies of the metadata fail, so that one may be for
        writes. Source: NetApp, StorageGRID documentation, S3 REST API, "Consistency". An ingest that cannot place all
        pieces as the rule asks makes interim copies and goes on (ingest behaviour "balanced").
        """
        nodes = cluster.groups[self.servers].count
        writing = min(spare(self.code), 1, max(nodes - INTERIM_COPIES, 0))
        return Arrays(self.code, self.array_parity, writing)

    def advice(self, cluster: Cluster) -> Iterator[Advice]:
        """Yield what is allowed but unwise: compression, as a range is then read from the start of its object."""
        if self.compression:
            text = "on: a range is then read from the start of its object, and engines read ranges; switch it off"
            source = "NetApp, StorageGRID technical reports, April 2024: do not enable StorageGRID compression"
            yield Advice("store-side-compression", "warning", "storage.compression", text, source)
