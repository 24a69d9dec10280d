"""The help: a search over the sections of docs/, and one of them, or what is known of a key or a page."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from PySide6.QtCore import QAbstractListModel, QEvent, QModelIndex, QObject, QPersistentModelIndex, Qt, QUrl
from PySide6.QtGui import QAction, QDesktopServices, QKeySequence, QTextOption
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLineEdit,
    QListView,
    QSplitter,
    QTextBrowser,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from app.gui.look.words import name_of
from app.gui.shell.help_pages import Topic, find, search

TOPIC = Qt.ItemDataRole.UserRole + 1
MISSING = "<p>This page is not installed.</p>"
Shown = tuple[str, str]
"""Markdown or HTML, by the word before it."""


class TopicsModel(QAbstractListModel):
    """The sections in which all words stand."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._topics = search("")

    def narrow(self, words: str) -> None:
        """Keep the sections in which all words stand, the likeliest first."""
        self.beginResetModel()
        self._topics = search(words)
        self.endResetModel()

    def rowCount(self, parent: QModelIndex | QPersistentModelIndex = QModelIndex()) -> int:
        return 0 if parent.isValid() else len(self._topics)

    def data(self, index: QModelIndex | QPersistentModelIndex, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        topic = self._topics[index.row()]
        if role in {Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole}:
            return topic.title if topic.level == 1 else f"{topic.title} – {topic.about}"
        return topic if role == TOPIC else None


class HelpView(QWidget):
    """Search above, text below; back and forward as in a browser."""

    def __init__(self) -> None:
        super().__init__()
        self._history: list[Shown] = []
        self._at = -1
        self.model = TopicsModel(self)
        self.search = QLineEdit(placeholderText="Search the help", clearButtonEnabled=True)
        self.search.setAccessibleName("Search the help")
        self.list = QListView()
        self.list.setModel(self.model)
        self.list.setAccessibleName("Sections of the help")
        self.list.setUniformItemSizes(True)
        self.text = QTextBrowser(openLinks=False)
        self.text.setAccessibleName("Help")
        self.text.setWordWrapMode(QTextOption.WrapMode.WordWrap)  # no table cell of single letters
        self._back = self._button("Back", "◀", lambda: self._go(-1))
        self._forward = self._button("Forward", "▶", lambda: self._go(1))
        self._lay_out()
        self.search.textChanged.connect(self.model.narrow)
        self.search.returnPressed.connect(lambda: self._on_chosen(self.model.index(0, 0)))
        self.list.clicked.connect(self._on_chosen)
        self.list.activated.connect(self._on_chosen)
        self.text.anchorClicked.connect(self.follow)
        self.show_address("window.md")

    def show_topic(self, topic: Topic) -> None:
        """Show a section."""
        self._show(("markdown", _rooted(topic)))

    def show_address(self, address: str) -> None:
        """Show the section at PAGE.md#ANCHOR."""
        topic = find(address)
        if topic is None:
            self._show(("html", MISSING))
        else:
            self.show_topic(topic)

    def show_html(self, html: str) -> None:
        """Show what was put together for what has the focus."""
        self._show(("html", html))

    def show_page(self, title: str, actions: Sequence[QAction]) -> None:
        """Show what a page of the window answers, and the keys of its actions."""
        topic = find(f"window.md#{title.lower()}")
        keys = "\n".join(f"| {name_of(action)} | {_keys(action)} |" for action in actions)
        table = f"\n\n### Actions\n\n| action | keys |\n|:--|:--|\n{keys}\n" if keys else ""
        self._show(("markdown", (_rooted(topic) if topic else f"## {title}") + table))

    def follow(self, link: QUrl) -> None:
        """Show where a link leads: a section here, anything else in the browser."""
        if link.scheme() in {"", "help"}:
            self.show_address(link.toString().removeprefix("help:"))
        else:
            QDesktopServices.openUrl(link)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange and self._history:
            self._go(0)  # links have the colour that was theirs when the text was set

    def _show(self, shown: Shown) -> None:
        self._history = [*self._history[: self._at + 1], shown]
        self._go(1)

    def _go(self, by: int) -> None:
        self._at = min(max(self._at + by, 0), len(self._history) - 1)
        kind, text = self._history[self._at]
        if kind == "markdown":
            self.text.setMarkdown(text)
        else:
            self.text.setHtml(text)
        self._back.setEnabled(self._at > 0)
        self._forward.setEnabled(self._at < len(self._history) - 1)

    def _on_chosen(self, index: QModelIndex) -> None:
        if index.isValid():
            self.show_topic(index.data(TOPIC))

    def _button(self, name: str, sign: str, slot: Callable[[], None]) -> QToolButton:
        button = QToolButton(autoRaise=True)
        button.setText(sign)
        button.setToolTip(name)
        button.setAccessibleName(name)
        button.clicked.connect(lambda *_: slot())
        return button

    def _lay_out(self) -> None:
        bar, body, layout = QHBoxLayout(), QSplitter(Qt.Orientation.Vertical), QVBoxLayout(self)
        for widget in (self._back, self._forward, self.search):
            bar.addWidget(widget)
        body.addWidget(self.list)
        body.addWidget(self.text)
        body.setSizes([120, 420])
        layout.setContentsMargins(4, 4, 4, 4)
        layout.addLayout(bar)
        layout.addWidget(body, 1)


def _rooted(topic: Topic) -> str:
    """Return the text of a section, its links to anchors of the same page naming the page."""
    return topic.text.replace("](#", f"]({topic.page}#")


def _keys(action: QAction) -> str:
    return action.shortcut().toString(QKeySequence.SequenceFormat.NativeText)
