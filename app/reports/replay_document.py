"""Imported work before and after: on the cluster that it was observed on, and on candidates."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from app.reports import words
from app.reports.contracts.filling import filled
from app.reports.contracts.replay import Replay, Replayed, ReplayedStage
from app.reports.document import Block, Cell, Column, Document, Paragraph, Section, Table
from app.reports.held_up import of_each, settings
from models.jobs.observed import Observed, ObservedStage
from models.scenario import Scenario
from simulator.studies.points import Answer

SHOWN = 20
"""Stages that a page shows, those that take longest; sheets, CSV and JSON have all."""
WAITS = 0.1
"""Part of the time of tasks that no hardware changes from which on it is told. Assumption."""


@dataclass(frozen=True, slots=True)
class Side:
    """The work on one cluster: `slots` is how many tasks run at a time on its `servers`."""

    name: str
    profile: str
    servers: int
    slots: int
    scenario: Scenario
    answer: Answer

    @property
    def storage(self) -> str:
        """Its storage system."""
        return self.scenario.storage.system

    @property
    def warnings(self) -> list[str]:
        """What its run warns of, and settings that limit it."""
        return [*self.answer.warnings, *settings(self.scenario, self.answer).values()]

    def seconds(self, name: str) -> float:
        """Return the seconds of a query, or the mean of those of a kind of jobs of a stream."""
        metrics = self.answer.metrics
        return metrics[f"query {name}" if f"query {name}" in metrics else f"{name}.duration"][0]

    def mean(self, kinds: Sequence[str]) -> float:
        """Return the mean seconds of a job of these kinds."""
        runs = [self.answer.metrics[f"{name}.runs"][0] for name in kinds]
        return sum(count * self.seconds(name) for count, name in zip(runs, kinds, strict=True)) / max(sum(runs), 1.0)

    def stages(self) -> dict[str, float]:
        """Return the seconds of each stage, by its name."""
        return {stage.name: stage.end - stage.start for stage in self.answer.stages}


@dataclass(frozen=True, slots=True)
class ReplayReport:
    """Imported work on the cluster where it was observed, the first side, and on others.

    `works` are those that were observed stage by stage: one, or those of the `kinds` of jobs of a stream.
    """

    title: str
    works: Sequence[Observed]
    sides: Sequence[Side]
    seed: int
    version: str
    kinds: Sequence[str] = ()

    @property
    def kept(self) -> float:
        """Part of the seconds of tasks and of the driver that are waits, which other hardware does not change."""
        waits = sum(work.total("wait") + sum(stage.delay for stage in work.stages) for work in self.works)
        busy = sum(work.total("cpu") + work.total("collection") for work in self.works)
        return waits / (waits + busy) if waits + busy > 0 else 0.0

    @property
    def stalled(self) -> float:
        """Part of the seconds of tasks that were waits for the storage system on which they were observed."""
        waited = sum(work.total("stalled") for work in self.works)
        rest = sum(work.total(name) for work in self.works for name in ("wait", "cpu", "collection"))
        return waited / (waited + rest) if waited + rest > 0 else 0.0

    @property
    def names(self) -> Sequence[str]:
        """The queries of one work, or the kinds of jobs of a stream."""
        return self.kinds or self.works[0].queries

    @property
    def stages(self) -> Sequence[ObservedStage]:
        """The stages of one work; those of a stream are not followed."""
        return () if self.kinds else self.works[0].stages


def document(report: ReplayReport) -> Document:
    """Return the report of a replay."""
    return Document(report.title, list(_sections(report)), contract(report))


def _sections(report: ReplayReport) -> Iterator[Section]:
    strong = [Paragraph(text, is_strong=True) for text in verdicts(report)]
    limiting = of_each((side.name, side.scenario, side.answer) for side in report.sides)
    yield Section("answer", "The answer", [*strong, *map(Paragraph, limiting)])
    yield Section("clusters", "The clusters", [_clusters(report), *_kept(report)])
    if report.kinds:
        yield Section("queries", "Kinds of jobs, before and after", [_queries(report)])
        return
    yield Section("queries", "Queries, before and after", [_queries(report)])
    yield Section("stages", "Stages, before and after", list(_stages(report)))


def verdicts(report: ReplayReport) -> list[str]:
    """Return a sentence for each candidate."""
    before, *after = report.sides
    if report.kinds:
        return [_of_stream(side, before, report.kinds) for side in after]
    return [
        f"On {side.name} the work takes {words.duration(side.answer.duration)} in place of"
        f" {words.duration(before.answer.duration)} ({_change(side, before)}). What holds it up most is"
        f" {side.answer.bottleneck.resource}, in {words.percent(side.answer.bottleneck.share)} of the time."
        for side in after
    ]


def _of_stream(side: Side, before: Side, kinds: Sequence[str]) -> str:
    """Return what a candidate makes of a stream: its jobs come when they come, so that their own times tell it."""
    was, now = before.mean(kinds), side.mean(kinds)
    change = f" ({words.signed_percent(now / was - 1)})" if was > 0 else ""
    return (
        f"On {side.name} a job takes {words.duration(now)} in the mean, in place of {words.duration(was)}{change}. All"
        f" are done after {words.duration(side.answer.duration)}, in place of {words.duration(before.answer.duration)}."
    )


def _change(side: Side, before: Side) -> str:
    return words.signed_percent(side.answer.duration / before.answer.duration - 1)


def _kept(report: ReplayReport) -> Iterator[Block]:
    if report.kept >= WAITS:
        text = f"{words.percent(report.kept)} of the seconds of tasks and of the driver are neither computing nor"
        yield Paragraph(f"{text} moving bytes: no hardware changes them here.")
    if report.stalled >= WAITS:
        text = f"{words.percent(report.stalled)} of the seconds of tasks were waits for the storage system where they"
        yield Paragraph(
            f"{text} were observed. It is simulated here, before and after alike: what was measured may be longer."
        )


def _clusters(report: ReplayReport) -> Table:
    columns = [Column("cluster"), Column("servers", "1"), Column("tasks at a time", "1"), Column("storage")]
    columns += [Column("duration", "time"), Column("change", "change"), Column("limit"), Column("share", "share")]
    first = report.sides[0].answer.duration
    rows: list[Sequence[Cell]] = [
        (
            side.name,
            side.servers,
            side.slots,
            side.storage,
            side.answer.duration,
            side.answer.duration / first - 1,
            side.answer.bottleneck.resource,
            side.answer.bottleneck.share,
        )
        for side in report.sides
    ]
    return Table("Clusters", columns, rows)


def _columns(first: Sequence[Column], report: ReplayReport) -> list[Column]:
    return [*first, *(column for side in report.sides for column in _of(side, report))]


def _of(side: Side, report: ReplayReport) -> list[Column]:
    change = [] if side is report.sides[0] else [Column(f"change on {side.name}", "change")]
    return [Column(side.name, "time"), *change]


def _cells(seconds: Sequence[float]) -> list[Cell]:
    """Return seconds before, and after each with its change."""
    before, *after = seconds
    return [before, *(cell for value in after for cell in (value, value / before - 1 if before > 0 else None))]


def _queries(report: ReplayReport) -> Table:
    rows = [[name, *_cells([side.seconds(name) for side in report.sides])] for name in report.names]
    if report.kinds:
        return Table("Kinds of jobs", _columns([Column("kind of jobs, mean")], report), rows)
    return Table("Queries", _columns([Column("query")], report), rows)


def _stages(report: ReplayReport) -> Iterator[Block]:
    seconds = [side.stages() for side in report.sides]
    rows: list[list[Cell]] = [
        [stage.name, stage.query, stage.count, *_cells([known[stage.name] for known in seconds])]
        for stage in report.stages
    ]
    columns = _columns([Column("stage"), Column("query"), Column("tasks", "1")], report)
    if len(rows) <= SHOWN:
        yield Table("Stages", columns, rows)
        return
    longest = {stage.name for stage in _longest(report, seconds[0])}
    yield Paragraph(f"The {SHOWN} stages of {len(rows)} that took longest before.")
    yield Table("Longest stages", columns, [row for row in rows if row[0] in longest])
    yield Table("Stages", columns, rows, for_sheets=True)


def _longest(report: ReplayReport, before: dict[str, float]) -> Sequence[ObservedStage]:
    return sorted(report.stages, key=lambda stage: before[stage.name], reverse=True)[:SHOWN]


def contract(report: ReplayReport) -> Replay:
    """Return the replay as JSON data, `headroom.replay/1`."""
    seconds = [] if report.kinds else [side.stages() for side in report.sides]
    return filled(
        Replay,
        report,
        unchanged=report.kept,
        clusters=[filled(Replayed, side, side.answer) for side in report.sides],
        queries=[{"name": name, "seconds": [side.seconds(name) for side in report.sides]} for name in report.names],
        stages=[
            filled(ReplayedStage, stage, tasks=stage.count, seconds=[known[stage.name] for known in seconds])
            for stage in report.stages
        ],
    )
