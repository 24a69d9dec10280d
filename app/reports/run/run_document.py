"""One run as a report: the question, the answer, what limits it and when, what it rests on, and how to run it again."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any

from app.reports.document import (
    Axis,
    Bars,
    Block,
    Column,
    Document,
    Facts,
    Paragraph,
    Section,
    Table,
    Verbatim,
    Waterfall,
)
from app.reports.parts import Part
from app.reports.prediction_report import ledger
from app.reports.run import run_charts, workloads_section
from app.reports.run.findings import answer, capacity, used_groups
from app.reports.run.run_json import contract
from app.reports.run.run_report import RunReport, SourceLine
from app.reports.words import changes
from simulator.result import Result, Span

LIMIT = Column("limited for", "share")
PROFILE = "profile.toml"
"""The profile in a bundle of a report."""
PRICED = "prices.servers."
ROUNDING = 0.01  # of one step of a waterfall against the one before: what is under way at the end counts whole


def document(report: RunReport) -> Document:
    """Return the report of one run."""
    return Document(
        report.heading,
        list(sections(report)),
        contract(report),
        files={PROFILE: report.toml} if report.toml else {},
        command=f"simulate {PROFILE} {report.again} --report report.html",
    )


def sections(report: RunReport) -> Iterator[Section]:
    """Yield the sections of one run."""
    yield Part.QUESTION.section([Facts(list(_question(report)))])
    yield Part.ANSWER.section([Facts(answer(report)), *map(Paragraph, _warnings(report))])
    if report.result.workloads:
        yield Part.WORKLOADS.section(list(workloads_section.blocks(report.result)))
    if report.result.stages:
        yield Part.LIMITS.section(list(_limits(report)))
    if report.result.requests:
        yield Part.REQUESTS.section([*_latencies(report.result), _requests(report.result)])
    yield Part.CAPACITY.section([Paragraph(f"{capacity(report)}.")])
    yield Part.SOURCES.section([*_ledger(report), _sources(report)])
    yield again(report)


def again(report: RunReport) -> Section:
    """Return the section that lets a reader run the same again: the whole profile, seed and version."""
    result = report.result
    same = Facts([("Profile", result.profile), ("Seed", f"{result.seed}"), ("Version", f"headroom {result.version}")])
    return Part.PROFILE.section([same, Verbatim(report.toml)] if report.toml else [same])


def _question(report: RunReport) -> Iterator[tuple[str, str]]:
    asked = "How long does it take?" if report.result.stages else "How much room does it take?"
    if report.result.workloads:
        asked = "How do they fare together?"
    yield "What does it carry?" if report.result.load else asked, report.title
    yield from changes(report.settings)


def _warnings(report: RunReport) -> Iterator[str]:
    return (f"Warning: {warning}." for warning in report.warnings)


def _limits(report: RunReport) -> Iterator[Block]:
    stages = report.result.stages
    is_one = len(stages) == 1 and bool(report.result.requests)
    if not report.result.workloads and not is_one:  # whose runs have been drawn
        yield run_charts.stages(report.result)
    columns = (
        Column("stage"),
        Column("tasks", "1"),
        Column("start", "s"),
        Column("end", "s"),
        Column("duration", "s"),
        Column("limited by"),
        LIMIT,
    )
    rows = []
    for stage in stages:
        limit = (stage.bottleneck.resource, stage.bottleneck.share) if stage.bottleneck else (None, None)
        rows.append((stage.name, stage.tasks, stage.start, stage.end, stage.end - stage.start, *limit))
    yield Table("Stages and their limits", columns, rows)
    yield waterfall(report) or Paragraph(f"From nameplate to delivered: {why_no_waterfall(report)}.")
    yield from _utilization(report)


def _latencies(result: Result) -> Iterator[Block]:
    """Yield how long requests took, where more is known of any kind than one percentile."""
    chart = run_charts.latencies(result)
    if any(len(series.x) > 1 for series in chart.series):
        yield chart


def _requests(result: Result) -> Table:
    """Return rates and latencies by kind of request, and by kind in the states of a degraded store."""
    states = result.failures.states if result.failures else ()
    labelled = [(request.name, request) for request in result.requests]
    labelled += [(f"{request.name}, {state.name}", request) for state in states for request in state.requests]
    percentiles = list(dict.fromkeys(name for _, requests_result in labelled for name in requests_result.latency))
    columns = (
        Column("requests"),
        Column("rate", "1/s"),
        Column("throughput", "B/s"),
        *(Column(f"{name}, ms", "1") for name in percentiles),
    )
    rows = [
        (
            label,
            requests_result.rate.value,
            requests_result.throughput.value or None,
            *(_milliseconds(requests_result.latency.get(name)) for name in percentiles),
        )
        for label, requests_result in labelled
    ]
    return Table("Rates, and latencies below which so many of the requests stay", columns, rows)


def _milliseconds(span: Span | None) -> float | None:
    """Return a percentile of latencies, None where the sample cannot say."""
    return 1e3 * span.value if span is not None and math.isfinite(span.high - span.low) else None


def waterfall(report: RunReport) -> Waterfall | None:
    """Return what is left of the drives' nameplate rate, each step less than the one before; None if there is no such.

    While busy, drives move less for seeks and writes; over the run less for the time in which they wait for others; and
    of what they move only a part is the job's own data: the rest is replicas, parity, spill and shuffle. A load of
    requests whose own data is all that drives move ends at what it got in the time that was measured.
    """
    steps = _falling(report)
    return None if isinstance(steps, str) else run_charts.waterfall(steps)


def why_no_waterfall(report: RunReport) -> str:
    """Return in words why no rate falls from the drives' nameplate to what is delivered, "" where one does."""
    steps = _falling(report)
    return steps if isinstance(steps, str) else ""


def _falling(report: RunReport) -> list[tuple[str, float]] | str:
    """Return the steps of a waterfall, or why there is none."""
    result, plate = report.result, report.nameplate
    drives = next((group for group in result.groups if plate and group.group == plate.group), None)
    if plate is None:
        return "the drives of this store are not visible, so there is no rate to start from"
    if drives is None or not drives.bytes:
        return "no data passes the drives of the store"
    steps = [
        ("drives, nameplate", plate.read_rate),
        ("while busy: seeks and writes", drives.bytes / (drives.utilization_mean * result.duration)),
        ("over the run: waiting for others", drives.bytes / result.duration),
    ]
    delivered, unit = result.metrics.get("throughput", (0.0, "B/s"))
    if delivered > steps[-1][1] and result.requests and unit == "B/s":
        steps[-1] = ("delivered in the measured time: waiting for others", delivered)
    elif delivered and unit == "B/s":
        steps.append(("the job's own data: without copies and spill", delivered))
    for (before, more), (name, rate) in pairwise(steps):
        if rate > more * (1 + ROUNDING):
            return (
                f"there is no loss step by step: '{name}' is more than '{before}', as where memory answers for drives"
            )
    return [(name, min(rate, plate.read_rate)) for name, rate in steps]


def _utilization(report: RunReport) -> Iterator[Block]:
    result = report.result
    if whole := run_charts.whole_of(result):
        yield run_charts.utilization(result, whole, run_charts.Steps.few_of(result))
    groups = sorted(used_groups(report), key=lambda group: -group.utilization_mean)
    labels, values = [group.group for group in groups], [(g.utilization_mean, g.utilization_peak) for g in groups]
    yield Bars("Utilization", Axis("share of the run", "share"), labels, ("mean", "peak"), values)
    columns = (
        Column("resources"),
        Column("count", "1"),
        Column("mean", "share"),
        Column("peak", "share"),
        Column("bytes moved", "B"),
    )
    rows = [(g.group, g.count, g.utilization_mean, g.utilization_peak, g.bytes or None) for g in groups]
    yield Table("Utilization of like resources", columns, rows)


def _ledger(report: RunReport) -> Iterator[Block]:
    """Yield what is assumed, with what each number does to the interval of the answer."""
    if report.prediction is not None and report.prediction.assumptions:
        yield ledger(report.prediction.assumptions)


def _sources(report: RunReport) -> Table:
    return sources_table(report.sources, report.resolved)


def sources_table(lines: Sequence[SourceLine], resolved: Mapping[str, Any]) -> Table:
    """Return what each number of a profile rests on; `resolved` is the whole profile as TOML data."""
    columns = (Column("key"), Column("value"), Column("kind"), Column("source"))
    rows = [(line.key, line.value, line.kind, line.text) for line in lines if _acts(resolved, line.key)]
    return Table("Source of every number", columns, rows)


def _acts(resolved: Mapping[str, Any], key: str) -> bool:
    """Tell whether a number can act: a price list names many servers that the cluster does not have."""
    groups = resolved.get("cluster", {}).get("groups", {}).values()
    models = [group["server"].get("model", "") for group in groups]
    return not key.startswith(PRICED) or key.startswith(tuple(f"{PRICED}{_quoted(model)}." for model in models))


def _quoted(name: str) -> str:
    """Return a step of a dotted key as TOML writes it."""
    return name if name.replace("-", "").replace("_", "").isalnum() else f'"{name}"'
