"""A report as data: sections of words, facts, tables and charts, before they are put into any form.

A command builds one `Document`; the forms (`document_text`, `_markdown`, `_html`, `_pdf`, `_xlsx`, `_pptx`, `_csv`,
`_json`, `_zip`) only draw it, so that all of them say the same. Numbers stay numbers in the unit of their column until
they are drawn.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import field, replace
from enum import Enum
from typing import Any, Self

from app.reports import words
from app.reports.locales import ENGLISH, Locale
from app.reports.media import bound
from models.units import format_duration
from models.values import value

Cell = str | float | int | None
MISSING = "–"
MANY = 1_000  # from which a number of things has its digits in groups
COLUMNS = 96  # letters of a verbatim line that fit a page


class Computed(float):
    """A number that follows from others, with the formula by which a workbook computes it anew.

    What it follows from stands in braces: {column} is the cell of the same row, {Table/column} all rows of a column,
    {Table/column/row} the cell of the row that begins with that text; a title holds no "/".
    """

    __slots__ = ("formula",)
    formula: str

    def __new__(cls, value: float, formula: str) -> Self:
        """Return the number with its formula."""
        made = super().__new__(cls, value)
        made.formula = formula
        return made

    def __reduce__(self) -> tuple[type[Computed], tuple[float, str]]:
        return Computed, (float(self), self.formula)


@value()
class Column:
    """A column of a table: text without a unit, else numbers in `unit`.

    In addition to the units of models.units there are "share" (0 to 1, shown as per cent), "change" (a fraction, shown
    as per cent with its sign), "time" (seconds, shown as minutes, hours or days) and money such as "USD". `is_input`: a
    reader of a workbook may try other numbers. `is_bound`: no line ends between a number and its unit.
    """

    title: str
    unit: str | None = None
    is_input: bool = False
    locale: Locale = ENGLISH
    is_bound: bool = False

    @property
    def header(self) -> str:
        """Title and unit for forms that hold bare numbers."""
        shown = {"share": "%", "change": "%", "time": "s", "1": "", "1/s": "a second"}.get(
            self.unit or "", self.unit or ""
        )
        return f"{self.title} ({shown})" if shown else self.title

    def shown(self, cell: Cell) -> str:
        """Return a cell as people read it, with its unit."""
        if cell is None:
            return MISSING
        if isinstance(cell, str):
            return cell
        text = self.locale.localized(quantity(float(cell), self.unit))
        return bound(text) if self.is_bound else text


@value()
class Paragraph:
    """Words; those that are read first are strong."""

    text: str
    is_strong: bool = False


@value()
class Facts:
    """Labels and what is said of each."""

    rows: Sequence[tuple[str, str]]


@value()
class Verbatim:
    """Lines to be kept as they are: a profile, a command."""

    text: str


@value()
class Table:
    """Rows of cells below columns; `name` is that of its sheet.

    A table `for_sheets` is too wide to be read: workbooks, CSV and JSON have it, pages do not. `total` is a last row of
    sums, none where it is empty.
    """

    name: str
    columns: Sequence[Column]
    rows: Sequence[Sequence[Cell]]
    for_sheets: bool = False
    total: Sequence[Cell] = ()

    @property
    def lines(self) -> list[Sequence[Cell]]:
        """All rows, the total last."""
        return [*self.rows, *([self.total] if self.total else [])]


@value()
class Drawing(ABC):
    """What is drawn, by the window and by the forms of a report: its name, and the table of its numbers."""

    name: str

    @abstractmethod
    def table(self) -> Table:
        """Return the numbers behind it."""


@value()
class Axis:
    """What an axis measures, in which unit.

    `most` is the highest that there can be, up to which it reaches. An axis of nines has percentages below 100, as far
    from each other as their distances to 100 are ratios: 90, 99 and 99.9 at equal steps. `named` are places with texts
    of their own, instead of numbers in the unit. One that `is_whole` counts what has no halves, as servers have none.
    """

    label: str
    unit: str | None = None
    is_log: bool = False
    most: float | None = None
    is_nines: bool = False
    locale: Locale = ENGLISH
    named: Mapping[float, str] = field(default_factory=dict)
    is_whole: bool = False

    @property
    def title(self) -> str:
        """Label and unit."""
        return Column(self.label, None if self.named else self.unit).header

    def shown(self, value: float) -> str:
        """Return a number on it as people read it, with its unit."""
        return self.locale.localized(self.named.get(value) or quantity(value, self.unit))


OTHER = -1
"""Colour of what is none of the things that the charts of a report tell apart."""


@value()
class Series:
    """Points of one name: `x` and `y` of the same length, and the band around them if there is one.

    `colour` is the number of its colour in all charts of a report; by default it is its place in the chart. `note` is
    said of all of it, behind its name. NaN stands where it has no value. `names` are those of its points, if they have
    any; of points that are `apart` no line joins one to the next.
    """

    name: str
    x: Sequence[float]
    y: Sequence[float]
    low: Sequence[float] | None = None
    high: Sequence[float] | None = None
    colour: int | None = None
    note: str = ""
    names: Sequence[str] = ()
    is_apart: bool = False


@value()
class Mark:
    """A line across a chart at a number of its y axis, or upright at one of x: a limit, a failure.

    `colour` is the number of its colour, None for that of what must not be passed.
    """

    name: str
    at: float
    is_upright: bool = False
    colour: int | None = None


@value()
class Lines(Drawing):
    """Curves over a number; with `is_stacked` areas on each other.

    `is_joint`: all have their points at the same places, so that a table has a row for each place. With an `end` each
    value holds from its place to the next, the last to the end. `marks` are lines across, `band` says what bands are.
    """

    x: Axis
    y: Axis
    series: Sequence[Series]
    band: str = ""
    is_stacked: bool = False
    is_joint: bool = False
    end: float | None = None
    marks: Sequence[Mark] = ()

    def table(self) -> Table:
        """Return the numbers behind the chart, one row a point."""
        if self.is_joint and self.series:
            columns = (_column(self.x), *(Column(series.name, self.y.unit or "1") for series in self.series))
            places = zip(self.series[0].x, *(map(_known, series.y) for series in self.series), strict=True)
            return Table(self.name, columns, list(places))
        columns = (Column("series"), _column(self.x), _column(self.y))
        rows = [(series.name, x, _known(y)) for series in self.series for x, y in zip(series.x, series.y, strict=True)]
        names = [name for series in self.series for name in series.names or [""] * len(series.x)]
        if not any(names):
            return Table(self.name, columns, rows)
        return Table(
            self.name, (*columns, Column("point")), [(*row, name) for row, name in zip(rows, names, strict=True)]
        )


@value()
class Bars(Drawing):
    """Horizontal bars: `values[i][j]` of label i in series j; None where there is none.

    Of each label, `hues` are the number of its own colour, and `spans` between what its bar lies, as `spanned` says.
    """

    axis: Axis
    labels: Sequence[str]
    series: Sequence[str]
    values: Sequence[Sequence[float | None]]
    hues: Sequence[int] = ()
    spans: Sequence[tuple[float, float] | None] = ()
    spanned: str = ""

    def table(self) -> Table:
        """Return the numbers behind the chart, one row a label."""
        columns = (Column(""), *(Column(name, self.axis.unit or "1") for name in self.series))
        return Table(self.name, columns, [(label, *row) for label, row in zip(self.labels, self.values, strict=True)])


@value()
class Waterfall(Drawing):
    """From a first value through what each step leaves of it to the last."""

    axis: Axis
    steps: Sequence[tuple[str, float]]

    def table(self) -> Table:
        """Return the value after each step."""
        return Table(self.name, (Column("step"), _column(self.axis)), list(self.steps))


@value()
class Ranges(Drawing):
    """Bars from a low to a high value: stages over time, or with `base` what inputs do to an answer (a tornado).

    Bars of one label stand in one row; `colours` are the numbers of their colours in all charts of a report. Of each
    bar, `parts` is how high it is (0 to 1), `hues` its own colour and `notes` a word; `names` say what hues stand for.
    `due` are moments in rows, by label, and `marks` are lines across.
    """

    axis: Axis
    rows: Sequence[tuple[str, float, float]]
    base: float | None = None
    colours: Mapping[str, int] = field(default_factory=dict)
    parts: Sequence[float] = ()
    hues: Sequence[int] = ()
    notes: Sequence[str] = ()
    names: Mapping[str, int] = field(default_factory=dict)
    due: Sequence[tuple[str, float]] = ()
    marks: Sequence[Mark] = ()

    @property
    def labels(self) -> list[str]:
        """The labels of its rows."""
        return list(dict.fromkeys(label for label, _, _ in self.rows))

    def table(self) -> Table:
        """Return the ends of each bar and its length."""
        unit = self.axis.unit or "1"
        columns = (Column(""), Column("from", unit), Column("to", unit), Column("difference", unit))
        return Table(self.name, columns, [(label, low, high, high - low) for label, low, high in self.whole])

    @property
    def whole(self) -> list[tuple[str, float, float]]:
        """Its bars, those as one between which nothing ends but how high they are."""
        bars: list[tuple[str, float, float]] = []
        for label, low, high in self.rows:
            if self.parts and bars and bars[-1][0] == label and low <= bars[-1][2]:
                bars.append((label, bars.pop()[1], high))
            else:
                bars.append((label, low, high))
        return bars


Block = Paragraph | Facts | Verbatim | Table | Drawing


class Level(Enum):
    """Who reads a section: whoever signs (the first page), whoever asks why, whoever checks."""

    SUMMARY = "summary"
    BODY = "body"
    APPENDIX = "appendix"


@value()
class Section:
    """A part of the report with a heading of its own.

    `key` names it for those who choose sections; `place` orders the sections of a report that several documents feed.
    """

    key: str
    title: str
    blocks: Sequence[Block]
    place: int = 0
    level: Level = Level.BODY


@value()
class Cover:
    """Who made a report for whom, and when: labels with what is said of each, and a picture (PNG), or none."""

    rows: Sequence[tuple[str, str]]
    logo: bytes = b""


@value()
class Document:
    """The whole report. `data` is what only the JSON form holds as well: the contract of the command.

    `files` are what it was made from, by name, so that anybody can make it again with the `command`.
    """

    title: str
    sections: Sequence[Section]
    data: Mapping[str, Any] = field(default_factory=dict)
    cover: Cover | None = None
    files: Mapping[str, str | bytes] = field(default_factory=dict)
    command: str = ""

    def only(self, keys: Sequence[str]) -> Document:
        """Return the report with the sections of these keys."""
        return replace(self, sections=[section for section in self.sections if section.key in keys])

    def at(self, *levels: Level) -> list[Section]:
        """Return the sections of these levels."""
        return [section for section in self.sections if section.level in levels]


def quantity(value: float, unit: str | None) -> str:
    """Return a number in the unit of a column as people read it.

    >>> quantity(0.31, "share"), quantity(1.2e9, "B/s"), quantity(13789, "USD")
    ('31 %', '1.2 GB/s', '13,789 USD')
    """
    if unit == "share":
        return words.percent(value)
    if unit == "change":
        return words.signed_percent(value)
    if unit == "time":
        return format_duration(value)
    if unit == "s":
        return words.clock(value)
    if unit in (None, "1") and MANY <= abs(value) < float("inf"):
        return f"{value:,.0f}"
    return words.boundless(value, unit or "1")


def is_captioned(section: Section, table: Table) -> bool:
    """Tell whether a table is named above it: not where the heading of its section has said so."""
    return not section.title.startswith(table.name)


def readable(section: Section) -> list[Block]:
    """Return the blocks of a section that a page shows."""
    return [block for block in section.blocks if not (isinstance(block, Table) and block.for_sheets)]


def _known(value: float) -> float | None:
    return None if math.isnan(value) else value


def _column(axis: Axis) -> Column:
    return Column(axis.label, axis.unit or "1")
