"""The points of a sweep in a file: the bytes that the command writes, and a disk that is full."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from app.cli.main import execute
from app.gui.shell.window import MainWindow
from app.gui.sweep.page import SweepPage

PATIENCE = 60_000  # milliseconds; points take tenths of a second, a busy machine makes them many
COUNT = "cluster.groups.workers.count"
COMMAND = ("sweep", "--profile", "hdfs-terasort", "--set", "workload.input=2 GB", "--workers", "1")


@pytest.fixture
def page(window: MainWindow, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> SweepPage:
    """Return the page with two points that are done."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    window.open("hdfs-terasort")
    window.session.set_value("workload.input", "2 GB")
    window.session.check()
    shown = window.show_page("Sweep")
    assert isinstance(shown, SweepPage)
    shown.where.workers.setValue(1)
    shown.axes.show([(COUNT, "4,8")])
    with qtbot.waitSignal(shown.study.finished, timeout=PATIENCE):
        qtbot.mouseClick(shown.start_button, Qt.MouseButton.LeftButton)
    return shown


def exported(page: SweepPage, qtbot: QtBot, path: Path) -> None:
    with qtbot.waitSignal(page.study.finished, timeout=PATIENCE):
        page.export_button.file_chosen.emit(path)


def test_points_are_exported_with_the_bytes_of_the_command(page: SweepPage, qtbot: QtBot, tmp_path: Path) -> None:
    for suffix in (".csv", ".md", ".json"):
        exported(page, qtbot, tmp_path / f"window{suffix}")
        command = tmp_path / f"command{suffix}"
        assert execute([*COMMAND, "--vary", f"{COUNT}=4,8", "--output", str(command)]) == 0
        assert (tmp_path / f"window{suffix}").read_bytes() == command.read_bytes()
    assert page.message.text() == f"Written: {tmp_path / 'window.json'}"


def test_a_full_disk_is_told_and_the_points_stay(
    page: SweepPage, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(_: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", full)
    exported(page, qtbot, tmp_path / "points.csv")
    assert "no space left on device" in page.message.text()
    assert page.model.rowCount() == 2
    assert not (tmp_path / "points.csv").exists()
