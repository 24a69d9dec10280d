"""Many workloads in words and as data: each one's duration or latencies, alone and together, and who took what."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from app.reports import words
from app.reports.run.requests_json import requests_json
from models.units import format, format_duration
from simulator.result import LATENCY, RATE, Bottleneck, WorkloadResult

if TYPE_CHECKING:
    from app.reports.contracts import common, run
    from app.reports.document import Cell

WORKLOADS = ("workload", ">runs", ">together", ">alone", ">slowdown", ">met", "limited by", "taken by")
TAKERS, NOTICEABLE = 3, 0.01
"""Workloads that are named of those that took what limits another, and the part from which; the JSON names all."""
Metrics = Mapping[str, tuple[float, str]]


def workload_cells(result: WorkloadResult) -> tuple[Cell, ...]:
    """Return one workload as values below `WORKLOADS`; None where there is none."""
    return (
        result.name,
        len(result.passes) or None,
        leading(result.metrics),
        leading(result.alone),
        result.slowdown,
        result.met,
        f"{result.bottleneck.resource} ({words.percent(result.bottleneck.share)})" if result.bottleneck else None,
        taken(result) or None,
    )


def workload_row(result: WorkloadResult) -> list[str]:
    """Return one workload as cells below `WORKLOADS`."""
    name, runs, together, alone, _, _, limited, _ = workload_cells(result)
    met = None if result.met is None else words.percent(result.met)
    shown = (name, runs, together, alone, f"{result.slowdown:.2f}", met, limited, takers(result) or None)
    return ["-" if cell is None else f"{cell}" for cell in shown]


def leading(metrics: Metrics) -> str:
    """Return the duration of a workload, or the latency below which 99 of 100 of its requests stay."""
    for name in ("latency p99", "duration"):
        if name in metrics:
            value, unit = metrics[name]
            if not math.isfinite(value):
                return f"{name.removeprefix('latency ')} without end"
            return format_duration(value) if name == "duration" else f"p99 {format(value, unit, 3)}"
    return "-"


def takers(result: WorkloadResult) -> str:
    """Return who used what limited a workload, with their parts: "count 55 %, itself 45 %"."""
    named = ("itself" if name == result.name else name for name, _ in _noticed(result))
    return ", ".join(f"{name} {words.percent(share)}" for name, (_, share) in zip(named, _noticed(result), strict=True))


def taken(result: WorkloadResult) -> str:
    """Return who used what a workload waited for, and what that was where it is not what limited it."""
    of = f" of {result.waited_for.resource}" if result.waited_for and takers(result) else ""
    return takers(result) + of


def fared(result: WorkloadResult) -> str:
    """Return how a workload fared beside the others: how long it took, what it met, and who held it up."""
    against = f"{result.slowdown:.2f} x as alone" if abs(result.slowdown - 1) >= 0.005 else "as alone"
    return "; ".join([f"{leading(result.metrics)}, {against}", *expected(result), *blame(result)])


def blame(result: WorkloadResult) -> Iterator[str]:
    """Yield who else used what a workload waited for: "night took 41 % of what it waited for (data drives, ...)"."""
    shared, others = contended(result), [pair for pair in _noticed(result) if pair[0] != result.name]
    if shared is None or not others:
        return
    taken = words.listed([f"{name} {words.percent(share)}" for name, share in others])
    first, _, rest = taken.partition(" ")
    yield f"{first} took {rest} of what it waited for: {shared.resource}, {words.percent(shared.share)} of its time"


def _noticed(result: WorkloadResult) -> list[tuple[str, float]]:
    return [(name, share) for name, share in result.taken_by[:TAKERS] if share >= NOTICEABLE]


def verdict(results: Sequence[WorkloadResult]) -> str:
    """Return whether all workloads of which something is expected did that, "" where nothing is of any."""
    asked = [result for result in results if result.met is not None]
    if not asked:
        return ""
    met = sum(result.met == 1 for result in asked)
    if met == len(asked):
        return f"met by all {met} workloads" if met > 1 else "met"
    parts = [f"{result.name} ({words.percent(result.met)})" for result in asked if result.met and result.met < 1]
    missed = [result.name for result in asked if not result.met]
    texts = [f"met by {met} of {len(asked)} workloads"]
    if parts:
        texts.append(f"in part by {words.listed(parts)}")
    if missed:
        texts.append(f"missed by {words.listed(missed)}")
    return ", ".join(texts)


def contended(result: WorkloadResult) -> Bottleneck | None:
    """Return what a workload shared with those that took of it, with the part of its time that it waited for that."""
    return result.waited_for or result.bottleneck


def expected(result: WorkloadResult) -> Iterator[str]:
    """Yield what was expected of a workload and what became of it."""
    late = [pass_result for pass_result in result.passes if pass_result.end > pass_result.due]
    if any(math.isfinite(pass_result.due) for pass_result in result.passes):
        yield f"{len(late)} of {len(result.passes)} late" if late else "in time"
    for objective in result.objectives:
        value = format(objective.value, objective.unit, 3) if math.isfinite(objective.value) else "not measured"
        of = "runs" if result.passes else "requests"
        yield f"{objective.text}: {value}, met by {words.percent(objective.met)} of {of}"


def contract(result: WorkloadResult, bin_width: float) -> run.Workload:
    """Return one workload as JSON data."""
    return {
        "name": result.name,
        "kind": result.kind,
        "runs": [
            {
                "start_s": pass_result.start,
                "end_s": pass_result.end,
                "due_s": pass_result.due if math.isfinite(pass_result.due) else None,
                "met": pass_result.is_met,
            }
            for pass_result in result.passes
        ],
        "requests": [requests_json(request) for request in result.requests],
        "metrics": _metrics(result.metrics),
        "alone": _metrics(result.alone),
        "slowdown": result.slowdown,
        "objectives": [
            {"text": objective.text, "value": _finite(objective.value), "unit": objective.unit, "met": objective.met}
            for objective in result.objectives
        ],
        "met": result.met,
        "bottleneck": _held_up(result.bottleneck),
        "waited_for": _held_up(contended(result)),
        "taken_by": [{"workload": name, "share": share} for name, share in result.taken_by],
        "series": {
            "bin_width_s": bin_width,
            "utilization": {
                group: series.tolist() for group, series in result.series.items() if group not in (LATENCY, RATE)
            },
            "latency_p99_s": _plain(result, LATENCY),
            "requests_per_s": _plain(result, RATE),
        },
    }


def _plain(result: WorkloadResult, name: str) -> list[float | None] | None:
    return [_finite(value) for value in result.series[name].tolist()] if name in result.series else None


def _held_up(limit: Bottleneck | None) -> common.Bottleneck | None:
    return {"resource": limit.resource, "share": limit.share} if limit else None


def _metrics(metrics: Metrics) -> dict[str, common.Measure]:
    return {name: {"value": _finite(value), "unit": unit} for name, (value, unit) in metrics.items()}


def _finite(value: float) -> float | None:
    return value if math.isfinite(value) else None
