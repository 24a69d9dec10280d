"""Home: a card, a recent file or a dropped one, and the profile is open."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QMimeData, QPointF, Qt, QUrl
from PySide6.QtGui import QDropEvent
from PySide6.QtWidgets import QMessageBox
from pytestqt.qtbot import QtBot

from app.gui.home_page import HomePage
from app.gui.main_window import MainWindow
from tests.gui.conftest import SMALL


def home_of(window: MainWindow) -> HomePage:
    page = window.show_page("Home")
    assert isinstance(page, HomePage)
    return page


def test_a_click_on_a_card_opens_its_profile(window: MainWindow, qtbot: QtBot) -> None:
    home = home_of(window)
    home.search.setText("hdfs-terasort")
    cards = home.cards
    assert cards.model().rowCount() == 1
    qtbot.mouseClick(
        cards.viewport(), Qt.MouseButton.LeftButton, pos=cards.visualRect(cards.model().index(0, 0)).center()
    )
    assert window.session.document.name == "hdfs-terasort"
    assert window.page == "Profile"


def test_a_study_of_several_profiles_opens_on_its_page(window: MainWindow, qtbot: QtBot) -> None:
    cards = home_of(window).cards
    qtbot.keyClicks(window.pages["Home"].search, "hdfs against minio")
    place = cards.visualRect(cards.model().index(0, 0)).center()
    qtbot.mouseClick(cards.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert window.page == "Compare"
    assert window.pages["Compare"].chosen_study == "hdfs-against-minio"


def test_a_family_narrows_the_cards(window: MainWindow) -> None:
    home = home_of(window)
    home.family.setCurrentText("presto")
    assert home.cards.model().rowCount() == 8


def test_a_dropped_file_is_opened_and_recent(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    path = tmp_path / "dropped.toml"
    path.write_text(SMALL, encoding="utf-8")
    mime = QMimeData()
    mime.setUrls([QUrl.fromLocalFile(str(path))])
    action, button, none = Qt.DropAction.CopyAction, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    window.dropEvent(QDropEvent(QPointF(50, 50), action, mime, button, none))
    qtbot.waitUntil(lambda: window.session.document.path == path)
    assert home_of(window).recent.stringList() == [str(path)]


def test_a_file_that_is_gone_is_told_and_the_open_profile_stays(window: MainWindow, tmp_path: Path) -> None:
    assert not window.open(str(tmp_path / "gone.toml"))
    told = window.findChild(QMessageBox)
    assert told is not None
    assert "no such profile or file" in told.text()
    told.close()
    assert window.session.document.name == "small"
