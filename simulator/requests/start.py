"""The arrays of the request loop before the first request: tokens, stations and limits of a program."""

from __future__ import annotations

from typing import Any

import numpy as np

from models.distributions import TABLE
from models.problem import refusal
from models.requests import ENDLESS, Closed, Patience, RequestRun
from simulator.fluid.state import rows as empty_rows
from simulator.requests import state as loop
from simulator.requests.chance import scrambled
from simulator.requests.lanes import blank
from simulator.requests.pools import clients_of, let_wait, think_first
from simulator.requests.program import Program
from simulator.requests.state import NONE, Loop

FIRST_WORKER, WORKER_DRAWS = 1 << 25, 1 << 12
"""Luck of the first worker in the background, and its distance from the next. Assumption: a run has fewer requests, and
a worker makes fewer than 2^18 draws before it meets those of the next."""
ALARMS = 4
"""Alarms of the heap for each station, one and those that are stale, beside as many as there are tokens; when all are
taken, stale ones go. Assumption: so many that to look through the heap then costs each alarm a few steps."""
MOST_TOKENS = 2**21
"""Requests of an open loop under way, with all lanes that each may have. Assumption: so many that their 400 bytes each
stay below 1 GB; an overloaded loop turns requests away sooner where each has more than 250 lanes, as a listing of an
index in more than 250 shards."""
ROOM, MOST_ROOM = 2**16, 2**23
"""Requests whose outcome there is room for at first: of a load that goes on, and of others at most. Assumption: many
runs have no more; memory that no request reaches is not touched."""


def loop_state(run: RequestRun, program: Program, seed: int) -> Loop:
    """Return the state of the loop before the first request.

    Raises:
        RefusalError: there are more clients, with all their lanes, than events can name.
    """
    is_open = not isinstance(run.loop, Closed)
    most = max(MOST_TOKENS // (1 + program.lanes), 1)
    roots = run.loop.clients if isinstance(run.loop, Closed) else min(run.loop.in_flight, most) + 1
    workers = sum(background.workers for background in run.background)
    behind = sum(left.lanes * left.visit.station.slots * left.visit.station.copies for left in program.behind.values())
    tokens = (roots + workers) * (1 + program.lanes) + behind
    if 2 * tokens + program.station_count > loop.TOKEN_MASK:
        named = f"at most {loop.TOKEN_MASK // 2:,} are simulated"
        text = f"{run.name} may have {tokens:,} requests and parts of them under way, {named}"
        raise refusal("workload", text, "lower the clients, their threads, or the parts that each has at once")
    state = _empty(run, program, tokens)
    _set_clock(state.clock[0], run, seed)
    clock = state.clock[0]
    clock["stride"] = roots if run.trace is not None else 0
    clock["roots"] = roots
    clock["spare"] = clock["fresh"] = roots
    blank(state, slice(0, roots))
    blank(state, slice(tokens - workers, tokens))
    waits = think_first(run) if clock["is_spread"] and not is_open else np.zeros(roots)
    ready = np.flatnonzero(waits == 0)
    if is_open:
        _chain_free(state, roots)
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


def _chain_free(state: Loop, roots: int) -> None:
    """Link the tokens of an open loop but the first into the list of those without a request."""
    state.tokens["next"][1:roots] = np.arange(2, roots + 1)
    state.tokens["next"][roots - 1] = NONE
    state.clock[0]["free"] = 1


def _empty(run: RequestRun, program: Program, tokens: int) -> Loop:
    trace, room = run.trace, ROOM if run.goes_on else min(run.count, MOST_ROOM)
    events = 3 * tokens + ALARMS * program.station_count + 1  # and timers, and alarms
    return Loop(
        clock=np.zeros(1, loop.CLOCK),
        ops=_rows(program.ops, loop.OP),
        kinds=np.array(program.kinds, loop.KIND),
        clients=clients_of(run),
        tables=np.array([distribution.values for distribution in program.tables] or [np.zeros(TABLE)]),
        paces=np.array([pace for station, _ in program.stations.values() for pace in station.paces] or [1.0]),
        tokens=empty_rows(tokens, loop.TOKEN),
        services=np.zeros(tokens, loop.SERVICE),
        latest=np.zeros((len(program.ops), max(program.station_count, 1)), np.int32),
        turns=np.zeros((tokens, loop.LEVELS)),
        sizes=np.zeros((tokens, loop.LEVELS)),
        picks=np.array([(draw.count, draw.by_client) for draw in program.draws], loop.PICK),
        picked=np.zeros((tokens, loop.PICKS), np.int32),
        places=np.concatenate([places.copies.ravel() for places in program.places] or [np.zeros(1, np.int64)]),
        stations=_stations(program, run),
        limits=_limits(program),
        connections=np.array(program.kept() or [(0, 0)], loop.KEPT),
        times=np.zeros(events),
        keys=np.zeros(events, np.int64),
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
    """Return the limits, of which nothing is saved: what came at once before a load that goes on is long spent."""
    made = np.zeros(max(program.limit_count, 1), loop.LIMIT)
    for limit, at in program.limits.values():
        rows = made[at : at + limit.prefixes]
        rows["rate"], rows["burst"] = limit.rate, limit.burst
    return made
