"""What executors keep on local drives: exchanges between stages, and spills; both go through the page cache.

A task writes what it hands on to a local device of its node. A task behind the exchange fetches an equal part from
every node over the network; what the page caches do not hold any more comes from the devices. What one task has for
another lies together, a segment, and no more is read at a time: many tasks on both sides make drives seek for little.

Source: Apache Spark, IndexShuffleBlockResolver.getBlockData (a part of a file for each block); as in mapreduce_shuffle.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence as Series
from dataclasses import replace

from models.hardware.cluster import Device, Layout, Node
from models.hardware.page_cache import PAGE, PageCache
from models.outage import Outage
from models.storage.flow import Flow
from models.work import Step, Use, Work, demand

PRECEDENCE = 100.0
"""Weight of a query's files over those of the query before: they are deleted with it, and what the page cache has not
written of them yet is not written at all. Assumption: so large that they do not count any more."""
LEAST_WEIGHT = 1e-300
"""Least weight of a file. Assumption: near the least number that a float can hold."""


class Exchange:
    """The local files of executors on `nodes`, which hold `held` bytes (B) of the memory of each, at `place`.

    `queries` are named in the order in which they run: with each those of the one before are deleted.
    """

    def __init__(
        self, layout: Layout, nodes: Series[Node], place: str, held: float, queries: Series[str], outage: Outage
    ) -> None:
        self._layout, self._nodes, self._place, self._held = layout, nodes, place, held
        self._outage, self._name = outage, layout.job()
        self._later = {query: len(queries) - number for number, query in enumerate(queries)}
        self._flows: dict[int, tuple[Hashable, Flow]] = {}  # the last one of each node: large clusters have large ones
        self._given: tuple[Hashable, list[Use]] = None, []  # what the last ones use of drives
        self._moves: dict[tuple[int, int], Iterable[Use]] = {}
        self._pages: dict[tuple[int, str], PageCache] = {}
        self._drives: dict[tuple[int, int], Series[Device]] = {}
        self._counts: dict[tuple[int, int], int] = {}

    def write(self, query: str, node: Node, task: int, amount: float) -> Step:
        """Return the step in which a task of a query writes `amount` bytes through the page cache."""
        return self._page(query, node).write(self.device(node, task), amount)

    def read_back(self, node: Node, task: int, amount: float, through: float) -> list[Step]:
        """Return the steps in which a task reads back what it wrote, `through` bytes having gone by on its node.

        What the page cache still holds takes no time.
        """
        missing = self._missing(node, through)
        return [Work(amount * missing, self.device(node, task).read_demand("buffered"))] if missing > 0 else []

    def fetch(self, node: Node, amount: float, segment: float) -> Flow:
        """Return the flow of what a task on `node` fetches, an equal part from every node with `amount` bytes each.

        `segment` bytes (B) of it lie together: what one task has for another.
        """
        missing, together = self._missing(node, amount), max(segment, PAGE)
        key = missing, together, self._outage.epoch
        known, flow = self._flows.get(node.index, (None, None))
        if flow is None or known != key:
            sources = [source for source in self._nodes if source.index not in self._outage.nodes] or [node]
            flow = Flow((*self._moved(sources, node), *self._read(sources, missing, together)), cap="one fetch")
            self._flows[node.index] = key, flow
        return flow

    def _moved(self, sources: Series[Node], node: Node) -> Iterable[Use]:
        """Return what a byte uses of the network, an equal part from each source, made once for what is up."""
        key = node.index, self._outage.epoch
        if key not in self._moves:
            moves = [use for source in sources for use in self._layout.transfer(source, node, 1 / len(sources))]
            self._moves[key] = demand(moves).uses if moves else ()
        return self._moves[key]

    def _read(self, sources: Series[Node], missing: float, together: float) -> list[Use]:
        """Return what reading the part of a byte that page caches miss uses of all drives, the same for each reader."""
        key = self._outage.epoch, tuple(source.index for source in sources), missing, together
        if self._given[0] != key:
            uses: list[Use] = []
            for source in sources if missing > 0 else ():
                devices = self._devices(source)
                part = 1 / len(sources) * missing / max(len(devices), 1)
                uses += [use for d in devices for use in d.read("buffered", part, segment=together)]
            self._given = key, uses
        return self._given[1]

    def output(self, task: int, index: int) -> int:
        """Return the index of the resource that holds what a task on node `index` leaves."""
        return self.device(self._layout.nodes[index], task).resource.index

    def device(self, node: Node, task: int) -> Device:
        """Return the device to which a task on a node writes."""
        return self._devices(node)[self.turn(node.index, task)]

    def turn(self, index: int, task: int) -> int:
        """Return which of the devices of node `index` a task writes to: they take turns."""
        key = (index, self._outage.epoch)
        count = self._counts.get(key)
        if count is None:
            count = self._counts[key] = len(self._devices(self._layout.nodes[index]))
        return task // len(self._nodes) % count

    def _devices(self, node: Node) -> Series[Device]:
        key = (node.index, self._outage.epoch)
        if key not in self._drives:
            self._drives[key] = self._outage.up(node, node.devices(self._place))
        return self._drives[key]

    def _page(self, query: str, node: Node) -> PageCache:
        """Return the page cache of a node for a query: files of the query before are deleted, and their pages free.

        What drains comes after those who read.
        """
        key = (node.index, query)
        if key not in self._pages:
            cache = node.page_cache(self._held)
            precedence = max(PRECEDENCE ** -self._later[query], LEAST_WEIGHT)
            self._pages[key] = replace(cache, name=f"{self._name}/{cache.name}/{query}", precedence=precedence)
        return self._pages[key]

    def _missing(self, node: Node, amount: float) -> float:
        """Return the part of `amount` bytes written on a node that its page cache does not hold any more."""
        return 1 - node.page_cache(self._held).kept(amount)
