"""The strip below all steps: what the best candidate so far comes to, in one line."""

from __future__ import annotations

import re
from collections.abc import Mapping

from PySide6.QtCore import Qt
from PySide6.QtGui import QPalette, QResizeEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel

from app.gui.session.plan_answer import ShownCandidate, ShownPlan
from app.reports.media import rich

NONE_YET = "No answer yet: say what is required, and by which candidates, then press Check."
GLANCE = "At a glance, before a run"
OF_BEFORE = "Before the plan was changed"
BETWEEN = "&nbsp;| "  # no line begins with it
AFTER_NUMBER = re.compile(r"(?<=\d) (?=[^\W\d])")
Glanced = tuple[str, Mapping[str, str], str]


class Strip(QFrame):
    """Cells of the best candidate: usable, survives, time, cost, and how many requirements it meets.

    Before there is an answer, and after a change, they are what closed forms say of the plan as it stands.
    """

    def __init__(self) -> None:
        super().__init__()
        self.setFrameShape(QFrame.Shape.StyledPanel)
        self.said = QLabel(wordWrap=True, textFormat=Qt.TextFormat.RichText)
        self.said.setAccessibleName("The best candidate so far")
        self._best: ShownCandidate | None = None
        self._is_stale = False
        self._glance: Glanced | None = None
        self._why = ""
        layout = QHBoxLayout(self)
        layout.setContentsMargins(12, 4, 12, 4)
        layout.addWidget(self.said, 1)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self._stand()

    def show_answer(self, shown: ShownPlan | None, *, is_stale: bool) -> None:
        """Show an answer; one of another plan only, and dimmed, where nothing is known of this one."""
        self._best = shown.candidates[0] if shown and shown.candidates else None
        self._is_stale = is_stale
        self._say()

    def show_glance(self, glance: Glanced | str | None) -> None:
        """Take what closed forms say of the best candidate: its name, facts, and how many requirements it meets.

        Where they can say nothing of any, it is told why.
        """
        self._glance, self._why = (None, glance) if isinstance(glance, str) else (glance, "")
        self._say()

    def _say(self) -> None:
        is_dimmed = False
        if self._glance is not None and (self._best is None or self._is_stale):
            name, facts, count = self._glance
            text = f"{GLANCE}: {_cells(name, facts, count)}"
        elif self._best is not None and not (self._is_stale and self._why):
            best, is_dimmed = self._best, self._is_stale
            name = f"{best.name} with {best.option}" if best.option else best.name
            cells = _cells(name, best.facts, best.count)
            text = f"{OF_BEFORE}: {cells}" if is_dimmed else cells
        else:
            text = f"No answer yet. {rich(self._why)}" if self._why else NONE_YET
        self.said.setText(text)
        self._stand()
        self.said.setForegroundRole(QPalette.ColorRole.PlaceholderText if is_dimmed else QPalette.ColorRole.NoRole)

    def _stand(self) -> None:
        """Be as high as the lines are: the layout above keeps the height of other words."""
        self.setMinimumHeight(max(self.heightForWidth(self.width()), 0))


def _cells(name: str, facts: Mapping[str, str], count: str) -> str:
    return BETWEEN.join(
        [_bold(name), *(f"{label} {_bound(_bold(text))}" for label, text in facts.items()), _whole(_bold(count))]
    )


def _bold(text: str) -> str:
    return f"<b>{rich(text)}</b>"


def _whole(text: str) -> str:
    """Return a text that stands on one line."""
    return text.replace(" ", "&nbsp;")


def _bound(text: str) -> str:
    """Return a text in which no number parts from its unit at the end of a line."""
    return AFTER_NUMBER.sub("&nbsp;", text)
