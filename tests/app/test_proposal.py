"""The report of a plan that is signed: one page first, sums that are live, nothing that only a program understands."""

from __future__ import annotations

import io
import math
import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

import openpyxl
import pypdf
import pytest
from PIL import Image

from app.planning.logo import MOST_BYTES, check, picture
from app.planning.plans.plan_search import planned
from app.planning.progress import uncounted
from app.planning.proposing import proposed
from app.reports.document import Bars, Document, Drawing, Facts, Level, Table
from app.reports.forms import documents
from app.reports.locales import locale_of
from app.reports.proposal import alternatives
from app.reports.proposal.asked import question
from app.reports.proposal.document import document
from app.reports.proposal.found import Proposal
from app.reports.purchase_document import document as purchase_document
from models.problem import ProblemError
from profiles.plans import sheet as sheets
from tests.app.plans import HEAD, answer, proposal, signed


@pytest.fixture(scope="module")
def page() -> Document:
    """Return the report without its pictures, which take long to draw and have tests of their own."""
    whole = signed()
    plain = [[block for block in section.blocks if not isinstance(block, Drawing)] for section in whole.sections]
    sections = [replace(section, blocks=blocks) for section, blocks in zip(whole.sections, plain, strict=True)]
    return replace(whole, sections=sections)


def tables(page: Document) -> dict[str, Table | Facts]:
    """Return the first table of each section, by the section's key."""
    blocks = ((section.key, block) for section in reversed(page.sections) for block in reversed(section.blocks))
    return {key: block for key, block in blocks if isinstance(block, Table | Facts)}


def asked(text: str) -> Proposal:
    """Return the proposal for a plan that a text states below its head."""
    sheet = sheets.sheet_of_text(f"{HEAD}{text}", Path("plan.toml"))
    return proposed(sheet, planned(sheet, 1, uncounted))


LOAD = """
[[requirements.workloads]]
name = "store"
kind = "requests"
rate = "2500 1/s"
objectives = ["GET request rate >= 1000 1/s"]
mix = { PUT = { action = "put", size = "1 MiB", weight = 5 }, GET = { action = "get", size = "256 KiB", weight = 20 } }

[candidates.MinIO]
storage = "minio-nvme"
servers = "nvme-100gbe"
count = "4"
"""


@pytest.fixture(scope="module")
def store() -> Proposal:
    """Return the proposal for a load of requests, of which there are thousands a second."""
    return asked(LOAD)


def test_the_question_names_the_requests_of_a_load_with_rates_and_sizes(store: Proposal) -> None:
    words = "store with 500 PUT/s of 1 MiB and 2,000 GET/s of 256 KiB, GET request rate at least 1,000 a second"
    assert words in question(store.answer)


@pytest.mark.parametrize(("growth", "told"), [(-0.15, "15 % less a year"), (0.035, "3.5 % more a year")])
def test_the_question_says_which_way_data_goes(growth: float, told: str, store: Proposal) -> None:
    plan = store.answer.plan
    grown = plan.requirements.model_copy(update={"stored": 9e14, "annual_growth": growth})
    asked_for = replace(store.answer, plan=plan.model_copy(update={"requirements": grown}))
    assert f"900 TB of data, {told}, over" in question(asked_for)


def test_rates_of_requirements_are_in_words_with_their_thousands(store: Proposal) -> None:
    text = documents.render(document(store), ".md").decode().partition("Source of every number")[0]
    assert re.search(r"GET request rate \| at least 1,000 a second \| [12],\d{3} a second", text)
    assert "1/s" not in text
    german = documents.render(document(store), ".md", locale_of("de")).decode()
    assert re.search(r"at least 1\.000 a second \| [12]\.\d{3} a second", german)


def test_what_the_customer_states_of_a_load_is_told_in_words(store: Proposal) -> None:
    rows = next(
        block.rows for block in document(store).only(["assumptions"]).sections[0].blocks if isinstance(block, Table)
    )
    (cell,) = (cell for name, cell in rows if name == "Workload store")
    told = "kind requests; rate 2,500 a second; mix (PUT (action put, size 1 MiB, weight 5), GET (action get"
    assert told in f"{cell}"


def test_the_first_page_holds_question_verdict_requirements_cost_risks_and_who_assumed_what(page: Document) -> None:
    short = page.only([*(part.key for part in page.at(Level.SUMMARY)), "flips"])
    pdf = pypdf.PdfReader(io.BytesIO(documents.render(short, ".pdf")))
    first, second = pdf.pages[0].extract_text(), pdf.pages[1].extract_text()
    for section in page.at(Level.SUMMARY):
        assert section.title in first
    assert "ACME" in first
    assert "What would change the decision" in second
    assert len(tables(page)["risks"].rows) == 3


GROWING = """
years = 3
stored = "400 TB"
annual_growth = "80 %"

[candidates.HDFS]
storage = "hdfs"
servers = "hdd-25gbe"
count = "8..40:4"
"""


@pytest.mark.parametrize(("stated", "delivery"), [("", 90), ('lead_time = "30 d"', 30)])
def test_what_is_bought_later_is_ordered_so_early_that_it_is_delivered_and_holds_data_in_time(
    stated: str, delivery: int
) -> None:
    design = asked(GROWING.replace("\n[candidates", f"{stated}\n\n[candidates")).design
    assert design is not None
    purchases = design.purchases
    assert purchases is not None
    bought = [quarter for quarter in purchases.plan.quarters if quarter.bought]
    assert bought
    for quarter in bought:
        assert quarter.order_by is not None
        assert quarter.moving is not None
        days = (quarter.need.day - quarter.order_by).days
        assert 0 <= days - delivery - quarter.moving.time / 86400 < 1
    facts = purchase_document(purchases).sections[0].blocks[0]
    assert isinstance(facts, Facts)
    assert ("Lead time", f"{delivery} d from an order until servers stand") in facts.rows


def test_a_number_that_the_plan_varies_rests_on_its_search(store: Proposal) -> None:
    assert store.design is not None
    texts = {line.key: line.text for line in store.design.sources}
    assert texts[sheets.COUNT] == "found by the search of this plan"


def test_a_report_bears_the_date_that_is_stated_and_else_none() -> None:
    undated = proposal()
    answered = replace(undated.answer, plan=undated.answer.plan.model_copy(update={"date": date(2026, 11, 24)}))
    dated = replace(undated, answer=answered)
    covers = [document(made).cover for made in (undated, dated)]
    assert [dict(cover.rows).get("Date") for cover in covers if cover] == [None, "2026-11-24"]


def test_people_read_no_keys_and_no_seconds_that_they_would_have_to_count(page: Document) -> None:
    text = documents.render(page, ".md").decode().partition("## Source of every number")[0]
    assert not re.search(r"(?<![\d.])(?:6[1-9]|[7-9]\d|\d{3,})(?:\.\d+)? s\b", text)
    settings = text.replace("MINIO_STORAGE_CLASS_STANDARD", "")  # who sets MinIO up types it
    assert not re.search(r"\bmttdl\b|cluster\.groups|\w+_\w+_\w+|_duration", settings)


def test_what_is_read_first_of_a_workbook_follows_prices_and_counts(page: Document) -> None:
    book = openpyxl.load_workbook(io.BytesIO(documents.render(page, ".xlsx")))
    known = openpyxl.load_workbook(io.BytesIO(documents.render(page, ".xlsx")), data_only=True)
    design = proposal().design
    assert design is not None
    assert design.cost is not None
    place = next(cell for row in book["Summary"].iter_rows() for cell in row if cell.value == "Over 3 years")
    total = f"Summary!B{place.row}"
    assert Worked(book).value(total) == pytest.approx(design.cost.over(3.0))
    for sheet in known:
        for row in sheet.iter_rows():
            for cell in row:
                stated = book[sheet.title][cell.coordinate].value
                if isinstance(stated, str) and stated.startswith("="):
                    assert Worked(book).value(f"{sheet.title}!{cell.coordinate}") == pytest.approx(cell.value)
    bill = {row[0].value: f"The bill of a year!{row[1].coordinate}" for row in book["The bill of a year"].iter_rows()}
    bought = next(name for name in bill if name and name.endswith(", bought") and name.startswith("servers"))
    yearly = {name: Worked(book).value(bill[name]) for name in (bought, "maintenance", "Total")}
    drives = next(row for row in book["Materials"].iter_rows() if row[1].value == "drive")
    more = (drives[3].value + drives[4].value) * 100.0 * 0.9  # a discount of a tenth
    drives[5].value += 100.0
    kept = 0.08 * more * 3  # maintenance over three years
    assert Worked(book).value(total) == pytest.approx(design.cost.over(3.0) + more + kept)
    changed = {name: Worked(book).value(bill[name]) - before for name, before in yearly.items()}
    assert changed["maintenance"] == pytest.approx(0.08 * more)
    assert changed[bought] == pytest.approx(drives[3].value * 90.0 / design.cost.years)
    assert changed["Total"] == pytest.approx(more / design.cost.years + 0.08 * more)


def test_a_workbook_pays_less_for_the_upkeep_of_machines_that_replace_dearer_ones() -> None:
    terms = 'years = 1.5, price_decline = "20 %", discount_rate = "5 %"'
    text = HEAD.replace('prices = "on-premises-2024"', f'prices = {{ use = "on-premises-2024", {terms} }}')
    text += 'stored = "50 TB"\n[candidates.HDFS]\nstorage = "hdfs"\nservers = "hdd-25gbe"\ncount = "6"\n'
    sheet = sheets.sheet_of_text(text, Path("plan.toml"))
    offer = proposed(sheet, planned(sheet, 1, uncounted))
    assert offer.design is not None
    assert offer.design.cost is not None
    written = documents.render(document(offer), ".xlsx")
    book = openpyxl.load_workbook(io.BytesIO(written))
    known = openpyxl.load_workbook(io.BytesIO(written), data_only=True)
    total = next(row for row in known["Cash flow"].iter_rows() if row[0].value == "Total")
    assert total[4].value == pytest.approx(offer.design.cost.over(3.0))
    assert total[5].value == pytest.approx(offer.design.cost.present(3.0))
    for cell in total[1:]:
        assert Worked(book).value(f"Cash flow!{cell.coordinate}") == pytest.approx(cell.value)


def test_the_sheet_that_is_read_first_prints_on_a_page_of_paper(page: Document) -> None:
    book = openpyxl.load_workbook(io.BytesIO(documents.render(page, ".xlsx")))
    assert book.sheetnames[0] == "Summary"
    assert {sheet.page_setup.paperSize for sheet in book} == {9}
    assert {sheet.page_setup.fitToWidth for sheet in book} <= {None, "1", 1}


def test_a_page_fetches_nothing_and_says_all_without_scripts(page: Document) -> None:
    text = documents.render(page, ".html").decode()
    assert "default-src 'none'" in text
    assert not re.search(r"""(?:src|href)=["'](?!#|data:)""", text)
    assert "A &lt;small&gt; store &amp; more" in text
    assert text.count("<script>") == 1
    assert text.index("</section>") < text.index("<script>")


def test_a_table_keeps_its_sums_apart(page: Document) -> None:
    text = documents.render(page, ".html").decode()
    assert "<tfoot><tr><td>Total" in text
    assert "Total" in documents.render(page, ".csv").decode()


def test_the_short_answer_is_in_the_long_one(page: Document) -> None:
    assert page.data["verdict"][0] in documents.render(page, ".txt").decode().replace("\n", " ")
    met = [demand.required.words for demand in answer().ranked[0].met]
    assert met == [row[0] for row in tables(page)["met"].rows]


def drawn(kind: str, size: tuple[int, int] = (300, 200)) -> bytes:
    file = io.BytesIO()
    Image.new("RGB", size, "#0072B2").save(file, kind)
    return file.getvalue()


def test_what_misses_a_requirement_has_no_bar_among_the_costs_of_what_meets_all() -> None:
    """It may be cheap because it is too small: one that misses leaves a single cost, which is no comparison."""
    answered = answer()
    assert [block.labels for block in alternatives.section(answered).blocks if isinstance(block, Bars)]
    best, *others = answered.ranked
    missed = [replace(judged, is_feasible=False, wanting=None) for judged in others]
    section = alternatives.section(replace(answered, judged=(best, *missed)))
    assert not [block for block in section.blocks if isinstance(block, Bars)]


@pytest.mark.parametrize("kind", ["PNG", "JPEG"])
def test_a_logo_is_drawn_anew(tmp_path: Path, kind: str) -> None:
    (tmp_path / "logo").write_bytes(drawn(kind))
    made = picture("logo", tmp_path / "plan.toml")
    assert Image.open(io.BytesIO(made)).size == (240, 160)
    assert picture("", tmp_path / "plan.toml") == b""


@pytest.mark.parametrize(
    ("name", "content", "text"),
    [
        ("none.png", None, "no such file"),
        ("../logo.png", drawn("PNG"), "in the folder of the plan"),
        ("/etc/hostname", None, "in the folder of the plan"),
        ("logo.gif", drawn("GIF"), "expected a picture"),
        ("logo.svg", b"<svg xmlns='http://www.w3.org/2000/svg'/>", "expected a picture"),
        ("cut.png", drawn("PNG")[:60], "expected a picture"),
        ("wide.png", drawn("PNG", (5000, 1)), "pixels a side"),
        ("large.png", b"\x89PNG" + bytes(MOST_BYTES), "at most"),
    ],
    ids=["missing", "above", "elsewhere", "gif", "svg", "cut", "wide", "large"],
)
def test_a_picture_that_is_none_or_lies_elsewhere_is_refused(
    tmp_path: Path, name: str, content: bytes | None, text: str
) -> None:
    folder = tmp_path / "plans"
    folder.mkdir()
    if content is not None:
        (folder / name).write_bytes(content)
    with pytest.raises(ProblemError, match=text):
        picture(name, folder / "plan.toml")
    if name not in {"cut.png", "wide.png"}:  # whose beginnings tell nothing
        with pytest.raises(ProblemError, match=text):
            check(name, folder / "plan.toml")


class Worked:
    """A workbook whose few kinds of formulas are worked out here, by other code than wrote them."""

    def __init__(self, book: Any) -> None:
        self._book = book

    def value(self, address: str) -> float:
        """Return what a cell of "Sheet!A1" comes to."""
        sheet, _, place = address.partition("!")
        stated = self._book[sheet.strip("'")][place.replace("$", "")].value
        if not (isinstance(stated, str) and stated.startswith("=")):
            return float(stated or 0.0)
        return float(self._told(stated[1:], sheet))

    def _told(self, text: str, sheet: str) -> float:
        def cell(match: re.Match[str]) -> str:
            where, first, last = match.group(1) or sheet, match.group(2), match.group(3)
            if last is None:
                return f"({self.value(f'{where}!{first}')!r})"
            rows = self._book[where.strip("'")][f"{first}:{last}".replace("$", "")]
            return f"[{', '.join(repr(self.value(f'{where}!{row.coordinate}')) for (row,) in rows)}]"

        def chosen(match: re.Match[str]) -> str:
            rows = self._book[match.group(1).strip("'")][f"{match.group(2)}:{match.group(3)}".replace("$", "")]
            return f"[{', '.join(str(int(row.value == match.group(4))) for (row,) in rows)}]"

        text = re.sub(r"--\(('[^']+')!(\$[A-Z]+\$\d+):(\$[A-Z]+\$\d+)=\"([^\"]*)\"\)", chosen, text)
        told = re.sub(r"(?:('[^']+')!)?(\$[A-Z]+\$\d+)(?::(\$[A-Z]+\$\d+))?", cell, text)
        told = told.replace("^", "**").replace("SUMPRODUCT", "product").replace("SUM", "sum").replace("LN", "log")
        told = re.sub(r"\*\*-([\d.]+)", r"**(-\1)", re.sub(r"IF\((.*?)=0,", r"when(\1==0,", told))

        def product(*lists: list[float]) -> float:
            rows: Iterator[tuple[float, ...]] = zip(*lists, strict=True)
            return sum(math.prod(row) for row in rows)

        names = {"product": product, "sum": sum, "log": math.log, "when": lambda is_so, a, b: a if is_so else b}
        return float(eval(told, {"__builtins__": {}}, names))
