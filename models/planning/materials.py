"""What has to be bought and put up: parts with spares, switches and cables, racks with what stands where, and feeds.

spares     the least number s of drives of a kind with P(failures until one that is ordered is there <= s) >= the
           confidence asked for, failures being Poisson
racks      as the cluster states them; where it states one, as many as height and power ask for. Server i of a group
           stands in rack i modulo the racks, the heaviest group lowest, switches on top
network    leaves have a port for each link of their rack. More than one have uplinks for the rate of their servers
           over the oversubscription, two at least, to two or more spines
power      of a rack: servers with their ports, and the port at the leaf's end of each uplink; of those at the
           spines' ends each spine has its part
feeds      power of the rack over that of a feed, each twice
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from models.failures import Failures
from models.hardware.assembly import Assembly
from models.hardware.cluster import Cluster
from models.planning.components import CABLE, DRIVE, Composition, composition, nearest_link
from models.planning.prices import LinkPrice, Prices
from models.planning.spares import spare_parts
from models.problem import refusal
from models.units import parse

YEAR = parse("1 y", "s")
UPLINK_PORT, UPLINK_CABLE, SWITCH, SWITCHES = "uplink port", "uplink cable", "switch", "switches"
LEAST_UPLINKS, LEAST_SPINES = 2, 2
"""One of them may fail. Assumption: nobody builds fewer."""


class Built(Protocol):
    """What a bill of materials asks of a scenario."""

    @property
    def cluster(self) -> Cluster:
        """All servers."""
        ...

    @property
    def prices(self) -> Prices | None:
        """The price list."""
        ...

    @property
    def failures(self) -> Failures | None:
        """How often drives fail, None where that is not stated."""
        ...


@dataclass(frozen=True, slots=True)
class Material:
    """Equal things to buy for a group of servers, or for all: `count` in use and `spares`; `price` of one.

    `price` is None where the list has none; `power` (W) is of one at work.
    """

    group: str
    kind: str
    name: str
    count: float
    price: float | None
    spares: int = 0
    power: float = 0.0
    rack_units: float = 0.0

    @property
    def total(self) -> float:
        """What all of them cost at the price of the list."""
        return (self.count + self.spares) * (self.price or 0.0)


@dataclass(frozen=True, slots=True)
class Slot:
    """What stands in a rack from unit `first`, counted from 1 at the bottom, over `height` units."""

    first: int
    height: int
    name: str
    group: str


@dataclass(frozen=True, slots=True)
class Rack:
    """A rack from the bottom up; `power` is W at work, `feeds` counts both sides."""

    name: str
    height: int
    slots: tuple[Slot, ...]
    power: float
    feeds: int

    @property
    def used(self) -> int:
        """Rack units in use."""
        return sum(slot.height for slot in self.slots)


@dataclass(frozen=True, slots=True)
class Switches:
    """Switches in the racks and between them, and links from the ones to the others."""

    leaves: int
    spines: int
    uplinks: int


@dataclass(frozen=True, slots=True, kw_only=True)
class BillOfMaterials:
    """What a scenario is built of. `unpriced` says what has no price, `notes` what does not fit as it is stated.

    `set_up` is what whoever sets the storage system up has to state, (what it is, words).
    """

    materials: tuple[Material, ...]
    racks: tuple[Rack, ...]
    switches: Switches
    currency: str
    discount: float
    unpriced: tuple[str, ...]
    notes: tuple[str, ...]
    set_up: tuple[tuple[str, str], ...] = ()

    @property
    def listed(self) -> float:
        """What everything costs at the prices of the list."""
        return sum(material.total for material in self.materials)

    @property
    def paid(self) -> float:
        """The same less the discount."""
        return self.listed * (1 - self.discount)

    @property
    def power(self) -> float:
        """Watts of everything at work, without the building's share."""
        return sum(material.count * material.power for material in self.materials)


def bill_of_materials(scenario: Built) -> BillOfMaterials:
    """Return what is there at the start has to be bought and how it stands; growth is bought later.

    Raises:
        RefusalError: there is no price list, which says what servers are made of.
    """
    if scenario.prices is None:
        raise refusal(
            "prices",
            "missing: a price list says what servers are made of",
            'add prices = "on-premises-2024", or a list of your own',
        )
    prices, cluster = scenario.prices.told(), scenario.cluster
    stands, number, notes = _put_up(cluster, prices)
    switches = _switches(cluster, _loads(stands, number))
    drive_failures = _failures(scenario.failures, cluster.network.assembly)
    parts = [*_parts(stands, cluster.network.assembly, drive_failures), *network(cluster, prices, switches)]
    unpriced = dict.fromkeys(what for stand in stands for what in stand.made.unpriced)
    unpriced |= dict.fromkeys(f"{part.kind} ({part.name})" for part in parts if part.price is None)
    return BillOfMaterials(
        materials=tuple(parts),
        racks=tuple(_filled(cluster, prices, stands, number)) if stands else (),
        switches=switches,
        currency=prices.currency,
        discount=prices.discount,
        unpriced=tuple(unpriced),
        notes=tuple(notes),
    )


def racks_needed(scenario: Built) -> int:
    """Return how many racks hold all servers at the start: those that are stated, or as many as they fill.

    Without a price list, which says what servers are made of, it is those that are stated.
    """
    cluster = scenario.cluster
    if scenario.prices is None:
        return cluster.network.racks
    _, number, _ = _put_up(cluster, scenario.prices.told())
    return number


def beside_servers(scenario: Built, prices: Prices) -> tuple[Material, ...]:
    """Return what is bought beside the servers themselves: switches with uplinks, and spares counted alone.

    Nothing where the list has no parts, as whole machines come with what they need.
    """
    if not prices.is_by_parts:
        return ()
    cluster = scenario.cluster
    stands, number, _ = _put_up(cluster, prices)
    assembly = cluster.network.assembly
    spares = [
        Material(part.group, f"spare {part.kind}", part.name, part.spares, part.price)
        for part in _parts(stands, assembly, _failures(scenario.failures, assembly))
        if part.spares
    ]
    return (*spares, *network(cluster, prices, _switches(cluster, _loads(stands, number))))


@dataclass(frozen=True, slots=True)
class _Stand:
    """Equal servers that are put up here: what each is made of, and the places of them in their group."""

    group: str
    places: range
    made: Composition
    links: int
    bandwidth: float

    @property
    def count(self) -> int:
        return len(self.places)

    @property
    def height(self) -> int:
        return math.ceil(self.made.rack_units)

    def among(self, rack: int, racks: int) -> range:
        """Return the places of those that stand in one of so many racks."""
        first = self.places.start + (rack - self.places.start) % racks
        return range(first, self.places.stop, racks)


def _stands(cluster: Cluster, prices: Prices) -> Iterator[_Stand]:
    """Yield the servers that are bought, by group and kind; rented ones and those of others stand elsewhere."""
    for name, group in cluster.groups.items():
        first = 0
        for batch in group.batches():
            made = composition(batch.server, prices, name)
            places = range(first, first + batch.count)
            first += batch.count
            nic = batch.server.nic
            if made.rack_units or made.capital or made.unpriced:
                yield _Stand(name, places, made, nic.links, nic.bandwidth)


def _failures(failures: Failures | None, assembly: Assembly) -> float:
    stated = failures.drive_failures_per_year if failures is not None else 0.0
    return (stated or assembly.drive_failures) / YEAR


def _parts(stands: Sequence[_Stand], assembly: Assembly, drive_failures: float) -> Iterator[Material]:
    for stand in stands:
        for part in stand.made.components:
            count = part.count * stand.count
            spares = 0
            if part.kind == DRIVE:
                mean = count * drive_failures * assembly.spare_time
                spares = spare_parts(mean, assembly.spare_confidence)
            elif part.kind == CABLE:
                spares = math.ceil(count * assembly.spare_cables)
            yield Material(stand.group, part.kind, part.name, count, part.capital, spares, part.power)


@dataclass(frozen=True, slots=True)
class _Load:
    """What the servers of one rack come to: rack units, watts at work, links and their rate (B/s)."""

    height: int
    power: float
    links: int
    rate: float

    def leaves(self, assembly: Assembly) -> int:
        """Return the switches for its links."""
        return math.ceil(self.links / assembly.leaf_ports)


def _loads(stands: Sequence[_Stand], number: int) -> list[_Load]:
    """Return what stands in each of so many racks, in which servers stand in turn."""
    loads = []
    for rack in range(number):
        counts = [(stand, len(stand.among(rack, number))) for stand in stands]
        height = sum(count * stand.height for stand, count in counts)
        power = sum(count * stand.made.power for stand, count in counts)
        links = sum(count * stand.links for stand, count in counts)
        rate = sum(count * stand.links * stand.bandwidth for stand, count in counts)
        loads.append(_Load(height, power, links, rate))
    return loads


def _switches(cluster: Cluster, loads: Sequence[_Load]) -> Switches:
    assembly = cluster.network.assembly
    leaves = [load.leaves(assembly) for load in loads]
    if sum(leaves) < 2:
        return Switches(sum(leaves), 0, 0)
    needed = sum(_uplinks(cluster, load) for load in loads)
    return Switches(sum(leaves), max(math.ceil(needed / assembly.spine_ports), LEAST_SPINES), needed)


def _uplinks(cluster: Cluster, load: _Load) -> int:
    """Return the uplinks of the leaves of a rack, where there are other leaves."""
    network, assembly = cluster.network, cluster.network.assembly
    count = load.leaves(assembly)
    if not count:
        return 0
    uplinks = math.ceil(load.rate / count / network.oversubscription / assembly.uplink - 1e-9)
    return count * max(uplinks, LEAST_UPLINKS)


def _powers(cluster: Cluster, prices: Prices, loads: Sequence[_Load]) -> list[float]:
    """Return the watts of each rack at work, with the ports of the uplinks that end in it and half of their cables."""
    switches = _switches(cluster, loads)
    if not switches.uplinks:
        return [load.power for load in loads]
    port, cable = _uplink_price(cluster, prices.ports), _uplink_price(cluster, prices.cables)
    end = (port.power if port is not None else 0.0) + (cable.power / 2 if cable is not None else 0.0)
    ends = switches.uplinks / switches.spines
    spines = [len(_spines(switches, rack, len(loads))) for rack in range(len(loads))]
    return [
        load.power + (_uplinks(cluster, load) + count * ends) * end for load, count in zip(loads, spines, strict=True)
    ]


def _spines(switches: Switches, rack: int, racks: int) -> range:
    """Return the spines that stand in one of so many racks."""
    return range(rack, switches.spines, racks)


def _uplink_price(cluster: Cluster, known: Mapping[str, LinkPrice]) -> LinkPrice | None:
    """Return the price of what an uplink needs, None where the list has none of its rate."""
    name = nearest_link(known, cluster.network.assembly.uplink)
    return known[name] if name is not None else None


def network(cluster: Cluster, prices: Prices, switches: Switches) -> Iterator[Material]:
    """Yield the switches, whose price is in their ports, the ports at both ends of each uplink, and its cable."""
    assembly = cluster.network.assembly
    for name, count, ports in (
        ("leaf", switches.leaves, assembly.leaf_ports),
        ("spine", switches.spines, assembly.spine_ports),
    ):
        if count:
            yield Material("network", SWITCH, f"{name} of {ports} ports, priced as ports", count, 0.0, rack_units=1)
    if not switches.uplinks:
        return
    rate = cluster.network.assembly.uplink
    name = f"{rate * 8 / 1e9:g} Gbit/s"
    for kind, known, per_uplink in ((UPLINK_PORT, prices.ports, 2), (UPLINK_CABLE, prices.cables, 1)):
        link_price = _uplink_price(cluster, known)
        capital, power = (link_price.capital, link_price.power) if link_price is not None else (None, 0.0)
        yield Material("network", kind, name, switches.uplinks * per_uplink, capital, 0, power)


def _put_up(cluster: Cluster, prices: Prices) -> tuple[list[_Stand], int, list[str]]:
    """Return the servers that are bought, how many racks hold them, and what does not fit as it is stated."""
    assembly, stated = cluster.network.assembly, cluster.network.racks
    stands = list(_stands(cluster, prices))
    height = sum(stand.count * stand.height for stand in stands)
    power = sum(stand.count * stand.made.power for stand in stands)
    most = max((stand.places.stop for stand in stands), default=1)
    least = max(math.ceil(height / assembly.rack_height), math.ceil(power / assembly.rack_power))
    number = min(max(stated, least), max(most, stated))
    while not (has_room := _has_room(cluster, prices, stands, number)) and number < most:
        number += 1
    notes = []
    if number > stated > 1:
        text = f"{stated} racks of {assembly.rack_height} units and {assembly.rack_power / 1000:g} kW"
        notes.append(f"{text} do not hold the servers, {number} do: state cluster.network.racks = {number}")
    if not has_room:
        notes.append("a rack is too small for what stands in it: see cluster.network.assembly")
    return stands, number, notes


def _has_room(cluster: Cluster, prices: Prices, stands: Sequence[_Stand], number: int) -> bool:
    assembly, loads = cluster.network.assembly, _loads(stands, number)
    spines = math.ceil(_switches(cluster, loads).spines / number)
    return all(
        load.height + load.leaves(assembly) + spines <= assembly.rack_height and power <= assembly.rack_power
        for load, power in zip(loads, _powers(cluster, prices, loads), strict=True)
    )


def _filled(cluster: Cluster, prices: Prices, stands: Sequence[_Stand], number: int) -> Iterator[Rack]:
    """Yield so many racks with all servers and switches in them, the highest servers lowest."""
    assembly, loads = cluster.network.assembly, _loads(stands, number)
    switches, powers = _switches(cluster, loads), _powers(cluster, prices, loads)
    lowest = sorted((stand for stand in stands if stand.height), key=lambda stand: -stand.height)
    for rack, load in enumerate(loads):
        servers = [(stand, place) for stand in lowest for place in stand.among(rack, number)]
        tops = [f"leaf-{rack + 1}.{i + 1}" for i in range(load.leaves(assembly))]
        tops += [f"spine-{i + 1}" for i in _spines(switches, rack, number)]
        feeds = 2 * max(math.ceil(powers[rack] / assembly.feed_power), 1)
        slots = tuple(_stacked(servers, tops, assembly.rack_height))
        yield Rack(f"rack-{rack + 1}", assembly.rack_height, slots, powers[rack], feeds)


def _stacked(servers: Sequence[tuple[_Stand, int]], tops: Sequence[str], height: int) -> Iterator[Slot]:
    """Yield servers from the bottom up, and switches from the top down."""
    unit = 1
    for stand, place in servers:
        yield Slot(unit, stand.height, f"{stand.group}-{place + 1}", stand.group)
        unit += stand.height
    top = max(height, unit - 1 + len(tops))
    for i, name in enumerate(tops):
        yield Slot(top - i, 1, name, SWITCHES)
