"""What the style sees to in all pages."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, QStringListModel, Qt
from PySide6.QtWidgets import QApplication, QLabel, QListView, QToolTip, QTreeView
from pytestqt.qtbot import QtBot

from app.gui.application import create
from app.gui.look.style import COMPACT, ROW
from app.gui.session.settings import Settings


def test_a_tool_tip_is_read_as_it_is(qtbot: QtBot, settings: Settings) -> None:
    create(settings)
    QToolTip.showText(QPoint(10, 10), "<img src='file://nowhere/x.png'>")
    (tip,) = [widget for widget in QApplication.topLevelWidgets() if widget.objectName() == "qtooltip_label"]
    assert isinstance(tip, QLabel)
    assert tip.textFormat() == Qt.TextFormat.PlainText
    QToolTip.hideText()


@pytest.mark.parametrize(("kind", "height"), [(QListView, ROW), (QTreeView, COMPACT)])
def test_a_row_is_high_enough_to_be_hit(
    qtbot: QtBot, settings: Settings, kind: type[QListView] | type[QTreeView], height: int
) -> None:
    create(settings)
    shown = kind()
    qtbot.addWidget(shown)
    shown.setModel(QStringListModel(["Requirements"], shown))
    shown.show()
    assert shown.visualRect(shown.model().index(0, 0)).height() == height
