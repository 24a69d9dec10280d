"""The text of the open profile: lines numbered, mistakes underlined, changes on the undo stack of the session."""

from __future__ import annotations

import re
from collections.abc import Sequence

from PySide6.QtCore import QEvent, QRect, QSize, QStringListModel, Qt
from PySide6.QtGui import (
    QColor,
    QFontDatabase,
    QKeyEvent,
    QKeySequence,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QTextCharFormat,
    QTextCursor,
    QTextLayout,
)
from PySide6.QtWidgets import QApplication, QCompleter, QListView, QPlainTextEdit, QTextEdit, QWidget

from app.gui.keys.completion import Completions, completions
from app.gui.look import theme
from app.gui.session.document import common
from app.gui.session.session import Session
from models.problem import Problem
from profiles.loading.catalog import SHIPPED
from profiles.text.lines import locate
from profiles.text.tree import dotted

SCROLL_BAR = 24  # logical pixels
TAKE = (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Escape, Qt.Key.Key_Tab)
COLOURED = 10_000  # letters of a line that have colours. Assumption: nobody reads as far to the right
STATES = 0x7FFFFFFF  # numbers that Qt keeps with a line; that of a new one is -1
EMPTY = "No profile is open: choose one in the library, or drop a TOML file here."


class TomlText(QPlainTextEdit):
    """TOML with numbered lines in colours; lines with a mistake are marked and underlined."""

    def __init__(self, name: str, placeholder: str) -> None:
        super().__init__()
        self._numbers = _Numbers(self)
        self.setAccessibleName(name)
        self.setPlaceholderText(placeholder)
        self._follow_size()
        self.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.setTabChangesFocus(True)
        self.blockCountChanged.connect(self._make_room)
        self.updateRequest.connect(self._numbers.follow)
        self._make_room()

    def go_to(self, line: int) -> None:
        """Put the cursor on a line, counted from 1."""
        block = self.document().findBlockByNumber(line - 1)
        self.setTextCursor(QTextCursor(block))
        self.centerCursor()
        self.setFocus()

    def show_problems(self, problems: Sequence[Problem]) -> None:
        """Mark the lines that are wrong."""
        self._numbers.problems = {problem.line or 0: problem.message for problem in problems}
        self._numbers.update()
        self.setExtraSelections([self._underlined(problem) for problem in problems])

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.ApplicationFontChange:
            self._follow_size()

    def paintEvent(self, event: QPaintEvent) -> None:
        self._colour()
        super().paintEvent(event)

    def _colour(self) -> None:
        """Colour the lines in sight that are not: of a long text the others may never be.

        Qt takes colours for a change of the text, which it tells with the next one, as that of many lines, and paints
        them all; it tells it here, and nobody listens.
        """
        scheme, block, document = theme.current(), self.firstVisibleBlock(), self.document()
        document.documentLayout().blockSignals(True)
        top = self.blockBoundingGeometry(block).translated(self.contentOffset()).top()
        while block.isValid() and top <= self.viewport().height():
            text = block.text()[:COLOURED]
            state = hash((text, scheme)) & STATES
            if block.userState() != state:
                block.setUserState(state)
                block.layout().setFormats(_coloured(text, scheme))
                document.markContentsDirty(block.position(), 0)
            block, top = block.next(), top + self.blockBoundingRect(block).height()
        document.documentLayout().blockSignals(False)

    def _follow_size(self) -> None:
        """Take letters of one width, as large as all others."""
        font = QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont)
        font.setPointSizeF(QApplication.font().pointSizeF())
        self.setFont(font)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        inside = self.contentsRect()
        self._numbers.setGeometry(QRect(inside.left(), inside.top(), self._numbers.width_needed(), inside.height()))

    def _make_room(self) -> None:
        self.setViewportMargins(self._numbers.width_needed(), 0, 0, 0)

    def _underlined(self, problem: Problem) -> QTextEdit.ExtraSelection:
        selection = QTextEdit.ExtraSelection()
        selection.cursor = QTextCursor(self.document().findBlockByNumber((problem.line or 1) - 1))
        selection.cursor.select(QTextCursor.SelectionType.LineUnderCursor)
        selection.format.setUnderlineStyle(QTextCharFormat.UnderlineStyle.WaveUnderline)
        selection.format.setUnderlineColor(QColor(theme.current().error))
        selection.format.setToolTip(problem.message)
        return selection


class TomlEditor(TomlText):
    """Shows `session.document`, and changes it by each keystroke."""

    def __init__(self, session: Session) -> None:
        super().__init__("TOML text of the profile", EMPTY)
        self._session = session
        self.completer = QCompleter(QStringListModel(self), self)
        self.completer.setWidget(self)
        self._list = QListView()
        self._list.setAccessibleName("What may stand here")
        self.completer.setPopup(self._list)
        self.completer.activated.connect(self._complete)
        self._offered = Completions("", (), is_key=True)
        self.setUndoRedoEnabled(False)
        self.textChanged.connect(self._on_text_changed)
        session.document_changed.connect(self._on_document_changed)
        session.problems_changed.connect(self._on_problems_changed)
        self._on_document_changed()

    def help_key(self) -> str:
        """Return the key on the line of the cursor, "" for none."""
        line = self.textCursor().blockNumber() + 1
        try:
            keys = [key for key, at in locate(self.toPlainText()).items() if at == line]
        except ValueError:  # the text is no TOML
            return ""
        return dotted(max(keys, key=len)) if keys else ""

    def problems_here(self) -> list[Problem]:
        """Return the problems that have a line in this text."""
        here = SHIPPED.shown(self._session.document.base)
        return [problem for problem in self._session.problems if problem.line and problem.file == here]

    def offer(self) -> None:
        """Offer what may stand at the cursor; what is the only one is taken."""
        loaded = self._session.loaded
        self._offered = completions(self.toPlainText(), self.textCursor().position(), loaded.tree if loaded else None)
        words, model = self._offered.words, self.completer.model()
        assert isinstance(model, QStringListModel)  # it was made with one
        model.setStringList(list(words))
        if len(words) == 1:
            self._complete(words[0])
        elif words:
            place = self.cursorRect()
            place.setWidth(max(self._list.sizeHintForColumn(0) + SCROLL_BAR, place.width()))
            self.completer.complete(place)

    def _complete(self, word: str) -> None:
        cursor = self.textCursor()
        left = word.removeprefix(self._offered.begun)
        cursor.insertText(f"{left} = " if self._offered.is_key else left)
        self.setTextCursor(cursor)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        stack = self._session.document.stack
        if self._list.isVisible() and event.key() in TAKE:
            event.ignore()  # for the list, which takes what is chosen or closes
        elif event.key() == Qt.Key.Key_Space and event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self.offer()
        elif event.matches(QKeySequence.StandardKey.Undo):
            stack.undo()
        elif event.matches(QKeySequence.StandardKey.Redo):
            stack.redo()
        else:
            super().keyPressEvent(event)

    def _on_text_changed(self) -> None:
        self._session.set_text(self.toPlainText())

    def _on_document_changed(self) -> None:
        """Take a change that was made elsewhere: only what differs, so that the cursor stays."""
        old, new = self.toPlainText(), self._session.document.text
        if old == new:
            return
        start = common(old, new)
        end = common(old[start:][::-1], new[start:][::-1])
        cursor = QTextCursor(self.document())
        cursor.setPosition(_units(old[:start]))
        cursor.setPosition(_units(old[: len(old) - end]), QTextCursor.MoveMode.KeepAnchor)
        self.blockSignals(True)
        cursor.insertText(new[start : len(new) - end])
        self.blockSignals(False)
        self._make_room()

    def _on_problems_changed(self) -> None:
        self.show_problems(self.problems_here())


class _Numbers(QWidget):
    """The column of line numbers; a line with a mistake has a mark."""

    def __init__(self, editor: TomlText) -> None:
        super().__init__(editor)
        self._editor = editor
        self.problems: dict[int, str] = {}

    def width_needed(self) -> int:
        """Return the width of the largest number and its mark."""
        digits = max(3, len(str(self._editor.blockCount())))
        return self._editor.fontMetrics().horizontalAdvance("0") * (digits + 2)

    def sizeHint(self) -> QSize:
        return QSize(self.width_needed(), 0)

    def follow(self, area: QRect, by: int) -> None:
        """Scroll with the text."""
        if by:
            self.scroll(0, by)
        else:
            self.update(0, area.y(), self.width(), area.height())

    def paintEvent(self, event: QPaintEvent) -> None:
        editor, scheme = self._editor, theme.current()
        painter = QPainter(self)
        painter.fillRect(event.rect(), QColor(scheme.alternate))
        painter.setFont(editor.font())
        block = editor.firstVisibleBlock()
        top = editor.blockBoundingGeometry(block).translated(editor.contentOffset()).top()
        while block.isValid() and top <= event.rect().bottom():
            height, line = editor.blockBoundingRect(block).height(), block.blockNumber() + 1
            is_wrong = line in self.problems
            painter.setPen(QColor(scheme.error if is_wrong else scheme.muted))
            text = f"▸{line}" if is_wrong else f"{line}"
            painter.drawText(0, round(top), self.width() - 6, round(height), Qt.AlignmentFlag.AlignRight, text)
            block, top = block.next(), top + height


def _coloured(text: str, scheme: theme.Scheme) -> list[QTextLayout.FormatRange]:
    """Return the colours of a line: tables, keys, text and comments of TOML are told apart."""
    ranges = []
    header = re.match(r"\s*(\[[^#]*\])|\s*([\w\-.\"']+)\s*=", text)
    if header:
        group = 1 if header[1] else 2
        ranges.append(_range(*header.span(group), scheme.link, is_bold=group == 1))
    for match in re.finditer(r"\"[^\"]*\"|'[^']*'|(#.*)", text):
        ranges.append(_range(*match.span(), scheme.muted if match[1] else scheme.quoted))
        if match[1]:
            break
    return ranges


def _range(start: int, end: int, colour: str, *, is_bold: bool = False) -> QTextLayout.FormatRange:
    made, style = QTextLayout.FormatRange(), QTextCharFormat()
    style.setForeground(QColor(colour))
    if is_bold:
        style.setFontWeight(700)
    made.start, made.length, made.format = start, end - start, style
    return made


def _units(text: str) -> int:
    """Return how many UTF-16 units a text has, in which Qt counts."""
    return len(text.encode("utf-16-le")) // 2
