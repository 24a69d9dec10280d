"""The line above an answer of a plan that says when the plan has changed since."""

from __future__ import annotations

from PySide6.QtWidgets import QLabel, QWidget

from app.gui.look import theme
from app.gui.look.curtain import Veil

STALE = "This is the answer of the plan before it was changed. Check it again."
OF_BEFORE = "The report has the cover of before. Check again to renew it."


class Banner(QLabel):
    """Stands in the steps that show an answer, and dims one of before; the strip below all steps does so itself."""

    def __init__(self, answer: QWidget) -> None:
        super().__init__(STALE, wordWrap=True)
        self._veil = Veil(answer)
        theme.warn(self)
        self.hide()

    def tell(self, *, is_answer_shown: bool, is_stale: bool, has_old_cover: bool) -> None:
        """Say of an answer that is shown, or of its report, that it is one of before."""
        self.setText(STALE if is_stale else OF_BEFORE)
        self.setVisible(is_answer_shown and (is_stale or has_old_cover))
        if is_stale:
            self._veil.fall()
        else:
            self._veil.hide()
