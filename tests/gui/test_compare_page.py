"""Compare, from kept runs and from a study to the table: baseline, colours, words, cancelling."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from pytestqt.qtbot import QtBot

from app.gui import theme
from app.gui.compare_page import ComparePage
from app.gui.main_window import MainWindow

PATIENCE = 60_000  # milliseconds; a run takes a second, a busy machine makes it many
CTRL = Qt.KeyboardModifier.ControlModifier


def keep(window: MainWindow, qtbot: QtBot, size: str) -> None:
    """Simulate the small profile with an input of a size, and keep the run."""
    window.session.open_text(window.session.document.text.replace("5 GB", size), f"terasort-{size[0]}")
    with qtbot.waitSignal(window.session.run_finished, timeout=PATIENCE):
        qtbot.keyClick(window, Qt.Key.Key_R, CTRL)
    qtbot.keyClick(window, Qt.Key.Key_D, CTRL)
    window.session.open_text(window.session.document.text.replace(size, "5 GB"), "small")


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
    qtbot.waitUntil(lambda: page.found is not None, timeout=PATIENCE)
    assert [side.name for side in page.found.sides] == ["terasort-1 #1", "terasort-2 #2"]
    assert page.model.index(1, 0).data() == "workload.input"
    assert theme.series_colour(1).name() in page.said.text()
    with qtbot.waitSignal(page.study.finished, timeout=PATIENCE):
        page.baseline.textActivated.emit("terasort-2 #2")
    assert page.found.sides[0].name == "terasort-2 #2"
    assert page.found.sides[0].colour == 1
    page.actions()[1].trigger()
    assert QGuiApplication.clipboard().text().startswith("simulate compare ")


def test_a_shipped_study_is_started_and_cancelled(window: MainWindow, qtbot: QtBot) -> None:
    page = shown(window, qtbot)
    page.source.setCurrentIndex(page.source.findData("hdfs-against-minio"))
    qtbot.mouseClick(page.run_button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: "Simulating" in page.progress.format(), timeout=PATIENCE)
    with qtbot.waitSignal(page.study.cancelled, timeout=PATIENCE):
        qtbot.mouseClick(page.cancel_button, Qt.MouseButton.LeftButton)
    assert page.said.text() == "Cancelled."
    assert not page.cancel_button.isEnabled()
