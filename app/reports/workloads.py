"""Many workloads in words and as data: each one's duration or latencies, alone and together, and who took what."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from app.reports import words
from app.reports.document import Cell
from app.reports.requests_json import requests_json
from models.units import format, format_duration
from simulator.result import LATENCY, RATE, Bottleneck, WorkloadResult

if TYPE_CHECKING:
    from app.reports.contracts import common, run

WORKLOADS = ("workload", ">runs", ">together", ">alone", ">slowdown", ">met", "limited by", "taken by")
TAKERS, NOTICEABLE = 3, 0.01
"""Workloads that are named of those that took what limits another, and the part from which; the JSON names all."""
Metrics = Mapping[str, tuple[float, str]]


def workload_cells(found: WorkloadResult) -> tuple[Cell, ...]:
    """Return one workload as values below `WORKLOADS`; None where there is none."""
    return (
        found.name,
        len(found.passes) or None,
        leading(found.metrics),
        leading(found.alone),
        found.slowdown,
        found.met,
        f"{found.bottleneck.resource} ({words.percent(found.bottleneck.share)})" if found.bottleneck else None,
        taken(found) or None,
    )


def workload_row(found: WorkloadResult) -> list[str]:
    """Return one workload as cells below `WORKLOADS`."""
    name, runs, together, alone, _, _, limited, _ = workload_cells(found)
    met = None if found.met is None else words.percent(found.met)
    shown = (name, runs, together, alone, f"{found.slowdown:.2f}", met, limited, takers(found) or None)
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


def takers(found: WorkloadResult) -> str:
    """Return who used what limited a workload, with their parts: "count 55 %, itself 45 %"."""
    named = ("itself" if name == found.name else name for name, _ in _noticed(found))
    return ", ".join(f"{name} {words.percent(share)}" for name, (_, share) in zip(named, _noticed(found), strict=True))


def taken(found: WorkloadResult) -> str:
    """Return who used what a workload waited for, and what that was where it is not what limited it."""
    of = f" of {found.waited_for.resource}" if found.waited_for and takers(found) else ""
    return takers(found) + of


def fared(found: WorkloadResult) -> str:
    """Return how a workload fared beside the others: how long it took, what it met, and who held it up."""
    against = f"{found.slowdown:.2f} x as alone" if abs(found.slowdown - 1) >= 0.005 else "as alone"
    return "; ".join([f"{leading(found.metrics)}, {against}", *expected(found), *blame(found)])


def blame(found: WorkloadResult) -> Iterator[str]:
    """Yield who else used what a workload waited for: "night took 41 % of what it waited for (data drives, ...)"."""
    shared, others = contended(found), [each for each in _noticed(found) if each[0] != found.name]
    if shared is None or not others:
        return
    taken = words.listed([f"{name} {words.percent(share)}" for name, share in others])
    first, _, rest = taken.partition(" ")
    yield f"{first} took {rest} of what it waited for: {shared.resource}, {words.percent(shared.share)} of its time"


def _noticed(found: WorkloadResult) -> list[tuple[str, float]]:
    return [(name, share) for name, share in found.taken_by[:TAKERS] if share >= NOTICEABLE]


def verdict(found: Sequence[WorkloadResult]) -> str:
    """Return whether all workloads of which something is expected did that, "" where nothing is of any."""
    asked = [each for each in found if each.met is not None]
    if not asked:
        return ""
    met = sum(each.met == 1 for each in asked)
    if met == len(asked):
        return f"met by all {met} workloads" if met > 1 else "met"
    parts = [f"{each.name} ({words.percent(each.met)})" for each in asked if each.met and each.met < 1]
    missed = [each.name for each in asked if not each.met]
    said = [f"met by {met} of {len(asked)} workloads"]
    if parts:
        said.append(f"in part by {words.listed(parts)}")
    if missed:
        said.append(f"missed by {words.listed(missed)}")
    return ", ".join(said)


def contended(found: WorkloadResult) -> Bottleneck | None:
    """Return what a workload shared with those that took of it, with the part of its time that it waited for that."""
    return found.waited_for or found.bottleneck


def expected(found: WorkloadResult) -> Iterator[str]:
    """Yield what was expected of a workload and what became of it."""
    late = [each for each in found.passes if each.end > each.due]
    if any(math.isfinite(each.due) for each in found.passes):
        yield f"{len(late)} of {len(found.passes)} late" if late else "in time"
    for each in found.objectives:
        value = format(each.value, each.unit, 3) if math.isfinite(each.value) else "not measured"
        of = "runs" if found.passes else "requests"
        yield f"{each.text}: {value}, met by {words.percent(each.met)} of {of}"


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
        "bottleneck": _held_up(found.bottleneck),
        "waited_for": _held_up(contended(found)),
        "taken_by": [{"workload": name, "share": share} for name, share in found.taken_by],
        "series": {
            "bin_width_s": bin_width,
            "utilization": {
                group: series.tolist() for group, series in found.series.items() if group not in (LATENCY, RATE)
            },
            "latency_p99_s": _plain(found, LATENCY),
            "requests_per_s": _plain(found, RATE),
        },
    }


def _plain(found: WorkloadResult, name: str) -> list[float | None] | None:
    return [_finite(value) for value in found.series[name].tolist()] if name in found.series else None


def _held_up(limit: Bottleneck | None) -> common.Bottleneck | None:
    return {"resource": limit.resource, "share": limit.share} if limit else None


def _metrics(metrics: Metrics) -> dict[str, common.Measure]:
    return {name: {"value": _finite(value), "unit": unit} for name, (value, unit) in metrics.items()}


def _finite(value: float) -> float | None:
    return value if math.isfinite(value) else None
