"""Turns stations, kinds and loops into the programs and arrays of the request loop."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from models.distributions import NOTHING, TABLE, Distribution, exponential
from models.requests import (
    ENDLESS,
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
from simulator.fluid.state import rows as empty_rows
from simulator.requests import state as loop
from simulator.requests.chance import scrambled
from simulator.requests.lanes import most_lanes
from simulator.requests.pools import clients_of, edges, let_wait, think_first
from simulator.requests.state import NONE, Loop

Refusals = list[tuple[int, tuple[int, ...]]]
"""Places of the operations that may refuse a request, and the depths of the slots that it then holds."""
FIRST_WORKER, WORKER_DRAWS = 1 << 25, 1 << 12
"""Luck of the first worker in the background, and its distance from the next. Assumption: a run has fewer requests, and
a worker makes fewer than 2^18 draws before it meets those of the next."""
ALARMS = 4
"""Alarms that each station may have in the heap, one and those that are stale. Assumption: more are rare, and slow."""
ROOM, MOST_ROOM = 2**16, 2**23
"""Requests whose outcome there is room for at first: of a load that goes on, and of others at most. Assumption: many
runs have no more; memory that no request reaches is not touched."""


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
    program.emit(loop.ARRIVE, table=program.table(_gaps(run)))
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


def _gaps(run: RequestRun) -> Distribution:
    return NOTHING if isinstance(run.loop, Closed) else exponential(1 / run.loop.rate)


@value()
class _Place:
    """Where in a route an operation stands: the depths of the slots held, and the repeats around it."""

    held: tuple[int, ...] = ()
    level: int = 0


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
    program.emit(loop.TAKE, at=at, copies=copies, depth=depth, **_picked(program, visit.pick))
    table = program.table(visit.service)
    if table != NONE or visit.per_byte > 0:
        sorting = {"sorting": visit.sorting, "sorted": visit.sorted}
        program.emit(loop.STAY, table=table, per_byte=visit.per_byte, share=visit.share, depth=depth, **sorting)
    _emit_route(program, visit.inside, _Place((*place.held, depth), place.level), refusals)
    program.emit(loop.GIVE, depth=depth)


def _picked(program: Program, pick: Pick | None) -> dict[str, float]:
    if pick is None:
        return {}
    start = NONE if pick.start is None else program.draw(pick.start)
    step = pick.span if pick.stride is None else pick.stride
    picked: dict[str, float] = {"pick": program.draw(pick.draw), "span": pick.span, "stride": step, "from_pick": start}
    if pick.places is None:
        return picked
    return {**picked, "parts": pick.places.copies.shape[1], "places": program.place(pick.places)}


def loop_state(run: RequestRun, program: Program, seed: int) -> Loop:
    """Return the state of the loop before the first request.

    Raises:
        ValueError: there are more clients, with all their lanes, than events can name.
    """
    is_open = not isinstance(run.loop, Closed)
    roots = run.loop.clients if isinstance(run.loop, Closed) else run.loop.in_flight + 1
    workers = sum(background.workers for background in run.background)
    tokens = (roots + workers) * (1 + program.lanes)
    if 2 * tokens + program.station_count > loop.TOKEN_MASK:
        raise ValueError(f"{run.name}: {tokens:,} requests and lanes under way, at most {loop.TOKEN_MASK // 2:,}")
    state = _empty(run, program, tokens)
    _set_clock(state.clock[0], run, seed)
    clock = state.clock[0]
    clock["stride"] = roots if run.trace is not None else 0
    clock["roots"] = roots
    _chain(state, roots, tokens - workers, "spare")
    waits = think_first(run) if clock["is_spread"] and not is_open else np.zeros(roots)
    ready = np.flatnonzero(waits == 0)
    if is_open:
        _chain(state, 1, roots, "free")
        state.tokens[0]["pc"] = 1
        ready = ready[:1]
    at_once = np.concatenate([ready, np.arange(tokens - workers, tokens)])
    state.ring[: len(at_once)] = at_once
    clock["ready_count"] = len(at_once)
    let_wait(state, waits)
    _set_workers(state, program, tokens - workers)
    return state


def _set_workers(state: Loop, program: Program, at: int) -> None:
    """Let the tokens from `at` on be the workers in the background, each with draws of its own."""
    for begin, work in program.background:
        rows = slice(at, at + work.workers)
        state.tokens["pc"][rows], state.tokens["size"][rows] = begin, work.size
        state.tokens["luck"][rows] = FIRST_WORKER + WORKER_DRAWS * np.arange(at, at + work.workers)
        state.turns[rows, loop.LEVELS - 1] = np.inf
        at += work.workers


def _set_clock(clock: Any, run: RequestRun, seed: int) -> None:
    patience = run.patience or Patience(timeout=np.inf)
    clock["count"] = ENDLESS if run.goes_on else run.count
    clock["is_spread"] = run.goes_on and run.trace is None
    clock["is_open"], clock["free"] = not isinstance(run.loop, Closed), NONE
    clock["timeout"], clock["tries"], clock["back_off"] = patience.timeout, patience.attempts, patience.back_off
    clock["until"], clock["pause"], clock["seed"] = run.duration, ENDLESS, scrambled(seed + 1)


def _chain(state: Loop, first: int, end: int, name: str) -> None:
    """Link the tokens from `first` to before `end` into a list of the clock."""
    state.tokens["next"][first:end] = np.arange(first + 1, end + 1)
    if end > first:
        state.tokens["next"][end - 1] = NONE
    state.clock[0][name] = first if end > first else NONE


def _empty(run: RequestRun, program: Program, tokens: int) -> Loop:
    trace, room = run.trace, ROOM if run.goes_on else min(run.count, MOST_ROOM)
    return Loop(
        clock=np.zeros(1, loop.CLOCK),
        ops=_rows(program.ops, loop.OP),
        kinds=np.array(program.kinds, loop.KIND),
        clients=clients_of(run),
        tables=np.array([distribution.values for distribution in program.tables] or [np.zeros(TABLE)]),
        paces=np.array([pace for station, _ in program.stations.values() for pace in station.paces] or [1.0]),
        tokens=_tokens(tokens),
        turns=np.zeros((tokens, loop.LEVELS)),
        sizes=np.zeros((tokens, loop.LEVELS)),
        picks=np.array([(draw.count, draw.by_client) for draw in program.draws], loop.PICK),
        picked=np.zeros((tokens, loop.PICKS), np.int32),
        places=np.concatenate([places.copies.ravel() for places in program.places] or [np.zeros(1, np.int64)]),
        stations=_stations(program, run),
        limits=_limits(program),
        connections=np.array(program.kept() or [(0, 0)], loop.KEPT),
        times=np.zeros(2 * tokens + ALARMS * program.station_count + 1),
        keys=np.zeros(2 * tokens + ALARMS * program.station_count + 1, np.int64),
        ring=np.zeros(tokens, np.int64),
        ended=np.empty(room),
        area=np.empty(room if run.goes_on else 0),
        latency=np.empty(room),
        first=np.empty(room if any(op["code"] == loop.FIRST for op in program.ops) else 0),
        which=np.empty(room, np.uint8),
        moved=np.empty(room),
        trace_kinds=np.zeros(0, np.uint8) if trace is None else trace.kinds,
        trace_sizes=np.zeros(0) if trace is None else trace.sizes,
    )


def _tokens(count: int) -> Any:
    made = empty_rows(count, loop.TOKEN)
    made["request"] = made["parent"] = made["root"] = made["held"] = NONE
    made["deadline"] = np.inf
    made["weight"] = 1.0
    return made


def _rows(rows: list[dict[str, float]], dtype: np.dtype[Any]) -> Any:
    made = np.zeros(len(rows), dtype)
    for at, row in enumerate(rows):
        for name, number in row.items():
            made[at][name] = number
    return made


def _stations(program: Program, run: RequestRun) -> Any:
    made = np.zeros(max(program.station_count, 1), loop.STATION)
    made["head"] = made["tail"] = made["first"] = made["last"] = made["paces"] = NONE
    made["alarm"] = np.inf
    paces = 0
    for station, at in program.stations.values():
        rows = made[at : at + station.copies]
        rows["slots"] = rows["free"] = station.slots
        if station.paces:
            rows["paces"] = paces
            paces += len(station.paces)
    for flows in run.flows:
        if flows.station in program.stations:
            station, at = program.stations[flows.station]
            made["streams"][at : at + station.copies] = flows.streams
            made["most"][at : at + station.copies] = flows.most
    return made


def _limits(program: Program) -> Any:
    made = np.zeros(max(program.limit_count, 1), loop.LIMIT)
    for limit, at in program.limits.values():
        rows = made[at : at + limit.prefixes]
        rows["rate"], rows["burst"], rows["tokens"] = limit.rate, limit.burst, limit.burst
    return made
