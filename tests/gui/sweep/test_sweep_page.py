"""Sweep, from the tree to a point that is opened: what is typed, what runs, what is kept, and what is told."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QLineEdit
from pytestqt.qtbot import QtBot

from app.gui.shell.window import MainWindow
from app.gui.sweep.page import SweepPage

PATIENCE = 60_000  # milliseconds; points take tenths of a second, a busy machine makes them many
COUNT = "cluster.groups.workers.count"


@pytest.fixture
def page(window: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> SweepPage:
    """Return the page with a small profile, and a store of its own."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    session = window.session
    session.open_text(session.document.text.replace("5 GB", "2 GB"), "small")
    shown = window.show_page("Sweep")
    assert isinstance(shown, SweepPage)
    shown.where.workers.setValue(1)
    return shown


def vary(page: SweepPage, key: str, values: str) -> None:
    row = page.axes.add(key)
    page.axes.setData(page.axes.index(row, 1), values)


def press(page: SweepPage, qtbot: QtBot) -> None:
    with qtbot.waitSignal(page.study.finished, timeout=PATIENCE):
        qtbot.mouseClick(page.start_button, Qt.MouseButton.LeftButton)


def test_a_key_of_the_tree_is_varied_by_its_menu(window: MainWindow, page: SweepPage) -> None:
    window.show_page("Run")
    window.session.select_key(COUNT)
    window.tree.vary_action.trigger()
    assert window.page == "Sweep"
    assert page.axes.rows == ((COUNT, "6,12,24"),)
    assert "3 points" in page.summary.text()


def test_more_runs_of_each_point_are_told_to_take_as_much_longer(window: MainWindow, page: SweepPage) -> None:
    vary(page, COUNT, "4,8,12")
    page._pace = (4.0, 1)  # as after a sweep: seconds of a run, one at a time
    page.refresh()
    assert "about 12 s" in page.summary.text()
    window.replications.setValue(5)
    assert "5 runs each, about 1 min 0 s" in page.summary.text()


def test_points_are_simulated_sorted_drawn_and_opened(window: MainWindow, page: SweepPage, qtbot: QtBot) -> None:
    vary(page, COUNT, "4,8,12")
    press(page, qtbot)
    assert page.model.rowCount() == 3
    assert page.message.text().startswith("3 of 3 points: 3 simulated in ")
    assert page.chart.kind.currentText() == "Curves over a key"
    page.table.sortByColumn(1, Qt.SortOrder.DescendingOrder)
    page.table.selectRow(0)
    qtbot.mouseClick(page.open_button, Qt.MouseButton.LeftButton)
    window.session.check()
    assert window.page == "Cluster"
    assert window.session.scenario.cluster.groups["workers"].count == 12
    window.session.document.stack.undo()
    assert "count" not in window.session.document.text


def test_points_of_other_values_or_of_another_profile_are_dim_and_say_so(
    window: MainWindow, page: SweepPage, qtbot: QtBot
) -> None:
    session = window.session
    vary(page, COUNT, "4,8")
    press(page, qtbot)
    assert not page.age.isVisible()
    values = page.axes.index(0, 1)
    page.axes.setData(values, "4,12")
    assert page.age.text() == "What varies above has changed since."
    page.axes.setData(values, "4,8")
    assert not page.age.isVisible()
    session.set_value("workload.input", "3 GB")
    session.check()
    assert page.age.text() == "The profile has changed since."
    session.document.stack.undo()
    session.check()
    assert not page.age.isVisible()
    session.document.stack.setClean()
    session.open("copy-distcp-11-node")
    assert page.age.text() == "This is of small, and another profile is open."


def test_how_sure_the_points_are_is_found_once_they_are_seen(
    page: SweepPage, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HEADROOM_INTERVAL", "fast")
    vary(page, COUNT, "4,12")
    with qtbot.waitSignal(page.certainty.finished, timeout=PATIENCE):
        press(page, qtbot)
    assert all(point.ends and point.ends[0] < point.duration < point.ends[1] for point in page.model.points)
    assert "band: 80 % of the cases" in page.chart.chart.legend.text()


def test_a_sweep_that_was_cancelled_before_a_point_was_done_offers_no_button_that_is_not_there(
    page: SweepPage, qtbot: QtBot
) -> None:
    page.axes.add(COUNT, "4..24:4")
    page.start()
    with qtbot.waitSignal(page.study.cancelled, timeout=PATIENCE):
        page.cancel()
    assert page.message.text() == "Cancelled before the first of 6 points was done: Start begins again."
    assert page.start_button.text() == "&Start"


def test_a_sweep_that_was_cancelled_goes_on_where_it_was(page: SweepPage, qtbot: QtBot) -> None:
    vary(page, COUNT, "4,8,12,16,20,24,28,32,36,40,44,48")
    qtbot.mouseClick(page.start_button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: page.model.rowCount() > 0, timeout=PATIENCE)
    qtbot.mouseClick(page.cancel_button, Qt.MouseButton.LeftButton)
    done = page.model.rowCount()
    assert f"Cancelled: {done} of 12 points are done and kept" in page.message.text()
    assert page.start_button.text() == "Res&ume"
    page.axes.setData(page.axes.index(0, 1), "4,8")
    press(page, qtbot)
    assert page.model.rowCount() == 2
    assert "kept from before" in page.message.text()
    press(page, qtbot)
    assert page.message.text() == "2 of 2 points: 2 kept from before."


def test_one_point_says_how_long_the_others_take(page: SweepPage, qtbot: QtBot) -> None:
    vary(page, COUNT, "4,8,12")
    assert "time not known yet" in page.summary.text()
    with qtbot.waitSignal(page.study.finished, timeout=PATIENCE):
        qtbot.mouseClick(page.time_button, Qt.MouseButton.LeftButton)
    assert page.model.rowCount() == 1
    assert "3 points" in page.summary.text()
    assert "about" in page.summary.text()
    assert page.start_button.text() == "Res&ume"


def test_what_is_wrong_is_told_in_its_row_and_nothing_can_be_started(page: SweepPage) -> None:
    vary(page, COUNT, "4,8")
    vary(page, "workload.inptu", "1 GB")
    assert "did you mean 'input'?" in page.axes.index(1, 2).data()
    assert not page.start_button.isEnabled()
    page.axes.remove(1)
    assert page.start_button.isEnabled()


def test_a_value_between_the_ends_that_is_wrong_is_told_in_its_row_when_it_is_found(
    page: SweepPage, qtbot: QtBot
) -> None:
    vary(page, COUNT, "4,x,8")
    press(page, qtbot)
    assert "expected a whole number (got 'x')" in page.axes.index(0, 2).data()
    assert page.model.rowCount() == 0


def test_without_a_key_the_page_says_what_to_do(page: SweepPage) -> None:
    assert "Vary this key" in page.table.hint
    assert "Vary this key" in page.axes_view.table.hint
    assert not page.start_button.isEnabled()
    assert page.summary.text() == ""


def test_a_connection_that_is_no_address_is_told_beside_it(page: SweepPage, qtbot: QtBot) -> None:
    page.where.where.setCurrentText("Dask scheduler")
    qtbot.keyClicks(page.where.address, "here")
    with qtbot.waitSignal(page.where._trial.failed, timeout=PATIENCE):
        qtbot.mouseClick(page.where.test_button, Qt.MouseButton.LeftButton)
    assert "expected the address of a Dask scheduler such as tcp" in page.where.said.text()


def test_the_sweep_is_copied_as_a_command(page: SweepPage, qtbot: QtBot) -> None:
    vary(page, COUNT, "4..12:4")
    qtbot.mouseClick(page.copy_button, Qt.MouseButton.LeftButton)
    assert QGuiApplication.clipboard().text() == (
        "simulate sweep --profile small --vary cluster.groups.workers.count=4..12:4 --workers 1"
    )


def test_a_part_of_a_key_that_is_one_alone_is_that_key_and_its_values_come_next(page: SweepPage, qtbot: QtBot) -> None:
    table = page.axes_view.table
    qtbot.mouseClick(page.axes_view.add_button, Qt.MouseButton.LeftButton)
    (editor,) = table.viewport().findChildren(QLineEdit)
    qtbot.keyClicks(editor, "count")
    qtbot.keyClick(editor, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: page.axes.rows == ((COUNT, "6,12,24"),))
    qtbot.waitUntil(lambda: [edit.text() for edit in table.viewport().findChildren(QLineEdit)] == ["6,12,24"])
    (editor,) = table.viewport().findChildren(QLineEdit)
    editor.selectAll()
    qtbot.keyClicks(editor, "4,8")
    qtbot.keyClick(editor, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: page.axes.rows == ((COUNT, "4,8"),))


def test_columns_that_come_with_the_points_are_as_wide_as_their_words(page: SweepPage, qtbot: QtBot) -> None:
    vary(page, COUNT, "4,8")
    vary(page, "workload.input", "1 GB,2 GB")
    press(page, qtbot)
    table = page.table
    others = range(table.model().columnCount() - 1)  # the last one takes the room that is left
    assert all(table.columnWidth(column) >= table.sizeHintForColumn(column) for column in others)
    assert not table._widths._by_hand
