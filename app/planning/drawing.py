"""What assumed numbers do to answers, from a few runs in which all that matter are drawn together."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import field, replace
from statistics import fmean

from app.planning.assumptions import knobs, left_out
from app.planning.effort import RUNS, Effort
from app.planning.loading import Chosen
from models.planning.prediction import Array, Knob, Spread, design, inflated, spread
from models.problem import ProblemError
from models.scenario import Scenario
from models.values import value
from models.work import LOOSEST
from profiles.loading.loader import Loaded
from simulator.studies.points import Answer, Point, PointFailure
from simulator.studies.runner import Finished

Run = Callable[[Sequence[Point]], Sequence[Finished]]
"""Simulates points."""
LEAST = 3
"""Runs that say something of a spread. Assumption: of two, the third is as likely outside as in."""
MANY = 150_000
"""Works of a run from which on draws of it are simulated roughly. Assumption: below, none takes more than some 5 s."""
BEYOND = 2
"""Runs by which several answers together may exceed those of one, so that each has its `LEAST`."""
UNDRAWN = -1
"""The row of an answer without draws."""
NOTHING = Spread(0.0, 0.0, (), 0)


@value()
class Asked:
    """An answer whose assumed numbers are to be drawn, but for the known ones: its profile, its measure and value.

    With very many `works`, or where it `is_rough` itself, its draws are simulated roughly, and so is what they are
    compared with: what they change is the same, and takes a fraction of the time.
    """

    chosen: Chosen
    lead: tuple[str, float]
    known: frozenset[str]
    works: int = 0
    is_rough: bool = False

    @property
    def tolerance(self) -> float | None:
        """With how much its draws are simulated."""
        return LOOSEST if self.is_rough or self.works > MANY else None

    def point(self, scenario: Scenario, seed: int) -> Point:
        """Return the point of a draw."""
        return Point(scenario=scenario, profile=self.chosen.profile, seed=seed, tolerance=self.tolerance)


@value()
class Draws:
    """What a profile assumes, which of it was drawn and is `further` to what validation holds, and what that does.

    `changes` are those of the answer's logarithm by the draw, `left_out` the keys of guesses without a range.
    """

    assumed: Sequence[Knob]
    drawn: Sequence[Knob]
    further: Sequence[Knob]
    effect: Spread = NOTHING
    changes: Mapping[int, float] = field(default_factory=dict)
    left_out: Sequence[str] = ()

    def beside(self, known: frozenset[str]) -> Draws:
        """Return the same draws for an answer of which validation holds other numbers."""
        return replace(self, further=[knob for knob in self.assumed if knob.name not in known])

    @property
    def own(self) -> Spread:
        """What numbers do of which errors found in validation do not tell."""
        names = {knob.name for knob in self.further} & {knob.name for knob in self.drawn}
        if len(names) == len(self.drawn) or not (names and self.effect.shares):
            return self.effect if names else NOTHING
        shares = zip(self.drawn, self.effect.shares, strict=True)
        part = sum(share for knob, share in shares if knob.name in names)
        return replace(self.effect, shift=self.effect.shift * part, variance=self.effect.variance * part)


NO_DRAWS = Draws((), (), ())
"""What is known where nothing was drawn."""


def draw(asked: Sequence[Asked], *, seed: int, effort: Effort, run: Run) -> list[Draws]:
    """Return what assumed numbers do to each of some answers, from one design of draws that all of them share.

    A number takes two runs, and the spread two more; of many numbers none is told apart. Where there are runs enough
    each answer has each draw, so that those of one are like those of another. Else the draws are dealt out among the
    answers, and what they do is taken for the same of all.
    """
    sides = [_side(question, effort) for question in asked]
    many = sum(bool(side.drawn) for side in sides)
    if not many:
        return sides
    union = list({knob.name: knob for side in sides for knob in side.drawn}.values())
    is_dealt = LEAST * many > RUNS[effort] + BEYOND
    rows = RUNS[effort] if is_dealt else max(min(RUNS[effort] // many, 2 * len(union) + 2), LEAST)
    drawing = [(question, side) for question, side in zip(asked, sides, strict=True) if side.drawn]
    deviations = design(rows, union)
    shares = [range(i, rows, many) if is_dealt else range(rows) for i in range(many)]
    moved = _changes(drawing, union, deviations, shares, seed, run)
    if is_dealt:
        drawn = iter(_pooled(union, deviations, moved, [side for _, side in drawing]))
    else:
        drawn = iter(_apart(union, deviations, moved, [side for _, side in drawing]))
    return [next(drawn) if side.drawn else side for side in sides]


def _side(asked: Asked, effort: Effort) -> Draws:
    assumed = knobs(asked.chosen.loaded)
    further = [knob for knob in assumed if knob.name not in asked.known]
    drawn = assumed if effort == "full" else further
    return Draws(assumed, drawn, further, left_out=left_out(asked.chosen.loaded))


def _changes(
    drawing: Sequence[tuple[Asked, Draws]],
    union: Sequence[Knob],
    deviations: Array,
    shares: Sequence[Sequence[int]],
    seed: int,
    run: Run,
) -> list[dict[int, float]]:
    """Return what its draws change of each answer, by the row of the design."""
    asked: list[list[tuple[int, Point]]] = []
    for (question, side), rows in zip(drawing, shares, strict=True):
        own, loaded = _columns(union, side), question.chosen.loaded
        drawn = [(row, scenario_drawn(loaded, side.drawn, deviations[row, own].tolist())) for row in rows]
        undrawn = [(UNDRAWN, loaded.scenario)] if question.tolerance else []
        asked.append([(i, question.point(at, seed)) for i, at in [*undrawn, *drawn] if at is not None])
    finished = iter(run([point for points in asked for _, point in points]))
    answered = [{i: next(finished) for i, _ in points} for points in asked]
    return [_changes_of(question, answers) for answers, (question, _) in zip(answered, drawing, strict=True)]


def _changes_of(asked: Asked, answers: dict[int, Answer | PointFailure]) -> dict[int, float]:
    """Return what draws change of an answer, against one that was simulated as they were."""
    name, value = asked.lead
    if asked.tolerance:
        undrawn = answers.pop(UNDRAWN)
        value = measured(undrawn, name) if isinstance(undrawn, Answer) else 0.0
    return changes(answers, name, value) if 0 < value < math.inf else {}


def _columns(union: Sequence[Knob], side: Draws) -> list[int]:
    place = {knob.name: i for i, knob in enumerate(union)}
    return [place[knob.name] for knob in side.drawn]


def _apart(
    union: Sequence[Knob], deviations: Array, moved: Sequence[dict[int, float]], sides: Sequence[Draws]
) -> list[Draws]:
    """Return what draws do to each answer by itself."""
    effects = []
    for side, own in zip(sides, moved, strict=True):
        acting = deviations[:, _columns(union, side)]
        effects.append(replace(side, effect=_spread(side.drawn, acting, own), changes=own))
    return effects


def _pooled(
    union: Sequence[Knob], deviations: Array, moved: Sequence[dict[int, float]], sides: Sequence[Draws]
) -> list[Draws]:
    """Return what draws that were dealt out do to all answers alike; a number moves those that assume it."""
    together: dict[int, float] = {}
    acting = deviations * 0.0
    for side, own in zip(sides, moved, strict=True):
        columns = _columns(union, side)
        for row in own:
            acting[row, columns] = deviations[row, columns]
        together |= own
    effect = _spread(union, acting, together)
    shares = dict(zip((knob.name for knob in union), effect.shares, strict=False))
    return [
        replace(side, effect=replace(effect, shares=tuple(shares[knob.name] for knob in side.drawn) if shares else ()))
        for side in sides
    ]


def _spread(drawn: Sequence[Knob], deviations: Array, moved: Mapping[int, float]) -> Spread:
    return spread(drawn, deviations[list(moved)], list(moved.values())) if len(moved) >= LEAST else NOTHING


def ratio(first: Draws, other: Draws) -> tuple[float, float]:
    """Return the shift and the variance of the logarithm of the ratio of two answers by what they assume.

    Draws that both had tell it; without these they are taken for independent.
    """
    common = [row for row in other.changes if row in first.changes]
    if len(common) < LEAST:
        return other.own.shift - first.own.shift, first.own.variance + other.own.variance
    part = max(_part(first), _part(other))
    differences = [other.changes[row] - first.changes[row] for row in common]
    return part * fmean(differences), part * inflated(differences)


def _part(draws: Draws) -> float:
    """Return the part of the variance of draws of which validation does not tell."""
    return draws.own.variance / draws.effect.variance if draws.effect.variance else 1.0


def changes(answers: Mapping[int, Answer | PointFailure], name: str, value: float) -> dict[int, float]:
    """Return by how much the logarithm of a measure differs from that of a value, for the answers that have one."""
    values = {i: measured(answer, name) for i, answer in answers.items() if isinstance(answer, Answer)}
    return {i: math.log(other / value) for i, other in values.items() if 0 < other < math.inf}


def measured(answer: Answer, name: str) -> float:
    """Return what leads an answer, the mean over its replications."""
    return answer.duration if name == "duration" else fmean(answer.leading.get(name, (0.0,)))


def scenario_drawn(loaded: Loaded[Scenario], drawn: Sequence[Knob], deviations: Sequence[float]) -> Scenario | None:
    """Return the scenario with its assumed numbers drawn; nearer to the likely ones where they do not go together."""
    variants = loaded.variants()
    for part in (1.0, 0.5):
        settings = {
            number.key: number.text(part * deviation)
            for knob, deviation in zip(drawn, deviations, strict=True)
            for number in knob.numbers
        }
        try:
            return variants.scenario(settings)
        except ProblemError:
            continue
    return None
