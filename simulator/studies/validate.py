"""Validation: run what was documented, and say how far the simulation is from it.

Every case goes the way of a user's scenario. The error is the fraction (simulated - documented) / documented; for a
documented band it is 0 inside and the distance to the nearer edge, over that edge, outside.
"""

from __future__ import annotations

import os
import pickle
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from hashlib import sha256
from pathlib import Path
from statistics import median
from typing import NamedTuple

from models.outcome import MEMORY, UNCOUNTED, Choice, Family, Outcome, Parameter, error, reading, value_at
from models.planning.calibration import kinds, question
from models.scenario import Scenario
from models.work import Metrics
from simulator.run import simulate
from simulator.studies.points import Answer
from simulator.studies.pool import OnDone, Pool, unheeded


@dataclass(frozen=True, slots=True)
class Case:
    """A documented outcome and the shipped profile that reproduces it; where it is a ratio, also what it is over."""

    outcome: Outcome
    profile: str
    scenario: Scenario
    baseline: Scenario | None = None


NEAR = 0.20
"""Absolute error within which an outcome is near. Source: the protocol."""


@dataclass(frozen=True, slots=True)
class Alternative:
    """What else could stand in place of what was chosen, as a case of the outcome that shows it."""

    choice: Choice
    case: Case


@dataclass(frozen=True, slots=True)
class OutcomeResult:
    """One outcome beside its simulation.

    `role` is `fitted-to` (a number was fitted or something chosen with it in sight), `predicted`, `answer` for sizing
    arithmetic, `in words` for what has no documented number, or `contradicted` for what its own source makes
    impossible. `limit` is what the run is limited by, `bottlenecks`
    the names that a published limit has here, and `kinds` of what answers its error tells, the widest first.
    """

    id: str
    family: str
    documented: float | tuple[float, float]
    simulated: float
    unit: str
    error: float
    role: str
    profile: str
    confidence: str = "text"
    limit: str = ""
    bottlenecks: tuple[str, ...] = ()
    kinds: tuple[str, ...] = ()
    source: str = ""

    @property
    def is_tested(self) -> bool:
        """Whether its error tells how far answers of its `kinds` are off: it is a number, and no arithmetic."""
        return self.is_number and self.role not in {"answer", "input"}

    @property
    def is_number(self) -> bool:
        """Whether its error counts: a number was documented that can be looked up and can be, no words, no memory."""
        return self.role not in UNCOUNTED and self.confidence != MEMORY

    @property
    def names_the_bottleneck(self) -> bool | None:
        """Whether the limit is the published one, None where none was published."""
        return any(name in self.limit for name in self.bottlenecks) if self.bottlenecks else None


@dataclass(frozen=True, slots=True)
class ParameterResult:
    """A fitted number as it stands in the profiles."""

    parameter: Parameter
    value: float


@dataclass(frozen=True, slots=True)
class ChoiceResult:
    """What was chosen, and what its outcome would come to otherwise; None where nothing else is named."""

    choice: Choice
    otherwise: OutcomeResult | None


@dataclass(frozen=True, slots=True)
class FamilySummary:
    """Errors of the documented numbers of one family as fractions.

    `fitted` counts its fitted numbers and what was chosen, `chosen` the latter. `near` is the part of the outcomes
    within 20 %, `bottlenecks` the part of the published limits that is named, None where none was published.
    """

    mean_abs_error: float
    worst: float
    fitted: int
    outcomes: int
    within_targets: bool
    chosen: int = 0
    median: float = 0.0
    near: float = 1.0
    bottlenecks: float | None = None


@dataclass(frozen=True, slots=True)
class Validation:
    """All outcomes, the fitted numbers, what was chosen, a summary for each family, and the answers by profile."""

    outcomes: tuple[OutcomeResult, ...]
    parameters: tuple[ParameterResult, ...]
    families: dict[str, FamilySummary]
    choices: tuple[ChoiceResult, ...] = ()
    answers: Mapping[str, Answer] = field(default_factory=dict)


def validate(
    cases: Sequence[Case],
    families: Sequence[Family],
    alternatives: Sequence[Alternative] = (),
    *,
    workers: int = 1,
    on_done: OnDone = unheeded,
) -> Validation:
    """Run all cases, with the alternatives to what was chosen, and return how far each is from its document."""
    parameters = [parameter for family in families for parameter in family.parameters]
    choices = [choice for family in families for choice in family.choices]
    seen = {id for parameter in parameters for id in parameter.fitted_to} | {
        id for choice in choices for id in choice.fitted_to
    }
    others = [alternative.case for alternative in alternatives]
    with Bench(workers) as bench:
        measured = bench.measured([*cases, *others], on_done)
    roles = [case.outcome.role or ("fitted-to" if case.outcome.id in seen else "predicted") for case in cases]
    outcomes = tuple(
        outcome_result(case, run.value, role, run.answer.bottleneck.resource)
        for case, run, role in zip(cases, measured[: len(cases)], roles, strict=True)
    )
    answers = {case.profile: run.answer for case, run in zip(cases, measured[: len(cases)], strict=True)}
    otherwise = {
        alternative.choice: outcome_result(alternative.case, run.value, "fitted-to")
        for alternative, run in zip(alternatives, measured[len(cases) :], strict=True)
    }
    return Validation(
        outcomes=outcomes,
        parameters=tuple(ParameterResult(p, current_value(p, cases)) for p in parameters),
        families={family.name: _summary(family, outcomes) for family in families},
        choices=tuple(ChoiceResult(choice, otherwise.get(choice)) for choice in choices),
        answers=answers,
    )


@dataclass(frozen=True, slots=True)
class _Run:
    """What a validation keeps of a run: metrics with bytes a second of each member of a group, and the answer."""

    metrics: Metrics
    answer: Answer


class _Measured(NamedTuple):
    """The simulated value of a case, in the unit of its outcome, and the answer of its run."""

    value: float
    answer: Answer


class Bench:
    """Runs cases, in worker processes if there are several, and remembers every run it has made.

    It shares its runs with other benches, those of other processes among them, that have the same folder.
    """

    def __init__(self, workers: int, folder: Path | None = None) -> None:
        self._pool = Pool(workers)
        self._known: dict[str, _Run] = {}
        self._folder = folder

    def __enter__(self) -> Bench:
        return self

    def __exit__(self, kind: type[BaseException] | None, *details: object) -> None:
        self._pool.__exit__(kind, *details)

    def measure(self, cases: Sequence[Case]) -> list[float]:
        """Return the simulated value of each case, in the unit of its outcome."""
        return [run.value for run in self.measured(cases)]

    def measured(self, cases: Sequence[Case], on_done: OnDone = unheeded) -> list[_Measured]:
        """Return the simulated value of each case and the answer of its run; `on_done` counts the runs.

        A run is known again by its whole scenario: by its profile and the values that act on it. Those on most servers,
        which take longest, come first, so that all processes end together.
        """
        both = {
            id(scenario): scenario
            for case in cases
            for scenario in (case.scenario, case.baseline)
            if scenario is not None
        }
        texts = {key: scenario.model_dump_json() for key, scenario in both.items()}
        unknown = {texts[key]: scenario for key, scenario in both.items() if texts[key] not in self._known}
        missing = dict(sorted(unknown.items(), key=lambda run: -_servers(run[1])))
        if self._folder is None:
            runs = self._pool.run_all(_run, list(missing.values()), on_done)
        else:
            runs = self._pool.run_all(partial(_shared_run, self._folder), list(missing.items()), on_done)
        self._known.update(zip(missing, runs, strict=True))
        return [_Measured(self._value(case, texts), self._known[texts[id(case.scenario)]].answer) for case in cases]

    def _value(self, case: Case, texts: dict[int, str]) -> float:
        metrics = self._known[texts[id(case.scenario)]].metrics
        if case.baseline is None:
            return reading(metrics, case.outcome)
        name = case.outcome.metric
        return metrics[name][0] / self._known[texts[id(case.baseline)]].metrics[name][0]


def _servers(scenario: Scenario) -> int:
    """Return the servers of all groups."""
    return sum(group.count for group in scenario.cluster.groups.values())


def _run(scenario: Scenario) -> _Run:
    result = simulate(scenario)
    passed = result.duration or 1.0  # what only sizes a store takes no time and moves nothing
    moved = {f"{group.group} per server": (group.bytes / group.count / passed, "B/s") for group in result.groups}
    return _Run(result.metrics | moved, Answer.of(result))


def _shared_run(folder: Path, told: tuple[str, Scenario]) -> _Run:
    """Return a run that lies in a folder; if there is none, make it and put it there, whole or not at all.

    A scenario is known again by what it is as JSON, which is told with it.
    """
    text, scenario = told
    path = folder / sha256(text.encode()).hexdigest()
    try:
        known: _Run = pickle.loads(path.read_bytes())
    except FileNotFoundError:
        known = _run(scenario)
        part = path.with_suffix(f".{os.getpid()}")
        part.write_bytes(pickle.dumps(known))
        part.replace(path)
    return known


def outcome_result(case: Case, simulated: float, role: str, limit: str = "") -> OutcomeResult:
    """Return an outcome beside its simulated value (in the unit of the outcome)."""
    outcome = case.outcome
    return OutcomeResult(
        id=outcome.id,
        family=outcome.family,
        documented=outcome.value,
        simulated=simulated,
        unit=outcome.unit,
        error=error(outcome.value, simulated),
        role=role,
        profile=case.profile,
        confidence=outcome.confidence,
        limit=limit,
        bottlenecks=outcome.bottlenecks,
        kinds=kinds(question(case.scenario), limit),
        source=outcome.source,
    )


def current_value(parameter: Parameter, cases: Sequence[Case]) -> float:
    """Return a fitted number as the scenarios of the cases have it."""
    scenario = next(case.scenario for case in cases if case.outcome.id in parameter.used_by)
    return value_at(scenario, parameter.key)


def _summary(family: Family, outcomes: Sequence[OutcomeResult]) -> FamilySummary:
    own = [outcome for outcome in outcomes if outcome.family == family.name and outcome.is_number]
    errors = [abs(outcome.error) for outcome in own]
    named = [name for outcome in own if (name := outcome.names_the_bottleneck) is not None]
    mean, worst, middle = sum(errors) / len(errors), max(errors), median(errors)
    near = sum(error <= NEAR for error in errors) / len(errors)
    bottlenecks = sum(named) / len(named) if named else None
    at_most = [(mean, family.mean_target), (worst, family.worst_target), (middle, family.median_target)]
    at_least = [(near, family.near_target), (bottlenecks, family.bottleneck_target)]
    is_within = (
        all(target is None or value <= target for value, target in at_most)
        and all(target is None or value is None or value >= target for value, target in at_least)
        and family.counted <= family.budget
    )
    return FamilySummary(
        mean, worst, family.counted, len(errors), is_within, len(family.choices), middle, near, bottlenecks
    )
