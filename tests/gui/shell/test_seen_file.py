"""Two windows, or a window and an editor, on one file: what one saved is not lost to the other unasked."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtWidgets import QMessageBox

from app.gui.session.project_file import SUFFIX, read
from app.gui.shell.window import MainWindow
from tests.gui.conftest import SMALL

COUNT = "cluster.groups.workers.count"
Button = QMessageBox.StandardButton


@pytest.fixture
def answers(monkeypatch: pytest.MonkeyPatch) -> list[Button]:
    """Answer questions by what is in this list, the last first."""
    prepared: list[Button] = []
    monkeypatch.setattr(QMessageBox, "exec", lambda box: prepared.pop())
    return prepared


def test_a_profile_that_others_wrote_meanwhile_is_written_over_only_if_so_said(
    window: MainWindow, tmp_path: Path, answers: list[Button]
) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(SMALL, encoding="utf-8")
    window.open(str(path))
    window.session.set_value(COUNT, "24")
    window.save_action.trigger()
    window.session.set_value(COUNT, "30")
    theirs = SMALL.replace("Small", "Their")
    path.write_text(theirs, encoding="utf-8")
    answers.append(Button.Cancel)
    window.save_action.trigger()
    assert path.read_text(encoding="utf-8") == theirs
    assert window.isWindowModified()
    answers.append(Button.Save)
    window.save_action.trigger()
    assert "30" in path.read_text(encoding="utf-8")
    assert not window.isWindowModified()


def test_a_project_that_another_window_saved_meanwhile_is_written_over_only_if_so_said(
    window: MainWindow, tmp_path: Path, answers: list[Button]
) -> None:
    path = tmp_path / f"ours{SUFFIX}"
    projects = window.projects
    projects.model.set_notes("first")
    assert projects._save(path)
    theirs = path.read_text(encoding="utf-8").replace("first", "their")
    path.write_text(theirs, encoding="utf-8")
    projects.model.set_notes("second")
    answers.append(Button.Cancel)
    assert not projects.save()
    assert read(path).notes == "their"
    answers.append(Button.Save)
    assert projects.save()
    assert read(path).notes == "second"
    assert projects.save()


def test_a_project_writes_over_no_other_profile_beside_it_unless_so_said(
    window: MainWindow, tmp_path: Path, answers: list[Button]
) -> None:
    path, theirs = tmp_path / "mine.toml", tmp_path / f"theirs{SUFFIX}"
    path.write_text(SMALL, encoding="utf-8")
    window.open(str(path))
    window.session.set_value(COUNT, "24")
    assert window.projects._save(theirs)
    window.session.document.stack.setClean()
    assert window.open(str(theirs))
    window.session.set_value(COUNT, "30")
    answers.append(Button.Cancel)
    window.save_action.trigger()
    assert path.read_text(encoding="utf-8") == SMALL
    answers.append(Button.Save)
    window.save_action.trigger()
    assert "30" in path.read_text(encoding="utf-8")
    window.session.set_value(COUNT, "31")
    window.save_action.trigger()
    assert "31" in path.read_text(encoding="utf-8")


def test_a_project_whose_profile_was_written_since_says_so_when_it_is_opened(
    window: MainWindow, tmp_path: Path
) -> None:
    path, project = tmp_path / "mine.toml", tmp_path / f"ours{SUFFIX}"
    path.write_text(SMALL, encoding="utf-8")
    window.open(str(path))
    assert window.projects._save(project)
    window.statusBar().clearMessage()
    assert window.open(str(project))
    assert window.statusBar().currentMessage() == ""
    path.write_text(SMALL.replace("5 GB", "11 GB"), encoding="utf-8")
    assert window.open(str(project))
    told = f"{path} has changed since the project was saved: what is shown is the project's"
    assert window.statusBar().currentMessage() == told
    path.unlink()
    window.statusBar().clearMessage()
    assert window.open(str(project))
    assert window.statusBar().currentMessage() == ""  # it is written anew by the next save
