"""Requests of which a client sends so many that they reach all places of a store: each takes what they take on average.

Where objects share places, as in placement groups, a job of terabytes meets each place many times. Drawn one by one,
each of its requests goes as fast as the busiest of its drives, and others idle; in fact all have their queues, so that
no drive idles before the busiest of all places is done. On average a request takes of each drive what all places take
there: the drive with most of them still limits all.

What a request takes once is spread over its bytes, but for its waits: a lone one lasts as long as one that is drawn.
Who stands before the store is drawn for each as ever, and gives it a slot.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from functools import cached_property
from typing import Protocol

from models.columns import Columns
from models.hardware.cluster import Node
from models.storage import described_crowds
from models.storage.anywhere import anywhere
from models.storage.described import Placement
from models.storage.described_crowds import Crowds
from models.storage.flow import Flow, second_of
from models.storage.operation import Operation
from models.storage.site import Site
from models.work import demand

MANY = 4
"""Requests under way for each drive from which they go evenly. Assumption, by the loop of requests: PUTs of 1.7, 2.5
and 4 a drive, of 144 hard drives, are 7, 3 and 0 % slower there than evenly, and 17, 15 and 13 % faster than where each
is drawn; of 32 drives 4 a drive are 5 % slower and 6 % faster."""


class Client(Site, Protocol):
    """Who plays the roles for a request of a client."""

    @property
    def client(self) -> Node:
        """Its server."""
        ...


class Store(described_crowds.Store, Protocol):
    """A described object store, as its even requests ask it."""

    placement: Placement
    nodes: list[Node]


class Evenly:
    """What requests of very many tasks take of all places, once as many objects were asked for as there are places."""

    def __init__(self, store: Store, crowds: Crowds) -> None:
        self._store, self._crowds = store, crowds
        self._objects = dict[Hashable, float]()  # asked for so far
        self._means = dict[Hashable, tuple[Columns, float, float]]()  # of each client, and what of a second is no wait
        self._flows = dict[Hashable, Flow]()  # of each client, by who stands before the store

    def flow(self, cast: Client, describe: Callable[..., Operation], *of: Hashable) -> Flow | None:
        """Return the flow of a request, None where it is drawn whom it reaches."""
        store, numbers = self._store, self._store.placement.numbers
        if not store.layout.evens_out or store.outage.may_fail or numbers is None:
            return None
        operation, kind = store.described.of(describe, *of), describe.__name__
        objects = self._objects[kind] = self._objects.get(kind, 0.0) + operation.size / store.what.object_size
        if objects <= len(numbers) or self._tasks_a_drive(cast.client) < MANY:
            return None
        front = [cast.node(*place).index for place in operation.fluid(store.layout, is_missing=False).holders]
        asked = kind, of, cast.client.index
        key = *asked, *front
        if key not in self._flows:
            self._flows[key] = self._flow(cast, operation, asked)
        return self._flows[key]

    def _tasks_a_drive(self, client: Node) -> float:
        """Return the tasks of a job that clients run at a time, each of which may have a request, for each drive."""
        layout = self._store.layout
        tasks = max((tasks for _, tasks in layout.held.values()), default=0) * len(layout.groups[client.group])
        return tasks / self._drives

    @cached_property
    def _drives(self) -> int:
        return sum(len(node.bays[self._store.what.home[1]]) for node in self._store.nodes)

    def _flow(self, cast: Client, operation: Operation, asked: Hashable) -> Flow:
        """Return the flow of requests that are alike: beside nobody one lasts as long as one that is drawn."""
        lone = operation.flow(cast)
        _, seconds, held = operation.fluid(self._store.layout, is_missing=False).over_bytes(cast)
        if asked not in self._means:
            crowds, names = self._crowds.asked(cast.client, operation), len(self._store.names())
            uses, rate = anywhere(crowds, names, operation.size, self._store.layout.resources)
            self._means[asked] = uses, rate, second_of(demand(uses, max_rate=rate)) - 1 / rate
        uses, rate, slower = self._means[asked]
        waits = max(seconds - operation.size * slower, 0.0)
        return Flow(uses, rate, lone.cap, waits, held=tuple(held), spread=lone.spread)
