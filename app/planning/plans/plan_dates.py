"""On which day a requirement is first missed: as the data grows, or from the first day on where nothing grows."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, timedelta

from models.planning.growth import add_months
from models.planning.sheet import Required, Requirements

HoldsOn = Callable[[date], bool | None]
"""Tells by a run whether a requirement is met with the data of a day; None where such a run has no answer."""


def first_missed(required: Required, requirements: Requirements, effective: float, holds_on: HoldsOn) -> date | None:
    """Return the first day on which what is missed on the fullest one is missed; None if that is not known.

    Room is a closed form, to the day, with `effective` bytes. A job that grows is simulated with the data of some
    months, which are bisected; it is taken to become slower. What does not grow is missed from the start.
    """
    if required.target.measure == "effective":
        return _full(requirements, effective)
    grows = {demand.name for demand in requirements.workloads if demand.grows}
    if required.workload not in grows:
        return requirements.start
    return _bisected(requirements, holds_on)


def _full(requirements: Requirements, effective: float) -> date:
    day = requirements.start
    while day < requirements.fullest and requirements.stored_at(day) <= effective:
        day += timedelta(days=1)
    return day


def _bisected(requirements: Requirements, holds_on: HoldsOn) -> date | None:
    holds = holds_on(requirements.start)
    if not holds:
        return requirements.start if holds is False else None
    low, high = 0, _months_until_fullest(requirements)
    while high - low > 1:
        middle = (low + high) // 2
        holds = holds_on(add_months(requirements.start, middle))
        if holds is None:
            return None
        low, high = (middle, high) if holds else (low, middle)
    return add_months(requirements.start, high)


def _months_until_fullest(requirements: Requirements) -> int:
    months = range(1, requirements.months)
    until = (count for count in months if add_months(requirements.start, count) >= requirements.fullest)
    return next(until, requirements.months)
