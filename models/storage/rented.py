"""A storage system that is rented: without drives that one would see, without limit, and billed for what is used."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import ClassVar

from models.hardware.bays import BayBatch
from models.hardware.cluster import Cluster
from models.quantity import setting
from models.storage.contract import StorageModel
from models.storage.room import Room


class RentedStorage(StorageModel):
    """A store as a service: redundancy, room and repairs are the provider's."""

    has_images: ClassVar[bool] = True
    is_rented: ClassVar[bool] = True
    outside: bool = setting(
        "Whether what reads it stands outside its region: bytes read are then paid at `over_line` of the price list."
        " Times are those within the region, whatever this says.",
        default=False,
    )

    @property
    def is_outside(self) -> bool:
        """Whether what reads it stands outside its region."""
        return self.outside

    def fits(self, cluster: Cluster) -> None:
        """Accept every cluster: the store needs nothing of it."""

    def is_alike(self, cluster: Cluster, part: Cluster) -> bool:
        """Tell that it does: the store is none of the cluster's."""
        return True

    def raw_capacity(self, cluster: Cluster) -> float:
        """Return bytes that the store holds: without limit."""
        return math.inf

    def raw_per_byte(self, cluster: Cluster, replicas: int | None = None) -> float:
        """Return bytes that are billed for a stored byte: one."""
        return 1.0

    def batches(self, cluster: Cluster) -> list[BayBatch]:
        """Return its drives: none that one would see."""
        return []

    def usable(self, cluster: Cluster, rooms: Sequence[Room]) -> float:
        """Return bytes of data that fit: without limit."""
        return math.inf

    def served(self, requests: Mapping[str, float]) -> float:
        """Return how many times so many requests a second, by their verbs, it serves: any number."""
        return math.inf

    def object_bytes(self, cluster: Cluster, size: float) -> float:
        """Return bytes of an object of `size` bytes: as many, as it is billed."""
        return size
