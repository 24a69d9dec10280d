"""Run: the answer first, then what it rests on. The estimate follows each keystroke, Ctrl+R simulates."""

from __future__ import annotations

from html import escape

from PySide6.QtWidgets import QLabel, QProgressBar, QVBoxLayout, QWidget

from app.gui.runs import Run
from app.gui.session import Session


class RunPage(QWidget):
    """Estimate, answer, charts and tables of the last run."""

    title = "Run"
    icon = "run"

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session = session
        self.answer = QLabel(wordWrap=True)
        self.answer.setAccessibleName("Answer")
        self.estimate = QLabel(wordWrap=True)
        self.estimate.setAccessibleName("Estimate")
        self.progress = QProgressBar(maximum=1000)
        self.progress.setAccessibleName("Progress")
        self.progress.hide()
        layout = QVBoxLayout(self)
        layout.addWidget(self.answer)
        layout.addWidget(self.progress)
        layout.addWidget(self.estimate)
        layout.addStretch()
        session.estimate_changed.connect(self.refresh)
        session.run_started.connect(self._on_run_started)
        session.run_progressed.connect(self._on_run_progressed)
        session.run_finished.connect(self._on_run_finished)
        session.run_failed.connect(self._on_run_ended)
        session.run_cancelled.connect(self._on_run_ended)
        self.refresh()

    def refresh(self) -> None:
        """Show the estimate of the open profile."""
        found = self._session.estimate if self._session.is_valid else None
        rows = found.rows if found else [("Estimate", "none: the profile cannot be run")]
        self.estimate.setText("<br>".join(f"<b>{label}</b> {escape(said)}" for label, said in rows))

    def _on_run_started(self) -> None:
        self.progress.setValue(0)
        self.progress.show()

    def _on_run_progressed(self, fraction: float, seconds_left: float) -> None:
        self.progress.setValue(round(1000 * fraction))
        self.progress.setFormat(f"{fraction:.0%}, {seconds_left:.0f} s left, Esc cancels")

    def _on_run_finished(self, run: Run) -> None:
        self.progress.hide()
        self.answer.setText("<br>".join(f"<b>{label}</b> {escape(said)}" for label, said in run.ran.answer))

    def _on_run_ended(self, reason: str = "") -> None:
        self.progress.hide()
        self.answer.setText(escape(reason) or "The run was cancelled.")
