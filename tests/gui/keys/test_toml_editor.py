"""The text of a profile: the lines in sight have colours, those of a long text that nobody sees cost nothing."""

from __future__ import annotations

import pytest
from PySide6.QtGui import QColor, QPaintEvent, QPalette
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.gui.keys.toml_editor import TomlText
from app.gui.look import theme

LONG = 5_000


@pytest.fixture
def editor(qtbot: QtBot) -> TomlText:
    """Return a text of many lines that is seen from its beginning."""
    text = TomlText("text", "")
    qtbot.addWidget(text)
    text.resize(400, 200)
    text.show()
    text.setPlainText('[table] # why\nkey = "words"\n' + "n = 1\n" * LONG)
    text.viewport().repaint()
    return text


def coloured(editor: TomlText, line: int) -> list[tuple[str, str]]:
    """Return what has colours in a line, with them."""
    block = editor.document().findBlockByNumber(line)
    ranges = block.layout().formats()
    return [(block.text()[r.start :][: r.length], r.format.foreground().color().name()) for r in ranges]


def test_tables_keys_words_and_comments_have_colours(editor: TomlText) -> None:
    scheme = theme.current()
    link, muted, quoted = (colour.lower() for colour in (scheme.link, scheme.muted, scheme.quoted))
    assert coloured(editor, 0) == [("[table]", link), ("# why", muted)]
    assert coloured(editor, 1) == [("key", link), ('"words"', quoted)]


def test_lines_get_their_colours_when_they_come_into_sight(editor: TomlText) -> None:
    assert coloured(editor, LONG) == []
    editor.go_to(LONG)
    editor.viewport().repaint()
    assert [words for words, _ in coloured(editor, LONG)] == ["n"]


def test_a_line_that_is_changed_is_coloured_anew(editor: TomlText) -> None:
    cursor = editor.textCursor()
    cursor.insertText("# ")
    editor.viewport().repaint()
    assert [words for words, _ in coloured(editor, 0)] == ["# [table] # why"]


def test_another_palette_gives_other_colours(qapp: QApplication, editor: TomlText) -> None:
    before, shown = coloured(editor, 1), QPalette(qapp.palette())
    try:
        qapp.setPalette(QPalette(QColor("black")))
        editor.viewport().repaint()
        assert [words for words, _ in coloured(editor, 1)] == [words for words, _ in before]
        assert coloured(editor, 1) != before
    finally:
        qapp.setPalette(shown)


class Watched(TomlText):
    """Notes how high what it paints is."""

    painted = 0

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802 - as Qt calls it
        self.painted = event.rect().height()
        super().paintEvent(event)


def test_a_key_paints_its_own_line_only(qtbot: QtBot) -> None:
    editor = Watched("text", "")
    qtbot.addWidget(editor)
    editor.resize(400, 200)
    editor.show()
    editor.setPlainText("n = 1\n" * LONG)
    for letter in "ab":
        QApplication.processEvents()
        editor.painted = 0
        qtbot.keyClicks(editor, letter)
        qtbot.waitUntil(lambda: editor.painted > 0)
    assert editor.painted < 3 * editor.fontMetrics().height()
