"""The chart of a run with many workloads in which one chooses: who uses a group of resources.

A workload has the same colour and marker in all charts, in the table and in the playback.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray
from PySide6.QtWidgets import QComboBox, QHBoxLayout

from app.gui.charts.drawn import DrawnChart
from app.reports.run import run_charts
from app.reports.run.workload_series import contested
from simulator.result import Result

Floats = NDArray[np.float64]


class UsersChart(DrawnChart):
    """Who used a group of resources over time, one workload on the other up to all that was used of it."""

    def __init__(self) -> None:
        super().__init__("Who uses")
        self.group = QComboBox(sizeAdjustPolicy=QComboBox.SizeAdjustPolicy.AdjustToContents)
        self.group.setAccessibleName("Resources")
        self.group.setToolTip("What the workloads share: what holds any of them up first, then the busiest")
        self.group.currentTextChanged.connect(lambda _: self._show_group())
        row = QHBoxLayout()
        row.addWidget(self.heading, 1)
        row.addWidget(self.group)
        self.column.insertLayout(0, row)
        self._result: Result | None = None
        self._whole: dict[str, Floats] = {}

    def show_run(self, result: Result, whole: Sequence[tuple[str, Floats]]) -> None:
        """Draw a group of a run; `whole` are the utilizations of all groups, 0 to 1, in bins of the result."""
        self._result, self._whole = result, dict(whole)
        before = self.group.currentText()
        self.group.blockSignals(True)
        self.group.clear()
        self.group.addItems([group for group in contested(result) if group in self._whole])
        self.group.setCurrentIndex(max(self.group.findText(before), 0))
        self.group.blockSignals(False)
        self._show_group()

    def _show_group(self) -> None:
        result, group = self._result, self.group.currentText()
        if result is not None and group in self._whole:
            whole = self._whole[group]
            drawing = run_charts.used_by(result, group, whole, run_charts.Steps.all_of(result, len(whole)))
            self.show_drawing(replace(drawing, name="Who uses"))  # the list beside it says what
