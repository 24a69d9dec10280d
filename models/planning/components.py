"""What a server is made of, as a price list sees it: its components with price and power, and what has no price.

A server that the list knows as a whole machine is one component, with its drives where they are sold apart. Any other
is a chassis that holds its drives, processors, memory, drives, and for each link of its card a card, a port and a
cable. What the list does not have is named with the key that would add it; it is never taken for free.

A processor is known by its model, else counted by cores, of which one that is twice as fast costs and draws twice as
much. Assumption: within a generation price and power rise about as fast as the work that a core does.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping

from models.hardware.server import Server
from models.planning.prices import GIGABYTE, ChassisPrice, LinkPrice, Prices, alike
from models.units import format
from models.values import value

GIBIBYTE = 2.0**30
CHASSIS, PROCESSOR, MEMORY, DRIVE = "chassis", "processor", "memory", "drive"
CARD, PORT, CABLE, SERVER = "network card", "switch port", "cable", "server"


@value()
class Component:
    """Equal components of one server: `count` of them; `capital` and `power`, at work and `idle`, (W) are of one.

    `place` is the bay of drives.
    """

    kind: str
    name: str
    count: float
    capital: float
    power: float = 0.0
    idle: float = 0.0
    rack_units: float = 0.0
    place: str = ""


@value()
class Composition:
    """The components of a server that have a price, its rent (an hour), and in words what has none."""

    components: tuple[Component, ...]
    unpriced: tuple[str, ...] = ()
    hourly: float = 0.0

    @property
    def capital(self) -> float:
        """Price of one server, as the list has it."""
        return sum(part.count * part.capital for part in self.components)

    @property
    def power(self) -> float:
        """Watts of one server at work."""
        return sum(part.count * part.power for part in self.components)

    @property
    def idle(self) -> float:
        """Watts of one server without work."""
        return sum(part.count * part.idle for part in self.components)

    @property
    def rack_units(self) -> float:
        """Height of one server."""
        return sum(part.count * part.rack_units for part in self.components)


def composition(server: Server, prices: Prices, name: str = "") -> Composition:
    """Return what a server is made of; `name` stands for one that has no model."""
    if server.model in prices.servers:
        return _whole(server, prices)
    if not prices.is_by_parts:
        called = server.model or name
        return Composition((), (f'{called} (add prices.servers."{called}")',))
    return _by_parts(server, prices)


def _whole(server: Server, prices: Prices) -> Composition:
    price = prices.servers[server.model]
    whole = Component(SERVER, server.model, 1, price.capital, price.power, price.resting, price.rack_units)
    rent = price.rent(prices.term)
    unpriced = [f"{server.model} with {what}" for what in price.differences(server)]
    if rent is None:
        unpriced.append(f'{server.model} by the term {prices.term} (add prices.servers."{server.model}".{prices.term})')
    drives: list[Component] = []
    if not price.has_drives:
        components = list(_drives(server, prices))
        drives = [part for part in components if isinstance(part, Component)]
        unpriced += sorted(part for part in components if isinstance(part, str))
    return Composition((whole, *drives), tuple(dict.fromkeys(unpriced)), rent or 0.0)


HOURS_A_MONTH = 730.0
"""The month of models.units, that of the cloud price lists."""


def _by_parts(server: Server, prices: Prices) -> Composition:
    components = [
        _chassis(server, prices.chassis),
        _processors(server, prices),
        _memory(server, prices),
        *_drives(server, prices),
        *_links(server, prices),
    ]
    unpriced = [part for part in components if isinstance(part, str)]
    if server.volumes and prices.volumes is None:
        unpriced.append("attached volumes (add prices.volumes)")
    hourly = 0.0
    if prices.volumes is not None:
        size = sum(volume.size for volume in server.volumes.values())
        hourly = size / GIGABYTE * prices.volumes.stored / HOURS_A_MONTH
    parts = tuple(part for part in components if isinstance(part, Component))
    return Composition(parts, tuple(dict.fromkeys(unpriced)), hourly)


def _chassis(server: Server, known: Mapping[str, ChassisPrice]) -> Component | str:
    large = sum(bay.count for bay in server.bays.values() if bay.drive.technology == "hdd")
    small = sum(bay.count for bay in server.bays.values()) - large
    if server.chassis:
        if server.chassis not in known:
            return f'chassis {server.chassis} (add prices.chassis."{server.chassis}")'
        fitting = {server.chassis: known[server.chassis]}
    else:
        fitting = dict(known)
    fitting = {name: price for name, price in fitting.items() if price.holds(large, small)}
    if not fitting:
        drives = f"{large} hard drives and {small} drives of flash"
        return f"a chassis for {drives} (add prices.chassis.NAME with large_bays and small_bays)"
    name, price = min(fitting.items(), key=lambda item: (item[1].capital, item[0]))
    return Component(CHASSIS, name, 1, price.capital, price.power, price.resting, price.rack_units)


def _processors(server: Server, prices: Prices) -> Component | str:
    cpu, price = server.cpu, prices.processors.get(server.cpu.model)
    if price is not None:
        count = math.ceil(cpu.cores / price.cores)
        return Component(PROCESSOR, cpu.model, count, price.capital, price.power, price.resting)
    core = prices.core
    if core is None:
        named = f'processor {cpu.model} (add prices.processors."{cpu.model}"' if cpu.model else "processors ("
        return f"{named}{' or ' if cpu.model else 'add '}prices.core)"
    name = f"core of {cpu.model or 'any processor'}, speed {cpu.speed:g}"
    return Component(
        PROCESSOR, name, cpu.cores, core.capital * cpu.speed, core.power * cpu.speed, core.resting * cpu.speed
    )


def _memory(server: Server, prices: Prices) -> Component | str:
    price = prices.memory
    if price is None:
        return "memory (add prices.memory)"
    unit = price.module or GIGABYTE
    count = server.memory.size / unit
    if price.capital is not None:
        count = math.ceil(count - 1e-9)
    capital = price.capital if price.capital is not None else (price.per_byte or 0.0) * unit / GIGABYTE
    per = unit / GIGABYTE
    is_binary = unit % GIBIBYTE == 0
    size = f"{unit / GIBIBYTE:g} GiB" if is_binary else format(unit, "B")
    name = f"{size} module" if price.module else "GB"
    return Component(MEMORY, name, count, capital, price.power * per, price.resting * per)


def _drives(server: Server, prices: Prices) -> Iterator[Component | str]:
    for place, bay in server.bays.items():
        drive = bay.drive
        key = drive.model if drive.model in prices.drives else drive.technology
        price = prices.drives.get(key)
        if price is None:
            yield f"{drive.technology} drives (add prices.drives.{drive.technology})"
            continue
        name = f"{format(drive.capacity, 'B')} {drive.model or drive.technology}"
        yield Component(DRIVE, name, bay.count, price.of(drive), price.power, price.resting, place=place)


def _links(server: Server, prices: Prices) -> Iterator[Component | str]:
    """Yield for each link of the card of a server a card, a port and a cable."""
    nic = server.nic
    for kind, table, known in (
        (CARD, "cards", prices.cards),
        (PORT, "ports", prices.ports),
        (CABLE, "cables", prices.cables),
    ):
        name = nearest_link(known, nic.bandwidth)
        if name is None:
            rate = f"{nic.bandwidth * 8 / 1e9:g} Gbit/s"
            yield f'{kind} of {rate} (add prices.{table}.NAME with bandwidth = "{rate}")'
        else:
            price = known[name]
            yield Component(kind, name, nic.links, price.capital, price.power, price.resting)


def nearest_link(known: Mapping[str, LinkPrice], bandwidth: float) -> str | None:
    """Return the name of the price of links of such a rate (B/s), None without one."""
    near = [name for name, price in known.items() if alike(bandwidth, price.bandwidth)]
    return min(near, key=lambda name: (abs(known[name].bandwidth - bandwidth), name), default=None)
