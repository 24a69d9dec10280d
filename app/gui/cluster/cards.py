"""The cards of a cluster: fields with plain labels, choosers of parts, and what can be added or removed."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QAction, QResizeEvent
from PySide6.QtWidgets import (
    QComboBox,
    QFormLayout,
    QFrame,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QMenu,
    QPushButton,
    QScrollArea,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from app.gui.cluster import changes
from app.gui.cluster.chooser import PartChooser
from app.gui.cluster.sections import OWN, Can, Section, Slot, sections
from app.gui.keys.model import ENTRY, VALUE, ProfileModel
from app.gui.look import theme
from app.gui.look.hints import hint_below, tell
from app.gui.look.line_label import LineLabel
from app.gui.session.profile_tree import UNSET, Entry
from app.gui.session.session import Session
from app.gui.session.tables import keys_of, put
from app.reports.media import line
from models.hardware.cards import CARD, in_bytes
from profiles.editing.plain import rewritten, tables_of

HEAD = 2  # rows that the head of a card is high
PADDING, GAP, WIDE = 12, 8, 560  # logical pixels: in a card, between cards, from where there are two columns
NAME = 150  # logical pixels of a part's name at most: two columns of cards have the room


class ClusterCards(QScrollArea):
    """A card for each part; `refused` is what cannot be done, with a title.

    While nobody sees them they stay as they are, and follow the profile when they are asked for. So they do where
    another profile is opened: that is read first, and shown in a turn of the page.
    """

    refused = Signal(str, object)

    def __init__(self, session: Session, model: ProfileModel) -> None:
        super().__init__(widgetResizable=True)
        self.setAccessibleName("Cards of the cluster")
        self.setFrameShape(QFrame.Shape.NoFrame)
        self._session, self._model = session, model
        self._shown: list[Section] = []
        self._cards: list[Card] = []
        self._ahead: list[Card] = []  # made, and not shown yet
        self._missing: list[Section] | None = None  # not made yet; None where nobody has looked
        self._is_behind, self._is_another = True, False
        self._inside = QWidget()
        row = QHBoxLayout(self._inside)
        row.setContentsMargins(0, 0, GAP, 0)
        self._columns = (QVBoxLayout(), QVBoxLayout())
        for column in self._columns:
            column.setSpacing(GAP)
            row.addLayout(column)
        self.setWidget(self._inside)
        session.document_opened.connect(self._on_opened)
        session.problems_changed.connect(self._on_problems_changed)

    @property
    def cards(self) -> list[Card]:
        """The cards of the last profile that was right."""
        self.catch_up()
        return self._cards

    def catch_up(self) -> bool:
        """Follow the profile if that is still to be done, and tell whether it was."""
        was_behind, self._is_behind, self._is_another = self._is_behind, False, False
        if was_behind:
            self._refresh()
        return was_behind

    def catch_up_by_one(self) -> bool:
        """Make one card that is missing, or else follow the profile, and tell whether there was anything to do.

        A card takes some milliseconds, and a profile of many workloads has a dozen.
        """
        if self._is_behind and self._missing is None:
            there = [card.section for card in (*self._cards, *self._ahead)]
            self._missing = [section for section in self._wanted() if section not in there]
        if not (self._is_behind and self._missing):
            return self.catch_up()
        self._ahead.append(Card(self, self._model, self._missing.pop(0)))
        return True

    def _on_problems_changed(self) -> None:
        self._is_behind, self._missing = True, None
        if self.isVisible() and not self._is_another:
            self.catch_up()

    def _on_opened(self) -> None:
        self._is_another = True

    def _refresh(self) -> None:
        """Show the last profile that was right, dimmed while the text is not."""
        wanted = self._wanted()
        if wanted != self._shown:
            self._shown = wanted
            self._make()
        for card in self._cards:
            card.refresh()
        for label in self._inside.findChildren(QLabel):
            theme.dim(label, is_dim=bool(self._session.problems))

    def _wanted(self) -> list[Section]:
        loaded = self._session.loaded
        root = self._model.entry(self._model.index(-1, -1))
        return sections(root, loaded) if loaded is not None else []

    def _make(self) -> None:
        """Make the cards of what is new, and take those of what is gone away."""
        self._take_out()
        left = {card.section: card for card in (*self._cards, *self._ahead)}
        self._ahead = []
        known = [left.pop(section) if section in left else None for section in self._shown]
        cards = zip(self._shown, known, strict=True)
        self._cards = [card or Card(self, self._model, section) for section, card in cards]
        for card in left.values():
            card.hide()
            card.deleteLater()
        self._place()
        for before, after in pairwise(widget for card in self._cards for widget in card.inputs):
            QWidget.setTabOrder(before, after)

    def _take_out(self) -> None:
        for column in self._columns:
            while column.takeAt(0) is not None:
                pass

    def _place(self) -> None:
        """Put the cards into one column, or half of them into each of two, in their order: Tab goes as one reads."""
        heights = [HEAD + len(card.section.fields) + len(card.section.slots) for card in self._cards]
        above = 0
        for card, height in zip(self._cards, heights, strict=True):
            is_right = self._is_wide and above >= sum(heights) / 2
            above += height
            self._columns[is_right].addWidget(card)
        for column in self._columns:
            column.addStretch()

    @property
    def _is_wide(self) -> bool:
        return self.width() >= WIDE

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if (event.oldSize().width() >= WIDE) != (event.size().width() >= WIDE):
            self._take_out()
            self._place()

    # What is done with a card

    def choose(self, slot: Slot) -> None:
        """Ask for a part and put it in its place."""
        dialog = PartChooser(slot.folder, slot.part, self)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.accepted.connect(lambda: self.take_part(slot, dialog.chosen))
        dialog.open()

    def take_part(self, slot: Slot, name: str) -> None:
        """Put a part in its place."""
        if name and name != slot.part:
            self._change(f"{slot.key} = {name}", lambda tables, whole: put(tables, keys_of(slot.key), name))

    def edit_copy(self, slot: Slot) -> None:
        """Let the profile state a part itself."""
        self._change(f"a copy of {slot.part}", lambda tables, whole: changes.own(tables, whole, keys_of(slot.key)))

    def remove(self, section: Section) -> None:
        """Take what a card shows away."""
        self._change(
            f"remove {section.title}", lambda tables, whole: changes.without(tables, whole, keys_of(section.key))
        )

    def add(self, section: Section, what: Can) -> None:
        """Add something beside what a card shows, or to it."""
        name = section.key.rpartition(".")[2]
        adds: dict[Can, Callable[[Any, Any], Any]] = {
            Can.ADD_GROUP: lambda tables, whole: changes.with_group(tables, whole, name),
            Can.ADD_BAY: lambda tables, whole: changes.with_bay(tables, whole, name),
            Can.ADD_WORKLOAD: changes.with_workload,
            Can.ADD_EXPANSION: changes.with_expansion,
        }
        self._change(ADDS[what].lower(), adds[what])

    def _change(self, what: str, change: Callable[[Any, Any], Any]) -> None:
        session = self._session
        if session.is_valid and session.loaded is not None:
            document = session.document
            tables = change(tables_of(document.text), session.loaded.resolved)
            document.set_text(rewritten(document.text, tables), what)


ADDS = {
    Can.ADD_GROUP: "Add servers like these",
    Can.ADD_BAY: "Add a bay",
    Can.ADD_WORKLOAD: "Add a workload like this",
    Can.ADD_EXPANSION: "Add an expansion",
}


class Card(QFrame):
    """One part: what it is, its first keys, and a menu of what can be done with it."""

    def __init__(self, cards: ClusterCards, model: ProfileModel, section: Section) -> None:
        super().__init__()
        self.setFrameShape(QFrame.Shape.StyledPanel)
        self.section = section
        self._model = model
        self.fields: list[ValueField] = []
        head, form, layout = QHBoxLayout(), QFormLayout(), QVBoxLayout(self)
        self.title = _title(section.title)
        head.addWidget(self.title, 1)
        self.menu_button = self._menu(cards)
        head.addWidget(self.menu_button)
        form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.ExpandingFieldsGrow)
        self.choosers = [self._chooser(cards, slot) for slot in section.slots]
        for slot, button in zip(section.slots, self.choosers, strict=True):
            form.addRow(slot.label, button)
        for label, key in section.fields:
            field = ValueField(model, key, f"{label}, {section.title}")
            self.fields.append(field)
            form.addRow(label, field)
        layout.setContentsMargins(PADDING, PADDING, PADDING, PADDING)
        layout.addLayout(head)
        layout.addLayout(form)

    @property
    def inputs(self) -> list[QWidget]:
        """What Tab reaches, in its order."""
        return [self.menu_button, *self.choosers, *(field.editor for field in self.fields)]

    def refresh(self) -> None:
        """Show what the profile says."""
        for field in self.fields:
            field.refresh()

    def _chooser(self, cards: ClusterCards, slot: Slot) -> QPushButton:
        button = QPushButton()
        button.setText(f"{button.fontMetrics().elidedText(slot.part, Qt.TextElideMode.ElideMiddle, NAME)}…")
        button.setAccessibleName(f"{slot.label} of {self.section.title}: {slot.part}")
        button.setToolTip("Choose another from the catalogue")
        button.clicked.connect(lambda: cards.choose(slot))
        return button

    def _menu(self, cards: ClusterCards) -> QToolButton:
        button = QToolButton(self)
        button.setText("⋯")
        button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        button.setAccessibleName(f"More of {self.section.title}")
        button.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        menu = QMenu(button)
        for slot in self.section.slots:
            if slot.part != OWN and not self._is_open(slot):
                action = QAction(f"Edit a copy of {slot.part}", menu)
                action.triggered.connect(lambda checked=False, slot=slot: cards.edit_copy(slot))
                menu.addAction(action)
        for what, text in ADDS.items():
            if what in self.section.can:
                action = QAction(text, menu)
                action.triggered.connect(lambda checked=False, what=what: cards.add(self.section, what))
                menu.addAction(action)
        if Can.REMOVE in self.section.can:
            action = QAction(f"Remove {self.section.title}", menu)
            action.triggered.connect(lambda: cards.remove(self.section))
            menu.addAction(action)
        button.setMenu(menu)
        button.setVisible(bool(menu.actions()))
        return button

    def _is_open(self, slot: Slot) -> bool:
        entry = self._model.index_of(slot.key).data(ENTRY)
        return not isinstance(entry, Entry) or entry.is_leaf


class ValueField(QWidget):
    """One value: a line of text, or a list where there are choices."""

    def __init__(self, model: ProfileModel, key: str, name: str) -> None:
        super().__init__()
        self._model, self._key = model, key
        choices = self._entry.choices
        self.editor: QComboBox | QLineEdit = QComboBox() if choices else QLineEdit()
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.editor)
        self.hint = hint_below(layout) if key.endswith(CARD) else None
        self.setFocusProxy(self.editor)
        self.editor.setAccessibleName(name)
        self.editor.setToolTip(self._entry.description)
        if isinstance(self.editor, QComboBox):
            self.editor.setPlaceholderText(UNSET)
            self.editor.addItems(choices)
            self.editor.textActivated.connect(self._take)
        else:
            self.editor.setPlaceholderText(UNSET)
            self.editor.editingFinished.connect(self._on_edited)

    @property
    def _entry(self) -> Entry:
        entry = self._model.index_of(self._key).data(ENTRY)
        assert isinstance(entry, Entry)  # cards are of the profile that the model shows
        return entry

    def help_key(self) -> str:
        """Return the key that help is wanted for."""
        return self._key

    def refresh(self) -> None:
        """Show what the profile says, and whether it is wrong."""
        entry = self._entry
        typed = "" if entry.typed == UNSET else entry.typed
        if isinstance(self.editor, QComboBox):
            self.editor.setCurrentIndex(self.editor.findText(typed))
        elif self.editor.text() != typed and not (self._model.problem(entry) and self.editor.isModified()):
            self.editor.setText(typed)
            self.editor.setCursorPosition(0)
        wrong = self._model.problem(entry)
        theme.warn_of(self.editor, is_wrong=bool(wrong))
        self.editor.setToolTip(wrong or entry.description)
        if self.hint is not None:
            tell(self.hint, in_bytes(typed))

    def _on_edited(self) -> None:
        if isinstance(self.editor, QLineEdit) and self.editor.isModified():
            self._take(self.editor.text())

    def _take(self, text: str) -> None:
        self._model.setData(self._model.index_of(self._key, VALUE), text)


def _title(text: str) -> LineLabel:
    """Return the title of a card, which makes none wider than the others."""
    label = LineLabel()
    font = label.font()
    font.setBold(True)
    label.setFont(font)
    label.setText(line(text))
    return label
