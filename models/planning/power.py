"""What a cluster draws while it works: watts by part from how busy the part is, energy, and carbon.

    processors, memory, fans and supplies    idle + (work - idle) x u^0.7, u the use of the processors
    drives, cards, ports                     idle + (work - idle) x u of their own
    switches between racks                   always as at work

Watts of parts are in the price list, with PUE and the carbon of a kWh.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import Protocol

from models.hardware.cluster import Batch
from models.hardware.server import EXPONENT
from models.planning.components import CARD, DRIVE, PORT, Component, composition
from models.planning.cost import Priced
from models.planning.materials import beside_servers
from models.planning.prices import Prices
from models.values import value

KILOWATT_HOUR = 3.6e6  # J


class Used(Protocol):
    """How busy like resources were; `swollen_mean` is the mean over time of their use to the power of `EXPONENT`."""

    @property
    def group(self) -> str:
        """What they are called, such as "workers/cpu"."""
        ...

    @property
    def utilization_mean(self) -> float:
        """Their use, 0 to 1."""
        ...

    @property
    def swollen_mean(self) -> float:
        """The mean of their use to the power of `EXPONENT`."""
        ...


@value()
class PartPower:
    """What like parts of a group of servers draw together (W): without work, at work, and on average in a run.

    `follows` names the resources whose use it follows, "" for what draws the same always; `exponent` says how.
    """

    group: str
    part: str
    idle: float
    work: float
    mean: float
    follows: tuple[str, ...] = ()
    exponent: float = 1.0

    def at(self, use: float) -> float:
        """Return the watts at a use of 0 to 1."""
        return self.idle + (self.work - self.idle) * math.pow(use, self.exponent)


@value(kw_only=True)
class Power:
    """What a run draws by part, without the building; `effectiveness` is the building's, `carbon` g a J or None."""

    parts: tuple[PartPower, ...]
    effectiveness: float
    carbon: float | None

    @property
    def mean(self) -> float:
        """Watts on average, with the building's share."""
        return sum(part.mean for part in self.parts) * self.effectiveness

    @property
    def idle(self) -> float:
        """Watts without work, with the building's share."""
        return sum(part.idle for part in self.parts) * self.effectiveness

    @property
    def work(self) -> float:
        """Watts with everything at work, with the building's share."""
        return sum(part.work for part in self.parts) * self.effectiveness

    def energy(self, duration: float) -> float:
        """Return kWh of a run of so many seconds, which has all machines for itself."""
        return self.mean * duration / KILOWATT_HOUR

    def emitted(self, duration: float) -> float | None:
        """Return kg of CO2 of such a run, None where the list does not say what a kWh emits."""
        return None if self.carbon is None else self.mean * duration * self.carbon / 1000


def power(scenario: Priced, groups: Mapping[str, Used]) -> Power | None:
    """Return what a run draws whose resources were so busy; None without a price list that knows watts."""
    if scenario.prices is None:
        return None
    prices = scenario.prices
    parts = [part for part in _parts(scenario, prices, groups) if part.work]
    if not parts:
        return None
    return Power(
        parts=tuple(parts),
        effectiveness=prices.usage_effectiveness,
        carbon=None if prices.carbon is None else prices.carbon / KILOWATT_HOUR,
    )


def _parts(scenario: Priced, prices: Prices, groups: Mapping[str, Used]) -> Iterator[PartPower]:
    for name, group in scenario.cluster.groups.items():
        for batch in group.batches():
            made = composition(batch.server, prices, name)
            yield from (_drawn(name, batch, component, groups) for component in made.components)
    watts = sum(part.count * part.power for part in beside_servers(scenario.cluster, scenario.failures, prices))
    yield PartPower("network", "switches between racks", watts, watts, watts)


def _drawn(name: str, batch: Batch, component: Component, groups: Mapping[str, Used]) -> PartPower:
    follows, exponent = _followed(name, component)
    count = component.count * batch.count
    idle, work = count * component.idle, count * component.power
    uses = [groups[resource] for resource in follows if resource in groups]
    means = [use.utilization_mean if exponent == 1 else use.swollen_mean for use in uses]
    mean = idle + (work - idle) * max(means, default=0.0)
    return PartPower(name, component.kind, idle, work, mean, follows, exponent)


def _followed(name: str, component: Component) -> tuple[tuple[str, ...], float]:
    """Return the resources whose use a part's power follows, the busiest of them, and to which power."""
    if component.kind == DRIVE:
        return (f"{name}/{component.place} drives",), 1.0
    if component.kind in (CARD, PORT):
        return (f"{name}/network in", f"{name}/network out"), 1.0
    return (f"{name}/cpu",), EXPONENT
