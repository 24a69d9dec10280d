"""Compare, from kept runs and from a study to the table: baseline, colours, words, cancelling."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from pytestqt.qtbot import QtBot

from app.gui.compare.page import ComparePage
from app.gui.look import theme
from app.gui.shell.window import MainWindow

PATIENCE = 60_000  # milliseconds; a run takes a second, a busy machine makes it many
CTRL = Qt.KeyboardModifier.ControlModifier


def keep(window: MainWindow, qtbot: QtBot, size: str) -> None:
    """Simulate the small profile with an input of a size, and keep the run."""
    window.session.open_text(window.session.document.text.replace("5 GB", size), f"terasort-{size[0]}")
    window.replications.setValue(2)
    with qtbot.waitSignal(window.session.run_finished, timeout=PATIENCE):
        qtbot.keyClick(window, Qt.Key.Key_R, CTRL)
    qtbot.keyClick(window, Qt.Key.Key_D, CTRL)
    window.session.open_text(window.session.document.text.replace(size, "5 GB"), "small")


def is_done(page: ComparePage) -> bool:
    return page.found is not None and page.found.document is not None


def shown(window: MainWindow, qtbot: QtBot) -> ComparePage:
    page = window.show_page("Compare")
    assert isinstance(page, ComparePage)
    return page


def test_an_empty_page_says_what_to_do(window: MainWindow, qtbot: QtBot) -> None:
    page = shown(window, qtbot)
    assert page.contents.currentWidget() is page.empty
    assert "Ctrl+D" in page.empty.text()
    assert not page.run_button.isEnabled()


def test_kept_runs_stand_side_by_side_and_any_is_the_baseline(window: MainWindow, qtbot: QtBot) -> None:
    keep(window, qtbot, "1 GB")
    keep(window, qtbot, "2 GB")
    page = shown(window, qtbot)
    qtbot.waitUntil(lambda: is_done(page), timeout=PATIENCE)
    assert [side.name for side in page.found.sides] == ["terasort-1 #1", "terasort-2 #2"]
    assert page.model.index(1, 0).data() == "workload.input"
    assert theme.series_colour(1).name() in page.said.text()
    with qtbot.waitSignal(page.study.finished, timeout=PATIENCE):
        page.baseline.textActivated.emit("terasort-2 #2")
    assert page.found.sides[0].name == "terasort-2 #2"
    assert page.found.sides[0].colour == 1
    page.actions()[1].trigger()
    assert QGuiApplication.clipboard().text().startswith("simulate compare ")


def test_how_sure_scenarios_are_follows_the_comparison(
    window: MainWindow, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    keep(window, qtbot, "1 GB")
    keep(window, qtbot, "2 GB")
    monkeypatch.setenv("HEADROOM_INTERVAL", "fast")
    page = shown(window, qtbot)
    qtbot.waitUntil(lambda: is_done(page), timeout=PATIENCE)
    qtbot.waitUntil(lambda: page.said.text().count(", likely ") == 2, timeout=PATIENCE)
    assert page.model.index(page.model.rowCount() - 1, 0).data() == "next limit"


def test_a_shipped_study_is_started_and_cancelled(window: MainWindow, qtbot: QtBot) -> None:
    page = shown(window, qtbot)
    page.source.setCurrentIndex(page.source.findData("hdfs-against-minio"))
    assert page.model.index(3, 2).data() == "12 × h1.16xlarge"
    assert "5 of 5 scenarios to simulate" in page.said.text()
    qtbot.mouseClick(page.run_button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: "Simulating" in page.progress.format(), timeout=PATIENCE)
    with qtbot.waitSignal(page.study.cancelled, timeout=PATIENCE):
        qtbot.mouseClick(page.cancel_button, Qt.MouseButton.LeftButton)
    assert page.message.text() == "Cancelled."
    assert not page.cancel_button.isEnabled()


def test_six_scenarios_find_room_beside_what_rows_are_about(window: MainWindow, qtbot: QtBot) -> None:
    keep(window, qtbot, "1 GB")
    page = shown(window, qtbot)
    page.source.setCurrentIndex(page.source.findData("hdfs-against-minio"))
    table = page.table
    assert page.model.columnCount() == 7
    assert sum(table.columnWidth(column) for column in range(7)) <= table.viewport().width()
    assert table.horizontalHeader().height() >= 2 * table.fontMetrics().height()
    assert len({side.colour for side in page.found.sides}) == 6


def test_a_narrow_window_scrolls_scenarios_and_leaves_what_rows_are_about(window: MainWindow, qtbot: QtBot) -> None:
    page = shown(window, qtbot)
    page.source.setCurrentIndex(page.source.findData("hdfs-against-minio"))
    table = page.table
    table.resize(420, 300)
    table.setCurrentIndex(page.model.index(2, 5))
    assert table.horizontalScrollBar().value() > 0
    assert table.frozen.isVisible()
    assert table.frozen.columnViewportPosition(0) == 0
    table.setCurrentIndex(page.model.index(2, 1))
    assert table.visualRect(page.model.index(2, 1)).left() >= table.columnWidth(0)


def test_a_scenario_is_left_out_by_its_check_mark(window: MainWindow, qtbot: QtBot) -> None:
    page = shown(window, qtbot)
    page.source.setCurrentIndex(page.source.findData("hdfs-against-minio"))
    page.bar.scenarios_button.menu().actions()[0].trigger()
    assert page.found.sides[0].name == "HDFS, 12 servers"
    assert page.model.columnCount() == 5
    assert not any("storage" in page.model.index(row, 0).data() for row in range(page.model.rowCount()))


def test_a_scenario_of_a_study_is_opened_as_a_profile(window: MainWindow, qtbot: QtBot) -> None:
    window.session.document.stack.setClean()
    page = shown(window, qtbot)
    page.source.setCurrentIndex(page.source.findData("hdfs-against-minio"))
    page.bar.open_button.menu().actions()[3].trigger()
    session = window.session
    assert window.page == "Cluster"
    assert session.scenario.cluster.groups["workers"].count == 23
    assert session.changes() == {"cluster.groups.workers.count": "23", "prices": "aws-on-demand-2019"}
    assert not session.document.is_changed


def test_a_kept_run_is_opened_as_it_was(window: MainWindow, qtbot: QtBot) -> None:
    keep(window, qtbot, "1 GB")
    page = shown(window, qtbot)
    page.bar.open_button.menu().actions()[0].trigger()
    assert window.session.document.name == "terasort-1"
    assert 'input = "1 GB"' in window.session.document.text


def test_a_comparison_is_exported(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    keep(window, qtbot, "1 GB")
    keep(window, qtbot, "2 GB")
    page = shown(window, qtbot)
    assert not page.bar.export_button.isEnabled()
    qtbot.waitUntil(lambda: is_done(page), timeout=PATIENCE)
    with qtbot.waitSignal(page.study.finished, timeout=PATIENCE):
        page.export(tmp_path / "compared.md")
    assert "Written" in page.message.text()
    assert "terasort-2 #2" in (tmp_path / "compared.md").read_text(encoding="utf-8")


def test_the_last_run_is_kept_from_here(window: MainWindow, qtbot: QtBot) -> None:
    with qtbot.waitSignal(window.session.run_finished, timeout=PATIENCE):
        qtbot.keyClick(window, Qt.Key.Key_R, CTRL)
    page = shown(window, qtbot)
    assert page.bar.keep_button.text() == "&Keep small #1 as scenario"
    qtbot.mouseClick(page.bar.keep_button, Qt.MouseButton.LeftButton)
    assert [run.label for run in window.session.runs] == ["small #1"]
    assert page.bar.keep_button.isHidden()
    assert "One scenario is kept" in page.empty.text()


def test_a_study_says_how_many_runs_it_takes_as_they_are_chosen(window: MainWindow, qtbot: QtBot) -> None:
    window.session.document.stack.setClean()
    window.open_study("hdfs-against-minio")
    page = shown(window, qtbot)
    assert "5 of 5 scenarios to simulate, 5 runs each" in page.said.text()
    window.replications.setValue(2)
    assert "2 runs each" in page.said.text()
