"""A report as a Markdown page: charts are given by their numbers."""

from __future__ import annotations

from collections.abc import Iterator

from app.reports.document import Block, Document, Facts, Paragraph, Table, Verbatim, readable
from app.reports.tables import markdown_table


def render(document: Document) -> str:
    """Return the whole report as Markdown."""
    parts = [f"# {document.title}"]
    for section in document.sections:
        parts.append(f"## {section.title}")
        parts += ["\n".join(lines) for block in readable(section) if (lines := list(_block(block)))]
    return "\n\n".join(parts) + "\n"


def _block(block: Block) -> Iterator[str]:
    if isinstance(block, Paragraph):
        yield block.text
    elif isinstance(block, Facts):
        yield from markdown_table(("", ""), block.rows)
    elif isinstance(block, Verbatim):
        yield from ("```", *block.text.splitlines(), "```")
    else:
        table = block if isinstance(block, Table) else block.table()
        header = [f">{column.title}" if column.unit else column.title for column in table.columns]
        yield f"**{table.name}**"
        yield ""
        yield from markdown_table(
            header,
            [[column.shown(cell) for column, cell in zip(table.columns, row, strict=True)] for row in table.rows],
        )
