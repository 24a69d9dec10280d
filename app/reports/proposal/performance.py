"""How fast the design is, what holds it up, and what would hold it up next."""

from __future__ import annotations

from collections.abc import Iterator

from app.reports import words
from app.reports.document import Axis, Bars, Block, Column, Facts, Paragraph, Section, Table
from app.reports.held_up import settings
from app.reports.plan.plan_answer import Met, Ran
from app.reports.plan.plan_words import limit, shown
from app.reports.proposal.found import Design
from models.units import format_duration
from simulator.result import GroupResult

MOST = 10
"""Groups of resources that a chart shows, the busiest."""


def section(design: Design) -> Section:
    """Return the runs of a design."""
    return Section("performance", "Performance, and what limits it", list(_blocks(design)))


def _blocks(design: Design) -> Iterator[Block]:
    runs = [ran for ran in design.judged.runs if ran.workloads]
    if not runs:
        yield Paragraph("Nothing was run: closed forms decide, as no workload is asked for or all of them miss more.")
        return
    for ran in runs:
        yield Facts(list(_facts(design, ran)))
        if ran.answer.stages:
            yield _stages(ran)
        yield _busy(ran)


def _facts(design: Design, ran: Ran) -> Iterator[tuple[str, str]]:
    answer, name = ran.answer, words.listed(ran.workloads)
    yield "Workload", f"{name}, as it is when most data is stored"
    yield from _measured(design, ran.workloads)
    if answer.stages:
        yield "Lasts", format_duration(answer.duration)
    held = answer.bottleneck
    yield "Limited by", f"{words.placed(held.resource)}, for {words.percent(held.share)} of the time"
    yield from (("Setting", text) for text in settings(ran.scenario, answer).values())
    if answer.next_bottleneck is not None:
        after = answer.next_bottleneck
        alone = f"which alone would take {words.percent(after.share)} of the time"
        yield "Next limit", f"{words.placed(after.resource)}, {alone}"
    for warning in answer.warnings:
        yield "Warning", warning


def _measured(design: Design, names: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    for met in design.judged.met:
        if met.required.workload in names and met.measure is not None:
            yield met.required.words, f"{shown(met.measure)}{_beside(met)}"


def _beside(met: Met) -> str:
    return f", asked for {limit(met.required, met.measure)}"


def _stages(ran: Ran) -> Table:
    columns = (
        Column("stage"),
        Column("tasks", "1"),
        Column("from", "time"),
        Column("lasts", "time"),
        Column("limited by"),
        Column("for", "share"),
    )
    rows = [
        (
            stage.name,
            stage.tasks,
            stage.start,
            stage.end - stage.start,
            words.placed(stage.bottleneck.resource) if stage.bottleneck else None,
            stage.bottleneck.share if stage.bottleneck else None,
        )
        for stage in ran.answer.stages
    ]
    return Table(f"Stages of {words.listed(ran.workloads)}", columns, rows)


def _busy(ran: Ran) -> Bars:
    used = [group for group in ran.answer.groups if group.utilization_peak or group.bytes]
    busiest = sorted(used, key=lambda group: -group.utilization_mean)[:MOST]
    return Bars(
        f"How busy: {words.listed(ran.workloads)}",
        Axis("share of the run", "share"),
        [words.placed(group.group) for group in busiest],
        ("mean", "peak"),
        [_use(group) for group in busiest],
    )


def _use(group: GroupResult) -> tuple[float, float]:
    return group.utilization_mean, group.utilization_peak
