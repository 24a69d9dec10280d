"""A report as JSON, `headroom.report/1`: all words and tables, and what the command computed."""

from __future__ import annotations

from app.reports.contracts import report
from app.reports.document import Block, Column, Document, Facts, Paragraph, Table, Verbatim
from app.reports.json_text import dumps


def render(document: Document) -> str:
    """Return the report as JSON text."""
    return dumps(contract(document))


def contract(document: Document) -> report.Report:
    """Return the report as JSON data; `data` holds what the command computed."""
    sections: list[report.Section] = [
        {"key": section.key, "title": section.title, "blocks": [_block(block) for block in section.blocks]}
        for section in document.sections
    ]
    return {"schema": "headroom.report/1", "title": document.title, "sections": sections, "data": dict(document.data)}


def _block(block: Block) -> report.Block:
    if isinstance(block, Paragraph):
        return {"paragraph": block.text}
    if isinstance(block, Verbatim):
        return {"verbatim": block.text}
    if isinstance(block, Facts):
        return {"facts": [list(row) for row in block.rows]}
    table = block if isinstance(block, Table) else block.table()
    columns: list[report.Column] = [{"title": column.title, "unit": _unit(column)} for column in table.columns]
    return {"table": table.name, "columns": columns, "rows": [list(row) for row in table.lines]}


def _unit(column: Column) -> str | None:
    """Return the unit of the numbers of a column; how times are shown is nothing to programs."""
    return "s" if column.unit == "time" else column.unit
