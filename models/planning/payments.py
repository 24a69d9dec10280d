"""What is paid when, and what that is worth now: machines that are bought again, and what is paid all the time."""

from __future__ import annotations

import math
from collections.abc import Iterator
from datetime import date
from itertools import islice

from models.values import value


@value()
class Purchase:
    """Servers that come `after` so many years, on a day.

    `capital` is paid when they come, `once` too, but not again when they are replaced. A year from then on costs
    `running`, and `maintenance`, which is a part of the price and so declines with it: machines that come later, or in
    place of these, are maintained for less. What `is_owned` was paid for before and is sold for nothing; what replaces
    it is bought.
    """

    name: str
    day: date | None
    after: float
    capital: float
    running: float
    once: float = 0.0
    maintenance: float = 0.0
    is_owned: bool = False

    @property
    def upfront(self) -> float:
        """What is paid when they come."""
        return self.once if self.is_owned else self.capital + self.once

    @property
    def per_year(self) -> float:
        """What a year costs while these machines run."""
        return self.running + self.maintenance

    def spread(self, life: float) -> float:
        """Return what a year costs beside the machines, with what is paid once spread over so many years."""
        return self.running + self.once / life

    def paid(self, years: float, terms: Terms) -> float:
        """Return what is paid for them within so many years, less what they are then worth."""
        if years <= self.after:
            return 0.0
        bought = islice(self.lives(years, terms), self.is_owned, None)
        machines = sum(self._machines(start, years, terms) for start, _ in bought)
        return machines + self.once * terms.worth(self.after) + self.kept(self.after, years, terms)

    def alone(self, start: float, years: float, terms: Terms) -> float:
        """Return what is paid within so many years for them as they come at another time, and are not replaced.

        They go when they are written off; their price has declined since `after`.
        """
        a_year = self.running + self.maintenance * self.declined(start, terms)
        kept = a_year * terms.integral(start, min(start + terms.life, years))
        machines = 0.0 if self.is_owned else self._machines(start, years, terms)
        return machines + self.once * terms.worth(start) + kept

    def kept(self, start: float, end: float, terms: Terms) -> float:
        """Return what is paid between two times for machines that run, and for those that replace them."""
        start = max(start, self.after)
        if end <= start:
            return 0.0
        shares = sum(
            self.declined(come, terms) * terms.integral(max(come, start), min(go, end))
            for come, go in self.lives(end, terms)
            if go > start
        )
        return self.running * terms.integral(start, end) + self.maintenance * shares

    def declined(self, start: float, terms: Terms) -> float:
        """Return what a machine costs that comes at a time, as a part of what it costs `after` so many years."""
        return math.pow(1 - terms.price_decline, start - self.after)

    def _machines(self, start: float, years: float, terms: Terms) -> float:
        """Return the price of machines that come at a time, less what they are worth when they go or all ends."""
        capital = self.capital * self.declined(start, terms)
        end = min(start + terms.life, years)
        sold = capital * math.pow(terms.residual_value, (end - start) / terms.life)
        return capital * terms.worth(start) - sold * terms.worth(end)

    def lives(self, years: float, terms: Terms) -> Iterator[tuple[float, float]]:
        """Yield when machines come within so many years and when they go: these, and those that replace them."""
        for number in range(max(math.ceil((years - self.after) / terms.life - 1e-9), 1)):
            yield self.after + number * terms.life, self.after + (number + 1) * terms.life


@value()
class Terms:
    """How money counts over time: `life` of machines (years), and parts a year."""

    life: float
    discount_rate: float = 0.0
    price_decline: float = 0.0
    residual_value: float = 0.0

    def worth(self, years: float) -> float:
        """Return what a unit of money paid after so many years is worth now."""
        return math.exp(-math.log1p(self.discount_rate) * years)

    def integral(self, start: float, end: float) -> float:
        """Return what a unit of money a year, paid all the time between two times, is worth now."""
        rate = math.log1p(self.discount_rate)
        return (self.worth(start) - self.worth(end)) / rate if rate else end - start

    def undiscounted(self) -> Terms:
        """Return the terms under which money is worth the same at any time."""
        return Terms(self.life, 0.0, self.price_decline, self.residual_value)
