"""Plan: from fields to a search in the child process, to what each candidate meets; kept by the project."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from PIL import Image
from pyqtgraph import PlotDataItem
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QLineEdit, QMessageBox, QPushButton
from pytestqt.qtbot import QtBot

from app.gui.plan.model import COPY, JOB, MOST, REQUESTS, example, first
from app.gui.plan.offers import AT_ONCE, RowsDialog
from app.gui.plan.page import DROP, STOP, PlanPage
from app.gui.plan.requirements_view import ALONE
from app.gui.session.plan_answer import ShownPlan
from app.gui.session.session import Session
from app.gui.session.setups import PlanSetup
from app.gui.shell.autosave import leftovers
from app.gui.shell.window import MainWindow
from app.reports.media import bound, rich
from app.reports.plan.plan_mending import STOPPED
from profiles.loading.catalog import SHIPPED

PATIENCE = 120_000
LEFT = Qt.MouseButton.LeftButton
NAMED = "hdfs on hdd-25gbe"
MANY_FIELDS = 40
REDUCES = 48  # of 767, each of which is simulated in every draw of an interval
MANY = "503"  # servers: a prime number, so that none stands for others and a run takes seconds


@pytest.fixture
def page(window: MainWindow) -> PlanPage:
    shown = window.show_page("Plan")
    assert isinstance(shown, PlanPage)
    return shown


def field(page: PlanPage, name: str) -> object:
    """Return the field that a reader of the screen calls by a name."""
    return next(widget for widget in page.findChildren(object) if getattr(widget, "accessibleName", str)() == name)


def typed(page: PlanPage, qtbot: QtBot, name: str, text: str) -> None:
    """Type into a field, and leave it."""
    line = field(page, name)
    line.clear()
    qtbot.keyClicks(line, text)
    qtbot.keyClick(line, Qt.Key.Key_Return)


def ground(page: PlanPage) -> QColor:
    """Return the colour behind the words of the answer's first row."""
    table = page.check.table
    row = table.visualRect(table.model().index(0, 0))
    place = table.viewport().mapTo(page.answers, row.topRight())
    return page.answers.grab().toImage().pixelColor(place.x() - 2, place.y() + 2)


def asked(page: PlanPage, qtbot: QtBot) -> None:
    """Say what a small plan requires, as a user does."""
    typed(page, qtbot, "Stored now", "20 TB")
    typed(page, qtbot, "Budget", "9 M USD")
    button = next(push_button for push_button in page.findChildren(QPushButton) if push_button.text() == "Add a &job")
    qtbot.mouseClick(button, LEFT)
    typed(page, qtbot, "input of nightly", "1 GB")
    typed(page, qtbot, "deadline of nightly", "1 h")
    page.model.set(REDUCES, "requirements", "workloads", 0, "reduces")
    qtbot.mouseClick(page.next_button, LEFT)
    qtbot.mouseClick(page.candidates.add_button, LEFT)
    page.model.set("8..12:4", "candidates", NAMED, "count")


def test_a_plan_that_is_in_no_file_is_offered_again_at_the_next_start(
    window: MainWindow, page: PlanPage, qtbot: QtBot, tmp_path: Path
) -> None:
    window.projects.begin(tmp_path)
    typed(page, qtbot, "Stored now", "20 TB")
    qtbot.waitUntil(lambda: bool(window.session.setups.plan.text))
    window.projects.close()
    (left,), _ = leftovers(tmp_path)
    assert left.project.summary == "the profile small, a plan"
    window.session.document.stack.undo()
    assert field(page, "Stored now").text() == ""
    window.projects.begin(tmp_path)
    box = window.findChild(QMessageBox)
    assert "a plan" in box.text()
    qtbot.mouseClick(next(button for button in box.buttons() if "Restore" in button.text()), LEFT)
    assert field(page, "Stored now").text() == "20 TB"


def test_a_plan_that_a_file_holds_is_no_unsaved_work(window: MainWindow, page: PlanPage) -> None:
    window.open("hdfs-or-minio")
    assert page.model.text
    assert not window.projects.model.has_work


def test_tab_goes_from_what_is_stored_to_what_is_done_and_what_it_may_cost(page: PlanPage, qtbot: QtBot) -> None:
    field(page, "Stored now").setFocus()
    met = []
    while "Customer" not in met and len(met) < MANY_FIELDS:
        widget = page.window().focusWidget()
        met.append(widget.accessibleName() or widget.text())
        qtbot.keyClick(widget, Qt.Key.Key_Tab)
    order = [met.index(name) for name in ("Stored now", "While degraded", "Add a &job", "Budget", "Customer")]
    assert order == sorted(order)


def test_fields_become_a_plan_that_can_be_checked_and_undone(page: PlanPage, qtbot: QtBot) -> None:
    assert page.model.is_new
    assert not page.check_button.isEnabled()
    asked(page, qtbot)
    assert page.model.get("requirements", "stored") == "20 TB"
    stated = {"input": "1 GB", "deadline": "1 h", "reduces": REDUCES}
    assert page.model.workloads[0] == {"name": "nightly", **example(*JOB), **stated}
    assert page.model.candidates == {NAMED: {**first(0), "count": "8..12:4"}}
    assert page.check_button.isEnabled()
    page._session.document.stack.undo()
    assert page.model.candidates[NAMED] == first(0)


def test_a_check_by_keys_takes_what_is_being_typed_and_leaves_the_keys_to_the_page(
    page: PlanPage, qtbot: QtBot
) -> None:
    line = field(page, "Stored now")
    line.setFocus()
    line.selectAll()
    qtbot.keyClicks(line, "30 TB")
    page.run()
    assert page.model.get("requirements", "stored") == "30 TB"
    assert page.rail.hasFocus()


def test_what_cannot_be_read_is_told_where_it_is_typed(page: PlanPage, qtbot: QtBot) -> None:
    asked(page, qtbot)
    page.show_step(0)
    typed(page, qtbot, "Stored now", "20 XB")
    assert page.message.text().startswith("Stored now: expected a size")
    assert "expected a size" in field(page, "Stored now").accessibleDescription()
    assert not page.check_button.isEnabled()


@pytest.mark.parametrize(("stated", "shown"), [("8", "8 %"), ("1", "1 %"), ("-3", "-3 %"), ("0.08", "0.08")])
def test_a_part_that_is_typed_without_its_sign_is_in_percent_and_says_so(
    page: PlanPage, qtbot: QtBot, stated: str, shown: str
) -> None:
    typed(page, qtbot, "Annual growth", stated)
    assert field(page, "Annual growth").text() == shown
    assert page.model.get("requirements", "annual_growth") == shown
    typed(page, qtbot, "Stored now", stated)
    assert field(page, "Stored now").text() == stated


def test_a_plan_without_a_candidate_leads_to_where_one_is_added(page: PlanPage, qtbot: QtBot) -> None:
    page.show_step(2)
    assert page.empty.button.isEnabled()
    qtbot.mouseClick(page.empty.button, LEFT)
    assert page.step == 1
    qtbot.mouseClick(page.candidates.add_button, LEFT)
    assert "Check" in page.empty.button.text().replace("&", "")


def test_a_card_says_how_its_store_keeps_data_where_nothing_is_stated(page: PlanPage, qtbot: QtBot) -> None:
    typed(page, qtbot, "Stored now", "20 TB")
    page.show_step(1)
    qtbot.mouseClick(page.candidates.add_button, LEFT)
    kept = page.candidates.cards[0].said
    qtbot.waitUntil(lambda: kept.text().startswith("3 replicas: takes 3 bytes for each."), timeout=PATIENCE)
    page.model.set("EC 6+3", "candidates", NAMED, "protection")
    assert kept.text().startswith("Takes 1.5 bytes for each.")


def test_candidates_are_copied_renamed_dropped_and_six_at_most(page: PlanPage) -> None:
    model = page.model
    for _ in range(MOST + 1):
        model.add_candidate()
    assert len(page.candidates.cards) == MOST
    assert not page.candidates.add_button.isEnabled()
    model.rename_candidate(NAMED, "HDFS")
    model.drop_candidate("minio-nvme on nvme-100gbe")
    assert next(iter(model.candidates)) == "HDFS"
    assert len(page.candidates.cards) == MOST - 1


def test_a_server_of_ones_own_begins_with_one_of_the_catalogue(page: PlanPage, qtbot: QtBot) -> None:
    page.model.add_candidate()
    page.show_step(1)
    own = next(button for button in page.candidates.cards[0].findChildren(QPushButton) if "own" in button.text())
    qtbot.mouseClick(own, LEFT)
    typed(page, qtbot, f"Drives a server of {NAMED}", "24")
    assert page.model.candidates[NAMED]["servers"] == {"use": "hdd-25gbe", "bays": {"data": {"count": 24}}}
    assert page.model.is_right


def test_the_text_follows_the_form_and_the_form_the_text(page: PlanPage, qtbot: QtBot) -> None:
    page.show_step(0)
    qtbot.mouseClick(page.text_button, LEFT)
    page.model.set("3 PB", "requirements", "stored")
    assert 'stored = "3 PB"' in page.text.toPlainText()
    page.text.setPlainText(page.text.toPlainText().replace("3 PB", "4 PB"))
    page.text.take()
    assert field(page, "Stored now").text() == "4 PB"


def shows_further_points(page: PlanPage, qtbot: QtBot) -> None:
    """Ask for further points of the curves, change one's mind, ask again, and see them."""
    words, compare = "nightly is done in time", page.compare

    def known() -> int:
        return sum(words in point.values for point in page.model.answer.candidates[0].points)

    page.show_step(3)
    before = known()
    qtbot.mouseClick(compare.further_button, LEFT)
    qtbot.mouseClick(page.cancel_button, LEFT)
    assert not page.study.is_running
    with qtbot.waitSignal(page.study.finished, timeout=PATIENCE):
        qtbot.mouseClick(compare.further_button, LEFT)
    assert (before, known()) == (1, 2)
    assert compare.measure.currentText() == words
    curve = next(drawn for drawn in compare.over_servers.plot.items() if isinstance(drawn, PlotDataItem))
    assert list(curve.xData) == [8, 12]


def shows_its_cover(page: PlanPage, qtbot: QtBot, folder: Path) -> None:
    """Type what stands on the cover, choose a logo and how numbers are written; see all of it in the report."""
    Image.new("RGB", (40, 20), "green").save(folder / "logo.png")
    page.decide.logo_chosen.emit(folder / "logo.png")
    assert page.model.get("logo") == "logo.png"
    page.decide.numbers.setCurrentText("de")
    line = page.decide.findChildren(QLineEdit)[0]
    assert line.accessibleName() == "Customer"
    qtbot.keyClicks(line, "Northern Rail")
    qtbot.keyClick(line, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: "Northern Rail" in page.decide.page.toPlainText(), timeout=PATIENCE)
    read = page.decide.page.toPlainText()
    assert re.search(r"\d\.\d{3} USD|\d,\d+ PB", read)
    assert not page.banner.isVisible()
    file = folder / "offer.md"
    with qtbot.waitSignal(page.study.finished, timeout=PATIENCE):
        page.decide.export_button.file_chosen.emit(file)
    assert "Northern Rail" in file.read_text(encoding="utf-8")
    assert page.setup().locale == "de"


def test_a_check_says_of_each_requirement_whether_it_is_met_and_a_change_makes_it_stale(
    page: PlanPage, qtbot: QtBot, tmp_path: Path
) -> None:
    asked(page, qtbot)
    told: list[ShownPlan] = []
    page.study.told.connect(told.append)
    with qtbot.waitSignal(page.study.finished, timeout=PATIENCE):
        qtbot.mouseClick(page.check_button, LEFT)
    assert page.step == 2
    shown = page.model.answer
    assert told == [shown.model_copy(update={"page": ""})]  # the decision comes before its report
    assert shown.candidates[0].is_feasible
    model = page.check.model
    by_row = {model.index(row, 0).data(): model.index(row, 1).data() for row in range(model.rowCount())}
    assert by_row["nightly is done in time"].startswith("✓ ")
    strip = page.strip.said.text().replace("&nbsp;", " ")
    assert f"meets {len(by_row)} of {len(by_row)}" in strip
    assert re.search(r"nightly <b>[\d.]+ \w+[^<]*, [\d.]+ to [\d.]+ \w+ \(80 %\)</b>", strip)
    assert not page.banner.isVisible()
    shows_further_points(page, qtbot)
    page.show_step(4)
    shows_its_cover(page, qtbot, tmp_path)
    page.show_step(2)
    bright = ground(page)
    page.model.set("2 h", "requirements", "workloads", 0, "deadline")
    assert page.banner.isVisible()
    assert ground(page) != bright  # as dim as the strip
    page.show_step(4)
    page.show_step(0)
    assert not page.banner.isVisible()  # no answer stands there
    page.show_step(4)
    assert page.banner.isVisible()
    decide = page.decide
    assert NAMED in decide.verdict.text()
    assert decide.export_button.isEnabled()
    read = decide.page.toPlainText()
    assert read.index("ill of materials") < read.index("Repairs and maintenance") < read.index("next day")
    (drawn, *_) = shown.maps
    row, column = drawn.asked
    assert f": {NAMED}, " in page.compare.map.chart.said_at(column, row)
    assert page.compare.map.chart.said_at(column, row).endswith(", as asked")
    with qtbot.waitSignal(page.study.finished, timeout=PATIENCE):
        qtbot.mouseClick(decide.open_button, LEFT)
    assert page._session.document.name == NAMED
    assert page._session.is_valid


def test_a_check_warns_of_what_is_unwise_in_a_candidate_that_was_simulated(page: PlanPage, qtbot: QtBot) -> None:
    asked(page, qtbot)
    page.model.set("minio", "candidates", NAMED, "storage")
    page.model.set("30 s", "requirements", "workloads", 0, "deadline")
    with qtbot.waitSignal(page.study.finished, timeout=PATIENCE):
        qtbot.mouseClick(page.check_button, LEFT)
    (candidate,) = page.model.answer.candidates
    page.show_step(2)
    (committer,) = [text for text in candidate.warnings if "committer name" in text]
    assert committer.startswith("unwise: committer name: 'file' renames its output")
    assert committer.endswith("take 'magic' or 'directory'.")
    assert rich(bound(committer.removeprefix("u"))) in page.check.mends.text()


def test_what_the_currency_of_the_budget_is_worth_is_said_beside_the_price_list(page: PlanPage) -> None:
    model = page.model
    model.open((SHIPPED.root / "planner/hdfs-or-minio.toml").read_text(), Path())
    rate, prices = field(page, "Exchange rate"), field(page, "Price list")
    model.set("1.5 M EUR", "requirements", "budget")
    rate.setText("1.08 USD")
    rate.editingFinished.emit()
    assert model.get("prices") == {"use": "on-premises-2024", "currencies": {"EUR": {"value": "1.08 USD"}}}
    assert model.is_right
    assert prices.currentText() == "on-premises-2024"
    prices.setCurrentText("on-premises-2026")
    prices.textActivated.emit("on-premises-2026")
    assert model.get("prices", "use") == "on-premises-2026"
    assert rate.text() == "1.08 USD"
    rate.setText("")
    rate.editingFinished.emit()
    assert model.get("prices") == "on-premises-2026"


def test_a_candidate_does_without_a_workload_whose_tick_is_taken_away(page: PlanPage, qtbot: QtBot) -> None:
    model = page.model
    model.open((SHIPPED.root / "planner/import-beside-nightly.toml").read_text(), Path())
    name, without = next(iter(model.candidates)), page.candidates.cards[0].without
    assert list(without.boxes) == ["nightly", "import"]
    assert without.boxes["import"].accessibleName() == f"import runs on {name}"
    without.boxes["import"].click()
    assert model.get("candidates", name, "workloads") == {"import": {"absent": True}}
    assert model.is_right
    assert without.boxes["nightly"].isChecked()
    assert page.candidates.cards[1].without.boxes["import"].isChecked()
    without.boxes["import"].click()
    assert model.get("candidates", name, "workloads") is None
    without.boxes["import"].click()
    model.set("1 GB", "candidates", name, "workloads", "nightly", "input")
    assert without.boxes["nightly"].text() == "nightly (otherwise here, see the text)"
    model.drop_workload(1)
    assert model.get("candidates", name, "workloads") == {"nightly": {"input": "1 GB"}}
    assert model.is_right


def test_escape_stops_a_check_and_what_has_finished_is_its_answer(page: PlanPage, qtbot: QtBot) -> None:
    asked(page, qtbot)
    qtbot.mouseClick(page.candidates.add_button, LEFT)
    page.model.set("ceph", "candidates", list(page.model.candidates)[1], "storage")
    slow = list(page.model.candidates)[1]
    page.model.set(MANY, "candidates", slow, "count")
    page.model.set("900 M USD", "requirements", "budget")
    page.model.set("200 GB", "requirements", "workloads", 0, "input")  # of which no other test has kept a run

    def on_progressed(fraction: float, *_: object) -> None:
        if fraction > 0 and page.cancel_button.text() == STOP:  # the small cluster is done, and the large one runs
            qtbot.keyClick(page.rail, Qt.Key.Key_Escape)

    page.study.progressed.connect(on_progressed)
    page.study.failed.connect(pytest.fail)
    with qtbot.waitSignal(page.study.finished, timeout=PATIENCE):
        qtbot.mouseClick(page.check_button, LEFT)
    shown = page.model.answer
    first, second = shown.candidates
    assert (first.name, first.is_feasible) == (NAMED, True)
    assert first.points
    assert (second.name, second.is_feasible, second.mends) == (slow, False, STOPPED)
    assert shown.maps == ()
    page.show_step(4)
    assert f"{slow} meets with " in page.decide.verdict.text()
    assert page.check_button.isEnabled()
    assert page.cancel_button.text() == DROP
    assert page.progress.isHidden()


def test_a_project_restores_plan_step_and_answer(session: Session, window: MainWindow, page: PlanPage) -> None:
    window.open("import-beside-nightly")
    assert list(page.model.candidates) == ["HDFS on hard drives", "MinIO on hard drives"]
    page.show_step(1)
    page.keep_setup()
    kept = session.setups
    assert (kept.plan.step, kept.plan.base != "") == (1, True)
    session.take_setups(kept.model_copy(update={"plan": PlanSetup()}))
    assert page.model.is_new
    session.take_setups(type(kept).model_validate_json(kept.model_dump_json()))
    assert page.step == 1
    assert list(page.model.candidates) == ["HDFS on hard drives", "MinIO on hard drives"]


def test_opening_a_plan_leaves_a_changed_profile_as_it_is_and_asks_nothing(
    session: Session, window: MainWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(QMessageBox, "exec", lambda box: pytest.fail(box.text()))
    session.set_value("workload.input", "6 GB")
    assert window.open("import-beside-nightly")
    assert window.page == "Plan"
    assert session.document.is_changed
    assert '"6 GB"' in session.document.text


def test_a_workload_runs_beside_another_until_that_is_dropped(page: PlanPage) -> None:
    page.model.add_workload(JOB, "nightly")
    page.model.add_workload(COPY, "import")
    field(page, "What runs at the same time as nightly").textActivated.emit("import")
    assert page.model.workloads[0]["beside"] == ["import"]
    other = field(page, "What runs at the same time as import")
    assert other.currentText() == "nightly"
    other.textActivated.emit(ALONE)
    assert "beside" not in page.model.workloads[0]
    assert field(page, "What runs at the same time as nightly").currentText() == ALONE
    field(page, "What runs at the same time as import").textActivated.emit("nightly")
    assert page.model.workloads[1]["beside"] == ["nightly"]
    page.model.drop_workload(1)
    assert "beside" not in page.model.workloads[0]


def test_what_names_a_workload_follows_it_to_another_name(page: PlanPage) -> None:
    model = page.model
    model.add_workload(JOB, "nightly")
    model.add_workload(REQUESTS, "shop")
    model.add_candidate()
    (candidate,) = model.candidates
    model.set_beside(0, "shop")
    model.set({"absent": True}, "candidates", candidate, "workloads", "shop")
    model.set("web", "requirements", "workloads", 1, "name")
    assert model.workloads[0]["beside"] == ["web"]
    assert model.candidates[candidate]["workloads"] == {"web": {"absent": True}}
    model.set("nightly", "requirements", "workloads", 1, "name")
    assert model.workloads[0]["beside"] == ["web"]


def test_of_three_workloads_a_choice_parts_the_two_that_it_is_of(page: PlanPage) -> None:
    for number, like in enumerate((JOB, COPY, REQUESTS)):
        page.model.add_workload(like, ("nightly", "import", "store")[number])
    page.model.set(["import", "store"], "requirements", "workloads", 0, "beside")
    beside = field(page, "What runs at the same time as store")
    assert beside.currentText() == "nightly"
    text = page.model.text
    beside.textActivated.emit("nightly")
    assert page.model.text == text
    beside.textActivated.emit("import")
    assert page.model.beside(0) == ["import"]
    assert page.model.beside(1) == ["nightly", "store"]
    assert page.model.beside(2) == ["import"]
    page.model.drop_workload(1)
    assert page.model.workloads == [workload for workload in page.model.workloads if "beside" not in workload]


def test_a_candidate_is_called_after_its_parts_until_it_has_a_name(page: PlanPage) -> None:
    model = page.model
    model.add_candidate()
    model.set("ceph", "candidates", NAMED, "storage")
    assert list(model.candidates) == ["ceph on hdd-25gbe"]
    model.rename_candidate("ceph on hdd-25gbe", "Ours")
    model.set("minio", "candidates", "Ours", "storage")
    assert list(model.candidates) == ["Ours"]
    assert page.candidates.cards[0].storage.accessibleName() == "Storage of Ours"


def test_requests_are_asked_for_as_so_many_of_each_operation_a_second(page: PlanPage, qtbot: QtBot) -> None:
    page.model.add_workload(REQUESTS, "store")
    typed(page, qtbot, "PUT a second of store", "3,000")
    assert field(page, "GET a second of store").text() == "20000"
    stated = page.model.workloads[0]
    assert (stated["rate"], stated["mix"]["PUT"]["weight"]) == ("23000 1/s", 3000)


def test_what_a_form_changes_leaves_the_comments_of_a_plan(window: MainWindow, page: PlanPage) -> None:
    window.open("hdfs-or-minio")
    first = page.model.text.splitlines()[0]
    page.model.set("3 PB", "requirements", "stored")
    page.model.rename_candidate("MinIO on NVMe", "All flash")
    assert page.model.text.splitlines()[0] == first
    assert '[candidates."All flash"]' in page.model.text


def test_a_quotation_becomes_a_candidate_once_its_rows_are_known(page: PlanPage, qtbot: QtBot, tmp_path: Path) -> None:
    offer = tmp_path / "offer-a.csv"
    offer.write_text("Item;Unit price\n20TB 7.2k HDD;310 USD\nOnsite support;850 USD\n", encoding="utf-8")
    page.model.add_candidate()
    page.candidates.offer_chosen.emit(offer)
    qtbot.waitUntil(lambda: page.findChild(RowsDialog) is not None, timeout=PATIENCE)
    dialog = page.findChild(RowsDialog)
    assert [row.text for row in dialog._asked] == ["Onsite support"]
    with qtbot.waitSignal(page.study.finished, timeout=PATIENCE):
        dialog.accept()
    assert list(page.model.candidates) == [NAMED, f"{NAMED}, offer-a"]
    assert page.model.candidates[f"{NAMED}, offer-a"]["prices"]["drives"]["hdd"]
    assert page.model.is_right


def test_of_thousands_of_unknown_rows_the_first_are_asked_for_and_the_others_later(
    page: PlanPage, qtbot: QtBot, tmp_path: Path
) -> None:
    rows = "".join(f"Flux <b>{number:04}</b>;1 USD\n" for number in range(70))
    offer = tmp_path / "many.csv"
    offer.write_text(f"Item;Unit price\n20TB 7.2k HDD;310 USD\n{rows}", encoding="utf-8")
    page.model.add_candidate()
    page.candidates.offer_chosen.emit(offer)
    qtbot.waitUntil(lambda: page.findChild(RowsDialog) is not None, timeout=PATIENCE)
    dialog = page.findChild(RowsDialog)
    assert len(dialog._asked) == AT_ONCE
    assert dialog.height() < page.window().height()
    dialog.accept()
    qtbot.waitUntil(lambda: page.findChild(RowsDialog) not in (None, dialog), timeout=PATIENCE)
    rest = page.findChild(RowsDialog)
    assert [row.text for row in rest._asked] == [f"Flux <b>{number:04}</b>" for number in range(AT_ONCE, 70)]
    with qtbot.waitSignal(page.study.finished, timeout=PATIENCE):
        rest.accept()
    assert list(page.model.candidates) == [NAMED, f"{NAMED}, many"]


def test_a_card_without_racks_says_why(page: PlanPage, qtbot: QtBot) -> None:
    page.show_step(1)
    page.model.add_candidate()
    why = page.candidates.cards[0].why
    qtbot.waitUntil(lambda: "nothing is stored, and nothing runs; say under Stored now" in why.text(), timeout=PATIENCE)
    page.model.set("20 TB", "requirements", "stored")
    page.model.set("1", "candidates", NAMED, "count")
    qtbot.waitUntil(lambda: "needs as many servers, group 'servers' has 1" in why.text(), timeout=PATIENCE)
    page.model.set("4", "candidates", NAMED, "count")
    qtbot.waitUntil(lambda: page.candidates.cards[0].rack.isVisible() and why.isHidden(), timeout=PATIENCE)


def test_a_card_shows_the_racks_of_its_servers_and_follows_their_number(page: PlanPage, qtbot: QtBot) -> None:
    page.show_step(1)
    page.model.set("20 TB", "requirements", "stored")
    page.model.add_candidate()
    rack = page.candidates.cards[0].rack
    page.model.set("4..8:4", "candidates", NAMED, "count")
    qtbot.waitUntil(lambda: rack.accessibleDescription().startswith("rack-1: 8 of servers"), timeout=PATIENCE // 4)
    (frame, name, things), *_ = rack.frames()
    assert name == "rack-1"
    assert frame.contains(things[0].area)
    assert [drawn.name for drawn in things[:8]] == [f"servers-{i + 1}" for i in range(8)]
    page.model.set("4..12:4", "candidates", NAMED, "count")
    qtbot.waitUntil(lambda: rack.accessibleDescription().startswith("rack-1: 12 of servers"), timeout=PATIENCE)
