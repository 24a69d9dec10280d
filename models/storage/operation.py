"""An operation of a storage system (GET, PUT, ...), described once: the stages that a request passes, and their costs.

A stage says what it takes of whom: a processor's time, a slot of a service, a drive's time, a connection between two
servers; so much once, and so much for each byte. Whom is a role ("gateway", "node", "holder"). From the stages follow

- `Operation.flow`: the fluid step of a job, on the servers and drives of a `Site` that play the roles;
- `Operation.visits`: the route of a load of requests, over the stations of a `Field` in which they are drawn by chance.

Both take the same bytes and the same time of every resource. They differ in what a lone request waits for: a flow moves
all of its bytes through all stages at once, a route moves them turn by turn.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence as Series
from dataclasses import dataclass, field

from models.hardware.cluster import Device, Layout, Node
from models.hardware.drive import Access, Drive
from models.requests import Fan, FirstByte, Pick, Route, Station, Step as RouteStep, Visit, lognormal
from models.storage.flow import Flow
from models.storage.object_routes import in_turns
from models.storage.stations import Stations
from models.work import Demand, Parallel, Pool, Resource, Step, Use, Work


@dataclass(frozen=True, slots=True)
class Compute:
    """A processor spends `once` and `per_byte` reference core-seconds, of one request on one core at a time."""

    at: str
    once: float = 0.0
    per_byte: float = 0.0


@dataclass(frozen=True, slots=True)
class Service:
    """A service of a server works `cost` reference core-seconds in one of its slots; log-normal by `spread`."""

    at: str
    name: str
    slots: int
    cost: float
    spread: float = 0.0


@dataclass(frozen=True, slots=True)
class Seek:
    """A drive of a bay seeks so many times on average."""

    at: str
    bay: str
    times: float = 1.0


@dataclass(frozen=True, slots=True)
class Read:
    """A drive of a bay reads `share` bytes for each byte of the request."""

    at: str
    bay: str
    share: float = 1.0


@dataclass(frozen=True, slots=True)
class Write:
    """A drive of a bay writes each byte of the request."""

    at: str
    bay: str


@dataclass(frozen=True, slots=True)
class Move:
    """Each byte crosses the network over one connection, where source and target are two servers."""

    source: str
    target: str


@dataclass(frozen=True, slots=True)
class Lanes:
    """The same `count` times side by side, each at a place of its own and with `share` of the bytes."""

    stages: tuple[Stage, ...]
    count: int
    share: float = 1.0


@dataclass(frozen=True, slots=True)
class Held:
    """Stages that pass while the request holds one of the slots of a server."""

    at: str
    name: str
    slots: int
    stages: tuple[Stage, ...]


@dataclass(frozen=True, slots=True)
class Stream:
    """Stages that bytes pass turn by turn."""

    stages: tuple[Stage, ...]


Stage = Compute | Service | Seek | Read | Write | Move | Lanes | Held | Stream | FirstByte


@dataclass(frozen=True, slots=True)
class Site:
    """The servers and drives that play the roles for one request of a job, one for each lane."""

    layout: Layout
    nodes: Mapping[str, Series[Node]]
    device: Callable[[str, str, int], Device]
    access: Access = "direct"

    def node(self, role: str, lane: int) -> Node:
        """Return the server that plays a role in a lane."""
        nodes = self.nodes[role]
        return nodes[lane % len(nodes)]


@dataclass(frozen=True, slots=True)
class Field:
    """The servers among which the roles are drawn for each request of a load.

    `drives` picks a drive of a bay, `crossing` is the part of requests whose source and target are two servers.
    """

    groups: Mapping[str, Stations]
    picks: Mapping[str, Pick]
    drives: Callable[[str, str], Pick]
    crossing: Mapping[tuple[str, str], float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Operation:
    """The stages of a request of `size` bytes, in their order."""

    stages: tuple[Stage, ...]
    size: float = 0.0

    def flow(self, site: Site, cap: str = "one request") -> Flow:
        """Return the flow of the request's bytes; what it takes once comes before the first of them."""
        found = _Fluid(site)
        opening = tuple(found.once(self.stages, 0))
        found.per_byte(self.stages, 0, 1.0)
        rate, limit = min(found.caps, default=(math.inf, cap))
        return Flow(tuple(found.uses), rate, limit, opening=opening, held=tuple(found.pools))

    def alone(self, site: Site) -> float:
        """Return the seconds that a request without bytes takes when nobody is in its way."""
        return sum(_seconds(step) for step in _Fluid(site).once(self.stages, 0))

    def visits(self, field: Field) -> Route:
        """Return the route of the request."""
        return tuple(_visits(self.stages, field, self.size))


class _Fluid:
    """Collects what stages take of the resources of a site."""

    def __init__(self, site: Site) -> None:
        self._site = site
        self.uses: list[Use] = []
        self.caps: list[tuple[float, str]] = []
        self.pools: list[Pool] = []

    def once(self, stages: Series[Stage], lane: int) -> Iterator[Step]:
        """Yield the steps in which a request takes what it takes once."""
        site = self._site
        for stage in stages:
            match stage:
                case Compute(at, once) if once > 0:
                    node = site.node(at, lane)
                    yield _spend(node.cpu, once, once / node.server.cpu.speed, "one core a request")
                case Service(at, name, slots, cost) if cost > 0:
                    node = site.node(at, lane)
                    seconds = cost / node.server.cpu.speed
                    yield _spend(site.layout.service(node, name, slots), seconds, seconds, f"one {name} slot a request")
                case Seek(at, bay, times):
                    device = site.device(at, bay, lane)
                    seconds = times * device.drive.seek_time if isinstance(device.drive, Drive) else 0.0
                    if seconds > 0:
                        yield _spend(device.resource, seconds, seconds, "one seek")
                case Lanes(inside, count):
                    lanes = tuple(step for i in range(count) for step in self.once(inside, i))
                    if lanes:
                        yield Parallel(lanes) if len(lanes) > 1 else lanes[0]
                case Held(at, name, slots, inside):
                    self.pools.append(Pool(f"{site.node(at, lane).name}/{name}", slots))
                    yield from self.once(inside, lane)
                case Stream(inside):
                    yield from self.once(inside, lane)
                case _:
                    pass

    def per_byte(self, stages: Series[Stage], lane: int, share: float) -> None:
        """Take note of what `share` of the bytes use, and of what limits one request."""
        site = self._site
        for stage in stages:
            match stage:
                case Compute(at, _, cost) if cost > 0:
                    node = site.node(at, lane)
                    self.uses += node.compute(cost * share)
                    self.caps.append((node.server.cpu.speed / cost / share, "one core a request"))
                case Read(at, bay, amount) if amount > 0:
                    device = site.device(at, bay, lane)
                    self.uses += device.read(site.access, amount * share)
                    self.caps.append((device.read_rate() / amount / share, "one drive a request"))
                case Write(at, bay):
                    device = site.device(at, bay, lane)
                    self.uses += device.write(site.access, share)
                    self.caps.append((device.write_rate() / share, "one drive a request"))
                case Move(source, target):
                    ends = site.node(source, lane), site.node(target, lane)
                    self.uses += site.layout.transfer(*ends, share)
                    self.caps.append((site.layout.stream_rate(*ends) / share, "one connection a request"))
                case Lanes(inside, count, part):
                    for i in range(count):
                        self.per_byte(inside, i, share * part)
                case Held(_, _, _, inside) | Stream(inside):
                    self.per_byte(inside, lane, share)
                case _:
                    pass


def _spend(resource: Resource, cost: float, seconds: float, cap: str) -> Work:
    return Work(1.0, Demand((Use(resource, cost),), max_rate=1 / seconds, cap=cap))


def _seconds(step: Step) -> float:
    if isinstance(step, Parallel):
        return max(map(_seconds, step.steps))
    assert isinstance(step, Work)  # the only other step that `once` yields
    return step.amount / step.demand.max_rate


def _visits(stages: Series[Stage], at: Field, size: float) -> Iterator[RouteStep]:
    for stage in stages:
        yield from _route(stage, at, size)


def _route(stage: Stage, field: Field, size: float) -> Route:
    groups, picks = field.groups, field.picks
    match stage:
        case Compute(at, once, per_byte):
            return groups[at].compute(picks[at], once=once, per_byte=per_byte)
        case Service(at, name, slots, cost, spread):
            group = groups[at]
            station = Station(f"{group.group}/{name}", slots, group.count, "index")
            time = lognormal(cost / group.nodes[0].server.cpu.speed, spread)
            return (Visit(station, time, pick=picks[at]),) if cost > 0 else ()
        case Seek(at, bay, times):
            return groups[at].seek(bay, field.drives(at, bay), times)
        case Read(at, bay, share):
            return groups[at].read(bay, field.drives(at, bay), share)
        case Write(at, bay):
            return groups[at].write(bay, field.drives(at, bay))
        case Move(source, target):
            share = field.crossing.get((source, target), 1.0)
            return groups[source].send(picks[source], share) + groups[target].receive(picks[target], share)
        case Lanes(inside, count, share):
            route = tuple(_visits(inside, field, size))
            return (Fan(route, count, share),) if route else ()
        case Held(at, name, slots, inside):
            station = Station(f"{groups[at].group}/{name}", slots, groups[at].count, "workers")
            return (Visit(station, inside=tuple(_visits(inside, field, size)), pick=picks[at]),)
        case Stream(inside):
            return in_turns(tuple(_visits(inside, field, size)), size)
        case FirstByte():
            return (stage,)
