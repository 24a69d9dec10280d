"""Operations of jobs: what the stages of a request take of the servers and drives that play its roles."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence as Series
from dataclasses import dataclass
from typing import Protocol

from models.hardware.cluster import Device, Layout, Node
from models.hardware.drive import Access, Drive
from models.storage.stages import (
    Compute,
    Decode,
    Either,
    Held,
    Lanes,
    Limit,
    Move,
    Process,
    Read,
    Seek,
    Service,
    Stage,
    Stream,
    Wait,
    Write,
)
from models.work import Delay, Demand, Parallel, Pool, Resource, Step, Use, Work


class Site(Protocol):
    """The servers and drives that play the roles for one request of a job, one for each lane.

    Of the pieces that are read, `missing` (fraction) are to be computed from others.
    """

    @property
    def layout(self) -> Layout:
        """The layout on which all stand."""
        ...

    @property
    def access(self) -> Access:
        """How drives are read."""
        ...

    @property
    def missing(self) -> float:
        """The part of the bytes whose pieces are missing."""
        ...

    def node(self, role: str, lane: int) -> Node:
        """Return the server that plays a role in a lane."""
        ...

    def device(self, role: str, bay: str, lane: int) -> Device:
        """Return its drive in a bay."""
        ...


@dataclass(frozen=True, slots=True)
class Placed:
    """A site where `servers` play some roles, and servers with `drives` the others, one drive a lane."""

    layout: Layout
    servers: Mapping[str, Node]
    drives: Mapping[str, Series[tuple[Node, Device]]]
    access: Access = "direct"
    missing: float = 0.0

    def node(self, role: str, lane: int) -> Node:
        """Return the server that plays a role in a lane."""
        server = self.servers.get(role)
        return self.drives[role][lane][0] if server is None else server

    def device(self, role: str, bay: str, lane: int) -> Device:
        """Return its drive."""
        return self.drives[role][lane][1]


class Fluid:
    """Collects what the stages of a request of `size` bytes (B) take of the resources of a site."""

    def __init__(self, site: Site, size: float = 0.0) -> None:
        self._site, self._size = site, size
        self.uses: list[Use] = []
        self.caps: list[tuple[float, str]] = []
        self.pools: list[Pool] = []

    def once(self, stages: Series[Stage], lane: int, chance: float = 1.0) -> Iterator[Step]:
        """Yield the steps in which a request that takes this way by `chance` takes what it takes once."""
        site = self._site
        for stage in stages:
            match stage:
                case Compute(at, once) if once > 0:
                    node = site.node(at, lane)
                    cost = once * chance
                    yield _spend(node.cpu, cost, cost / node.server.cpu.speed, "one core a request")
                case Service(at, name, slots, cost, _, more) if cost + more > 0:
                    host = None if at is None else site.node(at, lane)
                    seconds = chance * (cost / (1.0 if host is None else host.server.cpu.speed) + more)
                    yield _spend(site.layout.service(host, name, slots), seconds, seconds, f"one {name} slot a request")
                case Wait(_, seconds) if seconds > 0:
                    yield Delay(seconds * chance)
                case Seek(at, bay):
                    device = site.device(at, bay, lane)
                    drive = device.drive
                    seconds = stage.left(drive) * chance * drive.seek_time if isinstance(drive, Drive) else 0.0
                    if seconds > 0:
                        yield _spend(device.resource, seconds, seconds, "one seek")
                case Lanes():
                    yield from self._side_by_side(stage, chance)
                case Held(at, name, slots, inside):
                    self.pools.append(Pool(f"{site.node(at, lane).name}/{name}", slots))
                    yield from self.once(inside, lane, chance)
                case Stream(inside):
                    yield from self.once(inside, lane, chance)
                case Either(_, options):
                    for option in options:
                        yield from self.once(option.stages, lane, chance * option.chance)
                case _:
                    pass

    def per_byte(self, stages: Series[Stage], lane: int, share: float, lanes: int = 1) -> float:
        """Take note of what `share` of the bytes use, and of what limits one request.

        Returns the seconds that a lone stream spends on a byte, of which it passes all stages one after the other, in
        one of so many lanes.
        """
        return sum(self._passed(stage, lane, share, lanes) for stage in stages)

    def _passed(self, stage: Stage, lane: int, share: float, lanes: int) -> float:
        match stage:
            case Lanes(inside, _, part):
                count = self._lanes(stage)
                return max((self.per_byte(inside, i, share * part, count) for i in range(count)), default=0.0)
            case Held(_, _, _, inside):
                return self.per_byte(inside, lane, share, lanes)
            case Stream(inside, _, in_turn, cap):
                caps, self.caps = self.caps, [] if in_turn else self.caps
                pace = self.per_byte(inside, lane, share, lanes)
                self.caps = caps
                if in_turn:
                    caps.append((1 / pace, cap))
                return pace
            case Either(_, options):
                return sum(self.per_byte(way.stages, lane, share * way.chance, lanes) for way in options)
        uses, rate, cap = self._of_a_byte(stage, lane, share)
        self.uses += uses
        if cap:
            self.caps.append((rate, cap))
        match stage:
            case Move(str(source), str(target)) if lanes > 1:
                return max(1 / rate, lanes * share / self._common(source, target).server.nic.bandwidth)
        return 1 / rate

    def _common(self, source: str, target: str) -> Node:
        """Return the server whose card what all lanes move passes: where they begin, or else where they end."""
        first = self._site.node(source, 0)
        return first if first is self._site.node(source, 1) else self._site.node(target, 0)

    def _of_a_byte(self, stage: Stage, lane: int, share: float) -> tuple[list[Use], float, str]:
        """Return what `share` of a byte uses in a stage, the most bytes a second of a lone request, and why."""
        site = self._site
        match stage:
            case Decode(at, cost):
                return self._of_a_byte(Compute(at, per_byte=cost * site.missing), lane, share)
            case Compute(at, _, cost, beside) if cost > 0:
                node = site.node(at, lane)
                if beside is not None and node is site.node(beside, lane):
                    return [], math.inf, ""
                return node.compute(cost * share), node.server.cpu.speed / cost / share, "one core a request"
            case Read(at, bay, amount) if amount > 0:
                device = site.device(at, bay, lane)
                rate = device.read_rate() / amount / share
                return device.read(site.access, amount * share), rate, "one drive a request"
            case Write(at, bay, amount) if amount > 0:
                device = site.device(at, bay, lane)
                rate = device.write_rate() / amount / share
                return device.write("direct", amount * share), rate, "one drive a request"
            case Move(str(source), str(target), rate, cap):
                ends = site.node(source, lane), site.node(target, lane)
                slowest = min(rate, site.layout.stream_rate(*ends))
                return site.layout.transfer(*ends, share), slowest / share, cap
            case Move(str(source), None, rate, cap):
                node = site.node(source, lane)
                return [Use(node.nic_out, share, share)], min(rate, node.server.nic.flow_bandwidth) / share, cap
            case Move(None, str(target), rate, cap):
                return [Use(site.node(target, lane).nic_in, share, share)], rate / share, cap
            case Move(None, None, rate, cap):
                return [], rate / share, cap
            case Limit(name, _, rate, prefixes) if 0 < self._size < math.inf:
                return [Use(site.layout.rate(name, rate * prefixes), share / self._size, share)], math.inf, ""
            case Process(at, name, bandwidth) if math.isfinite(bandwidth):
                process = site.layout.process(site.node(at, lane), name, bandwidth)
                return [Use(process, share, share)], math.inf, ""
        return [], math.inf, ""

    def _side_by_side(self, stage: Lanes, chance: float) -> Iterator[Step]:
        lanes = tuple(step for i in range(self._lanes(stage)) for step in self.once(stage.stages, i, chance))
        if lanes:
            yield Parallel(lanes) if len(lanes) > 1 else lanes[0]

    def _lanes(self, stage: Lanes) -> int:
        """Return the lanes of a stage: others, where a piece is missing."""
        return stage.otherwise if stage.otherwise is not None and self._site.missing else stage.count


def _spend(resource: Resource, cost: float, seconds: float, cap: str) -> Work:
    return Work(1.0, Demand((Use(resource, cost),), max_rate=1 / seconds, cap=cap))


def seconds_of(step: Step) -> float:
    """Return the seconds of a step that `Fluid.once` made, when nobody is in its way."""
    match step:
        case Parallel(steps):
            return max(map(seconds_of, steps))
        case Delay(seconds):
            return seconds
        case Work(amount, demand):
            return amount / demand.max_rate
    return math.nan
