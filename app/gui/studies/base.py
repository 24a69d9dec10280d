"""The base of the pages whose work is done in a child process: begin, progress, cancel, end, files, commands."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from pathlib import Path
from typing import Any, ClassVar

from pydantic import BaseModel
from PySide6.QtCore import QEvent, Qt, QTimer
from PySide6.QtGui import QGuiApplication, QKeyEvent, QShowEvent
from PySide6.QtWidgets import QAbstractButton, QPushButton, QWidget

from app.gui.jobs.study import BUSY, STARTING, Study
from app.gui.look.words import sentence
from app.gui.page import Page
from app.gui.session.inputs import why_not_export
from app.gui.session.session import Session
from app.gui.studies.export import FORMS
from app.gui.studies.points import Place, points_file
from app.gui.studies.widgets import LONG, TICK, Message, Progress, add_action, so_far
from app.planning.files import refused, written
from models.units import format_duration
from profiles.text.files import why_not

NO_PROFILE = "No profile is open: choose one in the library (Ctrl+L)."
PROBLEMS = "The profile has problems: fix them first (F8 goes to the next)."


class JobPage(Page):
    """A page that starts jobs in a child process, one at a time, and takes their answers.

    A page says what its answers are by `take`, how things are by `refresh`, and, where a project keeps what it is
    asked, names the field of `Setups` and gives `setup` and `take_setup`. `suffixes` are those of the forms in which
    its answers are written.
    """

    setup_field: ClassVar[str] = ""
    cancelled: ClassVar[str] = "Cancelled."
    suffixes: ClassVar[Collection[str]] = FORMS.values()

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self.study = Study(session.studies, self)
        self.progress, self.message = Progress(f"Progress of {self.title}"), Message()
        self.cancel_button = QPushButton("&Cancel")
        self.cancel_button.clicked.connect(self.give_up)
        self._target: Path | None = None  # the file that gets the bytes of a job
        self._exports: Path | None = None  # the file for which an answer is found first
        self._ticks = QTimer(self, interval=TICK)
        self._ticks.timeout.connect(self._on_tick)
        self._keys: tuple[QWidget | None, ...] = (None, None)  # what had them before a job, and had then

    def connect_all(self) -> None:
        """Hear the study and the session: when the page is built."""
        self.cancel_action = add_action(self, f"&Cancel {self.title}", self.give_up, "Esc")
        study, session = self.study, self._session
        study.started.connect(self.refresh)
        study.told.connect(self.hear)
        study.progressed.connect(self._on_progressed)
        study.finished.connect(self._on_finished)
        study.failed.connect(self._on_failed)
        study.cancelled.connect(self._on_cancelled)
        session.studies.listed.connect(self._on_studies_listed)
        if self.setup_field:
            session.setups_taken.connect(self._on_setups_taken)
            self._on_setups_taken()
        self.refresh()

    # What a page says of itself

    def refresh(self) -> None:
        """Let texts and buttons follow the session and the study."""
        self.cancel_button.setEnabled(self.study.is_running)
        self.cancel_action.setEnabled(self.study.is_running)

    def take(self, answer: Any) -> tuple[str, bool]:
        """Take what a job came to; return what is to be said of it, and whether something is wrong."""
        raise NotImplementedError

    def hear(self, part: object) -> None:
        """Take a part of the answer before its end."""

    def said_of_progress(self, fraction: float, doing: str, seconds_left: float) -> str:
        """Return what the bar of progress says."""
        if 0 < fraction < 1:
            return f"{doing}, about {format_duration(max(1, round(seconds_left)))} left – Esc cancels"
        return f"{doing}{so_far(self.study.passed)} – Esc cancels"  # nobody knows how long it takes yet

    def said_of_cancel(self) -> str:
        """Return what is said when the job was cancelled."""
        return self.cancelled

    def said_of_failure(self, reason: str) -> str:
        """Return what is said when the job failed."""
        return reason

    def setup(self) -> BaseModel:
        """Return what the page is asked, as a project keeps it."""
        raise NotImplementedError

    def take_setup(self, setup: Any) -> None:
        """Ask what a project asks."""
        raise NotImplementedError

    # What a page does

    def begin(self, job: Callable[..., object], *arguments: object) -> None:
        """Carry out a job, where one may be started."""
        if not self.study.is_free:
            self.message.say(BUSY)
            return
        self.message.say("")
        self.progress.begin()
        had_keys = self.window().focusWidget()
        self.study.start(job, *arguments)
        self._ticks.start()
        self._keys = had_keys, self.window().focusWidget()

    def may_write(self, path: Path, suffixes: Collection[str] = ()) -> bool:
        """Tell whether an answer can be written to a file, and say so if it cannot, before anything is done for it.

        Of the suffixes of several forms the file has to have one.
        """
        why = why_not_export(self._session, path, self.inputs())
        if not why and suffixes and path.suffix.lower() not in suffixes:
            why = f"its suffix chooses the form: {', '.join(suffixes)}"
        if why:
            self.message.say(refused(path, why), is_wrong=True)
        return not why

    def inputs(self) -> Iterable[str | Path]:
        """Return the files that the page reads, but for those that a project keeps."""
        return ()

    def write(self, path: Path, job: Callable[..., object], *arguments: object) -> None:
        """Write the bytes that a job answers to a file, whole or not at all."""
        if self.may_write(path, self.suffixes):
            self._target = path
            self.begin(job, *arguments)

    def give_up(self) -> None:
        """End what goes on, as the user asks: at once, where a page does not say otherwise."""
        self.cancel()

    def write_nothing(self) -> None:
        """Forget the file for which something was begun that has been given up, or has failed."""
        self._target = self._exports = None

    def cancel(self) -> None:
        """End what goes on; what it has told stays told."""
        self.study.cancel()

    def end(self, text: str, *, is_wrong: bool = False) -> None:
        """Show that nothing goes on any more, and what it came to."""
        self.progress.setVisible(self.study.is_running)
        if not self.study.is_running:
            self._ticks.stop()
        self._follow_study()
        if text:
            self.message.say(text, is_wrong=is_wrong)

    def copy(self, command: str) -> None:
        """Put a command on the clipboard, and say so."""
        QGuiApplication.clipboard().setText(command)
        self.message.say(f"Copied: {command.splitlines()[-1]}")

    def place(self, workers: int, scheduler: str | None = None) -> Place | None:
        """Return where points are run and kept; None, and say why, where there is no place for them."""
        try:
            return Place(workers=workers, scheduler=scheduler, store=points_file())
        except OSError as error:
            self.message.say(f"There is no place to keep points: {why_not(error)}", is_wrong=True)
            return None

    def keep_setup(self) -> None:
        """Let the project know what the page is asked."""
        self._session.set_up(**{self.setup_field: self.setup()})

    def why_not(self) -> str:
        """Return why the profile cannot be studied, "" if it can."""
        if not self._session.document.is_open:
            return NO_PROFILE
        return PROBLEMS if self._session.problems else ""

    # What happens

    def event(self, event: QEvent) -> bool:
        """Keep Escape from the run of the window, which has the same key, while the page has something to end."""
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.ShortcutOverride and self._ends(event):
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if self._ends(event):
            self.give_up()
        else:
            super().keyPressEvent(event)

    def _ends(self, event: QKeyEvent) -> bool:
        return event.key() == Qt.Key.Key_Escape and self.study.is_running

    def _follow_study(self) -> None:
        """Refresh, and give a button the keys back that Qt passed on while it could not be pressed."""
        had_keys, then = self._keys
        is_passed_on = not self.study.is_running and self.window().focusWidget() is then is not had_keys
        self.refresh()
        if is_passed_on and had_keys in self.findChildren(QAbstractButton):
            had_keys.setFocus()
            self._keys = (None, None)

    def _on_studies_listed(self) -> None:
        """Follow what goes on elsewhere; a page that is not seen does so when it is."""
        if self._session.studies.is_free and self.message.text() == BUSY:
            self.message.say("")
        if self.isVisible():
            self._follow_study()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.refresh()

    def _on_setups_taken(self) -> None:
        setup = getattr(self._session.setups, self.setup_field)
        if setup != self.setup():
            self.cancel()
            self.take_setup(setup)

    def _on_progressed(self, fraction: float, doing: str, seconds_left: float) -> None:
        self.progress.reach(fraction, self.said_of_progress(fraction, doing, seconds_left))

    def _on_tick(self) -> None:
        """Tell how long it has taken, where nothing else can be told."""
        fraction, doing, seconds_left = self.study.progress
        if 0 < fraction < 1 or not self.study.is_running or self.study.passed < LONG:
            return
        if doing == STARTING:
            self.progress.reach(fraction, JobPage.said_of_progress(self, fraction, sentence(doing), seconds_left))
        else:
            self._on_progressed(fraction, doing, seconds_left)

    def _on_finished(self, answer: object) -> None:
        if isinstance(answer, bytes) and self._target is not None:
            target, self._target = self._target, None
            text, is_wrong = written(target, answer)
        else:
            text, is_wrong = self.take(answer)
        self.end(text, is_wrong=is_wrong)

    def _on_cancelled(self) -> None:
        self.write_nothing()
        self.end(self.said_of_cancel())

    def _on_failed(self, reason: str) -> None:
        self.write_nothing()
        self.end(sentence(self.said_of_failure(reason)), is_wrong=True)
