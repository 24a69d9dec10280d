"""Servers that have just come and hold nothing yet, and how data moves onto them from the others.

Until that has ended a rebalance competes with the workload for drives, cards and uplinks, and what was stored before is
read from the servers that were there.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Protocol

from models.hardware.cluster import Batch, Cluster, Layout, Node
from models.quantity import Model, Quantity, quantity, setting
from models.values import value
from models.work import Resource, Step

THROTTLE = "rebalance"
"""Kind of the resources that carry what a rebalance may move at most."""


MOST_STEPS = 10_000
"""Steps of a way at most; each then stands for several. Assumption: they go on at the same pace."""


class Rebalance(Model):
    """What comes to a cluster whose data then moves."""

    servers: int = setting("Servers that have just come: the last ones of the group that holds the data.", ge=1)
    stored: Quantity | None = quantity(
        "B", "Data stored when they come, counted once; default: what the workload keeps.", default=None, ge=0
    )


@value()
class Intake:
    """How a server takes its `bytes` in, by several `ways` of so many equal `steps` one after the other.

    After each step a way stands still for `pause` s. All bytes pass one of some `throttles`, each byte once.
    """

    bytes: float
    ways: Sequence[Iterator[Step]]
    steps: int
    throttles: Sequence[Resource]
    pause: float = 0.0


def holding(layout: Layout, group: str) -> list[Node]:
    """Return the servers of a group that hold data: all but the last ones, as many as have just come."""
    nodes = layout.groups[group]
    return nodes[: len(nodes) - layout.fresh.get(group, 0)]


def serving(layout: Layout, members: Mapping[str, list[int]]) -> dict[str, list[int]]:
    """Return the resources of each group without those of servers that have just come, where others are left."""
    names = tuple(f"{node.name}/" for group, count in layout.fresh.items() for node in layout.groups[group][-count:])
    fresh = {resource.index for resource in layout.resources if names and resource.name.startswith(names)}
    return {group: [row for row in rows if row not in fresh] or rows for group, rows in members.items()}


def before(cluster: Cluster, group: str, servers: int) -> Cluster:
    """Return a cluster without so many servers of a group, the last ones."""
    kept, left = list[Batch](), cluster.groups[group].count - servers
    for batch in cluster.groups[group].batches():
        if left > 0:
            kept.append(Batch.model_construct(server=batch.server, count=min(batch.count, left)))
            left -= batch.count
    count = sum(batch.count for batch in kept)
    rest = cluster.groups[group].model_copy(update={"server": kept[0].server, "count": count, "later": tuple(kept[1:])})
    return cluster.model_copy(update={"groups": {**cluster.groups, group: rest}})


class Rebalances(Protocol):
    """What the simulator asks of a store onto whose new servers data moves."""

    def intakes(self, held: float, moved: float) -> list[Intake]:
        """Return how each server that has just come takes in its part of `moved` raw bytes, of those that are held."""
        ...


def shared(nodes: Sequence[Node], bay: str, moved: float) -> Iterator[tuple[Node, float]]:
    """Yield each server with its part of the bytes that move, by the size of its drives in a bay."""
    sizes = [node.server.bays[bay].count * node.server.bays[bay].drive.capacity for node in nodes]
    for node, size in zip(nodes, sizes, strict=True):
        yield node, moved * size / sum(sizes)
