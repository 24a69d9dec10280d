"""What stands in place of an answer of a plan: why there is none yet, and the button that leads to one."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QPushButton, QVBoxLayout, QWidget

BEGIN, ADD = "Check the candi&dates", "Add a c&andidate first"
NOTHING = (
    "<b>Nothing to show yet.</b><br><br>Every candidate is searched for the least that meets all requirements; what"
    " misses one says by how much, and what would fix it."
)
SEARCHING = (
    "<b>The candidates are being searched.</b><br><br>The answer stands here when the search ends or is stopped."
)


class EmptyView(QWidget):
    """Words, and a button."""

    def __init__(self) -> None:
        super().__init__()
        self.button = QPushButton(BEGIN)
        self._said = QLabel(NOTHING, wordWrap=True, alignment=Qt.AlignmentFlag.AlignCenter)
        column = QVBoxLayout(self)
        column.addStretch()
        column.addWidget(self._said)
        column.addWidget(self.button, 0, Qt.AlignmentFlag.AlignCenter)
        column.addStretch()

    def tell(self, *, has_candidates: bool, may_begin: bool, is_searching: bool) -> None:
        """Say how things are: a plan without candidates leads to where one is added."""
        self._said.setText(SEARCHING if is_searching else NOTHING)
        self.button.setText(BEGIN if has_candidates else ADD)
        self.button.setEnabled(may_begin or not has_candidates)
        self.button.setVisible(not is_searching)
