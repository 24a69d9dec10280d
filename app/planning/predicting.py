"""How sure an answer is: what a profile assumes, what its kind of question was off by, and what was never validated."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from statistics import stdev

from app.planning.carrying import headroom
from app.planning.drawing import NOTHING, Asked, Draws, Run, draw, measured, ratio
from app.planning.effort import Effort
from app.planning.loading import Chosen
from app.reports import words
from app.reports.prediction_report import Assumption, Prediction
from models.jobs.object_load import ObjectLoad
from models.planning.calibration import (
    LEVEL,
    Calibration,
    Kinds,
    Measured,
    calibrations,
    differences,
    kinds,
    pair,
    question,
    way,
)
from models.planning.prediction import Knob, Spread, ends, student
from models.scenario import Scenario
from models.values import value
from profiles.shipped.outcomes import documented, left_out
from profiles.shipped.validated import Validated, validated
from simulator.limits import worst
from simulator.result import Bottleneck
from simulator.studies.points import Answer

TOLD = 0.1
"""Bias, as a logarithm, from which it is told. Assumption: 0.05 to 0.2; who leans by less is taken for even."""
NEAR = 1.5
"""Factor beyond the ends of what was validated within which a number counts as validated. Assumption: 1.2 to 2."""


@value()
class Features:
    """What tells whether a run is like those that were validated; `numbers` are by what they say of a run."""

    question: str
    limit: str
    numbers: Mapping[str, float]


@value()
class Error:
    """How far answers of a kind were off: a bias and a standard deviation of logarithms, and of how many outcomes."""

    bias: float
    deviation: float
    words: str


@value()
class Basis:
    """What is known of how sure an answer is before anything more runs.

    `beyond` says what of it was never validated, `known` names the assumed numbers of which `error` tells already (and
    `known_anyhow` those of which it would both inside of what was validated and beyond it), and `chance` is the
    standard deviation between seeds. `kinds` are those of its errors. `headroom` is how many times as much could be
    carried of a rate at which clients send: the answer is off only where that is.
    """

    measure: str
    unit: str
    value: float
    beyond: tuple[str, ...]
    is_inside: bool
    error: Error
    known: frozenset[str]
    known_anyhow: frozenset[str]
    chance: float
    kinds: Kinds
    headroom: float = 1.0

    @property
    def lead(self) -> tuple[str, float]:
        """What leads the answer, and its value."""
        return self.measure, self.value


def predict(
    chosen: Chosen, answer: Answer, *, seed: int, effort: Effort, run: Run, is_rough: bool = False
) -> Prediction | None:
    """Return the interval of what leads an answer; None where nothing runs, or where none is asked for.

    Errors found in validation hold what the validated profiles assumed, so that only further assumed numbers come on
    top of them. Where a design lies beyond what was validated, the errors are those of clusters never seen. What is
    drawn of an answer that `is_rough` is so, too.
    """
    about = basis(chosen.scenario, answer) if effort != "none" else None
    if about is None:
        return None
    asked = Asked(chosen, about.lead, about.known, answer.works, is_rough)
    (drawn,) = draw([asked], seed=seed, effort=effort, run=run)
    return prediction(about, drawn)


class Alike:
    """Predicts answers that differ in a few keys, with what assumed numbers do drawn once for all of them.

    All are drawn but those that validation holds of each of the answers, `known`; of the first answer where it is None,
    be that inside of what was validated or beyond it.
    """

    def __init__(self, *, seed: int, effort: Effort, run: Run, known: frozenset[str] | None = None) -> None:
        self._seed, self._effort, self._run, self._known = seed, effort, run, known
        self._drawn: Draws | None = None

    def predict(self, scenario: Scenario, answer: Answer, choose: Callable[[], Chosen]) -> Prediction | None:
        """Return the interval of an answer; `choose` returns its profile."""
        about = basis(scenario, answer) if self._effort != "none" else None
        if about is None:
            return None
        if self._drawn is None:
            known = about.known_anyhow if self._known is None else self._known
            asked = [Asked(choose(), about.lead, known, answer.works)]
            (self._drawn,) = draw(asked, seed=self._seed, effort=self._effort, run=self._run)
        return prediction(about, self._drawn.beside(about.known))


def basis(scenario: Scenario, answer: Answer, level: float = LEVEL) -> Basis | None:
    """Return what is known of how sure an answer is before anything more runs; None where nothing leads it.

    The deviation of its error is that of an interval of a level.
    """
    name = next(iter(answer.leading), "duration")
    value = measured(answer, name)
    if not 0 < value < math.inf:
        return None
    unit = answer.metrics[name][1] if name in answer.metrics else "s"
    about = _basis(features(scenario, answer), (name, unit, value), _chance(answer, name), level=level)
    return replace(about, headroom=headroom(answer, unit))


def basis_of(scenario: Scenario, answer: Answer, name: str, measure: tuple[str, str, float]) -> Basis | None:
    """Return what is known of how sure a measure (name, unit, value) of a workload is; None where that is not known.

    Beside others it is of the kind of that workload, held up by what its own stages are. None were validated so: its
    errors are those of clusters never seen.
    """
    if not 0 < measure[2] < math.inf:
        return None
    if not scenario.workloads:
        about = basis(scenario, answer)
        return about and replace(about, unit=measure[1], value=measure[2], headroom=headroom(answer, measure[1]))
    limit = _own_limit(answer, name) or answer.bottleneck
    traits = features(scenario.alone(name), replace(answer, bottleneck=limit, metrics={}))
    others = words.listed([entry.name for entry in scenario.workloads if entry.name != name])
    leading = next((key for key in answer.leading if key.startswith(f"{name}.")), None)
    chance = _chance(answer, leading) if leading else 0.0
    return _basis(traits, measure, chance, beside=(f"{name} beside {others}, validated were runs alone",))


def _own_limit(answer: Answer, name: str) -> Bottleneck | None:
    """Return what holds up one of many workloads for most of the time of its stages; None without these."""
    seconds: dict[str, float] = {}
    for stage in answer.stages:
        if stage.bottleneck is not None and stage.name.startswith(f"{name}/"):
            limit, lasts = stage.bottleneck.resource, (stage.end - stage.start) * stage.bottleneck.share
            seconds[limit] = seconds.get(limit, 0.0) + lasts
    return worst(seconds)


def _basis(
    traits: Features,
    measure: tuple[str, str, float],
    chance: float,
    *,
    beside: tuple[str, ...] = (),
    level: float = LEVEL,
) -> Basis:
    """Return the basis of a measure (name, unit, value) of a run of these features; `beside` is what else is beyond."""
    seen, unseen = _rows(traits.question)
    beyond = (*beside, *extrapolations(traits, seen or unseen))
    is_inside = bool(seen) and not beyond
    name, unit, value = measure
    return Basis(
        measure=name,
        unit=unit,
        value=value,
        beyond=beyond,
        is_inside=is_inside,
        error=error_of(traits, unit, is_inside=is_inside, level=level),
        known=_assumed(seen if is_inside else unseen),
        known_anyhow=_assumed(unseen) & _assumed(seen) if seen else _assumed(unseen),
        chance=chance,
        kinds=kinds(traits.question, traits.limit),
    )


def unlike(scenario: Scenario, answer: Answer) -> tuple[str, ...]:
    """Return in words what of a run no benchmark was like; nothing for one within them, and where nothing leads it."""
    about = basis(scenario, answer)
    return () if about is None or about.is_inside else tuple(_why(about, NOTHING, 0))


def alike(about: Basis) -> tuple[tuple[str, str, float], ...]:
    """Return the benchmarks of the kind of an answer: id, what was documented, and how far it was off.

    Clusters that nothing was fitted to are no benchmarks; their errors are told together.
    """
    seen, _ = _rows(about.kinds[0])
    known = documented()
    told = ((known[row.id], row.error) for row in seen)
    return tuple(
        (outcome.id, words.documented(outcome.value, outcome.unit, outcome.role), error) for outcome, error in told
    )


def _assumed(rows: Sequence[Validated]) -> frozenset[str]:
    return frozenset(name for row in rows for name in row.assumed)


def against(first: tuple[Basis, Draws], other: tuple[Basis, Draws]) -> tuple[float, float] | None:
    """Return between what the ratio of an answer to another lies; None where they are led by different measures.

    What is assumed acts on both under the same draws. How far off ratios are is told by pairs of validated outcomes of
    one source.
    """
    (base, before), (about, after) = first, other
    if base.measure != about.measure:
        return None
    pool = _pairs()[0 if base.is_inside and about.is_inside else 1]
    error = pool.half(pair(base.kinds, about.kinds)) / student(LEVEL, math.inf)
    shift, variance = ratio(before, after)
    return ends(about.value / base.value, shift, error**2 + variance + base.chance**2 + about.chance**2)


def prediction(about: Basis, draws: Draws, level: float = LEVEL) -> Prediction:
    """Return the interval of an answer from its parts, which add up as variances of logarithms."""
    own = draws.own
    shift = own.shift - about.error.bias + math.log(about.headroom)
    variance = about.error.deviation**2 + own.variance + about.chance**2
    low, high = ends(about.value, shift, variance, level)
    if about.headroom > 1:  # clients send no more
        low, high = min(low, about.value), about.value
    return Prediction(
        measure=about.measure,
        unit=about.unit,
        value=about.value,
        level=level,
        low=low,
        high=high,
        why=(*_why(about, own, len(draws.further)), *words.unranged(draws.left_out)),
        is_inside=about.is_inside,
        shift=shift,
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
        read = sum(operation.weight * operation.read_bytes() for operation in load.mix.values())
        made = sum(
            operation.weight * operation.mean_size for operation in load.mix.values() if operation.action == "put"
        )
    else:
        read, made, _ = load.stored(scenario.cluster)
    return made / (read + made) if read + made else None


def extrapolations(traits: Features, rows: Sequence[Validated]) -> Iterator[str]:
    """Yield in words what of a run lies beyond what was validated."""
    if not rows:
        yield f"{traits.question} {'were' if traits.question.startswith('several ') else 'was'} never validated"
        return
    limits = sorted({row.limit for row in rows})
    if traits.limit not in limits:
        yield f"held up by {traits.limit}, validated were runs held up by {words.listed(limits)}"
    for name, number in traits.numbers.items():
        known = [row.numbers[name] for row in rows if name in row.numbers]
        if known and not min(known) / NEAR <= number <= max(known) * NEAR:
            low, high = _rounded(min(known)), _rounded(max(known))
            yield f"{_rounded(number)} {name}, validated {'was' if low == high else 'were'} {words.span(low, high)}"


def _rounded(number: float) -> str:
    """Return the first three digits of a number, which no large one loses: "22,000", "0.0132"."""
    return f"{float(f'{number:.3g}'):,.10g}"


def error_of(about: Features, unit: str, *, is_inside: bool, level: float = LEVEL) -> Error:
    """Return how far off answers of a kind in a unit are, inside what was validated or of clusters never seen.

    The deviation is that of which an interval of a level is made: errors have longer tails than a normal distribution.
    """
    benchmarks, others = _calibrations()
    pool = benchmarks if is_inside else others
    asked = kinds(about.question, about.limit)
    deviation = pool.half(asked, level) / student(level, math.inf)
    speed = pool.bias(asked)
    known = [f"{pool.count(kind)} of {kind}" for kind in reversed(asked) if pool.count(kind)]
    like = known[0] if known else f"none of {about.question}"
    name = "validated" if is_inside else "of clusters never seen"
    text = f"error of {len(pool.errors)} outcomes {name}, {like}: {words.percent(deviation)}{_leaning(speed)}"
    return Error(speed * way(unit), deviation, text)


def _leaning(speed: float) -> str:
    """Return in words by how much answers are told too fast, or too slow; nothing for next to nothing."""
    if abs(speed) < TOLD:
        return ""
    return f", mostly told too {'fast' if speed > 0 else 'slow'}, by a factor of {math.exp(abs(speed)):.2g}"


def _rows(asked: str) -> tuple[list[Validated], list[Validated]]:
    """Return the outcomes that answer a question, of families that something was fitted to and of all others."""
    about = [row for row in validated() if row.question == asked]
    seen = [row for row in about if row.fitted]
    return seen, [row for row in about if row not in seen]


@cache
def _calibrations() -> tuple[Calibration, Calibration]:
    return calibrations(_tested(), _fitted(), left_out())


@cache
def _pairs() -> tuple[Calibration, Calibration]:
    return differences(_tested(), _fitted(), left_out())


def _tested() -> Iterator[Measured]:
    for row in validated():
        yield Measured(row.id, row.family, row.error, kinds(row.question, row.limit), row.source, row.unit)


def _fitted() -> Mapping[str, int]:
    return {row.family: row.fitted for row in validated()}


def _chance(answer: Answer, name: str) -> float:
    """Return the standard deviation between seeds; that of a single run is part of the errors found."""
    values = answer.durations if name == "duration" else answer.leading[name]
    logarithms = [math.log(value) for value in values if value > 0]
    return stdev(logarithms) / math.sqrt(len(logarithms)) if len(logarithms) > 1 else 0.0


def _why(about: Basis, own: Spread, further: int) -> Iterator[str]:
    yield from (f"extrapolates: {text}" for text in about.beyond)
    yield about.error.words
    if own.runs:
        text = words.percent(math.sqrt(own.variance))
        yield f"{further} assumed number{'s' * (further != 1)}, drawn together in {own.runs} runs: {text}"
    if about.chance:
        yield f"seeds: {words.percent(about.chance)}"


def ledger(assumed: Sequence[Knob], drawn: Sequence[Knob], effect: Spread, variance: float) -> Iterator[Assumption]:
    """Yield what is assumed, what moves the answer most first.

    The part of a number in an interval is that of its variance, be it drawn on top of the errors found or held by them.
    """
    weight = effect.variance / max(variance, effect.variance) if effect.variance else 0.0
    shares = dict(zip((knob.name for knob in drawn), effect.shares, strict=False))
    for knob in sorted(assumed, key=lambda number: -shares.get(number.name, 0.0)):
        yield assumption(knob, shares[knob.name] * weight if knob.name in shares else None)


def assumption(knob: Knob, share: float | None = None) -> Assumption:
    """Return an assumed number as the ledger tells it, with its part of the interval where that is known."""
    first = knob.numbers[0]
    return Assumption(
        key=first.key,
        kind=knob.kind,
        source=knob.source,
        unit=first.unit,
        low=first.low,
        likely=first.likely,
        high=first.high,
        share=share,
    )
