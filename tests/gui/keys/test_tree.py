"""The tree of keys: unfolded once it is seen, its first column as wide as what is unfolded."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex
from pytestqt.qtbot import QtBot

from app.gui.keys.view import ProfileTree
from app.gui.shell.window import MainWindow


def is_unfolded(tree: ProfileTree) -> bool:
    return tree.view.isExpanded(tree.proxy.index(0, 0, QModelIndex()))


def test_keys_of_another_profile_are_unfolded_where_they_are_seen(window: MainWindow, qtbot: QtBot) -> None:
    page = window.show_page("Cluster")
    seen, hidden = page.tree, window.tree
    qtbot.waitUntil(lambda: is_unfolded(seen))
    window.session.document.stack.setClean()
    window.session.open("shared-day")
    assert not hidden.isVisible()
    qtbot.waitUntil(lambda: is_unfolded(seen))
    assert not is_unfolded(hidden)
    assert abs(seen.view.columnWidth(0) - min(seen.view.sizeHintForColumn(0) + 40, 260)) <= 2
    window.show_page("Run")
    qtbot.waitUntil(lambda: is_unfolded(hidden))


def test_a_key_is_edited_though_nothing_has_been_unfolded_yet(window: MainWindow) -> None:
    page = window.show_page("Cluster")
    page.tree.edit("workload.input")
    assert page.tree.view.currentIndex().data() == "5 GB"
    assert page.tree.view.state() == page.tree.view.State.EditingState


def test_cards_and_keys_are_drawn_one_after_the_other(window: MainWindow, qtbot: QtBot) -> None:
    page = window.show_page("Cluster")
    assert [curtain.isHidden() for curtain in page._curtains] == [False, False]
    qtbot.waitUntil(lambda: all(curtain.isHidden() for curtain in page._curtains))
    page.keys_button.setChecked(False)
    window.show_page("Start")
    window.show_page("Cluster")
    qtbot.waitUntil(lambda: all(curtain.isHidden() for curtain in page._curtains))
