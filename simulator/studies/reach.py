"""How far fits lie apart that are as good as each other: the most that a number comes to which the same fit tells.

From a fit, its numbers go step by step to where what they tell grows most, as long as the squares of the errors sum up
to no more than is allowed: along a valley where there is one. Each step is the best by the slopes, within a distance
that they were found to be right for; where errors grow as the valley bends, they are brought down again before the step
is given up. Slopes are difference quotients where a walk begins and where it would end, with Broyden's updates in
between. Where errors and what is told are linear, the walk ends at the edge of the ellipsoid of fits that are as good:
the prediction differs by the root of its leverage times the root of what is allowed.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Measure = Callable[[Sequence[Floats]], tuple[Floats, Floats]]
"""Returns, for some points, a row of errors each, and what each tells, as a logarithm."""

SLOPE_STEP = 0.02
"""Step of the difference quotients in the logarithm, as in the search of fits."""
STEPS, CORRECTIONS = 24, 2
"""Steps of a walk at most, and corrections of each. Assumption: a valley of three decades is walked in five steps, and
bends a few times."""
FIRST, LEAST_TRUST = float(np.log(2.0)), 1e-3
"""How far slopes are trusted, in the logarithm: at first, by a factor of two, and where a walk gives up. Assumption."""
WORTH = 0.005
"""Part of what is told by which a step must promise more, or the walk ends. Assumption: a tenth of the least error that
a family of outcomes is allowed, and less than waves of tasks make it jump."""
AIM = 0.98
"""Part of the allowed sum of squares that a step aims at, so that rounding does not make it miss. Assumption."""
HELD = 1e-2
"""Weight of standing still beside the errors in a correction. Assumption: it decides only where errors feel nothing."""


@dataclass(frozen=True, slots=True)
class _Local:
    """What is known at a point: the errors, what it tells, and the slopes of both in each number."""

    logs: Floats
    misses: Floats
    told: float
    slopes: Floats
    rise: Floats

    def stepped(self, moved: Floats, measure: Measure) -> _Local:
        """Return what is found a step away, with slopes that agree with it."""
        rows, tells = measure([self.logs + moved])
        misses, told, along = rows[0], float(tells[0]), moved / (moved @ moved)
        slopes = self.slopes + np.outer(misses - self.misses - self.slopes @ moved, along)
        rise = self.rise + (told - self.told - self.rise @ moved) * along
        return _Local(self.logs + moved, misses, told, slopes, rise)


def furthest(measure: Measure, start: Floats, low: Floats, high: Floats, allowed: float, way: int) -> float:
    """Return the greatest value that is told inside the bounds where errors are as good as `allowed`, a sum of squares.

    The walk begins at `start`, where they are, and goes up for a `way` of 1, down to the least for -1.
    """
    here, trust = _local(start, measure, high), FIRST
    taken_at = here.logs
    for _ in range(STEPS):
        moved = _step(here, way, allowed, np.maximum(low - here.logs, -trust), np.minimum(high - here.logs, trust))
        if trust < LEAST_TRUST or way * here.rise @ moved < WORTH:
            if taken_at is here.logs:
                break
            here, trust = _local(here.logs, measure, high), FIRST
            taken_at = here.logs
            continue
        there = here.stepped(moved, measure)
        for _ in range(CORRECTIONS):
            back = _correction(there, low, high)
            if there.misses @ there.misses <= allowed or not back.any():
                break
            there = there.stepped(back, measure)
        if there.misses @ there.misses <= allowed and way * (there.told - here.told) > 0:
            here, trust = there, 2 * trust
        else:
            here, trust = replace(here, slopes=there.slopes, rise=there.rise), float(np.abs(moved).max()) / 2
    return here.told


def _local(logs: Floats, measure: Measure, high: Floats) -> _Local:
    steps = np.where(logs + SLOPE_STEP > high, -SLOPE_STEP, SLOPE_STEP)
    misses, told = measure([logs, *(logs + np.diag(steps))])
    return _Local(logs, misses[0], float(told[0]), (misses[1:] - misses[0]).T / steps, (told[1:] - told[0]) / steps)


def _correction(there: _Local, low: Floats, high: Floats) -> Floats:
    """Return the step inside the bounds that makes errors least by the slopes, while it keeps what is told."""
    from scipy.optimize import lsq_linear  # imported late, as below: only fits need it

    rows = np.vstack((there.slopes, there.rise, HELD * np.eye(len(low))))
    aims = np.concatenate((-there.misses, np.zeros(1 + len(low))))
    step: Floats = lsq_linear(rows, aims, bounds=(low - there.logs, high - there.logs), method="bvls").x
    return np.clip(step, low - there.logs, high - there.logs)


def _step(here: _Local, way: int, allowed: float, low: Floats, high: Floats) -> Floats:
    """Return the step between two bounds that changes most what is told, by slopes, and keeps the errors as good."""
    from scipy.optimize import minimize

    def room(moved: Floats) -> float:
        misses = here.misses + here.slopes @ moved
        return float(AIM - misses @ misses / allowed)

    def change(moved: Floats) -> Floats:
        slopes: Floats = -2 * here.slopes.T @ (here.misses + here.slopes @ moved) / allowed
        return slopes

    best = minimize(
        lambda moved: -way * here.rise @ moved,
        np.zeros(len(low)),
        jac=lambda _: -way * here.rise,
        bounds=list(zip(low, high, strict=True)),
        constraints={"type": "ineq", "fun": room, "jac": change},
        method="SLSQP",
        options={"maxiter": 200, "ftol": 1e-9},
    )
    step: Floats = np.clip(best.x, low, high)
    return step
