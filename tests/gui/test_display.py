"""Where no window can be shown the program says why and what to do, and does not abort."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from app.gui.display import hindrance, platforms
from app.gui.libraries import missing

on_linux = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="others always have a display")
NOWHERE = ":4077"  # an X server that nobody starts
OF_DISPLAYS = {"DISPLAY", "WAYLAND_DISPLAY", "XDG_SESSION_TYPE", "QT_QPA_PLATFORM"}


def start(**settings: str) -> subprocess.CompletedProcess[str]:
    """Start the program with what is said of displays, and nothing else of them."""
    environment = {name: value for name, value in os.environ.items() if name not in OF_DISPLAYS} | settings
    command = [sys.executable, "-m", "app.gui.main"]
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=False, timeout=60)


@pytest.mark.parametrize(
    ("settings", "tried"),
    [
        ({}, []),
        ({"DISPLAY": ":0"}, ["xcb"]),
        ({"WAYLAND_DISPLAY": "wayland-0"}, ["wayland"]),
        ({"XDG_SESSION_TYPE": "wayland", "DISPLAY": ":0"}, ["wayland", "xcb"]),
        ({"DISPLAY": ":0", "QT_QPA_PLATFORM": "offscreen"}, ["offscreen"]),
        ({"QT_QPA_PLATFORM": "wayland-egl;xcb:opt=1"}, ["wayland-egl", "xcb"]),
    ],
)
def test_the_platforms_that_qt_will_try_are_known_before_it_starts(settings: dict[str, str], tried: list[str]) -> None:
    assert platforms(settings) == tried


@on_linux
def test_what_needs_no_qt_is_imported_before_it() -> None:
    code = "import sys; from app.gui.main import main; main(); print([*sys.modules].index('models.scenario'))"
    code += "; print([*sys.modules].index('PySide6'))"
    without = {name: text for name, text in os.environ.items() if name not in ("DISPLAY", "WAYLAND_DISPLAY")}
    environment = without | {"QT_QPA_PLATFORM": "xcb"}  # so that it ends before it opens a window
    ended = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=False)
    early, late = map(int, ended.stdout.split())
    assert early < late


def test_without_a_display_the_program_says_so() -> None:
    ended = start()
    assert ended.returncode == 1
    assert ended.stderr.startswith("headroom: the window cannot be opened: there is no display")
    assert "DISPLAY" in ended.stderr


@on_linux
@pytest.mark.parametrize(
    ("platform", "settings"), [("xcb", {"DISPLAY": NOWHERE}), ("wayland", {"WAYLAND_DISPLAY": "nowhere"})]
)
def test_a_display_that_cannot_be_used_is_told_with_the_packages_or_the_server_that_is_missing(
    platform: str, settings: dict[str, str]
) -> None:
    ended = start(**settings)
    assert ended.returncode == 1
    assert "headroom: the window cannot be opened: " in ended.stderr
    if packages := missing(platform):
        assert "apt-get install" in ended.stderr
        assert all(package in ended.stderr for package in packages)
    else:
        assert "answer" in ended.stderr


def test_nothing_speaks_against_windows_that_nobody_sees() -> None:
    assert hindrance({"QT_QPA_PLATFORM": "offscreen"}) == ""


@on_linux
def test_a_platform_that_works_is_enough_where_several_are_tried() -> None:
    assert hindrance({"QT_QPA_PLATFORM": "xcb;offscreen", "DISPLAY": NOWHERE}) == ""
