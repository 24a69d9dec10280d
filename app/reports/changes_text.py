"""One profile and what single changes make of it, for a terminal: duration, requests, capacity, and the reasons."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from app.reports import words
from app.reports.tables import text_table
from models.units import format
from simulator.result import Result

HEADER = ("change", ">duration", ">", ">requests", ">", ">capacity", "limited by")


@dataclass(frozen=True, slots=True)
class Changed:
    """A change, why it should matter, and how the run went."""

    what: str
    why: str
    result: Result


def render(title: str, baseline: Result, rows: Sequence[Changed]) -> str:
    """Return what each change makes of the baseline, as text; capacity is the raw one that the data needs."""
    first = _cells("baseline", baseline, baseline)
    cells = [first, *(_cells(row.what, row.result, baseline) for row in rows)]
    reasons = [f"{row.what}: {row.why}" for row in rows]
    return "\n\n".join("\n".join(lines) for lines in ([title], text_table(HEADER, cells), reasons)) + "\n"


def _cells(what: str, result: Result, baseline: Result) -> list[str]:
    sent, before = (side.metrics.get("requests", (0.0, "1"))[0] for side in (result, baseline))
    return [
        what,
        words.seconds(result.duration),
        _more(result.duration, baseline.duration),
        f"{sent:.0f}",
        _more(sent, before),
        format(result.capacity["needed"], "B"),
        f"{result.bottleneck.resource} ({words.percent(result.bottleneck.share)})",
    ]


def _more(value: float, before: float) -> str:
    return words.signed_percent(value / before - 1) if before and value != before else ""
