"""`headroom.report/1`: a report, all of its words and tables."""

from __future__ import annotations

from typing import Any, Literal

from typing_extensions import TypedDict


class Paragraph(TypedDict):
    """Words."""

    paragraph: str


class Verbatim(TypedDict):
    """Lines as they are: a profile, a command."""

    verbatim: str


class Facts(TypedDict):
    """Labels, and what is said of each: pairs."""

    facts: list[list[str]]


class Column(TypedDict):
    """A column: text without a unit, else numbers in it; "share" and "change" are fractions."""

    title: str
    unit: str | None


class Table(TypedDict):
    """A table, or the numbers behind a chart."""

    table: str
    columns: list[Column]
    rows: list[list[str | float | None]]


Block = Paragraph | Verbatim | Facts | Table


class Section(TypedDict):
    """A part of the report with a heading of its own; `key` is what `--without` takes."""

    key: str
    title: str
    blocks: list[Block]


class Report(TypedDict):
    """A report in the order of reading; `data` is what the command computed, a contract of its own."""

    schema: Literal["headroom.report/1"]
    title: str
    sections: list[Section]
    data: dict[str, Any]
