"""Sizing: of many configurations the one with the least cost, servers or power that meets all targets at once.

Nothing is simulated that need not be. A configuration is decided without a run when a closed form misses a target
(space, price, failures survived, the least time that the job can take), when it is no better in any part than one that
missed a target clearly, or when one that meets them all is cheaper. What is left is bisected by the objective.

That more and faster parts never slow a lone job holds for every shipped profile within 1 % (the laws of the tests); a
target counts as clearly missed beyond `MARGIN`. Parts are compared only where all else is equal.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from models.planning.bounds import least_duration
from models.planning.grid import Values
from models.planning.target import Target, unknown
from models.scenario import Scenario
from models.storage.hdfs import Hdfs
from simulator.studies.measures import Measure, by_plain_name, measures, miss, of_scenario
from simulator.studies.points import Answer, PointFailure

MARGIN = 0.05
"""Part by which a target is missed before those with less of everything are given up, too. Assumption: five times what
the order of decisions moves a small cluster."""
BATCH = 4
"""Configurations that are simulated between two decisions, whatever the number of processes: the search is the same on
every machine. Assumption: keeps up to four cores busy."""
MORE_IS_BETTER = ("count", "cores", "threads", "speed", "size", "bandwidth", "flow_bandwidth", "iops", "capacity")
MORE_IS_BETTER_RATES = ("read_bandwidth", "write_bandwidth")
BESIDE = {"profile", "prices", "growth", "planning", "failures"}

Finished = Answer | PointFailure
RunAll = Callable[[Sequence[int]], Sequence[Finished]]
"""Simulates the options of these indices."""


@dataclass(slots=True)
class Option:
    """One configuration: its values, its scenario or None, and what became of it.

    `reason` says in one line why it was rejected or not needed, "" for those that meet every target.
    """

    values: Values
    scenario: Scenario | None
    reason: str = ""
    objective: float = math.inf
    answer: Answer | None = None
    measures: dict[str, Measure] = field(default_factory=dict)
    is_decided: bool = False
    misses: float = 0.0

    @property
    def is_feasible(self) -> bool:
        """Whether it was simulated and meets every target."""
        return self.answer is not None and not self.reason


@dataclass(frozen=True, slots=True)
class Sizing:
    """What a search came to: all options in the order given, the best, the next best, and how many were simulated."""

    options: Sequence[Option]
    best: Option | None
    next_best: Option | None
    simulated: int


@dataclass(frozen=True, slots=True)
class Wish:
    """What is asked for: the targets, and the measure of a scenario to be as small as possible."""

    targets: Sequence[Target]
    objective: str


def size(options: Sequence[Option], wish: Wish, run: RunAll) -> Sizing:
    """Return the option that meets every target with the least of the objective, and the one after it.

    Raises:
        ValueError: a target or the objective names what nothing is measured by, or is in another unit.
    """
    search = _Search(options, wish)
    search.decide_by_closed_forms()
    simulated = 0
    while batch := search.next_batch():
        simulated += len(batch)
        for i, finished in zip(batch, run(batch), strict=True):
            search.take(options[i], finished)
    best, next_best = search.found
    return Sizing(options, best, next_best, simulated)


class _Search:
    """The state of one search."""

    def __init__(self, options: Sequence[Option], wish: Wish) -> None:
        self._options = options
        self._wish = wish
        self._parts: dict[int, tuple[dict[str, float], Any]] = {}
        self._missed: list[Option] = []

    @property
    def found(self) -> tuple[Option | None, Option | None]:
        """The two best that meet every target, as far as known."""
        feasible = sorted((each for each in self._options if each.is_feasible), key=lambda each: each.objective)
        return (feasible[0] if feasible else None), (feasible[1] if len(feasible) > 1 else None)

    def decide_by_closed_forms(self) -> None:
        """Reject what cannot be run, and what misses a target by what is known without a run."""
        for option in self._options:
            if option.scenario is None:
                option.is_decided = True
                continue
            option.measures = of_scenario(option.scenario)
            option.objective = self._objective(option)
            self._judge(option, is_whole=False)
            if not option.is_decided:
                self._judge_by_bound(option, option.scenario)

    def next_batch(self) -> list[int]:
        """Return the options to be simulated next, none when all is decided."""
        self._drop_the_dearer()
        self._drop_the_weaker()
        left = [i for i, option in enumerate(self._options) if not option.is_decided]
        left.sort(key=lambda i: (self._options[i].objective, i))
        if len(left) <= BATCH:
            return left
        places = {round((k + 1) * (len(left) - 1) / (BATCH + 1)) for k in range(BATCH)}
        return [left[place] for place in sorted(places)]

    def take(self, option: Option, finished: Finished) -> None:
        """Take the answer of an option in."""
        if isinstance(finished, PointFailure):
            option.reason, option.is_decided = finished.reason, True
            return
        assert option.scenario is not None  # only those are simulated
        option.answer, option.is_decided = finished, True
        option.measures = measures(option.scenario, finished)
        self._judge(option, is_whole=True)
        if option.reason:
            self._missed.append(option)

    def _objective(self, option: Option) -> float:
        found = option.measures.get(self._wish.objective)
        if found is None:
            known = ", ".join(sorted(option.measures))
            raise ValueError(
                f"minimize: nothing is measured by '{self._wish.objective}' without a run; there are {known}"
            )
        return found.value

    def _judge(self, option: Option, *, is_whole: bool) -> None:
        """Reject an option that misses a target; where the measures are not all there, by those that are."""
        found, reasons = by_plain_name(option.measures), []
        for target in self._wish.targets:
            measure = found.get(target.measure)
            if measure is None:
                if is_whole:
                    raise ValueError(f"target: {unknown(target.measure, found)}")
                continue
            if said := miss(target, measure):
                option.misses = max(option.misses, _missed_by(measure.value, target.value(measure.unit)))
                reasons.append(said)
        if reasons:
            option.reason, option.is_decided = "; ".join(reasons), True

    def _judge_by_bound(self, option: Option, scenario: Scenario) -> None:
        for target in self._wish.targets:
            if target.measure == "duration" and target.sense == "<=":
                bound = least_duration(scenario)
                if bound.seconds > target.value("s"):
                    said = f"duration at least {bound.seconds:.0f} s ({bound.reason}), not <= {target.limit}"
                    option.reason, option.is_decided = said, True

    def _drop_the_dearer(self) -> None:
        """Decide those that cannot come second: two that meet every target have less of the objective."""
        _, second = self.found
        if second is None:
            return
        for option in self._undecided():
            if option.objective > second.objective:
                option.reason = f"not needed: two that meet every target have less ({self._wish.objective})"
                option.is_decided = True

    def _drop_the_weaker(self) -> None:
        """Decide those that have no more of anything than one that missed a target clearly."""
        clear = [option for option in self._missed if option.misses > MARGIN]
        for option in self._undecided():
            stronger = next((each for each in clear if self._is_at_least(each, option)), None)
            if stronger is not None:
                option.reason = f"has no more of anything than {named(stronger)}, which misses: {stronger.reason}"
                option.is_decided = True

    def _undecided(self) -> Iterator[Option]:
        return (option for option in self._options if not option.is_decided)

    def _is_at_least(self, strong: Option, weak: Option) -> bool:
        """Tell whether all parts of one are as good as the other's, and all else is equal."""
        (more, rest), (less, others) = self._comparable(strong), self._comparable(weak)
        return rest == others and more.keys() == less.keys() and all(more[key] >= less[key] for key in less)

    def _comparable(self, option: Option) -> tuple[dict[str, float], Any]:
        """Return the numbers of which more is better, and all else."""
        assert option.scenario is not None  # only those are undecided or have missed by a run
        if id(option) not in self._parts:
            data = option.scenario.model_dump(exclude=BESIDE)
            numbers: dict[str, float] = {}
            rest = _split(data.pop("cluster"), "", numbers)
            self._parts[id(option)] = numbers, (rest, data, _geometry(option.scenario))
        return self._parts[id(option)]


def named(option: Option) -> str:
    """Return the values of an option in words."""
    return ", ".join(f"{key}={value}" for key, value in option.values)


def _split(data: Any, path: str, numbers: dict[str, float]) -> Any:
    """Return the data without the numbers of which more is better; those go into `numbers`."""
    if not isinstance(data, dict):
        return data
    rest = {}
    for key, value in data.items():
        is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
        if is_number and key in (*MORE_IS_BETTER, *MORE_IS_BETTER_RATES):
            numbers[f"{path}.{key}"] = value
        elif is_number and key == "seek_time":
            numbers[f"{path}.{key}"] = -value
        elif key != "model":
            rest[key] = _split(value, f"{path}.{key}", numbers)
    return rest


def _geometry(scenario: Scenario) -> float:
    """Return the raw bytes that a byte takes: where codes are wider or narrower, more parts need not be faster."""
    storage = scenario.storage
    return 0.0 if isinstance(storage, Hdfs) else storage.raw_per_byte(scenario.cluster)


def _missed_by(value: float, limit: float) -> float:
    """Return by which part of the limit a value misses it."""
    return abs(value - limit) / abs(limit) if limit else math.inf
