"""What a scenario costs: machines bought or rented, power, space, and what a cloud store asks for bytes and requests.

    bought      capital / years + maintenance, a year; drives apart where the server's price is without them
    rented      hourly price x hours of a year
    power       watts under load x usage effectiveness x price of energy. Assumption: always under load
    space       rack units x price
    a job       the yearly cost of all machines x the job's share of a year: nothing else runs meanwhile

Prices are data with a date and a source; nothing is built in. Servers find their price by `server.model`. Not covered:
discounts, people, traffic out of a cloud, licences, and what a machine is worth at the end.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol

from models.hardware.cluster import Cluster
from models.hardware.server import Bay, Server
from models.quantity import Model, Quantity, quantity, setting
from models.units import parse

YEAR = parse("1 y", "s")
HOUR = parse("1 h", "s")
MONTH = parse("1 month", "s")
TERABYTE = 1e12


class ServerPrice(Model):
    """What one server costs: bought (`capital`), rented (`hourly`), or both."""

    capital: Quantity = quantity("USD", "Price of one server.", default=0.0, ge=0)
    hourly: Quantity = quantity("USD/h", "Rent of one server.", default=0.0, ge=0)
    has_drives: bool = setting("Whether the price includes the drives.", default=True)
    power: Quantity = quantity("W", "Power under load without drives that are priced apart.", default=0.0, ge=0)
    rack_units: float = setting("Height in rack units.", default=0.0, ge=0)


class DrivePrice(Model):
    """What drives of one technology cost where a server's price is without them."""

    per_byte: Quantity = quantity("USD/TB", "Price by capacity.", ge=0)
    power: Quantity = quantity("W", "Power of one drive at work.", default=0.0, ge=0)


class CloudStorePrice(Model):
    """What a cloud's object store asks."""

    stored: Quantity = quantity("USD/GB-month", "Bytes kept for a month.", ge=0)
    get: Quantity = quantity("USD", "One GET or HEAD request.", default=0.0, ge=0)
    put: Quantity = quantity("USD", "One PUT, COPY or LIST request.", default=0.0, ge=0)


class Prices(Model):
    """A price list."""

    date: str = setting("When the prices were valid: a year, or year and month.", examples=["2019-08"])
    years: float = setting("Years over which machines are written off.", default=3.0, gt=0)
    servers: dict[str, ServerPrice] = setting("Servers by their model.", default={})
    drives: dict[str, DrivePrice] = setting("Drives by technology: hdd, ssd, nvme.", default={})
    object_store: CloudStorePrice | None = setting("An object store that is rented.", default=None)
    energy: Quantity = quantity("USD/kWh", "Price of energy.", default=0.0, ge=0)
    usage_effectiveness: float = setting("Power of the building over that of the machines (PUE).", default=1.0, ge=1)
    rack_unit: Quantity = quantity("USD/month", "Space for one rack unit.", default=0.0, ge=0)
    maintenance: Quantity = quantity("1", "Part of the capital that maintenance takes in a year.", default=0.0, ge=0)


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


@dataclass(frozen=True, slots=True)
class CostItem:
    """One line of a bill: USD a year, and how it comes about."""

    name: str
    per_year: float
    basis: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Cost:
    """The bill of a scenario in USD; `power` in W, with the building's share. `unpriced` are models without a price.

    `capital` is what is paid at the start, `per_year` everything spread over the years of the price list.
    """

    items: tuple[CostItem, ...]
    capital: float
    power: float
    rack_units: float
    servers: int
    years: float
    date: str
    unpriced: tuple[str, ...]

    @property
    def per_year(self) -> float:
        """USD a year."""
        return sum(item.per_year for item in self.items)

    @property
    def total(self) -> float:
        """USD over the years of the price list."""
        return self.per_year * self.years

    def per_terabyte_month(self, usable: float) -> float:
        """Return USD for a usable terabyte in a month, with `usable` bytes in all."""
        return self.per_year / (YEAR / MONTH) / (usable / TERABYTE)

    def per_job(self, duration: float) -> float:
        """Return USD for the machines while a job of `duration` seconds has them for itself."""
        return self.per_year * duration / YEAR


def cost(scenario: Priced, stored: float = 0.0) -> Cost | None:
    """Return the bill of a scenario, None without a price list; `stored` bytes lie in a rented object store."""
    prices = scenario.prices
    if prices is None:
        return None
    bill = _Bill(prices, scenario.cluster)
    return Cost(
        items=tuple(item for item in bill.items(stored) if item.per_year),
        capital=bill.capital,
        power=bill.power,
        rack_units=bill.rack_units,
        servers=sum(group.count for group in scenario.cluster.groups.values()),
        years=prices.years,
        date=prices.date,
        unpriced=bill.unpriced,
    )


class _Bill:
    """The sums over all groups of servers."""

    def __init__(self, prices: Prices, cluster: Cluster) -> None:
        self._prices = prices
        self._groups = cluster.groups
        known = prices.servers
        self._priced = {name: group for name, group in cluster.groups.items() if group.server.model in known}
        self.unpriced = tuple(sorted(self._without_price()))
        self.capital = sum(self._capital(group.server) * group.count for group in self._priced.values())
        watts = sum(self._power(group.server) * group.count for group in self._priced.values())
        self.power = watts * prices.usage_effectiveness
        self.rack_units = sum(known[group.server.model].rack_units * group.count for group in self._priced.values())

    def items(self, stored: float) -> Iterator[CostItem]:
        """Yield the lines of the bill."""
        prices = self._prices
        for name, group in self._priced.items():
            price, said = prices.servers[group.server.model], f"{name}: {group.count} × {group.server.model}"
            bought = self._capital(group.server) * group.count
            yield CostItem(f"{said}, bought", bought / prices.years, f"{bought:,.0f} USD over {prices.years:g} years")
            rented = price.hourly * group.count * YEAR / HOUR
            yield CostItem(f"{said}, rented", rented, f"{price.hourly:g} USD an hour each")
        yield CostItem("maintenance", self.capital * prices.maintenance, f"{prices.maintenance:.0%} of the capital")
        kilowatt_hours = self.power / 1000 * YEAR / HOUR
        yield CostItem("power", kilowatt_hours * prices.energy, f"{self.power / 1000:.1f} kW, building included")
        space = self.rack_units * prices.rack_unit * YEAR / MONTH
        yield CostItem("space", space, f"{self.rack_units:g} rack units")
        if prices.object_store is not None and stored:
            kept = stored / 1e9 * prices.object_store.stored * YEAR / MONTH
            yield CostItem("object store, bytes kept", kept, f"{stored / TERABYTE:.4g} TB")

    def _without_price(self) -> set[str]:
        """Return the models of servers, and the technologies of drives sold apart, that the list does not have."""
        servers = {group.server.model or name for name, group in self._groups.items() if name not in self._priced}
        apart = [g.server for g in self._priced.values() if not self._prices.servers[g.server.model].has_drives]
        drives = {bay.drive.technology for server in apart for bay in server.bays.values()}
        return servers | {f"{technology} drives" for technology in drives if technology not in self._prices.drives}

    def _capital(self, server: Server) -> float:
        price = self._prices.servers[server.model]
        drives = self._drives_apart(server)
        return price.capital + sum(drive.per_byte * bay.drive.capacity / TERABYTE * bay.count for bay, drive in drives)

    def _power(self, server: Server) -> float:
        drives = self._drives_apart(server)
        return self._prices.servers[server.model].power + sum(drive.power * bay.count for bay, drive in drives)

    def _drives_apart(self, server: Server) -> list[tuple[Bay, DrivePrice]]:
        """Return the bays whose drives are not in the server's price, with the price of one."""
        if self._prices.servers[server.model].has_drives:
            return []
        known = self._prices.drives
        return [(bay, known[bay.drive.technology]) for bay in server.bays.values() if bay.drive.technology in known]
