"""Runs requests through the compiled loop and says how they fared: throughput, latencies, stations.

Rates of kinds are those of Little's law: requests under way over their mean latency. Counting ends in a window comes to
the same in the long run, but in a short one the ends of requests that began before the window make it too fast. Clients
of a closed loop that find no more requests to send make the rest too slow, so that is left out.
Intervals are of 95 % by batch means: the measured part is cut into twenty batches in the order of completion, whose
means (or percentiles) are taken as independent. Little's law is checked in every run: the mean number of requests under
way, from the clock, equals their rate times their time, from the requests.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from models.jobs.requests import Closed, Open, RequestRun, Station
from simulator.clock import Cancelled
from simulator.request_loop import advance
from simulator.request_program import Program, assembled, loop_state, with_room
from simulator.request_state import Loop

BATCHES = 20
STUDENT_19 = 2.093
"""97.5 % quantile of Student's t with 19 degrees of freedom. Source: any table of the t distribution."""
CHUNK = 8192
"""Requests between two looks at the interval. Assumption: long against the memory of the queues."""
LITTLE = 0.01
"""Largest gap in Little's law, as a fraction."""
Marks = list[tuple[int, float, float]]
"""Requests done, time (s), and the integral of the requests under way until then, again and again over a run."""
PERCENTILES = {"p50": 0.5, "p90": 0.9, "p99": 0.99, "p99.9": 0.999}


class OverflowingError(ValueError):
    """An open loop sends more than its stations serve."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """A value with its 95 % confidence interval, from minus to plus infinity where there are too few requests."""

    value: float
    low: float
    high: float

    @property
    def half_width(self) -> float:
        """Half the width of the interval over the value."""
        return (self.high - self.low) / 2 / self.value


@dataclass(frozen=True, slots=True)
class Latency:
    """Latencies (s) of `count` requests: their mean, and percentiles by name ("p99.9")."""

    count: int
    mean: Estimate
    percentiles: dict[str, Estimate]


@dataclass(frozen=True, slots=True)
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


@dataclass(frozen=True, slots=True)
class RequestResult:
    """How the requests of a run fared. Latencies leave the warm-up out, everything else is of the whole run.

    `duration` is simulated (s); where the run `stopped_early`, the rest is taken to go on at the same throughput.
    `counts` are the requests of each kind that are done, `little` both sides of Little's law. `bandwidths` are the
    bytes per second of each kind and `rates` its requests per second, both without the warm-up; `timed_out` counts
    attempts that were given up, `retries` those that were sent again, `failed` requests.
    """

    name: str
    duration: float
    simulated: float
    stopped_early: bool
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


def run_requests(run: RequestRun, *, seed: int = 0, should_stop: Callable[[], bool] | None = None) -> RequestResult:
    """Return how the requests of a run fare.

    Raises:
        OverflowingError: an open loop has more requests under way than it may.
        ValueError: a route is nested too deeply.
        Cancelled: `should_stop` said so.
    """
    program = assembled(run)
    loop, marks, stopped_early = _advance(run, program, loop_state(run, program, seed), should_stop)
    return _result(run, program, loop, marks, stopped_early)


def _advance(
    run: RequestRun, program: Program, loop: Loop, should_stop: Callable[[], bool] | None
) -> tuple[Loop, Marks, bool]:
    """Run to the end, or until the interval is tight; return the state and the marks between.

    Marks lie a number of requests apart, in a run of given duration no further than a part of it.
    """
    chunk = min(CHUNK, max(run.count // (2 * BATCHES), 1))
    marks, look = [(0, 0.0, 0.0)], 2 * BATCHES
    clock = loop.clock[0]
    while True:
        target = min(int(clock["done"] + clock["failed"]) + chunk, run.count)
        clock["until"] = until = min(marks[-1][1] + run.duration / (4 * BATCHES), run.duration)
        loop = with_room(loop, target)
        goes_on = advance(loop, target)
        if clock["overflow"]:
            raise OverflowingError(f"{run.name}: {_overload(run, program, loop)}; the stations cannot keep up")
        if goes_on or clock["now"] >= until:
            area = clock["area"] + clock["under_way"] * (clock["now"] - clock["since"])
            marks.append((int(clock["done"]), float(clock["now"]), float(area)))
        if should_stop is not None and should_stop():
            raise Cancelled(f"cancelled at {clock['now']} s of simulated time")
        if clock["done"] + clock["failed"] >= run.count or not (goes_on or run.duration > clock["now"] >= until):
            return loop, marks, False
        if run.precision > 0 and len(marks) >= look:
            look = len(marks) * 5 // 4
            if _throughput(_measured(marks, run.warm_up)).half_width < run.precision:
                return loop, marks, True


def _overload(run: RequestRun, program: Program, loop: Loop) -> str:
    """Return how many of the busiest stations an open loop would need that has more requests under way than it may.

    Those stations serve what they can, so they would have to be as many times more as requests come faster than go.
    """
    clock, shares = loop.clock[0], defaultdict[Station, float](float)
    for use in _stations(program, loop):
        shares[use.station] += use.utilization / use.station.copies
    station = max(shares, key=lambda station: shares[station])
    if not isinstance(run.loop, Open) or not clock["done"]:
        return "more requests under way than the loop allows"
    has = station.slots * station.copies
    needed = has * shares[station] * run.loop.rate * float(clock["now"]) / float(clock["done"])
    return f"{run.loop.rate:,.0f} requests a second need {needed:,.0f} of {station.name}, there are {has:,}"


def _measured(marks: Marks, warm_up: float) -> Marks:
    """Return the marks after the warm-up, the last one before it first."""
    cut = warm_up * marks[-1][0]
    return marks[max(sum(mark[0] <= cut for mark in marks) - 1, 0) :]


def _throughput(marks: Marks) -> Estimate:
    """Return the requests done per second between the first mark and the last."""
    (first, began, _), (last, ended, _) = marks[0], marks[-1]
    mean = (last - first) / (ended - began) if ended > began else math.inf
    if len(marks) <= BATCHES:
        return Estimate(mean, -math.inf, math.inf)
    done, times, _ = np.diff(_edges(marks), axis=0).T
    return _estimate(mean, done / np.maximum(times, np.finfo(float).tiny))


def _edges(marks: Marks) -> NDArray[np.float64]:
    """Return the marks between batches, of shape (BATCHES + 1, 3)."""
    edges: NDArray[np.float64] = np.array(marks)[np.linspace(0, len(marks) - 1, BATCHES + 1).astype(int)]
    return edges


def _busy(run: RequestRun, marks: Marks) -> Marks:
    """Return the marks at which all clients of a closed loop still had requests to send, all of them in other runs."""
    end = run.count - run.loop.clients if isinstance(run.loop, Closed) else run.count
    found = [mark for mark in marks if mark[0] <= end]
    return found if len(found) > 1 else marks


def _correction(marks: Marks, loop: Loop) -> float:
    """Return the rate by Little's law over the ends counted between the first mark and the last; 1 with failures."""
    (first, _, before), (last, _, after) = marks[0], marks[-1]
    total = float(loop.latency[first:last].sum())
    return (after - before) / total if total > 0 and not loop.clock[0]["failed"] else 1.0


def _rate(marks: Marks, amounts: NDArray[np.floating[Any]]) -> Estimate:
    """Return the amounts of requests, in the order of completion, per second between the first mark and the last."""
    (first, began, _), (last, ended, _) = marks[0], marks[-1]
    if ended <= began:
        return Estimate(math.nan, -math.inf, math.inf)
    mean = float(amounts[first:last].sum()) / (ended - began)
    if len(marks) <= BATCHES:
        return Estimate(mean, -math.inf, math.inf)
    edges = _edges(marks)
    sums, times = np.diff(np.append(0.0, np.cumsum(amounts))[edges[:, 0].astype(int)]), np.diff(edges[:, 1])
    return _estimate(mean, sums / times) if times.all() else Estimate(mean, -math.inf, math.inf)


def _estimate(value: float, batches: NDArray[np.float64]) -> Estimate:
    half = STUDENT_19 * float(np.std(batches, ddof=1)) / math.sqrt(BATCHES)
    return Estimate(value, value - half, value + half)


def _latency(times: NDArray[np.float64]) -> Latency:
    """Return mean and percentiles of latencies in the order of completion."""
    quantiles = list(PERCENTILES.values())
    if len(times) < BATCHES:
        values = np.array([*np.quantile(times, quantiles), times.mean()]) if len(times) else np.full(5, math.nan)
        found = [Estimate(float(value), -math.inf, math.inf) for value in values]
    else:
        values = np.array([*np.quantile(times, quantiles), times.mean()])
        parts = np.array([[*np.quantile(part, quantiles), part.mean()] for part in np.array_split(times, BATCHES)])
        found = [_estimate(float(value), column) for value, column in zip(values, parts.T, strict=True)]
    return Latency(len(times), found[-1], dict(zip(PERCENTILES, found, strict=False)))


def _result(run: RequestRun, program: Program, loop: Loop, marks: Marks, stopped_early: bool) -> RequestResult:
    clock, window = loop.clock[0], _measured(marks, run.warm_up)
    done, now, throughput = int(clock["done"]), float(clock["now"]), _throughput(window)
    begin, busy = window[0][0], _busy(run, window)
    corrected = _correction(busy, loop)
    times, first = loop.latency[begin:done], loop.first[begin:done]
    kinds = _kinds(run, loop.which[:done])
    left = run.count - done - int(clock["failed"])
    has_first = first > 0
    return RequestResult(
        name=run.name,
        duration=min(now + left / throughput.value, run.duration) if stopped_early else now,
        simulated=now,
        stopped_early=stopped_early,
        done=done,
        failed=int(clock["failed"]),
        refused=int(clock["refused"]),
        timed_out=int(clock["timed_out"]),
        retries=int(clock["retries"]),
        under_way=int(clock["under_way"]),
        counts={name: int(of_kind.sum()) for name, of_kind in kinds.items()},
        throughput=throughput,
        rates={name: _rate(busy, of_kind * corrected) for name, of_kind in kinds.items()},
        bandwidths={name: _rate(busy, of_kind * corrected * loop.moved[:done]) for name, of_kind in kinds.items()},
        latency=_latency(times),
        first_byte=_latency(first[has_first]),
        latencies={name: _latency(times[of_kind[begin:]]) for name, of_kind in kinds.items()},
        first_bytes={name: _latency(first[of_kind[begin:] & has_first]) for name, of_kind in kinds.items()},
        stations=_stations(program, loop),
        little=_little(run.name, loop),
    )


def _kinds(run: RequestRun, which: NDArray[np.uint8]) -> dict[str, NDArray[np.bool_]]:
    """Return by the names of kinds which requests are of these."""
    found: dict[str, NDArray[np.bool_]] = {}
    for k, kind in enumerate(run.kinds):
        found[kind.name] = found[kind.name] | (which == k) if kind.name in found else which == k
    return found


def _stations(program: Program, loop: Loop) -> tuple[StationUse, ...]:
    now = float(loop.clock[0]["now"])
    used = []
    for station, at in program.stations.values():
        for copy in range(station.copies):
            row = loop.stations[at + copy]
            busy = row["busy"] + (row["slots"] - row["free"]) * (now - row["since"])
            share = float(busy / (now * station.slots)) if now > 0 else 0.0
            spent = float(row["waited"]), float(row["served"]), float(row["bytes"])
            used.append(StationUse(station, copy, share, int(row["visits"]), *spent))
    return tuple(used)


def _little(name: str, loop: Loop) -> tuple[float, float]:
    """Return the mean number of requests under way by the clock, and by the requests' own times.

    Raises:
        ValueError: they differ.
    """
    clock = loop.clock[0]
    now = float(clock["now"])
    area = float(clock["area"] + clock["under_way"] * (now - clock["since"]))
    under_way = loop.tokens[loop.tokens["is_under_way"] == 1]
    total = float(loop.latency[: clock["done"]].sum() + clock["lost"] + (now - under_way["start"]).sum())
    if abs(area - total) > LITTLE * max(area, total):
        raise ValueError(f"{name}: Little's law is broken: {area / now:g} requests under way, {total / now:g} expected")
    return (area / now, total / now) if now > 0 else (0.0, 0.0)
