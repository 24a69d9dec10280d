"""What is asked of a rented store over the years, and what amounts that change with time come to."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from models.planning.growth import Growth
from models.planning.payments import Terms
from models.planning.prices import Traffic
from models.values import value

SLICES = 12
"""Parts of a year over which what grows in a rented store is summed up: it is billed by the month."""

NOTHING = Traffic()

Stock = Callable[[float], float]
"""Bytes in a rented store after so many years."""


@value()
class Grown:
    """An amount over the years: data as it grows from that of the start (B), `times` and `over` a number.

    A class, and no function in a function, so that what holds one can be sent to another process.
    """

    stored: float
    growth: Growth | None = None
    times: float = 1.0
    over: float = 1.0

    def __call__(self, years: float) -> float:
        """Return the amount after so many years."""
        data = self.stored if self.growth is None else self.growth.data_after(years, self.stored)
        return data * self.times / self.over


@value()
class Demanded:
    """What is asked of a rented store a second, as a mean: all the time alike, and by jobs that grow, at the start.

    `factor` says how many times as much these ask after so many years.
    """

    steady: Traffic = NOTHING
    growing: Traffic = NOTHING
    factor: Callable[[float], float] | None = None

    def plus(self, other: Demanded) -> Demanded:
        """Return this demand and another together, which grows alike."""
        return replace(self, steady=self.steady.plus(other.steady), growing=self.growing.plus(other.growing))


def mean_worth(amount: Callable[[float], float], start: float, end: float, terms: Terms) -> float:
    """Return the mean of what changes over time between two times in years, each month as it is worth now."""
    years = end - start
    slices = max(round(years * SLICES), 1)
    middles = [start + (i + 0.5) * years / slices for i in range(slices)]
    return sum(amount(middle) * terms.worth(middle) for middle in middles) / slices
