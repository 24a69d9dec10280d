"""The result of a run in words: the same words for the terminal and for a page."""

from __future__ import annotations

import math

from app.reports import words
from app.reports.run.run_report import RunReport
from app.reports.run.workloads import fared, verdict
from models.jobs.bulk_io import PROCESS_RATE, RATE
from models.outcome import Outcome
from models.units import format, format_duration
from simulator.limits import THINKING
from simulator.rebalance import PACE, TIME
from simulator.result import (
    Bottleneck,
    FailuresResult,
    FaultResult,
    GroupResult,
    LoadResult,
    RequestsResult,
    Result,
    Span,
    StageResult,
    StateResult,
)

STAGES = ("stage", ">tasks", ">start", ">end", ">duration", "limited by")
PERCENTILES = ("p50", "p90", "p99", "p99.9")
REQUESTS = ("requests", ">a second", ">throughput", *(f">{name}" for name in PERCENTILES), ">first byte")
LEAST_CHANCE = 0.005  # per cent: less is not seen in the four digits of a rate
KINDS = 3
"""Kinds of requests that the answer names; the table has all."""
GROUPS = ("utilization of", ">count", ">mean", ">peak", ">bytes moved")


def answer(report: RunReport) -> list[tuple[str, str]]:
    """Return what is read first, as (label, words)."""
    result = report.result
    rows = kept(report)
    if result.load:
        rows = [*carried(report, result.load), *sure(report), ("Limited by", limit(result.bottleneck))]
    elif result.stages:
        rows = [("Duration", duration(report)), *moved(result), *sure(report), ("Limited by", limit(result.bottleneck))]
    if result.workloads:
        rows = [
            *([("Objectives", verdict(result.workloads))] if verdict(result.workloads) else []),
            ("Lasts", duration(report)),
            *sure(report),
            ("Limited by", f"{limit(result.bottleneck)}{' in which jobs ran' if result.stages else ''}"),
            *((workload.name, fared(workload)) for workload in result.workloads),
        ]
    rows += [("Setting", text) for text in report.limiting]
    if result.next_bottleneck:
        rows.append(("Next limit", next_limit(result.next_bottleneck)))
    if TIME in result.metrics:
        took, pace = result.metrics[TIME][0], result.metrics[PACE][0]
        rows.append(
            ("Rebalance", f"takes {format_duration(took)} beside it, {format(pace, 'B/s', 3)} onto all new servers")
        )
    if result.failures:
        rows += failed(result.duration, result.failures)
    rows += [("Documented", documented(report, outcome)) for outcome in report.outcomes]
    return rows + [("Note", f"{outcome.id}: {outcome.note}") for outcome in report.outcomes if outcome.note]


def sure(report: RunReport) -> list[tuple[str, str]]:
    """Return what the interval of the answer rests on, as (label, words)."""
    if report.prediction is None:
        return []
    from app.reports.prediction_report import rows  # imported late: only answers with an interval need it

    return list(rows(report.prediction))


def moved(result: Result) -> list[tuple[str, str]]:
    """Return the rate of what reads or writes in bulk, of which it is asked how fast, as (label, words)."""
    if PROCESS_RATE not in result.metrics:
        return []
    total, one = (format(result.metrics[name][0], "B/s", 3) for name in (RATE, PROCESS_RATE))
    return [("Carries", f"{total}, {one} a process")]


def likely(report: RunReport) -> str:
    """Return the interval of the answer, to be said behind it: ", likely 6 to 9 min (80 %)"; "" for none."""
    return f", likely {report.prediction.likely}" if report.prediction else ""


def carried(report: RunReport, load: LoadResult) -> list[tuple[str, str]]:
    """Return what a load of requests carries, and the latencies of its requests, as (label, words)."""
    result = report.result
    moved = f", {format(load.throughput, 'B/s', 3)}" if load.throughput else ""
    offered = ""
    if load.offered is not None:
        offered = f" of {words.amount(load.offered)} offered" + (": overloaded" if load.is_overloaded else "")
    rates = f"{_rate(load.rate)} requests/s{offered}{likely(report)}{moved}"
    thinking = (
        [("Clients that think", f"{report.result.metrics[THINKING][0]:.1%}")] if THINKING in result.metrics else []
    )
    return [
        ("Carries", rates),
        *thinking,
        *((requests.name, latencies(requests)) for requests in result.requests[:KINDS]),
    ]


def latencies(requests: RequestsResult) -> str:
    """Return the percentiles of which the sample could say how sure they are: "p50 338 ms, p90 488 ms, p99 -"."""
    return ", ".join(f"{name} {_latency(span)}" for name, span in requests.latency.items())


def _latency(span: Span) -> str:
    return format(span.value, "s", 3) if _is_known(span) else "-"


def _is_known(span: Span) -> bool:
    return math.isfinite(span.high - span.low)


def kept(report: RunReport) -> list[tuple[str, str]]:
    """Return what there is to say where nothing runs and data is only kept, as (label, words)."""
    amounts = {
        name: "unlimited" if math.isinf(value) else format(value, unit)
        for name, (value, unit) in report.result.metrics.items()
    }
    rooms = [f"{name} {amounts[name]}" for name in ("raw_needed", "usable", "raw") if name in amounts]
    rates = [f"{name} {amounts[name]}" for name in ("read_ceiling", "write_ceiling") if name in amounts]
    servers = [("Servers", f"{amounts['servers_needed']} needed")] if "servers_needed" in amounts else []
    return [("Room", ", ".join(rooms).replace("_", " ")), *servers, ("At most", ", ".join(rates).replace("_", " "))]


def failed(took: float, failures: FailuresResult) -> list[tuple[str, str]]:
    """Return what failures did to a run, as (label, words)."""
    if failures.states:
        return [*map(slowed, failures.states), *(("Failed", _healed(fault)) for fault in failures.faults)]
    cost = words.signed_percent(took / failures.healthy_duration - 1)
    redone = f"{failures.redone_tasks} tasks started again" if failures.redone_tasks else "no task started again"
    return [
        ("Failures", f"{cost} against {words.clock(failures.healthy_duration)} without them; {redone}"),
        *(("Failed", _healed(fault)) for fault in failures.faults),
    ]


def slowed(state: StateResult) -> tuple[str, str]:
    """Return the latencies of requests in a state of a degraded store, as (label, words)."""
    percentiles = [f"{kind.name} p99 {_latency(kind.latency['p99'])}" for kind in state.requests if kind.latency]
    return state.name.removeprefix("during ").capitalize(), ", ".join(percentiles)


def _healed(fault: FaultResult) -> str:
    rebuilt = f"{format(fault.healed, 'B')} rebuilt by {words.clock(fault.healthy_at)}"
    return f"{fault.component} at {words.clock(fault.at)}; {rebuilt if fault.healed else 'nothing to rebuild'}"


def duration(report: RunReport) -> str:
    """Return the duration, with the interval of the mean where there are several runs."""
    text = words.duration(report.result.duration)
    if report.result.interval is None:
        return f"{text}{likely(report)}"
    low, high = report.result.interval
    runs = f"mean of {len(report.result.durations)} runs"
    return f"{text}, {runs}, 95 % interval {words.seconds(low)} to {words.seconds(high)}{likely(report)}"


def limit(bottleneck: Bottleneck) -> str:
    """Return what held a run up: "workers/data drives, for 83 % of the time"."""
    return f"{bottleneck.resource}, for {words.percent(bottleneck.share)} of the time"


def next_limit(bottleneck: Bottleneck) -> str:
    """Return what would hold a run up next: "workers/cpu, which alone would take 71 % of this duration"."""
    return f"{bottleneck.resource}, which alone would take {words.percent(bottleneck.share)} of this duration"


def documented(report: RunReport, outcome: Outcome) -> str:
    """Return a documented value and, where the two can be compared, how far the simulation is from it."""
    text = f"{words.documented(outcome.value, outcome.unit, outcome.role)} ({outcome.id})"
    if report.settings:
        return f"{text}, for the profile without the changes"
    error = report.error(outcome)
    if error is None:
        return f"{text}; this run has no {outcome.metric}"
    return f"{text}; the simulation is {words.deviation(error)}"


def capacity(report: RunReport) -> str:
    """Return in words what the run needs of the raw bytes, and how many bytes of data all of them hold."""
    raw, usable, needed = (report.result.capacity[name] for name in ("raw", "usable", "needed"))
    if math.isinf(raw):
        return f"needs {format(needed, 'B')}, of unlimited room"
    return f"needs {format(needed, 'B')} of {format(raw, 'B')} raw, {format(usable, 'B')} usable"


def stage_row(stage: StageResult) -> list[str]:
    """Return one stage as cells below `STAGES`."""
    limited = "-"
    if stage.bottleneck:
        limited = f"{stage.bottleneck.resource} ({words.percent(stage.bottleneck.share)})"
    times = (stage.start, stage.end, stage.end - stage.start)
    return [stage.name, f"{stage.tasks}", *map(words.clock, times), limited]


def requests_rows(result: Result) -> list[list[str]]:
    """Return requests by kind, then by kind in the states of a degraded store or by workload, below `REQUESTS`."""
    rows = [requests_row(request) for request in result.requests]
    for workload in result.workloads:
        for name, *cells in map(requests_row, workload.requests):
            rows.append([f"{workload.name}/{name}", *cells])
    for state in result.failures.states if result.failures else ():
        for name, *cells in map(requests_row, state.requests):
            rows.append([f"{name}, {state.name}", *cells])
    return rows


def requests_row(requests: RequestsResult) -> list[str]:
    """Return requests of one kind as cells below `REQUESTS`: the rate with half the width of its 95 % interval."""
    first = requests.first_byte.get("p50")
    moved = format(requests.throughput.value, "B/s", 3) if requests.throughput.value else "-"
    times = [_latency(span) for span in requests.latency.values()] or ["-"] * len(PERCENTILES)
    return [requests.name, _rate(requests.rate), moved, *times, _latency(first) if first else "-"]


def _rate(span: Span) -> str:
    if not _is_known(span) or not span.value:
        return f"{words.amount(span.value)} ±-"
    width = 50 * (span.high - span.low) / span.value
    return f"{words.amount(span.value)} ±{width if width >= LEAST_CHANCE else 0:.2g} %"


def used_groups(report: RunReport) -> list[GroupResult]:
    """Return the groups of resources of which the run has used any."""
    return [group for group in report.result.groups if group.utilization_peak or group.bytes]


def group_row(group: GroupResult) -> list[str]:
    """Return like resources, taken together, as cells below `GROUPS`."""
    moved = format(group.bytes, "B") if group.bytes else "-"
    busy = (group.utilization_mean, group.utilization_peak)
    return [group.group, f"{group.count}", *map(words.percent, busy), moved]
