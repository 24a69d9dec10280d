"""One run as tidy CSV: a row a number, `section,name,metric,value,unit`. Text stands in `value` without a unit."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Iterable, Iterator

from app.reports import media
from app.reports.run.run_report import RunReport
from app.reports.run.workloads import contended
from models.outcome import Outcome
from simulator.result import Bottleneck, ResourceResult, StageResult, WorkloadResult

HEADER = ("section", "name", "metric", "value", "unit")
Row = tuple[str, str, str, object, str]


def render(report: RunReport) -> str:
    """Return the report as CSV text."""
    return table(_rows(report))


def table(rows: Iterable[Row]) -> str:
    """Return rows below their header as CSV text."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(HEADER)
    writer.writerows(map(media.cells, rows))
    return text.getvalue()


def _rows(report: RunReport) -> Iterator[Row]:
    result, name = report.result, report.result.profile
    yield "run", name, "duration", result.duration, "s"
    if result.interval:
        yield "run", name, "interval low", result.interval[0], "s"
        yield "run", name, "interval high", result.interval[1], "s"
    yield from _limits("run", name, "bottleneck", result.bottleneck)
    yield from _limits("run", name, "next bottleneck", result.next_bottleneck)
    yield "run", name, "seed", result.seed, ""
    yield "run", name, "version", result.version, ""
    for outcome in report.outcomes:
        yield from _documented(report, outcome)
    for stage in result.stages:
        yield from _stage(stage)
    for resource in result.resources:
        yield from _resource(resource)
    for workload in result.workloads:
        yield from _workload(workload)
    yield from (("metric", metric, "value", value, unit) for metric, (value, unit) in result.metrics.items())
    yield from (("capacity", kind, "size", size, "B") for kind, size in result.capacity.items())


def _limits(section: str, name: str, metric: str, bottleneck: Bottleneck | None) -> Iterator[Row]:
    if bottleneck:
        yield section, name, metric, bottleneck.resource, ""
        yield section, name, f"{metric} share", bottleneck.share, "1"


def _documented(report: RunReport, outcome: Outcome) -> Iterator[Row]:
    band = outcome.value if isinstance(outcome.value, tuple) else (outcome.value,)
    for metric, value in zip(("low", "high") if len(band) > 1 else ("value",), band, strict=True):
        yield "documented", outcome.id, metric, value, outcome.unit
    error = report.error(outcome)
    if error is not None:
        yield "documented", outcome.id, "error", error, "1"


def _stage(stage: StageResult) -> Iterator[Row]:
    yield "stage", stage.name, "tasks", stage.tasks, "1"
    yield "stage", stage.name, "start", stage.start, "s"
    yield "stage", stage.name, "end", stage.end, "s"
    yield from _limits("stage", stage.name, "bottleneck", stage.bottleneck)


def _workload(workload: WorkloadResult) -> Iterator[Row]:
    """Yield what is said of one of many workloads; what it is measured by beside the others is among all metrics."""
    name = workload.name
    yield from (("workload", name, f"{metric} alone", value, unit) for metric, (value, unit) in workload.alone.items())
    yield "workload", name, "slowdown", workload.slowdown, "1"
    if workload.met is not None:
        yield "workload", name, "met", workload.met, "1"
    for goal in workload.objectives:
        yield "workload", name, goal.text, goal.value, goal.unit
        yield "workload", name, f"{goal.text} met", goal.met, "1"
    for number, run in enumerate(workload.passes, 1):
        yield "workload", name, f"run {number} start", run.start, "s"
        yield "workload", name, f"run {number} end", run.end, "s"
        if math.isfinite(run.due):
            yield "workload", name, f"run {number} due", run.due, "s"
    yield from _limits("workload", name, "bottleneck", workload.bottleneck)
    yield from _limits("workload", name, "waited for", contended(workload))
    yield from (("workload", name, f"taken by {who}", share, "1") for who, share in workload.taken_by)


def _resource(resource: ResourceResult) -> Iterator[Row]:
    yield "resource", resource.name, "group", resource.group, ""
    yield "resource", resource.name, "utilization mean", resource.utilization_mean, "1"
    yield "resource", resource.name, "utilization peak", resource.utilization_peak, "1"
    yield "resource", resource.name, "bytes", resource.bytes, "B"
