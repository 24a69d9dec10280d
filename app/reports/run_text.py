"""One run for a terminal of 80 to 100 columns: the answer first, then what it rests on."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator

from app.reports.findings import (
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
from app.reports.run_report import RunReport
from app.reports.tables import text_table
from app.reports.workloads import WORKLOADS, workload_row

WIDTH = 90
LABEL = 13  # columns of the longest label and its gap


def render(report: RunReport) -> str:
    """Return the whole report as text."""
    result = report.result
    tables = (
        (WORKLOADS, [workload_row(workload) for workload in result.workloads]),
        (STAGES, [stage_row(stage) for stage in result.stages]),
        (REQUESTS, requests_rows(result)),
        (GROUPS, [group_row(group) for group in used_groups(report)]),
    )
    shown = [text_table(header, rows) for header, rows in tables if rows]
    sections = [[report.heading], list(_answer(report)), *shown, list(_notes(report))]
    return "\n\n".join("\n".join(lines) for lines in sections) + "\n"


def labelled(label: str, text: str) -> list[str]:
    """Return words beside their label, wrapped; a name of a user may be longer than its column."""
    first, rest = f"{label} ".ljust(LABEL), " " * LABEL
    return textwrap.wrap(text, WIDTH, initial_indent=first, subsequent_indent=rest, break_on_hyphens=False)


def _answer(report: RunReport) -> Iterator[str]:
    for label, text in answer(report):
        yield from labelled(label, text)
    for key, value in report.settings.items():
        yield from labelled("Changed", f"{key} = {value}")


def _notes(report: RunReport) -> Iterator[str]:
    result = report.result
    yield from labelled("Capacity", capacity(report))
    for warning in report.warnings:
        yield from labelled("Warning", warning)
    yield from labelled("Run", f"{result.profile}, seed {result.seed}, headroom {result.version}")
    yield from labelled("More", f"--format json: every resource; simulate profiles {result.profile}: every number")
