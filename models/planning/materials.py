"""What has to be bought and put up: parts with spares, switches and cables, racks with what stands where, and feeds.

spares     the least number s of drives of a kind with P(failures until one that is ordered is there <= s) >= the
           confidence asked for, failures being Poisson
network    switches, the ports at both ends of the links between them, and their cables
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Protocol

from models.failures import Failures
from models.hardware.assembly import Assembly
from models.hardware.cluster import Cluster
from models.planning.components import CABLE, DRIVE
from models.planning.lots import owned
from models.planning.prices import Prices
from models.planning.racks import Rack, Stand, Switches, filled, loads_of, put_up, switches_for, uplink_price
from models.planning.spares import spare_parts
from models.problem import refusal
from models.units import YEAR
from models.values import value

UPLINK_PORT, UPLINK_CABLE, SWITCH = "uplink port", "uplink cable", "switch"


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


@value()
class Material:
    """Equal things to buy for a group of servers, or for all: `count` in use and `spares`; `price` of one.

    Of both together so many are `there` already with the servers that are owned.
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
    there: float = 0.0

    @property
    def total(self) -> float:
        """What those to buy cost at the price of the list."""
        return (self.count + self.spares - self.there) * (self.price or 0.0)


@value(kw_only=True)
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
    stands, number, notes = put_up(cluster, prices)
    switches = switches_for(cluster, loads_of(stands, number))
    parts = _all(cluster, scenario.failures, prices, stands, number)
    if (there := owned(cluster)) is not None:
        before, racks, _ = put_up(there, prices)
        parts = list(_less(parts, _all(there, scenario.failures, prices, before, racks)))
    unpriced = dict.fromkeys(what for stand in stands for what in stand.made.unpriced)
    unpriced |= dict.fromkeys(f"{part.kind} ({part.name})" for part in parts if part.price is None)
    return BillOfMaterials(
        materials=tuple(parts),
        racks=tuple(filled(cluster, prices, stands, number)) if stands else (),
        switches=switches,
        currency=prices.currency,
        discount=prices.discount,
        unpriced=tuple(unpriced),
        notes=tuple(notes),
    )


def _all(
    cluster: Cluster, failures: Failures | None, prices: Prices, stands: Sequence[Stand], number: int
) -> list[Material]:
    """Return what servers in so many racks are made of, and their network."""
    assembly, switches = cluster.network.assembly, switches_for(cluster, loads_of(stands, number))
    return [*_parts(stands, assembly, _failures(failures, assembly)), *network(cluster, prices, switches)]


def _less(parts: Sequence[Material], had: Sequence[Material]) -> Iterator[Material]:
    """Yield parts with how many of them are there already."""
    left = defaultdict[tuple[str, str, str], float](float)
    for part in had:
        left[part.group, part.kind, part.name] += part.count + part.spares
    for part in parts:
        there = min(left[part.group, part.kind, part.name], part.count + part.spares)
        left[part.group, part.kind, part.name] -= there
        yield replace(part, there=there)


def racks_needed(scenario: Built) -> int:
    """Return how many racks hold all servers at the start: those that are stated, or as many as they fill.

    Without a price list, which says what servers are made of, it is those that are stated.
    """
    cluster = scenario.cluster
    if scenario.prices is None:
        return cluster.network.racks
    _, number, _ = put_up(cluster, scenario.prices.told())
    return number


def beside_servers(cluster: Cluster, failures: Failures | None, prices: Prices) -> tuple[Material, ...]:
    """Return what is bought beside the servers themselves: switches with uplinks, and spares counted alone.

    Nothing where the list has no parts, as whole machines come with what they need.
    """
    if not prices.is_by_parts:
        return ()
    stands, number, _ = put_up(cluster, prices)
    assembly = cluster.network.assembly
    spares = [
        Material(part.group, f"spare {part.kind}", part.name, part.spares, part.price)
        for part in _parts(stands, assembly, _failures(failures, assembly))
        if part.spares
    ]
    return (*spares, *network(cluster, prices, switches_for(cluster, loads_of(stands, number))))


def _failures(failures: Failures | None, assembly: Assembly) -> float:
    stated = failures.drive_failures_per_year if failures is not None else 0.0
    return (stated or assembly.drive_failures) / YEAR


def _parts(stands: Sequence[Stand], assembly: Assembly, drive_failures: float) -> Iterator[Material]:
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
        link_price = uplink_price(cluster, known)
        capital, power = (link_price.capital, link_price.power) if link_price is not None else (None, 0.0)
        yield Material("network", kind, name, switches.uplinks * per_uplink, capital, 0, power)
