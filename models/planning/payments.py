"""What is paid when, and what that is worth now: machines that are bought again, and what is paid all the time."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date


@dataclass(frozen=True, slots=True)
class Purchase:
    """Servers that come `after` so many years, on a day.

    `capital` is paid when they come, `once` too, but not again when they are replaced, `running` a year from then on.
    """

    name: str
    day: date | None
    after: float
    capital: float
    running: float
    once: float = 0.0

    def paid(self, years: float, terms: Terms) -> float:
        """Return what is paid for them within so many years, less what they are then worth."""
        if years <= self.after:
            return 0.0
        machines = sum(self._machines(start, years, terms) for start in self._starts(years, terms.life))
        return machines + self.once * terms.worth(self.after) + self.running * terms.integral(self.after, years)

    def alone(self, start: float, years: float, terms: Terms) -> float:
        """Return what is paid within so many years for them as they come at another time, and are not replaced.

        They go when they are written off; their price has declined since `after`.
        """
        kept = self.running * terms.integral(start, min(start + terms.life, years))
        return self._machines(start, years, terms) + self.once * terms.worth(start) + kept

    def _machines(self, start: float, years: float, terms: Terms) -> float:
        """Return the price of machines that come at a time, less what they are worth when they go or all ends."""
        capital = self.capital * math.pow(1 - terms.price_decline, start - self.after)
        end = min(start + terms.life, years)
        sold = capital * math.pow(terms.residual_value, (end - start) / terms.life)
        return capital * terms.worth(start) - sold * terms.worth(end)

    def _starts(self, years: float, life: float) -> Iterator[float]:
        for number in range(max(math.ceil((years - self.after) / life - 1e-9), 1)):
            yield self.after + number * life


@dataclass(frozen=True, slots=True)
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
