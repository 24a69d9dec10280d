"""A new user's path, once by mouse and once by keyboard, at the real size of the documented clusters.

From Home to the study of HDFS against MinIO; 24 nodes instead of twelve; simulated, compared, swept from 6 to 48
nodes; a report as PDF. Only the widgets that a user sees are clicked and typed into.
"""

from __future__ import annotations

import base64
import re
import zlib
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QModelIndex, QPoint, Qt, QTimer
from PySide6.QtGui import QAction
from PySide6.QtWidgets import (
    QAbstractItemView,
    QApplication,
    QDialogButtonBox,
    QFileDialog,
    QLineEdit,
    QMenu,
    QPushButton,
    QSpinBox,
    QStyle,
    QStyleOptionSpinBox,
    QToolButton,
    QWidget,
)
from pytestqt.qtbot import QtBot
from shiboken6 import isValid

from app.gui.main_window import FIRST_SIZE, MainWindow
from app.gui.palette import Palette
from app.gui.processes import Processes
from app.gui.session import Session
from app.gui.settings import Settings
from app.gui.worker import Worker
from tests.gui.conftest import settle, show

PATIENCE = 60_000  # milliseconds for one step; a busy machine makes a second many
BETWEEN_CLICKS = 30  # milliseconds that a user takes at least
COUNT = "cluster.groups.workers.count"
LEFT = Qt.MouseButton.LeftButton
CTRL, ALT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.AltModifier


@pytest.fixture
def fresh(
    qtbot: QtBot,
    worker: Worker,
    processes: Processes,
    settings: Settings,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> Iterator[MainWindow]:
    """Return the window as it is at first: on Home, with no profile open and no points kept from before."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.chdir(tmp_path)
    window = MainWindow(Session(worker, studies=processes), settings)
    window.resize(FIRST_SIZE)  # the screen that is none has 800 by 800
    qtbot.addWidget(window, before_close_func=settle)
    show(window, qtbot)
    yield window
    window.session.cancel()


class Hands:
    """What both users do alike: wait, and look at what has come."""

    def __init__(self, window: MainWindow, qtbot: QtBot) -> None:
        self.window, self.qtbot = window, qtbot

    def wait(self, is_done) -> None:
        self.qtbot.waitUntil(is_done, timeout=PATIENCE)

    def write_into(self, dialog: QFileDialog, name: str) -> QLineEdit:
        line = dialog.findChild(QLineEdit)
        assert line is not None
        line.selectAll()
        self.qtbot.keyClicks(line, name)
        return line

    def dialog(self) -> QFileDialog:
        self.wait(lambda: any(each.isVisible() for each in self.window.findChildren(QFileDialog)))
        return next(each for each in self.window.findChildren(QFileDialog) if each.isVisible())


class Mouse(Hands):
    """A user with a mouse, who types numbers alone."""

    def click(self, widget: QWidget, at: QPoint | None = None) -> None:
        assert widget.isVisible(), widget
        assert widget.isEnabled(), widget
        self.qtbot.mouseClick(widget, LEFT, pos=at or widget.rect().center())
        self.qtbot.wait(BETWEEN_CLICKS)

    def press(self, text: str) -> None:
        """Click the button of a text that can be seen."""
        buttons = [
            b for b in self.window.findChildren(QPushButton) if b.isVisible() and b.text().replace("&", "") == text
        ]
        (button,) = buttons
        self.click(button)

    def tool(self, action: QAction) -> None:
        """Click the button of an action in a tool bar."""
        button = next(b for b in self.window.findChildren(QToolButton) if b.isVisible() and b.defaultAction() is action)
        self.click(button)

    def page(self, title: str) -> None:
        self.tool(self.window.actions_.pages[title])

    def save(self, dialog: QFileDialog) -> None:
        """Click the button that saves, once more if the first click closed the list of names that begin as was typed.

        It is found by its role: Qt names it "Open" for good once a folder has been typed.
        """
        box = dialog.findChild(QDialogButtonBox)
        assert box is not None
        for _ in range(2):
            if isValid(dialog) and dialog.isVisible():
                self.click(box.button(QDialogButtonBox.StandardButton.Save))

    def row(self, view: QAbstractItemView, index: QModelIndex, clicks: int = 1) -> None:
        view.scrollTo(index)
        at = view.visualRect(index).center()
        assert view.viewport().rect().contains(at)
        self.click(view.viewport(), at)
        if clicks > 1:
            self.qtbot.mouseDClick(view.viewport(), LEFT, pos=at)

    def type_into(self, view: QAbstractItemView, text: str) -> None:
        """Type a number into the cell that is being edited."""
        (editor,) = view.viewport().findChildren(QLineEdit)
        editor.selectAll()
        self.qtbot.keyClicks(editor, text)
        self.qtbot.keyClick(editor, Qt.Key.Key_Return)
        self.qtbot.wait(BETWEEN_CLICKS)

    def less(self, box: QSpinBox, times: int) -> None:
        option = QStyleOptionSpinBox()
        box.initStyleOption(option)
        down = QStyle.SubControl.SC_SpinBoxDown
        at = box.style().subControlRect(QStyle.ComplexControl.CC_SpinBox, option, down, box).center()
        for _ in range(times):
            self.click(box, at)

    def choose(self, button: QPushButton, number: int) -> None:
        """Click a button and one line of its menu, which waits in a loop of its own until then."""

        def click_line() -> None:
            menu = QApplication.activePopupWidget()
            assert isinstance(menu, QMenu)
            self.qtbot.mouseClick(menu, LEFT, pos=menu.actionGeometry(menu.actions()[number]).center())

        QTimer.singleShot(300, click_line)
        self.click(button)


def test_the_path_by_mouse(fresh: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    user, window, session = Mouse(fresh, qtbot), fresh, fresh.session
    home = window.pages["Home"]
    cards = home.cards
    user.row(home.questions, home.questions.model().index(1, 0))
    user.row(cards, cards.model().index(0, 0))
    assert window.page == "Compare"
    user.less(window.actions_.replications, 4)
    compare = window.pages["Compare"]
    user.press("Run study")
    user.wait(lambda: compare.found.document is not None)

    user.page("Profile")
    tree = window.pages["Profile"].tree
    count = window.pages["Profile"].model.index_of(COUNT, 1)
    user.row(tree.view, tree.proxy.mapFromSource(count), clicks=2)
    user.type_into(tree.view, "24")
    user.tool(window.actions_.run)
    user.wait(lambda: session.last_run is not None)
    assert window.page == "Run"

    user.page("Compare")
    user.press("Keep hdfs-terasort #1 as scenario")
    user.wait(lambda: compare.found.document is not None and len(compare.found.sides) == 6)
    check_compared(window)

    user.page("Profile")
    user.tool(tree.of_key.sweep)
    sweep = window.pages["Sweep"]
    user.row(sweep.axes_view.table, sweep.axes.index(0, 1), clicks=2)
    user.type_into(sweep.axes_view.table, "6..48:6")
    user.press("Start")
    check_swept(window, user)

    user.page("Report")
    user.choose(window.pages["Report"].export_button, 0)
    dialog = user.dialog()
    user.write_into(dialog, str(tmp_path / "plan"))
    user.save(dialog)
    check_exported(window, user, tmp_path / "plan.pdf")


class Keyboard(Hands):
    """A user without a mouse."""

    def press(self, key: Qt.Key, modifier: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> None:
        self.qtbot.keyClick(QApplication.focusWidget() or self.window, key, modifier)
        QApplication.processEvents()

    def type(self, text: str) -> None:
        for letter in text:  # the first one may open an editor, into which the others go
            self.qtbot.keyClicks(QApplication.focusWidget(), letter)

    def enter(self, text: str) -> None:
        self.type(text)
        self.press(Qt.Key.Key_Return)

    def command(self, words: str) -> None:
        """Carry out a command of the palette."""
        self.press(Qt.Key.Key_K, CTRL)
        palette = QApplication.activePopupWidget()
        assert isinstance(palette, Palette)
        self.qtbot.keyClicks(palette.line, words)
        self.qtbot.keyClick(palette.line, Qt.Key.Key_Return)
        QApplication.processEvents()


def test_the_path_by_keyboard(fresh: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    user, window, session = Keyboard(fresh, qtbot), fresh, fresh.session
    user.enter("hdfs minio")
    assert window.page == "Compare"
    user.press(Qt.Key.Key_N, ALT)
    user.enter("1")
    user.press(Qt.Key.Key_5, CTRL)
    user.press(Qt.Key.Key_Return, CTRL)
    compare = window.pages["Compare"]
    user.wait(lambda: compare.found.document is not None)

    user.press(Qt.Key.Key_2, CTRL)
    user.press(Qt.Key.Key_F, CTRL)
    user.enter("nodes")
    user.enter("24")
    user.wait(lambda: session.changes().get(COUNT) == "24")
    user.press(Qt.Key.Key_R, CTRL)
    user.wait(lambda: session.last_run is not None)
    assert window.page == "Run"

    user.press(Qt.Key.Key_D, CTRL)
    user.press(Qt.Key.Key_5, CTRL)
    user.wait(lambda: compare.found.document is not None and len(compare.found.sides) == 6)
    check_compared(window)

    user.press(Qt.Key.Key_V, CTRL | Qt.KeyboardModifier.ShiftModifier)
    assert window.page == "Sweep"
    user.enter("6..48:6")
    user.press(Qt.Key.Key_Return, CTRL)
    check_swept(window, user)

    user.press(Qt.Key.Key_8, CTRL)
    user.command("report as pdf")
    line = user.write_into(user.dialog(), str(tmp_path / "plan"))
    qtbot.keyClick(line, Qt.Key.Key_Return)
    check_exported(window, user, tmp_path / "plan.pdf")


def check_compared(window: MainWindow) -> None:
    """Hold that the run stands beside the study, equal to its scenario of as many servers, in a colour of its own."""
    model = window.pages["Compare"].model
    headers = [model.headerData(column, Qt.Orientation.Horizontal, Qt.ItemDataRole.DisplayRole) for column in range(7)]
    rows = {model.index(row, 0).data(): row for row in range(model.rowCount())}
    assert headers[1:3] == ["MinIO, 12 + 12 servers (baseline)", "HDFS, 12 servers"]
    assert headers[6] == "hdfs-terasort #1"
    assert model.index(rows["cluster.groups.workers"], 6).data() == "24 × h1.16xlarge"
    assert [model.index(rows["duration"], column).data() for column in (1, 2, 3, 6)] == [
        "820.1 s",
        "1112.3 s (+36 %)",
        "506.2 s (-38 %)",
        "506.2 s (-38 %)",
    ]
    sides = window.pages["Compare"].found.sides
    assert len({side.colour for side in sides}) == len(sides)
    assert sides[-1].colour == window.session.runs[0].colour


def check_swept(window: MainWindow, user: Hands) -> None:
    """Hold that eight points have come, more servers taking less time, the known run among them."""
    sweep = window.pages["Sweep"]
    assert sweep.axes.rows == ((COUNT, "6..48:6"),)
    user.wait(lambda: "8 of 8 points" in sweep.message.text())
    took = {dict(point.values)[COUNT]: point.duration for point in sweep.model.points}
    assert sorted(map(int, took)) == [6, 12, 18, 24, 30, 36, 42, 48]
    assert all(took[f"{less}"] > took[f"{less + 6}"] for less in range(6, 48, 6))
    assert took["24"] == pytest.approx(window.session.last_run.result.duration)


def check_exported(window: MainWindow, user: Hands, path: Path) -> None:
    """Hold that the report is there, of the profile as it was changed."""
    report = window.pages["Report"]
    user.wait(lambda: str(path) in report.said.text())
    said = pdf_words(path)
    assert f"{COUNT} = 24" in said
    assert "8 min 26 s (506.2 s)" in said
    assert "8 min 26 s (506.2 s)" in report.preview.toPlainText()


def pdf_words(path: Path) -> str:
    """Return the words of a PDF that we have written: strings in pages that are shrunk and then spelled in ASCII85."""
    streams = re.findall(rb"stream\s+(\S+~>)\s*endstream", path.read_bytes())
    drawn = b"".join(zlib.decompress(base64.a85decode(b"<~" + each, adobe=True)) for each in streams)
    strings = re.findall(rb"\(((?:[^()\\]|\\.)*)\) Tj", drawn)
    return re.sub(r"\\([()\\])", r"\1", " ".join(each.decode("latin-1") for each in strings))
