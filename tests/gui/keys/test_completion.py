"""In the text of a profile Ctrl+Space offers what may stand at the cursor: keys, parts and choices."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from app.gui.keys.completion import completions
from app.gui.shell.window import MainWindow
from profiles.loading.catalog import names
from tests.gui.conftest import SMALL


@pytest.mark.parametrize(
    ("typed", "begun", "words"),
    [
        ("stor", "stor", ("storage",)),
        ('prices = "', "", names("prices")),
        ('storage = { use = "hdfs-', "hdfs-", ("hdfs-2019", "hdfs-emr", "hdfs-rs-6-3")),
        ("[cluster.network]\noversub", "oversub", ("oversubscription",)),
        ("cluster.network.rac", "rac", ("racks",)),
        ('[[workloads]]\nframework = "yarn-c', "yarn-c", ("yarn-c5d",)),
        ('[cluster.groups.workers]\nserver = "hdd-2', "hdd-2", ("hdd-25gbe",)),
        ("# a comment of ", "", ()),
    ],
)
def test_what_may_stand_at_the_cursor_is_offered(typed: str, begun: str, words: tuple[str, ...]) -> None:
    offered = completions(typed, len(typed), None)
    assert (offered.begun, offered.words) == (begun, words)


def test_the_only_key_is_taken_and_several_are_listed(window: MainWindow, qtbot: QtBot) -> None:
    page = window.show_page("Cluster")
    page.text_button.click()
    page.editor.setFocus()
    page.editor.setPlainText(f"prices{SMALL}")
    page.editor.moveCursor(page.editor.textCursor().MoveOperation.Start)
    qtbot.keyClicks(page.editor, "grow")
    qtbot.keyClick(page.editor, Qt.Key.Key_Space, Qt.KeyboardModifier.ControlModifier)
    assert page.editor.toPlainText().startswith("growth = prices")
    qtbot.keyClicks(page.editor, '"')
    page.editor.setPlainText('prices = "')
    page.editor.moveCursor(page.editor.textCursor().MoveOperation.End)
    qtbot.keyClick(page.editor, Qt.Key.Key_Space, Qt.KeyboardModifier.ControlModifier)
    assert page.editor.completer.popup().model().rowCount() == len(names("prices"))
    page.editor.completer.popup().hide()
