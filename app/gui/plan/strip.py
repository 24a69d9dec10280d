"""The strip below all steps: what the best candidate so far comes to, in one line."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel

from app.gui.look import theme
from app.gui.session.plan_answer import ShownPlan
from app.reports.media import rich

NONE_YET = "No answer yet: say what is required, and by which candidates, then press Check."


class Strip(QFrame):
    """Cells of the best candidate: usable, survives, time, cost, and how many requirements it meets."""

    def __init__(self) -> None:
        super().__init__()
        self.setFrameShape(QFrame.Shape.StyledPanel)
        self.said = QLabel(wordWrap=True, textFormat=Qt.TextFormat.RichText)
        self.said.setAccessibleName("The best candidate so far")
        layout = QHBoxLayout(self)
        layout.setContentsMargins(12, 4, 12, 4)
        layout.addWidget(self.said, 1)

    def show_answer(self, shown: ShownPlan | None, *, is_stale: bool) -> None:
        """Show an answer, dimmed where it is that of another plan."""
        best = shown.candidates[0] if shown and shown.candidates else None
        if best is None:
            self.said.setText(NONE_YET)
            return
        cells = [f"<b>{rich(best.name)}</b>", *(f"{name} {_bold(text)}" for name, text in best.facts.items())]
        self.said.setText(" &nbsp;|&nbsp; ".join([*cells, _bold(best.count)]))
        self.said.setStyleSheet(f"color: {theme.current().muted}" if is_stale else "")


def _bold(text: str) -> str:
    return f"<b>{rich(text)}</b>"
