"""Rows of text as a table: aligned for a terminal, in Markdown, or in a report. A header with ">" aligns right."""

from __future__ import annotations

from collections.abc import Sequence

from app.reports import media
from app.reports.document import Column, Table

GAP = "  "
Rows = Sequence[Sequence[str]]


def text_table(header: Sequence[str], rows: Rows, indent: str = "") -> list[str]:
    r"""Return the lines of a table whose columns are as wide as their widest cell.

    >>> print(*text_table([">n", "name"], [["1", "map"], ["10", "reduce"]]), sep="\n")
     n  name
     1  map
    10  reduce
    """
    lines = [[_title(cell) for cell in header], *([media.line(cell) for cell in row] for row in rows)]
    widths = [max(len(line[i]) for line in lines) for i in range(len(header))]
    return [indent + _aligned(line, header, widths) for line in lines]


def markdown_table(header: Sequence[str], rows: Rows) -> list[str]:
    r"""Return the lines of a Markdown table.

    >>> print(*markdown_table([">n", "name"], [["1", "a|b"]]), sep="\n")
    | n | name |
    |--:|:--|
    | 1 | a\|b |
    """
    rule = "|" + "|".join("--:" if _is_right(cell) else ":--" for cell in header) + "|"
    return [_markdown_row([_title(cell) for cell in header]), rule, *map(_markdown_row, rows)]


def table_of_words(name: str, header: Sequence[str], rows: Rows) -> Table:
    """Return a table of a report whose numbers are in words, each with a unit of its own."""
    return Table(name, [Column(_title(title), "1" if _is_right(title) else None) for title in header], rows)


def _aligned(line: Sequence[str], header: Sequence[str], widths: Sequence[int]) -> str:
    cells = [
        cell.rjust(width) if _is_right(title) else cell.ljust(width)
        for cell, title, width in zip(line, header, widths, strict=True)
    ]
    return GAP.join(cells).rstrip()


def _markdown_row(cells: Sequence[str]) -> str:
    escaped = (cell.replace("|", "\\|").replace("\n", " ") for cell in cells)
    return f"| {' | '.join(escaped)} |"


def _is_right(title: str) -> bool:
    return title.startswith(">")


def _title(cell: str) -> str:
    return cell.removeprefix(">")
