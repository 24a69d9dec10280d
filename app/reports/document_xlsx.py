"""A report as a workbook: one sheet a table, numbers as numbers, and charts that the program draws itself."""

from __future__ import annotations

import datetime
import io
import math
import re
from typing import TYPE_CHECKING, Any

from app.reports.charts import COLOURS
from app.reports.document import Bars, Block, Cell, Column, Document, Facts, Lines, Ranges, Table, Verbatim, Waterfall

if TYPE_CHECKING:
    from xlsxwriter import Workbook
    from xlsxwriter.worksheet import Worksheet

DATED = datetime.datetime(2000, 1, 1, tzinfo=datetime.UTC)  # a fixed date: equal reports give equal bytes
FORMATS = {"share": "0.0%", "change": "+0.0%;-0.0%"}
PLAIN = "#,##0.###"  # digits beyond are in the cell, and seen where it is edited
SHEET_NAME = 31  # letters: the most that the format allows
WIDEST = 60  # letters of a column


def render(document: Document) -> bytes:
    """Return the workbook."""
    from xlsxwriter import Workbook  # imported late: only workbooks need it

    file = io.BytesIO()
    book = Workbook(file, {"in_memory": True})
    book.set_properties({"title": document.title, "created": DATED, "author": "Headroom"})
    _Book(book).write(document)
    book.close()
    return file.getvalue()


class _Book:
    """The workbook under way: its formats, and the names of sheets that are taken."""

    def __init__(self, book: Workbook) -> None:
        self._book = book
        self._bold = book.add_format({"bold": True})
        self._title = book.add_format({"bold": True, "font_size": 14})
        self._wrapped = book.add_format({"text_wrap": True, "valign": "top"})
        self._shares = {unit: book.add_format({"num_format": text}) for unit, text in FORMATS.items()}
        self._plain = book.add_format({"num_format": PLAIN})
        self._taken: set[str] = set()

    def write(self, document: Document) -> None:
        """Write the words on the first sheet, each table and chart on one of its own."""
        words = self._added(self._name("Report"))
        words.set_column(0, 0, 28)
        words.set_column(1, 1, 110, self._wrapped)
        words.write(0, 0, document.title, self._title)
        row = 2
        for section in document.sections:
            words.write(row, 0, section.title, self._bold)
            row += 1
            for block in section.blocks:
                row = self._block(words, row, block)
            row += 1

    def _added(self, name: str) -> Worksheet:
        """Return a new sheet that is printed as wide as the page."""
        sheet = self._book.add_worksheet(name)
        sheet.set_landscape()
        sheet.fit_to_pages(1, 0)
        return sheet

    def _block(self, words: Worksheet, row: int, block: Block) -> int:
        """Write one block and return the next free row of the first sheet."""
        if isinstance(block, Facts):
            for label, said in block.rows:
                words.write_string(row, 0, label)
                words.write_string(row, 1, said, self._wrapped)
                row += 1
            return row
        if isinstance(block, (Table, Lines, Bars, Waterfall, Ranges)):
            name = self._sheet(block)
            words.write_url(row, 1, f"internal:'{name}'!A1", string=f"table: {name}")
            return row + 1
        lines = block.text.splitlines() if isinstance(block, Verbatim) else [block.text]
        for line in lines:
            words.write_string(row, 1, line, self._wrapped)
            row += 1
        return row

    def _sheet(self, block: Table | Lines | Bars | Waterfall | Ranges) -> str:
        """Write a table, and the chart that it stands for, on a sheet of its own; return the sheet's name."""
        table = block if isinstance(block, Table) else block.table()
        name = self._name(table.name)
        sheet = self._added(name)
        sheet.freeze_panes(1, 0)
        for j, column in enumerate(table.columns):
            sheet.write_string(0, j, column.header, self._bold)
            longest = max([len(column.header), *(len(column.shown(row[j])) for row in table.rows)])
            sheet.set_column(j, j, min(longest + 2, WIDEST))
        for i, row in enumerate(table.rows, start=1):
            for j, (column, cell) in enumerate(zip(table.columns, row, strict=True)):
                self._cell(sheet, (i, j), column, cell)
        if not isinstance(block, Table) and table.rows:
            sheet.insert_chart(1, len(table.columns) + 1, self._chart(block, name))
        return name

    def _cell(self, sheet: Worksheet, place: tuple[int, int], column: Column, cell: Cell) -> None:
        if cell is None:
            return
        if isinstance(cell, str):
            sheet.write_string(*place, cell)
        elif math.isfinite(cell):
            sheet.write_number(*place, cell, self._shares.get(column.unit or "", self._plain))
        else:
            sheet.write_string(*place, column.shown(cell))

    def _name(self, wanted: str) -> str:
        """Return a sheet name that is allowed and not taken."""
        plain = re.sub(r"[\[\]:*?/\\']", " ", wanted).strip() or "table"
        name, count = plain[:SHEET_NAME], 1
        while name.casefold() in self._taken:
            count += 1
            name = f"{plain[: SHEET_NAME - 4]} {count}"
        self._taken.add(name.casefold())
        return name

    def _chart(self, block: Lines | Bars | Waterfall | Ranges, sheet: str) -> Any:
        if isinstance(block, Lines):
            return self._scatter(block, sheet)
        table, is_range = block.table(), isinstance(block, Ranges)
        chart = self._book.add_chart({"type": "bar", "subtype": "stacked" if is_range else "clustered"})
        count, columns = len(table.rows), (1, 3) if is_range else range(1, len(table.columns))
        for j in columns:  # a range is its length upon a bar that is not seen
            is_seen = not is_range or j == 3
            chart.add_series(
                {
                    "name": [sheet, 0, j],
                    "categories": [sheet, 1, 0, count, 0],
                    "values": [sheet, 1, j, count, j],
                    "fill": {"color": COLOURS[(j - 1) % len(COLOURS)]} if is_seen else {"none": True},
                }
            )
        chart.set_title({"name": block.name, "name_font": {"size": 11}})
        chart.set_y_axis({"reverse": True})
        chart.set_x_axis({"name": block.axis.title})
        if is_range or len(table.columns) == 2:
            chart.set_legend({"none": True})
        return chart

    def _scatter(self, block: Lines, sheet: str) -> Any:
        subtype = {} if block.is_scatter else {"subtype": "straight_with_markers"}
        chart = self._book.add_chart({"type": "scatter", **subtype})
        row = 1
        for i, series in enumerate(block.series):
            last = row + len(series.x) - 1
            chart.add_series(
                {
                    "name": series.name,
                    "categories": [sheet, row, 1, last, 1],
                    "values": [sheet, row, 2, last, 2],
                    "line": {"none": True} if block.is_scatter else {"color": COLOURS[i % len(COLOURS)]},
                    "marker": {"type": "automatic", "size": 6},
                }
            )
            row = last + 1
        chart.set_title({"name": block.name, "name_font": {"size": 11}})
        chart.set_x_axis({"name": block.x.title, **({"log_base": 10} if block.x.is_log else {})})
        chart.set_y_axis({"name": block.y.title, **({"log_base": 10} if block.y.is_log else {})})
        return chart
