"""A window without a screen, on settings of its own. Qt reads the platform when it is imported: it is set first."""

from __future__ import annotations

import gc
import os

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from collections.abc import Iterator
from pathlib import Path

import pytest
import shiboken6
from PySide6.QtCore import QCoreApplication, QEvent
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from app.gui.application import create
from app.gui.jobs.processes import Processes
from app.gui.jobs.worker import Worker
from app.gui.session.session import Session
from app.gui.session.settings import Settings
from app.gui.shell.window import FIRST_SIZE, MainWindow

SMALL = """\
cluster = "12-h1"
storage = "hdfs"

[profile]
title = "Small TeraSort"

[workload]
use = "terasort"
framework = "yarn-h1"
input = "5 GB"
"""


@pytest.fixture(autouse=True)
def python_collects_again() -> Iterator[None]:
    """Let Python collect garbage after each test: those of other things have no event loop that would do so."""
    gc.disable()  # from the beginning: the process that tests share may say something at any time
    yield
    gc.enable()


@pytest.fixture(scope="session")
def qapp_cls() -> type[QApplication]:
    return QApplication


@pytest.fixture(scope="session")
def worker(qapp: QApplication) -> Iterator[Worker]:
    """Return the one simulation process of all tests: it takes seconds to start."""
    made = Worker()
    yield made
    made.close()


@pytest.fixture(scope="session")
def processes(qapp: QApplication) -> Iterator[Processes]:
    """Return the processes of all studies of all tests: none is the one of runs, which a late study would hold up."""
    made = Processes()
    yield made
    made.close()


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings(tmp_path / "window.ini")


@pytest.fixture
def session(worker: Worker, processes: Processes, settings: Settings) -> Iterator[Session]:
    """Return a session without a window, with the small profile open."""
    create(settings)
    made = Session(worker, studies=processes)
    made.open_text(SMALL, "small")
    yield made
    made.cancel()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)  # the window, which is closed
    shiboken6.delete(made)  # which lets go of what is connected to it, and with that of the window


@pytest.fixture
def window(qtbot: QtBot, session: Session, settings: Settings) -> MainWindow:
    """Return the window with the small profile open."""
    made = MainWindow(session, settings)
    made.resize(FIRST_SIZE)  # the screen that is none has 800 by 800
    qtbot.addWidget(made, before_close_func=settle)
    show(made, qtbot)
    return made


def show(window: QWidget, qtbot: QtBot) -> None:
    """Show a window and let it have the keys, which without a window manager nobody else does."""
    with qtbot.waitExposed(window):
        window.show()
    qtbot.waitUntil(lambda: _has_keys(window))


def _has_keys(window: QWidget) -> bool:
    """Ask for the keys, which a window that is just being closed may still have, and tell whether they are here."""
    window.activateWindow()
    return window.isActiveWindow() and QGuiApplication.focusWindow() is window.windowHandle()


def settle(window: MainWindow) -> None:
    """Let a window be closed without a question, and leave the process of all tests running."""
    window.session.cancel()
    window.session.document.stack.setClean()
    for study in window.session.studies.running:
        study.cancel()
    window.session.worker, window.session.studies = Worker(), Processes()
