"""Charts of one run, which the window and the reports draw: its stages, how busy everything was, its requests.

A group of resources has the same colour in all charts of a run, and so has a workload. The window draws all bins of a
result; a report sums up in steps, so that the tables behind its charts can be read.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from app.reports import words
from app.reports.colours import COLOURS
from app.reports.document import OTHER, Axis, Lines, Mark, Ranges, Series, Waterfall
from app.reports.run.workload_series import (
    REBUILD,
    edges_of,
    highest,
    lanes,
    loads,
    means,
    step_of,
    users,
)
from models.target import target
from models.units import format_duration
from simulator.result import LATENCY, RATE, FaultResult, GroupResult, RequestsResult, Result

Floats = NDArray[np.float64]
LINES = 6
"""Groups of resources that are drawn over time: as many as there are colours. The table has them all."""
WIDE = 30.0
"""The longest latency over the shortest from which their axis is logarithmic. Assumption: seen on TPC-DS."""
FAILS, WHOLE = 4, 2
"""Numbers of the colours of what fails, and of what is whole again: vermilion and green."""


@dataclass(frozen=True, slots=True)
class Steps:
    """In which steps a run is drawn: their edges (s), and what is said of them in the names of charts."""

    edges: Floats
    said: tuple[str, str] = ("", "")

    @classmethod
    def all_of(cls, result: Result, count: int) -> Steps:
        """Return the bins of a result, so many."""
        return cls(np.minimum(np.arange(count + 1) * result.bin_width, result.duration))

    @classmethod
    def few_of(cls, result: Result) -> Steps:
        """Return as many steps as a table has room for."""
        step = format_duration(step_of(result.duration)).removesuffix(" 0 min").removesuffix(" 0 s")
        return cls(edges_of(result.duration), (f", means of {step}", f", the highest of {step}"))


def groups(result: Result) -> list[GroupResult]:
    """Return the groups of resources that were used, the busiest first: the order of their colours."""
    return [group for group in sorted(result.groups, key=lambda g: -g.utilization_mean) if group.utilization_peak]


def whole_of(result: Result) -> dict[str, Floats]:
    """Return the mean utilization, 0 to 1, of the members of each group that was used, in bins of a result."""
    members: dict[str, list[Floats]] = {}
    for resource in result.resources:
        members.setdefault(resource.group, []).append(resource.utilization)
    return {group.group: np.mean(members[group.group], axis=0) for group in groups(result) if group.group in members}


def stages(result: Result) -> Ranges:
    """Return when each stage ran, in the colour of what limited it."""
    limits = [stage.bottleneck for stage in result.stages]
    limiting = sorted({limit.resource for limit in limits if limit})
    numbers = _told_apart(limiting, {group.group: number for number, group in enumerate(groups(result))})
    seconds, axis = _time(result)
    return Ranges(
        "Stages and what limits them",
        axis,
        [(stage.name, stage.start / seconds, stage.end / seconds) for stage in result.stages],
        hues=[numbers.get(limit.resource, OTHER) if limit else OTHER for limit in limits],
        notes=[f"{limit.resource} {words.percent(limit.share)}" if limit else "" for limit in limits],
        names={resource: numbers.get(resource, OTHER) for resource in limiting},
    )


def _told_apart(names: Sequence[str], known: Mapping[str, int]) -> dict[str, int]:
    """Return the numbers of names, such as of queues and starts, of which only those of groups are known.

    Of two groups of one colour the busier one keeps it. The first of the others is grey, and further ones have the
    colours of the least busy groups.
    """
    taken: dict[int, str] = {}
    for name in sorted((name for name in names if name in known), key=lambda name: known[name]):
        taken.setdefault(known[name] % len(COLOURS), name)
    others = [name for name in names if name not in taken.values()]
    free = [number for number in reversed(range(len(COLOURS))) if number not in taken]
    free.insert(sum(name in known for name in others), OTHER)
    others.sort(key=lambda name: name not in known)  # groups first, which grey would not show
    return {**known, **dict(zip(others, free, strict=False))}


def utilization(result: Result, whole: Mapping[str, Floats], steps: Steps) -> Lines:
    """Return how busy the busiest groups of resources were over time; `whole` are the utilizations of all groups."""
    shown = [(number, group) for number, group in enumerate(groups(result)[:LINES]) if group.group in whole]
    series = [
        (group.group, _means(whole[group.group], result, steps), number, words.percent(group.utilization_mean))
        for number, group in shown
    ]
    name = f"Utilization over time{steps.said[0]}"
    return _over_time(name, Axis("busy", "share", most=1.0), series, result, steps)


def waterfall(steps: Sequence[tuple[str, float]]) -> Waterfall:
    """Return what is left of the drives' nameplate rate after each step, B/s."""
    return Waterfall("From nameplate to delivered", Axis("rate", "B/s"), steps)


def latencies(result: Result) -> Lines:
    """Return how long requests of each kind took: the part of them that was done within a time."""
    known = [(requests.name, _percentiles(requests)) for requests in result.requests]
    values = [latency for _, points in known for _, latency in points if latency > 0]
    series = [Series(name, [1e3 * at for _, at in points], [part for part, _ in points]) for name, points in known]
    return Lines(
        "Requests done within a time",
        Axis("latency", "ms", is_log=_is_wide(values)),
        Axis("requests done", "%", is_nines=True),
        series,
    )


def _percentiles(requests: RequestsResult) -> list[tuple[float, float]]:
    """Return the percentiles, with their latencies (s), of which the sample could say how sure they are."""
    known = {name: span for name, span in requests.latency.items() if math.isfinite(span.high - span.low)}
    return sorted((float(name.removeprefix("p")), span.value) for name, span in known.items())


def schedule(result: Result) -> Ranges:
    """Return when each workload ran, how many of its requests came, when runs were due, and what failed until when."""
    numbers, drawn = _numbers(result), lanes(result)
    seconds, axis = _time(result)
    faults = result.failures.faults if result.failures else ()
    spans = [(lane.name, *span) for lane in drawn for span in lane.spans]
    named = {(REBUILD, fault.at): fault.component for fault in faults[:1]}  # a second name would lie on the first
    return Ranges(
        "When each workload ran",
        axis,
        [(name, start / seconds, end / seconds) for name, start, end, _ in spans],
        colours={lane.name: numbers.get(lane.name, OTHER) for lane in drawn},
        parts=[part for *_, part in spans],
        notes=[named.get((name, start), "") for name, start, *_ in spans],
        due=[(lane.name, due / seconds) for lane in drawn for due in lane.due],
        marks=list(_failures(faults, result.duration, seconds)),
    )


def used_by(result: Result, group: str, whole: Floats, steps: Steps) -> Lines:
    """Return who used a group of resources over time, one workload on the other; `whole` is all that was used of it."""
    numbers = _numbers(result)
    series = [
        (name, _means(used, result, steps), numbers.get(name, OTHER), words.percent(_mean(used, result)))
        for name, used in users(result, group, whole)
    ]
    name = f"Who uses {group}{steps.said[0]}"
    return _over_time(name, Axis("used", "share"), series, result, steps, is_stacked=True)


def rates(result: Result, steps: Steps) -> Lines:
    """Return how many requests of each load were answered a second over time."""
    series = [(load.name, _means(load.series[RATE], result, steps)) for load in loads(result)]
    return _of_loads(f"Requests answered a second{steps.said[0]}", Axis("requests", "1/s"), series, result, steps)


def tails(result: Result, steps: Steps) -> Lines:
    """Return the latency below which 99 of 100 requests of each load stay over time, with what is expected of it."""
    width, numbers = result.bin_width, _numbers(result)
    series = [(load.name, 1e3 * highest(load.series[LATENCY], width, steps.edges)) for load in loads(result)]
    goals = [
        Mark("objective", 1e3 * target(goal.text).value("s"), colour=numbers.get(workload.name, OTHER))
        for workload in result.workloads
        for goal in workload.objectives
        if goal.unit == "s" and "p99" in target(goal.text).measure
    ]
    values = [value for _, heights in series for value in heights[heights > 0].tolist()] + [goal.at for goal in goals]
    name = f"Latency below which 99 % of requests stay{steps.said[1]}"
    return _of_loads(name, Axis("p99", "ms", is_log=_is_wide(values)), series, result, steps, goals)


def _of_loads(
    name: str,
    axis: Axis,
    series: Sequence[tuple[str, Floats]],
    result: Result,
    steps: Steps,
    marks: Sequence[Mark] = (),
) -> Lines:
    """Return a series of loads of requests; nothing stands where no request came."""
    numbers = _numbers(result)
    drawn = [(load, np.where(values > 0, values, np.nan), numbers.get(load, OTHER), "") for load, values in series]
    return _over_time(name, axis, drawn, result, steps, marks)


def _over_time(
    name: str,
    axis: Axis,
    series: Sequence[tuple[str, Floats, int, str]],
    result: Result,
    steps: Steps,
    marks: Sequence[Mark] = (),
    *,
    is_stacked: bool = False,
) -> Lines:
    """Return series over the time of a run, with marks where something fails and is whole again."""
    seconds, over = _time(result)
    places = (steps.edges / seconds).tolist()
    faults = result.failures.faults if result.workloads and result.failures else ()
    return Lines(
        name,
        over,
        axis,
        [Series(of, places[:-1], values.tolist(), colour=colour, note=note) for of, values, colour, note in series],
        is_stacked=is_stacked,
        is_joint=True,
        end=places[-1],
        marks=[*marks, *_failures(faults, result.duration, seconds)],
    )


def _failures(faults: Sequence[FaultResult], duration: float, seconds: float) -> Iterator[Mark]:
    for fault in faults:
        for name, time, colour in (("failure", fault.at, FAILS), ("whole again", fault.healthy_at, WHOLE)):
            if time <= duration:
                yield Mark(name, time / seconds, is_upright=True, colour=colour)


def _numbers(result: Result) -> dict[str, int]:
    """Return the numbers of the colours of workloads."""
    return {workload.name: number for number, workload in enumerate(result.workloads)}


def _time(result: Result) -> tuple[float, Axis]:
    """Return the unit of time in which a run is drawn, in seconds, and the axis."""
    seconds, unit = words.time_unit(result.duration)
    return seconds, Axis("simulated time", unit)


def _means(series: Floats, result: Result, steps: Steps) -> Floats:
    return series if len(series) == len(steps.edges) - 1 else means(series, result.bin_width, steps.edges)


def _mean(used: Floats, result: Result) -> float:
    """Return the mean of a series of bins over a run, whose last bin may be cut."""
    return float(used.sum() * result.bin_width / result.duration) if result.duration else 0.0


def _is_wide(values: Sequence[float]) -> bool:
    return bool(values) and max(values) > WIDE * min(values)
