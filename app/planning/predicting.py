"""How sure an answer is: what a profile assumes, what its kind of question was off by, and what was never validated."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from statistics import fmean, stdev

from app.planning.assumptions import knobs
from app.planning.effort import RUNS, Effort
from app.planning.loading import Chosen
from app.reports import words
from app.reports.prediction_report import Assumption, Prediction
from models.jobs.object_load import ObjectLoad
from models.outcome import Family
from models.planning.calibration import LEVEL, Calibration, Measured, calibrations, kinds, question
from models.planning.prediction import Knob, Spread, design, ends, spread, student
from models.problem import ProblemError
from models.scenario import Scenario
from profiles.loader import Loaded, Variants
from profiles.outcomes import families, family, left_out
from profiles.validated import Validated, validated
from simulator.studies.points import Answer, Point, PointFailure
from simulator.studies.runner import Finished

Run = Callable[[Sequence[Point]], Sequence[Finished]]
"""Simulates points."""
LEAST = 3
"""Runs that say something of a spread. Assumption: of two, the third is as likely outside as in."""
NOTHING = Spread(0.0, 0.0, (), 0)
NEAR = 1.5
"""Factor beyond the ends of what was validated within which a number counts as validated. Assumption: 1.2 to 2."""


@dataclass(frozen=True, slots=True)
class Features:
    """What tells whether a run is like those that were validated; `numbers` are by what they say of a run."""

    question: str
    limit: str
    numbers: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class Error:
    """How far answers of a kind were off, as a standard deviation of logarithms, and of how many outcomes."""

    deviation: float
    words: str


@dataclass(frozen=True, slots=True)
class Basis:
    """What is known of how sure an answer is before anything more runs.

    `beyond` says what of it was never validated, `known` names the assumed numbers of which `error` tells already, and
    `chance` is the standard deviation between seeds.
    """

    measure: str
    unit: str
    value: float
    beyond: tuple[str, ...]
    is_inside: bool
    error: Error
    known: frozenset[str]
    chance: float


@dataclass(frozen=True, slots=True)
class Draws:
    """What a profile assumes, which of it was drawn and is `further` to what validation holds, and what that does."""

    assumed: Sequence[Knob]
    drawn: Sequence[Knob]
    further: Sequence[Knob]
    effect: Spread

    @property
    def own(self) -> Spread:
        """What numbers do of which errors found in validation do not tell."""
        names = {knob.name for knob in self.further}
        if len(names) == len(self.drawn) or not (names and self.effect.shares):
            return self.effect if names else NOTHING
        shares = zip(self.drawn, self.effect.shares, strict=True)
        part = sum(share for knob, share in shares if knob.name in names)
        return replace(self.effect, shift=self.effect.shift * part, variance=self.effect.variance * part)


def predict(
    chosen: Chosen, answer: Answer, *, seed: int, effort: Effort, run: Run, among: int = 1
) -> Prediction | None:
    """Return the interval of what leads an answer; None where nothing runs, or where none is asked for.

    Errors found in validation hold what the validated profiles assumed, so that only further assumed numbers come on
    top of them. Where a design lies beyond what was validated, the errors are those of clusters never seen. So many
    answers `among` which it is share the runs.
    """
    alike = Alike(seed=seed, effort=effort, run=run, among=among)
    return alike.predict(chosen.scenario, answer, lambda: chosen)


class Alike:
    """Predicts answers that differ in a few keys.

    What assumed numbers do is drawn once, and taken for all answers where validation tells of the same numbers. So many
    draws `among` which one is share the runs.
    """

    def __init__(self, *, seed: int, effort: Effort, run: Run, among: int = 1) -> None:
        self._seed, self._effort, self._run, self._among = seed, effort, run, among
        self._drawn: dict[frozenset[str], Draws] = {}

    def predict(self, scenario: Scenario, answer: Answer, choose: Callable[[], Chosen]) -> Prediction | None:
        """Return the interval of an answer; `choose` returns its profile."""
        about = basis(scenario, answer) if self._effort != "none" else None
        if about is None:
            return None
        if about.known not in self._drawn:
            self._drawn[about.known] = draw(
                choose(), about, seed=self._seed, effort=self._effort, run=self._run, among=self._among
            )
        return prediction(about, self._drawn[about.known])


def basis(scenario: Scenario, answer: Answer) -> Basis | None:
    """Return what is known of how sure an answer is before anything more runs; None where nothing leads it."""
    name = next(iter(answer.leading), "duration")
    value = _measured(answer, name)
    if not 0 < value < math.inf:
        return None
    found = features(scenario, answer)
    seen, unseen = _rows(found.question)
    beyond = tuple(extrapolations(found, seen or unseen))
    is_inside = bool(seen) and not beyond
    return Basis(
        measure=name,
        unit=answer.metrics[name][1] if name in answer.metrics else "s",
        value=value,
        beyond=beyond,
        is_inside=is_inside,
        error=error_of(found, is_inside=is_inside),
        known=frozenset(name for row in (seen if is_inside else unseen) for name in row.assumed),
        chance=_chance(answer, name),
    )


def draw(chosen: Chosen, about: Basis, *, seed: int, effort: Effort, run: Run, among: int = 1) -> Draws:
    """Return what assumed numbers do to an answer, from runs in which all that matter are drawn.

    A number takes two runs, and the spread two more; of many numbers none is told apart.
    """
    assumed = knobs(chosen.loaded)
    further = [knob for knob in assumed if knob.name not in about.known]
    drawn = assumed if effort == "full" else further
    runs = max(min(RUNS[effort] // among, 2 * len(drawn) + 2), LEAST)
    effect = _effect(chosen, drawn, (about.measure, about.value), seed, runs, run) if drawn else NOTHING
    return Draws(assumed, drawn, further, effect)


def prediction(about: Basis, draws: Draws) -> Prediction:
    """Return the interval of an answer from its parts, which add up as variances of logarithms."""
    own = draws.own
    variance = about.error.deviation**2 + own.variance + about.chance**2
    low, high = ends(about.value, own.shift, variance)
    return Prediction(
        measure=about.measure,
        unit=about.unit,
        value=about.value,
        level=LEVEL,
        low=low,
        high=high,
        why=tuple(_why(about, own, len(draws.further))),
        is_inside=about.is_inside,
        shift=own.shift,
        variance=variance,
        assumptions=tuple(ledger(draws.assumed, draws.drawn, draws.effect, variance)),
    )


def features(scenario: Scenario, answer: Answer) -> Features:
    """Return what tells whether a run is like another."""
    servers = sum(group.count for group in scenario.cluster.groups.values())
    memory = sum(group.count * group.server.memory.size for group in scenario.cluster.groups.values())
    drives = sum(group.bytes for group in answer.groups if group.group.endswith("drives"))
    needed = answer.capacity.get("needed", 0.0)
    numbers = {"servers": float(servers), "bytes of data for one of memory": needed / memory}
    throughput = answer.metrics.get("throughput", (0.0, ""))[0]
    if drives and throughput and answer.stages:
        numbers["bytes on drives for one of data"] = drives / (throughput * answer.duration)
    if (part := written(scenario)) is not None:
        numbers["of the bytes written"] = part
    return Features(question(scenario), answer.bottleneck.resource.split("/")[-1], numbers)


def written(scenario: Scenario) -> float | None:
    """Return the part of the bytes of a load of requests, or of the data of a job, that is written; None for none."""
    load = scenario.workload
    if isinstance(load, ObjectLoad):
        read = sum(each.weight * each.read_bytes() for each in load.mix.values())
        made = sum(each.weight * each.mean_size for each in load.mix.values() if each.action == "put")
    else:
        read, made, _ = load.stored(scenario.cluster)
    return made / (read + made) if read + made else None


def extrapolations(found: Features, rows: Sequence[Validated]) -> Iterator[str]:
    """Yield in words what of a run lies beyond what was validated."""
    if not rows:
        yield f"{found.question} was never validated"
        return
    limits = sorted({row.limit for row in rows})
    if found.limit not in limits:
        yield f"held up by {found.limit}, validated were runs held up by {words.listed(limits)}"
    for name, value in found.numbers.items():
        known = [row.numbers[name] for row in rows if name in row.numbers]
        if known and not min(known) / NEAR <= value <= max(known) * NEAR:
            low, high = f"{min(known):.3g}", f"{max(known):.3g}"
            yield f"{value:.3g} {name}, validated {'was' if low == high else 'were'} {words.span(low, high)}"


def error_of(about: Features, *, is_inside: bool) -> Error:
    """Return how far off answers of a kind are, inside what was validated or of clusters never seen."""
    benchmarks, others = _calibrations()
    pool = benchmarks if is_inside else others
    asked = kinds(about.question, about.limit)
    deviation = pool.half(asked) / student(LEVEL, math.inf)
    known = [f"{pool.count(kind)} of {kind}" for kind in reversed(asked) if pool.count(kind)]
    like = known[0] if known else f"none of {about.question}"
    name = "validated" if is_inside else "of clusters never seen"
    return Error(deviation, f"error of {len(pool.errors)} outcomes {name}, {like}: {words.percent(deviation)}")


def _rows(asked: str) -> tuple[list[Validated], list[Validated]]:
    """Return the outcomes that answer a question, of families that something was fitted to and of all others."""
    about = [row for row in validated() if row.question == asked]
    seen = [row for row in about if _families()[row.family].counted]
    return seen, [row for row in about if row not in seen]


@cache
def _calibrations() -> tuple[Calibration, Calibration]:
    tested = (Measured(row.id, row.family, row.error, kinds(row.question, row.limit)) for row in validated())
    return calibrations(tested, _families(), left_out())


@cache
def _families() -> Mapping[str, Family]:
    return {name: family(name) for name in families()}


def _effect(chosen: Chosen, drawn: Sequence[Knob], leads: tuple[str, float], seed: int, runs: int, run: Run) -> Spread:
    """Return what assumed numbers do, from runs in which all of them are drawn."""
    name, value = leads
    deviations = design(runs, len(drawn))
    scenarios = [scenario_drawn(chosen.loaded, drawn, row) for row in deviations]
    points = [Point(scenario=each, profile=chosen.profile, seed=seed) for each in scenarios if each is not None]
    found = iter(run(points))
    moved = changes([None if each is None else next(found) for each in scenarios], name, value)
    return spread(drawn, deviations[list(moved)], list(moved.values())) if len(moved) >= LEAST else NOTHING


def changes(answers: Sequence[Answer | PointFailure | None], name: str, value: float) -> dict[int, float]:
    """Return by how much the logarithm of a measure differs from that of a value, for the answers that have one."""
    measured = {i: _measured(each, name) for i, each in enumerate(answers) if isinstance(each, Answer)}
    return {i: math.log(other / value) for i, other in measured.items() if 0 < other < math.inf}


def _measured(answer: Answer, name: str) -> float:
    return answer.duration if name == "duration" else fmean(answer.leading.get(name, (0.0,)))


def scenario_drawn(loaded: Loaded[Scenario], drawn: Sequence[Knob], deviations: Sequence[float]) -> Scenario | None:
    """Return the scenario with its assumed numbers drawn; nearer to the likely ones where they do not go together."""
    variants = Variants.of_tree(loaded.tree, Scenario)
    for part in (1.0, 0.5):
        settings = {
            number.key: number.text(part * deviation)
            for knob, deviation in zip(drawn, deviations, strict=True)
            for number in knob.numbers
        }
        try:
            return variants.load(settings).scenario
        except ProblemError:
            continue
    return None


def _chance(answer: Answer, name: str) -> float:
    """Return the standard deviation between seeds; that of a single run is part of the errors found."""
    values = answer.durations if name == "duration" else answer.leading[name]
    logarithms = [math.log(value) for value in values if value > 0]
    return stdev(logarithms) / math.sqrt(len(logarithms)) if len(logarithms) > 1 else 0.0


def _why(about: Basis, own: Spread, further: int) -> Iterator[str]:
    yield from (f"extrapolates: {each}" for each in about.beyond)
    yield about.error.words
    if own.runs:
        said = words.percent(math.sqrt(own.variance))
        yield f"{further} assumed numbers, drawn together in {own.runs} runs: {said}"
    if about.chance:
        yield f"seeds: {words.percent(about.chance)}"


def ledger(assumed: Sequence[Knob], drawn: Sequence[Knob], effect: Spread, variance: float) -> Iterator[Assumption]:
    """Yield what is assumed, what moves the answer most first.

    The part of a number in an interval is that of its variance, be it drawn on top of the errors found or held by them.
    """
    weight = effect.variance / max(variance, effect.variance) if effect.variance else 0.0
    shares = dict(zip((knob.name for knob in drawn), effect.shares, strict=False))
    for knob in sorted(assumed, key=lambda each: -shares.get(each.name, 0.0)):
        first = knob.numbers[0]
        yield Assumption(
            key=first.key,
            kind=knob.kind,
            source=knob.source,
            unit=first.unit,
            low=first.low,
            likely=first.likely,
            high=first.high,
            share=shares[knob.name] * weight if knob.name in shares else None,
        )
