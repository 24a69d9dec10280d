"""A report for a terminal. Charts are left out, but for maps: what they show stands in a table beside them.

A section without a title has no heading: short answers have their words and tables right below the title.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence

from app.reports import media
from app.reports.document import Block, Document, Facts, Paragraph, Table, Verbatim, readable
from app.reports.pictures import HeatMap
from app.reports.tables import text_table

WIDTH = 100
GAP = 2  # columns between a label and what is said of it


def render(document: Document) -> str:
    """Return the whole report as text."""
    parts = [media.line(document.title)]
    for section in document.sections:
        if section.title:
            parts.append(f"{section.title}\n{'-' * len(section.title)}")
        blocks = readable(section)
        wide = _labels(blocks)
        parts += ["\n".join(lines) for block in blocks if (lines := list(_block(block, wide)))]
    return media.shown("\n\n".join(parts)) + "\n"


def _labels(blocks: Sequence[Block]) -> int:
    """Return the columns of the labels of a section, so that all that is said of them begins in one."""
    labels = [label for block in blocks if isinstance(block, Facts) for label, _ in block.rows]
    return min(max(map(len, labels), default=0) + GAP, WIDTH // 2)


def _block(block: Block, wide: int) -> Iterator[str]:
    if isinstance(block, Paragraph):
        yield from textwrap.wrap(block.text, WIDTH, break_on_hyphens=False)
    elif isinstance(block, Facts):
        yield from _facts(block, wide)
    elif isinstance(block, Verbatim):
        yield from block.text.splitlines()
    elif isinstance(block, Table):
        yield from _table(block)
    elif isinstance(block, HeatMap):
        yield from (f"{block.name} ({block.key})", *_table(block.table()))


def _facts(block: Facts, wide: int) -> Iterator[str]:
    """Yield labels with what is said of each beside them, wrapped; below it where a user's name leaves no room."""
    for label, text in block.rows:
        first, rest = label.ljust(wide), " " * wide
        if len(label) > wide - GAP:
            yield label
            first = rest
        yield from textwrap.wrap(text, WIDTH, initial_indent=first, subsequent_indent=rest, break_on_hyphens=False) or [
            first.rstrip()
        ]


def _table(table: Table) -> list[str]:
    header = [f">{column.title}" if column.unit else column.title for column in table.columns]
    cells = [[column.shown(cell) for column, cell in zip(table.columns, row, strict=True)] for row in table.lines]
    return text_table(header, cells)
