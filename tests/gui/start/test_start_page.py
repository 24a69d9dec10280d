"""Start: a tile leads to the page that it names, and recent files carry their answers."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.gui.shell.window import MainWindow
from tests.gui.conftest import SMALL

LEFT = Qt.MouseButton.LeftButton


def test_each_tile_leads_to_where_one_begins(window: MainWindow, qtbot: QtBot) -> None:
    start = window.show_page("Start")
    qtbot.mouseClick(start.size_tile, LEFT)
    assert (window.page, window.pages["Plan"].step) == ("Plan", 0)
    window.show_page("Start")
    qtbot.keyClick(start.compare_tile, Qt.Key.Key_Space)
    assert (window.page, window.pages["Plan"].step) == ("Plan", 1)
    window.show_page("Start")
    qtbot.mouseClick(start.example_tile, LEFT)
    assert (window.page, window.session.document.name) == ("Cluster", "hdfs-terasort")
    window.show_page("Start")
    qtbot.mouseClick(start.library_button, LEFT)
    assert window.page == "Library"


def test_a_recent_file_says_what_it_came_to(window: MainWindow, tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(SMALL, encoding="utf-8")
    assert window.open(str(path))
    window.session.answer_found.emit("TeraSort takes 40 s", path)
    start = window.show_page("Start")
    text = start.recent.index(0, 0).data()
    assert text.startswith("mine.toml  ·  TeraSort takes 40 s  ·  20")
    window.session.answer_found.emit("TeraSort takes 40 s on each of twelve servers. " * 9, path)
    QApplication.processEvents()
    place = start.recent_view.visualRect(start.recent.index(0, 0))
    assert place.width() <= start.recent_view.viewport().width()
    assert place.height() > 2 * start.fontMetrics().height()
