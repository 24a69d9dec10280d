"""The window on small screens: it fits at first, every page has room, and docks lie over the page."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication, QComboBox, QDockWidget, QGroupBox, QPushButton
from pytestqt.qtbot import QtBot

from app.gui.pages import PAGES
from app.gui.shell.window import FIRST_SIZE, LEAST_SIZE, TEXT_SIZES, MainWindow

BAR = 120  # logical pixels: the bar of pages with its words beside the icons
FIRST = """
import sys
from pathlib import Path
from app.gui.application import create
from app.gui.shell.window import MainWindow
from app.gui.session.session import Session
from app.gui.session.settings import Settings
settings = Settings(Path(sys.argv[1]))
application = create(settings)
window = MainWindow(Session(), settings)
window.show()
application.processEvents()
print(window.width(), window.height())
window.close()
"""


@pytest.mark.parametrize(
    ("screen", "first"),
    [("960x540", (864, 500)), ("1280x720", (1152, 648)), ("1366x768", (1229, 691)), ("1920x1080", (1360, 860))],
)
def test_the_first_window_leaves_a_tenth_of_the_screen_free(
    tmp_path: Path, screen: str, first: tuple[int, int]
) -> None:
    width, height = screen.split("x")
    screens = tmp_path / "screens.json"
    screens.write_text(f'{{"screens": [{{"name": "one", "x": 0, "y": 0, "width": {width}, "height": {height}}}]}}')
    platform = {"QT_QPA_PLATFORM": f"offscreen:configfile={screens}", "QT_SCALE_FACTOR": "1"}
    environment = os.environ | platform | {"XDG_DATA_HOME": str(tmp_path)}
    command = [sys.executable, "-c", FIRST, str(tmp_path / "window.ini")]
    ended = subprocess.run(command, env=environment, capture_output=True, text=True, check=True, timeout=120)
    assert tuple(map(int, ended.stdout.split())) == first


@pytest.fixture
def small(window: MainWindow, qtbot: QtBot) -> MainWindow:
    window.resize(LEAST_SIZE)
    qtbot.waitUntil(lambda: window.size() == LEAST_SIZE)
    return window


def shown(window: MainWindow) -> list[QDockWidget]:
    return [dock for dock in window.docks.all if dock.isVisible()]


def test_every_page_has_all_of_the_smallest_window(small: MainWindow, qtbot: QtBot) -> None:
    for entry in PAGES:
        page = small.show_page(entry.title)
        qtbot.wait(1)
        assert shown(small) == []
        assert small.rect().contains(page.geometry().translated(page.mapTo(small, page.rect().topLeft())))
        assert page.width() > small.width() - BAR, entry.title


def test_the_whole_tool_bar_has_room_in_the_smallest_window(small: MainWindow) -> None:
    assert small.actions_.seed.isVisible()
    assert small.actions_.seed.width() >= small.actions_.seed.minimumSizeHint().width()


def test_no_button_or_list_of_a_page_is_cut_in_the_smallest_window(small: MainWindow, qtbot: QtBot) -> None:
    for entry in PAGES:
        page = small.show_page(entry.title)
        qtbot.wait(1)
        for kind in (QPushButton, QComboBox):
            for widget in page.findChildren(kind):
                name = f"{entry.title}: {widget.text() if kind is QPushButton else widget.accessibleName()}"
                assert not widget.isVisible() or widget.width() >= widget.minimumSizeHint().width(), name


def test_what_a_plan_requires_stands_below_each_other_where_there_is_no_room_beside(
    small: MainWindow, qtbot: QtBot
) -> None:
    view = small.show_page("Plan").requirements
    data, failures, *_ = view.findChildren(QGroupBox)
    qtbot.waitUntil(lambda: failures.y() > data.geometry().bottom())
    assert view.horizontalScrollBar().maximum() == 0
    small.resize(FIRST_SIZE)
    qtbot.waitUntil(lambda: failures.y() == data.y() and failures.x() > data.geometry().right())


def test_every_page_is_offered_in_the_smallest_window(small: MainWindow, qtbot: QtBot) -> None:
    bar = small.actions_.page_bar
    qtbot.waitUntil(lambda: all(bar.widgetForAction(action).isVisible() for action in bar.actions()))


def test_a_dock_that_is_asked_for_lies_over_the_page_and_stands_beside_it_where_there_is_room(
    small: MainWindow, qtbot: QtBot
) -> None:
    page = small.show_page("Run")
    width = page.width()
    keys = small.docks.all[0]
    keys.toggleViewAction().trigger()
    qtbot.waitUntil(keys.isVisible)
    assert page.width() == width
    assert small.centralWidget().geometry().contains(keys.geometry())
    small.resize(1360, 860)
    qtbot.waitUntil(lambda: not keys.geometry().intersects(small.centralWidget().geometry()))
    assert keys.isVisible()
    small.resize(LEAST_SIZE)
    qtbot.waitUntil(lambda: page.width() == width)
    assert small.centralWidget().geometry().contains(keys.geometry())


def test_the_places_of_docks_are_kept_though_the_window_is_small_when_it_is_closed(
    small: MainWindow, qtbot: QtBot
) -> None:
    small.close()
    again = MainWindow(small.session, small.settings)
    qtbot.addWidget(again)
    again.resize(1360, 860)
    again.show()
    again.show_page("Run")
    keys = again.docks.all[0]
    qtbot.waitUntil(keys.isVisible)
    assert not keys.isFloating()
    assert not keys.geometry().intersects(again.centralWidget().geometry())


def test_text_grows_and_shrinks_by_keys_and_the_next_window_has_it(window: MainWindow, qtbot: QtBot) -> None:
    usual = QApplication.font().pointSizeF()
    window.resize_text(2)
    assert QApplication.font().pointSizeF() == pytest.approx(1.2 * usual)
    assert window.settings.text_size == 120
    window.resize_text(-20)
    assert window.settings.text_size == TEXT_SIZES[0]
    window.resize_text(0)
    assert QApplication.font().pointSizeF() == usual
    keys = {action.text(): action.shortcut().toString() for action in window.commands}
    assert (keys["&Larger text"], keys["S&maller text"]) == ("Ctrl++", "Ctrl+-")


def test_what_is_wrong_has_room_beside_what_goes_on(window: MainWindow, qtbot: QtBot) -> None:
    window.session.set_value("workload.input", "6")
    window.session.check()
    for dock in window.docks.all:
        if dock.objectName() in {"Problems", "Jobs"}:
            dock.show()
    problems = window.docks.problems
    qtbot.waitUntil(lambda: problems.isVisible() and problems.width() >= window.width() / 3)
