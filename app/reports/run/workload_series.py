"""Many workloads over time: when each ran, who used a group of resources, and how requests came and fared."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from simulator.rebalance import TIME
from simulator.result import LATENCY, RATE, Result, WorkloadResult

Floats = NDArray[np.float64]
REBUILD = "rebuild"
"""What used resources beside the workloads: the repair of what has failed."""
REBALANCE = "rebalance"
"""The same of data that moves onto servers that have just come."""
STEPS = tuple(
    unit * count
    for unit, counts in ((1.0, (1, 2, 5, 10, 15, 30)), (60.0, (1, 2, 5, 10, 15, 30)), (3600.0, (1, 2, 3, 6, 12, 24)))
    for count in counts
)
"""Steps of time (s) in which a report sums up."""
MANY = 30
"""Steps at most that a run is summed up in. Assumption: a day by the hour, and still a table to be read."""
NOTICEABLE = 0.005
"""Part of a group of resources that is worth a place in a chart. Assumption: what is below cannot be seen."""


@dataclass(frozen=True, slots=True)
class Lane:
    """When something went on: its spans (s) with what they reach of its highest rate, 0 to 1, and when it was due."""

    name: str
    spans: tuple[tuple[float, float, float], ...]
    due: tuple[float, ...] = ()


def lanes(result: Result) -> list[Lane]:
    """Return when each workload ran, and then what had failed until it was rebuilt."""
    drawn = [_lane(workload, result) for workload in result.workloads]
    faults = result.failures.faults if result.failures else ()
    spans = tuple((fault.at, min(fault.healthy_at, result.duration), 1.0) for fault in faults)
    return [*drawn, Lane(REBUILD, spans)] if spans else drawn


def _lane(workload: WorkloadResult, result: Result) -> Lane:
    if RATE in workload.series:
        spans = _steady(workload.series[RATE], result.bin_width)
        return Lane(workload.name, tuple((start, min(end, result.duration), part) for start, end, part in spans))
    due = tuple(pass_result.due for pass_result in workload.passes if math.isfinite(pass_result.due))
    return Lane(workload.name, tuple((pass_result.start, pass_result.end, 1.0) for pass_result in workload.passes), due)


def _steady(rates: Floats, width: float) -> Iterator[tuple[float, float, float]]:
    """Yield the spans in which requests came at one rate, rounded to twentieths of the highest, which is 1."""
    highest = rates.max(initial=0.0)
    if not highest:
        return
    levels = np.ceil(20 * rates / highest - 0.5) / 20
    levels[(rates > 0) & (levels <= 0)] = 1 / 20
    edges = [0, *(np.flatnonzero(np.diff(levels)) + 1).tolist(), len(levels)]
    for first, last in pairwise(edges):
        if levels[first] > 0:
            yield first * width, last * width, float(levels[first])


def contested(result: Result) -> list[str]:
    """Return the groups of resources that workloads use: those of several first, then what holds any up, the busiest.

    Names of limits end with the group that they are of.
    """
    used: dict[str, int] = {}
    for workload in result.workloads:
        for group, series in workload.series.items():
            if group not in (LATENCY, RATE) and series.max(initial=0.0) >= NOTICEABLE:
                used[group] = used.get(group, 0) + 1
    limits = {
        bottleneck.resource for w in result.workloads for bottleneck in (w.waited_for, w.bottleneck) if bottleneck
    }
    means = {group.group: group.utilization_mean for group in result.groups}
    held = {group: any(limit.endswith(group) for limit in limits) for group in used}
    return sorted(used, key=lambda group: (used[group] == 1, not held[group], -means.get(group, 0.0)))


def users(result: Result, group: str, whole: Floats) -> list[tuple[str, Floats]]:
    """Return the part of a group that each workload used in the bins of a result; `whole` is that of all of them.

    What is left is what a rebuild used, if that can be seen. Workloads that used nothing of it are left out.
    """
    shares = [(workload.name, workload.series[group]) for workload in result.workloads if group in workload.series]
    left = np.clip(whole - sum(used for _, used in shares), 0.0, None)
    if result.failures and left.max(initial=0.0) >= NOTICEABLE:
        shares.append((REBUILD, left))
    if TIME in result.metrics and left.max(initial=0.0) >= NOTICEABLE:
        shares.append((REBALANCE, left))
    return shares


def step_of(duration: float) -> float:
    """Return the step (s) in which a run of a duration (s) is summed up."""
    return next((step for step in STEPS if duration <= MANY * step), math.ceil(duration / MANY / STEPS[-1]) * STEPS[-1])


def means(series: Floats, width: float, edges: Floats) -> Floats:
    """Return the means of a series in bins of a width (s) between edges (s)."""
    total = np.concatenate(([0.0], np.cumsum(series * width)))
    reached = np.interp(edges, np.arange(len(total)) * width, total)
    return np.asarray(np.diff(reached) / np.diff(edges))


def highest(series: Floats, width: float, edges: Floats) -> Floats:
    """Return the highest values of a series in bins of a width (s) that begin between edges (s)."""
    places = np.minimum((edges / width).round().astype(int), len(series))
    return np.array([series[first : max(last, first + 1)].max(initial=0.0) for first, last in pairwise(places)])


def edges_of(duration: float) -> Floats:
    """Return the ends of the steps (s) in which a run of a duration (s) is summed up."""
    step = step_of(duration)
    return np.asarray(np.minimum(np.arange(math.ceil(duration / step) + 1) * step, duration))


def loads(result: Result) -> list[WorkloadResult]:
    """Return the workloads that are loads of requests."""
    return [workload for workload in result.workloads if RATE in workload.series]
