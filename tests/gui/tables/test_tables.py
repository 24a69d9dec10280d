"""Tables: widths that were set by hand stay, rows are sorted by their values, and what is chosen can be copied."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from pytestqt.qtbot import QtBot

from app.gui.tables.hint_table import HintTable
from app.gui.tables.model import Column, TableModel
from app.gui.tables.view import TableView

COLUMNS = (
    Column("name", is_number=False),
    Column("size", lambda value: f"{value} GB"),
    Column("note", is_number=False),
)
SHORT, LONG = [("a", 9, "x")], [("a name that is rather long", 100, "y"), ("b", 9, "z")]


@pytest.fixture
def table(qtbot: QtBot) -> TableView:
    made = TableView("Sizes", COLUMNS)
    qtbot.addWidget(made)
    made.resize(600, 200)
    made.show()
    made.show_rows(SHORT)
    return made


def test_a_width_that_was_set_by_hand_stays_when_rows_and_window_change(table: TableView) -> None:
    table.horizontalHeader().resizeSection(0, 77)
    table.show_rows(LONG)
    table.resize(900, 200)
    assert table.columnWidth(0) == 77


def test_a_column_follows_its_words_until_its_width_is_set(table: TableView) -> None:
    before = table.columnWidth(0)
    table.show_rows(LONG)
    assert table.columnWidth(0) > before
    table.horizontalHeader().resizeSection(0, 20)
    table.horizontalHeader().sectionHandleDoubleClicked.emit(0)
    table.show_rows(LONG)
    assert table.columnWidth(0) > before


def test_the_last_column_fills_the_table(table: TableView) -> None:
    table.resize(900, 200)
    assert sum(table.columnWidth(column) for column in range(3)) >= table.viewport().width()


def test_columns_that_need_the_room_take_it_from_the_arrows_of_their_headers(table: TableView, qtbot: QtBot) -> None:
    columns = range(3)
    headers = sum(table.horizontalHeader().sectionSizeHint(column) for column in columns)
    words = [table.horizontalHeader().fontMetrics().horizontalAdvance(column.name) for column in COLUMNS]
    table.resize(headers - 20, 200)
    assert sum(table.columnWidth(column) for column in columns) == table.viewport().width()
    assert all(table.columnWidth(column) > words[column] for column in columns)
    qtbot.waitUntil(lambda: table.horizontalScrollBar().maximum() == 0)


def test_a_hint_table_keeps_widths_by_title_when_its_columns_change(qtbot: QtBot) -> None:
    model = TableModel(COLUMNS)
    table = HintTable("Points", model, "nothing")
    qtbot.addWidget(table)
    table.resize(600, 200)
    table.show()
    table.horizontalHeader().resizeSection(1, 123)
    other = TableModel([Column("mark"), *COLUMNS])
    other.show([(1, *LONG[0])])
    table.setModel(other)
    table.fit()
    assert table.columnWidth(2) == 123


def test_rows_are_sorted_by_value_and_copied_as_shown(table: TableView, qtbot: QtBot) -> None:
    table.show_rows(LONG)
    table.sortByColumn(1, Qt.SortOrder.DescendingOrder)
    first = table.visualRect(table.model().index(0, 0)).center()
    qtbot.mouseClick(table.viewport(), Qt.MouseButton.LeftButton, pos=first)  # `selectRow` heeds keys held long before
    qtbot.keyClick(table, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert QGuiApplication.clipboard().text() == "a name that is rather long\t100 GB\ty"
