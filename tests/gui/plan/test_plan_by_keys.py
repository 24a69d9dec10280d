"""A plan from the first page to a closed window with the keyboard alone, in a small window.

Told, checked, compared, decided, its report written to a file, the project saved: only what a keyboard has is pressed,
and whatever has the keys is in sight.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import QApplication, QFileDialog, QWidget
from pytestqt.qtbot import QtBot
from shiboken6 import isValid

from app.gui.jobs.processes import Processes
from app.gui.jobs.worker import Worker
from app.gui.shell.window import MainWindow
from tests.gui.hands import ALT, CTRL, Keyboard, is_in_sight, said

Key = Qt.Key
SMALL = (1024, 700)  # logical pixels
MOST_KEYS = 15  # from one thing to the next
HDFS, MINIO = "hdfs on hdd-25gbe", "minio-nvme on nvme-100gbe"


class Walker(Keyboard):
    """A user without a mouse, who sees what has the keys and is soon where he wants to be."""

    def press(self, key: Qt.Key, modifier: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> None:
        super().press(key, modifier)
        focused = QApplication.focusWidget()
        assert focused is not None, (key, modifier)
        assert is_in_sight(focused), (key, modifier, said(focused))

    def alt(self, letter: Qt.Key, reaches: str) -> None:
        """Press Alt with a letter; the keys are then with the part of a name."""

        def is_there() -> bool:
            focused = QApplication.focusWidget()
            is_shown = focused is not None and focused.isVisible() and is_in_sight(focused)
            return is_shown and said(focused) == reaches

        self.press(letter, ALT)
        self.wait(is_there)  # Qt shows a button as pressed for a tenth of a second

    def reach(self, name: str) -> None:
        before = self.actions
        super().reach(name)
        assert self.actions - before <= MOST_KEYS, f"{name!r} takes {self.actions - before} keys"

    def count(self, servers: str, number: str) -> None:
        """Take one number of servers for a candidate, whose numbers Alt+I leads to."""
        for word in ("from", "to"):
            self.fill(f"Servers of {servers} {word}", number)


@contextmanager
def as_soon_as(opened: Callable[[], QWidget | None], act: Callable[[QWidget], object]) -> Iterator[None]:
    """Act on what opens, and waits in a loop of its own, as soon as it is seen."""
    timer = QTimer(interval=20)

    def look() -> None:
        seen = opened()
        if seen is not None and seen.isVisible():
            timer.stop()
            act(seen)

    timer.timeout.connect(look)
    timer.start()
    yield
    timer.stop()


def comes_back(user: Walker) -> None:
    """Let the window have the keys again when a dialog goes, as a window manager does."""
    user.window.activateWindow()
    user.wait(user.window.isActiveWindow)


def saves_by_keys(user: Walker, path: Path) -> None:
    """Save the project, and type its name."""

    def type_name(dialog: QWidget) -> None:
        assert isinstance(dialog, QFileDialog)
        line = user.write_into(dialog, str(path))
        for _ in range(2):  # the first may close the list of names that begin alike
            if isValid(dialog) and dialog.isVisible():
                user.qtbot.keyClick(QApplication.activePopupWidget() or line, Key.Key_Return)

    with as_soon_as(QApplication.activeModalWidget, type_name):
        Keyboard.press(user, Key.Key_S, CTRL)  # nothing has the keys until the window has them again
    user.wait(path.exists)
    comes_back(user)


def exports_by_keys(user: Walker, path: Path) -> None:
    """Write the report as HTML: the second form of the menu of the button that has the keys."""

    def choose(menu: QWidget) -> None:
        for key in (Key.Key_Down, Key.Key_Down, Key.Key_Return):
            user.qtbot.keyClick(menu, key)

    with as_soon_as(QApplication.activePopupWidget, choose):
        user.press(Key.Key_X, ALT)
        dialog = user.dialog()
    line = user.write_into(dialog, str(path))
    user.qtbot.keyClick(line, Key.Key_Return)
    user.wait(path.exists)
    comes_back(user)


def test_a_plan_is_told_checked_compared_decided_exported_and_saved_by_keys(
    window: MainWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    window.resize(*SMALL)
    user = Walker(window, qtbot)
    user.press(Key.Key_1, CTRL)
    user.push("Size a cluster")
    plan = window.pages["Plan"]
    user.alt(Key.Key_D, "Stored now")
    user.type("20 TB")
    user.alt(Key.Key_M, "Budget")
    user.type("9 M USD")
    user.alt(Key.Key_J, "name of nightly")
    user.fill("input of nightly", "1 GB")
    user.fill("deadline of nightly", "1 h")

    user.press(Key.Key_Right, ALT)
    assert said(QApplication.focusWidget()) == "Add a candidate"
    user.alt(Key.Key_A, f"Storage of {HDFS}")
    user.alt(Key.Key_A, f"Storage of {MINIO}")
    user.alt(Key.Key_I, f"Servers of {HDFS} from")
    user.count(HDFS, "8")
    user.alt(Key.Key_I, f"Servers of {MINIO} from")
    user.count(MINIO, "8")

    user.press(Key.Key_Return, CTRL)
    assert plan.step == 2
    assert plan.empty.isVisible()
    user.wait(lambda: plan.model.answer is not None and not plan.study.is_running)
    assert list(plan.model.candidates) == [HDFS, MINIO]
    user.reach("Requirements by candidate")

    user.press(Key.Key_Right, ALT)
    assert said(QApplication.focusWidget()) == "Ways to compare"
    user.reach("Requirement of the charts")
    user.press(Key.Key_Down)
    user.press(Key.Key_G, ALT)
    assert plan.compare.map.isVisible()

    user.press(Key.Key_Right, ALT)
    assert said(QApplication.focusWidget()) == "Customer"
    report, project = tmp_path / "offer.html", tmp_path / "offer.headroom"
    exports_by_keys(user, report)
    text = report.read_text(encoding="utf-8").replace("\N{NO-BREAK SPACE}", " ")
    assert HDFS in text
    assert plan.model.answer.verdict.partition(", with")[0] in text
    saves_by_keys(user, project)

    window.session.worker, window.session.studies = Worker(), Processes()  # those of all tests go on
    window.session.document.stack.setClean()
    user.press(Key.Key_F, ALT)
    qtbot.keyClick(QApplication.activePopupWidget(), Key.Key_Q)
    assert not window.isVisible()
