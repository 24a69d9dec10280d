"""A report as PDF: text that can be selected, charts as vectors, and the same bytes for the same report."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache, partial
from itertools import zip_longest
from pathlib import Path
from typing import Any
from xml.sax.saxutils import escape

from app.reports.charts import svg
from app.reports.document import (
    COLUMNS,
    MISSING,
    Block,
    Column,
    Cover,
    Document,
    Drawing,
    Facts,
    Level,
    Paragraph,
    Section,
    Table,
    Verbatim,
    is_captioned,
    readable,
)
from app.reports.forms.bound import bound
from app.reports.media import mapped, shown

MARGIN = 51.0  # points, 18 mm
FONT, BOLD, MONO = "DejaVu Sans", "DejaVu Sans Bold", "DejaVu Sans Mono"
FILES = {FONT: "DejaVuSans.ttf", BOLD: "DejaVuSans-Bold.ttf", MONO: "DejaVuSansMono.ttf"}
LONGEST = 56  # letters of a cell that count for the width of its column
UNBROKEN = 18  # letters of a word that is kept whole
LETTER = 4.9  # points of a letter in a table
LABEL_LETTER, LABEL_ROOM = 5.4, 14.0  # points of a letter of a label, and beside it
BOLD_LETTER = 1.2  # of the header over one in a cell
LOGO_HEIGHT, LOGO_WIDTH = 34.0, 130.0  # points, 12 mm and 46 mm at most
CELL_PADDING = 8  # points left and right of what stands in a cell
FRAME_PADDING = 6.0  # points around what stands in a frame of reportlab
OPACITY = re.compile(r"(?<![-\w])opacity: ([\d.]+)")
"""How see-through a shape of a chart is, which svglib reads of its fill and of its stroke alone."""
BEGINNING = 110.0
"""Points that a heading and the first rows of a table take: with less left, a page ends before them."""
MOST_COLUMNS = 12
"""Columns of a table, each of which has room for six letters then; of a wider one the others follow below."""
TALL = 30
"""Lines of a cell from which rows of its table may go on over the page, as nothing else fits: some 70 fill one."""
HIGHEST = 640.0
"""Points of a picture: a page of A4 has 728 of them, of which its heading and a few lines take the others."""


def render(document: Document) -> bytes:
    """Return the PDF."""
    from reportlab.lib.pagesizes import A4  # imported late: only PDFs need it
    from reportlab.platypus import SimpleDocTemplate

    document = mapped(bound(document), shown)
    _register_fonts()
    file = io.BytesIO()
    page = SimpleDocTemplate(
        file,
        pagesize=A4,
        title=document.title,
        author="Headroom",
        invariant=1,
        **dict.fromkeys(("leftMargin", "rightMargin", "topMargin", "bottomMargin"), MARGIN),
    )
    foot = partial(_foot, document.title)
    page.build(list(_story(document, page.width, page.height)), onFirstPage=foot, onLaterPages=foot)
    return file.getvalue()


@cache
def _register_fonts() -> None:
    import matplotlib
    from reportlab.pdfbase.pdfmetrics import registerFont
    from reportlab.pdfbase.ttfonts import TTFont
    from svglib.svglib import register_font

    folder = Path(matplotlib.get_data_path()) / "fonts" / "ttf"
    for name, file in FILES.items():
        registerFont(TTFont(name, folder / file))
    register_font(FONT, str(folder / FILES[FONT]))
    register_font(FONT, str(folder / FILES[BOLD]), weight="bold")


@cache
def _style(name: str) -> Any:
    from reportlab.lib.colors import HexColor
    from reportlab.lib.styles import ParagraphStyle

    body = ParagraphStyle("body", fontName=FONT, fontSize=9, leading=13, spaceAfter=5)
    head = ParagraphStyle("head", body, fontName=BOLD)
    section = ParagraphStyle("section", head, fontSize=12, leading=16, spaceBefore=14)
    styles = {
        "body": body,
        "introducing": ParagraphStyle("introducing", body, keepWithNext=1),
        "lead": ParagraphStyle("lead", body, fontSize=9.5, leading=13.5),
        "title": ParagraphStyle("title", body, fontName=BOLD, fontSize=16, leading=21, spaceAfter=12),
        "section": section,
        "introducing section": ParagraphStyle("introducing section", section, keepWithNext=1),
        "table": ParagraphStyle("table", head, spaceBefore=6),
        "cell": ParagraphStyle("cell", body, fontSize=7.5, leading=10, spaceAfter=0, splitLongWords=1),
        "number": ParagraphStyle("number", body, fontSize=7.5, leading=10, spaceAfter=0, alignment=2),
        "verbatim": ParagraphStyle(
            "verbatim", body, fontName=MONO, fontSize=7, leading=9.5, backColor=HexColor("#f5f5f5"), borderPadding=4
        ),
    }
    return styles[name]


def _story(document: Document, width: float, height: float) -> Iterator[Any]:
    from reportlab.platypus import KeepInFrame, PageBreak, Paragraph as Words

    first, body, appendix = (document.at(level) for level in Level)
    head = [*_cover(document.cover, width), Words(escape(document.title), _style("title"))]
    if first:  # on one page, be it in smaller letters
        page = [*head, *(part for section in first for part in _section(section, width))]
        yield KeepInFrame(width, height - 2 * FRAME_PADDING, page, mode="shrink")
        yield PageBreak()
    else:
        yield from head
    for section in body:
        yield from _section(section, width)
    if appendix:
        yield PageBreak()
        yield Words("Appendix", _style("title"))
    for section in appendix:
        yield from _section(section, width)


def _section(section: Section, width: float) -> Iterator[Any]:
    """Yield a section. A long table begins where its heading stands, and goes on over the page."""
    from reportlab.platypus import CondPageBreak, Paragraph as Words

    blocks = readable(section)
    heading = "section" if blocks and isinstance(blocks[0], Table | Facts) else "introducing section"
    yield CondPageBreak(BEGINNING)
    yield Words(f'<a name="{section.key}"/>{escape(section.title)}', _style(heading))
    for number, (block, following) in enumerate(zip_longest(blocks, blocks[1:])):
        if isinstance(block, Table) and is_captioned(section, block):
            if number:
                yield CondPageBreak(BEGINNING)
            yield Words(escape(block.name), _style("table"))
        usual = "introducing" if isinstance(following, Drawing) else "body"
        yield from _block(block, width, _style("lead" if section.level is Level.SUMMARY else usual))


def _cover(cover: Cover | None, width: float) -> Iterator[Any]:
    """Yield who made the report for whom, and the logo beside it."""
    from reportlab.platypus import Image, Paragraph as Words, Table as Grid

    if cover is None:
        return
    rows = " \N{MIDDLE DOT} ".join(f"{escape(label)}: {escape(what)}" for label, what in cover.rows)
    words = Words(rows, _style("cell"))
    if not cover.logo:
        yield words
        return
    logo = Image(io.BytesIO(cover.logo))
    scale = min(LOGO_HEIGHT / logo.imageHeight, LOGO_WIDTH / logo.imageWidth)
    logo.drawWidth, logo.drawHeight = logo.imageWidth * scale, logo.imageHeight * scale
    grid = Grid([[words, logo]], colWidths=[width - LOGO_WIDTH, LOGO_WIDTH])
    grid.setStyle([("ALIGN", (1, 0), (1, 0), "RIGHT"), ("VALIGN", (0, 0), (-1, -1), "MIDDLE")])
    yield grid


def _block(block: Block, width: float, body: Any) -> Iterator[Any]:
    from reportlab.platypus import Paragraph as Words, XPreformatted

    if isinstance(block, Paragraph):
        text = escape(block.text)
        yield Words(f'<font name="{BOLD}">{text}</font>' if block.is_strong else text, body)
    elif isinstance(block, Facts):
        rows = [[Words(f"<b>{escape(k)}</b>", _bold_cell()), Words(escape(v), _style("cell"))] for k, v in block.rows]
        label = min(max(len(k) for k, _ in block.rows) * LABEL_LETTER + LABEL_ROOM, width * 0.24)
        yield _grid(rows, [label, width - label])
    elif isinstance(block, Verbatim):
        for line in block.text.splitlines():
            for start in range(0, max(len(line), 1), COLUMNS):
                style = _verbatim_line(goes_on=line.endswith("\\"))
                yield XPreformatted(escape(line[start : start + COLUMNS]) or " ", style)
    elif isinstance(block, Table):
        yield from (_table(part, width) for part in _parts(block))
    else:
        yield _picture(svg(block), width)


@cache
def _bold_cell() -> Any:
    from reportlab.lib.styles import ParagraphStyle

    return ParagraphStyle("bold", _style("cell"), fontName=BOLD)


@cache
def _verbatim_line(*, goes_on: bool) -> Any:
    """Return the style of a line; one that goes on in the next stays on its page, so that no foot comes between."""
    from reportlab.lib.styles import ParagraphStyle

    return ParagraphStyle("line", _style("verbatim"), spaceAfter=0, borderPadding=0, keepWithNext=goes_on)


def _parts(table: Table) -> Iterator[Table]:
    """Yield tables of no more columns than a page can hold, each of which begins with the first column."""
    if len(table.columns) <= MOST_COLUMNS:
        yield table
        return
    for start in range(1, len(table.columns), MOST_COLUMNS - 1):
        taken = [0, *range(len(table.columns))[start : start + MOST_COLUMNS - 1]]

        def of(row: Sequence[Any], taken: Sequence[int] = taken) -> list[Any]:
            return [row[column] for column in taken] if row else []

        yield replace(table, columns=of(table.columns), rows=[*map(of, table.rows)], total=of(table.total))


def _table(table: Table, width: float) -> Any:
    from reportlab.platypus import Paragraph as Words

    styles = [_style("number" if column.unit else "cell") for column in table.columns]
    header = [
        Words(f'<font name="{BOLD}">{escape(column.title)}</font>', style)
        for column, style in zip(table.columns, styles, strict=True)
    ]
    rows = [
        [
            Words(escape(column.shown(cell)), style)
            for column, cell, style in zip(table.columns, row, styles, strict=True)
        ]
        for row in table.lines
    ]
    return _grid([header, *rows], _widths(table, width), has_header=True, has_total=bool(table.total))


def _widths(table: Table, width: float) -> list[float]:
    """Return column widths that share the page by the letters of each column; no word of a short column is broken."""
    heads = [[BOLD_LETTER * len(word) for word in column.title.split()] for column in table.columns]
    cells = [[MISSING, *(column.shown(row[i]) for row in table.lines)] for i, column in _numbered(table)]
    longest = [min(max(sum(head), *map(len, texts)), LONGEST) + 2 for head, texts in zip(heads, cells, strict=True)]
    words = [
        min(max(*head, *(len(word) for text in texts for word in text.split(" "))), UNBROKEN) + 2
        for head, texts in zip(heads, cells, strict=True)
    ]
    room = width / LETTER
    if sum(longest) <= room:
        return [letters * LETTER for letters in longest]
    spare = [whole - word for whole, word in zip(longest, words, strict=True)]
    left = max(room - sum(words), 0.0)
    widths = [word + left * share / (sum(spare) or 1) for word, share in zip(words, spare, strict=True)]
    return [part * width / sum(widths) for part in widths]


def _numbered(table: Table) -> list[tuple[int, Column]]:
    return list(enumerate(table.columns))


def _grid(
    rows: Sequence[Sequence[Any]], widths: list[float], *, has_header: bool = False, has_total: bool = False
) -> Any:
    from reportlab.lib.colors import HexColor
    from reportlab.platypus import Table as Grid

    letters = ((len(cell.getPlainText()), width) for row in rows for cell, width in zip(row, widths, strict=True))
    is_tall = any(many * LETTER > TALL * (width - CELL_PADDING) for many, width in letters)
    grid = Grid(
        rows,
        colWidths=widths,
        repeatRows=1 if has_header and not is_tall else 0,
        hAlign="LEFT",
        spaceAfter=6,
        splitInRow=1 if is_tall else 0,
    )
    rules = [
        ("VALIGN", (0, 0), (-1, -1), "TOP"),
        ("LINEBELOW", (0, 0), (-1, -1), 0.4, HexColor("#dddddd")),
        ("LEFTPADDING", (0, 0), (-1, -1), CELL_PADDING - 6),
        ("RIGHTPADDING", (0, 0), (-1, -1), 6),
        ("TOPPADDING", (0, 0), (-1, -1), 2),
        ("BOTTOMPADDING", (0, 0), (-1, -1), 2),
    ]
    if has_header:
        rules.append(("LINEBELOW", (0, 0), (-1, 0), 0.8, HexColor("#666666")))
    if has_total:
        rules.append(("LINEABOVE", (0, -1), (-1, -1), 0.8, HexColor("#666666")))
        if not is_tall:
            rules.append(("NOSPLIT", (0, -3), (-1, -1)))  # a sum stands with what it is of
    grid.setStyle(rules)
    return grid


def _picture(text: str, width: float) -> Any:
    from svglib.svglib import svg2rlg

    drawing = svg2rlg(io.BytesIO(OPACITY.sub(r"fill-opacity: \1; stroke-opacity: \1", text).encode()))
    assert drawing is not None  # the picture is our own
    scale = min(1.0, width / drawing.width, HIGHEST / drawing.height)
    drawing.width, drawing.height = drawing.width * scale, drawing.height * scale
    drawing.scale(scale, scale)
    return drawing


def _foot(title: str, canvas: Any, _: Any) -> None:
    """Write page number and title below the text: a comment where a profile is copied over the end of a page."""
    text = title if len(title) < 90 else title[:89] + "…"  # letters that fit beside the number
    canvas.setFont(FONT, 7)
    canvas.drawString(MARGIN, MARGIN * 0.6, f"# {canvas.getPageNumber()} – {text}")
