"""The keyboard reaches everything: every widget has a name for a reader of the screen, and Tab goes as one reads."""

from __future__ import annotations

from itertools import pairwise

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QGroupBox,
    QLabel,
    QMenu,
    QScrollArea,
    QTabBar,
    QTabWidget,
    QWidget,
)
from pytestqt.qtbot import QtBot

from app.gui.look import theme
from app.gui.pages import PAGES
from app.gui.plan.model import JOB
from app.gui.plan.page import STEPS
from app.gui.shell.palette import name_of
from app.gui.shell.window import MainWindow
from tests.gui.hands import is_in_sight

TITLES = [entry.title for entry in PAGES]
MOST_LINKS = 100
LINE = 12  # logical pixels by which widgets of one line may differ in height


def focusable(page: QWidget) -> list[QWidget]:
    """Return what Tab reaches on a page, in the order of Tab."""
    reached, widget = [], page.nextInFocusChain()
    while widget is not page:
        is_reached = widget.focusPolicy() & Qt.FocusPolicy.TabFocus and widget.isVisibleTo(page)
        if is_reached and page.isAncestorOf(widget) and widget.focusProxy() is None:
            reached.append(widget)
        widget = widget.nextInFocusChain()
    return reached


def said(widget: QWidget) -> str:
    """Return what a reader of the screen says of a widget."""
    buddies = [label.text() for label in widget.window().findChildren(QLabel) if label.buddy() is widget]
    text = widget.text() if isinstance(widget, QAbstractButton) else ""
    return widget.accessibleName() or text or "".join(buddies)


@pytest.fixture
def window_with_run(window: MainWindow, qtbot: QtBot) -> MainWindow:
    """Return the window after a run, so that the pages have something to show."""
    with qtbot.waitSignal(window.session.run_finished, timeout=60_000):
        window.run_action.trigger()
    return window


def test_every_widget_that_tab_reaches_has_a_name(window_with_run: MainWindow) -> None:
    for title in TITLES:
        page = window_with_run.show_page(title)
        QApplication.processEvents()
        reached = focusable(page)
        assert reached, title
        nameless = [type(widget).__name__ for widget in reached if not said(widget)]
        assert (title, nameless) == (title, [])


def test_every_view_around_the_page_has_a_name(window: MainWindow) -> None:
    for dock in window.docks.all:
        dock.show()
        QApplication.processEvents()
        nameless = [type(widget).__name__ for widget in focusable(dock) if not said(widget)]
        assert (dock.windowTitle(), nameless) == (dock.windowTitle(), [])


def test_tab_goes_as_one_reads(window: MainWindow) -> None:
    """In one column, or one line, Tab never goes back up: between columns it may."""
    for title in TITLES:
        page = window.show_page(title)
        QApplication.processEvents()
        places = [(widget, widget.mapTo(page, QPoint(0, 0))) for widget in focusable(page)]
        back = [
            (said(before), said(after))
            for (before, here), (after, there) in pairwise(places)
            if there.y() < here.y() - LINE and there.x() <= here.x()
        ]
        assert (title, back) == (title, [])


def stops(window: MainWindow, qtbot: QtBot) -> list[QWidget]:
    """Press Tab until the focus comes back, and return where it was; nothing that has it is out of sight."""
    reached: list[QWidget] = []
    while (focused := QApplication.focusWidget()) not in reached:
        assert is_in_sight(focused), (said(focused), focused.geometry())
        reached.append(focused)
        for _ in range(MOST_LINKS):  # within a text Tab goes from link to link
            if QApplication.focusWidget() is focused:
                qtbot.keyClick(focused, Qt.Key.Key_Tab)
    assert focused in reached[:2], "Tab goes round"  # a page that is shown has the keys before its first part
    return reached


def test_whatever_tab_reaches_is_in_sight_and_has_a_name(window_with_run: MainWindow, qtbot: QtBot) -> None:
    window = window_with_run
    for title in ("Run", "Cluster", "Plan"):
        window.show_page(title)
        for dock in window.docks.all:
            dock.setVisible(title == "Cluster")
        QApplication.processEvents()
        reached = stops(window, qtbot)
        assert [type(widget).__name__ for widget in reached if not said(widget)] == [], title
        assert [said(widget) for widget in reached if isinstance(widget, QScrollArea)] == [], title


@pytest.mark.parametrize("name", ["light", "dark"])
def test_what_has_the_focus_looks_so_in_both_themes(window_with_run: MainWindow, qtbot: QtBot, name: str) -> None:
    window, seen = window_with_run, set()
    run = window.show_page("Run")
    qtbot.waitUntil(lambda: run.is_filled)
    theme.apply(name)
    for title in TITLES:
        page = window.show_page(title)
        QApplication.processEvents()
        for widget in focusable(page):
            if widget.isVisible() and widget.isEnabled() and type(widget) not in seen:
                seen.add(type(widget))
                widget.clearFocus()
                without = widget.grab().toImage()
                widget.setFocus(Qt.FocusReason.TabFocusReason)
                window.setAttribute(Qt.WidgetAttribute.WA_KeyboardFocusChange)  # as Tab does
                assert widget.grab().toImage() != without, (title, said(widget), widget.hasFocus())
    theme.apply("light")
    assert len(seen) > 10


def test_every_action_of_a_page_is_in_its_menu_and_in_the_palette(window: MainWindow) -> None:
    def below(menu: QMenu) -> list[str]:
        named = [action for action in menu.actions() if not action.isSeparator()]
        return [name for entry in named for name in (below(entry.menu()) if entry.menu() else [name_of(entry)])]

    known = {name_of(action) for action in window.commands}
    menus = {action.text().replace("&", ""): below(action.menu()) for action in window.menuBar().actions()}
    for title in TITLES:
        names = [name_of(action) for action in window.pages[title].actions()]
        assert set(names) <= known
        assert set(names) <= set(menus.get(title, ())), title


def marked(window: MainWindow) -> dict[str, set[str]]:
    """Return what Alt does with each letter: the texts that are seen and mark it."""
    seen = [menu.text() for menu in window.menuBar().actions()]
    for button in (*window.findChildren(QAbstractButton), *window.findChildren(QGroupBox)):
        if button.isVisible():
            seen.append(button.title() if isinstance(button, QGroupBox) else button.text())
    seen += [label.text() for label in window.findChildren(QLabel) if label.isVisible() and label.buddy()]
    bars = [bar for bar in window.findChildren(QTabBar) if bar.isVisible()]
    seen += [bar.tabText(i) for bar in bars for i in range(bar.count()) if bar.isTabVisible(i)]
    letters: dict[str, set[str]] = {}
    for text in seen:
        for letter in QKeySequence.mnemonic(text).toString().removeprefix("Alt+"):
            letters.setdefault(letter, set()).add(text)
    return letters


def shared(window: MainWindow) -> list[set[str]]:
    QApplication.processEvents()
    return [texts for texts in marked(window).values() if len(texts) > 1]


def test_a_letter_with_alt_means_one_thing_wherever_one_is(window_with_run: MainWindow) -> None:
    """Qt presses nothing where two things that are seen mark one letter: it goes from one to the other."""
    window = window_with_run
    for title in TITLES:
        page = window.show_page(title)
        assert (title, shared(window)) == (title, [])
        for tabs in page.findChildren(QTabWidget):
            for i in range(tabs.count()):
                tabs.setCurrentIndex(i)
                assert (title, tabs.tabText(i), shared(window)) == (title, tabs.tabText(i), [])
    plan = window.show_page("Plan")
    plan.model.add_workload(JOB, "nightly")
    for step in STEPS:
        plan.show_step(STEPS.index(step))
        assert (step, shared(window)) == (step, [])
        plan.model.add_candidate()
        assert (step, shared(window)) == (step, [])
    plan.answers.setCurrentIndex(1)  # as after a check
    for step in STEPS[2:]:
        plan.show_step(STEPS.index(step))
        assert (step, shared(window)) == (step, [])


@pytest.mark.parametrize("key", [Qt.Key.Key_Space, Qt.Key.Key_Return, Qt.Key.Key_Enter])
def test_space_and_enter_press_the_button_that_has_the_keys(window: MainWindow, qtbot: QtBot, key: Qt.Key) -> None:
    start = window.show_page("Start")
    start.size_tile.setFocus()
    qtbot.keyClick(start.size_tile, key)
    assert window.page == "Plan"
    plan = window.pages["Plan"]
    plan.next_button.setFocus()
    qtbot.keyClick(plan.next_button, key)
    assert plan.rail.currentIndex().row() == 1


def test_no_two_actions_of_the_window_share_their_keys(window: MainWindow) -> None:
    keys: dict[str, list[str]] = {}
    anywhere = [
        command for command in window.commands if command.shortcutContext() == Qt.ShortcutContext.WindowShortcut
    ]
    for action in anywhere:
        for shortcut in action.shortcuts():
            keys.setdefault(shortcut.toString(QKeySequence.SequenceFormat.PortableText), []).append(name_of(action))
    assert {key: names for key, names in keys.items() if len(names) > 1} == {}


def test_an_action_that_cannot_be_used_says_so_in_the_palette(window: MainWindow) -> None:
    palette = window.show_palette()
    rows = [palette.model.action(row) for row in range(palette.model.rowCount())]
    states = [action.isEnabled() for action in rows]
    assert states == sorted(states, reverse=True)
    assert all(isinstance(action, QAction) for action in rows)
    palette.close()
