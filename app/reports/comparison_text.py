"""Two systems side by side, simulated and documented, for a terminal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from app.reports import words
from app.reports.tables import text_table
from simulator.result import Bottleneck

HEADER = ("work", "system", ">simulated", ">documented", ">error", "limited by")


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


def render(title: str, rows: Sequence[Row]) -> str:
    """Return the comparison as text."""
    cells = [cell for row in rows for cell in _cells(row)]
    verdicts = [verdict(row) for row in rows]
    return "\n\n".join(["\n".join(lines) for lines in ([title], text_table(HEADER, cells), verdicts)]) + "\n"


def verdict(row: Row) -> str:
    """Return who is faster: "TeraSort: MinIO is 21.0 % faster than HDFS (documented 22.6 %)"."""
    gain = row.baseline.duration / row.challenger.duration - 1
    documented = row.baseline.documented / row.challenger.documented - 1
    pace = "faster" if gain >= 0 else "slower"
    text = f"{row.challenger.system} is {100 * abs(gain):.1f} % {pace} than {row.baseline.system}"
    turn = "" if (gain >= 0) == (documented >= 0) else f" {'faster' if documented >= 0 else 'slower'}"
    return f"{row.work}: {text} (documented {100 * abs(documented):.1f} %{turn})"


def _cells(row: Row) -> Iterator[list[str]]:
    for work, side in ((row.work, row.baseline), ("", row.challenger)):
        limited = f"{side.bottleneck.resource} ({words.percent(side.bottleneck.share)})"
        times = (words.seconds(side.duration), words.documented(side.documented, "s"))
        yield [work, side.system, *times, words.signed_percent(side.error), limited]
