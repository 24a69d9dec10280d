"""Closing the window: what is in no file waits for the next start, or is asked for."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QMessageBox
from pytestqt.qtbot import QtBot

from app.gui.jobs import worker as workers
from app.gui.jobs.processes import Processes
from app.gui.jobs.worker import Worker
from app.gui.session.session import Session
from app.gui.session.settings import Settings
from app.gui.shell.autosave import leftovers
from app.gui.shell.window import MainWindow

Button = QMessageBox.StandardButton


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return what is asked; every question is answered by Cancel."""
    texts: list[str] = []

    def cancel(box: QMessageBox) -> Button:
        texts.append(box.text())
        return Button.Cancel

    monkeypatch.setattr(QMessageBox, "exec", cancel)
    return texts


def test_notes_in_no_project_wait_for_the_next_start_and_nothing_is_asked(
    window: MainWindow, asked: list[str], tmp_path: Path
) -> None:
    window.projects.begin(tmp_path)
    window.projects.notes.setPlainText("Ask about racks")
    assert window.close()
    assert asked == []
    (left,), _ = leftovers(tmp_path)
    assert left.project.notes == "Ask about racks"


def test_notes_of_which_no_copy_can_be_written_are_asked_for(
    window: MainWindow, asked: list[str], tmp_path: Path
) -> None:
    no_folder = tmp_path / "copies"
    no_folder.write_text("a file stands where copies would")
    window.projects.begin(no_folder)
    window.projects.notes.setPlainText("Ask about racks")
    assert not window.close()
    assert window.isVisible()
    assert asked == [
        "Save the project first? No copy for the next start can be written. Unsaved: the profile small, notes."
    ]
    window.projects.close()


def test_all_processes_are_told_to_end_before_one_is_waited_for_and_the_window_is_gone_by_then(
    qtbot: QtBot, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    steps: list[tuple[str, bool]] = []
    child, window = workers._Child, MainWindow(Session(Worker(), studies=Processes([Worker(), Worker()])), settings)
    qtbot.addWidget(window)
    for name in ("end", "wait_for_end"):
        carried_out = getattr(child, name)

        def noted(process: workers._Child, name: str = name, carry_out: Callable = carried_out) -> None:
            steps.append((name, window.isVisible()))
            carry_out(process)

        monkeypatch.setattr(child, name, noted)
    for worker in (window.session.worker, *window.session.studies._workers):
        worker.warm()
    window.show()
    assert window.close()
    assert steps == [("end", False)] * 3 + [("wait_for_end", False)] * 3


def test_quitting_while_something_runs_asks_first_and_cancel_lets_it_go_on(
    window: MainWindow, asked: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Worker, "start", lambda *_: None)  # jobs that never end
    window.run_action.trigger()
    window.show_page("Validate").run()
    quits = next(action for action in window.actions_.all if action.text() == "&Quit")
    assert quits.shortcut().toString() == "Ctrl+Q"
    quits.trigger()
    assert asked == ["Still running: Run of Small TeraSort; Validate. Quit, and end it?"]
    assert window.isVisible()
    assert window.session.is_running
    monkeypatch.setattr(QMessageBox, "exec", lambda _: Button.Close)
    quits.trigger()
    assert not window.isVisible()


def test_quitting_with_a_changed_profile_asks_and_cancel_keeps_the_window(
    window: MainWindow, asked: list[str], qtbot: QtBot
) -> None:
    window.session.set_value("workload.input", "6 GB")
    qtbot.keyClick(window, Qt.Key.Key_Q, Qt.KeyboardModifier.ControlModifier)
    assert asked == ["Save the changes to small?"]
    assert window.isVisible()


def test_a_project_that_was_saved_is_closed_without_a_question(
    window: MainWindow, asked: list[str], tmp_path: Path
) -> None:
    window.session.set_value("workload.input", "6 GB")
    assert window.isWindowModified()
    window.projects.model.save(tmp_path / "offer.headroom")
    assert not window.isWindowModified()
    assert window.close()
    assert asked == []


@pytest.mark.parametrize("is_undone", [True, False], ids=["undone", "changed"])
def test_what_was_changed_after_the_project_was_saved_is_asked_for(
    window: MainWindow, asked: list[str], tmp_path: Path, is_undone: bool
) -> None:
    window.session.set_value("workload.input", "6 GB")
    window.projects.model.save(tmp_path / "offer.headroom")
    if is_undone:
        window.undo_action.trigger()
        assert window.projects.model.is_changed, "the file has what was undone"
    else:
        window.session.set_value("workload.input", "7 GB")
    assert window.close() is is_undone  # what is undone is the profile's own file again
    assert asked == ([] if is_undone else ["Save the changes to small?"])


def test_a_profile_that_is_opened_beside_a_saved_project_and_changed_is_asked_for(
    window: MainWindow, asked: list[str], tmp_path: Path
) -> None:
    window.projects.model.save(tmp_path / "offer.headroom")
    window.session.open("hdfs-terasort")
    window.session.set_value("workload.input", "6 TB")
    assert not window.close()
    assert asked == ["Save the changes to hdfs-terasort?"]
