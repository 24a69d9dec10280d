"""How sure an answer is: what a profile assumes, what its kind of question was off by, and what was never validated."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from statistics import fmean, stdev

from app.planning.assumptions import knobs
from app.planning.effort import RUNS, Effort
from app.planning.loading import Chosen
from app.reports import words
from app.reports.prediction_report import Assumption, Prediction
from models.planning.prediction import LEVEL, Knob, Spread, design, ends, rms, spread
from models.problem import ProblemError
from models.scenario import Scenario
from profiles.loader import Loaded, Variants
from profiles.outcomes import families, family
from profiles.validated import Validated, validated
from simulator.studies.points import Answer, Point, PointFailure
from simulator.studies.runner import Runner

UNSEEN = "published"
"""The family of clusters that nothing was fitted to: how far answers are off where nothing was validated."""
NEVER_SEEN = 0.29
"""Error of what was never validated where no such family ships. Assumption: the mean of 23 clusters that were not seen
while the models were made, 0.15 to 0.4."""
FEW = 8
"""Outcomes below which the errors of one kind of question tell less than those of all. Assumption."""
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


def predict(chosen: Chosen, answer: Answer, *, seed: int, effort: Effort, runner: Runner) -> Prediction | None:
    """Return the interval of what leads an answer; None where nothing runs, or where none is asked for.

    Errors found in validation hold what the validated profiles assumed, so that only further assumed numbers come on
    top of them. Where a design lies beyond what was validated, all do, and the errors are those of clusters never seen.
    """
    name = next(iter(answer.leading), "duration")
    value = answer.duration if name == "duration" else fmean(answer.leading[name])
    if effort == "none" or not value:
        return None
    found = features(chosen.scenario, answer)
    rows = [row for row in validated() if row.question == found.question and row.family != UNSEEN]
    beyond = list(extrapolations(found, rows))
    error = unseen(found.question) if beyond else seen(rows)
    known = set() if beyond else {name for row in rows for name in row.assumed}
    assumed = knobs(chosen.loaded)
    further = [knob for knob in assumed if knob.name not in known]
    drawn = assumed if effort == "full" else further
    effect = _effect(chosen, drawn, (name, value), seed, RUNS[effort], runner) if drawn else NOTHING
    own = _part_of(effect, drawn, further)
    chance = _chance(answer, name)
    variance = error.deviation**2 + own.variance + chance**2
    low, high = ends(value, own.shift, variance)
    return Prediction(
        measure=name,
        unit=answer.metrics[name][1] if name in answer.metrics else "s",
        value=value,
        level=LEVEL,
        low=low,
        high=high,
        why=tuple(_why(beyond, error, own, chance, len(further))),
        is_inside=not beyond,
        shift=own.shift,
        variance=variance,
        assumptions=tuple(_ledger(assumed, drawn, effect, known, effect.variance / variance if variance else 0.0)),
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
    kind = "several workloads" if scenario.workloads else scenario.workload.kind
    return Features(f"{kind} on {scenario.storage.system}", answer.bottleneck.resource.split("/")[-1], numbers)


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


def seen(rows: Sequence[Validated]) -> Error:
    """Return how far the validated outcomes of a question's families were off."""
    about = sorted({row.family for row in rows})
    like = [row for row in validated() if row.family in about]
    deviation, freedom = rms([row.error for row in like], _fitted(about))
    if not freedom:
        return unseen(rows[0].question)
    return Error(deviation, f"error of {words.listed(about)}, {len(like)} outcomes: {words.percent(deviation)}")


def unseen(question: str) -> Error:
    """Return how far off clusters were that nothing was fitted to: of this question, or of all where these are few."""
    rows = [row for row in validated() if row.family == UNSEEN]
    like = [row for row in rows if row.question == question]
    chosen = like if len(like) >= FEW else rows
    if len(chosen) < FEW:
        return Error(NEVER_SEEN, f"error of clusters never seen: {words.percent(NEVER_SEEN)}")
    deviation, _ = rms([row.error for row in chosen], 0)
    return Error(deviation, f"error of clusters never seen, {len(chosen)} outcomes: {words.percent(deviation)}")


def _fitted(names: Sequence[str]) -> int:
    return sum(len(family(name).parameters) for name in names if name in families())


def _effect(
    chosen: Chosen, drawn: Sequence[Knob], leads: tuple[str, float], seed: int, runs: int, runner: Runner
) -> Spread:
    """Return what assumed numbers do, from runs in which all of them are drawn."""
    name, value = leads
    deviations = design(runs, len(drawn))
    scenarios = [_drawn(chosen.loaded, drawn, row) for row in deviations]
    points = [Point(scenario=each, profile=chosen.profile, seed=seed) for each in scenarios if each is not None]
    found = iter(runner.run(points))
    moved = changes([None if each is None else next(found) for each in scenarios], name, value)
    return spread(drawn, deviations[list(moved)], list(moved.values())) if len(moved) >= LEAST else NOTHING


def changes(answers: Sequence[Answer | PointFailure | None], name: str, value: float) -> dict[int, float]:
    """Return by how much the logarithm of a measure differs from that of a value, for the answers that have one."""
    measured = {i: _measured(each, name) for i, each in enumerate(answers) if isinstance(each, Answer)}
    return {i: math.log(other / value) for i, other in measured.items() if 0 < other < math.inf}


def _measured(answer: Answer, name: str) -> float:
    return answer.duration if name == "duration" else fmean(answer.leading.get(name, (0.0,)))


def _drawn(loaded: Loaded[Scenario], drawn: Sequence[Knob], deviations: Sequence[float]) -> Scenario | None:
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


def _part_of(effect: Spread, drawn: Sequence[Knob], further: Sequence[Knob]) -> Spread:
    """Return what some of the numbers drawn do."""
    names = {knob.name for knob in further}
    if len(names) == len(drawn) or not (names and effect.shares):
        return effect if names else NOTHING
    part = sum(share for knob, share in zip(drawn, effect.shares, strict=True) if knob.name in names)
    return Spread(effect.shift * part, effect.variance * part, effect.shares, effect.runs)


def _chance(answer: Answer, name: str) -> float:
    """Return the standard deviation between seeds; that of a single run is part of the errors found."""
    values = answer.durations if name == "duration" else answer.leading[name]
    logarithms = [math.log(value) for value in values if value > 0]
    return stdev(logarithms) / math.sqrt(len(logarithms)) if len(logarithms) > 1 else 0.0


def _why(beyond: Sequence[str], error: Error, own: Spread, chance: float, further: int) -> Iterator[str]:
    yield from (f"extrapolates: {each}" for each in beyond)
    yield error.words
    if own.runs:
        said = words.percent(math.sqrt(own.variance))
        yield f"{further} assumed numbers, drawn together in {own.runs} runs: {said}"
    if chance:
        yield f"seeds: {words.percent(chance)}"


def _ledger(
    assumed: Sequence[Knob], drawn: Sequence[Knob], effect: Spread, known: set[str], weight: float
) -> Iterator[Assumption]:
    """Yield what is assumed, what moves the answer most first; `weight` is the part that assumed numbers have in it."""
    shares = dict(zip((knob.name for knob in drawn), effect.shares, strict=False))
    share_of = partial(_share, shares, known, weight)
    for knob in sorted(assumed, key=lambda each: -(share_of(each) or 0.0)):
        first = knob.numbers[0]
        yield Assumption(
            key=first.key,
            kind=knob.kind,
            source=knob.source,
            unit=first.unit,
            low=first.low,
            likely=first.likely,
            high=first.high,
            share=share_of(knob),
        )


def _share(shares: Mapping[str, float], known: set[str], weight: float, knob: Knob) -> float | None:
    """Return the part that a number has in the interval; None for what the errors found hold already."""
    return None if knob.name in known or knob.name not in shares else shares[knob.name] * weight
