"""Two systems side by side, simulated and documented, as a report."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from app.reports import words
from app.reports.document import Cell, Column, Document, Facts, Section, Table
from simulator.result import Bottleneck

COLUMNS = (
    Column("work"),
    Column("system"),
    Column("simulated", "s"),
    Column("documented", "s"),
    Column("error", "change"),
    Column("limited by"),
)


@dataclass(frozen=True, slots=True)
class Side:
    """One run: its system, simulated and documented duration (s), and what limited it."""

    system: str
    duration: float
    documented: float
    bottleneck: Bottleneck

    @property
    def error(self) -> float:
        """The error against the documented duration, as a fraction."""
        return (self.duration - self.documented) / self.documented


@dataclass(frozen=True, slots=True)
class Row:
    """The same work on both systems."""

    work: str
    baseline: Side
    challenger: Side


def document(title: str, rows: Sequence[Row]) -> Document:
    """Return the comparison: who is faster at what, then each run."""
    answer = Section("answer", "The answer", [Facts([(row.work, verdict(row)) for row in rows])])
    table = Table("Runs", COLUMNS, [cells for row in rows for cells in _cells(row)])
    return Document(title, [answer, Section("runs", "Run by run", [table])])


def verdict(row: Row) -> str:
    """Return who is faster: "MinIO is 21.0 % faster than HDFS (documented 22.6 %)"."""
    gain = row.baseline.duration / row.challenger.duration - 1
    documented = row.baseline.documented / row.challenger.documented - 1
    pace = "faster" if gain >= 0 else "slower"
    text = f"{row.challenger.system} is {100 * abs(gain):.1f} % {pace} than {row.baseline.system}"
    turn = "" if (gain >= 0) == (documented >= 0) else f" {'faster' if documented >= 0 else 'slower'}"
    return f"{text} (documented {100 * abs(documented):.1f} %{turn})"


def _cells(row: Row) -> Iterator[Sequence[Cell]]:
    for work, side in ((row.work, row.baseline), ("", row.challenger)):
        limited = f"{side.bottleneck.resource} ({words.percent(side.bottleneck.share)})"
        yield work, side.system, side.duration, words.documented(side.documented, "s"), side.error, limited
