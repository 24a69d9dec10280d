"""Many workloads in a report: how each fared, when it ran, who used what, and how requests fared by the hour."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from app.reports import words
from app.reports.document import OTHER, Axis, Block, Column, Lines, Ranges, Series, Table
from app.reports.workload_series import Lane, contested, edges_of, highest, lanes, loads, means, step_of, users
from app.reports.workloads import workload_cells
from models.units import format_duration
from simulator.result import LATENCY, RATE, Result

Floats = NDArray[np.float64]
GROUPS = 3
"""Groups of resources of which a report shows who used them: what holds any workload up first."""


def blocks(result: Result) -> Iterator[Block]:
    """Yield a table of the workloads of a run, and its charts by workload."""
    colours = {workload.name: number for number, workload in enumerate(result.workloads)}
    yield _table(result)
    yield _measures(result)
    yield _schedule(result, colours)
    seconds, unit = words.time_unit(result.duration)
    edges = edges_of(result.duration)
    axis, middles = Axis("simulated time", unit), ((edges[1:] + edges[:-1]) / 2 / seconds).tolist()
    step = format_duration(step_of(result.duration)).removesuffix(" 0 min").removesuffix(" 0 s")
    for group in contested(result)[:GROUPS]:
        yield _users(result, group, axis, middles, colours, step)
    if results := loads(result):
        width = result.bin_width
        yield Lines(
            f"Requests answered a second, means of {step}",
            axis,
            Axis("requests", "1/s"),
            [
                _series(workload_result.name, middles, means(workload_result.series[RATE], width, edges), colours)
                for workload_result in results
            ],
            is_joint=True,
        )
        yield Lines(
            f"Latency below which 99 % of requests stay, the highest of {step}",
            axis,
            Axis("p99", "ms"),
            [
                _series(
                    workload_result.name, middles, 1e3 * highest(workload_result.series[LATENCY], width, edges), colours
                )
                for workload_result in results
            ],
            is_joint=True,
        )


def _series(name: str, x: list[float], values: Floats, colours: dict[str, int]) -> Series:
    return Series(name, x, values.tolist(), colour=colours.get(name, OTHER))


def _table(result: Result) -> Table:
    columns = (
        Column("workload"),
        Column("runs", "1"),
        Column("together"),
        Column("alone"),
        Column("slowdown", "1"),
        Column("met", "share"),
        Column("limited by"),
        Column("taken by"),
    )
    return Table("Workloads", columns, [workload_cells(workload) for workload in result.workloads])


def _measures(result: Result) -> Table:
    """Return all that is measured of each workload, beside the others and alone."""
    columns = (Column("workload"), Column("measure"), Column("together", "1"), Column("alone", "1"), Column("unit"))
    rows = [
        (workload.name, name, value, workload.alone[name][0] if name in workload.alone else None, unit)
        for workload in result.workloads
        for name, (value, unit) in workload.metrics.items()
    ]
    return Table("Measures of workloads", columns, rows, for_sheets=True)


def _schedule(result: Result, colours: dict[str, int]) -> Ranges:
    seconds, unit = words.time_unit(result.duration)
    drawn = lanes(result)
    rows = [(lane.name, start / seconds, end / seconds) for lane in drawn for start, end in _spans(lane)]
    return Ranges(
        "When each workload ran",
        Axis("simulated time", unit),
        rows,
        colours={lane.name: colours.get(lane.name, OTHER) for lane in drawn},
    )


def _spans(lane: Lane) -> Iterator[tuple[float, float]]:
    """Yield the spans of a lane, those as one between which nothing ends but a rate."""
    spans = list(lane.spans)
    while spans:
        start, end, _ = spans.pop(0)
        while spans and spans[0][0] <= end:
            end = max(end, spans.pop(0)[1])
        yield start, end


def _users(result: Result, group: str, axis: Axis, middles: list[float], colours: dict[str, int], step: str) -> Lines:
    whole = np.mean([resource.utilization for resource in result.resources if resource.group == group], axis=0)
    edges = edges_of(result.duration)
    shares = [(name, means(used, result.bin_width, edges)) for name, used in users(result, group, whole)]
    series = [_series(name, middles, used, colours) for name, used in shares]
    return Lines(
        f"Who uses {group}, means of {step}", axis, Axis("used", "share"), series, is_stacked=True, is_joint=True
    )
