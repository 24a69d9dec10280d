"""Where the window keeps points: in the file of all sweeps, or, where that cannot be written, while it is open."""

from __future__ import annotations

from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from app.gui.shell.window import MainWindow
from app.gui.studies.points import points_file
from app.gui.sweep.page import SweepPage

PATIENCE = 60_000  # milliseconds


def test_points_are_kept_in_the_folder_of_the_user(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert points_file() == tmp_path / "headroom" / "points.sqlite"


@pytest.mark.parametrize("blocked", ["home", "headroom/points.sqlite/folder"])
def test_a_sweep_of_who_cannot_write_at_home_runs_and_its_points_last_while_the_window_does(
    window: MainWindow, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, blocked: str
) -> None:
    home = tmp_path / "home"
    if blocked == "home":
        home.write_text("a file")
    else:
        (home / blocked).mkdir(parents=True)
    monkeypatch.setenv("XDG_DATA_HOME", str(home))
    file = points_file()
    assert not file.is_relative_to(home)
    assert points_file() == file
    page = window.show_page("Sweep")
    assert isinstance(page, SweepPage)
    page.where.workers.setValue(1)
    page.axes.add("workload.input", "2 GB")
    with qtbot.waitSignal(page.study.finished, timeout=PATIENCE):
        page.start()
    assert file.exists()
