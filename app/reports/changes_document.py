"""One profile and what single changes make of it, as a report: duration, requests, capacity, and the reasons."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from app.reports import words
from app.reports.document import Cell, Column, Document, Facts, Section, Table
from simulator.result import Result

COLUMNS = (
    Column("change"),
    Column("duration", "s"),
    Column("", "change"),
    Column("requests", "1"),
    Column("", "change"),
    Column("capacity", "B"),
    Column("limited by"),
)


@dataclass(frozen=True, slots=True)
class Changed:
    """A change, why it should matter, and how the run went."""

    what: str
    why: str
    result: Result


def document(title: str, baseline: Result, rows: Sequence[Changed]) -> Document:
    """Return what each change makes of the baseline; capacity is the raw one that the data needs."""
    first = _cells("baseline", baseline, baseline)
    cells = [first, *(_cells(row.what, row.result, baseline) for row in rows)]
    reasons = Facts([(row.what, row.why) for row in rows])
    changes = Section("changes", "What each change makes of it", [Table("Changes", COLUMNS, cells)])
    return Document(title, [changes, Section("reasons", "Why", [reasons])])


def _cells(what: str, result: Result, baseline: Result) -> Sequence[Cell]:
    sent, before = (side.metrics.get("requests", (0.0, "1"))[0] for side in (result, baseline))
    return (
        what,
        result.duration,
        _more(result.duration, baseline.duration),
        round(sent),
        _more(sent, before),
        result.capacity["needed"],
        f"{result.bottleneck.resource} ({words.percent(result.bottleneck.share)})",
    )


def _more(value: float, before: float) -> float | str:
    return value / before - 1 if before and value != before else ""
