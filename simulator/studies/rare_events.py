"""Losses of data by simulation: drives and servers fail and are repaired one by one until some data has no way back.

A loss once in a million years is never met by plain simulation. So failures are made as likely as repairs (failure
biasing: Lewis and Böhm 1984; Shahabuddin, Management Science 40, 1994), and each path counts with the ratio of its
true to its simulated likelihood, which leaves the mean unbiased. Every path starts with all up and ends when all are up
again or data is lost; the mean time to loss is the mean length of such a path over the chance that it ends in loss.

It knows each drive and server and where the data lies, where the chains of `models.planning.durability` count them.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from itertools import combinations

import numpy as np

from models.hardware.cluster import Layout, Node
from models.hardware.drive import Drive
from models.planning.durability import (
    KNOWN,
    YEAR,
    RepairTime,
    block_groups,
    check_rates,
    node_mttf,
    unreadable_chance,
)
from models.planning.failures import Failures
from models.problem import refusal
from models.scenario import Scenario
from models.storage.hdfs.system import Hdfs
from models.storage.minio.store import MinioStore
from models.storage.minio.system import Minio
from models.storage.placement import mix
from models.storage.storagegrid.system import StorageGrid
from models.streams import Streams

BIAS = 0.5
"""The chance of a failure before the next repair in the simulation. Source: Shahabuddin 1994: any constant will do."""

Z = 1.959964
"""Standard errors on either side of a mean that hold it with 95 %."""


@dataclass(frozen=True, slots=True)
class Component:
    """Something that fails: the drives that it takes with it, and its mean times to failure and repair (s)."""

    drives: frozenset[int]
    mttf: float
    mttr: float
    kind: str


def _no_error(down: set[int]) -> float:
    return 0.0


@dataclass(frozen=True, slots=True)
class Danger:
    """What loses data: `is_lost(down, new)` judges the drives that are down, of which some are new.

    `unreadable(down)` is the chance that the repair which ends next meets an unreadable sector without a copy.
    """

    is_lost: Callable[[set[int], frozenset[int]], bool]
    unreadable: Callable[[set[int]], float] = _no_error


@dataclass(frozen=True, slots=True)
class Estimate:
    """A mean time to data loss (s) with its 95 % interval, over so many paths."""

    mttdl: float
    low: float
    high: float
    paths: int


def simulate_losses(scenario: Scenario, repair: RepairTime, *, paths: int = 20_000, seed: int = 0) -> Estimate:
    """Return the mean time to the first loss of data in a scenario's storage system.

    Raises:
        RefusalError: the scenario has no failure rates, or its storage system is not covered.
    """
    failures = check_rates(scenario)
    layout, rng = Layout(scenario.cluster), Streams(seed).generator("losses")
    if isinstance(scenario.storage, Minio):
        spec, store = scenario.storage, MinioStore(scenario.storage, layout, 0)
        sets, tolerated = store.sets, store.size - store.data
        first = [(node, device.resource.index) for node, device in sets[0]][spec.failed_drives :]
        parts, spare = _components(first, failures, repair), tolerated - spec.failed_drives
        chance = unreadable_chance(_rebuild_bytes(store) * failures.fill, failures)
        danger = Danger(lambda down, _: len(down) > spare, lambda down: chance if len(down) == spare else 0.0)
        one = estimate(parts, danger, paths=paths, rng=rng)
        return Estimate(one.mttdl / len(sets), one.low / len(sets), one.high / len(sets), paths)
    if isinstance(scenario.storage, Hdfs):
        nodes = layout.groups[scenario.storage.servers]
        places = [(node, d.resource.index) for node in nodes for d in node.bays[scenario.storage.bay]]
        blocks = _Blocks(scenario, {drive: node for node, drive in places}, seed)
        danger = Danger(blocks.is_lost, blocks.unreadable)
        return estimate(_components(places, failures, repair), danger, paths=paths, rng=rng)
    if isinstance(scenario.storage, StorageGrid):
        mttf, _ = node_mttf(scenario, scenario.storage, failures, repair.drive)
        pieces, data = scenario.storage.pieces()
        count = scenario.cluster.groups[scenario.storage.servers].count
        lost = [Component(frozenset({i}), mttf, repair.server, "server") for i in range(count)]
        return estimate(lost, Danger(lambda down, _: len(down) > pieces - data), paths=paths, rng=rng)
    raise refusal("storage.system", f"durability is modelled for {KNOWN} only", found=scenario.storage.system)


def estimate(components: Sequence[Component], danger: Danger, *, paths: int, rng: np.random.Generator) -> Estimate:
    """Return the mean time to loss of components."""
    walk = _Walk(components, danger, rng)
    walked = np.array([walk.path() for _ in range(paths)])
    length, loss = walked.mean(axis=0)
    if loss == 0:
        return Estimate(math.inf, 0.0, math.inf, paths)
    residual = walked[:, 0] / length - walked[:, 1] / loss  # of the ratio of the two means
    error = float(residual.std(ddof=1)) / math.sqrt(paths)
    mean = float(length / loss)
    return Estimate(mean, mean * math.exp(-Z * error), mean * math.exp(Z * error), paths)


@dataclass(slots=True)
class _Walk:
    """Paths from all up to all up again or to loss."""

    components: Sequence[Component]
    danger: Danger
    rng: np.random.Generator
    _ends: np.ndarray[tuple[int], np.dtype[np.float64]] = field(init=False)

    def __post_init__(self) -> None:
        self._ends = np.cumsum([1 / each.mttf for each in self.components])

    def path(self) -> tuple[float, float]:
        """Return the length (s) of one path and its losses, each by its likelihood; an error on reading splits it."""
        down: list[int] = []  # in the order in which they failed
        drives: set[int] = set()
        length, weight, lost = 0.0, 1.0, 0.0
        while True:
            failing = float(self._ends[-1]) - sum(1 / self.components[i].mttf for i in down)
            turns = {self.components[i].kind: i for i in reversed(down)}  # the first of each kind is being repaired
            repairing = sum(1 / self.components[i].mttr for i in turns.values())
            length += weight / (failing + repairing)
            chance = failing / (failing + repairing)
            bias = BIAS if 0 < len(down) < len(self.components) else float(not down)
            if self.rng.random() < bias:
                weight *= chance / bias
                new = self._next(down)
                down.append(new)
                drives = set[int]().union(*(self.components[i].drives for i in down))
                if self.danger.is_lost(drives, self.components[new].drives):
                    return length, lost + weight
            else:
                weight *= (1 - chance) / (1 - bias)
                error = self.danger.unreadable(drives)
                lost, weight = lost + weight * error, weight * (1 - error)
                down.remove(self._repaired(list(turns.values()), repairing))
                drives = set[int]().union(*(self.components[i].drives for i in down))
                if not down:
                    return length, lost

    def _next(self, down: list[int]) -> int:
        """Return which component fails next, one that is up."""
        while True:
            drawn = int(np.searchsorted(self._ends, self.rng.random() * self._ends[-1], side="right"))
            if drawn not in down:
                return drawn

    def _repaired(self, turns: list[int], repairing: float) -> int:
        """Return which of the components under repair is up first."""
        left = self.rng.random() * repairing
        for i in turns[:-1]:
            left -= 1 / self.components[i].mttr
            if left < 0:
                return i
        return turns[-1]


def _components(places: Iterable[tuple[Node, int]], failures: Failures, repair: RepairTime) -> list[Component]:
    """Return the drives, and the servers that take all of theirs along, as far as they fail."""
    of_server: dict[int, set[int]] = {}
    for node, drive in places:
        of_server.setdefault(node.index, set()).add(drive)
    found = [
        Component(frozenset({drive}), YEAR / failures.drive_failures_per_year, repair.drive, "drive")
        for drives in of_server.values()
        for drive in sorted(drives)
    ]
    if failures.server_failures_per_year:
        mttf = YEAR / failures.server_failures_per_year
        found += [Component(frozenset(drives), mttf, repair.server, "server") for drives in of_server.values()]
    return found


def _rebuild_bytes(store: MinioStore) -> float:
    """Return the bytes that the rebuild of a full drive of the first set reads."""
    return store.data * max(device.drive.capacity for _, device in store.sets[0] if isinstance(device.drive, Drive))


class _Blocks:
    """Which groups of drives hold all replicas of a block: drawn when asked for, each group always alike."""

    def __init__(self, scenario: Scenario, servers: dict[int, Node], seed: int) -> None:
        assert isinstance(scenario.storage, Hdfs)  # the caller has asked
        self._groups = groups = block_groups(scenario)
        self._errors = unreadable_chance(scenario.storage.block_size, check_rates(scenario))
        self._share = groups.used / groups.possible
        self._replicas, self._servers, self._seed = groups.replicas, servers, seed
        self._racks = len({node.rack for node in servers.values()})

    def is_lost(self, down: set[int], new: frozenset[int]) -> bool:
        """Tell whether a block has lost its last replica with the drives that are new among those down."""
        known = sorted(down - new)
        for drive in sorted(new):
            for others in combinations(known, self._replicas - 1):
                if self._holds((drive, *others)):
                    return True
        return False

    def unreadable(self, down: set[int]) -> float:
        """Return the chance that one of the blocks whose last replica is read is unreadable."""
        sizes = list(Counter(self._servers[drive].index for drive in down).values())
        return -math.expm1(-self._errors * self._groups.critical(sizes))

    def _holds(self, drives: tuple[int, ...]) -> bool:
        nodes = [self._servers[drive] for drive in drives]
        if len({node.index for node in nodes}) < len(nodes) or not self._fits_racks([node.rack for node in nodes]):
            return False
        return mix(self._seed, *sorted(drives)) < self._share * 2.0**64

    def _fits_racks(self, racks: list[int]) -> bool:
        """Tell whether HDFS may choose servers in these racks: of two or three replicas exactly two share none."""
        if self._racks == 1 or self._replicas > 3:
            return True
        return len(Counter(racks)) == min(self._replicas, 2)
