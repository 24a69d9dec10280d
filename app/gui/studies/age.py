"""Whether an answer is still that of what is asked: a line above it, and a veil over it, once it is not."""

from __future__ import annotations

from pathlib import Path
from typing import Protocol

from PySide6.QtWidgets import QLabel, QWidget

from app.gui.look import theme
from app.gui.look.curtain import Veil
from app.gui.session.session import Session


class Asked(Protocol):
    """What an answer was found for: a profile, and the chances that it met."""

    @property
    def name(self) -> str: ...
    @property
    def text(self) -> str: ...
    @property
    def base(self) -> Path: ...
    @property
    def seed(self) -> int: ...
    @property
    def replications(self) -> int: ...


class Age(QLabel):
    """Says what has changed since an answer was found, and dims the widgets that show it; hidden while nothing has."""

    def __init__(self, *answers: QWidget) -> None:
        super().__init__(wordWrap=True)
        self.setAccessibleName("Age of the answer")
        theme.warn(self)
        self._veils = [Veil(answer) for answer in answers]
        self.hide()

    def tell(self, why: str) -> None:
        """Say why the answer is one of before; "" for one that is not."""
        self.setText(why)
        self.setVisible(bool(why))
        for veil in self._veils:
            if why:
                veil.fall()
            else:
                veil.hide()


def changed_since(session: Session, asked: Asked) -> str:
    """Return what is another by now than an answer was found for, in words; "" where nothing is."""
    document = session.document
    if asked.base != document.base:
        return f"This is of {asked.name}, and another profile is open."
    if asked.text != document.text:
        return "The profile has changed since."
    is_same = (asked.seed, asked.replications) == (session.seed, session.replications)
    return "" if is_same else "Seed or runs have changed since."
