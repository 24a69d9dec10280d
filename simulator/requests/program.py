"""Turns stations, kinds and loops into the programs and arrays of the request loop."""

from __future__ import annotations

from dataclasses import dataclass, field

from models.distributions import NOTHING, Distribution, exponential
from models.requests import (
    Admission,
    Background,
    Closed,
    Connected,
    Draw,
    Fan,
    FirstByte,
    Kind,
    Patience,
    Pick,
    Pipeline,
    Places,
    Repeat,
    RequestRun,
    Route,
    Station,
    Visit,
)
from models.values import value
from simulator.requests import state as loop
from simulator.requests.lanes import most_lanes
from simulator.requests.pools import edges
from simulator.requests.state import NONE

Refusals = list[tuple[int, tuple[int, ...]]]
"""Places of the operations that may refuse a request, and the depths of the slots that it then holds."""


@value()
class Left:
    """What a visit leaves behind requests: where it begins, `at` which of its stations a slot, held at which depth.

    Its lanes are as many as it has at most, itself one of them.
    """

    begin: int
    visit: Visit
    at: int
    depth: int
    lanes: int


@dataclass(slots=True)
class Program:
    """What a run comes to: rows of operations, tables of values, and the stations and limits that they name."""

    ops: list[dict[str, float]] = field(default_factory=list)
    kinds: list[tuple[float, int, int, int, int]] = field(default_factory=list)
    draws: dict[Draw, int] = field(default_factory=dict)
    places: dict[Places, int] = field(default_factory=dict)
    placed: int = 0
    lanes: int = 0
    background: list[tuple[int, Background]] = field(default_factory=list)
    tables: list[Distribution] = field(default_factory=list)
    stations: dict[str, tuple[Station, int]] = field(default_factory=dict)
    limits: dict[str, tuple[Admission, int]] = field(default_factory=dict)
    connected: dict[str, tuple[Connected, int]] = field(default_factory=dict)
    station_count: int = 0
    limit_count: int = 0
    behind: dict[str, Left] = field(default_factory=dict)

    def emit(self, code: int, **values: float) -> int:
        """Append an operation and return its place."""
        unused = {"depth": NONE, "table": NONE, "pick": NONE, "from_pick": NONE, "span": 1, "share": 1.0}
        self.ops.append({"code": code, **unused, **values})
        return len(self.ops) - 1

    def table(self, distribution: Distribution) -> int:
        """Return the number of a table, -1 for one of zeros only."""
        if not distribution.values.any():
            return NONE
        self.tables.append(distribution)
        return len(self.tables) - 1

    def station(self, station: Station) -> int:
        """Return the number of the first copy of a station.

        Raises:
            ValueError: another station has the same name.
        """
        if station.name not in self.stations:
            self.stations[station.name] = station, self.station_count
            self.station_count += station.copies
        known, at = self.stations[station.name]
        if known != station:
            raise ValueError(f"station {station.name!r}: two different stations have this name")
        return at

    def draw(self, draw: Draw) -> int:
        """Return the number of a choice.

        Raises:
            ValueError: a request would make too many choices.
        """
        place = self.draws.setdefault(draw, len(self.draws))
        if place >= loop.PICKS:
            raise ValueError(f"choice {draw.name!r}: a run makes at most {loop.PICKS} choices a request")
        return place

    def place(self, places: Places) -> int:
        """Return where the copies of some places begin."""
        if places not in self.places:
            self.places[places] = self.placed
            self.placed += places.copies.size
        return self.places[places]

    def limit(self, limit: Admission) -> int:
        """Return the number of the first prefix of a limit."""
        if limit.name not in self.limits:
            self.limits[limit.name] = limit, self.limit_count
            self.limit_count += limit.prefixes
        return self.limits[limit.name][1]

    def pool(self, connected: Connected) -> int:
        """Return the number of the first pool of some connections."""
        known = sum(others.pools for others, _ in self.connected.values())
        return self.connected.setdefault(connected.name, (connected, known))[1]

    def kept(self) -> list[tuple[int, int]]:
        """Return the idle connections of each pool, none at first, and the most that it keeps."""
        return [(0, connected.kept) for connected, _ in self.connected.values() for _ in range(connected.pools)]


def assembled(run: RequestRun) -> Program:
    """Return the program of a run: what a token does between requests, the arrivals, and the route of each kind."""
    program = Program()
    program.emit(loop.NEXT)
    gaps = NOTHING if isinstance(run.loop, Closed) else exponential(1 / run.loop.rate)
    program.emit(loop.ARRIVE, table=program.table(gaps))
    for kind, edge in zip(run.kinds, edges(run), strict=True):
        entry = len(program.ops)
        if isinstance(run.loop, Closed) and (think := program.table(kind.think)) != NONE:
            program.emit(loop.STAY, table=think)
        again, fail = _emit_kind(program, kind, run.patience)
        program.kinds.append((edge, entry, program.table(kind.size), again, fail))
        program.lanes = max(program.lanes, most_lanes(kind.route))
    for background in run.background:
        program.background.append((_emit_background(program, background), background))
    return program


def _emit_background(program: Program, work: Background) -> int:
    """Emit work without end, a repeat whose turns are infinitely many, with new choices each; return its beginning."""
    begin = program.emit(loop.CHOOSE)
    _emit_route(program, work.route, _Place(), [])
    program.emit(loop.AGAIN, level=loop.LEVELS - 1, jump=begin)
    program.lanes = max(program.lanes, most_lanes(work.route))
    return begin


@value()
class _Place:
    """Where in a route an operation stands: the depths of the slots held, and the repeats around it.

    Behind a request that are also the visit that left it there, the first of its stations, and the depth of the slot.
    """

    held: tuple[int, ...] = ()
    level: int = 0
    beside: tuple[Visit, int, int] | None = None


def _emit_kind(program: Program, kind: Kind, patience: Patience | None) -> tuple[int, int]:
    """Emit the program of a kind; return where an attempt begins, and where a request that has failed goes on."""
    refusals: Refusals = []
    again = program.emit(loop.START) + 1
    if patience:
        program.emit(loop.ATTEMPT)
    _emit_route(program, kind.route, _Place(), refusals)
    program.emit(loop.END)
    _emit_route(program, kind.after, _Place(), refusals)
    program.emit(loop.NEXT)
    for place, held in refusals:
        program.ops[place]["unwind"] = len(program.ops)
        for depth in reversed(held):
            program.emit(loop.GIVE, depth=depth)
        program.emit(loop.FAIL)
    return again, program.emit(loop.FAIL)


def _emit_route(program: Program, route: Route, place: _Place, refusals: Refusals) -> None:
    for step in route:
        if isinstance(step, Visit):
            _emit_visit(program, step, place, refusals)
        elif isinstance(step, Repeat):
            _emit_repeat(program, step, place, refusals)
        elif isinstance(step, Fan):
            _emit_fan(program, step, place, refusals)
        elif isinstance(step, Pipeline):
            _emit_pipeline(program, step, place, refusals)
        elif isinstance(step, Connected):
            _emit_connected(program, step, place, refusals)
        elif isinstance(step, FirstByte):
            program.emit(loop.FIRST)
        else:
            at, row = program.limit(step), {"wait": step.back_off, "attempts": step.attempts}
            refusals.append((program.emit(loop.ADMIT, at=at, copies=step.prefixes, **row), place.held))


def _emit_repeat(program: Program, repeat: Repeat, place: _Place, refusals: Refusals) -> None:
    if place.level >= loop.LEVELS - 1:
        raise ValueError(f"repeats are nested more than {loop.LEVELS - 1} deep")
    begin = program.emit(loop.TURN, level=place.level, chunk=repeat.chunk)
    _emit_route(program, repeat.route, _Place(place.held, place.level + 1), refusals)
    program.emit(loop.AGAIN, level=place.level, jump=begin + 1)


def _emit_fan(program: Program, fan: Fan, place: _Place, refusals: Refusals) -> None:
    row = {"share": fan.share} if fan.chunk is None else {"share": 0.0, "chunk": fan.chunk}
    begin = program.emit(loop.FAN, lanes=fan.lanes, level=int(fan.counts_on), **row)
    _emit_route(program, fan.route, _Place(place.held), refusals)
    program.ops[begin]["jump"] = program.emit(loop.JOIN) + 1


def _emit_pipeline(program: Program, pipeline: Pipeline, place: _Place, refusals: Refusals) -> None:
    begin = program.emit(loop.PIPE, lanes=len(pipeline.sections), chunk=pipeline.chunk)
    for section in pipeline.sections:
        gate = program.emit(loop.GATE, lanes=section.lanes, share=section.share, ahead=section.ahead)
        _emit_route(program, section.route, _Place(place.held), refusals)
        program.ops[gate]["jump"] = program.emit(loop.PASS, jump=gate) + 1
    program.ops[begin]["jump"] = len(program.ops)


def _emit_connected(program: Program, step: Connected, place: _Place, refusals: Refusals) -> None:
    """Emit a route twice: for a connection that is opened, and for one that is idle."""
    row = {"at": program.pool(step), "copies": step.pools, **_picked(program, step.pick)}
    begin = program.emit(loop.CONNECT, **row)
    _emit_route(program, step.opening + step.inside + step.warming, place, refusals)
    opened = program.emit(loop.RELEASE, **row)
    program.ops[begin]["jump"] = opened + 1
    _emit_route(program, step.inside, place, refusals)
    kept = program.emit(loop.RELEASE, **row)
    program.ops[opened]["jump"] = program.ops[kept]["jump"] = kept + 1


def _emit_visit(program: Program, visit: Visit, place: _Place, refusals: Refusals) -> None:
    depth = len(place.held)
    if depth >= loop.DEPTH:
        raise ValueError(f"station {visit.station.name!r}: visits are nested more than {loop.DEPTH} deep")
    at, copies = program.station(visit.station), visit.station.copies
    if visit.pick:
        at, copies = at + visit.pick.first, visit.pick.among or copies - visit.pick.first
    program.emit(loop.TAKE, at=at, copies=copies, depth=depth, **_chosen(program, visit, place))
    table = program.table(visit.service)
    if table != NONE or visit.per_byte > 0:
        sorting = {"sorting": visit.sorting, "sorted": visit.sorted}
        program.emit(loop.STAY, table=table, per_byte=visit.per_byte, share=visit.share, depth=depth, **sorting)
    held = (*place.held, depth)
    if visit.behind is None:
        _emit_route(program, visit.inside, _Place(held, place.level, place.beside), refusals)
        program.emit(loop.GIVE, depth=depth)
        return
    begin = program.emit(loop.DETACH, depth=depth, lanes=visit.gathered) + 1
    _emit_route(program, visit.inside, _Place(held, beside=(visit, at, depth)), refusals)
    program.emit(loop.GIVE, depth=depth)
    program.ops[begin - 1]["jump"] = program.emit(loop.JOIN) + 1
    left = Left(begin, visit, at, depth, 1 + most_lanes(visit.inside))
    program.behind.setdefault(visit.station.name, left)


def _chosen(program: Program, visit: Visit, place: _Place) -> dict[str, float]:
    """Return what chooses the copy that is visited: behind a request that beside the slot, where both are picked alike.

    So it is known where what goes on there is, whatever request left it.
    """
    if place.beside is not None:
        outer, at, depth = place.beside
        if visit.pick == outer.pick and visit.station.copies == outer.station.copies:
            return {"pick": loop.BESIDE, "stride": at, "span": depth}
    return _picked(program, visit.pick)


def _picked(program: Program, pick: Pick | None) -> dict[str, float]:
    if pick is None:
        return {}
    start = NONE if pick.start is None else program.draw(pick.start)
    step = pick.span if pick.stride is None else pick.stride
    picked: dict[str, float] = {"pick": program.draw(pick.draw), "span": pick.span, "stride": step, "from_pick": start}
    if pick.places is None:
        return picked
    return {**picked, "parts": pick.places.copies.shape[1], "places": program.place(pick.places)}
