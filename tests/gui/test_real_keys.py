"""What an unlucky user presses, as keys of a keyboard: on a stranger's project, too often, at the worst moment."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMessageBox
from pytestqt.qtbot import QtBot

from app.gui.shell.window import MainWindow
from tests.gui.conftest import show
from tests.gui.hands import CTRL, PATIENCE, drop

TEXT = 'extends = "hdfs-sort"\n'


@pytest.fixture
def asked(qtbot: QtBot) -> Iterator[list[str]]:
    """Press Escape in whatever asks; give what it asked."""
    heard: list[str] = []

    def escape() -> None:
        box = QApplication.activeModalWidget()
        if box is not None:
            heard.append(box.text() if isinstance(box, QMessageBox) else box.windowTitle())
            QTest.keyClick(box, Qt.Key.Key_Escape)

    timer = QTimer(interval=50)
    timer.timeout.connect(escape)
    timer.start()
    yield heard
    timer.stop()


def opened(window: MainWindow, qtbot: QtBot, file: Path) -> None:
    """Show a window and drop a file on it."""
    show(window, qtbot)
    drop(window, file)
    qtbot.waitUntil(lambda: window.session.document.text == TEXT, timeout=PATIENCE)


@pytest.mark.parametrize("path", ["{}/mine.toml", "../mine.toml"])
def test_ctrl_s_on_a_strangers_project_asks_for_a_file_and_writes_none(
    window: MainWindow, qtbot: QtBot, asked: list[str], tmp_path: Path, path: str
) -> None:
    mine, project = tmp_path / "mine.toml", tmp_path / "theirs" / "p.headroom"
    mine.write_text("# mine\n", encoding="utf-8")
    project.parent.mkdir()
    profile = {"name": "p", "text": TEXT, "path": path.format(tmp_path), "base": ".", "is_changed": True}
    project.write_text(json.dumps({"version": 1, "profiles": [profile], "runs": [], "notes": ""}), encoding="utf-8")
    opened(window, qtbot, project)
    qtbot.keyClick(window, Qt.Key.Key_S, CTRL)
    assert asked == ["Save the profile"]
    assert mine.read_text(encoding="utf-8") == "# mine\n"
    assert [file.name for file in project.parent.iterdir()] == ["p.headroom"]


def test_ctrl_s_where_the_folder_has_vanished_tells_so_and_keeps_the_work(
    window: MainWindow, qtbot: QtBot, asked: list[str], tmp_path: Path
) -> None:
    profile = tmp_path / "gone" / "p.toml"
    profile.parent.mkdir()
    profile.write_text(TEXT, encoding="utf-8")
    opened(window, qtbot, profile)
    window.session.set_text(f"{TEXT}# work\n")
    shutil.rmtree(profile.parent)
    qtbot.keyClick(window, Qt.Key.Key_S, CTRL)
    qtbot.waitUntil(lambda: bool(asked), timeout=PATIENCE)
    (message,) = asked
    assert f"{profile}: cannot be written: no such file or directory; nothing is lost" in message
    assert "# work" in window.session.document.text
    assert window.session.document.is_changed


def test_ctrl_r_pressed_a_hundred_times_begins_one_run(window: MainWindow, qtbot: QtBot) -> None:
    show(window, qtbot)
    ended: list[object] = []
    window.session.run_finished.connect(ended.append)
    for _ in range(100):
        qtbot.keyClick(window, Qt.Key.Key_R, CTRL)
    qtbot.waitUntil(lambda: bool(ended) and not window.session.is_running, timeout=PATIENCE)
    assert len(ended) == 1
