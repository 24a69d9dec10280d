"""Turns stations, kinds and loops into the programs and arrays of the request loop."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from models.jobs.requests import (
    NOTHING,
    TABLE,
    Admission,
    Closed,
    FirstByte,
    Kind,
    RequestRun,
    Route,
    Spread,
    Station,
    Visit,
    exponential,
)
from simulator import request_loop as loop
from simulator.request_loop import NONE, Loop

Refusals = list[tuple[int, tuple[int, ...]]]
"""Places of the operations that may refuse a request, and the depths of the slots that it then holds."""


@dataclass(slots=True)
class Program:
    """What a run comes to: rows of operations, tables of values, and the stations and limits that they name."""

    ops: list[dict[str, float]] = field(default_factory=list)
    kinds: list[tuple[float, int, int]] = field(default_factory=list)
    tables: list[Spread] = field(default_factory=list)
    stations: dict[str, tuple[Station, int]] = field(default_factory=dict)
    limits: dict[str, tuple[Admission, int]] = field(default_factory=dict)
    station_count: int = 0
    limit_count: int = 0

    def emit(self, code: int, **values: float) -> int:
        """Append an operation and return its place."""
        self.ops.append({"code": code, "depth": NONE, "table": NONE, **values})
        return len(self.ops) - 1

    def table(self, spread: Spread) -> int:
        """Return the number of a table, -1 for one of zeros only."""
        if not spread.values.any():
            return NONE
        self.tables.append(spread)
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

    def limit(self, limit: Admission) -> int:
        """Return the number of the first prefix of a limit."""
        if limit.name not in self.limits:
            self.limits[limit.name] = limit, self.limit_count
            self.limit_count += limit.prefixes
        return self.limits[limit.name][1]


def assembled(run: RequestRun) -> Program:
    """Return the program of a run: what a token does between requests, the arrivals, and the route of each kind."""
    program, edge = Program(), 0.0
    closed = run.loop if isinstance(run.loop, Closed) else None
    program.emit(loop.NEXT)
    gaps = program.table(_gaps(run))
    program.emit(loop.ARRIVE, table=gaps)
    total = sum(kind.weight for kind in run.kinds)
    for kind in run.kinds:
        edge += kind.weight / total
        entry = len(program.ops)
        if closed and (think := program.table(closed.think)) != NONE:
            program.emit(loop.STAY, table=think)
        _emit_kind(program, kind)
        program.kinds.append((edge, entry, program.table(kind.size)))
    program.kinds[-1] = (float("inf"), *program.kinds[-1][1:])
    return program


def _gaps(run: RequestRun) -> Spread:
    return NOTHING if isinstance(run.loop, Closed) else exponential(1 / run.loop.rate)


def _emit_kind(program: Program, kind: Kind) -> None:
    refusals: Refusals = []
    program.emit(loop.START)
    _emit_route(program, kind.route, (), refusals)
    program.emit(loop.END)
    _emit_route(program, kind.after, (), refusals)
    program.emit(loop.NEXT)
    for place, held in refusals:
        program.ops[place]["unwind"] = len(program.ops)
        for depth in reversed(held):
            program.emit(loop.GIVE, depth=depth)
        program.emit(loop.FAIL)


def _emit_route(program: Program, route: Route, held: tuple[int, ...], refusals: Refusals) -> None:
    for step in route:
        if isinstance(step, Visit):
            _emit_visit(program, step, held, refusals)
        elif isinstance(step, FirstByte):
            program.emit(loop.FIRST)
        else:
            at, row = program.limit(step), {"wait": step.back_off, "attempts": step.attempts}
            refusals.append((program.emit(loop.ADMIT, at=at, copies=step.prefixes, **row), held))


def _emit_visit(program: Program, visit: Visit, held: tuple[int, ...], refusals: Refusals) -> None:
    depth = len(held)
    if depth >= loop.DEPTH:
        raise ValueError(f"station {visit.station.name!r}: visits are nested more than {loop.DEPTH} deep")
    program.emit(loop.TAKE, at=program.station(visit.station), copies=visit.station.copies, depth=depth)
    table = program.table(visit.service)
    if table != NONE or visit.per_byte > 0:
        program.emit(loop.STAY, table=table, per_byte=visit.per_byte, depth=depth)
    _emit_route(program, visit.inside, (*held, depth), refusals)
    program.emit(loop.GIVE, depth=depth)


def loop_state(run: RequestRun, program: Program, seed: int) -> Loop:
    """Return the state of the loop before the first request."""
    is_open = not isinstance(run.loop, Closed)
    tokens = run.loop.clients if isinstance(run.loop, Closed) else run.loop.in_flight + 1
    state = _empty(run, program, tokens)
    clock = state.clock[0]
    clock["count"], clock["is_open"], clock["free"] = run.count, is_open, NONE
    clock["stride"] = tokens if run.trace is not None else 0
    clock["seed"] = loop.scrambled(seed + 1)
    state.tokens["request"] = NONE
    first, ready = (1, tokens) if is_open else (0, tokens)
    if is_open:
        state.tokens["next"] = np.arange(1, tokens + 1)
        state.tokens["next"][-1] = NONE
        state.tokens[0]["pc"], state.tokens[0]["request"] = 1, run.count
        clock["free"], ready = first, 1
    state.ring[:ready] = np.arange(ready)
    clock["ready_count"] = ready
    return state


def _empty(run: RequestRun, program: Program, tokens: int) -> Loop:
    trace = run.trace
    return Loop(
        clock=np.zeros(1, loop.CLOCK),
        ops=_rows(program.ops, loop.OP),
        kinds=np.array(program.kinds, loop.KIND),
        tables=np.array([spread.values for spread in program.tables] or [np.zeros(TABLE)]),
        tokens=np.zeros(tokens, loop.TOKEN),
        held=np.zeros((tokens, loop.DEPTH), np.int32),
        stations=_stations(program),
        limits=_limits(program),
        times=np.zeros(tokens + 1),
        keys=np.zeros(tokens + 1, np.int64),
        ring=np.zeros(tokens, np.int64),
        latency=np.empty(run.count),
        first=np.empty(run.count),
        which=np.empty(run.count, np.uint8),
        trace_kinds=np.zeros(0, np.uint8) if trace is None else trace.kinds,
        trace_sizes=np.zeros(0) if trace is None else trace.sizes,
    )


def _rows(rows: list[dict[str, float]], dtype: np.dtype[Any]) -> Any:
    made = np.zeros(len(rows), dtype)
    for at, row in enumerate(rows):
        for name, value in row.items():
            made[at][name] = value
    return made


def _stations(program: Program) -> Any:
    made = np.zeros(max(program.station_count, 1), loop.STATION)
    made["head"] = made["tail"] = NONE
    for station, at in program.stations.values():
        made["slots"][at : at + station.copies] = made["free"][at : at + station.copies] = station.slots
    return made


def _limits(program: Program) -> Any:
    made = np.zeros(max(program.limit_count, 1), loop.LIMIT)
    for limit, at in program.limits.values():
        rows = made[at : at + limit.prefixes]
        rows["rate"], rows["burst"], rows["tokens"] = limit.rate, limit.burst, limit.burst
    return made
