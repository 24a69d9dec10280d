"""Failure domains: where the pieces of an object may lie, as far as it matters to what fails together.

Three kinds cover all systems that keep bytes on drives of the cluster: fixed `Sets` of drives (erasure sets, RAID
groups), pieces `Scattered` over servers (blocks, placement groups), and pieces on nodes whose drives form `Arrays`.
Durability, survival and the simulation of losses ask for these, and know no storage system.
"""

from __future__ import annotations

from typing import Literal

from models.storage.redundancy import Redundancy, spare
from models.values import value

Racks = Literal["any", "two", "even", "distinct"]
"""Where pieces lie as to racks: anywhere; in two racks if there are two, as HDFS places blocks; in as many as there are
and in each as few as can be, as HDFS places groups of blocks; or each in its own."""


@value()
class SetKind:
    """`count` sets of drives that stand in the same shares on servers.

    `servers` has the place of each drive's server in its group. Of its drives `missing` are offline to begin with;
    `reading` more may be down while its objects can be read, `writing` while they can be written. `capacity` (B) is
    that of its largest drive.
    """

    servers: tuple[int, ...]
    count: int
    reading: int
    writing: int
    capacity: float
    missing: int = 0


@value()
class Sets:
    """Fixed sets of drives, each of which keeps its objects to itself."""

    kinds: tuple[SetKind, ...]

    @property
    def count(self) -> int:
        """The number of sets."""
        return sum(kind.count for kind in self.kinds)


@value()
class Scattered:
    """Pieces on servers that differ, drawn for each `unit` (B) of data, or for each of `groups` placement groups.

    A write needs `least` pieces. It `chooses` servers that are up, or waits for those of its group. Where pieces may
    share a server, it has places for `on_server` of an object, and each drive for `on_drive`, all drawn alike.
    """

    redundancy: Redundancy
    unit: float
    least: int
    racks: Racks = "any"
    groups: float | None = None
    chooses: bool = False
    on_drive: int = 1
    on_server: int = 1


@value()
class Arrays:
    """Pieces on nodes that differ, of which each survives the loss of `parity` drives by itself.

    Writes go on while at most `writing` nodes are down.
    """

    redundancy: Redundancy
    parity: int
    writing: int

    @property
    def spare(self) -> int:
        """Nodes that may be gone while all can be read."""
        return spare(self.redundancy)


Placement = Sets | Scattered | Arrays
