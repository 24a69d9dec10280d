"""Formulas of a workbook: what a computed number follows from, found on the sheets where it stands."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from app.reports.document import Column, Computed, Table

REFERENCE = re.compile(r"\{([^{}/]+)(?:/([^{}/]+))?(?:/([^{}/]+))?\}")


@dataclass(frozen=True, slots=True)
class Placed:
    """A table on a sheet of its own, its header in the first row."""

    sheet: str
    table: Table

    def cell(self, row: int, column: str) -> str:
        """Return the address of a cell, by its row from 0 and the title of its column."""
        return f"${self._letters(column)}${row + 2}"

    def rows(self, column: str) -> str:
        """Return the addresses of all rows of a column but the total."""
        return f"{self.cell(0, column)}:{self.cell(max(len(self.table.rows) - 1, 0), column)}"

    def row_of(self, name: str) -> int:
        """Return the row that begins with a text.

        Raises:
            ValueError: there is none, as the formula of a report is wrong.
        """
        return [line[0] for line in self.table.lines].index(name)

    def _letters(self, column: str) -> str:
        from xlsxwriter.utility import xl_col_to_name

        titles = [head.title for head in self.table.columns]
        return str(xl_col_to_name(titles.index(column)))


def formula(cell: Computed, here: Placed | None, row: int, known: Mapping[str, Placed]) -> str:
    """Return the formula of a cell in a row of a table, with the tables of a workbook by name."""

    def address(match: re.Match[str]) -> str:
        first, column, name = match.groups()
        if column is None:
            assert here is not None  # only a row of a table has columns
            return here.cell(row, first)
        placed = known[first]
        place = placed.rows(column) if name is None else placed.cell(placed.row_of(name), column)
        return f"'{placed.sheet}'!{place}"

    return f"={REFERENCE.sub(address, cell.formula)}"


def is_known(cell: Computed, known: Mapping[str, Placed]) -> bool:
    """Tell whether all tables that a formula asks are in a workbook: a report may have lost some of its sections."""
    return all(not column or table in known for table, column, _ in REFERENCE.findall(cell.formula))


def in_readable_time(table: Table) -> Table:
    """Return a table with its long times in minutes or hours, as people read them; a workbook has bare numbers."""
    from app.reports.words import LONG, time_unit

    columns, rows = list(table.columns), [list(row) for row in table.rows]
    for j, column in enumerate(table.columns):
        times = [cell for row in rows if isinstance(cell := row[j], (int, float))]
        if column.unit not in ("s", "time") or max(times, default=0.0) < LONG:
            continue
        scale, name = time_unit(max(times))
        columns[j] = Column(column.title, name)
        for row in rows:
            cell = row[j]
            row[j] = cell / scale if isinstance(cell, (int, float)) else cell
    return Table(table.name, columns, rows, table.for_sheets, table.total)
