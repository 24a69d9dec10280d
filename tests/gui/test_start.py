"""The window comes up: as a program of its own, with text that can be read, and every page behind its key."""

from __future__ import annotations

import locale
import os
import subprocess
import sys
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtGui import QFontInfo, QImage, QKeySequence, QPainter
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.gui.application import create
from app.gui.pages import PAGES
from app.gui.session.settings import Settings
from app.gui.shell.window import MainWindow

START = """
import sys
from PySide6.QtCore import QTimer
from app.gui import application
from app.gui.main import main
create = application.create
def closing(settings):
    made = create(settings)
    look = QTimer(made, interval=50)
    is_open = lambda: any(each.windowTitle().startswith("hdfs-terasort") for each in made.topLevelWidgets())
    look.timeout.connect(lambda: is_open() and made.closeAllWindows())
    look.start()
    return made
application.create = closing
sys.argv = ["headroom", "hdfs-terasort"]
sys.exit(main())
"""


def test_the_program_opens_a_profile_and_closes(tmp_path: Path) -> None:
    environment = os.environ | {"XDG_CONFIG_HOME": str(tmp_path), "XDG_DATA_HOME": str(tmp_path)}
    ended = subprocess.run(
        [sys.executable, "-c", START], env=environment, capture_output=True, text=True, check=False, timeout=280
    )
    assert (ended.returncode, ended.stderr) == (0, "")


def test_names_of_properties_have_the_letters_of_english_where_the_user_has_others(settings: Settings) -> None:
    locale.setlocale(locale.LC_CTYPE, "C")  # Turkish, in which PySide does not find `interval`, is not everywhere
    create(settings)
    assert locale.setlocale(locale.LC_CTYPE) == "C.UTF-8"


def test_letters_are_drawn_and_not_boxes(qapp: QApplication) -> None:
    def drawn(text: str) -> QImage:
        image = QImage(40, 40, QImage.Format.Format_RGB32)
        image.fill(Qt.GlobalColor.white)
        painter = QPainter(image)
        painter.drawText(image.rect(), text)
        painter.end()
        return image

    assert QFontInfo(qapp.font()).family()
    assert drawn("i") != drawn("W")
    assert drawn("µ") != drawn("→")


def test_every_page_opens_by_its_key(window: MainWindow, qtbot: QtBot) -> None:
    for entry in PAGES:
        pressed = QKeySequence(entry.keys)[0]
        qtbot.keyClick(window, pressed.key(), pressed.keyboardModifiers())
        assert window.page == entry.title
