"""The plan as text, for those who would rather write, and to be kept or sent."""

from __future__ import annotations

from PySide6.QtCore import QTimer

from app.gui.keys.toml_editor import TomlText
from app.gui.plan.model import PlanModel
from models.problem import ProblemError

PAUSE = 400  # milliseconds without a change of the text before the plan takes it


class PlanText(TomlText):
    """The text of a plan, which follows its form and the other way round."""

    def __init__(self, model: PlanModel) -> None:
        super().__init__("TOML text of the plan", "")
        self._model = model
        self._pause = QTimer(self, singleShot=True, interval=PAUSE)
        self._pause.timeout.connect(self.take)
        self.textChanged.connect(self._on_typed)
        model.changed.connect(self.refresh)
        self.refresh()

    def refresh(self) -> None:
        """Show what the plan says, unless that is what was typed."""
        if not self.hasFocus():
            self.setPlainText(self._model.text)
        self.show_problems([problem for problem in self._model.problems if problem.line])

    def take(self) -> None:
        """Let the plan say what was typed, where that is TOML; where it is none, mark the line."""
        try:
            self._model.set_text(self.toPlainText())
        except ProblemError:
            self.show_problems(self._model.problems_of(self.toPlainText()))

    def _on_typed(self) -> None:
        if self.hasFocus():
            self._pause.start()
