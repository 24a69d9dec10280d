"""How long a growing cluster meets its targets: the first day on which it misses one, and what is the cause.

The scenario is simulated as it stands on each of the days that `first_missed` asks for, in their order: a duration need
not rise from month to month (a last wave of tasks may empty), so nothing is skipped. Days with equal scenarios are run
once, and where no target is of the run, nothing is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date

from models.planning.capacity import capacity
from models.planning.growth import Missed, first_missed
from models.scenario import Scenario
from models.target import Target
from simulator.rebalance import TIME
from simulator.result import Bottleneck
from simulator.studies.measures import DURABLE, Measure, by_plain_name, measures, miss, of_scenario
from simulator.studies.names import check, lack
from simulator.studies.points import Answer, Point, PointFailure
from simulator.studies.rebalance import arrivals, just_come, rebalance_time

ROOM = ("raw", "usable", "effective")
"""Measures that the rules of the capacity plan limit, not the run."""


@dataclass(frozen=True, slots=True)
class Checked:
    """One day: the scenario, the measures of the targets by name, its run, and the cause if a target is missed."""

    day: date
    scenario: Scenario
    measures: dict[str, Measure]
    answer: Answer | None
    cause: str | None

    @property
    def bottleneck(self) -> Bottleneck | None:
        """What limits the run."""
        return self.answer.bottleneck if self.answer else None


@dataclass(frozen=True, slots=True)
class Moving:
    """The rebalance on a day on which so many `servers` have just come: how long it takes (s) on an idle cluster.

    `beside` is how long with the workload under way all the time, None where it was not simulated; `measures` and
    `cause` are those of the targets meanwhile.
    """

    day: date
    servers: int
    idle: float
    beside: float | None = None
    measures: Mapping[str, Measure] = field(default_factory=dict)
    cause: str | None = None

    @property
    def time(self) -> float:
        """Seconds from which on the servers surely serve: those beside the workload, if they are known."""
        return self.idle if self.beside is None else max(self.idle, self.beside)


@dataclass(frozen=True, slots=True)
class Held:
    """How long the targets are met: the days checked, up to and with the first that misses one.

    `missed` is None where all are met to the end of the table, or to the day on which the cluster is full. `early` is
    the day from which they may already be missed, as far as it is known how sure the answers are. `moving` are the
    rebalances of servers that come by then.
    """

    targets: Sequence[Target]
    checked: Sequence[Checked]
    missed: Missed | None
    simulated: int
    early: date | None = None
    moving: Sequence[Moving] = ()


Finished = Answer | PointFailure
Run = Callable[[Sequence[Point]], Sequence[Finished]]


def hold(scenario: Scenario, targets: Sequence[Target], point: Callable[[Scenario], Point], run: Run) -> Held:
    """Return how long a growing scenario meets its targets; `point` says how a scenario is run, `run` does it.

    Raises:
        RefusalError: the scenario states no growth.
        ProblemError: a target names what nothing is measured by, or is in another unit; told before anything runs.
    """
    check(targets, [scenario])
    watch = Watch(targets, point, run)
    first_missed(scenario, watch.causes)
    failed = next((i for i, day in enumerate(watch.checked) if day.cause), None)
    checked = watch.checked if failed is None else watch.checked[: failed + 1]
    last = checked[-1] if checked else None
    missed = Missed(last.day, last.cause) if last and last.cause else None
    rebalances = [one for one in moved(scenario, watch) if last and one.day <= last.day]
    return Held(targets, checked, missed, watch.simulated, moving=rebalances)


def moved(scenario: Scenario, watch: Watch | None = None) -> Iterator[Moving]:
    """Yield the rebalances of a growing scenario; without a `watch` those of an idle cluster alone."""
    for day, servers in arrivals(scenario):
        standing = just_come(scenario, day, servers)
        if standing is not None:
            yield moving(day, standing, watch)


def moving(day: date, scenario: Scenario, watch: Watch | None) -> Moving:
    """Return the rebalance of a scenario in which servers have just come, beside the workload if a `watch` looks."""
    assert scenario.rebalance is not None  # servers have come
    idle = Moving(day, scenario.rebalance.servers, rebalance_time(scenario))
    return idle if watch is None or not idle.idle else watch.beside(idle, scenario)


class Watch:
    """Answers for days in their order, and remembers what was run."""

    def __init__(self, targets: Sequence[Target], point: Callable[[Scenario], Point], run: Run) -> None:
        self._targets, self._asked = targets, [target.measure for target in targets]
        self._point = point
        self._run = run
        self._answers: dict[str, Finished] = {}
        self.checked: list[Checked] = []

    @property
    def simulated(self) -> int:
        """How many scenarios were run."""
        return len(self._answers)

    def causes(self, days: Sequence[tuple[date, Scenario]]) -> list[str | None]:
        """Return the cause for each day on which a target is missed, None for the others."""
        answers = self._finished([scenario for _, scenario in days])
        checks = [self._check(*day, answer) for day, answer in zip(days, answers, strict=True)]
        self.checked += checks
        return [day.cause for day in checks]

    def beside(self, idle: Moving, scenario: Scenario) -> Moving:
        """Return a rebalance with what it and the workload do to each other, where a target is of the run."""
        answer = self._finished([scenario])[0]
        if answer is None:
            return idle
        checked = self._check(idle.day, scenario, answer)
        if isinstance(answer, PointFailure):
            return replace(idle, cause=checked.cause)
        if TIME not in answer.metrics:
            return idle  # requests, beside which it is not simulated
        return replace(idle, beside=answer.metrics[TIME][0], measures=checked.measures, cause=checked.cause)

    def _finished(self, scenarios: Sequence[Scenario]) -> Sequence[Finished | None]:
        """Return what each scenario came to, None where no target is of the run."""
        known = by_plain_name(of_scenario(scenarios[0], self._asked))
        if all(target.measure in known for target in self._targets):
            return [None] * len(scenarios)
        points = {(point := self._point(scenario)).key: point for scenario in scenarios}
        new = [key for key in points if key not in self._answers]
        self._answers.update(zip(new, self._run([points[key] for key in new]), strict=True))
        return [self._answers[self._point(scenario).key] for scenario in scenarios]

    def _check(self, day: date, scenario: Scenario, answer: Finished | None) -> Checked:
        if isinstance(answer, PointFailure):
            return Checked(day, scenario, {}, None, f"the job cannot be run: {answer.reason}")
        measured = by_plain_name(measures(scenario, answer, self._asked))
        own = {target.measure: measured[target.measure] for target in self._targets if target.measure in measured}
        missed = {target.measure: text for target in self._targets if (text := _miss(target, measured, scenario))}
        bottleneck = answer.bottleneck if answer else None
        return Checked(day, scenario, own, answer, _cause(scenario, missed, bottleneck) if missed else None)


def _miss(target: Target, measured: Mapping[str, Measure], scenario: Scenario) -> str | None:
    """Return by what a target is missed, None if it is met; one that cannot be measured is missed."""
    if target.measure in measured:
        return miss(target, measured[target.measure])
    return lack(target.measure, scenario)


def _cause(scenario: Scenario, missed: dict[str, str], bottleneck: Bottleneck | None) -> str:
    """Return what is missed and by how much, and what stands in the way."""
    of_run = missed.keys() - {*of_scenario(scenario), *DURABLE}
    limits = [f"{bottleneck.resource} ({100 * bottleneck.share:.0f} %)"] if bottleneck and of_run else []
    limits += [capacity(scenario).limit] if missed.keys() & set(ROOM) else []
    return "; ".join(missed.values()) + (f"; limited by: {' and '.join(limits)}" if limits else "")
