"""What is bought beside the servers over time: network and spare parts of the start, and what more servers ask for."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date
from itertools import pairwise

from models.failures import Failures
from models.hardware.cluster import Cluster
from models.planning.growth import Growth, later_clusters
from models.planning.lots import owned
from models.planning.materials import Material, beside_servers
from models.planning.prices import Prices
from models.values import value


@value()
class Beside:
    """What comes on a day, `after` so many years: what it costs in the list, the watts it draws, and its height.

    What `is_owned` came with servers that are there already.
    """

    day: date | None
    after: float
    capital: float
    power: float
    rack_units: float
    is_owned: bool = False


def beside(
    cluster: Cluster, failures: Failures | None, prices: Prices, growth: Growth | None, growing: str
) -> tuple[list[Beside], list[str]]:
    """Return what is bought beside the servers, that of the start first, and what of it has no price.

    On a later day, and at the start beside what is owned, it is what the larger cluster has more: nothing is given
    back.
    """
    there = owned(cluster)
    stages: list[tuple[date | None, Cluster]] = [(None, one) for one in (there, cluster) if one is not None]
    if growth is not None:
        stages += later_clusters(cluster, growth, growing)
    parts = [beside_servers(standing, failures, prices) for _, standing in stages]
    unpriced = [f"{part.kind} of {part.name}" for one in parts for part in one if part.price is None]
    sums = [_summed(one) for one in parts]
    first = Beside(None, 0.0, *sums[0], is_owned=there is not None)
    return [first, *_more(stages, sums, growth)], unpriced


def _more(
    stages: Sequence[tuple[date | None, Cluster]], sums: Sequence[tuple[float, float, float]], growth: Growth | None
) -> Iterator[Beside]:
    for (day, _), (before, now) in zip(stages[1:], pairwise(sums), strict=True):
        after = growth.years_until(day) if day is not None and growth is not None else 0.0
        capital, power, rack_units = (max(new - old, 0.0) for old, new in zip(before, now, strict=True))
        yield Beside(day, after, capital, power, rack_units)


def _summed(parts: Sequence[Material]) -> tuple[float, float, float]:
    """Return what parts cost, draw (W) and how high they are."""
    return (
        sum(part.total for part in parts),
        sum(part.count * part.power for part in parts),
        sum(part.count * part.rack_units for part in parts),
    )
