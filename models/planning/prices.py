"""A price list: whole machines bought or rented, the parts of which servers are made, energy, space, people, a store.

    a whole machine   found by `server.model`; a price that says which machine it is for is no price of another one
    by parts          a chassis that holds the drives, processors, memory, drives, cards, and for each link of a card a
                      port of a switch and a cable: any server has a price, which follows from its parts

Prices are data with a date and a source; nothing is built in. An amount may be in any currency of which `currencies`
has the value; they are held in USD, and `told` gives them in the `currency` in which costs are told.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Any, Literal, Self

from pydantic import BaseModel, model_validator

from models.hardware.drive import Drive
from models.hardware.server import Server
from models.problem import refusal
from models.quantity import Model, Quantity, extra, quantity, setting
from models.units import MONTH, YEAR, format
from models.values import value

GIVEN = "the customer's own"
"""The model of machines that are there and cost nothing, as the clients of a plan."""

Currency = Literal["CHF", "EUR", "GBP", "JPY", "USD"]
Term = Literal["on-demand", "reserved", "spot"]

ALIKE = 1.2
"""Factor within which a rate or size counts as that of the machine of a price. Assumption: a measured card reaches over
80 % of its nominal rate, and GB against GiB is 7 %; the next card or memory is at least a quarter larger."""

GIGABYTE = 1e9
USD = "USD"


def alike(value: float, priced: float) -> bool:
    """Tell whether a rate or size is that of a price."""
    return priced / ALIKE < value < priced * ALIKE


class Exchange(Model):
    """What a currency is worth."""

    value: Quantity = quantity("USD", "What one of it is worth.", gt=0, examples=["1.08 USD"])
    date: str = setting("When that was so; empty: as the list.", default="")


class Drawing(Model):
    """What a part draws. Between the two it draws what its use asks for."""

    power: Quantity = quantity("W", "Power at work.", default=0.0, ge=0)
    idle: Quantity | None = quantity("W", "Power without work; default: as at work.", default=None, ge=0)
    date: str = setting("When the price was valid; empty: as the list.", default="")

    @property
    def resting(self) -> float:
        """Watts without work."""
        return self.power if self.idle is None else self.idle


class ServerPrice(Drawing):
    """What one server costs: bought (`capital`), rented (`hourly`), or both; and which machine that is."""

    capital: Quantity = quantity("USD", "Price of one server.", default=0.0, ge=0)
    hourly: Quantity = quantity("USD/h", "Rent of one server, on demand.", default=0.0, ge=0)
    reserved: Quantity | None = quantity("USD/h", "Rent of one that is reserved.", default=None, ge=0)
    spot: Quantity | None = quantity("USD/h", "Rent of one that may be taken back.", default=None, ge=0)
    has_drives: bool = setting("Whether the price includes the drives.", default=True)
    rack_units: float = setting("Height in rack units.", default=0.0, ge=0)
    threads: int | None = setting("Hardware threads of that machine; default: any.", default=None, ge=1)
    memory: Quantity | None = quantity("B", "Memory of that machine; default: any.", default=None, gt=0)
    network: Quantity | None = quantity("B/s", "Network card of that machine; default: any.", default=None, gt=0)
    drives: int | None = setting(
        "Drives in that machine, where the price includes them; default: any.", default=None, ge=0
    )

    def rent(self, term: Term) -> float | None:
        """Return USD an hour, None where the list has none for such a term."""
        return {"on-demand": self.hourly, "reserved": self.reserved, "spot": self.spot}[term]

    def differences(self, server: Server) -> Iterator[str]:
        """Yield in words what a server has that the machine of this price has not."""
        if self.threads is not None and server.cpu.threads != self.threads:
            yield f"{server.cpu.threads} threads, priced with {self.threads}"
        if self.memory is not None and not alike(server.memory.size, self.memory):
            yield f"memory of {format(server.memory.size, 'B')}, priced with {format(self.memory, 'B')}"
        if self.network is not None and not alike(server.nic.nominal, self.network):
            yield f"a card of {format(server.nic.nominal, 'B/s')}, priced with {format(self.network, 'B/s')}"
        count = sum(bay.count for bay in server.bays.values())
        if self.has_drives and self.drives is not None and count != self.drives:
            yield f"{count} drives, priced with {self.drives}"


class PartPrice(Drawing):
    """What one piece of a part costs."""

    capital: Quantity = quantity("USD", "Price of one.", ge=0)


class ChassisPrice(PartPrice):
    """A chassis with its board, fans and power supplies; a drive of 2.5 inches fits in a bay of 3.5 inches, too."""

    large_bays: int = setting("Bays for drives of 3.5 inches, which hard drives need.", default=0, ge=0)
    small_bays: int = setting("Bays for drives of 2.5 inches.", default=0, ge=0)
    rack_units: float = setting("Height in rack units.", gt=0)

    def holds(self, large: int, small: int) -> bool:
        """Tell whether so many hard drives and drives of flash have room."""
        return large <= self.large_bays and large + small <= self.large_bays + self.small_bays


class ProcessorPrice(PartPrice):
    """A processor: one socket."""

    cores: int = setting("Cores of one processor.", ge=1)


class CorePrice(PartPrice):
    """A core of the reference speed; one that is faster costs, and draws, more in proportion."""


class MemoryPrice(Drawing):
    """Memory, by the gigabyte or by the module."""

    per_byte: Quantity | None = quantity("USD/GB", "Price by size.", default=None, ge=0)
    capital: Quantity | None = quantity("USD", "Price of one module.", default=None, ge=0)
    module: Quantity | None = quantity("B", "Size of one module.", default=None, gt=0)
    power: Quantity = quantity("W/GB", "Power at work.", default=0.0, ge=0)
    idle: Quantity | None = quantity("W/GB", "Power without work; default: as at work.", default=None, ge=0)

    @model_validator(mode="after")
    def _has_one_price(self) -> Self:
        _one_price(self.per_byte, self.capital)
        if self.capital is not None and self.module is None:
            raise refusal("module", "missing: the size of the module that has this price", 'such as module = "32 GiB"')
        return self


class DrivePrice(Drawing):
    """What drives of one technology or model cost, by the terabyte or the piece."""

    per_byte: Quantity | None = quantity("USD/TB", "Price by capacity.", default=None, ge=0)
    capital: Quantity | None = quantity("USD", "Price of one drive.", default=None, ge=0)

    @model_validator(mode="after")
    def _has_one_price(self) -> Self:
        _one_price(self.per_byte, self.capital)
        return self

    def of(self, drive: Drive) -> float:
        """Return USD for one drive."""
        return self.capital if self.capital is not None else (self.per_byte or 0.0) * drive.capacity / 1e12


def _one_price(per_byte: float | None, capital: float | None) -> None:
    if (per_byte is None) == (capital is None):
        text = "missing: the price" if per_byte is None else "goes not with capital: which is the price?"
        raise refusal("per_byte", text, "state per_byte, or capital for one piece")


class LinkPrice(PartPrice):
    """What each link needs one of: a card with one port, a port of a switch, a cable with its optics."""

    bandwidth: Quantity = quantity("B/s", "Rate of the link.", gt=0)


class VolumePrice(Model):
    """What an attached volume costs."""

    stored: Quantity = quantity("USD/GB-month", "Size of the volume for a month.", ge=0)


class Licence(Model):
    """A licence, or a contract of support."""

    price: Quantity = quantity("USD", "Price of one, once or a year.", ge=0)
    per: Literal["server", "core", "TB", "cluster"] = setting(
        "What one is for; TB are of drives, before protection.", default="server"
    )
    paid: Literal["once", "yearly"] = setting("How often it is paid.", default="yearly")
    groups: tuple[str, ...] = setting("Server groups that need it; default: all.", default=())
    date: str = setting("When the price was valid; empty: as the list.", default="")


class Staff(Model):
    """People who run the cluster."""

    yearly: Quantity = quantity("USD/y", "What one costs, all in.", ge=0)
    servers: float | None = setting(
        "Servers that one looks after, in parts of a person; default: none by the server.", default=None, gt=0
    )
    count: float = setting("People whatever the number of servers.", default=0.0, ge=0)

    def needed(self, servers: float) -> float:
        """Return the people for so many servers, beside those who are there anyway."""
        return servers / self.servers if self.servers is not None else 0.0


@value()
class Traffic:
    """What is asked of a rented store: GET and HEAD requests, those that write or list, and bytes read."""

    reads: float = 0.0
    writes: float = 0.0
    egress: float = 0.0

    def plus(self, other: Traffic) -> Traffic:
        """Return this traffic and another together."""
        return Traffic(self.reads + other.reads, self.writes + other.writes, self.egress + other.egress)

    def scaled(self, factor: float) -> Traffic:
        """Return the traffic of `factor` times as long."""
        return Traffic(self.reads * factor, self.writes * factor, self.egress * factor)


class CloudStorePrice(Model):
    """What a cloud's object store asks."""

    stored: Quantity = quantity("USD/GB-month", "Bytes kept for a month.", ge=0)
    get: Quantity = quantity("USD", "One GET or HEAD request.", default=0.0, ge=0)
    put: Quantity = quantity("USD", "One PUT, COPY, POST or LIST request.", default=0.0, ge=0)
    egress: Quantity = quantity(
        "USD/GB", "Bytes read to where the cluster stands; within the store's region usually 0.", default=0.0, ge=0
    )
    over_line: Quantity | None = quantity(
        "USD/GB",
        "Bytes that leave for another site: by a copy over a line, or read from outside; default: `egress`.",
        default=None,
        ge=0,
    )
    retrieval: Quantity = quantity("USD/GB", "Bytes read, wherever they go.", default=0.0, ge=0)

    def kept(self, size: float) -> float:
        """Return USD a year for so many bytes that lie in it."""
        return size / GIGABYTE * self.stored * YEAR / MONTH

    def asked(self, traffic: Traffic) -> float:
        """Return USD for requests and the bytes that leave."""
        return (
            traffic.reads * self.get
            + traffic.writes * self.put
            + traffic.egress / GIGABYTE * (self.egress + self.retrieval)
        )

    def fetched(self, size: float, *, is_over_line: bool) -> float:
        """Return USD for so many bytes that are fetched from it."""
        leaving = self.over_line if is_over_line and self.over_line is not None else self.egress
        return size / GIGABYTE * (leaving + self.retrieval)


class Prices(Model):
    """A price list."""

    date: str = setting("When the prices were valid: a year, or year and month.", examples=["2019-08"])
    currency: Currency = setting("Currency in which costs are told.", default="USD")
    currencies: dict[str, Exchange] = setting("What other currencies of the list are worth, by name.", default={})
    years: float = setting(
        "Years over which machines are written off; they are bought again after them.", default=3.0, gt=0
    )
    over: float | None = setting("Years over which costs are told together; default: `years`.", default=None, gt=0)
    discount: Quantity = quantity("1", "Part of the price of machines that is not paid.", default=0.0, ge=0, le=1)
    discount_rate: Quantity = quantity(
        "1", "Part by which money is worth less a year later, for the net present cost.", default=0.0, ge=0
    )
    price_decline: Quantity = quantity("1", "Part by which machines are cheaper a year later.", default=0.0, ge=0, lt=1)
    residual_value: Quantity = quantity(
        "1", "Part of its price that a machine is worth when it is written off.", default=0.0, ge=0, le=1
    )
    servers: dict[str, ServerPrice] = setting("Whole machines by their model.", default={})
    term: Term = setting("How machines are rented.", default="on-demand")
    rented_part: Quantity = quantity(
        "1",
        "Part of the time for which rented servers are up and paid, those that keep the data of the store always; jobs"
        " that come again are paid as long as they run, at least.",
        default=1.0,
        gt=0,
        le=1,
        examples=["10 %"],
    )
    chassis: dict[str, ChassisPrice] = setting(
        "Chassis by name; a server that names none has the cheapest that holds its drives.", default={}
    )
    processors: dict[str, ProcessorPrice] = setting("Processors by their model.", default={})
    core: CorePrice | None = setting("A core of any other processor.", default=None)
    memory: MemoryPrice | None = setting("Memory.", default=None)
    drives: dict[str, DrivePrice] = setting("Drives by model, or by technology: hdd, ssd, nvme.", default={})
    cards: dict[str, LinkPrice] = setting("Network cards, for each link.", default={})
    ports: dict[str, LinkPrice] = setting("Ports of switches, with their part of the switch.", default={})
    cables: dict[str, LinkPrice] = setting("Cables with both ends.", default={})
    volumes: VolumePrice | None = setting("Attached volumes of servers that are priced by parts.", default=None)
    object_store: CloudStorePrice | None = setting("An object store that is rented.", default=None)
    storage_classes: dict[str, CloudStorePrice] = setting(
        "Its storage classes that have prices of their own, by name.", default={}
    )
    energy: Quantity = quantity("USD/kWh", "Price of energy.", default=0.0, ge=0)
    usage_effectiveness: float = setting("Power of the building over that of the machines (PUE).", default=1.0, ge=1)
    carbon: Quantity | None = quantity(
        "g/kWh", "CO2 that a kWh emits; default: not told.", default=None, ge=0, examples=["416 g/kWh"]
    )
    rack_unit: Quantity = quantity("USD/month", "Space for one rack unit.", default=0.0, ge=0)
    maintenance: Quantity = quantity("1", "Part of the capital that maintenance takes in a year.", default=0.0, ge=0)
    licences: dict[str, Licence] = setting("Licences and support by name.", default={})
    staff: dict[str, Staff] = setting("People by what they do.", default={})

    @model_validator(mode="after")
    def _currency_has_a_value(self) -> Prices:
        if self.currency != USD and self.currency not in self.currencies:
            value = f'currencies.{self.currency}.value = "1.08 USD"'
            way_out = f'state it in the list, such as {value}, or beside its name: {{ use = "NAME", {value} }}'
            raise refusal("currency", f"the price list does not say what {self.currency} is worth", way_out)
        return self

    @model_validator(mode="after")
    def _reserved_are_paid_always(self) -> Prices:
        if self.term == "reserved" and self.rented_part < 1:
            raise refusal(
                "rented_part", "reserved servers are paid all the time", "leave it out, or state another term"
            )
        return self

    @property
    def is_by_parts(self) -> bool:
        """Whether the list has parts of which servers are made."""
        return bool(self.chassis or self.processors or self.core or self.memory or self.cards)

    def times(self, tables: Collection[str], factor: float) -> Prices:
        """Return the list with all amounts in some of its tables, such as "drives", multiplied."""
        return self.model_copy(update={name: _scaled(getattr(self, name), factor) for name in tables})

    def store(self, rented_as: str, *, is_outside: bool = False) -> CloudStorePrice | None:
        """Return what a rented store of a class asks, None where the list does not know.

        A line takes the same of all classes, but for those that state it. Where all that reads it `is_outside`, all
        bytes read leave it over a line.
        """
        usual = self.object_store
        store = self.storage_classes.get(rented_as, usual)
        if store is None or usual is None:
            return store
        line = usual.over_line if store.over_line is None else store.over_line
        leaving = {"egress": line} if is_outside and line is not None else {}
        return store.model_copy(update={"over_line": line, **leaving})

    def told(self) -> Prices:
        """Return the list with its amounts in the currency in which costs are told."""
        worth = 1.0 if self.currency == USD else self.currencies[self.currency].value
        return self if worth == 1.0 else _scaled(self, 1 / worth)


def _scaled(model: Any, factor: float) -> Any:
    """Return a model, or tables of models, with all amounts of money multiplied; its exchange rates stay."""
    if isinstance(model, dict):
        return {name: _scaled(value, factor) for name, value in model.items()}
    if not isinstance(model, BaseModel) or isinstance(model, Exchange):
        return model
    changes: dict[str, Any] = {}
    for name, info in type(model).model_fields.items():
        value, unit = getattr(model, name), str(extra(info).get("unit") or "")
        is_money = unit.startswith(USD) and value is not None
        changes[name] = value * factor if is_money else _scaled(value, factor)
    return model.model_copy(update=changes)
