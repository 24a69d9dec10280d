"""How long a growing cluster meets its targets: the first day on which it misses one, and what is the cause.

The scenario is simulated as it stands on each of the days that `first_missed` asks for, in their order: a duration need
not rise from month to month (a last wave of tasks may empty), so nothing is skipped. Days with equal scenarios are run
once, and where no target is of the run, nothing is.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from models.planning.capacity import capacity
from models.planning.growth import Missed, first_missed
from models.scenario import Scenario
from models.target import Target
from simulator.result import Bottleneck
from simulator.studies.measures import DURABLE, Measure, by_plain_name, measures, miss, of_scenario
from simulator.studies.names import check, lack
from simulator.studies.points import Answer, Point, PointFailure

ROOM = ("raw", "usable", "effective")
"""Measures that the rules of the capacity plan limit, not the run."""


@dataclass(frozen=True, slots=True)
class Checked:
    """One day: the measures of the targets by name, what limits the run, and the cause if a target is missed."""

    day: date
    measures: dict[str, Measure]
    bottleneck: Bottleneck | None
    cause: str | None


@dataclass(frozen=True, slots=True)
class Held:
    """How long the targets are met: the days checked, up to and with the first that misses one.

    `missed` is None where all are met to the end of the table, or to the day on which the cluster is full. `early` is
    the day from which they may already be missed, as far as it is known how sure the answers are.
    """

    targets: Sequence[Target]
    checked: Sequence[Checked]
    missed: Missed | None
    simulated: int
    early: date | None = None


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
    return Held(targets, checked, missed, watch.simulated)


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
            return Checked(day, {}, None, f"the job cannot be run: {answer.reason}")
        measured = by_plain_name(measures(scenario, answer, self._asked))
        own = {target.measure: measured[target.measure] for target in self._targets if target.measure in measured}
        bottleneck = answer.bottleneck if answer else None
        missed = {target.measure: text for target in self._targets if (text := _miss(target, measured, scenario))}
        return Checked(day, own, bottleneck, _cause(scenario, missed, bottleneck) if missed else None)


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
