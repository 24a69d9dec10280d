"""The questions before unsaved work goes away, and before what is being computed is ended."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtWidgets import QAbstractSpinBox, QApplication, QComboBox, QLineEdit, QWidget

from app.gui.look.boxes import Button, Icon, box_of

QUIT = Button.Close
KEPT = "Points of sweeps, sizings and plans that are done are kept; all else has to be begun again."


def take_what_is_typed() -> None:
    """Let the field that has the keys take what was typed into it, as if it were left: a key that saves leaves none."""
    focused = QApplication.focusWidget()
    if isinstance(focused, (QLineEdit, QComboBox, QAbstractSpinBox)):
        focused.clearFocus()
        focused.setFocus()


def may_end(parent: QWidget, running: Sequence[str]) -> bool:
    """Ask whether to end what is being computed, if anything is; return False to stay. The text is read as it is."""
    if not running:
        return True
    box = box_of(Icon.Question, f"Still running: {'; '.join(running)}. Quit, and end it?", parent, QUIT | Button.Cancel)
    box.setInformativeText(KEPT)
    box.button(QUIT).setText("&Quit")
    box.setDefaultButton(Button.Cancel)
    answer = box.exec()
    box.deleteLater()
    return answer == QUIT


def may_go_on(parent: QWidget, asked: str, save: Callable[[], bool]) -> bool:
    """Ask whether to save first, and do so; return False to stay, or where saving failed. The text is read as it is."""
    buttons = Button.Save | Button.Discard | Button.Cancel
    box = box_of(Icon.Question, asked, parent, buttons)
    answer = box.exec()
    box.deleteLater()
    return save() if answer == Button.Save else answer == Button.Discard
