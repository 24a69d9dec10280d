"""Two users of the window: one with a mouse, who types into what was clicked, and one with a keyboard alone.

They touch what is seen: no page is called.
"""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QMimeData, QModelIndex, QPoint, QPointF, Qt, QTimer, QUrl
from PySide6.QtGui import QAction, QDropEvent
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QApplication,
    QComboBox,
    QDialogButtonBox,
    QFileDialog,
    QLineEdit,
    QMenu,
    QPushButton,
    QScrollArea,
    QSpinBox,
    QStyle,
    QStyleOptionComboBox,
    QStyleOptionSpinBox,
    QTabBar,
    QTableView,
    QToolButton,
    QWidget,
)
from pytestqt.qtbot import QtBot
from shiboken6 import isValid

from app.gui.shell.palette import Palette
from app.gui.shell.window import MainWindow

PATIENCE = 300_000  # milliseconds for one step; a busy machine makes a second many
MOST_TABS = 150  # in a row: more than a page has fields
BETWEEN_CLICKS = 30  # milliseconds that a user takes at least
LEFT = Qt.MouseButton.LeftButton
CTRL, ALT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.AltModifier


class Hands:
    """What both users do alike: wait, and look at what has come."""

    def __init__(self, window: MainWindow, qtbot: QtBot) -> None:
        self.window, self.qtbot = window, qtbot
        self.actions = 0  # clicks and key presses but for those of letters that are typed

    def named(self, name: str) -> QWidget:
        """Return the widget that is seen and that a reader of the screen calls by a name."""
        kinds = (QLineEdit, QComboBox, QSpinBox, QAbstractButton, QTableView, QTabBar)
        seen = [w for kind in kinds for w in self.window.findChildren(kind) if w.isVisible() and said(w) == name]
        assert seen, f"nobody sees {name!r}"
        return next((w for w in seen if not isinstance(w.parent(), (QComboBox, QSpinBox))), seen[0])

    def wait(self, is_done) -> None:
        self.qtbot.waitUntil(is_done, timeout=PATIENCE)

    def write_into(self, dialog: QFileDialog, name: str) -> QLineEdit:
        line = dialog.findChild(QLineEdit)
        assert line is not None
        line.selectAll()
        self.qtbot.keyClicks(line, name)
        return line

    def dialog(self) -> QFileDialog:
        self.wait(lambda: any(dialog.isVisible() for dialog in self.window.findChildren(QFileDialog)))
        return next(dialog for dialog in self.window.findChildren(QFileDialog) if dialog.isVisible())


def said(widget: QWidget) -> str:
    """Return what a reader of the screen calls a widget."""
    text = widget.text() if isinstance(widget, QAbstractButton) else ""
    return widget.accessibleName() or text.replace("&", "")


def is_in_sight(widget: QWidget) -> bool:
    """Tell whether a part of a widget lies within all that it lies in."""
    around, inside = widget.parentWidget(), widget.rect()
    while around is not None and widget is not widget.window():
        if not around.rect().intersects(inside.translated(widget.mapTo(around, QPoint()))):
            return False
        around = None if around.isWindow() else around.parentWidget()
    return True


def drop(window: MainWindow, *paths: Path) -> None:
    """Drop files and folders on a window."""
    mime = QMimeData()
    mime.setUrls([QUrl.fromLocalFile(str(path)) for path in paths])
    action, none = Qt.DropAction.CopyAction, Qt.KeyboardModifier.NoModifier
    window.dropEvent(QDropEvent(QPointF(50, 50), action, mime, LEFT, none))


class Mouse(Hands):
    """A user with a mouse, who types numbers alone."""

    def click(self, widget: QWidget, at: QPoint | None = None) -> None:
        assert widget.isVisible(), widget
        assert widget.isEnabled(), widget
        self.actions += 1
        self.qtbot.mouseClick(widget, LEFT, pos=at or widget.rect().center())
        self.qtbot.wait(BETWEEN_CLICKS)

    def seen(self, name: str) -> QWidget:
        """Return a widget by its name, brought to sight by the wheel."""
        widget = self.named(name)
        above = widget.parentWidget()
        while above is not None and not isinstance(above, QScrollArea):
            above = above.parentWidget()
        if above is not None and widget.visibleRegion().boundingRect() != widget.rect():
            self.actions += 1
            above.ensureWidgetVisible(widget)
        return widget

    def push(self, name: str) -> None:
        """Click a button."""
        self.click(self.seen(name))

    def fill(self, name: str, text: str) -> None:
        """Choose what stands in a field, by clicks, and type over it."""
        widget = self.seen(name)
        line = widget if isinstance(widget, QLineEdit) else widget.findChild(QLineEdit)
        assert line is not None, name
        self.click(line)
        self.qtbot.mouseDClick(line, LEFT, pos=line.rect().center())
        self.click(line)  # the third click at a place chooses all
        self.actions += 1
        self.qtbot.keyClicks(line, text)

    def pick(self, name: str, choice: str) -> None:
        """Choose from a list that opens."""
        box = self.seen(name)
        assert isinstance(box, QComboBox), name
        if box.currentText() == choice:
            return
        option = QStyleOptionComboBox()
        box.initStyleOption(option)
        arrow = QStyle.SubControl.SC_ComboBoxArrow
        self.click(box, box.style().subControlRect(QStyle.ComplexControl.CC_ComboBox, option, arrow, box).center())
        view = box.view()
        self.wait(view.isVisible)
        index = box.model().index(box.findText(choice), 0)
        assert index.isValid(), (name, choice)
        self.qtbot.wait(QApplication.doubleClickInterval())  # in which a list that has just opened takes no click
        self.row(view, index)
        assert box.currentText() == choice, (name, box.currentText())

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


class Keyboard(Hands):
    """A user without a mouse."""

    def reach(self, name: str) -> QWidget:
        """Press Tab until a widget has the focus."""
        wanted = self.named(name)
        for _ in range(MOST_TABS):
            focused = QApplication.focusWidget()
            if focused is wanted or (focused is not None and focused.focusProxy() is wanted):
                return wanted
            self.press(Qt.Key.Key_Tab)
        raise AssertionError(f"Tab does not reach {name!r}")

    def push(self, name: str) -> None:
        """Reach a button, and press it."""
        self.reach(name)
        self.press(Qt.Key.Key_Space)

    def fill(self, name: str, text: str) -> None:
        """Reach a field, and type over what stands in it."""
        self.reach(name)
        self.press(Qt.Key.Key_A, CTRL)
        self.type(text)

    def pick(self, name: str, choice: str) -> None:
        """Reach a list, and type the first letters of what is wanted."""
        box = self.reach(name)
        assert isinstance(box, QComboBox), name
        if box.currentText() == choice:
            return
        if box.isEditable():
            self.press(Qt.Key.Key_A, CTRL)
        else:
            self.press(Qt.Key.Key_Home)  # letters find what stands below
        self.type(choice if box.isEditable() else choice.partition(" ")[0])  # a blank opens the list
        for _ in range(box.count()):
            if box.currentText() != choice:
                self.press(Qt.Key.Key_Down)
        self.press(Qt.Key.Key_Tab)
        assert box.currentText() == choice, (name, box.currentText())

    def press(self, key: Qt.Key, modifier: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> None:
        self.actions += 1
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
