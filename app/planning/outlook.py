"""How sure a capacity plan is: what assumed numbers do to what a cluster holds and to the day on which it is full.

Nothing is simulated: the closed forms are worked out again for each draw, and most of the draws lie between two ends.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from datetime import date
from typing import TypeVar

from app.planning.assumptions import knobs
from app.planning.drawing import scenario_drawn
from app.planning.loading import Chosen
from app.planning.predicting import ledger
from app.reports.capacity_report import Outlook
from models.planning.calibration import LEVEL
from models.planning.capacity import capacity
from models.planning.growth import grow
from models.planning.prediction import Knob, design, spread
from models.problem import RefusalError
from models.scenario import Scenario

T = TypeVar("T", float, date)
DRAWS = 48
"""Least draws of what is assumed. Assumption: a tenth of them, at either end, are five."""
APART = 2
"""Draws for each number, by which what it does is told from the others. Assumption: a few draws do not go together."""
BESIDE = ("profile", "prices", "failures")
"""Parts of a profile of which a capacity plan takes no notice."""


def outlook(chosen: Chosen) -> Outlook | None:
    """Return between what a capacity and its last day lie; None where that cannot be told.

    It cannot where nothing is assumed, the store has no limit, or no numbers that are drawn go together.
    """
    held = capacity(chosen.scenario).effective
    assumed = knobs(chosen.loaded, BESIDE)
    if not assumed or not 0 < held < math.inf:
        return None
    deviations = design(enough(assumed), assumed)
    drawn = [scenario_drawn(chosen.loaded, assumed, row) for row in deviations]
    by_row = {
        i: worked for i, scenario in enumerate(drawn) if scenario is not None and (worked := _worked_out(scenario))
    }
    changes = {i: math.log(effective / held) for i, (effective, _, _) in by_row.items() if effective}
    if not changes:
        return None
    effect = spread(assumed, deviations[list(changes)], list(changes.values()))
    low, high = _ends([effective for effective, _, _ in by_row.values()])
    days = _ends([day or date.max for _, day, _ in by_row.values()])
    empty = [limit for effective, _, limit in by_row.values() if not effective]
    return Outlook(
        level=LEVEL,
        low=min(low, held),
        high=max(high, held),
        days=days if chosen.scenario.growth else None,
        draws=len(by_row),
        empty=len(empty),
        empty_by=max(empty, key=empty.count, default=""),
        assumptions=tuple(ledger(assumed, assumed, effect, effect.variance)),
    )


def enough(assumed: Sequence[Knob]) -> int:
    """Return how many draws tell numbers apart, in doublings: few numbers more leave all draws as they are."""
    doublings = math.ceil(math.log2(max(APART * len(assumed), DRAWS) / DRAWS))
    return int(DRAWS * 2**doublings)


def _worked_out(scenario: Scenario) -> tuple[float, date | None, str] | None:
    """Return what a cluster holds, the day on which it is full, and what limits it; None for numbers at odds."""
    try:
        full = grow(scenario).full if scenario.growth else None
        plan = capacity(scenario)
    except RefusalError:
        return None
    return plan.effective, full.day if full else None, plan.limit


def _ends(values: Sequence[T]) -> tuple[T, T]:
    ordered = sorted(values)
    outside = round((1 - LEVEL) / 2 * len(ordered))
    return ordered[outside], ordered[-1 - outside]
