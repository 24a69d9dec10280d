"""A report as data: sections of words, facts, tables and charts, before they are put into any form.

A command builds one `Document`; the forms (`document_text`, `_markdown`, `_html`, `_pdf`, `_xlsx`, `_csv`, `_json`)
only draw it, so that all of them say the same. Numbers stay numbers in the unit of their column until they are drawn.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from app.reports import words
from models.units import format

Cell = str | float | int | None
MISSING = "–"
COLUMNS = 96  # letters of a verbatim line that fit a page


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a table: text without a unit, else numbers in `unit`.

    In addition to the units of models.units there are "share" (0 to 1, shown as per cent), "change" (a fraction, shown
    as per cent with its sign) and money such as "USD".
    """

    title: str
    unit: str | None = None

    @property
    def header(self) -> str:
        """Title and unit for forms that hold bare numbers."""
        shown = {"share": "%", "change": "%", "1": ""}.get(self.unit or "", self.unit or "")
        return f"{self.title} ({shown})" if shown else self.title

    def shown(self, cell: Cell) -> str:
        """Return a cell as people read it, with its unit."""
        if cell is None:
            return MISSING
        return cell if isinstance(cell, str) else quantity(float(cell), self.unit)


@dataclass(frozen=True, slots=True)
class Paragraph:
    """Words."""

    text: str


@dataclass(frozen=True, slots=True)
class Facts:
    """Labels and what is said of each."""

    rows: Sequence[tuple[str, str]]


@dataclass(frozen=True, slots=True)
class Verbatim:
    """Lines to be kept as they are: a profile, a command."""

    text: str


@dataclass(frozen=True, slots=True)
class Table:
    """Rows of cells below columns; `name` is that of its sheet.

    A table `for_sheets` is too wide to be read: workbooks, CSV and JSON have it, pages do not.
    """

    name: str
    columns: Sequence[Column]
    rows: Sequence[Sequence[Cell]]
    for_sheets: bool = False


@dataclass(frozen=True, slots=True)
class Axis:
    """What an axis measures, in which unit."""

    label: str
    unit: str | None = None
    is_log: bool = False

    @property
    def title(self) -> str:
        """Label and unit."""
        return Column(self.label, self.unit).header


OTHER = -1
"""Colour of what is none of the things that the charts of a report tell apart."""


@dataclass(frozen=True, slots=True)
class Series:
    """Points of one name: `x` and `y` of the same length, and the band around them if there is one.

    `colour` is the number of its colour in all charts of a report; by default it is its place in the chart.
    """

    name: str
    x: Sequence[float]
    y: Sequence[float]
    low: Sequence[float] | None = None
    high: Sequence[float] | None = None
    colour: int | None = None


@dataclass(frozen=True, slots=True)
class Lines:
    """Curves over a number; with `is_scatter` points that no line joins, with `is_stacked` areas on each other.

    `is_joint`: all have their points at the same places, so that a table has a row for each place.
    """

    name: str
    x: Axis
    y: Axis
    series: Sequence[Series]
    is_scatter: bool = False
    is_stacked: bool = False
    is_joint: bool = False

    def table(self) -> Table:
        """Return the numbers behind the chart, one row a point."""
        if self.is_joint and self.series:
            columns = (_column(self.x), *(Column(each.name, self.y.unit or "1") for each in self.series))
            places = zip(self.series[0].x, *(each.y for each in self.series), strict=True)
            return Table(self.name, columns, list(places))
        columns = (Column("series"), _column(self.x), _column(self.y))
        rows = [(each.name, x, y) for each in self.series for x, y in zip(each.x, each.y, strict=True)]
        return Table(self.name, columns, rows)


@dataclass(frozen=True, slots=True)
class Bars:
    """Horizontal bars: `values[i][j]` of label i in series j; None where there is none."""

    name: str
    axis: Axis
    labels: Sequence[str]
    series: Sequence[str]
    values: Sequence[Sequence[float | None]]

    def table(self) -> Table:
        """Return the numbers behind the chart, one row a label."""
        columns = (Column(""), *(Column(name, self.axis.unit or "1") for name in self.series))
        return Table(self.name, columns, [(label, *row) for label, row in zip(self.labels, self.values, strict=True)])


@dataclass(frozen=True, slots=True)
class Waterfall:
    """From a first value through what each step leaves of it to the last."""

    name: str
    axis: Axis
    steps: Sequence[tuple[str, float]]

    def table(self) -> Table:
        """Return the value after each step."""
        return Table(self.name, (Column("step"), _column(self.axis)), list(self.steps))


@dataclass(frozen=True, slots=True)
class Ranges:
    """Bars from a low to a high value: stages over time, or with `base` what inputs do to an answer (a tornado).

    Bars of one label stand in one row; `colours` are the numbers of their colours in all charts of a report.
    """

    name: str
    axis: Axis
    rows: Sequence[tuple[str, float, float]]
    base: float | None = None
    colours: Mapping[str, int] = field(default_factory=dict)

    @property
    def labels(self) -> list[str]:
        """The labels of its rows."""
        return list(dict.fromkeys(label for label, _, _ in self.rows))

    def table(self) -> Table:
        """Return the ends of each bar and its length."""
        unit = self.axis.unit or "1"
        columns = (Column(""), Column("from", unit), Column("to", unit), Column("difference", unit))
        return Table(self.name, columns, [(label, low, high, high - low) for label, low, high in self.rows])


Chart = Lines | Bars | Waterfall | Ranges
Block = Paragraph | Facts | Verbatim | Table | Chart


@dataclass(frozen=True, slots=True)
class Section:
    """A part of the report with a heading of its own.

    `key` names it for those who choose sections; `place` orders the sections of a report that several documents feed.
    """

    key: str
    title: str
    blocks: Sequence[Block]
    place: int = 0


@dataclass(frozen=True, slots=True)
class Document:
    """The whole report. `data` is what only the JSON form holds as well: the contract of the command."""

    title: str
    sections: Sequence[Section]
    data: Mapping[str, Any] = field(default_factory=dict)

    def only(self, keys: Sequence[str]) -> Document:
        """Return the report with the sections of these keys."""
        return Document(self.title, [section for section in self.sections if section.key in keys], self.data)


def quantity(value: float, unit: str | None) -> str:
    """Return a number in the unit of a column as people read it.

    >>> quantity(0.31, "share"), quantity(1.2e9, "B/s"), quantity(13789, "USD")
    ('31 %', '1.2 GB/s', '13,789 USD')
    """
    if unit == "share":
        return words.percent(value)
    if unit == "change":
        return words.signed_percent(value)
    if unit == "s":
        return words.seconds(value)
    if unit is not None and unit.startswith(("USD", "EUR")):
        return f"{value:,.0f} {unit}" if abs(value) >= 100 else f"{value:.4g} {unit}"
    return format(value, unit or "1")


def readable(section: Section) -> list[Block]:
    """Return the blocks of a section that a page shows."""
    return [block for block in section.blocks if not (isinstance(block, Table) and block.for_sheets)]


def tables(section: Section) -> list[Table]:
    """Return the tables of a section and those behind its charts."""
    found: list[Table] = []
    for block in section.blocks:
        if isinstance(block, Table):
            found.append(block)
        elif isinstance(block, Facts):
            found.append(Table(section.title, (Column(""), Column("")), list(block.rows)))
        elif isinstance(block, (Lines, Bars, Waterfall, Ranges)):
            found.append(block.table())
    return found


def _column(axis: Axis) -> Column:
    return Column(axis.label, axis.unit or "1")
