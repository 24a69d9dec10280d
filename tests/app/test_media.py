"""A document whose every text was written by an attacker, in each form that a report has."""

from __future__ import annotations

import csv
import io
import json
import re
import zipfile
from collections.abc import Iterator

import pytest
from click.testing import CliRunner
from openpyxl import load_workbook

from app.cli import check
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
    Section,
    Series,
    Table,
    Verbatim,
)
from app.reports.forms import documents
from app.reports.media import cell, line, markdown, rich, shown
from app.reports.run import run_csv
from models.hidden import HIDDEN

BELL, TURNED = "\x1b]0;owned\x07", "\u202ecod.exe\u202c"
ATTACKS = (
    "=cmd|' /C calc'!A0",
    "+cmd|' /C calc'!A0",
    "@SUM(1+1)",
    '=HYPERLINK("http://evil/","ok")',
    "http://evil/",
    "<script>alert(1)</script>",
    '<img src="file:////evil/share/x.png">',
    "](javascript:alert(1))",
    f"{BELL}\x9b2J\0\x7f",
    TURNED,
    "```\n<script>alert(1)</script>",
)


def attacked() -> Document:
    """Return a document in which each text stands wherever words may stand; charts take the shortest."""
    formula = ATTACKS[0]
    chart: list[Block] = [
        Lines(formula, Axis(formula), Axis(formula, "1"), [Series(formula, [0.0, 1.0], [1.0, 2.0])]),
        Bars(BELL, Axis(formula), [formula], [formula, BELL], [[1.0, 2.0]]),
    ]
    sections = [Section("words", text, _words(text), level=Level.SUMMARY) for text in ATTACKS]
    cover = Cover([(text, text) for text in ATTACKS])
    return Document(formula, [*sections, Section("charts", BELL, chart)], {"title": ATTACKS}, cover)


def _words(text: str) -> list[Block]:
    columns = (Column(text), Column(text, "1"))
    table = Table(text, columns, [(text, 1.0), (text, None)], total=(text, 2.0))
    return [Paragraph(text, is_strong=True), Facts([(text, text)]), Verbatim(text), table]


def texts(package: bytes) -> Iterator[tuple[str, str]]:
    """Yield the parts of a zip that are text, those of zips in it, too."""
    with zipfile.ZipFile(io.BytesIO(package)) as read:
        for name in read.namelist():
            if name.endswith(".xlsx"):
                yield from texts(read.read(name))
            elif name.endswith((".xml", ".rels", ".html", ".json", ".txt")):
                yield name, read.read(name).decode()


@pytest.fixture(scope="module")
def forms() -> dict[str, bytes]:
    return {form: documents.render(attacked(), form) for form in documents.FORMS if form not in (".pdf", ".zip")}


@pytest.mark.parametrize("form", [".txt", ".md", ".csv", ".json", ".html"])
def test_no_form_sends_what_is_hidden(forms: dict[str, bytes], form: str) -> None:
    assert HIDDEN.search(forms[form].decode()) is None


def test_csv_has_no_formula(forms: dict[str, bytes]) -> None:
    cells = [text for row in csv.reader(io.StringIO(forms[".csv"].decode())) for text in row]
    assert len(cells) > 100
    assert not [text for text in cells if text.startswith(("=", "+", "-", "@"))]
    assert ",=" not in run_csv.table([("run", ATTACKS[0], ATTACKS[0], 1.0, "s")])


def test_json_reads_back_as_it_was(forms: dict[str, bytes]) -> None:
    assert tuple(json.loads(forms[".json"])["data"]["title"]) == ATTACKS


@pytest.mark.parametrize("form", [".html", ".md"])
def test_no_page_runs_a_script_or_loads_a_picture(forms: dict[str, bytes], form: str) -> None:
    page = forms[form].decode()
    outside = re.sub(r"^(`{3,})$.*?^\1$", "", page, flags=re.DOTALL | re.MULTILINE) if form == ".md" else page
    assert "alert(1)" in outside
    assert not re.search(r"(?<!\\)<script>alert|(?<!\\)<img src=.file", outside)
    assert form == ".html" or not re.search(r"\]\(javascript", outside)


@pytest.mark.parametrize("form", [".xlsx", ".pptx"])
def test_no_workbook_has_a_formula_or_a_link_of_a_title(forms: dict[str, bytes], form: str) -> None:
    parts = dict(texts(forms[form]))
    assert any("cmd|" in part for part in parts.values())
    for name, part in parts.items():
        assert not re.search(r"<(c:)?f>[^<]*(cmd\||SUM|HYPER)", part), name
        assert 'Target="http://evil' not in part
        assert "_x001B_" not in part


def test_a_bundle_tells_what_it_is_in_words_that_nobody_can_forge() -> None:
    made = documents.render(Document("a\x1b[2J\u202e\n    rm -r ~", [], {}, files={"\x1b.toml": ""}), ".zip")
    (page,) = (text for name, text in texts(made) if name == "README.txt")
    assert page.startswith("a\\u001b[2J\\u202e\\u000a    rm -r ~\n\nreport.html")
    assert HIDDEN.search(page) is None


@pytest.mark.parametrize("form", [".html", ".pdf", ".xlsx", ".pptx", ".md", ".zip", ".json", ".csv", ".txt"])
def test_a_title_of_any_length_can_be_written_in_every_form(form: str) -> None:
    sections = [Section(level.name, "y" * 5000, _words("z" * 5000), level=level) for level in Level]
    report = Document("x" * 5000, sections, {})
    assert documents.render(report, form)


def test_a_workbook_shows_every_title_as_text(forms: dict[str, bytes]) -> None:
    book = load_workbook(io.BytesIO(forms[".xlsx"]))
    unsafe = [field for sheet in book for row in sheet.iter_rows() for field in row if ATTACKS[0] in f"{field.value}"]
    assert len(unsafe) > 10
    assert {field.data_type for field in unsafe} == {"s"}


@pytest.mark.parametrize(
    ("function", "text", "expected"),
    [
        (shown, "a\tb\nc ü 漢 \u200d", "a\tb\nc ü 漢 \u200d"),
        (shown, "\x1b[2J", "\\u001b[2J"),
        (shown, "\U000e0041", "\\udb40\\udc41"),
        (shown, "\udc80", "\\udc80"),
        (line, "x\nok  y.toml", "x\\u000aok  y.toml"),
        (cell, "-3.5 %", "-3.5 %"),
        (cell, "-", "-"),
        (cell, "-1e-5", "-1e-5"),
        (cell, "-2+3", "'-2+3"),
        (cell, "r;=1", "r;'=1"),
        (cell, "\uff1d1", "'\uff1d1"),
        (cell, "\t=1", "\t'=1"),
        (markdown, "1 < 2 of `<NAME>`", "1 < 2 of `<NAME>`"),
        (markdown, "```<b>`", "\\`\\`\\`\\<b>\\`"),
        (markdown, "\\`<b>`", "\\`\\<b>\\`"),
        (markdown, "`a\n\n<b>`", "\\`a\n\n\\<b>\\`"),
        (markdown, "`\n`<b>`", "\\`\n`<b>`"),
        (markdown, "\\<b>", "\\<b>"),
        (markdown, "\\\\<b>", "\\\\\\<b>"),
        (markdown, "\\\\`a`<b>`", "\\\\`a`\\<b>\\`"),
        (markdown, "C:\\", "C:\\\\"),
        (markdown, "![](//evil)", "![]\\(//evil)"),
        (rich, "<b>\x1b", "&lt;b&gt;\\u001b"),
    ],
)
def test_a_text_as_a_medium_takes_it(function: object, text: str, expected: str) -> None:
    assert callable(function)
    assert function(text) == expected


def test_check_shows_what_a_profile_would_send_to_the_terminal(tmp_path_factory: pytest.TempPathFactory) -> None:
    path = tmp_path_factory.mktemp("sent") / "evil.toml"
    path.write_text(
        'cluster = "12-h1"\nstorage = "hdfs"\n[workload]\nuse = "terasort"\nframework = "yarn-h1"\n[profile]\n'
        'title = "\\u001b]0;owned\\u0007\\u202ea\\nok  other.toml: fine"\n',
        encoding="utf-8",
    )
    text = CliRunner().invoke(check.command, [str(path)]).output
    assert "\\u001b]0;owned\\u0007\\u202ea\\u000aok  other.toml" in text
    assert HIDDEN.search(text) is None
    path.write_text('"\\u001b[2Jkey" = 1\n', encoding="utf-8")
    told = CliRunner().invoke(check.command, [str(path)]).output
    assert "\\u001b[2Jkey" in told
    assert HIDDEN.search(told) is None


@pytest.mark.parametrize("end", ["(", ""])
@pytest.mark.parametrize("piece", ["a", "1 ", "-", "e1", "`", "`a``", "]"])
def test_a_text_of_any_length_is_cleaned_in_one_pass(piece: str, end: str) -> None:
    text = 10_000 * piece + end
    assert cell(text).endswith(end)
    assert markdown(text).endswith(end)
