"""Racks: how many hold the servers that are bought, what stands where in each, its switches, its feeds.

racks      as the cluster states them; where it states one, as many as height and power ask for. Server i of a group
           stands in rack i modulo the racks, the heaviest group lowest, switches on top
network    leaves have a port for each link of their rack. More than one have uplinks for the rate of their servers
           over the oversubscription, two at least, to two or more spines
power      of a rack: servers with their ports, and the port at the leaf's end of each uplink; of those at the
           spines' ends each spine has its part
feeds      power of the rack over that of a feed, each twice
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator, Mapping, Sequence

from models.hardware.assembly import Assembly
from models.hardware.cluster import Cluster
from models.planning.components import Composition, composition, nearest_link
from models.planning.prices import LinkPrice, Prices
from models.values import value

SWITCHES = "switches"
LEAST_UPLINKS, LEAST_SPINES = 2, 2
"""One of them may fail. Assumption: nobody builds fewer."""


@value()
class Slot:
    """What stands in a rack from unit `first`, counted from 1 at the bottom, over `height` units."""

    first: int
    height: int
    name: str
    group: str


@value()
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


@value()
class Switches:
    """Switches in the racks and between them, and links from the ones to the others."""

    leaves: int
    spines: int
    uplinks: int


@value()
class Stand:
    """Equal servers that are put up here: what each is made of, and the places of them in their group."""

    group: str
    places: range
    made: Composition
    links: int
    bandwidth: float

    @property
    def count(self) -> int:
        """How many there are."""
        return len(self.places)

    @property
    def height(self) -> int:
        """Rack units of each."""
        return math.ceil(self.made.rack_units)

    def among(self, rack: int, racks: int) -> range:
        """Return the places of those that stand in one of so many racks."""
        first = self.places.start + (rack - self.places.start) % racks
        return range(first, self.places.stop, racks)


def _stands(cluster: Cluster, prices: Prices) -> Iterator[Stand]:
    """Yield the servers that are bought, by group and kind; rented ones and those of others stand elsewhere."""
    for name, group in cluster.groups.items():
        first = 0
        for batch in group.batches():
            made = composition(batch.server, prices, name)
            places = range(first, first + batch.count)
            first += batch.count
            nic = batch.server.nic
            if made.rack_units or made.capital or made.unpriced:
                yield Stand(name, places, made, nic.links, nic.bandwidth)


@value()
class Load:
    """What the servers come to in each of some racks side by side: rack units, watts at work, links, their rate (B/s).

    However many racks there are, they are of twice as many kinds as there are kinds of servers, and one more, at most.
    """

    racks: range
    height: int
    power: float
    links: int
    rate: float

    def leaves(self, assembly: Assembly) -> int:
        """Return the switches for the links of one."""
        return math.ceil(self.links / assembly.leaf_ports)


def loads_of(stands: Sequence[Stand], number: int) -> list[Load]:
    """Return what stands in so many racks, in which servers stand in turn: of one kind as many, or one more."""
    changes = {place % number for stand in stands for place in (stand.places.start, stand.places.stop)}
    bounds = sorted(changes | {0, number})
    loads = []
    for racks in itertools.starmap(range, itertools.pairwise(bounds)):
        counts = [(stand, len(stand.among(racks.start, number))) for stand in stands]
        height = sum(count * stand.height for stand, count in counts)
        power = sum(count * stand.made.power for stand, count in counts)
        links = sum(count * stand.links for stand, count in counts)
        rate = sum(count * stand.links * stand.bandwidth for stand, count in counts)
        loads.append(Load(racks, height, power, links, rate))
    return loads


def switches_for(cluster: Cluster, loads: Sequence[Load]) -> Switches:
    """Return the switches for what stands in all racks: none between them for a single one in a rack."""
    assembly = cluster.network.assembly
    leaves = sum(len(load.racks) * load.leaves(assembly) for load in loads)
    if leaves < 2:
        return Switches(leaves, 0, 0)
    needed = sum(len(load.racks) * _uplinks(cluster, load) for load in loads)
    return Switches(leaves, max(math.ceil(needed / assembly.spine_ports), LEAST_SPINES), needed)


def _uplinks(cluster: Cluster, load: Load) -> int:
    """Return the uplinks of the leaves of a rack, where there are other leaves."""
    network, assembly = cluster.network, cluster.network.assembly
    count = load.leaves(assembly)
    if not count:
        return 0
    uplinks = math.ceil(load.rate / count / network.oversubscription / assembly.uplink - 1e-9)
    return count * max(uplinks, LEAST_UPLINKS)


def _power(cluster: Cluster, prices: Prices, loads: Sequence[Load]) -> Callable[[Load, int], float]:
    """Return the watts at work of a rack, with the ports of the uplinks that end in it and half of their cables."""
    switches, number = switches_for(cluster, loads), loads[-1].racks.stop
    if not switches.uplinks:
        return lambda load, _: load.power
    port, cable = uplink_price(cluster, prices.ports), uplink_price(cluster, prices.cables)
    end = (port.power if port is not None else 0.0) + (cable.power / 2 if cable is not None else 0.0)
    ends = switches.uplinks / switches.spines

    def power(load: Load, rack: int) -> float:
        return load.power + (_uplinks(cluster, load) + len(_spines(switches, rack, number)) * ends) * end

    return power


def _spines(switches: Switches, rack: int, racks: int) -> range:
    """Return the spines that stand in one of so many racks."""
    return range(rack, switches.spines, racks)


def uplink_price(cluster: Cluster, known: Mapping[str, LinkPrice]) -> LinkPrice | None:
    """Return the price of what an uplink needs, None where the list has none of its rate."""
    name = nearest_link(known, cluster.network.assembly.uplink)
    return known[name] if name is not None else None


def put_up(cluster: Cluster, prices: Prices) -> tuple[list[Stand], int, list[str]]:
    """Return the servers that are bought, how many racks hold them, and what does not fit as it is stated."""
    assembly, stated = cluster.network.assembly, cluster.network.racks
    stands = list(_stands(cluster, prices))
    height = sum(stand.count * stand.height for stand in stands)
    power = sum(stand.count * stand.made.power for stand in stands)
    most = max((stand.places.stop for stand in stands), default=1)
    least = max(math.ceil(height / assembly.rack_height), math.ceil(power / assembly.rack_power))
    least = max([least, *(_least(stand, assembly) for stand in stands)])
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


def _least(stand: Stand, assembly: Assembly) -> int:
    """Return the fewest racks that hold all servers of a kind, none of them in part, with nothing else there."""
    sizes = (stand.height, assembly.rack_height), (stand.made.power, assembly.rack_power)
    fit = min((room / size for size, room in sizes if size), default=math.inf)
    return math.ceil(stand.count / max(math.floor(min(fit, stand.count) * (1 + 1e-9)), 1))


def _has_room(cluster: Cluster, prices: Prices, stands: Sequence[Stand], number: int) -> bool:
    assembly, loads = cluster.network.assembly, loads_of(stands, number)
    spines = math.ceil(switches_for(cluster, loads).spines / number)
    power = _power(cluster, prices, loads)
    return all(
        load.height + load.leaves(assembly) + spines <= assembly.rack_height
        and power(load, load.racks.start) <= assembly.rack_power  # the first of them has the most spines
        for load in loads
    )


def filled(cluster: Cluster, prices: Prices, stands: Sequence[Stand], number: int) -> Iterator[Rack]:
    """Yield so many racks with all servers and switches in them, the highest servers lowest."""
    assembly, loads = cluster.network.assembly, loads_of(stands, number)
    switches, power = switches_for(cluster, loads), _power(cluster, prices, loads)
    lowest = sorted((stand for stand in stands if stand.height), key=lambda stand: -stand.height)
    for load in loads:
        for rack in load.racks:
            servers = [(stand, place) for stand in lowest for place in stand.among(rack, number)]
            tops = [f"leaf-{rack + 1}.{i + 1}" for i in range(load.leaves(assembly))]
            tops += [f"spine-{i + 1}" for i in _spines(switches, rack, number)]
            watts = power(load, rack)
            feeds = 2 * max(math.ceil(watts / assembly.feed_power), 1)
            slots = tuple(_stacked(servers, tops, assembly.rack_height))
            yield Rack(f"rack-{rack + 1}", assembly.rack_height, slots, watts, feeds)


def _stacked(servers: Sequence[tuple[Stand, int]], tops: Sequence[str], height: int) -> Iterator[Slot]:
    """Yield servers from the bottom up, and switches from the top down."""
    unit = 1
    for stand, place in servers:
        yield Slot(unit, stand.height, f"{stand.group}-{place + 1}", stand.group)
        unit += stand.height
    top = max(height, unit - 1 + len(tops))
    for i, name in enumerate(tops):
        yield Slot(top - i, 1, name, SWITCHES)
