"""What a scenario costs: machines bought or rented, power, space, and what a cloud store asks for bytes and requests.

    bought      capital when it is bought, and again each time it is written off; maintenance a year
    rented      hourly price x hours of a year
    power       watts under load x usage effectiveness x price of energy. Assumption: always under load
    space       rack units x price
    a job       the yearly cost of all machines x the job's share of a year, as nothing else runs meanwhile, and the
                requests that it sends to a rented store

A cost over some years is what is paid until then: servers that growth adds are bought on their day and run from it on.
Prices are data with a date and a source; nothing is built in. Servers find their price by `server.model`; a price that
says which machine it is for is no price of another one. Not covered: discounts, people, licences, and what a machine is
worth at the end.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Protocol

from models.hardware.cluster import Cluster
from models.hardware.server import Bay, Server
from models.planning.growth import Growth, added_servers
from models.quantity import Model, Quantity, quantity, setting
from models.units import format, parse

YEAR = parse("1 y", "s")
HOUR = parse("1 h", "s")
MONTH = parse("1 month", "s")
TERABYTE = 1e12
GIGABYTE = 1e9

ALIKE = 1.2
"""Factor within which a rate or size counts as that of the machine of a price. Assumption: a measured card reaches over
80 % of its nominal rate, and GB against GiB is 7 %; the next card or memory is at least a quarter larger."""

SLICES = 12
"""Parts of a year over which data that grows in a rented store is summed up: it is billed by the month."""


class ServerPrice(Model):
    """What one server costs: bought (`capital`), rented (`hourly`), or both; and which machine that is."""

    capital: Quantity = quantity("USD", "Price of one server.", default=0.0, ge=0)
    hourly: Quantity = quantity("USD/h", "Rent of one server.", default=0.0, ge=0)
    has_drives: bool = setting("Whether the price includes the drives.", default=True)
    power: Quantity = quantity("W", "Power under load without drives that are priced apart.", default=0.0, ge=0)
    rack_units: float = setting("Height in rack units.", default=0.0, ge=0)
    threads: int | None = setting("Hardware threads of that machine; default: any.", default=None, ge=1)
    memory: Quantity | None = quantity("B", "Memory of that machine; default: any.", default=None, gt=0)
    network: Quantity | None = quantity("B/s", "Network card of that machine; default: any.", default=None, gt=0)
    drives: int | None = setting(
        "Drives in that machine, where the price includes them; default: any.", default=None, ge=0
    )

    def differences(self, server: Server) -> Iterator[str]:
        """Yield in words what a server has that the machine of this price has not."""
        if self.threads is not None and server.cpu.threads != self.threads:
            yield f"{server.cpu.threads} threads, priced with {self.threads}"
        if self.memory is not None and not _alike(server.memory.size, self.memory):
            yield f"memory of {format(server.memory.size, 'B')}, priced with {format(self.memory, 'B')}"
        if self.network is not None and not _alike(server.nic.nominal, self.network):
            yield f"a card of {format(server.nic.nominal, 'B/s')}, priced with {format(self.network, 'B/s')}"
        count = sum(bay.count for bay in server.bays.values())
        if self.has_drives and self.drives is not None and count != self.drives:
            yield f"{count} drives, priced with {self.drives}"


def _alike(value: float, priced: float) -> bool:
    return priced / ALIKE < value < priced * ALIKE


class DrivePrice(Model):
    """What drives of one technology cost where a server's price is without them."""

    per_byte: Quantity = quantity("USD/TB", "Price by capacity.", ge=0)
    power: Quantity = quantity("W", "Power of one drive at work.", default=0.0, ge=0)


class CloudStorePrice(Model):
    """What a cloud's object store asks."""

    stored: Quantity = quantity("USD/GB-month", "Bytes kept for a month.", ge=0)
    get: Quantity = quantity("USD", "One GET or HEAD request.", default=0.0, ge=0)
    put: Quantity = quantity("USD", "One PUT, COPY, POST or LIST request.", default=0.0, ge=0)
    egress: Quantity = quantity(
        "USD/GB", "Bytes read to where the cluster stands; within the store's region usually 0.", default=0.0, ge=0
    )
    retrieval: Quantity = quantity("USD/GB", "Bytes read, wherever they go.", default=0.0, ge=0)

    def asked(self, traffic: Traffic) -> float:
        """Return USD for requests and the bytes that leave."""
        return (
            traffic.reads * self.get
            + traffic.writes * self.put
            + traffic.egress / GIGABYTE * (self.egress + self.retrieval)
        )


class Prices(Model):
    """A price list."""

    date: str = setting("When the prices were valid: a year, or year and month.", examples=["2019-08"])
    years: float = setting(
        "Years over which machines are written off; they are bought again after them.", default=3.0, gt=0
    )
    servers: dict[str, ServerPrice] = setting("Servers by their model.", default={})
    drives: dict[str, DrivePrice] = setting("Drives by technology: hdd, ssd, nvme.", default={})
    object_store: CloudStorePrice | None = setting("An object store that is rented.", default=None)
    storage_classes: dict[str, CloudStorePrice] = setting(
        "Its storage classes that have prices of their own, by name.", default={}
    )
    energy: Quantity = quantity("USD/kWh", "Price of energy.", default=0.0, ge=0)
    usage_effectiveness: float = setting("Power of the building over that of the machines (PUE).", default=1.0, ge=1)
    rack_unit: Quantity = quantity("USD/month", "Space for one rack unit.", default=0.0, ge=0)
    maintenance: Quantity = quantity("1", "Part of the capital that maintenance takes in a year.", default=0.0, ge=0)


@dataclass(frozen=True, slots=True)
class Traffic:
    """What is asked of a rented store: GET and HEAD requests, those that write or list, and bytes read."""

    reads: float = 0.0
    writes: float = 0.0
    egress: float = 0.0

    def scaled(self, factor: float) -> Traffic:
        """Return the traffic of `factor` times as long."""
        return Traffic(self.reads * factor, self.writes * factor, self.egress * factor)


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

    def growing_group(self) -> str:
        """Return the group that grows when an expansion names none."""
        ...


@dataclass(frozen=True, slots=True)
class CostItem:
    """One line of a bill: USD a year, and how it comes about."""

    name: str
    per_year: float
    basis: str


@dataclass(frozen=True, slots=True)
class Purchase:
    """Servers that come `after` so many years, on a day: USD when they come, and USD a year from then on."""

    name: str
    day: date | None
    after: float
    capital: float
    running: float

    def paid(self, years: float, life: float) -> float:
        """Return USD paid for them within so many years, when they are bought again after each `life`."""
        left = years - self.after
        if left <= 0:
            return 0.0
        return self.capital * max(math.ceil(left / life - 1e-9), 1) + self.running * left


Stock = Callable[[float], float]
"""Bytes in a rented store after so many years."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Cost:
    """The bill of a scenario in USD; `power` in W, with the building's share. `unpriced` says what has no price.

    `items` and what follows from them are of the servers that are there at the start, with machines spread over the
    `years` in which they are written off. `purchases` are those at the start, and what growth adds. `asked` is a year
    of requests to a rented store and of bytes out of it.
    """

    items: tuple[CostItem, ...]
    purchases: tuple[Purchase, ...]
    power: float
    rack_units: float
    servers: int
    years: float
    date: str
    unpriced: tuple[str, ...]
    store: CloudStorePrice | None = None
    stock: Stock | None = None
    asked: float = 0.0

    @property
    def capital(self) -> float:
        """USD to be paid at the start."""
        return sum(purchase.capital for purchase in self.purchases if not purchase.after)

    @property
    def per_year(self) -> float:
        """USD a year."""
        return sum(item.per_year for item in self.items)

    def over(self, years: float) -> float:
        """Return USD paid from the start until `years` later."""
        machines = sum(purchase.paid(years, self.years) for purchase in self.purchases)
        return machines + self._kept(years) + self.asked * years

    def per_terabyte_month(self, usable: float) -> float:
        """Return USD for a usable terabyte in a month, with `usable` bytes in all."""
        return self.per_year / (YEAR / MONTH) / (usable / TERABYTE)

    def per_job(self, duration: float, traffic: Traffic | None = None) -> float:
        """Return USD for the machines while a job of `duration` seconds has them for itself, and for its requests."""
        sent = self.store.asked(traffic) if self.store is not None and traffic is not None else 0.0
        return (self.per_year - self.asked) * duration / YEAR + sent

    def _kept(self, years: float) -> float:
        if self.store is None or self.stock is None:
            return 0.0
        slices = max(round(years * SLICES), 1)
        mean = sum(self.stock((i + 0.5) * years / slices) for i in range(slices)) / slices
        return mean / GIGABYTE * self.store.stored * YEAR / MONTH * years


def cost(
    scenario: Priced, stock: Stock | None = None, a_second: Traffic | None = None, rented_as: str = ""
) -> Cost | None:
    """Return the bill of a scenario, None without a price list.

    `stock` says what lies in a rented object store, `a_second` what is asked of it all the time, `rented_as` its
    storage class.
    """
    prices = scenario.prices
    if prices is None:
        return None
    bill = _Bill(prices, _lots(scenario))
    store = prices.storage_classes.get(rented_as, prices.object_store)
    asked = store.asked(a_second.scaled(YEAR)) if store is not None and a_second is not None else 0.0
    items = [*bill.items(), *_rent(store, stock, asked)]
    return Cost(
        items=tuple(item for item in items if item.per_year),
        purchases=tuple(map(bill.purchase, bill.priced)),
        power=bill.power,
        rack_units=bill.rack_units,
        servers=sum(group.count for group in scenario.cluster.groups.values()),
        years=prices.years,
        date=prices.date,
        unpriced=bill.unpriced,
        store=store,
        stock=stock,
        asked=asked,
    )


def _rent(store: CloudStorePrice | None, stock: Stock | None, asked: float) -> Iterator[CostItem]:
    """Yield the lines of a rented store."""
    if store is None:
        return
    stored = stock(0.0) if stock is not None else 0.0
    kept = stored / GIGABYTE * store.stored * YEAR / MONTH
    yield CostItem("object store, bytes kept", kept, f"{stored / TERABYTE:.4g} TB")
    yield CostItem("object store, requests", asked, "at the rate of the load, all the time")


@dataclass(frozen=True, slots=True)
class _Lot:
    """Equal servers that come at the same time, `after` so many years; `name` is that of their group."""

    name: str
    server: Server
    count: int
    day: date | None = None
    after: float = 0.0

    @property
    def model(self) -> str:
        return self.server.model or self.name


def _lots(scenario: Priced) -> Iterator[_Lot]:
    """Yield the servers that are there, by group and kind, and those that growth adds."""
    for name, group in scenario.cluster.groups.items():
        for batch in group.batches():
            yield _Lot(name, batch.server, batch.count)
    if scenario.growth is not None:
        for added in added_servers(scenario.cluster, scenario.growth, scenario.growing_group()):
            yield _Lot(added.group, added.server, added.count, added.day, added.after)


class _Bill:
    """The sums over all lots of servers."""

    def __init__(self, prices: Prices, lots: Iterator[_Lot]) -> None:
        self._prices = prices
        every = list(lots)
        self.priced = [lot for lot in every if lot.server.model in prices.servers]
        self.unpriced = tuple(dict.fromkeys(said for lot in every for said in sorted(self._without_price(lot))))
        self._present = [lot for lot in self.priced if not lot.after]
        self.power = sum(self._power(lot) for lot in self._present)
        self.rack_units = sum(self._rack_units(lot) for lot in self._present)

    def items(self) -> Iterator[CostItem]:
        """Yield the yearly lines of the servers that are there at the start."""
        prices = self._prices
        for lot in self._present:
            name, capital = f"{lot.name}: {lot.count} × {lot.server.model}", self._capital(lot)
            basis = f"{capital:,.0f} USD over {prices.years:g} years"
            yield CostItem(f"{name}, bought", capital / prices.years, basis)
            hourly = prices.servers[lot.server.model].hourly
            yield CostItem(f"{name}, rented", self._rent(lot), f"{hourly:g} USD an hour each")
        capital = sum(map(self._capital, self._present))
        yield CostItem("maintenance", capital * prices.maintenance, f"{prices.maintenance:.0%} of the capital")
        energy = self._energy(self.power)
        yield CostItem("power", energy, f"{self.power / 1000:.1f} kW, building included")
        yield CostItem("space", self._space(self.rack_units), f"{self.rack_units:g} rack units")

    def purchase(self, lot: _Lot) -> Purchase:
        """Return what a lot costs when it comes, and a year."""
        capital = self._capital(lot)
        running = self._rent(lot) + capital * self._prices.maintenance
        running += self._energy(self._power(lot)) + self._space(self._rack_units(lot))
        return Purchase(f"{lot.name}: {lot.count} × {lot.server.model}", lot.day, lot.after, capital, running)

    def _without_price(self, lot: _Lot) -> Iterator[str]:
        """Yield what of a lot the list does not have: the model, the machine as it is, or drives sold apart."""
        price = self._prices.servers.get(lot.server.model)
        if price is None:
            yield lot.model
            return
        yield from (f"{lot.model} with {what}" for what in price.differences(lot.server))
        if not price.has_drives:
            kinds = {bay.drive.technology for bay in lot.server.bays.values()} - self._prices.drives.keys()
            yield from (f"{technology} drives" for technology in kinds)

    def _capital(self, lot: _Lot) -> float:
        drives = sum(
            drive.per_byte * bay.drive.capacity / TERABYTE * bay.count for bay, drive in self._drives_apart(lot.server)
        )
        return (self._prices.servers[lot.server.model].capital + drives) * lot.count

    def _rent(self, lot: _Lot) -> float:
        return self._prices.servers[lot.server.model].hourly * lot.count * YEAR / HOUR

    def _power(self, lot: _Lot) -> float:
        """Return W, with the building's share."""
        drives = sum(drive.power * bay.count for bay, drive in self._drives_apart(lot.server))
        watts = (self._prices.servers[lot.server.model].power + drives) * lot.count
        return watts * self._prices.usage_effectiveness

    def _rack_units(self, lot: _Lot) -> float:
        return self._prices.servers[lot.server.model].rack_units * lot.count

    def _energy(self, watts: float) -> float:
        return watts / 1000 * YEAR / HOUR * self._prices.energy

    def _space(self, rack_units: float) -> float:
        return rack_units * self._prices.rack_unit * YEAR / MONTH

    def _drives_apart(self, server: Server) -> Sequence[tuple[Bay, DrivePrice]]:
        """Return the bays whose drives are not in the server's price, with the price of one."""
        if self._prices.servers[server.model].has_drives:
            return ()
        known = self._prices.drives
        return [(bay, known[bay.drive.technology]) for bay in server.bays.values() if bay.drive.technology in known]
