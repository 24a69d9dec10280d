"""Widgets that show and change one place of a plan."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QLocale
from PySide6.QtWidgets import (
    QComboBox,
    QCompleter,
    QFormLayout,
    QGroupBox,
    QHBoxLayout,
    QLabel,
    QLayout,
    QLineEdit,
    QSizePolicy,
    QSpinBox,
    QVBoxLayout,
    QWidget,
)

from app.gui.look import theme
from app.gui.look.hints import hint_below, tell
from app.gui.plan.model import PlanModel
from app.gui.session.tables import Keys
from models.hardware.cards import in_bytes
from profiles.text.tree import dotted

NONE = "none"
OWN = "own, see the text"
ENGLISH = QLocale(QLocale.Language.English, QLocale.Country.UnitedStates)
"""How all numbers of the window are written: 22,000."""


class TextField(QLineEdit):
    """A text, or a number where only that can be meant; "" takes it away.

    Such a number may be followed by what it `counts`, which goes without saying: 5 years are 5.
    """

    def __init__(
        self,
        model: PlanModel,
        keys: Keys,
        name: str,
        example: str = "",
        tip: str = "",
        *,
        is_number: bool = False,
        counts: Sequence[str] = (),
    ) -> None:
        super().__init__()
        self._model, self._keys, self._is_number, self._counts = model, keys, is_number, counts
        self._is_part = example.endswith("%")
        self.setAccessibleName(name)
        self.setPlaceholderText(f"such as {example}" if example else "")
        self.setToolTip(tip)
        self.editingFinished.connect(self._on_edited)
        model.changed.connect(self.refresh)
        self.refresh()

    def refresh(self) -> None:
        """Show what the plan says."""
        value = self._model.get(*self._keys)
        text = "" if value is None else f"{value}"
        if text != self.text():
            self.setText(text)
            self.setCursorPosition(0)
        _tell(self, self._model.problem_of(*self._keys))

    def _on_edited(self) -> None:
        text = _without(self._counts, self.text().strip())
        text = _in_percent(text) if self._is_part else text
        before = self._model.get(*self._keys)
        self._model.set(_like(text, before, is_number=self._is_number), *self._keys)


class CardField(QWidget):
    """The rate of a network card, with a hint where it is stated in bytes."""

    def __init__(self, model: PlanModel, keys: Keys, name: str, example: str) -> None:
        super().__init__()
        self.field = TextField(model, keys, name, example)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.field)
        self.hint = hint_below(layout)
        self._model, self._keys = model, keys
        model.changed.connect(self.refresh)
        self.refresh()

    def refresh(self) -> None:
        """Say of what the plan says whether it may be meant otherwise."""
        tell(self.hint, in_bytes(self._model.get(*self._keys)))


class ChoiceField(QComboBox):
    """One of some texts; where it can be typed, too, any text. The first stands for nothing."""

    def __init__(self, model: PlanModel, keys: Keys, name: str, choices: Sequence[str], nothing: str = NONE) -> None:
        super().__init__()
        self._model, self._keys, self._nothing = model, keys, nothing
        self.setAccessibleName(name)
        self.addItems([*([nothing] if nothing else []), *choices])
        self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.setMinimumContentsLength(10)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.textActivated.connect(self._on_chosen)
        model.changed.connect(self.refresh)
        self.refresh()

    def let_type(self) -> None:
        """Let any text be typed, with what begins alike offered."""
        self.setEditable(True)
        self.setInsertPolicy(QComboBox.InsertPolicy.NoInsert)
        line, completer = self.lineEdit(), self.completer()
        assert line is not None  # it can be typed into
        if completer is not None:  # a list that opens would swallow that the field is left
            completer.setCompletionMode(QCompleter.CompletionMode.InlineCompletion)
        line.setAccessibleName(self.accessibleName())
        line.editingFinished.connect(lambda: self._on_chosen(self.currentText()))
        self.refresh()

    def refresh(self) -> None:
        """Show what the plan says."""
        value = self._model.get(*self._keys)
        text = self._nothing if value in (None, "") else OWN if isinstance(value, dict) else f"{value}"
        if self.findText(text) < 0 and not self.isEditable():
            self.addItem(text)
        if self.currentText() != text:
            if self.isEditable():
                self.setEditText(text)
                line = self.lineEdit()
                if line is not None:
                    line.setCursorPosition(0)
            else:
                self.setCurrentText(text)
        _tell(self, self._model.problem_of(*self._keys))

    def _on_chosen(self, text: str) -> None:
        if text != OWN:
            self._model.set("" if text == self._nothing else text.strip(), *self._keys)


class RangeField(QWidget):
    """How many: from, to and step, as the three numbers of a range."""

    def __init__(self, model: PlanModel, keys: Keys, name: str) -> None:
        super().__init__()
        self._model, self._keys = model, keys
        self.setAccessibleName(name)
        self.boxes = [QSpinBox(minimum=0, maximum=WIDEST) for _ in WORDS]
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        for word, label, box in zip(WORDS, LABELS, self.boxes, strict=True):
            box.setAccessibleName(f"{name} {word}")
            box.setButtonSymbols(QSpinBox.ButtonSymbols.NoButtons)
            box.setGroupSeparatorShown(True)
            box.setLocale(ENGLISH)
            if label:
                layout.addWidget(QLabel(label))
            layout.addWidget(box, 1)
            box.editingFinished.connect(self._on_edited)
        model.changed.connect(self.refresh)
        self.refresh()

    def refresh(self) -> None:
        """Show what the plan says."""
        numbers = _numbers(f"{self._model.get(*self._keys) or '1'}")
        for box, number in zip(self.boxes, numbers, strict=True):
            if box.value() != number:
                box.setValue(number)
            box.setMinimumWidth(box.fontMetrics().horizontalAdvance(box.text()) + AROUND)  # none is cut
            _tell(box, self._model.problem_of(*self._keys))

    def _on_edited(self) -> None:
        low, high, step = (box.value() for box in self.boxes)
        if (low, high, step) != _numbers(f"{self._model.get(*self._keys) or '1'}"):
            self._model.set(f"{low}..{max(low, high)}:{step}", *self._keys)


AROUND = 16  # logical pixels beside a number in its box
WIDEST = 999_999_999
"""More than a plan takes, so that it is the plan that refuses a number, and says why."""
WORDS, LABELS = ("from", "to", "in steps of"), ("", "to", "by")


def rename(inside: QWidget, old: str, new: str) -> None:
    """Let all fields in a widget show the table of another name, by which readers of the screen call them, too."""
    for field in _fields(inside):
        field._keys = tuple(new if key == old else key for key in field._keys)
    for widget in inside.findChildren(QWidget):
        widget.setAccessibleName(widget.accessibleName().replace(old, new))


def called(inside: QWidget, key: str) -> str:
    """Return what the field of a key is called on the page; the key where it has none."""
    return next((field.accessibleName() for field in _fields(inside) if dotted(field._keys) == key), key)


def _fields(inside: QWidget) -> list[TextField | ChoiceField | RangeField]:
    return [
        *inside.findChildren(TextField),
        *inside.findChildren(ChoiceField),
        *inside.findChildren(RangeField),
    ]


def _tell(field: QWidget, wrong: str) -> None:
    """Show whether what stands in a field is wrong; readers of the screen are told why."""
    theme.warn_of(field, is_wrong=bool(wrong))
    field.setAccessibleDescription(wrong)


def _numbers(text: str) -> tuple[int, int, int]:
    """Return the numbers of a range as it is typed: "12..60:4"; of a list, its ends."""
    span, _, step = text.partition(":")
    ends = span.split("..") if ".." in span else [span.split(",")[0], span.split(",")[-1]]
    try:
        low, high = int(float(ends[0])), int(float(ends[-1]))
        return low, high, int(float(step or "1"))
    except ValueError:
        return 1, 1, 1


def _like(text: str, before: object, *, is_number: bool) -> object:
    """Return a text as a number where one stood before, or where nothing but a number can be meant."""
    if is_number or (isinstance(before, (int, float)) and not isinstance(before, bool)):
        try:
            number = float(text)
        except ValueError:
            return text
        return int(number) if number.is_integer() else number
    return text


def _without(names: Sequence[str], text: str) -> str:
    """Return a text without the first of some names that stands at its end."""
    name = next((name for name in names if text.lower().endswith(name)), "")
    return text[: len(text) - len(name)].rstrip()


def _in_percent(text: str) -> str:
    """Return a part of something with the sign that it lacks: 8 is 8 %, not 800; 0.08 is left as it is."""
    try:
        return f"{text} %" if abs(float(text)) >= 1 else text
    except ValueError:
        return text


def clear(layout: QLayout) -> None:
    """Take all widgets of a layout away."""
    while (item := layout.takeAt(0)) is not None:
        widget = item.widget()
        if widget is not None:
            widget.hide()
            widget.deleteLater()


def group(title: str, rows: Sequence[tuple[str, QWidget]], about: str = "") -> QGroupBox:
    """Return labelled widgets below each other in a box."""
    box = QGroupBox(title)
    form = QFormLayout(box)
    form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.ExpandingFieldsGrow)
    form.setRowWrapPolicy(QFormLayout.RowWrapPolicy.DontWrapRows)
    for label, widget in rows:
        form.addRow(label, widget)
    if about:
        form.addRow(QLabel(about, wordWrap=True))
    return box
