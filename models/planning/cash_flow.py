"""What is paid in which year: the cost over some years, year by year, and what each year is worth at the start.

    year i     from i - 1 to i years after the start; the last one may be shorter
    bought     machines that come in it, at prices that have declined, and what is paid for them once
    running    what is paid for them all the time: power, space, maintenance, licences, people, rent
    sold       what machines that go in it are then worth; at the end all go

The sums over all years are `Cost.over` and `Cost.present` (models/planning/cost.py has the terms).
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from models.planning.cost import Cost
from models.planning.payments import Purchase, Terms

CLOSE = 1e-9  # years within which two times are the same


@dataclass(frozen=True, slots=True)
class Payment:
    """What is paid at once, `after` so many years; negative for what is got for machines that go."""

    after: float
    amount: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Year:
    """What is paid in a year that ends so many years after the start; `present` is worth now what all of it is."""

    start: float
    end: float
    bought: float
    running: float
    sold: float
    present: float

    @property
    def paid(self) -> float:
        """What is paid in it, less what is got for machines."""
        return self.bought + self.running - self.sold


def cash_flow(cost: Cost, years: float) -> list[Year]:
    """Return what is paid in each of so many years."""
    return [_year(cost, years, start, min(start + 1.0, years)) for start in map(float, range(math.ceil(years - CLOSE)))]


def payments(purchase: Purchase, years: float, terms: Terms) -> tuple[list[Payment], list[Payment]]:
    """Return what is paid for machines when they come, and what they are worth when they go, within so many years."""
    if years <= purchase.after:
        return [], []
    bought, sold = [Payment(purchase.after, purchase.once)] if purchase.once else [], list[Payment]()
    for number in range(purchase.is_owned, max(math.ceil((years - purchase.after) / terms.life - CLOSE), 1)):
        start = purchase.after + number * terms.life
        end = min(start + terms.life, years)
        capital = purchase.capital * math.pow(1 - terms.price_decline, start - purchase.after)
        bought.append(Payment(start, capital))
        sold.append(Payment(end, capital * math.pow(terms.residual_value, (end - start) / terms.life)))
    return bought, sold


def _year(cost: Cost, years: float, start: float, end: float) -> Year:
    terms = cost.terms
    every = [payments(purchase, years, terms) for purchase in cost.purchases]
    bought = list(_between([payment for come, _ in every for payment in come], start, end))
    sold = list(_between([payment for _, go in every for payment in go], start, end, is_end=True))
    still = terms.undiscounted()
    return Year(
        start=start,
        end=end,
        bought=sum(payment.amount for payment in bought),
        running=_running(cost, start, end, still),
        sold=sum(payment.amount for payment in sold),
        present=_worth(bought, terms) - _worth(sold, terms) + _running(cost, start, end, terms),
    )


def _between(flows: Sequence[Payment], start: float, end: float, *, is_end: bool = False) -> Iterator[Payment]:
    """Yield what is paid from a time until another: what is paid at a limit counts as before it if it `is_end`."""
    shift = CLOSE if is_end else -CLOSE
    return (payment for payment in flows if start + shift < payment.after <= end + shift)


def _worth(flows: Sequence[Payment], terms: Terms) -> float:
    return sum(payment.amount * terms.worth(payment.after) for payment in flows)


def _running(cost: Cost, start: float, end: float, terms: Terms) -> float:
    machines = sum(purchase.kept(start, end, terms) for purchase in cost.purchases)
    return machines + cost.rented(start, end, terms)
