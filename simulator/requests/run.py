"""Runs requests through the compiled loop and says how they fared: throughput, latencies, stations.

What is said is of a steady state. The window that is measured begins after the warm-up, and not before each client has
had an answer; it ends while all clients still have requests to send. A load that goes on is simulated until that window
is long enough, and until no more requests come than go; an open loop of which that never holds fills up, what comes
then is turned away, and the answer says that it is overloaded and what is carried.

Two laws are checked in every run. Little's: the mean number of requests under way, from the clock, equals their rate
times their time, from the requests. And rate times size, times the duration, are the bytes that were moved, up to what
the warm-up may add.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from models.requests import LEAST, Closed, RequestRun, Station
from models.values import value
from simulator.clock import Cancelled
from simulator.compiled import entry
from simulator.requests.batches import Choice, Flow, choose_times
from simulator.requests.behind import SETTLED, Watch, all_behind
from simulator.requests.beyond import beyond
from simulator.requests.controls import without_luck
from simulator.requests.estimates import Estimate, Latency, latency_of, rate_of
from simulator.requests.little import LITTLE, both_sides
from simulator.requests.loop import advance
from simulator.requests.pools import answered, kinds_answered
from simulator.requests.program import Program, assembled
from simulator.requests.room import with_room
from simulator.requests.start import loop_state
from simulator.requests.state import Loop

Floats = NDArray[np.float64]

CHUNK = 1024
"""Requests between two looks whether the run is long enough. Assumption: few enough to tell in time."""
EVENTS = 1_000_000
"""Events between two looks whether the run is to stop, since a request may have thousands of parts. Assumption: few
enough to cancel within a second."""
ROUNDS = 5
"""Requests of each client in such a load at least, the first for warm-up. Assumption (range 3 to 20): after a start in
step, the rate of four rounds is within 5 % of that in the long run (closed loops of 16 to 200 clients)."""
LONGEST = 4_000_000
"""Requests done after which a load no longer waits for those of a kind that takes long. Assumption: a second or more of
a processor (range 10^6 to 10^7)."""
GROWTH = 0.01
"""Requests that come and do not go, over those that come, at which a load is not steady. Assumption."""


@value()
class StationUse:
    """One copy of a station: busy share of its slots (0 to 1), visits, seconds of waiting and of service, and bytes.

    `served` leaves out what a visitor does elsewhere while it holds the slot. Of what lanes of a request do side by
    side, their mean counts in `waited` and `served`.
    """

    station: Station
    copy: int
    utilization: float
    visits: int
    waited: float
    served: float
    bytes: float

    @property
    def name(self) -> str:
        """Name of the station, with the number of the copy if there are several."""
        return self.station.name if self.station.copies == 1 else f"{self.station.name}-{self.copy + 1}"


@value()
class RequestResult:
    """How the requests of a run fared. Rates and latencies are of a steady state, everything else of the whole run.

    `duration` is simulated (s); where the run `stopped_early`, the rest is taken to go on at the same throughput.
    A load that `is_overloaded` has no steady state: its rates are what is carried, and its latencies grow without end.
    `counts` are the requests of each kind that are done, `little` both sides of Little's law. `bandwidths` are the
    bytes per second of each kind and `rates` its requests per second; `timed_out` counts attempts that were given up,
    `retries` those that were sent again, `failed` requests. `samples` are the latencies of each kind, and the times of
    its first bytes, if they were to be kept.
    """

    name: str
    duration: float
    simulated: float
    stopped_early: bool
    is_overloaded: bool
    done: int
    failed: int
    refused: int
    timed_out: int
    retries: int
    under_way: int
    counts: dict[str, int]
    throughput: Estimate
    rates: dict[str, Estimate]
    bandwidths: dict[str, Estimate]
    latency: Latency
    first_byte: Latency
    latencies: dict[str, Latency]
    first_bytes: dict[str, Latency]
    stations: tuple[StationUse, ...]
    little: tuple[float, float]
    samples: dict[str, tuple[NDArray[np.float64], NDArray[np.float64]]]


@value()
class _Window:
    """The requests that are measured, by order of completion: from `begin` to before `end`."""

    begin: int
    end: int

    def of(self, column: NDArray[Any]) -> NDArray[Any]:
        """Return what the requests of the window have in a column."""
        return column[self.begin : self.end]

    def gaps(self, column: NDArray[Any], room: NDArray[Any]) -> NDArray[Any]:
        """Write into the room by how much a column grows from request to request, and return it."""
        if self.end > self.begin:
            np.subtract(column[self.begin + 1 : self.end], column[self.begin : self.end - 1], out=room[1:])
            room[0] = column[self.begin] - (column[self.begin - 1] if self.begin else 0.0)
        return room


def run_requests(
    run: RequestRun, *, seed: int = 0, should_stop: Callable[[], bool] | None = None, keeps_samples: bool = False
) -> RequestResult:
    """Return how the requests of a run fare, with the times of each of them where its samples are to be kept.

    Raises:
        ValueError: a route is nested too deeply, or there are too many clients.
        Cancelled: `should_stop` said so.
    """
    program = assembled(run)
    watch = Watch(program if run.goes_on else None)
    ended = _advance(run, loop_state(run, program, seed), should_stop, watch)
    if watch.fills:
        run, watch = replace(run, warm_up=SETTLED), Watch(program, is_anew=True)
        ended = _advance(run, all_behind(loop_state(run, program, seed), program), should_stop, watch)
    return _result(run, program, *ended, keeps_samples)


def of_all(result: RequestResult, alike: int) -> RequestResult:
    """Return how the requests of all servers fare where those that were simulated are one of so many parts alike.

    Stations stay those of the part.
    """
    if alike == 1:
        return result
    counted = ("done", "failed", "refused", "timed_out", "retries", "under_way")
    return replace(
        result,
        **{name: getattr(result, name) * alike for name in counted},
        counts={name: count * alike for name, count in result.counts.items()},
        throughput=result.throughput.times(alike),
        rates={name: rate.times(alike) for name, rate in result.rates.items()},
        bandwidths={name: rate.times(alike) for name, rate in result.bandwidths.items()},
        little=(result.little[0] * alike, result.little[1] * alike),
    )


def _advance(run: RequestRun, loop: Loop, should_stop: Callable[[], bool] | None, watch: Watch) -> tuple[Loop, bool]:
    """Run to the end, on to a steady state, or until the interval is tight; return whether that was it, too.

    Where who watches says that work behind requests fills up, that is the end.
    """
    clock, target, look = loop.clock[0], run.count, LEAST
    clock["until"], go_on = run.duration, entry(advance)
    while True:
        reach = min(int(clock["done"] + clock["failed"]) + watch.reach(CHUNK), target)
        loop = with_room(loop, reach)
        has_more = _reaches(go_on, loop, reach, should_stop)
        ended = int(clock["done"] + clock["failed"])
        if watch.look(loop):
            return loop, False
        if ended >= target or not has_more:
            if not run.goes_on or (_is_steady(run, loop) and not watch.changes(loop)):
                return loop, False
            target = max(target, ended + max(ended // 4, LEAST))
            clock["until"] *= 1.25
        elif run.precision > 0 and ended >= look:
            look = ended * 5 // 4
            is_enough = not run.goes_on or (_is_steady(run, loop) and not watch.changes(loop))
            if is_enough and _throughput(run, loop).half_width < run.precision:
                return loop, True


def _reaches(go_on: Callable[[Loop, int], int], loop: Loop, reach: int, should_stop: Callable[[], bool] | None) -> bool:
    """Run until so many requests have ended; return False once nothing is left to do.

    Raises:
        Cancelled: `should_stop` said so.
    """
    clock = loop.clock[0]
    while True:
        clock["pause"] = clock["events"] + EVENTS
        has_more = bool(go_on(loop, reach))
        if should_stop is not None and should_stop():
            raise Cancelled(f"cancelled at {clock['now']} s of simulated time")
        if not has_more or clock["done"] + clock["failed"] >= reach:
            return has_more


def _is_steady(run: RequestRun, loop: Loop) -> bool:
    """Tell whether a load has lasted long enough to be measured, and as many requests go as come."""
    clock, window = loop.clock[0], _window(run, loop)
    measured = window.end - window.begin
    if clock["done"] + clock["failed"] < max(LEAST, ROUNDS * _taking_part(run, loop)):
        return False
    if _has_pools(run) and answered(run, loop.which[: clock["done"]], ROUNDS) is None:
        return False
    if clock["done"] < LONGEST and kinds_answered(len(run.kinds), loop, ROUNDS) is None:
        return False
    if measured < LEAST // 2:
        return True  # nearly all requests fail
    ended = window.of(loop.ended)
    times = np.linspace(ended[0], ended[-1], 11)
    first, *_, last = np.diff(np.interp(times, ended, window.of(loop.area)))  # of the tenths of the window
    return bool(abs(last - first) <= GROWTH * measured * (times[1] - times[0]))


def _taking_part(run: RequestRun, loop: Loop) -> float:
    """Return the mean number of requests under way, or that of clients where some of them have none at times."""
    clock = loop.clock[0]
    if run.has_pauses:
        return float(_clients(run))
    return float(clock["area"] / clock["since"]) if clock["since"] > 0 else 0.0


def _window(run: RequestRun, loop: Loop) -> _Window:
    """Return what is left of a run without its warm-up, and without the time in which clients have no more to send.

    In a closed loop these are whole rounds, in which each client has one request done, where there are any.
    """
    done, clients = int(loop.clock[0]["done"]), _clients(run)
    begin, end = int(run.warm_up * done), min(done, run.count - clients)
    if run.goes_on:
        first = answered(run, loop.which[:done], 1) if _has_pools(run) else math.ceil(_taking_part(run, loop))
        begin = max(begin, first or 0, kinds_answered(len(run.kinds), loop, 1) or 0)
        begin, end = min(begin, done), done
    if end <= begin:
        return _Window(begin, done)
    return _Window(begin + (end - begin) % max(clients, 1) if end - begin >= clients else begin, end)


def _has_pools(run: RequestRun) -> bool:
    """Tell whether a run is several closed loops, of which one may be much faster than another."""
    return isinstance(run.loop, Closed) and len(run.loop.pools) > 1


def _clients(run: RequestRun) -> int:
    """Return the clients of a closed loop; an open one has none that wait for an answer."""
    return run.loop.clients if isinstance(run.loop, Closed) else 0


def _throughput(run: RequestRun, loop: Loop, gaps: Floats | None = None) -> Estimate:
    """Return the requests done per second: where the rest goes on so, that of kinds and sizes as expected.

    `gaps` are those of the window, where they are there already.
    """
    window = _window(run, loop)
    gaps = window.gaps(loop.ended, _room(window)) if gaps is None else gaps
    if run.precision > 0 and not run.goes_on:
        gaps = without_luck(gaps, window.of(loop.which), window.of(loop.moved), run.kinds)
    return rate_of(_flow(run, loop, window, gaps), 1.0, _mean(gaps), _clients(run))


def _room(window: _Window) -> Floats:
    """Return memory for a number of each request of a window: that of millions is used again, since it is cleared."""
    return np.empty(max(window.end - window.begin, 0))


def _flow(run: RequestRun, loop: Loop, window: _Window, gaps: Floats, name: str | None = None) -> Flow:
    """Return the requests of a window, of which those of kinds of a name count; all without one."""
    parts = np.array([float(name is None or kind.name == name) for kind in run.kinds])
    return Flow(gaps, window.of(loop.which), window.of(loop.moved), parts)


def _result(run: RequestRun, program: Program, loop: Loop, stopped_early: bool, keeps_samples: bool) -> RequestResult:
    window, clock, clients = _window(run, loop), loop.clock[0], _clients(run)
    done, now, room = int(clock["done"]), float(clock["now"]), _room(window)
    counts = {name: int(np.count_nonzero(of_kind)) for name, of_kind in _kinds(run, loop.which[:done]).items()}
    kinds = _kinds(run, window.of(loop.which))
    sizes = {name: _mean(np.multiply(of_kind, window.of(loop.moved), out=room)) for name, of_kind in kinds.items()}
    parts = {name: np.count_nonzero(of_kind) / max(len(of_kind), 1) for name, of_kind in kinds.items()}
    gaps = window.gaps(loop.ended, room)
    throughput, flows = _throughput(run, loop, gaps), {name: _flow(run, loop, window, gaps, name) for name in kinds}
    is_overloaded = bool(beyond(run)) or bool(clock["overflow"] > GROWTH * clock["issued"])
    times, first = window.of(loop.latency), window.of(loop.first)
    if is_overloaded:
        times, first = np.full(len(times), math.inf), np.where(first > 0, math.inf, 0.0)
    gap = _mean(gaps)
    rates = {name: rate_of(flow, parts[name], gap, clients) for name, flow in flows.items()}
    bandwidths = {name: rate_of(flow, sizes[name], gap, clients, of_bytes=True) for name, flow in flows.items()}
    latency = latency_of(times)  # from here on the room is for times of a kind
    first_byte, is_alone = latency_of(first[first > 0]), len(kinds) == 1
    left = run.count - done - int(clock["failed"])
    result = RequestResult(
        name=run.name,
        duration=min(now + left / throughput.value, run.duration) if stopped_early else now,
        simulated=now,
        stopped_early=stopped_early,
        is_overloaded=is_overloaded,
        done=done,
        failed=int(clock["failed"]),
        refused=int(clock["refused"]),
        timed_out=int(clock["timed_out"]),
        retries=int(clock["retries"]),
        under_way=int(clock["under_way"]),
        counts=counts,
        throughput=throughput,
        rates=rates,
        bandwidths=bandwidths,
        latency=latency,
        first_byte=first_byte,
        latencies={
            name: latency if is_alone else latency_of(_chosen(times, flow, room)) for name, flow in flows.items()
        },
        first_bytes={
            name: first_byte if is_alone else latency_of(_first_bytes(first, of_kind))
            for name, of_kind in kinds.items()
        },
        stations=_stations(program, loop),
        little=both_sides(run.name, loop),
        samples={name: (times[of_kind], _first_bytes(first, of_kind)) for name, of_kind in kinds.items()}
        if keeps_samples
        else {},
    )
    _check_bytes(result, loop, window)
    return result


def _chosen(times: Floats, flow: Flow, room: Floats) -> Floats:
    """Return the times of those requests of a window that count, in the room."""
    many = choose_times(Choice(times, flow.which, flow.parts, room))
    return room[:many]


def _first_bytes(first: Floats, of_kind: NDArray[np.bool_]) -> Floats:
    """Return the times of first bytes of a kind; none where no route has one before its end."""
    return first[of_kind & (first > 0)] if len(first) else first


def _mean(amounts: NDArray[Any]) -> float:
    return float(amounts.mean()) if len(amounts) else 0.0


def _check_bytes(result: RequestResult, loop: Loop, window: _Window) -> None:
    """Hold the bytes that were moved against rate times size times duration, and the requests likewise.

    They differ by no more than the warm-up, in which more or less was moved than afterwards.

    Raises:
        RuntimeError: they differ by more.
    """
    lasted = float(loop.ended[window.end - 1]) if window.end > window.begin else 0.0
    warm_up = float(loop.ended[window.begin - 1]) / lasted if window.begin and lasted > 0 else 0.0
    until = [float(loop.moved[:count].sum()) for count in (window.begin, window.end)]
    for rates, (before, moved) in ((result.rates, (window.begin, window.end)), (result.bandwidths, until)):
        expected = sum(rate.value for rate in rates.values()) * lasted
        early = before / moved if moved > 0 else 0.0
        if abs(expected - moved) > (max(warm_up, early) + LITTLE) * max(expected, moved):
            raise RuntimeError(f"{result.name}: rate x size x duration are {expected:g}, but {moved:g} were moved")


def _kinds(run: RequestRun, which: NDArray[np.uint8]) -> dict[str, NDArray[np.bool_]]:
    """Return by the names of kinds which requests are of these."""
    chosen: dict[str, NDArray[np.bool_]] = {}
    for k, kind in enumerate(run.kinds):
        chosen[kind.name] = chosen[kind.name] | (which == k) if kind.name in chosen else which == k
    return chosen


def _stations(program: Program, loop: Loop) -> tuple[StationUse, ...]:
    now = float(loop.clock[0]["now"])
    used = []
    for station, at in program.stations.values():
        for copy in range(station.copies):
            row = loop.stations[at + copy]
            held = 0 if station.paces else row["slots"] - row["free"]
            busy = row["busy"] + held * (now - row["since"])
            share = float(busy / (now * station.slots)) if now > 0 else 0.0
            spent = float(row["waited"]), float(row["served"]), float(row["bytes"])
            used.append(StationUse(station, copy, share, int(row["visits"]), *spent))
    return tuple(used)
