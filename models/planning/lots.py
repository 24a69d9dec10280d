"""The servers of a scenario in lots: equal ones that come at the same time, those that are there already apart."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from typing import Protocol

from models.hardware.cluster import Batch, Cluster, Group
from models.hardware.server import Server
from models.planning.growth import Growth, added_servers
from models.planning.prices import GIVEN
from models.values import value


class Grown(Protocol):
    """What lots ask of a scenario."""

    @property
    def cluster(self) -> Cluster:
        """All servers."""
        ...

    @property
    def growth(self) -> Growth | None:
        """How data and cluster grow, None if they do not."""
        ...

    def growing_group(self) -> str:
        """Return the group that grows when an expansion names none."""
        ...


@value()
class Lot:
    """Equal servers that come at the same time, `after` so many years; `name` is that of their group.

    Those that are `is_owned` are there and paid for.
    """

    name: str
    server: Server
    count: int
    day: date | None = None
    after: float = 0.0
    is_owned: bool = False

    @property
    def title(self) -> str:
        """The lot in a bill."""
        there = ", owned" if self.is_owned else ""
        return f"{self.name}: {self.count} × {self.server.model or 'server'}{there}"


def lots(scenario: Grown) -> Iterator[Lot]:
    """Yield the servers that are there, by group and kind, and those that growth adds; not the customer's own."""
    for name, group in scenario.cluster.groups.items():
        if group.server.model != GIVEN:
            yield from of_group(name, group)
    if scenario.growth is not None:
        for added in added_servers(scenario.cluster, scenario.growth, scenario.growing_group()):
            yield Lot(added.group, added.server, added.count, added.day, added.after)


def of_group(name: str, group: Group) -> Iterator[Lot]:
    """Yield the servers of a group by kind; what is owned are those that came first."""
    left = group.owned
    for batch in group.batches():
        owned = min(left, batch.count)
        left -= owned
        if owned:
            yield Lot(name, batch.server, owned, is_owned=True)
        if batch.count > owned:
            yield Lot(name, batch.server, batch.count - owned)


def owned(cluster: Cluster) -> Cluster | None:
    """Return a cluster of the servers that are owned alone, None where none is."""
    groups = dict[str, Group]()
    for name, group in cluster.groups.items():
        if group.server.model == GIVEN:
            groups[name] = group
        elif count := min(group.owned, group.count):
            first, *later = [lot for lot in of_group(name, group) if lot.is_owned]
            batches = tuple(Batch.model_construct(server=lot.server, count=lot.count) for lot in later)
            groups[name] = group.model_copy(update={"server": first.server, "count": count, "later": batches})
    is_any = any(group.owned and group.server.model != GIVEN for group in cluster.groups.values())
    return cluster.model_copy(update={"groups": groups}) if is_any else None
