"""What is being computed, a line a job: how far it is, the time that is left, and a button that cancels it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtCore import QTimer, Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QProgressBar, QPushButton, QVBoxLayout, QWidget

from app.gui.look.line_label import LineLabel
from app.gui.session.session import Session
from app.gui.studies.widgets import TICK, so_far
from app.reports import media, words
from models.units import format_duration

PAUSE = 100  # milliseconds between two looks at how far jobs are. Assumption: more often, it cannot be read
TITLE = 160  # logical pixels of a job's name
NOTHING = "Nothing is being computed."


@dataclass(frozen=True, slots=True)
class Job:
    """A job as its line shows it: `page` is where it was started, `fraction` is 0 to 1."""

    page: str
    title: str
    fraction: float
    doing: str
    seconds_left: float  # infinity where nobody knows
    cancel: Callable[[], None]
    passed: float = 0.0  # seconds

    @property
    def said(self) -> str:
        """How far it is, in words."""
        left = [f"about {_time(self.seconds_left)} left"] if 0 < self.seconds_left < float("inf") else []
        far = ", ".join([words.percent(self.fraction), *([self.doing] if self.doing else []), *left])
        return far if left else f"{far}{so_far(self.passed)}"


class JobsView(QWidget):
    """Lists the run and all studies that go on; `listed` tells that there are others than before."""

    listed = Signal()

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session = session
        self._fraction = 0.0  # of the run
        self._lines: list[_Line] = []
        self._soon = QTimer(self, singleShot=True, interval=PAUSE)
        self._soon.timeout.connect(self._show_progress)
        self._ticks = QTimer(self, interval=TICK)
        self._ticks.timeout.connect(self._show_soon)
        self.setAccessibleName("Jobs")
        self._nothing = QLabel(NOTHING)
        self._layout = QVBoxLayout(self)
        self._layout.addWidget(self._nothing)
        self._layout.addStretch()
        for signal in (session.run_started, session.run_finished, session.run_failed, session.run_cancelled):
            signal.connect(self._on_listed)
        session.studies.listed.connect(self._on_listed)
        session.run_progressed.connect(self._on_run_progressed)
        session.studies.progressed.connect(self._show_soon)

    @property
    def jobs(self) -> list[Job]:
        """What goes on, in the order in which it was started, the run first."""
        session = self._session
        about = "Run", f"Run of {session.title}", self._fraction, ""
        run = [Job(*about, float("inf"), session.cancel, session.passed)]
        studies = [
            Job(running.page, running.title, *running.progress, running.cancel, running.passed)
            for running in session.studies.running
        ]
        return [*(run if session.is_running else []), *studies]

    def _on_run_progressed(self, fraction: float, passed: float) -> None:
        self._fraction = fraction
        self._show_soon()

    def _show_soon(self) -> None:
        if self.isVisible() and not self._soon.isActive():
            self._soon.start()

    def _on_listed(self) -> None:
        if not self._session.is_running:
            self._fraction = 0.0
        jobs = self.jobs
        while len(self._lines) > len(jobs):
            self._lines.pop().deleteLater()
        while len(self._lines) < len(jobs):
            line = _Line()
            self._layout.insertWidget(len(self._lines), line)
            self._lines.append(line)
        self._nothing.setVisible(not jobs)
        if jobs:
            self._ticks.start()
        else:
            self._ticks.stop()
        self._show_progress()
        self.listed.emit()

    def _show_progress(self) -> None:
        for line, job in zip(self._lines, self.jobs, strict=True):
            line.show_job(job)


class _Line(QWidget):
    """One job."""

    def __init__(self) -> None:
        super().__init__()
        self._job: Job | None = None
        self.title = LineLabel()
        self.title.setMinimumWidth(TITLE)
        self.progress = QProgressBar(maximum=1000)
        self.button = QPushButton("Cancel")
        self.button.clicked.connect(self._on_cancel)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.title, 1)
        layout.addWidget(self.progress, 2)
        layout.addWidget(self.button)

    def show_job(self, job: Job) -> None:
        self._job = job
        self.title.setText(media.line(job.title))
        self.progress.setAccessibleName(f"Progress of {job.title}")
        self.button.setAccessibleName(f"Cancel {job.title}")
        self.progress.setValue(round(1000 * job.fraction))
        self.progress.setFormat(job.said)

    def _on_cancel(self) -> None:
        if self._job is not None:
            self._job.cancel()


def _time(seconds: float) -> str:
    return f"{seconds:.0f} s" if seconds < 60 else format_duration(round(seconds))
