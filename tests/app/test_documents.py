import csv
import io
import json
import re
import tomllib
import xml.etree.ElementTree as Xml
import zipfile
from pathlib import Path

import pytest
from hypothesis import given, settings, strategies as st
from pypdf import PdfReader

from app.reports.charts import svg
from app.reports.document import (
    COLUMNS,
    Axis,
    Bars,
    Column,
    Document,
    Facts,
    Lines,
    Paragraph,
    Ranges,
    Section,
    Series,
    Table,
    Verbatim,
    Waterfall,
    quantity,
)
from app.reports.forms import documents
from app.reports.parts import Part
from models.scenario import Scenario
from profiles.loading.loader import load
from profiles.text.dump import dump, printed
from tests.app.conftest import Type

CHARTS = (
    Lines(
        "Duration over servers",
        Axis("servers"),
        Axis("duration", "s"),
        [
            Series("HDFS 3×", [6, 12], [2000.0, 1000.0], [1900.0, 950.0], [2100.0, 1050.0]),
            Series("MinIO", [6], [900.0]),
        ],
    ),
    Bars("Cost", Axis("cost", "USD"), ["HDFS", "MinIO"], ["capital", "power"], [[100.0, 10.0], [200.0, None]]),
    Waterfall("Delivered", Axis("rate", "B/s"), [("nameplate", 2e9), ("controller", 1.26e9)]),
    Ranges("Stages", Axis("time", "s"), [("map", 0.0, 500.0)]),
    Ranges("What 10 % brings", Axis("duration", "s"), [("drives", 960.0, 1060.0)], base=1005.0),
)
COMPARISON = Table(
    "Compared & measured",
    (Column("what"), Column("HDFS", "s"), Column("change", "change")),
    [("duration", 1005.25, -0.18), ("p99 <x>", None, 0.5)],
)
REPORT = Document(
    "HDFS against MinIO",
    [
        Section("answer", "The answer", [Paragraph("MinIO is faster."), Facts([("Duration", "1005 s")]), COMPARISON]),
        Section("charts", "Charts", CHARTS),
        Section("profile", "Profile", [Verbatim('[profile]\ntitle = "x"')]),
    ],
    data={"duration_s": 1005.25},
)


@pytest.mark.parametrize("suffix", documents.FORMS)
def test_equal_reports_have_equal_bytes_in_every_form(suffix: str) -> None:
    assert documents.render(REPORT, suffix) == documents.render(REPORT, suffix)


@pytest.mark.parametrize("suffix", [".txt", ".md", ".html"])
def test_each_form_for_reading_says_every_word_and_number(suffix: str) -> None:
    text = documents.render(REPORT, suffix).decode().replace("\N{NO-BREAK SPACE}", " ")
    for words in ("HDFS against MinIO", "The answer", "MinIO is faster.", "1,005.2 s", "-18.0 %", "title = "):
        assert words in text


def test_html_keeps_charts_and_styles_in_the_file_and_asks_for_nothing() -> None:
    page = documents.render(REPORT, ".html").decode()
    assert page.count("<svg") == len(CHARTS)
    assert not re.search(r'(src|href)="(?!#)', re.sub(r'xmlns[^=]*="[^"]*"', "", page))


def test_html_ids_are_unique_though_every_chart_brings_its_own() -> None:
    ids = re.findall(r'\bid="([^"]*)"', documents.render(REPORT, ".html").decode())
    assert len(ids) == len(set(ids))


def test_html_escapes_what_a_profile_may_contain() -> None:
    page = documents.render(Document("<script>", [Section("a", "A & B", [COMPARISON])]), ".html").decode()
    assert page.count("<script>") == 1  # that sorts its tables
    assert "<title>&lt;script&gt;</title>" in page
    assert "p99 &lt;x&gt;" in page


def test_pdf_text_can_be_selected_and_charts_are_not_bitmaps() -> None:
    data = documents.render(REPORT, ".pdf")
    assert data.startswith(b"%PDF")
    assert b"/Subtype /Image" not in data
    assert b"/ToUnicode" in data


@pytest.mark.parametrize("many", [35, 100])
def test_a_chart_of_as_many_candidates_as_a_plan_may_have_fits_a_page(many: int) -> None:
    names = [f"candidate {number}" for number in range(many)]
    chart = Bars("Cost", Axis("cost", "USD"), names, ["capital"], [[float(number)] for number in range(many)])
    report = Document("A plan", [Section("cost", "Cost", [Paragraph("What each costs."), chart])], {})
    pages = PdfReader(io.BytesIO(documents.render(report, ".pdf"))).pages
    assert [number for number, page in enumerate(pages) if f"candidate {many - 1}" in page.extract_text()] == [0]


def test_a_table_of_as_many_columns_as_a_plan_may_have_candidates_is_told_in_parts() -> None:
    names = [f"c{number}" for number in range(100)]
    columns = (Column("what"), *(Column(name, "s") for name in names))
    table = Table("All", columns, [("duration", *map(float, range(100)))], total=("sum", *map(float, range(100))))
    data = documents.render(Document("A plan", [Section("all", "All", [table])], {}), ".pdf")
    words = "\n".join(page.extract_text() for page in PdfReader(io.BytesIO(data)).pages).split()
    assert [words.count(name) for name in names] == [1] * len(names)
    assert words.count("duration") == words.count("sum") == 10


def test_workbook_holds_numbers_and_native_charts() -> None:
    book = zipfile.ZipFile(io.BytesIO(documents.render(REPORT, ".xlsx")))
    names = book.namelist()
    assert sum(name.startswith("xl/charts/chart") for name in names) == len(CHARTS)
    sheets = [book.read(name).decode() for name in names if name.startswith("xl/worksheets/sheet")]
    assert any("<v>1005.25</v>" in sheet for sheet in sheets)


def test_csv_has_bare_numbers_below_headers_with_units() -> None:
    rows = list(csv.reader(io.StringIO(documents.render(REPORT, ".csv").decode())))
    at = rows.index(["what", "HDFS (s)", "change (%)"])
    assert rows[at - 1] == ["The answer", "Compared & measured"]
    assert rows[at + 1] == ["duration", "1005.25", "-0.18"]
    assert rows[at + 2] == ["p99 <x>", "", "0.5"]


def test_json_holds_words_tables_and_what_was_computed() -> None:
    data = json.loads(documents.render(REPORT, ".json"))
    assert data["schema"] == "headroom.report/1"
    assert data["data"] == {"duration_s": 1005.25}
    assert data["sections"][0]["blocks"][2]["rows"][0] == ["duration", 1005.25, -0.18]


@pytest.mark.parametrize("chart", CHARTS, ids=lambda chart: f"{type(chart).__name__} {chart.name}")
def test_a_chart_is_well_formed_and_its_words_are_text(chart: Lines) -> None:
    words = [element.text for element in Xml.fromstring(svg(chart)).iter() if element.tag.endswith("text")]
    assert chart.name in words


def test_every_axis_of_a_chart_names_its_unit() -> None:
    texts = [element.text for element in Xml.fromstring(svg(CHARTS[0])).iter() if element.tag.endswith("text")]
    assert "duration (min)" in texts
    assert "servers" in texts


@pytest.mark.parametrize(
    ("value", "unit", "text"),
    [
        (0.083, "share", "8.3 %"),
        (-0.18, "change", "-18.0 %"),
        (13789.0, "USD", "13,789 USD"),
        (0.0213, "USD/GB", "0.0213 USD/GB"),
        (1.26e9, "B/s", "1.26 GB/s"),
        (1005.25, "s", "1,005.2 s"),
        (12, "1", "12"),
    ],
)
def test_a_number_is_shown_in_the_unit_of_its_column(value: float, unit: str, text: str) -> None:
    assert quantity(value, unit) == text


def test_only_the_chosen_sections_are_kept() -> None:
    assert [section.key for section in REPORT.only(["profile", "answer"]).sections] == ["answer", "profile"]


@pytest.mark.parametrize("name", ["hdfs-terasort", "tpch-minio-nvme", "copy-s3distcp-21-node"])
def test_a_profile_that_is_copied_from_a_pdf_can_be_run_and_says_the_same(
    type_: Type, tmp_path: Path, name: str
) -> None:
    resolved = load(name, Scenario).resolved
    report = Document(
        "A report", [Part.PROFILE.section([Facts([("Seed", "0")]), Verbatim(printed(resolved, COLUMNS))])]
    )
    text = "\n".join(page.extract_text() for page in PdfReader(io.BytesIO(documents.render(report, ".pdf"))).pages)
    copied = text[text.index(printed(resolved, COLUMNS).splitlines()[0]) :]
    assert "# 2 – A report" in copied
    path = tmp_path / "copied.toml"
    path.write_text(copied, encoding="utf-8")
    ended = type_("check", str(path))
    assert (ended.status, ended.err) == (0, "")
    assert load(str(path), Scenario).resolved == resolved


@settings(max_examples=60)
@given(st.dictionaries(st.from_regex(r"[a-z_]{1,20}", fullmatch=True), st.text(max_size=400) | st.lists(st.text())))
def test_what_is_printed_means_the_same_as_what_is_dumped(table: dict[str, object]) -> None:
    assert tomllib.loads(printed(table, COLUMNS)) == tomllib.loads(dump(table))
