"""A report as a workbook: a sheet that is read first, one a table with numbers as numbers, charts that it draws itself.

What follows from other numbers is a formula, so that a price or a count that is changed is followed by the sums. What
is meant to be changed stands on yellow.
"""

from __future__ import annotations

import datetime
import io
import math
import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from app.reports.colours import COLOURS, colour_at, colour_of
from app.reports.document import (
    Bars,
    Block,
    Cell,
    Column,
    Computed,
    Document,
    Drawing,
    Facts,
    Level,
    Lines,
    Paragraph,
    Ranges,
    Section,
    Table,
    Verbatim,
    Waterfall,
)
from app.reports.forms.workbook_formulas import Placed, formula, in_readable_time, is_known
from app.reports.media import label, mapped, shown
from models.problem import shortened

if TYPE_CHECKING:
    from xlsxwriter import Workbook
    from xlsxwriter.format import Format
    from xlsxwriter.worksheet import Worksheet

DATED = datetime.datetime(2000, 1, 1, tzinfo=datetime.UTC)  # a fixed date: equal reports give equal bytes
FORMATS = {"share": "0.0%", "change": "+0.0%;-0.0%"}
WHOLE, EXACT, SMALL = "#,##0", "#,##0.00", "0.0000"
FINE = 1000.0
"""Value from which decimals are noise to a reader; they are in the cell, and seen where it is edited."""
SHEET_NAME = 31  # letters: the most that the format allows
WIDEST = 60  # letters of a column
A4 = 9  # what the format calls this paper
SUMMARY = (34, 22, 22, 16, 16, 18)
"""Letters of the columns of the sheet that is read first: together the width of a page."""
WORDS = (28, 110)
"""Letters of the columns of the sheet of words."""
LINE = 15.0  # points of a line
TITLE = 1.6  # times the letters of other words, of a title
WRAPPED = 1.15
"""Lines that a text takes over its letters by those of a line, as words are not broken. Assumption."""
LOGO_HEIGHT = 44.0  # pixels


def render(document: Document) -> bytes:
    """Return the workbook."""
    from xlsxwriter import Workbook  # imported late: only workbooks need it

    document, file = mapped(document, shown), io.BytesIO()
    as_text = dict.fromkeys(("strings_to_formulas", "strings_to_numbers", "strings_to_urls"), False)
    book = Workbook(file, {"in_memory": True, **as_text})
    book.set_properties({"title": shortened(document.title), "created": DATED, "author": "Headroom"})
    _Book(book).write(document)
    book.close()
    return file.getvalue()


class _Book:
    """The workbook under way: its formats, the names of sheets that are taken, and the tables by name."""

    def __init__(self, book: Workbook) -> None:
        self._book = book
        self._bold = book.add_format({"bold": True})
        self._title = book.add_format({"bold": True, "font_size": 16, "text_wrap": True, "valign": "top"})
        self._section = book.add_format({"bold": True, "font_size": 12, "bottom": 1, "bottom_color": "#BBBBBB"})
        header = {"bold": True, "bg_color": "#EEEEEE", "text_wrap": True, "valign": "top"}
        self._header, self._right = book.add_format(header), book.add_format(header | {"align": "right"})
        self._wrapped = book.add_format({"text_wrap": True, "valign": "top"})
        self._label = book.add_format({"bold": True, "valign": "top", "text_wrap": True})
        self._numbers: dict[tuple[str, bool, bool], Format] = {}
        self._taken: set[str] = set()
        self._tables: dict[str, Placed] = {}
        self._sheets: dict[int, str] = {}

    def write(self, document: Document) -> None:
        """Write what is read first, the words, and each table and chart on a sheet of its own."""
        first = document.at(Level.SUMMARY)
        front = self._added(self._name("Summary"), is_tall=True) if first else None
        words = self._added(self._name("Report"))
        for j, width in enumerate(WORDS):
            words.set_column(j, j, width)
        words.merge_range(0, 0, 0, 1, document.title, self._title)
        words.set_row(0, LINE * TITLE * _lines(document.title, sum(WORDS) / TITLE))
        rest = document.at(Level.BODY, Level.APPENDIX)
        self._place([block for section in rest for block in section.blocks])
        row = 2
        for section in rest:
            words.write_string(row, 0, section.title, self._bold)
            row += 1
            for block in section.blocks:
                row = self._block(words, row, block)
            row += 1
        if front is not None:
            self._front(front, document, first, rest)

    def _place(self, blocks: Sequence[Block]) -> None:
        """Give each table and chart the name of its sheet, before any formula asks for it."""
        for block in blocks:
            if isinstance(block, Table | Drawing):
                table = block if isinstance(block, Table) else block.table()
                name = self._sheets[id(block)] = self._name(table.name)
                self._tables[table.name] = Placed(name, table)

    def _added(self, name: str, *, is_tall: bool = False) -> Worksheet:
        """Return a new sheet that is printed on A4, as wide as the page."""
        sheet = self._book.add_worksheet(name)
        sheet.set_paper(A4)
        if not is_tall:
            sheet.set_landscape()
        sheet.set_margins(left=0.6, right=0.6, top=0.6, bottom=0.7)
        sheet.set_footer("&L&8&A&R&8&P / &N")
        sheet.fit_to_pages(1, 0)
        sheet.hide_gridlines(2 if is_tall else 1)
        return sheet

    def _front(self, sheet: Worksheet, document: Document, first: Sequence[Section], rest: Sequence[Section]) -> None:
        """Write the sheet that is read first: tables in place, and the way to all others."""
        for j, width in enumerate(SUMMARY):
            sheet.set_column(j, j, width)
        row = self._text(sheet, 0, document.title, self._title, scale=TITLE)
        if document.cover is not None:
            for label, text in document.cover.rows:
                sheet.write_string(row, 0, label, self._label)
                sheet.write_string(row, 1, text)
                row += 1
            if document.cover.logo:
                self._logo(sheet, document.cover.logo)
        for section in first:
            row += 1
            sheet.merge_range(row, 0, row, len(SUMMARY) - 1, section.title, self._section)
            row += 1
            for block in section.blocks:
                row = self._in_place(sheet, row, block)
        row += 1
        sheet.merge_range(row, 0, row, len(SUMMARY) - 1, "Where the rest stands", self._section)
        for section in rest:
            names = [name for block in section.blocks if (name := self._sheets.get(id(block)))]
            for name in names[:1]:
                row += 1
                sheet.write_url(row, 0, f"internal:'{name}'!A1", string=section.title)
                sheet.write_string(row, 1, ", ".join(names))

    def _logo(self, sheet: Worksheet, logo: bytes) -> None:
        from PIL import Image

        with Image.open(io.BytesIO(logo)) as image:
            scale = min(LOGO_HEIGHT / image.height, 1.0)
        about = {"image_data": io.BytesIO(logo), "x_scale": scale, "y_scale": scale, "description": "Logo"}
        sheet.insert_image(1, len(SUMMARY) - 2, "logo.png", about)

    def _in_place(self, sheet: Worksheet, row: int, block: Block) -> int:
        """Write a block on the sheet that is read first and return the next free row."""
        if isinstance(block, Facts):
            for label, words in block.rows:
                sheet.write_string(row, 0, label, self._label)
                row = self._text(sheet, row, words, self._wrapped, start=1)
            return row
        if isinstance(block, Drawing):
            return row
        if not isinstance(block, Table):
            is_strong = isinstance(block, Paragraph) and block.is_strong
            return self._text(sheet, row, block.text, self._label if is_strong else self._wrapped)
        for j, column in enumerate(block.columns):
            sheet.write_string(row, j, column.header, self._right if column.unit else self._header)
        for line in block.lines:
            row += 1
            texts = [column.shown(cell) for column, cell in zip(block.columns, line, strict=True)]
            lines = max(_lines(text, width) for text, width in zip(texts, SUMMARY, strict=False))
            sheet.set_row(row, LINE * lines)
            for j, (column, cell) in enumerate(zip(block.columns, line, strict=True)):
                self._cell(sheet, (row, j), column, cell, None)
        return row + 1

    def _text(self, sheet: Worksheet, row: int, text: str, style: Format, *, start: int = 0, scale: float = 1.0) -> int:
        """Write a text over the rest of a row that is as high as it needs, and return the next row."""
        sheet.merge_range(row, start, row, len(SUMMARY) - 1, "", style)
        sheet.write_string(row, start, text, style)
        sheet.set_row(row, LINE * scale * _lines(text, sum(SUMMARY[start:]) / scale))
        return row + 1

    def _block(self, words: Worksheet, row: int, block: Block) -> int:
        """Write one block and return the next free row of the sheet of words."""
        if isinstance(block, Facts):
            for label, text in block.rows:
                words.write_string(row, 0, label, self._wrapped)
                row = self._words(words, row, text)
            return row
        if isinstance(block, Table | Drawing):
            name = self._sheet(block)
            words.write_url(row, 1, f"internal:'{name}'!A1", string=f"table: {name}")
            return row + 1
        lines = block.text.splitlines() if isinstance(block, Verbatim) else [block.text]
        for line in lines:
            row = self._words(words, row, line)
        return row

    def _words(self, words: Worksheet, row: int, text: str) -> int:
        """Write a text on the sheet of words, in a row as high as it needs, and return the next row."""
        words.write_string(row, 1, text, self._wrapped)
        words.set_row(row, LINE * _lines(text, WORDS[1]))
        return row + 1

    def _sheet(self, block: Table | Drawing) -> str:
        """Write a table, and the chart that it stands for, on a sheet of its own; return the sheet's name."""
        table = in_readable_time(block) if isinstance(block, Table) else block.table()
        name = self._sheets[id(block)]
        sheet, here = self._added(name), Placed(name, table)
        sheet.freeze_panes(1, 0)
        sheet.repeat_rows(0)
        for j, column in enumerate(table.columns):
            sheet.write_string(0, j, column.header, self._right if column.unit else self._header)
            longest = max([len(column.header), *(len(column.shown(row[j])) for row in table.lines)])
            sheet.set_column(j, j, min(longest + 3, WIDEST), self._wrapped if longest > WIDEST else None)
        if len(table.rows) > 1:
            sheet.autofilter(0, 0, len(table.rows), len(table.columns) - 1)
        for i, row in enumerate(table.lines, start=1):
            is_total = i > len(table.rows)
            for j, (column, cell) in enumerate(zip(table.columns, row, strict=True)):
                self._cell(sheet, (i, j), column, cell, here, is_total=is_total)
        if isinstance(block, Lines | Bars | Waterfall | Ranges) and table.rows:
            sheet.insert_chart(1, len(table.columns) + 1, self._chart(mapped(block, label), name))
        return name

    def _cell(
        self,
        sheet: Worksheet,
        place: tuple[int, int],
        column: Column,
        cell: Cell,
        here: Placed | None,
        *,
        is_total: bool = False,
    ) -> None:
        is_input = column.is_input and not is_total and not isinstance(cell, Computed)
        if cell is None:
            if is_input:
                sheet.write_blank(*place, None, self._number(WHOLE, is_input=True))
        elif isinstance(cell, str):
            sheet.write_string(*place, cell, self._bold if is_total else self._wrapped)
        elif not math.isfinite(cell):
            sheet.write_string(*place, column.shown(cell))
        else:
            style = self._number(_format(column, cell), is_input=is_input, is_bold=is_total)
            if isinstance(cell, Computed) and is_known(cell, self._tables):
                sheet.write_formula(*place, formula(cell, here, place[0] - 1, self._tables), style, float(cell))
            else:
                sheet.write_number(*place, cell, style)

    def _number(self, text: str, *, is_input: bool = False, is_bold: bool = False) -> Format:
        """Return the look of a number; one that is meant to be changed stands on yellow."""
        key = text, is_input, is_bold
        if key not in self._numbers:
            look: dict[str, Any] = {"num_format": text, "valign": "top", "bold": is_bold}
            look |= {"bg_color": "#FFF8D6", "font_color": "#1F3F8F"} if is_input else {}
            self._numbers[key] = self._book.add_format(look | ({"top": 1} if is_bold else {}))
        return self._numbers[key]

    def _name(self, wanted: str) -> str:
        """Return a sheet name that is allowed and not taken."""
        plain = re.sub(r"[\[\]:*?/\\'!=|]", " ", wanted)
        plain = " ".join(plain.split()) or "table"
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
                    **(_of_bars(block) if isinstance(block, Bars) else {}),
                }
            )
        chart.set_title({"name": block.name, "name_font": {"size": 11}})
        chart.set_y_axis({"reverse": True})
        chart.set_x_axis({"name": block.axis.title})
        if is_range or len(table.columns) == 2:
            chart.set_legend({"none": True})
        return chart

    def _scatter(self, block: Lines, sheet: str) -> Any:
        is_joined = any(not series.is_apart for series in block.series)
        chart = self._book.add_chart({"type": "scatter", **({"subtype": "straight_with_markers"} if is_joined else {})})
        row = 1
        for i, series in enumerate(block.series):
            last = row + len(series.x) - 1
            x, y = (0, i + 1) if block.is_joint else (1, 2)
            chart.add_series(
                {
                    "name": series.name,
                    "categories": [sheet, row, x, last, x],
                    "values": [sheet, row, y, last, y],
                    "line": {"none": True} if series.is_apart else {"color": colour_of(series, i)},
                    "marker": {"type": "automatic", "size": 6},
                }
            )
            row = 1 if block.is_joint else last + 1
        chart.set_title({"name": block.name, "name_font": {"size": 11}})
        chart.set_x_axis({"name": block.x.title, **({"log_base": 10} if block.x.is_log else {})})
        chart.set_y_axis({"name": block.y.title, **({"log_base": 10} if block.y.is_log else {})})
        return chart


def _of_bars(block: Bars) -> dict[str, Any]:
    """Return what bars of one series have of their own: colours, and lines between what they lie."""
    made: dict[str, Any] = {}
    if block.hues:
        made["points"] = [{"fill": {"color": colour_at(hue)}} for hue in block.hues]
    if block.spans:
        values = [row[0] or 0.0 for row in block.values]
        spans = [span or (value, value) for span, value in zip(block.spans, values, strict=True)]
        above = [high - value for (_, high), value in zip(spans, values, strict=True)]
        below = [value - low for (low, _), value in zip(spans, values, strict=True)]
        made["y_error_bars"] = {"type": "custom", "plus_values": above, "minus_values": below}
    return made


def _format(column: Column, value: float) -> str:
    """Return how a number is written: no decimals where they would be noise, four where it is small."""
    if column.unit in FORMATS:
        return FORMATS[column.unit or ""]
    if value == round(value) or abs(value) >= FINE:
        return WHOLE
    return EXACT if abs(value) >= 1 else SMALL


def _lines(text: str, letters: float) -> int:
    """Return the lines that a text takes where so many letters stand beside each other."""
    return max(math.ceil(len(text) * WRAPPED / letters), 1)
