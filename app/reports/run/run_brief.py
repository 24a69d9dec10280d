"""One run as a terminal shows it: the answer first, then what it rests on, all below one title."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from app.reports.document import Document, Facts, Section
from app.reports.run.findings import (
    GROUPS,
    REQUESTS,
    STAGES,
    answer,
    capacity,
    group_row,
    requests_rows,
    stage_row,
    used_groups,
)
from app.reports.run.run_report import RunReport
from app.reports.run.workloads import WORKLOADS, workload_row
from app.reports.tables import table_of_words
from app.reports.words import changes


def document(report: RunReport) -> Document:
    """Return the answer and the tables of one run."""
    result = report.result
    tables = (
        ("Workloads", WORKLOADS, [workload_row(workload) for workload in result.workloads]),
        ("Stages", STAGES, [stage_row(stage) for stage in result.stages]),
        ("Requests", REQUESTS, requests_rows(result)),
        ("Utilization", GROUPS, [group_row(group) for group in used_groups(report)]),
    )
    shown = [table_of_words(*table) for table in tables if table[-1]]
    return Document(
        report.heading, [Section("answer", "", [Facts(_answer(report)), *shown, Facts(list(_notes(report)))])]
    )


def _answer(report: RunReport) -> Sequence[tuple[str, str]]:
    return [*answer(report), *changes(report.settings)]


def _notes(report: RunReport) -> Iterator[tuple[str, str]]:
    result = report.result
    yield "Capacity", capacity(report)
    for warning in report.warnings:
        yield "Warning", warning
    yield "Run", f"{result.profile}, seed {result.seed}, headroom {result.version}"
    yield "More", f"--format json: every resource; simulate profiles {result.profile}: every number"
