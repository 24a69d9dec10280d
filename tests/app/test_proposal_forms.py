"""The forms in which a report is sent: slides that can be edited, a bundle that runs again, numbers of a locale."""

from __future__ import annotations

import io
import json
import re
import zipfile
from dataclasses import replace
from pathlib import Path

import openpyxl
import pypdf
import pytest
from pptx import Presentation
from pypdf.generic import DictionaryObject

from app.reports import words
from app.reports.document import (
    Axis,
    Bars,
    Block,
    Column,
    Cover,
    Document,
    Facts,
    Level,
    Lines,
    Paragraph,
    Ranges,
    Section,
    Series,
    Table,
    Verbatim,
    Waterfall,
)
from app.reports.forms import documents
from app.reports.locales import Locale, locale_of
from app.reports.media import UNIT
from app.reports.pictures import Elevation, HeatMap
from models.problem import ProblemError
from profiles.plans.sheet import sheet_of_text
from tests.app.plans import plan_sheet, signed
from tests.narrow import as_a

GERMAN = Locale("de", ",", ".")
ROWS = [(f"row {i}", 1.5 * i, 1234.5 * i) for i in range(30)]
TABLE = Table("Rows", (Column("name"), Column("size", "B"), Column("price", "USD")), ROWS, total=("Total", 1.5, 9999.5))
FACTS = Facts([("Cost", "1,500 USD")])
CHARTS = (
    Bars("Bars", Axis("rate", "B/s"), ["a", "b"], ("one", "two"), [(1e9, 2e9), (None, 3e9)]),
    Lines("Lines", Axis("day", "1"), Axis("data", "B"), [Series("s", [0, 1], [1e12, 2e12])]),
    Waterfall("Falls", Axis("rate", "B/s"), [("first", 2e9), ("last", 1e9)]),
    Ranges("Ranges", Axis("time", "s"), [("map", 0.0, 9000.0), ("reduce", 8000.0, 9999.0)]),
    Elevation("Racks", [("rack-1", 42, [(1, 2, "servers-1", "servers"), (42, 1, "leaf", "switches")])]),
)
PAGE = Document(
    "A title, 1,234.5 times",
    [
        Section(
            "first", "First", [Paragraph("It takes 1,234.5 s."), Facts([("Cost", "1,500 USD")])], level=Level.SUMMARY
        ),
        Section("body", "Body", [TABLE, *CHARTS, Verbatim("size = 1.5")]),
        Section("checked", "Checked", [Paragraph("v0.1.0, 2.5.toml and 1.5 GB")], level=Level.APPENDIX),
    ],
    cover=Cover([("Customer", "ACME"), ("Version", "1.2")]),
    files={"plan.toml": "kind = 'plan'\n"},
    command="simulate plan plan.toml",
)


def test_slides_have_tables_and_charts_that_can_be_edited_and_leave_the_appendix_out() -> None:
    deck = Presentation(io.BytesIO(documents.render(PAGE, ".pptx")))
    shapes = [shape for slide in deck.slides for shape in slide.shapes]
    assert sum(shape.has_chart for shape in shapes) == 4
    tables = [shape.table for shape in shapes if shape.has_table]
    assert [cell.text for cell in tables[1].rows[0].cells] == ["name", "size", "price"]
    assert tables[1].cell(len(tables[1].rows) - 1, 0).text == "Total"
    texts = " ".join(shape.text_frame.text for shape in shapes if shape.has_text_frame)
    assert "Rows left out: 16" in texts
    assert "Checked" not in texts
    assert all(slide.shapes.title.text_frame.text for slide in deck.slides)


def test_slides_show_the_command_that_a_sentence_leads_to_and_leave_listings_out() -> None:
    blocks: list[Block] = [
        Paragraph("The command below asks that."),
        Verbatim("simulate purchase x\n"),
        Verbatim("a = 1\nb = 2\n"),
    ]
    page = Document("Commands", [Section("answer", "The answer", blocks)])
    deck = Presentation(io.BytesIO(documents.render(page, ".pptx")))
    texts = [shape.text_frame.text for slide in deck.slides for shape in slide.shapes if shape.has_text_frame]
    assert "simulate purchase x" in texts
    assert not any("b = 2" in text for text in texts)


def test_a_time_that_was_chosen_is_said_without_what_is_none_of_it() -> None:
    chosen = {1200.0: "20 min", 3600.0: "1 h", 5400.0: "1 h 30 min", 86400.0: "1 d"}
    assert {seconds: words.stated(seconds) for seconds in chosen} == chosen
    assert [words.period(seconds) for seconds in (300.0, 3600.0, 86400.0)] == ["5 min", "hour", "day"]


def test_slides_hold_what_they_show() -> None:
    deck = Presentation(io.BytesIO(documents.render(PAGE, ".pptx")))
    for slide in deck.slides:
        for shape in slide.shapes:
            assert shape.left >= 0
            assert shape.left + shape.width <= deck.slide_width * 1.001
            assert shape.top + shape.height <= deck.slide_height


def test_long_numbers_of_charts_are_drawn_in_short_units() -> None:
    deck = Presentation(io.BytesIO(documents.render(PAGE, ".pptx")))
    charts = [shape.chart for slide in deck.slides for shape in slide.shapes if shape.has_chart]
    titles = [chart.value_axis.axis_title.text_frame.text for chart in charts]
    assert titles == ["rate (GB/s)", "data (TB)", "rate (GB/s)", "time (h)"]
    assert list(charts[1].plots[0].series[0].values) == [1.0, 2.0]


@pytest.mark.parametrize(
    ("unit", "values", "written"),
    [
        ("USD", [1270663.75, 4095020.93], "#,##0"),
        ("1", [38.0, 7.0], "#,##0"),
        ("s", [12.34, 5.0], "0.0"),
        ("s", [1.234, 0.5], "0.00"),
        ("share", [0.61], "0%"),
    ],
)
def test_numbers_at_bars_have_no_more_decimals_than_tell_them_apart(
    unit: str, values: list[float], written: str
) -> None:
    bars = Bars("Costs", Axis("what", unit), [f"{value}" for value in values], ("one",), [(value,) for value in values])
    page = Document("Costs", [Section("costs", "Costs", [bars])])
    deck = Presentation(io.BytesIO(documents.render(page, ".pptx")))
    (chart,) = (shape.chart for slide in deck.slides for shape in slide.shapes if shape.has_chart)
    assert chart.plots[0].data_labels.number_format == written
    assert chart.value_axis.tick_labels.number_format == written


def test_the_values_of_bars_stand_below_the_last_of_them() -> None:
    deck = Presentation(io.BytesIO(documents.render(PAGE, ".pptx")))
    charts = [shape.chart._chartSpace.xml for slide in deck.slides for shape in slide.shapes if shape.has_chart]
    bars = [xml for xml in charts if "<c:barDir" in xml]
    assert bars
    for xml in bars:
        axis = xml.partition("<c:valAx>")[2].partition("</c:valAx>")[0]
        assert '<c:orientation val="maxMin"/>' in xml
        assert '<c:crosses val="max"/>' in axis


def test_no_clock_is_read_for_slides_or_for_the_workbooks_in_them() -> None:
    def dates(package: bytes) -> set[str]:
        with zipfile.ZipFile(io.BytesIO(package)) as read:
            inner = [dates(read.read(name)) for name in read.namelist() if name.endswith(".xlsx")]
            stamps = re.findall(r"\d{4}-\d\d-\d\dT", read.read("docProps/core.xml").decode())
            return set(stamps).union(*inner)

    assert dates(documents.render(PAGE, ".pptx")) == {"2000-01-01T"}


@pytest.mark.parametrize("suffix", [".pptx", ".zip", ".xlsx"])
def test_equal_reports_give_equal_bytes(suffix: str) -> None:
    short = replace(PAGE, sections=PAGE.sections[:1])
    assert documents.render(short, suffix) == documents.render(short, suffix)


def test_a_bundle_holds_the_report_what_it_was_made_from_and_how(page: Document) -> None:
    with zipfile.ZipFile(io.BytesIO(documents.render(page, ".zip"))) as bundle:
        assert {"README.txt", "report.html", "report.json", "plan.toml", "minio.toml"} <= set(bundle.namelist())
        assert "simulate plan plan.toml" in bundle.read("README.txt").decode()
        plan = bundle.read("plan.toml").decode()
        assert json.loads(bundle.read("report.json"))["data"]["seed"] == 0
    assert sheet_of_text(plan, Path("plan.toml")).plan == plan_sheet().plan


@pytest.fixture(scope="module")
def page() -> Document:
    """Return the words of a plan's report, without what takes long to draw."""
    whole = signed()
    return whole.only([section.key for section in whole.at(Level.SUMMARY)])


@pytest.mark.parametrize("suffix", [".html", ".md", ".txt"])
def test_numbers_are_written_as_the_locale_writes_them(suffix: str) -> None:
    short = replace(PAGE, sections=[replace(section, blocks=_words(section)) for section in PAGE.sections])
    text = documents.render(short, suffix, GERMAN).decode().replace("\N{NO-BREAK SPACE}", " ")
    for piece in ("A title, 1.234,5 times", "1.234,5 s", "1.500 USD", "1.234 USD", "v0.1.0, 2.5.toml and 1,5 GB"):
        assert piece in text
    assert "size = 1.5" in text  # a profile is copied and run
    assert suffix == ".txt" or "Version: 1.2" in text
    assert documents.render(short, ".json", GERMAN) == documents.render(short, ".json")


def _words(section: Section) -> list[Paragraph | Facts | Table | Verbatim]:
    return [block for block in section.blocks if isinstance(block, Paragraph | Facts | Table | Verbatim)]


def test_on_a_page_each_number_stands_with_its_unit_and_what_is_copied_stays_as_it_is() -> None:
    page = Document(
        "Page", [Section("words", "Words", [*_words(PAGE.sections[0]), TABLE, Verbatim("# takes 5 min a day")])]
    )
    html = documents.render(page, ".html").decode()
    assert "1,234.5\N{NO-BREAK SPACE}s" in html
    assert "1,500\N{NO-BREAK SPACE}USD" in html
    assert UNIT.findall(re.sub(r"<style>.*?</style>|<script>.*?</script>", "", html, flags=re.DOTALL)) == [" "]
    assert "# takes 5 min a day" in html
    deck = Presentation(io.BytesIO(documents.render(page, ".pptx")))
    tables = [shape.table for slide in deck.slides for shape in slide.shapes if shape.has_table]
    assert not [cell.text for table in tables for row in table.rows for cell in row.cells if UNIT.search(cell.text)]
    assert "\N{NO-BREAK SPACE}" not in documents.render(page, ".txt").decode()


def test_marks_come_from_the_locale() -> None:
    assert (locale_of("de").decimal, locale_of("de").group) == (",", ".")
    assert locale_of("de-CH").decimal == "."
    with pytest.raises(ProblemError, match="such as 'de'"):
        locale_of("nowhere-at-all")


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("1,270,664 USD", "1.270.664 USD"),
        ("0.4 % to 12.5 %.", "0,4 % to 12,5 %."),
        ("1.17 million years", "1,17 million years"),
        ("version 0.1.0 of 2026-11-22", "version 0.1.0 of 2026-11-22"),
        ("3.0e+07", "3,0e+07"),
        ("cluster.groups.a1.count", "cluster.groups.a1.count"),
        ("values 4,8,16", "values 4,8,16"),
        ("at 10.1.2.3/24", "at 10.1.2.3/24"),
    ],
)
def test_only_what_is_a_number_is_written_otherwise(text: str, written: str) -> None:
    assert GERMAN.localized(text) == written


def pdf_of(*blocks: Block) -> pypdf.PdfReader:
    page = Document("Title", [Section("one", "One", list(blocks))])
    return pypdf.PdfReader(io.BytesIO(documents.render(page, ".pdf")))


def test_cells_of_a_map_are_pale_in_a_pdf_so_that_their_words_can_be_read() -> None:
    cells = [[(0, "24, 801 k USD"), (1, "320, 8 M USD")]]
    (page,) = pdf_of(HeatMap("Who wins", "growth", "load", ["0 %", "20 %"], ["50 %"], cells, ["a", "b"])).pages
    resources = as_a(DictionaryObject, page["/Resources"])
    states = [
        as_a(DictionaryObject, state.get_object()) for state in as_a(DictionaryObject, resources["/ExtGState"]).values()
    ]
    assert 0.45 in [float(state.get("/ca", 1)) for state in states]


def test_a_long_table_begins_in_a_pdf_where_its_heading_stands_and_goes_on_over_the_page() -> None:
    many = Table("Rows", (Column("name"),), [(f"row {i}",) for i in range(90)])
    first, *others = (page.extract_text() for page in pdf_of(Paragraph("Words before."), many).pages)
    assert "Words before." in first
    assert "row 30" in first
    assert "row 89" in others[-1]


def test_long_words_of_a_workbook_stand_in_rows_that_are_as_high_as_they_need() -> None:
    long = " ".join(["word"] * 100)
    page = Document("A title", [Section("one", "One", [Paragraph("short"), Paragraph(long), Facts([("label", long)])])])
    sheet = openpyxl.load_workbook(io.BytesIO(documents.render(page, ".xlsx")))["Report"]
    heights = {sheet.cell(row, 2).value: sheet.row_dimensions[row].height for row in range(1, sheet.max_row + 1)}
    assert (heights[long], heights["short"]) == (90.0, None)  # six lines of 110 letters; None is that of one
