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
from itertools import combinations, count

import numpy as np

from models.failures import Failures
from models.hardware.cluster import Layout, Node
from models.planning.block_groups import block_groups
from models.planning.durability import RepairTime, check_rates, known_placement, node_mttf, unreadable_chance
from models.scenario import Scenario
from models.storage.domains import Arrays, Scattered, Sets
from models.storage.placement import mix
from models.streams import Streams
from models.units import YEAR

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
    failures, rng = check_rates(scenario), Streams(seed).generator("losses")
    home, placement = known_placement(scenario, "durability")
    match placement:
        case Sets():
            return _of_sets(placement, failures, repair, _Paths(paths, rng))
        case Scattered():
            nodes = Layout(scenario.cluster).groups[home[0]]
            places = [(node.index, drive.resource.index) for node in nodes for drive in node.bays[home[1]]]
            servers = {node.index: node for node in nodes}
            blocks = _Blocks(scenario, placement, {drive: servers[index] for index, drive in places}, seed)
            danger = Danger(blocks.is_lost, blocks.unreadable)
            return estimate(_components(places, failures, repair), danger, paths=paths, rng=rng)
        case Arrays():
            mttf, _ = node_mttf(scenario, home, placement.parity, repair.drive)
            count = scenario.cluster.groups[home[0]].count
            nodes_lost = [Component(frozenset({i}), mttf, repair.server, "server") for i in range(count)]
            danger = Danger(lambda down, _: len(down) > placement.spare)
            return estimate(nodes_lost, danger, paths=paths, rng=rng)


@dataclass(frozen=True, slots=True)
class _Paths:
    """How many paths to walk, and the chances."""

    count: int
    rng: np.random.Generator


def _of_sets(sets: Sets, failures: Failures, repair: RepairTime, paths: _Paths) -> Estimate:
    """Return the mean time to the first loss in any set, as that of the first kind says for all."""
    kind = sets.kinds[0]
    drives = [(server, drive) for drive, server in enumerate(kind.servers)][kind.missing :]
    read = (len(drives) - kind.reading) * kind.capacity * failures.full
    chance, tolerated = unreadable_chance(read, failures), kind.reading
    danger = Danger(lambda down, _: len(down) > tolerated, lambda down: chance if len(down) == tolerated else 0.0)
    one = estimate(_components(drives, failures, repair), danger, paths=paths.count, rng=paths.rng)
    return Estimate(one.mttdl / sets.count, one.low / sets.count, one.high / sets.count, paths.count)


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
        self._ends = np.cumsum([1 / component.mttf for component in self.components])

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


def _components(places: Iterable[tuple[int, int]], failures: Failures, repair: RepairTime) -> list[Component]:
    """Return the drives, given as (server, drive), and the servers that take theirs along, as far as they fail."""
    of_server: dict[int, set[int]] = {}
    for server, drive in places:
        of_server.setdefault(server, set()).add(drive)
    components = [
        Component(frozenset({drive}), YEAR / failures.drive_failures_per_year, repair.drive, "drive")
        for drives in of_server.values()
        for drive in sorted(drives)
    ]
    if failures.server_failures_per_year:
        mttf = YEAR / failures.server_failures_per_year
        components += [Component(frozenset(drives), mttf, repair.server, "server") for drives in of_server.values()]
    return components


class _Blocks:
    """Which groups of drives take a block with them: drawn when asked for, each group always alike."""

    def __init__(self, scenario: Scenario, placement: Scattered, servers: dict[int, Node], seed: int) -> None:
        self._groups = groups = block_groups(scenario, placement)
        self._errors = unreadable_chance(placement.unit, check_rates(scenario))
        self._share, self._rule = groups.used / groups.possible, placement.racks
        self._size, self._servers, self._seed = groups.size, servers, seed
        self._racks = len({node.rack for node in servers.values()})
        self._per_drive, self._asked = placement.on_drive, count()

    def is_lost(self, down: set[int], new: frozenset[int]) -> bool:
        """Tell whether a block has lost a piece too many with the drives that are new among those down."""
        known = sorted(down - new)
        if self._groups.are_shared:
            return self._holds_any(known, sorted(new))
        for drive in sorted(new):
            for others in combinations(known, self._size - 1):
                if self._holds((drive, *others)):
                    return True
        return False

    def unreadable(self, down: set[int]) -> float:
        """Return the chance that one of the blocks that spare no further piece is unreadable."""
        sizes = [held * self._per_drive for held in Counter(self._servers[drive].index for drive in down).values()]
        return -math.expm1(-self._errors * self._groups.critical(sizes))

    def _holds_any(self, known: list[int], new: list[int]) -> bool:
        """Tell whether a block is lost with drives that are new, drawn anew each time, as the chain has it."""
        per = self._per_drive
        chance = self._groups.loss([len(known) * per], len(new) * per)
        return mix(self._seed, next(self._asked)) < chance * 2.0**64

    def _holds(self, drives: tuple[int, ...]) -> bool:
        nodes = [self._servers[drive] for drive in drives]
        if len({node.index for node in nodes}) < len(nodes) or not self._fits_racks([node.rack for node in nodes]):
            return False
        return mix(self._seed, *sorted(drives)) < self._share * 2.0**64

    def _fits_racks(self, racks: list[int]) -> bool:
        """Tell whether the placement may choose servers in these racks, as `models.planning.durability` counts them."""
        if self._rule == "distinct":
            return len(set(racks)) == len(racks)
        if self._rule in ("any", "even") or self._racks == 1 or self._size > 3:
            return True
        return len(set(racks)) == min(self._size, 2)
