"""What to buy in which quarter: the purchases of least net present cost under which there are always enough servers.

    least    sum over q of cost(q) x bought(q) + order x ordered(q)
    so that  alive(q) + sum of bought(p), q - life < p <= q, >= needed(q)    in every quarter q
             bought(q) = 0 before what is ordered at the start has come

bought(q) are whole servers that come at the start of quarter q; alive(q) those of the start until they are written off;
cost(q) the net present cost of one until it is written off or the horizon ends, less what it is then worth. Refreshing
old servers is part of it: what is written off has to be replaced as far as it is still needed.

It is solved exactly, as an integer program (branch and cut of HiGHS, by scipy.optimize.milp). Without a price of an
order this buys just what is missing while prices fall, and ahead while they rise; with one it is the lot sizing of
Wagner and Whitin, Dynamic version of the economic lot size model, 1958, for machines that are written off.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date

import numpy as np

from models.planning.payments import Purchase, Terms
from models.problem import refusal
from simulator.studies.growth import Moving

QUARTERS = 4
"""Quarters of a year."""

TOO_LATE = "lead_time"
"""The key by which it is refused that nothing which is ordered can be there in time."""


@dataclass(frozen=True, slots=True)
class Need:
    """Servers that are needed from a day until the next quarter, and the requirement that fewer would miss."""

    day: date
    servers: int
    cause: str


@dataclass(frozen=True, slots=True)
class Quarter:
    """What is bought in a quarter, for when it has to be ordered, and how many servers there are then.

    `written_off` are those that go at its start; `paid` is for what comes, at the prices of that day, and `moving` how
    data moves onto it, None where none does.
    """

    need: Need
    order_by: date | None
    bought: int
    written_off: int
    servers: int
    paid: float
    moving: Moving | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PurchasePlan:
    """What is bought when. `present` is the net present cost over the `years`, with the servers of the start.

    `at_once` is that of buying at the start, and again when those are written off, all that will ever be needed.
    Of the `initial` servers `owned` are not bought. `beside` is the net present cost of what they need beside them and
    of all that does not grow; it comes on top.
    """

    quarters: tuple[Quarter, ...]
    initial: int
    present: float
    paid: float
    at_once: float
    years: float
    currency: str
    beside: float = 0.0
    owned: int = 0

    def added(self) -> Iterator[tuple[date, int]]:
        """Yield the days on which there are more servers than ever before, and how many more."""
        most = self.initial
        for quarter in self.quarters:
            if quarter.servers > most:
                yield quarter.need.day, quarter.servers - most
                most = quarter.servers


@dataclass(frozen=True, slots=True, kw_only=True)
class Offer:
    """What servers cost: one that comes after so many years, an order, and how long it takes until it is there.

    `one` is what one costs at the start, and a year. `lead` are quarters. Of the servers of the start so many are
    `owned`, which are not bought.
    """

    one: Purchase
    terms: Terms
    order: float
    lead: int
    lot: int
    currency: str
    owned: int = 0

    def at_start(self, count: int, paid: Callable[[Purchase], float]) -> float:
        """Return what is paid for so many servers that are there or come at the start."""
        owned = min(self.owned, count)
        there = replace(self.one, once=0.0, is_owned=True)
        return owned * paid(there) + (count - owned) * paid(self.one)


def purchases(needs: Sequence[Need], orders: Sequence[date], initial: int, offer: Offer) -> PurchasePlan:
    """Return the purchases of least net present cost; `orders` are the days on which each quarter's is ordered.

    Raises:
        RefusalError: what is needed first cannot be there in time.
    """
    for need in needs[: offer.lead]:
        if need.servers > initial:
            raise refusal(
                TOO_LATE,
                f"{need.servers} servers are needed by {need.day}, before what is ordered at the start has come",
                f"begin with {need.servers}, or shorten the time of delivery",
                value=f"{initial} servers at the start",
            )
    life = max(round(offer.terms.life * QUARTERS), 1)
    costs = [_cost(offer, number, len(needs)) for number in range(len(needs))]
    bought = _least(needs, initial, life, costs, offer)
    quarters = tuple(_quarters(needs, orders, bought, initial, life, offer))
    years = len(needs) / QUARTERS
    fixed = [offer.order * offer.terms.worth(i / QUARTERS) for i, count in enumerate(bought) if count]
    there = offer.at_start(initial, lambda one: one.alone(0.0, years, offer.terms))
    present = there + sum(map(float.__mul__, map(float, bought), costs)) + sum(fixed)
    most = max(need.servers for need in needs)
    at_once = offer.at_start(most, lambda one: one.paid(years, offer.terms))
    paid = offer.at_start(initial, lambda one: one.upfront - one.once) + sum(quarter.paid for quarter in quarters)
    return PurchasePlan(
        quarters=quarters,
        initial=initial,
        present=present,
        paid=paid,
        at_once=at_once,
        years=years,
        currency=offer.currency,
        owned=min(offer.owned, initial),
    )


def _cost(offer: Offer, number: int, count: int) -> float:
    """Return the net present cost of a server that comes in a quarter, until it is written off or all ends."""
    return offer.one.alone(number / QUARTERS, count / QUARTERS, offer.terms)


def _least(needs: Sequence[Need], initial: int, life: int, costs: Sequence[float], offer: Offer) -> list[int]:
    """Return how many servers come in each quarter."""
    from scipy.optimize import Bounds, LinearConstraint, milp

    count = len(needs)
    most = math.ceil(max(need.servers for need in needs) / offer.lot)
    alive = np.zeros((count, 2 * count))
    for i in range(count):
        alive[i, max(i - life + 1, 0) : i + 1] = offer.lot
    least = [need.servers - (initial if i < life else 0) for i, need in enumerate(needs)]
    ordered = np.hstack([np.eye(count), -most * np.eye(count)])
    can_come = [0.0 if i < offer.lead else float(most) for i in range(count)]
    solution = milp(
        [cost * offer.lot for cost in costs] + [offer.order * offer.terms.worth(i / QUARTERS) for i in range(count)],
        constraints=[LinearConstraint(alive, lb=least), LinearConstraint(ordered, ub=np.zeros(count))],
        integrality=np.ones(2 * count),
        bounds=Bounds(np.zeros(2 * count), [*can_come, *np.ones(count)]),
        options={"mip_rel_gap": 0.0},
    )
    if solution.x is None:
        raise refusal(TOO_LATE, "nothing that is ordered can be there in time", "begin with more servers")
    return [round(float(value)) * offer.lot for value in solution.x[:count]]


def _quarters(
    needs: Sequence[Need], orders: Sequence[date], bought: Sequence[int], initial: int, life: int, offer: Offer
) -> list[Quarter]:
    quarters = []
    for i, need in enumerate(needs):
        gone = bought[i - life] if i >= life else 0
        gone += initial if i == life else 0
        there = sum(bought[max(i - life + 1, 0) : i + 1]) + (initial if i < life else 0)
        capital = offer.one.capital * math.pow(1 - offer.terms.price_decline, i / QUARTERS)
        paid = bought[i] * (capital + offer.one.once) + (offer.order if bought[i] else 0.0)
        quarters.append(Quarter(need, orders[i] if bought[i] else None, bought[i], gone, there, paid))
    return quarters
