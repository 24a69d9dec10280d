"""What the pages that carry out studies are made of: actions, the bar of progress, words on how it stands."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QFileDialog, QLabel, QProgressBar, QWidget

from app.gui.look import boxes, theme
from app.planning.files import file_name
from models.units import format_duration

STEPS = 1000  # of a bar of progress
LONG = 10.0  # seconds from which it is told how long something has taken. Assumption: nobody waits longer unasked
TICK = 1000  # milliseconds between two looks at how long that is


def add_action(page: QWidget, text: str, slot: Callable[[], object], keys: str = "") -> QAction:
    """Give a page an action, whose keys count while the page has the keyboard."""
    action = QAction(text, page)
    action.setShortcut(keys)
    action.setShortcutContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
    action.triggered.connect(lambda *_: slot())
    page.addAction(action)
    return action


def ask_for_paths(
    page: QWidget, mode: QFileDialog.FileMode, title: str, take: Callable[[Sequence[str]], object]
) -> None:
    """Ask for files or a folder, and hand over what is chosen."""
    dialog = QFileDialog(page.window(), title)
    dialog.setFileMode(mode)
    dialog.filesSelected.connect(take)
    show_once(dialog)


def ask_for_target(
    parent: QWidget, title: str, form: tuple[str, str], proposed: str, take: Callable[[Path], object]
) -> None:
    """Ask for a file to write, and hand it over; the name of its form and its suffix, which it gets if it has none."""
    name, suffix = form
    dialog = QFileDialog(parent.window(), title, "", f"{name} (*{suffix})")
    dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
    dialog.setDefaultSuffix(suffix.removeprefix("."))
    dialog.selectFile(f"{file_name(proposed)}{suffix}")
    dialog.fileSelected.connect(lambda chosen: take(Path(chosen)))
    show_once(dialog)


def warn_of(parent: QWidget, text: str) -> None:
    """Show what went wrong without stopping anything."""
    boxes.tell(boxes.Icon.Warning, text, parent.window())


def so_far(passed: float) -> str:
    """Return how many seconds something has taken, in words behind others; "" while it is short."""
    return f", {format_duration(round(passed))} so far" if passed >= LONG else ""


def show_once(dialog: QFileDialog) -> None:
    """Show a dialog, which goes when it is answered."""
    dialog.finished.connect(dialog.deleteLater)
    dialog.open()


class Progress(QProgressBar):
    """How far a study is; hidden while none goes on."""

    def __init__(self, name: str = "Progress") -> None:
        super().__init__(maximum=STEPS)
        self.setAccessibleName(name)
        self.hide()

    def begin(self, doing: str = "Starting") -> None:
        """Show that a study begins."""
        self.reach(0.0, doing)
        self.show()

    def reach(self, fraction: float, text: str) -> None:
        """Show a fraction, 0 to 1, and what to say of it."""
        self.setValue(round(STEPS * fraction))
        self.setFormat(text)


class Message(QLabel):
    """Words on how a study stands, in the colour of errors where something is wrong; hidden while there are none."""

    def __init__(self) -> None:
        super().__init__(wordWrap=True)
        self.setAccessibleName("State")
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._in_the_way = ""
        self.hide()

    def say_in_the_way(self, text: str, *, is_wrong: bool = False) -> None:
        """Say what stands in the way, for as long as it does: once nothing does, what was said of else stays."""
        if text or self.text() == self._in_the_way:
            self.say(text, is_wrong=is_wrong)
        self._in_the_way = text

    def say(self, text: str, *, is_wrong: bool = False) -> None:
        """Say other words, "" for none."""
        self.setText(text)
        theme.warn(self, is_wrong=is_wrong)
        self.setVisible(bool(text))
