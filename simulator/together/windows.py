"""How requests fare over a day: times in which a load meets nearly the same are simulated once, and put together.

A window is all those bins of the recorder in which the works beside the requests use nearly as much of each group of
resources, by nearly as many streams, while the requests come at one rate and the store is in one state. Of the bins of
a window the one in its middle stands for all. Where nobody else is, that is the sample of the load alone.

Where servers stand for others, what failed is one component of all, and the servers that are simulated have it: it is
met by their part of the requests. The others meet a healthy store, and all else alike, the traffic of repairs as well.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from models.requests import Flows, RequestRun
from simulator.requests.run import RequestResult, run_requests
from simulator.together.loads import Load, Members, Stop, of_groups, sampled, seed_of, together

Floats = NDArray[np.float64]

WINDOWS = 32
"""Windows of a load at most. Assumption: so many tell the hours of a day, and busy from idle."""
STEPS = (0.05, 0.1, 0.2, 0.34, 0.5, 1.0)
"""Steps in which the use of a group by others is told apart, as a part of it. Assumption: the first that gives few
enough windows."""
IDLE = 0.02
"""Use of a resource by works below which requests do not notice it. Assumption."""
HEALTHY, DEGRADED = "healthy", "degraded"
"""States of a store: nothing is missing, or what failed has yet to be rebuilt."""
FULL = 0.98
"""Use of what requests leave from which works would take more. Assumption: the rest is between two tasks."""


@dataclass(frozen=True, slots=True)
class Background:
    """What works do beside requests: `used` of what requests leave, `left` to them, and their `streams`.

    All of shape (resources, bins), the `members` of each group by number; `time` are the middles of the bins, `states`
    the store's state in each.
    """

    members: Members
    used: Floats
    left: Floats
    streams: Floats
    time: Floats
    states: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Window:
    """Bins in which a part of the loads meets nearly the same, their middles and weights (s), and how requests fared.

    The weights are as many seconds of all the loads.
    """

    bins: NDArray[np.int64]
    times: Floats
    seconds: Floats
    result: RequestResult
    part: float = 1.0


Runs = Callable[[Load, str], RequestRun]


def windows(
    bundle: Sequence[Load], others: Sequence[Load], ground: Background, runs: Runs, seed: int, should_stop: Stop
) -> list[Window]:
    """Return the windows of loads that are simulated as one, beside `others` that are not."""
    width = float(ground.time[0]) * 2
    factors = np.array([[load.factor(time) for time in ground.time] for load in bundle])
    on = np.flatnonzero(factors.any(axis=0))
    seconds = np.array([_overlap(bundle, time - width / 2, time + width / 2) for time in ground.time])
    members = {group: rows for group, rows in ground.members.items() if any(group in e.demand for e in bundle)}
    taken = _of_others(others, ground, members)
    came = seconds * factors.sum(axis=0)
    stretches: list[Window] = []
    for bins in _alike(on, factors, ground, members):
        middle = _middle(bins, ground, members)
        flows = tuple(_flows(group, rows, ground, taken[group], middle) for group, rows in members.items())
        for state, part in _states(ground.states[middle], bundle[0].alike):
            met = _Met(factors[:, middle].tolist(), state, tuple(e for e in flows if e.streams.any()))
            chance = seed_of(seed, len(stretches))
            result = _sample(bundle, met, part * float(came[bins].sum() / came.sum()), runs, chance, should_stop)
            stretches.append(Window(bins, ground.time[bins], part * seconds[bins], result, part))
    return stretches


def _states(state: str, alike: int) -> tuple[tuple[str, float], ...]:
    """Return the states in which parts of the requests meet the store, the largest part last."""
    if state == HEALTHY or alike == 1:
        return ((state, 1.0),)
    return (state, 1 / alike), (HEALTHY, 1 - 1 / alike)


@dataclass(frozen=True, slots=True)
class _Met:
    """What loads meet in a window: the parts of their rates at which they come, the store's state, and works."""

    factors: Sequence[float]
    state: str
    flows: tuple[Flows, ...]


def _sample(bundle: Sequence[Load], met: _Met, share: float, runs: Runs, seed: int, should_stop: Stop) -> RequestResult:
    """Return how loads fare in a window in which a share of their requests comes; as alone where nobody else is."""
    active = [at for at, factor in enumerate(met.factors) if factor > 0]
    if len(active) == 1 and not met.flows and met.state == HEALTHY:
        return bundle[active[0]].alone(met.factors[active[0]])
    run = together(bundle, met.factors, [runs(load, met.state) for load in bundle])
    return run_requests(sampled(run, share, met.flows), seed=seed, should_stop=should_stop, keeps_samples=True)


def alone(load: Load, ground: Background) -> list[Window]:
    """Return the windows of a load that nobody else is beside: one for each rate at which it comes."""
    width = float(ground.time[0]) * 2
    factors = np.array([load.factor(time) for time in ground.time])
    seconds = np.array([_overlap((load,), time - width / 2, time + width / 2) for time in ground.time])
    at = [np.flatnonzero(factors == factor) for factor in np.unique(factors[factors > 0])]
    return [Window(bins, ground.time[bins], seconds[bins], load.alone(float(factors[bins[0]]))) for bins in at]


def _overlap(bundle: Sequence[Load], start: float, end: float) -> float:
    """Return the seconds of a bin in which any of some loads goes on."""
    spans = [span for load in bundle for span in load.spans]
    return max((min(end, last) - max(start, first) for first, last in spans), default=0.0)


def _of_others(others: Sequence[Load], ground: Background, members: Members) -> dict[str, Floats]:
    """Return the part of each group that other loads have, over time."""
    loads = {group: np.zeros(len(ground.time)) for group in members}
    for other in others:
        for at, time in enumerate(ground.time.tolist()):
            for group, part in of_groups(other, members, time).items():
                loads[group][at] += part
    return loads


def _alike(
    on: NDArray[np.int64], factors: Floats, ground: Background, members: Mapping[str, list[int]]
) -> list[NDArray[np.int64]]:
    """Return the bins of each window, in the order of their first ones."""
    used = [(ground.used[rows] * ground.left[rows]).mean(axis=0) for rows in members.values()]
    streams = [np.log2(1 + ground.streams[rows].mean(axis=0)) for rows in members.values()]
    keys: dict[Any, list[int]] = {}
    for step in STEPS:
        keys = {}
        for at in on.tolist():
            told = tuple((round(u[at] / step), round(k[at] * u[at] / step)) for u, k in zip(used, streams, strict=True))
            keys.setdefault((tuple(factors[:, at]), ground.states[at], told), []).append(at)
        if len(keys) <= WINDOWS:
            break
    return [np.array(bins) for bins in keys.values()]


def _middle(bins: NDArray[np.int64], ground: Background, members: Mapping[str, list[int]]) -> int:
    """Return the bin that is nearest to the mean of some."""
    used = np.array([(ground.used[rows] * ground.left[rows])[:, bins].mean(axis=0) for rows in members.values()])
    if not len(used):
        return int(bins[0])
    return int(bins[np.argmin(np.abs(used - used.mean(axis=1, keepdims=True)).sum(axis=0))])


def _flows(group: str, rows: list[int], ground: Background, others: Floats, at: int) -> Flows:
    """Return what goes on at the copies of a station in a bin: works, and the requests of other loads.

    Works that leave nothing of what requests leave them would take more; others are limited elsewhere. Other requests
    count as the flows that would leave as much: rho / (1 - rho) of them.
    """
    used, part = ground.used[rows, at], min(float(others[at]), 0.99)
    most = np.where(used >= FULL, 1.0, used * ground.left[rows, at])
    streams = np.where(used > IDLE, np.maximum(ground.streams[rows, at], 1.0), 0.0)
    if part > IDLE:
        streams, most = streams + part / (1 - part), np.minimum(most * (used > IDLE) + part, 1.0)
    return Flows(group, streams, most)
