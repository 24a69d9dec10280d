"""What goes wrong outside of the window: files that are broken, gone or too new, a full disk, a process that is killed.

Each is told in words that name it, and the work is as it was.
"""

from __future__ import annotations

import errno
import os
import signal
from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QPointF, Qt, QUrl
from PySide6.QtGui import QDropEvent, Qt as GuiQt
from PySide6.QtWidgets import QLabel, QMessageBox
from pytestqt.qtbot import QtBot

from app.gui.pages import PAGES
from app.gui.session.project_file import SUFFIX
from app.gui.shell import docks
from app.gui.shell.window import MainWindow
from app.gui.studies import points
from tests.gui.conftest import SMALL

PATIENCE = 60_000  # milliseconds; a process takes seconds to start, a busy machine makes them many
COUNT = "cluster.groups.workers.count"
TAG = "<img src=x.png>"
HOSTILE = f"""\
storage = "hdfs"

[profile]
title = "{TAG}\\u202e"

[cluster.groups."{TAG}\\u202e"]
server = "h1.16xlarge"
count = 4

[workload]
use = "terasort"
framework = "yarn-h1"
input = "2 GB"
"""
NEWER = SMALL + '\n[quantum]\nentanglement = "full"\n'


def told(window: MainWindow) -> str:
    """Return what the window says in its only message, and close it."""
    (box,) = [message for message in window.findChildren(QMessageBox) if message.isVisible()]
    box.close()
    return box.text()


def dropped(window: MainWindow, path: Path, qtbot: QtBot) -> None:
    mime = QMimeData()
    mime.setUrls([QUrl.fromLocalFile(str(path))])
    action, button, none = Qt.DropAction.CopyAction, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    window.dropEvent(QDropEvent(QPointF(50, 50), action, mime, button, none))
    qtbot.wait(10)


@pytest.fixture
def changed(window: MainWindow) -> str:
    """Return the text of the open profile with an unsaved change; the window offers to drop it."""
    window.session.set_value(COUNT, "24")
    window.files.may_drop_changes = lambda: True  # type: ignore[method-assign]
    return window.session.document.text


def test_broken_toml_opens_with_its_line_and_can_be_mended(window: MainWindow, tmp_path: Path, qtbot: QtBot) -> None:
    path = tmp_path / "broken.toml"
    path.write_text(SMALL.replace('input = "5 GB"', "input = 5 GB"), encoding="utf-8")
    assert window.open(str(path))
    (problem,) = window.session.problems
    assert (problem.line, window.page) == (10, "Cluster")
    qtbot.waitUntil(window.problems.table.isVisible)
    assert not window.run_action.isEnabled()
    page = window.pages["Cluster"]
    page.editor.setPlainText(page.editor.toPlainText().replace("5 GB", '"5 GB"'))
    window.session.check()
    assert window.run_action.isEnabled()


def test_the_page_stays_where_it_is_while_somebody_types(window: MainWindow, qtbot: QtBot) -> None:
    window.open("hdfs-terasort")
    text, table = window.session.document.text, window.problems.table
    window.session.set_text(f"{text}\n[")
    window.session.check()
    assert not table.isVisible()
    window.session.set_text(text)
    window.session.check()
    qtbot.wait(2 * docks.PATIENCE)
    assert not table.isVisible()


def test_a_profile_of_a_newer_version_opens_and_names_what_is_not_known(window: MainWindow, tmp_path: Path) -> None:
    path = tmp_path / "newer.toml"
    path.write_text(NEWER, encoding="utf-8")
    assert window.open(str(path))
    (problem,) = window.session.problems
    assert (problem.key, problem.line) == ("quantum", 12)
    assert "unknown key" in problem.message
    assert window.session.document.text == NEWER


def test_a_project_cut_in_half_is_told_and_the_work_stays(
    window: MainWindow, changed: str, tmp_path: Path, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / f"whole{SUFFIX}"
    window.projects.model.save(path)
    half = tmp_path / f"half{SUFFIX}"
    half.write_bytes(path.read_bytes()[: path.stat().st_size // 2])
    dropped(window, half, qtbot)
    assert f"half{SUFFIX}" in told(window)
    assert window.session.document.text == changed


def test_what_is_no_text_is_told_and_the_work_stays(window: MainWindow, changed: str, tmp_path: Path) -> None:
    path = tmp_path / "picture.png"
    path.write_bytes(b"\x89PNG\r\n\x1a\n\xff\xfe")
    window.open(str(path))
    assert "it is not UTF-8 text" in told(window)
    window.open(str(tmp_path))
    assert "no such profile or file" in told(window)
    assert window.session.document.text == changed


def test_a_recent_file_that_was_deleted_is_told_and_leaves_the_lists(window: MainWindow, tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(SMALL, encoding="utf-8")
    window.open(str(path))
    home = window.show_page("Start")
    path.unlink()
    home.recent_view.activated.emit(home.recent.index(0, 0))
    assert "no such profile or file" in told(window)
    assert home.recent.rowCount() == 0
    assert window.session.document.name == "mine"


def test_an_open_file_that_was_deleted_is_written_anew(window: MainWindow, tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(SMALL, encoding="utf-8")
    window.open(str(path))
    window.session.set_value(COUNT, "24")
    path.unlink()
    window.save_action.trigger()
    assert "24" in path.read_text(encoding="utf-8")
    assert not window.isWindowModified()


def test_a_full_disk_on_save_is_told_and_the_file_and_the_work_stay(
    window: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(SMALL, encoding="utf-8")
    window.open(str(path))
    window.session.set_value(COUNT, "24")

    def full(target: Path, content: str) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("app.planning.files.write_whole", full)
    window.save_action.trigger()
    assert "cannot be written: no space left on device" in told(window)
    assert path.read_text(encoding="utf-8") == SMALL
    assert window.isWindowModified()
    assert "24" in window.session.document.text


@pytest.fixture
def sweep(window: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """Return the page of sweeps with more points than are simulated in a while, and a store of its own."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    page = window.show_page("Sweep")
    page.where.workers.setValue(1)
    page.axes.show([(COUNT, "4..400:2")])
    return page


def test_a_sweep_whose_process_is_killed_says_so_and_goes_on_from_there(
    window: MainWindow, sweep, qtbot: QtBot
) -> None:
    sweep.start()
    qtbot.waitUntil(lambda: sweep.model.rowCount() > 0, timeout=PATIENCE)
    done = sweep.model.rowCount()
    with qtbot.waitSignal(sweep.study.failed, timeout=PATIENCE):
        os.kill(sweep.study.process_id, signal.SIGKILL)
    assert "was ended from outside" in sweep.message.text()
    assert "Resume goes on" in sweep.message.text()
    assert sweep.model.rowCount() >= done
    assert sweep.start_button.text() == "Res&ume"
    assert sweep.start_button.isEnabled()
    sweep.axes.show([(COUNT, "4,8")])
    with qtbot.waitSignal(sweep.study.finished, timeout=PATIENCE):
        sweep.start()
    assert sweep.model.rowCount() == 2


def test_points_that_can_be_kept_nowhere_are_told_before_anything_is_run(
    sweep, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full() -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    (tmp_path / "headroom").write_text("a file where a folder is to be", encoding="utf-8")
    monkeypatch.setattr(points, "_while_open", full)
    sweep.start()
    assert "There is no place to keep points" in sweep.message.text()
    assert sweep.start_button.isEnabled()


def test_a_file_of_points_that_is_broken_is_named(sweep, tmp_path: Path, qtbot: QtBot) -> None:
    (tmp_path / "headroom").mkdir()
    (tmp_path / "headroom" / "points.sqlite").write_bytes(b"no database at all" * 100)
    with qtbot.waitSignal(sweep.study.failed, timeout=PATIENCE):
        sweep.start()
    assert "points.sqlite" in sweep.message.text()
    assert "Traceback" not in sweep.message.text()


def test_a_study_that_is_gone_is_told(window: MainWindow, tmp_path: Path) -> None:
    assert not window.open(str(tmp_path / "study.toml"))
    assert "no such profile or file" in told(window)
    assert window.session.document.name == "small"


def test_a_title_is_read_and_not_carried_out(window: MainWindow) -> None:
    session = window.session
    window.show_page("Cluster")
    session.set_text(session.document.text.replace("Small TeraSort", "<img src=x>\\u001b[2J"))
    session.check()
    labels = [label for label in window.findChildren(QLabel) if "img src" in label.text()]
    assert [label.text() for label in labels] == ["<b>&lt;img src=x&gt;\\u001b[2J</b>"]


def test_no_label_carries_out_what_a_file_calls_its_things(window: MainWindow, tmp_path: Path, qtbot: QtBot) -> None:
    path = tmp_path / f"{TAG}\u202e.toml"
    path.write_text(HOSTILE, encoding="utf-8")
    window.open(str(path))
    window.make_pages()
    qtbot.waitUntil(lambda: len(window.pages) == len(PAGES), timeout=PATIENCE)
    assert carried_out(window) == []
    with qtbot.waitSignal(window.session.run_finished, timeout=PATIENCE):
        window.run_action.trigger()
    page = window.show_page("Run")
    for index in range(page.views.count()):
        page.views.setCurrentIndex(index)
        qtbot.wait(50)
        assert carried_out(window) == []
    window.session.set_text(f"{HOSTILE}\n['{TAG}']\n'\u202e' = 1\n")
    window.session.check()
    assert carried_out(window) == []
    assert "\u202e" not in window.windowTitle()


def carried_out(window: MainWindow) -> list[str]:
    """Return the texts of labels that would be a picture, or turn letters around."""
    texts = []
    for label in window.findChildren(QLabel):
        is_rich = label.textFormat() == Qt.TextFormat.RichText
        if label.textFormat() == Qt.TextFormat.AutoText:
            is_rich = GuiQt.mightBeRichText(label.text())
        if (is_rich and "<img" in label.text()) or "\u202e" in label.text():
            texts.append(label.text())
    return texts
