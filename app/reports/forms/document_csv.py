"""The tables of a report, one below the other, as CSV: bare numbers, units in the headers."""

from __future__ import annotations

import csv
import io

from app.reports import media
from app.reports.document import Column, Document, Drawing, Facts, Section, Table


def render(document: Document) -> str:
    """Return all tables; the first cell of the line above each is its section, the second its name."""
    file = io.StringIO()
    writer = csv.writer(file, lineterminator="\n")
    is_first = True
    for section in document.sections:
        for table in _tables(section):
            if not is_first:
                writer.writerow([])
            is_first = False
            writer.writerow(media.cells([section.title, table.name]))
            writer.writerow(media.cells([column.header for column in table.columns]))
            writer.writerows(map(media.cells, table.lines))
    return file.getvalue()


def _tables(section: Section) -> list[Table]:
    """Return the tables of a section and those behind its charts."""
    listed: list[Table] = []
    for block in section.blocks:
        if isinstance(block, Table):
            listed.append(block)
        elif isinstance(block, Facts):
            listed.append(Table(section.title, (Column(""), Column("")), list(block.rows)))
        elif isinstance(block, Drawing):
            listed.append(block.table())
    return listed
