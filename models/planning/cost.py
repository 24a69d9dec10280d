"""What a scenario costs: machines bought or rented, power, space, people, and what a cloud store asks.

    bought      capital when it is bought, less the discount, and again each time it is written off; maintenance a year,
                a part of what was paid for it. What is owned at the start is bought when that is written off, as if it
                had come then
                A machine that is t years old is worth capital x residual ^ (t / life), which counts when it is sold
    rented      hourly price x hours of a year, or the part of them in which machines are up that keep no data
    power       watts under load x usage effectiveness x price of energy. Assumption: always under load
    space       rack units x price
    licences    once or a year, by server, core, TB of drives or cluster; people a year
    fetched     bytes that leave another rented store, once or as often as the workload comes that fetches them
    a job       the yearly cost of all machines x the job's share of a year, as nothing else runs meanwhile, and the
                requests that it sends to a rented store

A cost over some years is what is paid until then: servers that growth adds are bought on their day, at prices that have
declined, with the switches and spare parts that they need, and run from it on. The net present cost counts what is paid
after t years by (1 + discount rate)^-t; what is paid all the time is an integral of it.

Source of the sums: the usual definitions of net present value and of declining-balance depreciation, such as Brealey,
Myers and Allen, Principles of Corporate Finance.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Protocol

from models.failures import Failures
from models.hardware.cluster import Cluster
from models.planning.beside import Beside, beside
from models.planning.components import Composition, composition
from models.planning.demand import Demanded, Stock, mean_worth
from models.planning.fetching import Fetched, leaving
from models.planning.growth import Growth
from models.planning.lots import Lot, lots
from models.planning.payments import Purchase, Terms
from models.planning.prices import CloudStorePrice, Licence, Prices, Traffic
from models.units import HOUR, MONTH, YEAR
from models.values import value

TERABYTE = 1e12

BESIDE = "network and spare parts"
"""What is bought beside the servers, in a bill."""
KEPT = "bytes that a rented store keeps (add prices.object_store)"
"""What has no price where a list does not know a rented store."""


class Priced(Protocol):
    """What cost asks of a scenario."""

    @property
    def cluster(self) -> Cluster:
        """All servers."""
        ...

    @property
    def prices(self) -> Prices | None:
        """The price list, None without one."""
        ...

    @property
    def growth(self) -> Growth | None:
        """How data and cluster grow, None if they do not."""
        ...

    @property
    def failures(self) -> Failures | None:
        """How often drives fail, None where that is not stated."""
        ...

    def growing_group(self) -> str:
        """Return the group that grows when an expansion names none."""
        ...


@value()
class CostItem:
    """One line of a bill: what it comes to a year, and how it comes about."""

    name: str
    per_year: float
    basis: str


@value(kw_only=True)
class Cost:
    """The bill of a scenario in a `currency`; `power` in W, with the building's share. `unpriced` has no price.

    `items` and what follows from them are of the servers that are there at the start, with machines spread over the
    `years` in which they are written off. `purchases` are those at the start, and what growth adds. `asked` is a year
    of requests to a rented store and of bytes out of it at the start; its part `growing` becomes `factor` times as much
    with the years. `leaving` is paid for what leaves other ones and stands among the purchases, too. `carbon` is kg of
    CO2 a year, always under load. `spared` is what rented machines that are not always up save a year.
    """

    items: tuple[CostItem, ...]
    purchases: tuple[Purchase, ...]
    power: float
    rack_units: float
    servers: int
    terms: Terms
    date: str
    unpriced: tuple[str, ...]
    currency: str = "USD"
    store: CloudStorePrice | None = None
    stock: Stock | None = None
    asked: float = 0.0
    growing: float = 0.0
    factor: Callable[[float], float] | None = None
    leaving: tuple[Purchase, ...] = ()
    carbon: float | None = None
    horizon: float | None = None
    spared: float = 0.0

    @property
    def years(self) -> float:
        """Years over which machines are written off."""
        return self.terms.life

    @property
    def told(self) -> float:
        """Years over which it is told: its `horizon`, or those over which machines are written off."""
        return self.horizon or self.years

    @property
    def capital(self) -> float:
        """What is to be paid at the start."""
        return sum(purchase.upfront for purchase in self.purchases if not purchase.after)

    @property
    def per_year(self) -> float:
        """What it costs a year."""
        return sum(item.per_year for item in self.items)

    def over(self, years: float) -> float:
        """Return what is paid from the start until `years` later, less what machines are then worth."""
        return self._paid(years, self.terms.undiscounted())

    def present(self, years: float) -> float:
        """Return the net present cost of what is paid until `years` later."""
        return self._paid(years, self.terms)

    def per_terabyte_month(self, usable: float) -> float:
        """Return the price of a usable terabyte in a month, with `usable` bytes in all."""
        return self.per_year / (YEAR / MONTH) / (usable / TERABYTE)

    def per_job(self, duration: float, traffic: Traffic | None = None) -> float:
        """Return the price of the machines while a job of `duration` seconds has them for itself, and its requests."""
        sent = self.store.asked(traffic) if self.store is not None and traffic is not None else 0.0
        fetched = sum(one.spread(self.years) for one in self.leaving)
        return (self.per_year - self.asked - fetched + self.spared) * duration / YEAR + sent

    def requested(self, years: float) -> float:
        """Return what rented stores ask within so many years for requests and for what leaves them."""
        terms = self.terms.undiscounted()
        return self._requests(0.0, years, terms) + sum(one.paid(years, terms) for one in self.leaving)

    def rented(self, start: float, end: float, terms: Terms) -> float:
        """Return what a rented store asks between two times in years: for bytes kept and for requests."""
        return self._kept(start, end, terms) + self._requests(start, end, terms)

    def _paid(self, years: float, terms: Terms) -> float:
        machines = sum(purchase.paid(years, terms) for purchase in self.purchases)
        return machines + self.rented(0.0, years, terms)

    def _kept(self, start: float, end: float, terms: Terms) -> float:
        if self.store is None or self.stock is None:
            return 0.0
        mean = mean_worth(self.stock, start, end, terms)
        return self.store.kept(mean) * (end - start)

    def _requests(self, start: float, end: float, terms: Terms) -> float:
        steady = self.asked * terms.integral(start, end)
        if not self.growing or self.factor is None:
            return steady
        grown = mean_worth(self.factor, start, end, terms) * (end - start)
        return steady + self.growing * (grown - terms.integral(start, end))


def cost(
    scenario: Priced,
    stock: Stock | None = None,
    demanded: Demanded | None = None,
    rented_as: str = "",
    is_outside: bool = False,
    fetched: Sequence[Fetched] = (),
    rented_part: float = 1.0,
    always: Collection[str] = (),
) -> Cost | None:
    """Return the bill of a scenario, None without a price list.

    `stock` says what lies in a rented object store, `demanded` what is asked of it over time, `rented_as` its
    storage class, `is_outside` that its clients stand elsewhere; `fetched` what leaves other ones, which is free where
    the list has no price for them. Rented servers are up for `rented_part` of the time, those of some groups `always`.
    """
    if scenario.prices is None:
        return None
    prices = scenario.prices.told()
    parts = beside(scenario.cluster, scenario.failures, prices, scenario.growth, scenario.growing_group())
    up = {group: 1.0 if group in always else rented_part for group in scenario.cluster.groups}
    bill = _Bill(prices, list(lots(scenario)), *parts, up)
    store = prices.store(rented_as, is_outside=is_outside)
    demanded = demanded or Demanded()
    growing = store.asked(demanded.growing.scaled(YEAR)) if store is not None else 0.0
    asked = (store.asked(demanded.steady.scaled(YEAR)) if store is not None else 0.0) + growing
    taken = [*leaving(prices, (one for one in fetched if not one.grows))]
    rising = [*leaving(prices, (one for one in fetched if one.grows))]
    more = sum(one.per_year for one, _ in rising)
    unpriced = bill.unpriced if stock is None or store is not None else (*bill.unpriced, KEPT)
    items = [*bill.items(), *_rent(store, stock, asked)]
    items += [CostItem(one.name, one.spread(prices.years), basis) for one, basis in (*taken, *rising)]
    return Cost(
        items=tuple(item for item in items if item.per_year),
        purchases=(*bill.purchases(), *(one for one, _ in taken)),
        power=bill.power,
        rack_units=bill.rack_units,
        servers=sum(group.count for group in scenario.cluster.groups.values()),
        terms=Terms(prices.years, prices.discount_rate, prices.price_decline, prices.residual_value),
        date=prices.date,
        unpriced=unpriced,
        currency=prices.currency,
        carbon=bill.carbon(),
        horizon=prices.over,
        store=store,
        stock=stock,
        asked=asked + more,
        growing=growing + more,
        factor=demanded.factor,
        leaving=tuple(one for one, _ in taken),
        spared=bill.spared,
    )


def purchase_of(prices: Prices, lot: Lot) -> tuple[Purchase, tuple[str, ...]]:
    """Return what servers cost when they come and a year, in the currency of the list, and what has no price."""
    bill = _Bill(prices.told(), [lot])
    purchase = next((sold for sold in bill.purchases() if sold.name == lot.title), None)
    return purchase or Purchase(lot.title, lot.day, lot.after, 0.0, 0.0), bill.unpriced


def _rent(store: CloudStorePrice | None, stock: Stock | None, asked: float) -> Iterator[CostItem]:
    """Yield the lines of a rented store."""
    if store is None:
        return
    stored = stock(0.0) if stock is not None else 0.0
    yield CostItem("object store, bytes kept", store.kept(stored), f"{stored / TERABYTE:.4g} TB")
    yield CostItem("object store, requests", asked, "of loads all the time, and of jobs as often as they come")


class _Bill:
    """The sums over all lots of servers, in the currency of the list."""

    def __init__(
        self,
        prices: Prices,
        lots: list[Lot],
        more: Sequence[Beside] = (),
        without_price: Sequence[str] = (),
        up: Mapping[str, float] = MappingProxyType({}),
    ) -> None:
        self._up = up
        self._prices, self._beside = prices, [one for one in more if one.capital or one.power or one.rack_units]
        every = [(lot, composition(lot.server, prices, lot.name)) for lot in lots]
        self._priced = [(lot, made) for lot, made in every if made.components]
        unpriced = [part for _, made in every for part in made.unpriced]
        self.unpriced = tuple(dict.fromkeys([*unpriced, *without_price]))
        self._is_new = not any(lot.is_owned for lot, _ in self._priced)
        self._present = [(lot, made) for lot, made in self._priced if not lot.after]
        self._first = [one for one in self._beside if not one.after]
        watts = sum(one.power for one in self._first)
        self.power = sum(self._power(lot, made) for lot, made in self._present) + watts * prices.usage_effectiveness
        self.rack_units = sum(lot.count * made.rack_units for lot, made in self._present)
        self.rack_units += sum(one.rack_units for one in self._first)
        self.spared = sum(self._rent(lot, made) - self._hired(lot, made) for lot, made in self._present)

    def items(self) -> Iterator[CostItem]:
        """Yield the yearly lines of the servers that are there at the start."""
        prices = self._prices
        for lot, made in self._present:
            capital = 0.0 if lot.is_owned else self._capital(lot, made)
            lost = capital * (1 - prices.residual_value)
            yield CostItem(f"{lot.title}, bought", lost / prices.years, self._over(capital))
            up = self._up.get(lot.name, 1.0)
            part = f", {100 * up:.3g} % of the time" if up < 1 else ""
            hourly = f"{made.hourly:g} {prices.currency} an hour each{part}"
            yield CostItem(f"{lot.title}, rented", self._hired(lot, made), hourly)
        beside = [self._bought(one) for one in self._first]
        paid, kept = sum(one.upfront for one in beside), 1 - prices.residual_value
        yield CostItem(f"{BESIDE}, bought", paid * kept / prices.years, self._over(paid))
        there = [*(self._purchase(lot, made) for lot, made in self._present), *beside]
        upkeep = sum(purchase.maintenance for purchase in there)
        yield CostItem("maintenance", upkeep, f"{100 * prices.maintenance:.3g} % of the capital")
        energy = self._energy(self.power)
        yield CostItem("power", energy, f"{self.power / 1000:.1f} kW, building included")
        yield CostItem("space", self._space(self.rack_units), f"{self.rack_units:g} rack units")
        yield from self._licensed()
        yield from self._staffed()

    def _over(self, capital: float) -> str:
        prices = self._prices
        sold = f", less {100 * prices.residual_value:.3g} % that is left" if prices.residual_value else ""
        return f"{capital:,.0f} {prices.currency} over {prices.years:g} years{sold}"

    def purchases(self) -> Iterator[Purchase]:
        """Yield what each lot costs when it comes, and a year; what the cluster as a whole costs comes with the first.

        Contracts for a cluster and people who are there anyway have no servers of their own.
        """
        yield from (self._purchase(lot, made) for lot, made in self._priced)
        yield from map(self._bought, self._beside)
        of_cluster = [licence for licence in self._prices.licences.values() if licence.per == "cluster"]
        once = sum(licence.price for licence in of_cluster if licence.paid == "once" and self._is_new)
        running = sum(licence.price for licence in of_cluster if licence.paid == "yearly")
        running += sum(staff.yearly * staff.count for staff in self._prices.staff.values())
        if self._priced and (once or running):
            yield Purchase("cluster", None, 0.0, 0.0, running, once)

    def _purchase(self, lot: Lot, made: Composition) -> Purchase:
        prices, capital = self._prices, self._capital(lot, made)
        running = self._hired(lot, made)
        running += self._energy(self._power(lot, made)) + self._space(lot.count * made.rack_units)
        running += sum(_due(licence, [lot]) for licence in prices.licences.values() if licence.paid == "yearly")
        running += sum(staff.yearly * staff.needed(lot.count) for staff in prices.staff.values())
        bought = [] if lot.is_owned else [lot]
        once = sum(_due(licence, bought) for licence in prices.licences.values() if licence.paid == "once")
        upkeep = capital * prices.maintenance
        return Purchase(lot.title, lot.day, lot.after, capital, running, once, upkeep, lot.is_owned)

    def _bought(self, one: Beside) -> Purchase:
        """Return what is bought beside the servers on a day."""
        prices = self._prices
        capital = one.capital * (1 - prices.discount) * math.pow(1 - prices.price_decline, one.after)
        running = self._energy(one.power * prices.usage_effectiveness) + self._space(one.rack_units)
        upkeep = capital * prices.maintenance
        return Purchase(BESIDE, one.day, one.after, capital, running, maintenance=upkeep, is_owned=one.is_owned)

    def _licensed(self) -> Iterator[CostItem]:
        there = [lot for lot, _ in self._present]
        for name, licence in self._prices.licences.items():
            once = licence.paid == "once"
            held = [lot for lot in there if not (once and lot.is_owned)]
            if licence.per == "cluster":
                due = licence.price if there and (self._is_new or not once) else 0.0
            else:
                due = _due(licence, held)
            basis = f"{licence.price:,.4g} {self._prices.currency} a {licence.per}, {licence.paid}"
            yield CostItem(name, due / self._prices.years if once else due, basis)

    def _staffed(self) -> Iterator[CostItem]:
        servers = sum(lot.count for lot, _ in self._present)
        for name, staff in self._prices.staff.items():
            people = staff.count + staff.needed(servers)
            basis = f"{people:.3g} people at {staff.yearly:,.0f} {self._prices.currency} a year"
            yield CostItem(name, people * staff.yearly if servers else 0.0, basis)

    def _capital(self, lot: Lot, made: Composition) -> float:
        declined = math.pow(1 - self._prices.price_decline, lot.after)
        return made.capital * lot.count * (1 - self._prices.discount) * declined

    def _hired(self, lot: Lot, made: Composition) -> float:
        return self._rent(lot, made) * self._up.get(lot.name, 1.0)

    def _rent(self, lot: Lot, made: Composition) -> float:
        """Return the rent of a year, always up."""
        return made.hourly * lot.count * YEAR / HOUR

    def _power(self, lot: Lot, made: Composition) -> float:
        """Return W, with the building's share."""
        return made.power * lot.count * self._prices.usage_effectiveness

    def carbon(self) -> float | None:
        """Return kg of CO2 a year, None where the list does not say what a kWh emits."""
        emitted = self._prices.carbon
        return None if emitted is None else self.power / 1000 * YEAR / HOUR * emitted / 1000

    def _energy(self, watts: float) -> float:
        return watts / 1000 * YEAR / HOUR * self._prices.energy

    def _space(self, rack_units: float) -> float:
        return rack_units * self._prices.rack_unit * YEAR / MONTH


def _due(licence: Licence, lots: list[Lot]) -> float:
    """Return what a licence comes to for some servers, once or a year; nothing where it is for the cluster."""
    held = [lot for lot in lots if not licence.groups or lot.name in licence.groups]
    if licence.per == "server":
        count = float(sum(lot.count for lot in held))
    elif licence.per == "core":
        count = float(sum(lot.count * lot.server.cpu.cores for lot in held))
    elif licence.per == "TB":
        count = sum(lot.count * lot.server.raw_capacity() for lot in held) / TERABYTE
    else:
        count = 0.0
    return licence.price * count
