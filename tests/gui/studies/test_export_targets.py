"""Exports to where nothing can be written, or nothing should be: told in the window with a way out, nothing lost."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFileDialog
from pytestqt.qtbot import QtBot

from app.gui.session.project_file import SUFFIX
from app.gui.shell.window import MainWindow
from app.gui.studies.base import JobPage
from app.planning.files import KEPT
from tests.gui.conftest import SMALL
from tests.gui.plan.test_plan_page import asked
from tests.profiles.imports.fixtures import FIXTURES

PATIENCE = 120_000  # milliseconds; an answer takes seconds, a busy machine makes it many
LEFT = Qt.MouseButton.LeftButton
MINE = 'extends = "base.toml"\n\n[workload]\ninput = "1 GB"\n'


@pytest.fixture
def folder(window: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder with a project, its profile, which is open, and the profile that this one extends."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setenv("HEADROOM_INTERVAL", "none")
    (tmp_path / "base.toml").write_text(SMALL)
    (tmp_path / "mine.toml").write_text(MINE)
    (tmp_path / "measured.txt").write_text(FIXTURES["lscpu"])
    window.session.document.stack.setClean()
    assert window.open(str(tmp_path / "mine.toml"))
    assert window.session.is_valid
    assert window.projects._save(tmp_path / f"mine{SUFFIX}")
    return tmp_path


def imported(window: MainWindow, qtbot: QtBot, folder: Path) -> JobPage:
    page = window.show_page("Import")
    with qtbot.waitSignal(page.study.finished, timeout=PATIENCE):
        page.add([str(folder / "measured.txt")])
    return page


def reported(window: MainWindow, qtbot: QtBot, folder: Path) -> JobPage:
    page = window.show_page("Report")
    with qtbot.waitSignal(page.study.finished, timeout=PATIENCE):
        qtbot.mouseClick(page.build_button, LEFT)
    return page


def swept(window: MainWindow, qtbot: QtBot, folder: Path) -> JobPage:
    page = window.show_page("Sweep")
    page.where.workers.setValue(1)
    page.axes.show([("cluster.groups.workers.count", "4,8")])
    with qtbot.waitSignal(page.study.finished, timeout=PATIENCE):
        qtbot.mouseClick(page.start_button, LEFT)
    return page


def compared(window: MainWindow, qtbot: QtBot, folder: Path) -> JobPage:
    for key in (Qt.Key.Key_R, Qt.Key.Key_R):
        with qtbot.waitSignal(window.session.run_finished, timeout=PATIENCE):
            qtbot.keyClick(window, key, Qt.KeyboardModifier.ControlModifier)
        qtbot.keyClick(window, Qt.Key.Key_D, Qt.KeyboardModifier.ControlModifier)
        window.session.set_value("workload.input", "2 GB")
        window.session.check()
    page = window.show_page("Compare")
    qtbot.waitUntil(page.bar.export_button.isEnabled, timeout=PATIENCE)
    return page


def planned(window: MainWindow, qtbot: QtBot, folder: Path) -> JobPage:
    page = window.show_page("Plan")
    asked(page, qtbot)
    with qtbot.waitSignal(page.study.finished, timeout=PATIENCE):
        qtbot.mouseClick(page.check_button, LEFT)
    return page


PAGES: dict[str, Callable[[MainWindow, QtBot, Path], JobPage]] = {
    "Import": imported,
    "Report": reported,
    "Sweep": swept,
    "Compare": compared,
    "Plan": planned,
}


def export(window: MainWindow, page: JobPage, path: str) -> None:
    """Choose the first form from the menu of a page, and a file in the dialog."""
    button = page.decide.export_button if hasattr(page, "decide") else getattr(page, "export_button", None)
    (button or page.bar.export_button).forms[0].trigger()
    dialog = window.findChildren(QFileDialog)[-1]
    dialog.fileSelected.emit(path)
    dialog.reject()


@pytest.mark.parametrize("made", PAGES.values(), ids=PAGES)
def test_an_export_that_cannot_be_written_is_told_and_nothing_is_lost(
    made: Callable[[MainWindow, QtBot, Path], JobPage], window: MainWindow, qtbot: QtBot, folder: Path
) -> None:
    page = made(window, qtbot, folder)
    read = {name: (folder / name).read_bytes() for name in ("mine.toml", "base.toml", f"mine{SUFFIX}")}
    why = {f"{folder}/{name}": "it is what is open here, or what that names or is read with" for name in read}
    (folder / "link.pdf").symlink_to(folder / "base.toml")
    why |= {f"{folder}/link.pdf": why[f"{folder}/base.toml"], f"{folder}": "it is a directory"}
    why |= {f"{folder}/gone/a.pdf": f"'{folder}/gone' does not exist", f"{folder}/mine.toml/a.pdf": "not a directory"}
    why |= {f"{folder}/{'n' * 300}.pdf": "file name too long"}
    why |= dict.fromkeys((f"{folder}/a.doc", "/dev/null"), f"its suffix chooses the form: {', '.join(page.suffixes)}")
    if os.path.isdir("/proc/self"):  # which takes no files, not even of root
        why |= {"/proc/self/a.pdf": ""}
    for path, reason in why.items():
        export(window, page, path)
        assert not page.study.is_running
        assert page.message.text().startswith(f"Cannot write {path}: ")
        assert page.message.text().endswith(f"{reason}; {KEPT}")
    if os.path.exists("/dev/full"):
        (folder / "full.pdf").symlink_to("/dev/full")
        with qtbot.waitSignal(page.study.finished, timeout=PATIENCE):
            export(window, page, f"{folder}/full.pdf")
        assert page.message.text() == f"Cannot write {folder}/full.pdf: no space left on device; {KEPT}"
    assert {name: (folder / name).read_bytes() for name in read} == read
    with qtbot.waitSignal(page.study.finished, timeout=PATIENCE):
        export(window, page, str(folder / "answer.html"))
    assert page.message.text() == f"Written: {folder / 'answer.html'}"
    with qtbot.waitSignal(page.study.finished, timeout=PATIENCE):
        export(window, page, str(folder / "answer.html"))
    assert page.message.text() == f"Written: {folder / 'answer.html'}"


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_an_export_into_a_read_only_folder_is_told(window: MainWindow, qtbot: QtBot, folder: Path) -> None:
    page = imported(window, qtbot, folder)
    (folder / "closed").mkdir(mode=0o500)
    export(window, page, f"{folder}/closed/a.html")
    assert page.message.text() == f"Cannot write {folder}/closed/a.html: permission denied; {KEPT}"


def test_what_an_import_reads_is_not_written_over(window: MainWindow, qtbot: QtBot, folder: Path) -> None:
    page = imported(window, qtbot, folder)
    export(window, page, str(folder / "measured.txt"))
    assert "Cannot write" in page.message.text()
    page.write_collector(folder / "measured.txt")
    assert "Cannot write" in page.message.text()
    assert (folder / "measured.txt").read_text() == FIXTURES["lscpu"]


@pytest.mark.parametrize("name", ["base.toml", f"mine{SUFFIX}"])
def test_a_profile_is_not_saved_over_what_it_extends_or_over_its_project(
    name: str, window: MainWindow, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told = list[object]()
    window.files.refused.connect(lambda title, error: told.append(str(error)))
    before = (folder / name).read_bytes()
    window.session.set_value("workload.input", "3 GB")
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(folder / name), ""))
    assert not window.files.save_as()
    assert told == [
        f"{folder / name}: cannot be written: it is what is open here, or what that names or is read with; {KEPT}"
    ]
    assert (folder / name).read_bytes() == before
    assert window.isWindowModified()
    window.save_action.trigger()
    assert "3 GB" in (folder / "mine.toml").read_text()


@pytest.mark.parametrize("name", ["base.toml", "mine.toml"])
def test_a_project_is_not_saved_over_a_profile(
    name: str, window: MainWindow, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told = list[object]()
    window.projects.refused.connect(lambda title, error: told.append(str(error)))
    before = (folder / name).read_bytes()
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(folder / name), ""))
    assert not window.projects.save_as()
    assert len(told) == 1
    assert (folder / name).read_bytes() == before
    assert window.projects.save()


@pytest.mark.parametrize("target", ["", "gone/a.toml"])
def test_a_profile_that_cannot_be_saved_is_told_with_a_way_out(
    target: str, window: MainWindow, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told = list[str]()
    window.files.refused.connect(lambda title, error: told.append(str(error)))
    window.session.set_value("workload.input", "3 GB")
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(folder / target), ""))
    assert not window.files.save_as()
    assert told[0].endswith(KEPT)
    assert str(folder / target) in told[0]
    assert window.isWindowModified()
