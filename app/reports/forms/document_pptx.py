"""A report as slides: titles, words, tables and charts that the program draws itself, so that they can be edited.

Slides show the first page and the body, of long tables the first rows; an appendix is read, not shown.
"""

from __future__ import annotations

import io
import math
from collections.abc import Sequence
from textwrap import wrap
from typing import Any

from app.reports.colours import COLOURS
from app.reports.document import (
    Bars,
    Block,
    Cover,
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
    readable,
)
from app.reports.forms.bound import bound
from app.reports.forms.slide_charts import draw
from app.reports.forms.zipped import undated
from app.reports.media import mapped, shown
from app.reports.parity import Parity
from app.reports.pictures import Elevation, Field, HeatMap
from models.problem import shortened

WIDE, HIGH, MARGIN = 13.333, 7.5, 0.6  # inches of a slide, and around what stands on it
TOP, BOTTOM = 1.35, 0.55  # inches of title and foot
TEXT, SMALL, LEAST, HEADING, BETWEEN = 16, 13, 10, 26, 17  # points; a table has the largest in which its rows fit
LINE = 1.25 / 72  # inches of a line for each point of its letters
LETTER = 0.6 / 72  # inches of a letter for each of its points: DejaVu Sans, bold or digits, where Calibri is missing
MOST_ROWS = 14
GAP = 0.15  # inches between two blocks
CHART, LOW_CHART = 4.9, 3.4  # inches of a chart alone, and the least beside others
INK = "1A1A1A"
TITLED = 5
"""The layout of the usual template that has a title alone."""


def render(document: Document) -> bytes:
    """Return the slides; equal reports give equal bytes."""
    from pptx import Presentation  # imported late: only slides need it

    document, deck = mapped(bound(document), shown), Presentation()
    _Deck(deck).write(document)
    deck.core_properties.title = shortened(document.title)  # 255 letters at most
    deck.core_properties.author = "Headroom"
    file = io.BytesIO()
    deck.save(file)
    return undated(file.getvalue())


class _Deck:
    """Slides under way: the one that is filled, and how far down."""

    def __init__(self, deck: Any) -> None:
        from pptx.util import Inches

        self._deck, self._inches = deck, Inches
        deck.slide_width, deck.slide_height = Inches(WIDE), Inches(HIGH)
        self._slide: Any = None
        self._title, self._down, self._number = "", 0.0, 0

    def write(self, document: Document) -> None:
        """Write the first slide, then each section on as many as it takes."""
        self._first(document.title, document.cover)
        self._summary(document.at(Level.SUMMARY))
        for section in document.at(Level.BODY):
            self._section(section)

    def _first(self, title: str, cover: Cover | None) -> None:
        self._begin(title, at=2.4)
        if cover is None:
            return
        self._words([f"{label}: {text}" for label, text in cover.rows], at=4.4)
        if cover.logo:
            self._slide.shapes.add_picture(
                io.BytesIO(cover.logo), self._inches(MARGIN), self._inches(0.6), height=self._inches(0.9)
            )

    def _summary(self, sections: Sequence[Section]) -> None:
        """Write the sections of the first page one below the other, each under its heading."""
        if not sections:
            return
        self._title, self._number = "Summary", 0
        self._begin(self._title)
        for section in sections:
            first = next(iter(readable(section)), None)
            heading = BETWEEN * LINE
            self._words(
                [section.title], at=self._room(heading, with_next=GAP + self._needs(first)), size=BETWEEN, is_bold=True
            )
            for block in readable(section):
                self._block(block)

    def _needs(self, block: Block | None) -> float:
        """Return how much room a block takes at least, so that no heading stands alone."""
        if isinstance(block, Facts):
            rows = _facts(block)
        elif isinstance(block, Table):
            rows = _texts(block)
        else:
            return TEXT * LINE
        widths = _widths(rows, SMALL)
        return sum(_height(row, widths, SMALL) for row in rows)

    def _section(self, section: Section) -> None:
        self._title, self._number = section.title, 0
        blocks = [block for block in readable(section) if not _is_listing(block)]
        if not blocks:
            return
        self._begin(section.title)
        for block in blocks:
            self._block(block)

    def _begin(self, title: str, at: float = 0.4) -> None:
        from pptx.util import Pt

        self._slide = self._deck.slides.add_slide(self._deck.slide_layouts[TITLED])
        shape = self._slide.shapes.title
        shape.left, shape.top = self._inches(MARGIN), self._inches(at)
        shape.width, shape.height = self._inches(WIDE - 2 * MARGIN), self._inches(0.85 if at < 1 else 1.8)
        frame = shape.text_frame
        frame.word_wrap = True
        frame.text = title
        lines = _lines(title, WIDE - 2 * MARGIN, HEADING)
        size = HEADING if at > 1 or lines == 1 else HEADING * 0.75
        _style(frame.paragraphs[0], size, is_bold=True)
        frame.paragraphs[0].font.size = Pt(size)
        self._down = TOP
        self._number += 1

    def _room(self, height: float, with_next: float = 0.0) -> float:
        """Return how far down a block of a height begins, on a further slide if this one has no room for both."""
        if self._down > TOP and self._down + height + with_next > HIGH - BOTTOM:
            self._begin(f"{self._title} ({self._number + 1})")
        start = self._down
        self._down += height + GAP
        return start

    def _block(self, block: Block) -> None:
        if isinstance(block, Paragraph):
            lines = _lines(block.text, WIDE - 2 * MARGIN, TEXT)
            self._words([block.text], at=self._room(lines * TEXT * LINE), is_bold=block.is_strong)
        elif isinstance(block, Verbatim):
            if not _is_listing(block):  # a sentence before it leads to it
                self._block(Paragraph(block.text.strip()))
        elif isinstance(block, Facts):
            self._table(_facts(block), has_header=False)
        elif isinstance(block, Table):
            self._shown(block)
        elif isinstance(block, HeatMap):
            self._shown(block.table())
            self._words([block.key], at=self._room(2 * SMALL * LINE), size=SMALL)
        elif isinstance(block, Field | Parity):
            self._shown(block.table())
        else:
            self._chart(block)

    def _chart(self, block: Drawing) -> None:
        left = HIGH - BOTTOM - self._down
        height = min(left, CHART) if left >= LOW_CHART else CHART
        area = (MARGIN, self._room(height), WIDE - 2 * MARGIN, height)
        if isinstance(block, Elevation):
            self._racks(block, area)
        elif isinstance(block, Lines | Bars | Waterfall | Ranges):
            draw(self._slide, block, area)

    def _shown(self, table: Table) -> None:
        """Write a table with as many of its first rows as a slide has room for, and how many more there are."""
        most = min(len(table.rows), MOST_ROWS)
        while most > 1 and sum(_fitted(_texts(table, most))[2]) > HIGH - BOTTOM - TOP - SMALL * LINE - GAP:
            most -= 1
        self._table(_texts(table, most), numbers=[column.unit is not None for column in table.columns])
        if len(table.rows) > most:
            more = f"Rows left out: {len(table.rows) - most}; the report has them."
            self._words([more], at=self._room(SMALL * LINE), size=SMALL)

    def _table(self, rows: Sequence[Sequence[str]], numbers: Sequence[bool] = (), *, has_header: bool = True) -> None:
        from pptx.enum.text import PP_ALIGN
        from pptx.util import Pt

        size, widths, heights = _fitted(rows)
        place = self._room(sum(heights))
        at = [self._inches(length) for length in (MARGIN, place, sum(widths), sum(heights))]
        frame = self._slide.shapes.add_table(len(rows), len(rows[0]), *at)
        grid = frame.table
        grid.first_row, grid.horz_banding = has_header, False
        for j, width in enumerate(widths):
            grid.columns[j].width = self._inches(width)
        for i, row in enumerate(rows):
            grid.rows[i].height = self._inches(heights[i])
            for j, text in enumerate(row):
                cell = grid.cell(i, j)
                cell.margin_top = cell.margin_bottom = Pt(2)
                cell.margin_left = cell.margin_right = Pt(5)
                cell.text = text
                _fill(cell, "E8EEF4" if has_header and not i else "FFFFFF")
                paragraph = cell.text_frame.paragraphs[0]
                _style(paragraph, size, is_bold=(has_header and not i) or (not has_header and not j))
                if numbers and numbers[j]:
                    paragraph.alignment = PP_ALIGN.RIGHT

    def _words(self, texts: Sequence[str], at: float, size: int = TEXT, *, is_bold: bool = False) -> None:
        high = sum(_lines(text, WIDE - 2 * MARGIN, size) for text in texts) * size * LINE
        box = self._slide.shapes.add_textbox(
            *(self._inches(length) for length in (MARGIN, at, WIDE - 2 * MARGIN, max(high, 0.3)))
        )
        frame = box.text_frame
        frame.word_wrap = True
        for i, text in enumerate(texts):
            paragraph = frame.paragraphs[0] if not i else frame.add_paragraph()
            paragraph.text = text
            _style(paragraph, size, is_bold=is_bold)

    def _racks(self, block: Elevation, area: tuple[float, float, float, float]) -> None:
        """Draw racks of rectangles beside each other."""
        from pptx.dml.color import RGBColor
        from pptx.enum.shapes import MSO_SHAPE
        from pptx.util import Pt

        left, top, width, height = area
        highest = max(units for _, units, _ in block.racks)
        unit, wide = (height - 0.3) / highest, min(width / max(len(block.racks), 6), 1.9)
        owners = block.owners
        for i, (name, units, slots) in enumerate(block.racks):
            start = left + i * wide
            bottom = top + unit * units
            for first, tall, _, owner in slots:
                where = (start, bottom - (first - 1 + tall) * unit, wide * 0.85, tall * unit * 0.9)
                shape = self._slide.shapes.add_shape(MSO_SHAPE.RECTANGLE, *(self._inches(length) for length in where))
                shape.fill.solid()
                colour = COLOURS[owners.index(owner) % len(COLOURS)]
                shape.fill.fore_color.rgb = RGBColor.from_string(colour.removeprefix("#"))
                shape.line.fill.background()
                shape.shadow.inherit = False
            frame = self._slide.shapes.add_shape(
                MSO_SHAPE.RECTANGLE,
                *(self._inches(length) for length in (start - 0.03, top, wide * 0.85 + 0.06, unit * units)),
            )
            frame.fill.background()
            frame.line.color.rgb = RGBColor.from_string("444444")
            frame.line.width = Pt(1)
            self._label(name, start, top + unit * units, wide)
        for i, owner in enumerate(owners):
            place = left + (len(block.racks) + 0.3) * wide
            self._label(f"\N{BLACK SQUARE} {owner}", place, top + 0.3 * i, 3.0, COLOURS[i % len(COLOURS)])

    def _label(self, text: str, left: float, top: float, wide: float, colour: str = f"#{INK}") -> None:
        box = self._slide.shapes.add_textbox(*(self._inches(length) for length in (left, top, wide, 0.3)))
        box.text_frame.text = text
        _style(box.text_frame.paragraphs[0], SMALL, colour=colour.removeprefix("#"))


def _is_listing(block: object) -> bool:
    """Return whether a block is lines for which a slide has no room, such as a profile; a command is one line."""
    return isinstance(block, Verbatim) and "\n" in block.text.strip()


def _facts(block: Facts) -> list[list[str]]:
    return [[label, text] for label, text in block.rows]


def _texts(table: Table, most: int = MOST_ROWS) -> list[list[str]]:
    """Return the header, the first rows and the total of a table as they are read."""
    rows = [*table.rows[:most], *([table.total] if table.total else ())]
    shown = [[column.shown(cell) for column, cell in zip(table.columns, row, strict=True)] for row in rows]
    return [[column.title for column in table.columns], *shown]


def _fitted(rows: Sequence[Sequence[str]]) -> tuple[int, list[float], list[float]]:
    """Return the largest size of letters in which rows fit on a slide, with widths and heights in inches."""
    for size in range(SMALL, LEAST - 1, -1):
        widths = _widths(rows, size)
        heights = [_height(row, widths, size) for row in rows]
        if sum(heights) <= HIGH - BOTTOM - TOP:
            break
    return size, widths, heights


def _lines(text: str, width: float, size: float) -> int:
    """Return the lines of a text, which breaks between words."""
    return max(len(wrap(text, max(math.floor(width / (size * LETTER)), 1))), 1)


def _widths(rows: Sequence[Sequence[str]], size: float) -> list[float]:
    """Return the widths of columns (inches) that share a slide by their longest cells."""
    longest = [max(len(row[j]) for row in rows) * size * LETTER + 0.25 for j in range(len(rows[0]))]
    room = WIDE - 2 * MARGIN
    if sum(longest) <= room:
        return longest
    least = [min(wanted, 1.3) for wanted in longest]
    spare = [wanted - low for wanted, low in zip(longest, least, strict=True)]
    left = room - sum(least)
    return [low + left * more / sum(spare) for low, more in zip(least, spare, strict=True)]


def _height(row: Sequence[str], widths: Sequence[float], size: float) -> float:
    lines = max(_lines(text, width - 0.15, size) for text, width in zip(row, widths, strict=True))
    return lines * size * LINE + 0.09


def _fill(cell: Any, colour: str) -> None:
    from pptx.dml.color import RGBColor

    cell.fill.solid()
    cell.fill.fore_color.rgb = RGBColor.from_string(colour)


def _style(paragraph: Any, size: float, *, is_bold: bool = False, colour: str = INK) -> None:
    from pptx.dml.color import RGBColor
    from pptx.enum.text import PP_ALIGN
    from pptx.util import Pt

    paragraph.alignment = PP_ALIGN.LEFT
    paragraph.font.size = Pt(size)
    paragraph.font.bold = is_bold
    paragraph.font.color.rgb = RGBColor.from_string(colour)
