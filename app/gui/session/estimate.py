"""What can be said of a scenario without running it: closed forms that follow each keystroke. Knows no Qt.

The time is a lower bound, not a prediction: nothing waits, seeks or fails in it.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from app.reports import cost_section, words
from models.planning.bill import bill
from models.planning.bounds import least_duration, nameplate
from models.planning.capacity import capacity
from models.planning.cost import Cost
from models.planning.survival import Survival, survives
from models.problem import RefusalError
from models.scenario import Scenario
from models.units import format


@dataclass(frozen=True, slots=True, kw_only=True)
class Estimate:
    """Bounds and sums: the least duration (s, 0 where no closed form is known) and what says so, bytes, USD a year."""

    least_duration: float
    reason: str
    raw: float
    usable: float
    needed: float
    fits: bool
    cost: Cost | None
    survival: Survival | None
    drive_rate: float | None

    @property
    def headline(self) -> str:
        """The time in words, said to be what it is."""
        if not self.least_duration:
            return "no closed form for this kind of work: run it"
        return f"at least {words.duration(self.least_duration)}: {self.reason}"

    @property
    def rows(self) -> list[tuple[str, str]]:
        """Everything as (label, words)."""
        room = f"needs {_size(self.needed)} of {_size(self.raw)} raw, {_size(self.usable)} usable"
        rows = [("Duration", self.headline), ("Room", room if self.fits else f"too little: {room}")]
        if self.drive_rate:
            rows.append(("Drives read", f"at most {format(self.drive_rate, 'B/s', 3)} together, nameplate"))
        if self.survival:
            rows += _survival(self.survival)
        rows.append(("Cost", "no price list: set prices" if self.cost is None else cost_section.summary(self.cost)))
        return rows


def estimate(scenario: Scenario) -> Estimate:
    """Return what follows from a scenario alone."""
    bound, plan, plate = least_duration(scenario), capacity(scenario), nameplate(scenario)
    return Estimate(
        least_duration=bound.seconds,
        reason=bound.reason,
        raw=plan.raw,
        usable=plan.usable,
        needed=plan.needed,
        fits=plan.is_enough,
        cost=bill(scenario),
        survival=_survives(scenario),
        drive_rate=plate.read_rate if plate else None,
    )


def _survives(scenario: Scenario) -> Survival | None:
    try:
        return survives(scenario)
    except RefusalError:  # a storage system whose placement is not modelled
        return None


def _survival(survival: Survival) -> list[tuple[str, str]]:
    return [("Survives reading", survival.reading), ("Survives writing", survival.writing)]


def _size(size: float) -> str:
    return "unlimited" if math.isinf(size) else format(size, "B", 3)
