"""The application: style, colours, fonts, what happens to faults, and the start of the window."""

from __future__ import annotations

import gc
import linecache
import locale
import sys
import traceback
from contextlib import suppress
from types import TracebackType

from PySide6.QtCore import QTimer, QtMsgType, qInstallMessageHandler
from PySide6.QtGui import QFontInfo
from PySide6.QtWidgets import QApplication, QWidget

from app.gui.garbage import Collector
from app.gui.jobs.worker import Worker
from app.gui.look import sight, theme
from app.gui.look.boxes import Icon, box_of, show
from app.gui.look.style import Style
from app.gui.session.session import Session
from app.gui.session.settings import Settings
from app.gui.shell.window import MainWindow
from simulator.fault_log import told

WARM_UP = 300  # milliseconds after the first paint at which the simulation's process starts


def run(profile: str | None) -> int:
    """Show the window with a profile, or Home, until it is closed."""
    gc.freeze()  # what was imported stays
    linecache.clearcache()  # but for its text, which Qt read to see whether a module is of Qt
    application = create(Settings())
    window = MainWindow(Session(Worker()), Settings())
    sys.excepthook = _Faults(window).show
    window.show()
    window.projects.begin()
    if profile:
        QTimer.singleShot(0, lambda: window.open(profile))
    QTimer.singleShot(WARM_UP, window.session.worker.warm)
    QTimer.singleShot(WARM_UP, window.make_pages)
    return application.exec()


def create(settings: Settings) -> QApplication:
    """Return the application in our style, the one that is there if there is one."""
    qInstallMessageHandler(_on_message)
    application = QApplication.instance()
    if not isinstance(application, QApplication):
        application = QApplication(sys.argv[:1])
    _write_names_alike()
    collector = application.findChild(Collector)
    (collector if isinstance(collector, Collector) else Collector(application)).start()
    application.setApplicationName("headroom")
    application.setApplicationDisplayName("Headroom")
    if not isinstance(application.style(), Style):
        application.setStyle(Style())
        application.focusChanged.connect(sight.follow)
    theme.apply(settings.theme)
    theme.resize_text(settings.text_size)
    application.styleHints().colorSchemeChanged.connect(lambda: _follow(settings))
    if not QFontInfo(application.font()).family():
        print("headroom: no font is installed; on Debian: apt-get install fonts-dejavu-core", file=sys.stderr)
    return application


def _write_names_alike() -> None:
    """Let letters be those of English for C's functions: Qt has just made them the user's.

    PySide looks for a property `interval` as `setInterval`, and the capital of i has a dot in Turkish and Azeri: in
    these languages no window opened. Numbers, dates and texts of Qt are not asked of C.
    """
    with suppress(locale.Error):  # a system without it has no other languages either
        locale.setlocale(locale.LC_CTYPE, "C.UTF-8")


def _follow(settings: Settings) -> None:
    if settings.theme == "system":
        theme.apply("system")


class _Faults:
    """Shows a fault of the program and lets the window go on, so that nothing is lost."""

    def __init__(self, window: QWidget) -> None:
        self._window = window

    def show(self, kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
        """Print a fault, and show it."""
        details = "".join(traceback.format_exception(kind, error, trace))
        print(details, file=sys.stderr)
        if issubclass(kind, KeyboardInterrupt):
            self._window.close()
            return
        text = f"A fault of the program: {told(error)}\n\nThe profile is intact: save it, then go on."
        box = box_of(Icon.Critical, text, self._window)
        box.setDetailedText(details)
        show(box)


def _on_message(kind: QtMsgType, context: object, message: str) -> None:
    """Print what Qt says, but for what the platform without a screen cannot do."""
    if "This plugin does not support" not in message:
        print(f"qt: {message}", file=sys.stderr)
