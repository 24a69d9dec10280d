"""A report as a Markdown page: charts are given by their numbers."""

from __future__ import annotations

import re
from collections.abc import Iterator

from app.reports import media
from app.reports.document import Block, Document, Facts, Paragraph, Section, Table, Verbatim, is_captioned, readable
from app.reports.tables import markdown_table


def render(document: Document) -> str:
    """Return the whole report as Markdown."""
    document = media.mapped(document, media.markdown)
    parts = [f"# {media.line(document.title)}"]
    if document.cover is not None:
        parts.append("  \n".join(f"{label}: {text}" for label, text in document.cover.rows))
    for section in document.sections:
        parts.append(f"## {media.line(section.title)}")
        parts += ["\n".join(lines) for block in readable(section) if (lines := list(_block(section, block)))]
    return "\n\n".join(parts) + "\n"


def _block(section: Section, block: Block) -> Iterator[str]:
    if isinstance(block, Paragraph):
        yield f"**{block.text}**" if block.is_strong else block.text
    elif isinstance(block, Facts):
        yield from markdown_table(("", ""), block.rows)
    elif isinstance(block, Verbatim):
        fence = "`" * max(3, 1 + max(map(len, re.findall("`+", block.text)), default=0))
        yield from (fence, *block.text.splitlines(), fence)
    else:
        table = block if isinstance(block, Table) else block.table()
        header = [f">{column.title}" if column.unit else column.title for column in table.columns]
        if is_captioned(section, table):
            yield from (f"**{table.name}**", "")
        yield from markdown_table(
            header,
            [[column.shown(cell) for column, cell in zip(table.columns, row, strict=True)] for row in table.lines],
        )
