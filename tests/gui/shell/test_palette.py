"""Ctrl+K: every command by its name; and what the window shows as a command for a terminal."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QGuiApplication
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.gui.look import theme
from app.gui.pages import PAGES
from app.gui.shell.palette import CommandModel, name_of
from app.gui.shell.window import MainWindow


def test_a_few_letters_and_enter_carry_out_a_command(window: MainWindow, qtbot: QtBot) -> None:
    palette = window.show_palette()
    qtbot.keyClicks(palette.line, "dark th")
    qtbot.keyClick(palette.line, Qt.Key.Key_Return)
    assert window.settings.theme == "dark"
    assert theme.current() is theme.DARK
    window.set_theme("light")


def test_the_command_that_is_called_as_what_is_typed_comes_first(window: MainWindow, qtbot: QtBot) -> None:
    for typed in ("compare", "Size", "report", "sweep"):
        palette = window.show_palette()
        qtbot.keyClicks(palette.line, typed)
        qtbot.keyClick(palette.line, Qt.Key.Key_Return)
        assert window.page == typed.capitalize()


def test_names_that_begin_with_what_is_typed_come_before_those_that_only_hold_it(qapp: QApplication) -> None:
    names = ["Add a quotation", "Outquote", "Open quotes", "Quote a part", "Quote"]
    model = CommandModel([QAction(name) for name in names])
    model.narrow("quot")
    assert [model.index(row).data() for row in range(5)] == [
        "Quote",
        "Quote a part",
        "Add a quotation",
        "Open quotes",
        "Outquote",
    ]


def test_every_command_of_the_menus_is_in_the_palette(window: MainWindow) -> None:
    def of(menu_actions: list) -> list[str]:
        named = [action for action in menu_actions if not action.isSeparator()]
        return [n for entry in named for n in (of(entry.menu().actions()) if entry.menu() else [name_of(entry)])]

    known = {name_of(action) for action in window.commands}
    assert set(of(window.menuBar().actions())) - known == set()


def test_the_command_line_says_what_was_changed(window: MainWindow) -> None:
    window.open("hdfs-terasort")
    window.session.set_value("cluster.groups.workers.count", "24")
    window.session.check()
    window.seed.setValue(7)
    window.copy_command()
    text = "simulate --profile hdfs-terasort --set cluster.groups.workers.count=24 --seed 7"
    assert QGuiApplication.clipboard().text() == text
    window.session.document.stack.setClean()


def test_pages_are_made_before_they_are_asked_for_without_being_shown(window: MainWindow, qtbot: QtBot) -> None:
    window.make_pages()
    qtbot.waitUntil(lambda: len(window.pages) == len(PAGES), timeout=60_000)
    assert window.page == "Start"
