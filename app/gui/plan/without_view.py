"""Which workloads of a plan a candidate has: a box for each; without its tick the candidate does without it."""

from __future__ import annotations

from functools import partial

from PySide6.QtWidgets import QCheckBox, QGroupBox, QVBoxLayout, QWidget

from app.gui.plan.fields import clear
from app.gui.plan.model import PlanModel
from models.planning.sheet import ABSENT

OTHERWISE = " (otherwise here, see the text)"


class WithoutView(QGroupBox):
    """The workloads of a candidate; hidden where the plan has none."""

    def __init__(self, model: PlanModel, candidate: str, parent: QWidget) -> None:
        super().__init__("Runs here", parent)
        self._model, self.called = model, candidate
        self.boxes: dict[str, QCheckBox] = {}
        self._rows = QVBoxLayout(self)
        model.changed.connect(self.refresh)
        self.refresh()

    def refresh(self) -> None:
        """Show a box for each workload of the plan, with a tick where it runs on the candidate."""
        names = [f"{workload.get('name', '')}" for workload in self._model.workloads]
        if names != list(self.boxes):
            self._make(names)
        for name, box in self.boxes.items():
            own = self._model.get("candidates", self.called, "workloads", name) or {}
            box.setText(f"{name}{OTHERWISE if own and ABSENT not in own else ''}")
            box.setAccessibleName(f"{name} runs on {self.called}")
            is_there = ABSENT not in own
            if box.isChecked() != is_there:
                box.blockSignals(True)
                box.setChecked(is_there)
                box.blockSignals(False)
        self.setVisible(bool(names))

    def _make(self, names: list[str]) -> None:
        clear(self._rows)
        self.boxes = {name: QCheckBox(name) for name in names}
        for name, box in self.boxes.items():
            box.setToolTip(f"Without a tick {self.called} does without {name}, and nothing is asked of it there")
            box.toggled.connect(partial(self._on_toggled, name))
            self._rows.addWidget(box)

    def _on_toggled(self, name: str, is_there: bool) -> None:
        at = ("candidates", self.called, "workloads")
        if not is_there:
            self._model.set({ABSENT: True}, *at, name)
        elif len(self._model.get(*at) or {}) > 1:
            self._model.set(None, *at, name)
        else:
            self._model.set(None, *at)
