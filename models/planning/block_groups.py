"""Which drives lose data together: the groups that may hold a block, and how the pieces of one object lie.

Pieces lie on drives of servers that differ, by the rule of their placement for racks. Where they may share a server, or
a drive, they lie on any places for them, of which each drive, and each server, has some.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import TYPE_CHECKING

from models.hardware.bays import bay_batches
from models.hardware.cluster import Cluster
from models.storage.contract import Home
from models.storage.domains import Racks, Scattered
from models.storage.redundancy import spare
from models.values import value

if TYPE_CHECKING:
    from models.scenario import Scenario


@value()
class Groups:
    """The groups of `size` drives of which the loss takes a block with it, and the blocks that lie on them.

    A block has `pieces` pieces on drives of servers that differ; it is lost with any `size` of them. `permitted` is the
    part of all groups of so many drives that the placement may choose. Where pieces may share a server (`are_shared`),
    drives are places for pieces, of which a drive may have several.
    """

    drives: int
    pieces: int
    size: int
    permitted: float
    blocks: float
    are_shared: bool = False

    @property
    def possible(self) -> float:
        """The number of groups that the placement may choose."""
        return self.permitted * math.comb(self.drives, self.size)

    @property
    def held(self) -> float:
        """The groups that blocks lie on, those counted again that several share."""
        return self.blocks * math.comb(self.pieces, self.size)

    @property
    def used(self) -> float:
        """The expected number of groups that hold a block."""
        return self.possible * -math.expm1(-self.held / self.possible)

    def loss(self, down: Sequence[int], more: int) -> float:
        """Return the chance that a block is lost when `more` drives of a server fail while others are down.

        `down` are the drives that each failed component took with it; where these stand is a matter of luck.
        """
        if self.are_shared:
            hit = math.comb(sum(down) + more, self.size) - math.comb(sum(down), self.size)
            return -math.expm1(-self.held / self.possible * hit)
        held = (
            -math.expm1(-self.held / self.possible * more * math.prod(others))
            for others in combinations(down, self.size - 1)
        )
        return -math.expm1(math.fsum(math.log1p(-min(self.permitted * chance, 1 - 1e-15)) for chance in held))

    def critical(self, down: Sequence[int]) -> float:
        """Return the expected number of blocks of which no further piece may be lost."""
        pairs = math.comb(sum(down), self.size - 1)
        if not self.are_shared:
            pairs = sum(math.prod(others) for others in combinations(down, self.size - 1))
        return self.blocks * math.comb(self.pieces, self.size - 1) * pairs / math.comb(self.drives, self.size - 1)


def block_groups(scenario: Scenario, placement: Scattered) -> Groups:
    """Return the groups of drives that may hold a block of a store that is filled as the scenario's failures say."""
    home, failures, redundancy = scenario.storage.home, scenario.failures, placement.redundancy
    assert home is not None  # it has a placement
    assert failures is not None  # the callers have asked
    servers, racks = by_drives(scenario.cluster, home), scenario.cluster.network.racks
    drives, size = sum(held * many for held, many in servers.items()), spare(redundancy) + 1
    stored = scenario.storage.raw_capacity(scenario.cluster) * failures.full * redundancy.data / redundancy.pieces
    blocks = max(stored / placement.unit, 1.0) if placement.groups is None else placement.groups
    if placement.on_server > 1:
        return Groups(drives * placement.on_drive, redundancy.pieces, size, 1.0, blocks, are_shared=True)
    return Groups(
        drives, redundancy.pieces, size, _permitted(servers.total(), racks, drives, size, placement.racks), blocks
    )


def by_drives(cluster: Cluster, home: Home) -> Counter[int]:
    """Return how many of the servers that hold the bytes have so many drives for them."""
    counted: Counter[int] = Counter()
    for batch in bay_batches(cluster, *home):
        counted[batch.bay.count] += batch.servers
    return counted


def lying(placement: Scattered, servers: int, drives: int) -> Iterator[tuple[float, Counter[int], Counter[int]]]:
    """Yield how the pieces of one object may lie: a chance, how many drives have so many of them, and how many servers.

    Assumption: how they share drives and how they share servers know nothing of each other, as drives seldom do.
    """
    pieces = placement.redundancy.pieces
    if placement.on_server == 1:
        yield 1.0, Counter({1: pieces}), Counter({1: pieces})
        return
    for on_drives, of_drives in _shares(pieces, drives, placement.on_drive):
        for on_servers, of_servers in _shares(pieces, servers, drives * placement.on_drive / servers):
            yield of_drives * of_servers, on_drives, on_servers


def _shares(pieces: int, holders: int, places: float) -> list[tuple[Counter[int], float]]:
    """Return how pieces on any of the `places` that each holder has lie: how many have so many, and the chance."""

    def ways(left: int, most: int, free: int) -> Iterator[tuple[Counter[int], float]]:
        if left == 0:
            yield Counter(), 1.0
        elif most:
            chosen = math.prod(max(places - taken, 0.0) / (taken + 1) for taken in range(most))
            for many in range(min(left // most, free) + 1):
                for rest, way in ways(left - many * most, most - 1, free - many):
                    yield rest + Counter({most: many}), way * math.comb(free, many) * chosen**many

    lyings = [(held, way) for held, way in ways(pieces, pieces, holders) if way]
    total = math.fsum(way for _, way in lyings)
    return [(held, way / total) for held, way in lyings]


def _permitted(servers: int, racks: int, drives: int, size: int, rule: Racks) -> float:
    """Return the part of all groups of some drives that a placement may choose: on servers and racks by its rule.

    As HDFS has it ("two"), the second replica lies in another rack than the first and the third in that of the second;
    of further ones, and of groups of blocks that are spread evenly, only the servers count. Source: Apache HDFS
    Architecture, "Replica Placement".
    """
    held = [len(range(rack, servers, racks)) for rack in range(min(racks, servers))]
    allowed = math.comb(servers, size)
    if rule == "distinct":
        allowed = _of_each(held, size)
    if rule == "two" and len(held) > 1 and size == 2:
        allowed -= sum(math.comb(count, 2) for count in held)
    if rule == "two" and len(held) > 1 and size == 3:
        allowed = sum(math.comb(count, 2) * (servers - count) for count in held)
    return allowed * (drives / servers) ** size / math.comb(drives, size)


def _of_each(sizes: Sequence[int], chosen: int) -> int:
    """Return in how many ways so many servers can be chosen of racks of some sizes, no two of one rack."""
    ways = [1] + [0] * chosen
    for size in sizes:
        for number in range(chosen, 0, -1):
            ways[number] += ways[number - 1] * size
    return ways[chosen]
