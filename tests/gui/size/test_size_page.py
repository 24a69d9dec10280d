"""Size: targets as they are typed, the answer with its reasons, and the answer as a profile."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QGuiApplication, QUndoStack
from PySide6.QtWidgets import QPushButton
from pytestqt.qtbot import QtBot

from app.gui.jobs import processes
from app.gui.shell.window import MainWindow
from app.gui.size.page import SizePage
from app.gui.size.targets_model import MEANS, VALUE, TargetsModel

PATIENCE = 60_000  # milliseconds; options take tenths of a second, a busy machine makes them many
COUNT = "cluster.groups.workers.count"


@pytest.fixture
def page(window: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> SizePage:
    """Return the page with a small profile, three counts to choose from, and a store of its own."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    session = window.session
    session.open_text(session.document.text.replace("5 GB", "2 GB"), "small")
    shown = window.show_page("Size")
    assert isinstance(shown, SizePage)
    shown.workers.setValue(1)
    shown.axes.add(COUNT, "4,8,12")
    return shown


def press(page: SizePage, qtbot: QtBot) -> None:
    with qtbot.waitSignal(page.study.finished, timeout=PATIENCE):
        qtbot.mouseClick(page.start_button, Qt.MouseButton.LeftButton)


def verdicts(page: SizePage) -> dict[str, str]:
    model = page.table.model()
    return {model.index(row, 0).data(): model.index(row, 3).data() for row in range(model.rowCount())}


def test_targets_are_written_as_the_command_line_takes_them() -> None:
    targets = TargetsModel(QUndoStack())
    targets.add("duration", value="15 min")
    targets.add("usable", value="2 PB")
    assert targets.texts == ("duration <= 15 min", "usable >= 2 PB")
    assert targets.is_right


@pytest.mark.parametrize(
    ("measure", "value", "message"),
    [
        ("duration", "", "type a value"),
        ("duration", "15 GB", "expected a time"),
        ("usable", "2", "such as"),
        ("survives_reading_racks", "many", "expected a number"),
    ],
)
def test_a_value_that_cannot_be_met_is_told_in_its_row(measure: str, value: str, message: str) -> None:
    targets = TargetsModel(QUndoStack())
    targets.add(measure, value=value)
    assert message in targets.index(0, MEANS).data()
    assert not targets.is_right


def test_choosing_another_measure_turns_the_sense_to_what_is_better() -> None:
    targets = TargetsModel(QUndoStack())
    targets.add("duration")
    targets.setData(targets.index(0, 0), "usable")
    targets.setData(targets.index(0, VALUE), "1 TB")
    assert targets.texts == ("usable >= 1 TB",)


def test_targets_and_choices_stand_side_by_side_and_nothing_of_them_moves_in_a_tall_window(
    window: MainWindow, page: SizePage, qtbot: QtBot
) -> None:
    tables = (page.targets_view.table, page.axes_view.table)
    for height in (500, 860):
        window.resize(window.width(), height)
        qtbot.waitUntil(lambda: len({table.mapTo(page, table.rect().topLeft()).y() for table in tables}) == 1)
    assert len({table.height() for table in tables}) == 1


def test_the_smallest_is_found_explained_and_opened(window: MainWindow, page: SizePage, qtbot: QtBot) -> None:
    page.targets.add("usable", value="30 TB")
    page.targets.add("duration", value="10 min")
    press(page, qtbot)
    assert "<b>Answer:</b> 8 workers" in page.answer.text()
    assert "3 options, 1 simulated, 2 decided without a run" in page.answer.text()
    told = verdicts(page)
    assert told["count = 8"] == "the answer"
    assert told["count = 12"].startswith("not needed: ")
    assert "usable 12.91 TB, 17.09 TB short of 30 TB" in told["count = 4"]
    qtbot.mouseClick(page.open_button, Qt.MouseButton.LeftButton)
    window.session.check()
    assert window.page == "Cluster"
    assert window.session.scenario.cluster.groups["workers"].count == 8


def ground(page: SizePage) -> QColor:
    """Return the colour at the end of the first option, which is chosen."""
    table = page.table
    row = table.visualRect(table.model().index(0, 3)).translated(table.viewport().pos())
    return table.grab().toImage().pixelColor(row.right() - 2, row.center().y())


def test_an_answer_of_other_targets_or_of_another_profile_is_dim_and_says_so(
    window: MainWindow, page: SizePage, qtbot: QtBot
) -> None:
    session, least = window.session, page.targets_view.least
    page.targets.add("usable", value="30 TB")
    press(page, qtbot)
    assert not page.age.isVisible()
    bright = ground(page)
    page.targets.setData(page.targets.index(0, VALUE), "31 TB")
    assert page.age.text() == "What is asked above has changed since."
    assert ground(page) != bright
    page.targets.setData(page.targets.index(0, VALUE), "30 TB")
    assert not page.age.isVisible()
    assert ground(page) == bright
    chosen = least.currentText()
    least.setCurrentText("drives")
    assert page.age.isVisible()
    least.setCurrentText(chosen)
    assert not page.age.isVisible()
    window.seed.setValue(7)
    assert page.age.text() == "Seed or runs have changed since."
    session.set_value("workload.input", "3 GB")
    session.check()
    assert page.age.text() == "The profile has changed since."
    session.document.stack.setClean()
    session.open("copy-distcp-11-node")
    assert page.age.text() == "This is of small, and another profile is open."


def test_a_long_answer_scrolls_in_a_small_window_and_lies_on_no_table(
    window: MainWindow, page: SizePage, qtbot: QtBot
) -> None:
    window.resize(960, 540)
    page.targets.add("usable", value="30 TB")
    page.targets.add("duration", value="10 min")
    press(page, qtbot)
    view, area = page.targets_view, page.answer.parentWidget().parentWidget()
    qtbot.waitUntil(lambda: page.answer.height() > area.height() > 0)
    assert page.answer.height() >= page.answer.heightForWidth(page.answer.width())
    button = next(button for button in view.findChildren(QPushButton) if button.text().replace("&", "") == "Add target")
    assert view.table.geometry().bottom() < button.mapTo(view, button.rect().topLeft()).y()
    without = area.grab().toImage()
    view.table.setFocus()
    while page.window().focusWidget() is not area:
        qtbot.keyClick(page.window().focusWidget(), Qt.Key.Key_Tab)
    assert area.accessibleName() == "Answer"
    assert area.grab().toImage() != without  # a ring says which part has the keys
    qtbot.keyClick(area, Qt.Key.Key_Down)
    assert area.verticalScrollBar().value() > 0
    page.take_setup(page.setup())
    assert not area.isVisible()


def test_where_nothing_meets_the_targets_each_option_says_why(page: SizePage, qtbot: QtBot) -> None:
    page.targets.add("usable", value="9 PB")
    press(page, qtbot)
    assert "no option meets every target" in page.answer.text()
    assert "3 options, 0 simulated" in page.answer.text()
    assert all("short of 9 PB" in verdict for verdict in verdicts(page).values())


def test_a_measure_that_is_none_is_told_with_those_that_there_are(page: SizePage, qtbot: QtBot) -> None:
    page.targets.add("durations", "<=", "5 s")
    press(page, qtbot)
    assert "there is no measure 'durations'; did you mean 'duration'?" in page.message.text()
    page.targets.setData(page.targets.index(0, 0), "duration")
    assert page.message.text() == ""


def test_a_profile_without_prices_cannot_be_sized_by_cost(page: SizePage, qtbot: QtBot) -> None:
    page.targets.add("duration", value="10 min")
    page.targets_view.least.setCurrentText("cost_over_3_years")
    press(page, qtbot)
    assert "Minimize: 'cost_over_3_years' needs a price list" in page.message.text()


def test_without_targets_the_page_says_what_to_do(page: SizePage) -> None:
    assert "Add target" in page.targets_view.table.hint
    assert "what has to be met" in page.table.hint
    assert not page.start_button.isEnabled()


def test_the_sizing_is_copied_as_a_command(page: SizePage, qtbot: QtBot) -> None:
    page.targets.add("survives_reading_racks", value="1")
    qtbot.mouseClick(page.copy_button, Qt.MouseButton.LeftButton)
    assert QGuiApplication.clipboard().text() == (
        "simulate size --profile small --vary cluster.groups.workers.count=4,8,12"
        " --target 'survives_reading_racks >= 1' --minimize servers --workers 1"
    )


def test_while_a_sweep_runs_a_search_may_be_started(window: MainWindow, page: SizePage) -> None:
    page.targets.add("duration", value="10 min")
    sweep = window.show_page("Sweep")
    sweep.axes.add(COUNT, "4..60:1")
    sweep.start()
    window.show_page("Size")
    assert page.start_button.isEnabled()
    sweep.cancel()


def test_where_no_more_studies_may_run_the_page_says_so(
    window: MainWindow, page: SizePage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(processes, "AT_ONCE", 1)
    page.targets.add("duration", value="10 min")
    sweep = window.show_page("Sweep")
    sweep.axes.add(COUNT, "4..60:1")
    sweep.start()
    window.show_page("Size")
    assert "studies are running: wait for one" in page.summary.text()
    assert not page.start_button.isEnabled()
    sweep.cancel()
    window.show_page("Sweep")
    window.show_page("Size")
    assert page.start_button.isEnabled()


def test_a_certainty_that_is_asked_for_is_met_and_its_price_drawn(page: SizePage, qtbot: QtBot) -> None:
    page.targets.add("duration", value="1 h")
    page.targets_view.ask(0.9)
    press(page, qtbot)
    model = page.table.model()
    titles = [model.headerData(column, Qt.Orientation.Horizontal) for column in range(model.columnCount())]
    assert titles[3:] == ["met in", "why"]
    assert page.chart.isVisibleTo(page)
    assert "targets for the run are met in" in page.answer.text()
    qtbot.mouseClick(page.copy_button, Qt.MouseButton.LeftButton)
    assert "--confidence 0.9" in QGuiApplication.clipboard().text()
    assert page._session.setups.size.confidence == 0.9
