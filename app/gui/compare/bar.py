"""What is compared: a study or kept runs, which of their scenarios, and against which; and what can be done with it."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QLabel, QMenu, QPushButton, QVBoxLayout, QWidget

from app.gui.compare.jobs import Side
from app.gui.compare.model import swatch
from app.gui.studies.export import ExportButton

KEPT = "Kept scenarios"
LETTERS = 16  # that a list of names has room for, at least


class CompareBar(QWidget):
    """Two rows of controls. `hidden_changed` is the names that are not wanted, `open_asked` the name of a scenario."""

    hidden_changed = Signal(set)
    open_asked = Signal(str)

    def __init__(self, cancel_button: QPushButton) -> None:
        super().__init__()
        self.source, self.baseline = QComboBox(), QComboBox()
        self.source.setAccessibleName("What to compare")
        self.baseline.setAccessibleName("Baseline")
        self.baseline.setToolTip("The scenario against which the others are measured")
        self.run_button = QPushButton("R&un study")
        self.scenarios_button = QPushButton("Scenar&ios")
        self.scenarios_button.setToolTip("Choose which scenarios stand side by side")
        self.open_button = QPushButton("&Open as profile")
        self.open_button.setToolTip("Open a scenario as a profile, to change and run it")
        self.export_button = ExportButton("comparison")
        self.keep_button = QPushButton()
        self.keep_button.setToolTip("Let the last run stand beside the others (Ctrl+D)")
        for button in (self.scenarios_button, self.open_button):
            button.setMenu(QMenu(button))
        self.source.addItem(KEPT, "")
        for combo in (self.source, self.baseline):
            combo.setMinimumContentsLength(LETTERS)
            combo.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self._lay_out(cancel_button)

    def offer(self, name: str, title: str) -> None:
        """Offer a study, if it is not on offer yet."""
        if self.source.findData(name) < 0:
            self.source.addItem(f"Study: {name}", name)
            self.source.setItemData(self.source.count() - 1, title, Qt.ItemDataRole.ToolTipRole)

    def show_sides(self, offered: Sequence[Side], shown: Sequence[Side], hidden: set[str]) -> None:
        """Name the scenarios that there are, and those that are compared, the baseline first."""
        self.baseline.clear()
        for side in shown:
            self.baseline.addItem(swatch(side.colour), side.name)
        for button, is_possible in ((self.scenarios_button, bool(offered)), (self.open_button, bool(offered))):
            button.setEnabled(is_possible)
            button.menu().clear()
        self.baseline.setEnabled(bool(shown))
        for side in offered:
            wanted = self.scenarios_button.menu().addAction(side.name)
            wanted.setCheckable(True)
            wanted.setChecked(side.name not in hidden)
            wanted.triggered.connect(self._on_wanted_changed)
            opened = self.open_button.menu().addAction(side.name)
            opened.triggered.connect(lambda checked=False, name=side.name: self.open_asked.emit(name))

    def _on_wanted_changed(self) -> None:
        actions: list[QAction] = self.scenarios_button.menu().actions()
        self.hidden_changed.emit({action.text() for action in actions if not action.isChecked()})

    def _lay_out(self, cancel_button: QPushButton) -> None:
        above, below, layout = QHBoxLayout(), QHBoxLayout(), QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        for label, widget in (("Co&mpare", self.source), ("&Baseline", self.baseline)):
            named = QLabel(label)
            named.setBuddy(widget)
            above.addWidget(named)
            above.addWidget(widget, 1)
        for button in (self.run_button, cancel_button):
            above.addWidget(button)
        for button in (self.scenarios_button, self.open_button, self.export_button, self.keep_button):
            below.addWidget(button)
        below.addStretch()
        layout.addLayout(above)
        layout.addLayout(below)
