"""Many workloads in words and as data: each one's duration or latencies, alone and together, and who took what."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence

from app.reports import words
from app.reports.contracts import common, run
from app.reports.requests_json import requests_json
from models.units import format
from simulator.result import LATENCY, WorkloadResult

WORKLOADS = ("workload", ">runs", ">together", ">alone", ">slowdown", ">met", "limited by", "taken by")
TAKERS = 3
"""Workloads that a cell names of those that took what limits another; the JSON names all."""
Metrics = Mapping[str, tuple[float, str]]


def workload_row(found: WorkloadResult) -> list[str]:
    """Return one workload as cells below `WORKLOADS`."""
    limited = "-"
    if found.bottleneck:
        limited = f"{found.bottleneck.resource} ({words.percent(found.bottleneck.share)})"
    return [
        found.name,
        f"{len(found.passes)}" if found.passes else "-",
        leading(found.metrics),
        leading(found.alone),
        f"{found.slowdown:.2f}",
        "-" if found.met is None else words.percent(found.met),
        limited,
        takers(found),
    ]


def leading(metrics: Metrics) -> str:
    """Return the duration of a workload, or the latency below which 99 of 100 of its requests stay."""
    for name in ("latency p99", "duration"):
        if name in metrics:
            value, unit = metrics[name]
            if not math.isfinite(value):
                return f"{name.removeprefix('latency ')} without end"
            return words.seconds(value) if name == "duration" else f"p99 {format(value, unit, 3)}"
    return "-"


def takers(found: WorkloadResult) -> str:
    """Return who used what limited a workload, with their parts: "count 55 %, night 45 %"."""
    return ", ".join(f"{name} {words.percent(share)}" for name, share in found.taken_by[:TAKERS]) or "-"


def objectives(found: Sequence[WorkloadResult]) -> Iterator[tuple[str, str]]:
    """Yield what was expected of workloads and what they did, as (label, words)."""
    for workload in found:
        said = []
        late = [each for each in workload.passes if each.end > each.due]
        if any(math.isfinite(each.due) for each in workload.passes):
            told = f"{len(late)} of {len(workload.passes)} late" if late else "in time"
            said.append(told)
        for each in workload.objectives:
            value = format(each.value, each.unit, 3) if math.isfinite(each.value) else "not measured"
            said.append(f"{each.text}: {value}, met by {words.percent(each.met)}")
        if said:
            yield workload.name, "; ".join(said)


def contract(found: WorkloadResult, bin_width: float) -> run.Workload:
    """Return one workload as JSON data."""
    return {
        "name": found.name,
        "kind": found.kind,
        "runs": [
            {
                "start_s": each.start,
                "end_s": each.end,
                "due_s": each.due if math.isfinite(each.due) else None,
                "met": each.is_met,
            }
            for each in found.passes
        ],
        "requests": [requests_json(each) for each in found.requests],
        "metrics": _metrics(found.metrics),
        "alone": _metrics(found.alone),
        "slowdown": found.slowdown,
        "objectives": [
            {"text": each.text, "value": _finite(each.value), "unit": each.unit, "met": each.met}
            for each in found.objectives
        ],
        "met": found.met,
        "bottleneck": None
        if found.bottleneck is None
        else {"resource": found.bottleneck.resource, "share": found.bottleneck.share},
        "taken_by": [{"workload": name, "share": share} for name, share in found.taken_by],
        "series": {
            "bin_width_s": bin_width,
            "utilization": {group: series.tolist() for group, series in found.series.items() if group != LATENCY},
            "latency_p99_s": [_finite(value) for value in found.series[LATENCY].tolist()]
            if LATENCY in found.series
            else None,
        },
    }


def _metrics(metrics: Metrics) -> dict[str, common.Measure]:
    return {name: {"value": _finite(value), "unit": unit} for name, (value, unit) in metrics.items()}


def _finite(value: float) -> float | None:
    return value if math.isfinite(value) else None
