"""A button that asks in which form and into which file a report goes."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from PySide6.QtCore import Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu, QPushButton, QWidget

from app.gui.studies.widgets import ask_for_target

FORMS = {
    "PDF": ".pdf",
    "HTML": ".html",
    "Excel": ".xlsx",
    "Slides": ".pptx",
    "Bundle to run it again": ".zip",
    "Markdown": ".md",
    "CSV": ".csv",
    "JSON": ".json",
    "Text": ".txt",
}


class ExportButton(QPushButton):
    """Offers all forms in a menu; `file_chosen` is (path), whose suffix is that of the form."""

    file_chosen = Signal(Path)

    def __init__(self, what: str, forms: Mapping[str, str] = FORMS, parent: QWidget | None = None) -> None:
        super().__init__("E&xport", parent)
        self.proposed = "report"
        self._what = what
        self.setToolTip(f"Write the {what} to a file, in one of {len(forms)} forms")
        menu = QMenu(self)
        for form, suffix in forms.items():
            action = QAction(f"Export the {what} as &{form}…", self)
            action.triggered.connect(lambda checked=False, form=form, suffix=suffix: self.ask(form, suffix))
            menu.addAction(action)
        self.setMenu(menu)

    @property
    def forms(self) -> list[QAction]:
        """One action for each form."""
        return self.menu().actions()

    def let(self, is_possible: bool) -> None:
        """Let reports be exported, or not."""
        self.setEnabled(is_possible)
        for action in self.forms:
            action.setEnabled(is_possible)

    def ask(self, form: str, suffix: str) -> None:
        """Ask for a file; one that is named without a suffix gets that of the form."""
        title = f"Export the {self._what} as {form}"
        ask_for_target(self, title, (form, suffix), self.proposed, self.file_chosen.emit)
