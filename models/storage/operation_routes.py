"""The routes of a load of requests through the stages of an operation: one for each way that a request may take."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence as Series
from dataclasses import replace
from itertools import pairwise
from typing import Protocol

from models import requests
from models.distributions import lognormal
from models.hardware.memory_bus import MADE
from models.requests import Admission, Fan, Pick, Pipeline, Route, Section, Station, Step as RouteStep, Visit
from models.storage.object_routes import Variant, in_turns
from models.storage.stages import (
    Behind,
    Compute,
    Decode,
    Either,
    FirstByte,
    Held,
    Lanes,
    Limit,
    Move,
    Option,
    Process,
    Read,
    Seek,
    Service,
    Stage,
    Stream,
    Wait,
    Write,
)
from models.storage.stations import TURNS, Stations, delay, paced

INTACT = "intact"
"""The choice whether all pieces are there that are to be read."""


class Field(Protocol):
    """The servers among which the roles are drawn for each request of a load."""

    @property
    def missing(self) -> float:
        """The part of the bytes whose pieces are missing."""
        ...

    @property
    def patience(self) -> tuple[float, int]:
        """The seconds after which a request that was refused comes back, and how often it is sent at most."""
        ...

    def stations(self, role: str) -> Stations:
        """Return the stations of the servers that play a role."""
        ...

    def server(self, role: str) -> Pick:
        """Return the server that plays a role, and for further lanes others."""
        ...

    def drive(self, role: str, bay: str) -> Pick:
        """Return its drive in a bay."""
        ...

    def crossing(self, source: str, target: str, lanes: int) -> float:
        """Return the part of the requests, in one of so many lanes, whose source and target are two servers."""
        ...

    def intact(self, count: int) -> float:
        """Return the chance that so many pieces are all there."""
        ...


Chosen = Mapping[str, tuple[int, float, str]]
"""The number of the option that a request takes of each choice, its chance and its note."""


def variants(stages: Series[Stage], size: float, field: Field) -> tuple[Variant, ...]:
    """Return the routes of a request of `size` bytes: one for each way that it may take, with its chance."""
    return tuple(
        Variant(
            tuple(_visits(way, field, size)),
            math.prod(chance for _, chance, _ in chosen.values()),
            ", ".join(note for _, _, note in chosen.values() if note),
        )
        for way, chosen in _ways(stages, {}, field)
    )


def _ways(stages: Series[Stage], chosen: Chosen, field: Field) -> Iterator[tuple[tuple[Stage, ...], Chosen]]:
    """Yield the stages of each way that leads through some, with the options that it takes."""
    if not stages:
        yield (), chosen
        return
    for head, taken in _heads(stages[0], chosen, field):
        for tail, all_taken in _ways(stages[1:], taken, field):
            yield head + tail, all_taken


def _heads(stage: Stage, chosen: Chosen, field: Field) -> Iterator[tuple[tuple[Stage, ...], Chosen]]:
    match stage:
        case Either(choice, options):
            numbers = (chosen[choice][0],) if choice in chosen else range(len(options))
            for number in numbers:
                option = options[number]
                if option.chance > 0:
                    way = (number, option.chance, option.note)
                    yield from _ways(option.stages, {**chosen, choice: way}, field)
        case Lanes(_, count, _, int(otherwise)):
            intact = field.intact(count) if otherwise != count else 1.0
            whole, other = replace(stage, otherwise=None), replace(stage, count=otherwise, otherwise=None, part=None)
            yield from _heads(Either(INTACT, (Option(intact, (whole,)), Option(1 - intact, (other,)))), chosen, field)
        case Lanes() | Held() | Behind() | Stream():
            for inside, taken in _ways(stage.stages, chosen, field):
                yield (replace(stage, stages=inside),), taken
        case _:
            yield (stage,), chosen


def _visits(stages: Series[Stage], field: Field, size: float, lanes: int = 1) -> Iterator[RouteStep]:
    for stage in stages:
        yield from _route(stage, field, size, lanes)


def _route(stage: Stage, field: Field, size: float, lanes: int) -> Route:
    """Return the visits of a stage in one of so many lanes."""
    match stage:
        case Lanes(_, _, _, _, str(hub)):
            return _together(stage, hub, field, size)
        case Lanes(inside, count, share):
            route = tuple(step for part in _apart(_visits(inside, field, size, count)) for step in part)
            return (Fan(route, count, share, stage.part, stage.counts_on),) if route else ()
        case Held():
            return _held(stage, field, size, lanes)
        case Behind():
            return _behind(stage, field, size, lanes)
        case Stream():
            return _streamed(stage, field, size, lanes)
        case Move():
            sent, received = _ends(stage, field, lanes)
            return sent + received
        case Service():
            return _service(stage, field)
        case Compute(_, _, _, str(beside)):
            return _computed(stage, field, field.crossing(stage.at, beside, lanes))
        case FirstByte():
            return (requests.FirstByte(),)
    return _visit(stage, field)


def _held(stage: Held, field: Field, size: float, lanes: int) -> Route:
    name, copies, pick = stage.name, stage.copies, None
    if stage.at is not None:
        group = field.stations(stage.at)
        name, copies, pick = f"{group.group}/{name}", group.count, field.server(stage.at)
    station = Station(name, stage.slots, copies, "workers")
    return (Visit(station, inside=tuple(_visits(stage.stages, field, size, lanes)), pick=pick),)


def _behind(stage: Behind, field: Field, size: float, lanes: int) -> Route:
    """Return the visit that leaves stages behind: to a slot, in which they have their turn at the drive.

    The turns are the drive's own queue, no resource beside it.
    """
    group, pick = field.stations(stage.at), field.drive(stage.at, stage.bay)
    name, drives = f"{group.group}/{stage.name}", group.drives(stage.bay)
    asked = Station(f"{name}, asked of drives", group.nodes[0].server.bays[stage.bay].drive.sorts, drives, "delay")
    turn = Visit(asked, inside=tuple(_visits(stage.stages, field, size, lanes)), pick=pick)
    slot = Station(name, stage.slots, drives, "workers")
    return (Visit(slot, inside=(turn,), pick=pick, behind=stage.size, gathered=stage.gathered),)


def _streamed(stage: Stream, field: Field, size: float, lanes: int) -> Route:
    """Return how bytes pass the stages of a stream: in turn, or in sections with several turns under way."""
    parts = stage.sections()
    if len(parts) == 1:
        return in_turns(tuple(_visits(stage.stages, field, size, lanes)), size, stage.turn)
    turn, sections, moment = max(stage.turn, size / TURNS), list[Section](), Route()
    for stages, buffer in parts:
        ahead = 1 + max(int(buffer / turn), 1)
        for route in _hops(stages, field, size, lanes):
            if all(isinstance(step, requests.FirstByte) for step in route):
                moment = route
            elif isinstance(route[0], Fan):
                fan = route[0]
                sections.append(Section(moment + fan.route, fan.lanes, fan.share, ahead))
            else:
                sections.append(Section(moment + route, ahead=ahead))
                moment = ()
    sections += [Section(moment)] if moment else []
    return (Pipeline(tuple(sections), turn),) if sections else ()


def _hops(stages: Series[Stage], field: Field, size: float, lanes: int) -> Iterator[Route]:
    """Yield what bytes pass in turn of stages between two buffers.

    A stage that is alone there has a buffer behind each card and drive, too, and lanes have one on either side.
    """
    match stages:
        case [Move() as move]:
            for end in filter(None, _ends(move, field, lanes)):
                yield from _apart(end)
        case [Read() | Write() as access]:
            yield from ((visit,) for visit in _visit(access, field))
        case _:
            steps = tuple(_visits(stages, field, size, lanes))
            cuts = [at for at, step in enumerate(steps) if isinstance(step, Fan)]
            edges = sorted({0, len(steps), *cuts, *(at + 1 for at in cuts)})
            for first, last in pairwise(edges):
                yield from _apart(steps[first:last])


def _apart(steps: Iterable[RouteStep]) -> Iterator[Route]:
    """Yield what is passed one after the other, and then what crosses memory meanwhile, each server's at once."""
    others, crossed = list[RouteStep](), dict[tuple[Station, Pick | None], Visit]()
    for step in steps:
        if isinstance(step, Visit) and step.station.kind == "memory":
            before = crossed.get((step.station, step.pick))
            crossed[step.station, step.pick] = replace(step, share=step.share + before.share) if before else step
        else:
            others.append(step)
    yield from filter(None, (tuple(others), tuple(crossed.values())))


def _visit(stage: Stage, field: Field) -> Route:
    """Return the visits of a stage at one place."""
    match stage:
        case Decode(at):
            group = field.stations(at)
            pick, missing = field.server(at), field.missing
            decoded = group.compute(pick, per_byte=stage.of_a_byte(group.cpu) * missing)
            return decoded + group.touch(pick, MADE * missing)
        case Compute():
            return _computed(stage, field)
        case Wait(name, seconds, spread):
            return delay(name, spread.around(seconds)) if seconds > 0 else ()
        case Seek(at, bay):
            group, times = field.stations(at), stage.times if stage.waited else 0.0
            busy = stage.seconds(group.nodes[0].server.bays[bay].drive)
            return group.access(bay, field.drive(at, bay), stage.direction, busy, times, stage.at_once)
        case Limit(_, refusal):
            part = stage.of_a_part(field.stations("client").alike)
            return (Admission(refusal, part.rate, part.burst, part.prefixes, *field.patience),)
        case Process(at, name, bandwidth, times):
            return field.stations(at).pass_through(field.server(at), name, bandwidth, times)
        case Read(at, bay, share, segment, passed):
            return field.stations(at).read(bay, field.drive(at, bay), share, segment, passed)
        case Write(at, bay, share, segment, access):
            return field.stations(at).write(bay, field.drive(at, bay), share, segment, access)
    raise AssertionError(f"{stage}: ways through a choice are told apart before")


def _computed(stage: Compute, field: Field, part: float = 1.0) -> Route:
    """Return the visit to the processor of a part of the requests."""
    group = field.stations(stage.at)
    once, per_byte = stage.once * part, stage.of_a_byte(group.cpu) * part
    pick = field.server(stage.at)
    worked = group.compute(pick, once=once, per_byte=per_byte, spread=stage.spread)
    return worked + group.touch(pick, stage.touched * part)


def _service(stage: Service, field: Field) -> Route:
    name, slots, copies, speed, pick = stage.name, stage.slots, 1, 1.0, None
    if stage.at is not None:
        group = field.stations(stage.at)
        name, copies, pick = f"{group.group}/{name}", group.count, field.server(stage.at)
        speed = group.nodes[0].server.cpu.speed
    seconds = stage.cost / speed + stage.seconds
    station = Station(name, slots, copies, "index")
    return (Visit(station, lognormal(seconds, stage.spread), pick=pick),) if seconds > 0 else ()


def _together(stage: Lanes, hub: str, field: Field, size: float) -> Route:
    """Return the visits of lanes of which a hub sends the bytes before they part, or receives them once all are in."""
    before, lane, after = list[RouteStep](), list[RouteStep](), list[RouteStep]()
    for inside in stage.stages:
        if isinstance(inside, Move):
            sent, received = _ends(inside, field, stage.count)
            (before if inside.source == hub else lane).extend(sent)
            (after if inside.target == hub else lane).extend(received)
        else:
            lane += _route(inside, field, size, stage.count)
    route = tuple(step for part in _apart(lane) for step in part)
    fan = (Fan(route, stage.count, stage.share),) if route else ()
    return *_whole(before, stage), *fan, *_whole(after, stage)


def _whole(visits: Series[RouteStep], lanes: Lanes) -> Iterator[RouteStep]:
    """Yield visits of one lane with the bytes of all."""
    for visit in visits:
        assert isinstance(visit, Visit)  # cards, and the pace of a connection
        yield replace(visit, share=visit.share * lanes.count * lanes.share)


def _ends(stage: Move, field: Field, lanes: int) -> tuple[Route, Route]:
    """Return the visits to the cards at both ends; a connection that is slower than they are takes longer."""
    match stage:
        case Move(str(source), str(target), rate):
            share = field.crossing(source, target, lanes)
            sent = field.stations(source).send(field.server(source), share, rate, touched=stage.touched)
            return sent, field.stations(target).receive(field.server(target), share)
        case Move(str(source), None, rate):
            group = field.stations(source)
            slower = 1 / rate - 1 / min(group.connection, group.card(stage.mtu))
            sent = group.send(field.server(source), mtu=stage.mtu, touched=stage.touched)
            return sent + paced(f"{stage.link} pace", slower), ()
        case Move(_, str(target), rate):
            group = field.stations(target)
            slower = 1 / min(rate, group.connection) - 1 / group.card(stage.mtu)
            card = group.receive(field.server(target), mtu=stage.mtu)
            return (), paced(f"{stage.link} pace", slower) + card
    return (), ()
