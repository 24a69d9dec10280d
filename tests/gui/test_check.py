"""`headroom --check` says whether the program works where it is installed, and leaves what the user keeps alone."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from app.gui.check import Check
from app.gui.pages import PAGES
from app.gui.shell.window import MainWindow
from app.planning.effort import VARIABLE

HOME = ("HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME")


def test_the_check_of_a_program_that_works_ends_with_the_answer_of_a_run(tmp_path: Path) -> None:
    environment = {name: value for name, value in os.environ.items() if name != VARIABLE}  # as users have it
    ended = subprocess.run(
        [sys.executable, "-m", "app.gui.main", "--check"],
        env=environment | {"QT_QPA_PLATFORM": "offscreen"} | dict.fromkeys(HOME, str(tmp_path)),
        capture_output=True,
        text=True,
        check=False,
        timeout=280,
    )
    assert (ended.returncode, ended.stderr) == (0, "")
    first, pages, title, duration, *_ = ended.stdout.splitlines()
    assert first.startswith("Headroom ")
    assert pages == "Pages: " + ", ".join(entry.title for entry in PAGES)
    assert title.startswith("TeraSort 1 TB on HDFS")
    assert duration.startswith("  Duration: ")
    assert not list(tmp_path.rglob("window.ini"))


@pytest.fixture
def ends(window: MainWindow) -> tuple[Check, list[int]]:
    """Return a check of the window of all tests, and the list that gets its exit status."""
    statuses: list[int] = []
    return Check(window, statuses.append), statuses


def test_a_simulation_that_fails_fails_the_check_with_its_reason(
    window: MainWindow, ends: tuple[Check, list[int]], capsys: pytest.CaptureFixture[str]
) -> None:
    _, statuses = ends
    window.session.run_failed.emit("the simulation process was ended from outside")
    assert statuses == [1]
    assert capsys.readouterr().err == ("headroom: the check failed: the simulation process was ended from outside\n")
    assert not window.isVisible()


def test_a_fault_fails_the_check_with_its_traceback(
    ends: tuple[Check, list[int]], capsys: pytest.CaptureFixture[str]
) -> None:
    check, statuses = ends
    check.fail_by_fault(KeyError, KeyError("workers"), None)
    assert statuses == [1]
    assert "KeyError: 'workers'" in capsys.readouterr().err
