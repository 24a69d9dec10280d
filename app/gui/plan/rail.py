"""The rail of the plan: its steps below each other, as wide as their names."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QStringListModel
from PySide6.QtWidgets import QListView, QSizePolicy

WIDTH = 152  # logical pixels of the rail at least


class Rail(QListView):
    """The steps, one of which is chosen."""

    def __init__(self, steps: Sequence[str]) -> None:
        super().__init__()
        self.setAccessibleName("Steps")
        self.setModel(QStringListModel([f"{i + 1}  {step}" for i, step in enumerate(steps)], self))
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Expanding)
        self.setSizeAdjustPolicy(QListView.SizeAdjustPolicy.AdjustToContents)
        self.setEditTriggers(QListView.EditTrigger.NoEditTriggers)
        self._fit()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self._fit()

    def _fit(self) -> None:
        """Be as wide as the names, in letters of any size."""
        self.setMinimumWidth(max(WIDTH, self.sizeHintForColumn(0) + 2 * self.frameWidth()))
