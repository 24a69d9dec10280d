"""Sweep: keys that vary, and the result of the profile at each of their points, as it is simulated."""

from __future__ import annotations

from dataclasses import replace
from html import escape
from importlib.util import find_spec
from pathlib import Path

from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QGuiApplication, QShowEvent
from PySide6.QtWidgets import QCheckBox, QHBoxLayout, QLabel, QPushButton, QSplitter, QVBoxLayout, QWidget

from app.gui.command_line import study_command, study_options
from app.gui.export_view import FORMS as REPORT_FORMS, ExportButton
from app.gui.hint_table import HintTable
from app.gui.session import Session
from app.gui.setups import SweepSetup
from app.gui.studies import OpenedStudy
from app.gui.study import BUSY, Study
from app.gui.study_widgets import Message, Progress, add_action
from app.gui.sweep_axes_model import AxesModel
from app.gui.sweep_axes_view import AxesView
from app.gui.sweep_chart_view import SweepChartView
from app.gui.sweep_jobs import (
    Begun,
    Place,
    Refused,
    SweepEnded,
    SweepRequest,
    Swept,
    SweptPoint,
    draw_sweep,
    points_file,
    run_sweep,
)
from app.gui.sweep_model import POINT, SweepModel, sorted_by_value
from app.gui.sweep_place_view import PlaceView
from app.gui.sweep_plan import point_text, said, time_needed
from app.gui.theme import current
from app.planning.files import written
from app.reports import words
from models.planning.study import Sweep
from models.problem import ProblemError
from models.units import format_duration

FORMS = {**REPORT_FORMS, **({"Parquet": ".parquet"} if find_spec("pyarrow") else {})}
REDRAW = 500  # milliseconds between two drawings of the chart while points come. Assumption: as often as one looks
NO_PROFILE = "No profile is open: choose one on Home (Ctrl+1)."
NO_KEYS = "Choose what varies above: right-click a key in the profile tree and choose 'Vary this key'."
READY = "Press Start: each point appears here as soon as it is simulated."


class SweepPage(QWidget):
    """What varies and where it runs above; the points as a table and a chart below."""

    title = "Sweep"
    icon = "sweep"

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session = session
        self._study = Study(session.studies, self)
        self._request: SweepRequest | None = None
        self._wanted: SweepRequest | None = None
        self._is_whole = False
        self._pace: tuple[float, int] | None = None
        self.axes, self.model = AxesModel(session, self.title, self), SweepModel(self)
        self.axes_view, self.place = AxesView(self.axes), PlaceView(session)
        self.zipped = QCheckBox("Values side &by side")
        self.zipped.setToolTip("The first values together, then the second: no grid")
        self.summary, self.message = QLabel(wordWrap=True), Message()
        self.start_button, self.time_button = QPushButton("&Start"), QPushButton("Time &one point")
        self.cancel_button = QPushButton("&Cancel")
        self.progress = Progress("Progress of the sweep")
        self.table = HintTable("Points of the sweep", sorted_by_value(self.model, self), READY)
        self.chart = SweepChartView(self.model)
        self._redraw = QTimer(self, singleShot=True, interval=REDRAW)
        self._redraw.timeout.connect(self.chart.refresh)
        self.open_button = QPushButton("Open this point as a &profile")
        self.export_button = ExportButton("points", FORMS)
        self._target: Path | None = None
        self.copy_button = QPushButton("Copy as command &line")
        self._name()
        self._lay_out()
        self._add_actions()
        self._listen()
        self._take_setup()
        self.refresh()

    # What is shown

    def refresh(self) -> None:
        """Let texts and buttons follow the plan, the profile and the study."""
        session, plan = self._session, self.axes.plan
        self.zipped.setChecked(self.axes.is_zipped)
        is_ready = plan.is_right and session.is_valid and not self._study.is_running
        self.start_button.setEnabled(is_ready and self._study.is_free and not self.place.is_trying)
        self.time_button.setEnabled(self.start_button.isEnabled() and len(plan.points) > 1)
        self.start_button.setText("Res&ume" if self._is_begun() else "&Start")
        self.cancel_button.setEnabled(self._study.is_running)
        self.cancel_action.setEnabled(self._study.is_running)
        self.start_action.setEnabled(self.start_button.isEnabled())
        self.time_action.setEnabled(self.time_button.isEnabled())
        self.open_button.setEnabled(self._chosen() is not None)
        self.open_action.setEnabled(self.open_button.isEnabled())
        self.export_button.let(bool(self.model.points) and self._request is not None and self._study.is_free)
        self.export_button.proposed = f"{session.document.name or 'sweep'}-points"
        self.copy_button.setEnabled(plan.is_right and session.document.is_open)
        self.copy_action.setEnabled(self.copy_button.isEnabled())
        self.summary.setText(self._summary())
        self.summary.setStyleSheet(f"color: {current().error}" if self.axes.complaint else "")
        self.table.say(self._hint())

    def _summary(self) -> str:
        plan, session = self.axes.plan, self._session
        if self.axes.complaint:
            return escape(self.axes.complaint)
        if not self._study.is_free and not self._study.is_running:
            return BUSY
        if not plan.points or not session.is_valid:
            return ""
        count = len(plan.points)
        runs = f", {session.replications} runs each" if session.replications > 1 else ""
        points = f"<b>{count} point{'' if count == 1 else 's'}</b>{runs}"
        return f"{points}, {self._time()}; points that are kept from before are not run again"

    def _time(self) -> str:
        if self._pace is None:
            return "time not known yet: 'Time one point' runs the first"
        seconds, then = self._pace
        return time_needed(len(self.axes.plan.points), seconds, then, self.place.workers.value())

    def _hint(self) -> str:
        session = self._session
        if not session.document.is_open:
            return NO_PROFILE
        if session.problems:
            return "The profile has problems: fix them first (F8 goes to the next)."
        if self._study.is_running:
            return "Starting…"
        return READY if self.axes.plan.points else NO_KEYS

    # What can be done

    def start(self) -> None:
        """Simulate the points that are not kept yet."""
        self._start(self._asked())

    def time_one(self) -> None:
        """Simulate the first point, which says how long the others will take."""
        asked = self._asked()
        self._start(replace(asked, points=asked.points[:1]))

    def cancel(self) -> None:
        """End the sweep; the points that are done stay."""
        self._study.cancel()

    def open_point(self) -> None:
        """Open the profile at the chosen point, a step that can be undone."""
        point, request, session = self._chosen(), self._request, self._session
        if point is None or request is None:
            return
        document = session.document
        try:
            text = point_text(request.text, request.base, point.values)
        except ProblemError as error:
            self.message.say(f"This point cannot be a profile: {error}", is_wrong=True)
            return
        if document.base == request.base:
            document.set_text(text, said(point.values))
        elif document.is_changed:
            self.message.say(
                f"Save or undo the changes of {document.name} first: the sweep was of {request.name}.", is_wrong=True
            )
            return
        else:
            session.open_text(text, request.name, base=request.base)
        session.page_asked.emit("Profile")

    def take_study(self, opened: OpenedStudy) -> None:
        """Fill in what a study varies, ready to start."""
        if isinstance(opened.study, Sweep):
            self.cancel()
            self.model.clear()
            self.chart.refresh()
            self.axes.show(opened.study.vary.items())
            self.axes.zip(opened.study.zip)
            self.message.say(opened.study.title)

    def _take_setup(self) -> None:
        """Ask what a project asks, if that is something else."""
        setup = self._session.setups.sweep
        if setup != self._setup():
            self.cancel()
            self.model.clear()
            self.chart.refresh()
            self.axes.restore(setup.axes, is_zipped=setup.is_zipped)

    def _setup(self) -> SweepSetup:
        return SweepSetup(axes=self.axes.rows, is_zipped=self.axes.is_zipped)

    def export(self, path: Path) -> None:
        """Write the points that are done to a file, in the form of its suffix: what the command writes."""
        request = self._request
        if request is None or not self._study.is_free:
            return
        done = sorted(point.index for point in self.model.points)
        self._target = path
        self.message.say("")
        asked = replace(request, points=tuple(request.points[index] for index in done))
        self._study.start(draw_sweep, asked, points_file(), path.suffix.lower())

    def copy_command(self) -> None:
        """Put the command that does the same on the clipboard."""
        session = self._session
        changed = session.changes()
        options = study_options(changed, self.axes.rows, session.seed, session.replications)
        options += [("--zip", self.axes.is_zipped), ("--scheduler", self.place.scheduler)]
        options += [("--workers", None if self.place.scheduler else self.place.workers.value())]
        command = study_command("sweep", str(session.document.path or session.document.name), options)
        QGuiApplication.clipboard().setText(command)
        self.message.say(f"Copied: {command}")

    def _asked(self) -> SweepRequest:
        session, document, plan = self._session, self._session.document, self.axes.plan
        return SweepRequest(
            name=document.name,
            text=document.text,
            base=document.base,
            axes=plan.axes,
            points=plan.points,
            seed=session.seed,
            replications=session.replications,
            changes=session.changes(),
        )

    def _start(self, request: SweepRequest) -> None:
        try:
            store = points_file()
        except OSError as error:
            self.message.say(f"There is no place to keep points: {error}", is_wrong=True)
            return
        self._request, self._wanted, self._is_whole = request, self._asked(), False
        where = Place(workers=self.place.workers.value(), scheduler=self.place.scheduler, store=store)
        self.message.say("")
        self.progress.begin("starting")
        self._study.start(run_sweep, request, where)

    def _is_begun(self) -> bool:
        """Whether some points of what is asked are there, and others are not."""
        is_same = self._wanted is not None and self.axes.plan.is_right and self._asked() == self._wanted
        return is_same and not self._is_whole and bool(self.model.points)

    def _chosen(self) -> SweptPoint | None:
        index = self.table.chosen()
        return index.data(POINT) if index.isValid() else None

    # What the study tells

    def _on_told(self, part: object) -> None:
        if isinstance(part, Begun):
            self.model.begin(part)
            self._on_columns()
        elif isinstance(part, Swept):
            self.model.take(part)
        if not self._redraw.isActive():
            self._redraw.start()

    def _on_progressed(self, fraction: float, doing: str, seconds_left: float) -> None:
        is_known = 0 < fraction < 1
        left = f", about {format_duration(max(1, round(seconds_left)))} left" if is_known else ""
        said = f"{words.percent(fraction)}, {doing} points to be simulated{left} – Esc cancels"
        self.progress.reach(fraction, said)

    def _on_finished(self, answer: object) -> None:
        if isinstance(answer, Refused):
            rest = self.axes.refuse(answer.problems)
            self.message.say(rest or "Nothing was run: fix the values in red.", is_wrong=True)
        elif isinstance(answer, bytes):
            assert self._target is not None  # what is drawn is drawn for a file
            said, is_wrong = written(self._target, answer)
            self.message.say(said, is_wrong=is_wrong)
        elif isinstance(answer, SweepEnded):
            self._is_whole = self._request == self._wanted
            if answer.simulated:
                self._pace = (answer.seconds / answer.simulated, min(self.place.workers.value(), answer.simulated))
            self.message.say(self._ended(answer))
        self._on_ended()

    def _ended(self, answer: SweepEnded) -> str:
        count = len(self.model.points)
        refused = sum(1 for point in self.model.points if point.reason)
        kept = count - answer.simulated - refused
        parts = [f"{answer.simulated} of {count} points simulated in {answer.seconds:.1f} s"]
        parts += [f"{kept} kept from before"] if kept > 0 else []
        parts += [f"{refused} cannot be run: the last column says why"] if refused else []
        return "; ".join(parts) + "."

    def _on_failed(self, reason: str) -> None:
        self.message.say(f"The sweep stopped: {reason}. Points that are done are kept; Resume goes on.", is_wrong=True)
        self._on_ended()

    def _on_cancelled(self) -> None:
        total = len(self._request.points) if self._request else 0
        self.message.say(
            f"Cancelled: {len(self.model.points)} of {total} points are done and kept; Resume goes on from there."
        )
        self._on_ended()

    def _on_ended(self) -> None:
        self.progress.hide()
        self.table.fit()
        self._redraw.stop()
        self.chart.refresh()
        self.refresh()

    def _on_started(self) -> None:
        self.progress.show()
        self.refresh()

    def _on_columns(self) -> None:
        self.table.fit()

    # Building

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.refresh()

    def _name(self) -> None:
        self.summary.setAccessibleName("What will be run")
        self.time_button.setToolTip("Run the first point only; it is kept")
        self.summary.setTextFormat(Qt.TextFormat.RichText)
        self.table.setSortingEnabled(True)
        self.table.sortByColumn(-1, Qt.SortOrder.AscendingOrder)

    def _lay_out(self) -> None:
        self.axes_view.buttons.addWidget(self.zipped)
        above, buttons, below = QHBoxLayout(), QHBoxLayout(), QHBoxLayout()
        above.addWidget(self.axes_view, 3)
        above.addWidget(self.place, 1)
        buttons.addWidget(self.summary, 1)
        for button in (self.time_button, self.start_button, self.cancel_button):
            buttons.addWidget(button)
        for button in (self.open_button, self.export_button, self.copy_button):
            below.addWidget(button)
        below.addStretch()
        body = QSplitter(Qt.Orientation.Horizontal, childrenCollapsible=False)
        body.addWidget(self.table)
        body.addWidget(self.chart)
        body.setSizes([620, 420])
        layout = QVBoxLayout(self)
        layout.addLayout(above)
        layout.addLayout(buttons)
        layout.addWidget(self.progress)
        layout.addWidget(self.message)
        layout.addWidget(body, 1)
        layout.addLayout(below)

    def _add_actions(self) -> None:
        self.start_action = add_action(self, "&Start or resume the sweep", self.start, "Ctrl+Return")
        self.cancel_action = add_action(self, "&Cancel the sweep", self.cancel, "Esc")
        self.time_action = add_action(self, "Time &one point", self.time_one)
        self.open_action = add_action(self, "Open the chosen point as a &profile", self.open_point)
        self.copy_action = add_action(self, "Copy the sweep as command &line", self.copy_command)
        self.addActions(self.export_button.forms)

    def _listen(self) -> None:
        session, study = self._session, self._study
        self.zipped.toggled.connect(self.axes.zip)
        self.start_button.clicked.connect(self.start)
        self.time_button.clicked.connect(self.time_one)
        self.cancel_button.clicked.connect(self.cancel)
        self.open_button.clicked.connect(self.open_point)
        self.export_button.file_chosen.connect(self.export)
        self.copy_button.clicked.connect(self.copy_command)
        self.table.doubleClicked.connect(self.open_point)
        self.table.selectionModel().selectionChanged.connect(self.refresh)
        self.model.modelReset.connect(self._on_columns)
        for signal in (self.axes.changed, self.place.changed, session.problems_changed, session.document_opened):
            signal.connect(self.refresh)
        self.axes.changed.connect(lambda: session.set_up(sweep=self._setup()))
        session.setups_taken.connect(self._take_setup)
        session.vary_asked.connect(self.axes_view.vary)
        session.study_asked.connect(self.take_study)
        study.started.connect(self._on_started)
        study.told.connect(self._on_told)
        study.progressed.connect(self._on_progressed)
        study.finished.connect(self._on_finished)
        study.failed.connect(self._on_failed)
        study.cancelled.connect(self._on_cancelled)
