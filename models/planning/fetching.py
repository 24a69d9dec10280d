"""What workloads fetch from rented stores that are not the one they write to, and what these ask for it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from models.planning.payments import Purchase
from models.planning.prices import GIGABYTE, Prices
from models.units import format
from models.values import value


@value()
class Fetched:
    """Bytes that a workload (of many: by name) fetches from a rented store of a class: once, or `a_year` so often.

    Where it `grows`, they are those of the start. `is_over_line`: they leave the site of the store.
    """

    workload: str
    amount: float
    rented_as: str
    a_year: float = 0.0
    grows: bool = False
    is_over_line: bool = False

    @property
    def title(self) -> str:
        """What it is in a bill."""
        return f"data fetched by {self.workload}" if self.workload else "data fetched"


def leaving(prices: Prices, fetched: Iterable[Fetched]) -> Iterator[tuple[Purchase, str]]:
    """Yield what leaves rented stores and has a price, as it is paid, with how that comes about."""
    for one in fetched:
        store = prices.store(one.rented_as)
        due = store.fetched(one.amount, is_over_line=one.is_over_line) if store is not None else 0.0
        if due:
            often = f"{one.a_year:.4g} times a year" if one.a_year else "once"
            often += ", at the start: it grows" if one.grows else ""
            rate = f"{due / one.amount * GIGABYTE:.4g} {prices.currency} a GB"
            paid = Purchase(one.title, None, 0.0, 0.0, due * one.a_year, 0.0 if one.a_year else due)
            yield paid, f"{format(one.amount, 'B')} at {rate}, {often}"
