"""A report for a terminal. Charts are left out, but for maps: what they show stands in a table beside them.

A section without a title has no heading: short answers have their words and tables right below the title.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterator

from app.reports import media
from app.reports.document import Block, Document, Facts, HeatMap, Paragraph, Table, Verbatim, readable
from app.reports.tables import text_table

WIDTH = 100


def render(document: Document) -> str:
    """Return the whole report as text."""
    parts = [media.line(document.title)]
    for section in document.sections:
        if section.title:
            parts.append(f"{section.title}\n{'-' * len(section.title)}")
        parts += ["\n".join(lines) for block in readable(section) if (lines := list(_block(block)))]
    return media.shown("\n\n".join(parts)) + "\n"


def _block(block: Block) -> Iterator[str]:
    if isinstance(block, Paragraph):
        yield from textwrap.wrap(block.text, WIDTH, break_on_hyphens=False)
    elif isinstance(block, Facts):
        yield from facts(block)
    elif isinstance(block, Verbatim):
        yield from block.text.splitlines()
    elif isinstance(block, Table):
        yield from _table(block)
    elif isinstance(block, HeatMap):
        yield from (f"{block.name} ({block.key})", *_table(block.table()))


def facts(block: Facts) -> Iterator[str]:
    """Yield labels with what is said of each beside them, wrapped."""
    wide = max((len(label) for label, _ in block.rows), default=0) + 2
    for label, text in block.rows:
        yield from textwrap.wrap(
            text, WIDTH, initial_indent=label.ljust(wide), subsequent_indent=" " * wide, break_on_hyphens=False
        ) or [label]


def _table(table: Table) -> list[str]:
    header = [f">{column.title}" if column.unit else column.title for column in table.columns]
    cells = [[column.shown(cell) for column, cell in zip(table.columns, row, strict=True)] for row in table.lines]
    return text_table(header, cells)
