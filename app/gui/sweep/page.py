"""Sweep: keys that vary, and the result of the profile at each of their points, as it is simulated."""

from __future__ import annotations

from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path

from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import QCheckBox, QHBoxLayout, QLabel, QPushButton, QSplitter, QVBoxLayout

from app.gui.jobs.study import BUSY, Study
from app.gui.look import theme
from app.gui.session.command_line import study_command, study_options
from app.gui.session.points import point_text, said, time_needed
from app.gui.session.session import Session
from app.gui.session.setups import SweepSetup
from app.gui.session.studies import OpenedStudy
from app.gui.studies.age import Age, changed_since
from app.gui.studies.axes_model import AxesModel
from app.gui.studies.axes_view import AxesView
from app.gui.studies.base import JobPage
from app.gui.studies.export import FORMS as REPORT_FORMS, ExportButton
from app.gui.studies.place_view import PlaceView
from app.gui.studies.points import Refused, points_file
from app.gui.studies.widgets import add_action
from app.gui.sweep.chart_view import SweepChartView
from app.gui.sweep.jobs import (
    Begun,
    SweepEnded,
    SweepRequest,
    Swept,
    draw_sweep,
    predict_sweep,
    run_sweep,
)
from app.gui.sweep.model import POINT, SweepModel, sorted_by_value
from app.gui.tables.hint_table import HintTable
from app.planning.effort import asked as asked_effort
from app.reports import words
from app.reports.media import rich
from app.reports.sweep.sweep_points import SurePoints, SweptPoint
from models.planning.study import Sweep
from models.problem import ProblemError

FORMS = {**REPORT_FORMS, **({"Parquet": ".parquet"} if find_spec("pyarrow") else {})}
REDRAW = 500  # milliseconds between two drawings of the chart while points come. Assumption: as often as one looks
NO_KEYS = "Choose what varies above: right-click a key in the profile tree and choose 'Vary this key'."
READY = "Press Start: each point appears here as soon as it is simulated."


class SweepPage(JobPage):
    """What varies and where it runs above; the points as a table and a chart below."""

    title = "Sweep"
    setup_field = "sweep"
    suffixes = FORMS.values()

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self.certainty = Study(session.studies, self, "how sure")
        self._request: SweepRequest | None = None
        self._wanted: SweepRequest | None = None
        self._is_whole = False
        self._pace: tuple[float, int] | None = None  # seconds of one run, and how many points ran at a time
        self.axes, self.model = AxesModel(session, self.title, self), SweepModel(self)
        self.axes_view, self.where = AxesView(self.axes), PlaceView(session)
        self.zipped = QCheckBox("Pa&irs of values")
        self.zipped.setToolTip("The first values together, then the second: no grid")
        self.summary = QLabel(wordWrap=True)
        self.start_button, self.time_button = QPushButton("&Start"), QPushButton("Time &one point")
        self.table = HintTable("Points of the sweep", sorted_by_value(self.model, self), READY)
        self.chart = SweepChartView(self.model)
        self.age = Age(self.table, self.chart)
        self._redraw = QTimer(self, singleShot=True, interval=REDRAW)
        self._redraw.timeout.connect(self.chart.refresh)
        self.open_button = QPushButton("Open this point as a &profile")
        self.export_button = ExportButton("points", FORMS)
        self.copy_button = QPushButton("Copy as command &line")
        self._name()
        self._lay_out()
        self._add_actions()
        self._listen()
        self.connect_all()

    # What is shown

    def refresh(self) -> None:
        """Let texts and buttons follow the plan, the profile and the study."""
        super().refresh()
        session, plan = self._session, self.axes.plan
        self.zipped.setChecked(self.axes.is_zipped)
        is_ready = plan.is_right and session.is_valid and not self.study.is_running
        self.start_button.setEnabled(is_ready and self.study.is_free and not self.where.is_trying)
        self.time_button.setEnabled(self.start_button.isEnabled() and len(plan.points) > 1)
        self.start_button.setText("Res&ume" if self._is_begun() else "&Start")
        self.start_action.setEnabled(self.start_button.isEnabled())
        self.time_action.setEnabled(self.time_button.isEnabled())
        self.open_button.setEnabled(self._chosen() is not None)
        self.open_action.setEnabled(self.open_button.isEnabled())
        self.export_button.let(bool(self.model.points) and self._request is not None and self.study.is_free)
        self.export_button.proposed = f"{session.document.name or 'sweep'}-points"
        self.copy_button.setEnabled(plan.is_right and session.document.is_open)
        self.copy_action.setEnabled(self.copy_button.isEnabled())
        self.summary.setText(self._summary())
        theme.warn(self.summary, is_wrong=bool(self.axes.complaint))
        self.age.tell(self._changed())
        self.table.say(self._hint())

    def _summary(self) -> str:
        plan, session = self.axes.plan, self._session
        if self.axes.complaint:
            return rich(self.axes.complaint)
        if not self.study.is_free and not self.study.is_running:
            return BUSY
        if not plan.points or not session.is_valid:
            return ""
        count = len(plan.points)
        runs = f", {session.replications} runs each" if session.replications > 1 else ""
        points = f"<b>{count} point{'' if count == 1 else 's'}</b>{runs}"
        return f"{points}, {self._time()}; points that are kept from before are not run again"

    def _changed(self) -> str:
        """Return why the points that are shown are those of before, "" where they are not, or where there are none."""
        asked = self._wanted
        if asked is None or not self.model.points:
            return ""
        plan = self.axes.plan
        is_same = (asked.axes, len(asked.points)) == (plan.axes, len(plan.points))
        return changed_since(self._session, asked) or ("" if is_same else "What varies above has changed since.")

    def _time(self) -> str:
        if self._pace is None:
            return "time not known yet: 'Time one point' runs the first"
        seconds, then = self._pace
        seconds *= self._session.replications
        return time_needed(len(self.axes.plan.points), seconds, then, self.where.workers.value())

    def _hint(self) -> str:
        if self.study.is_running:
            return "Starting…"
        return self.why_not() or (READY if self.axes.plan.points else NO_KEYS)

    # What can be done

    def start(self) -> None:
        """Simulate the points that are not kept yet."""
        self._start(self._asked())

    def time_one(self) -> None:
        """Simulate the first point, which says how long the others will take."""
        asked = self._asked()
        self._start(replace(asked, points=asked.points[:1]))

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
        session.page_asked.emit("Cluster")

    def take_study(self, opened: OpenedStudy) -> None:
        """Fill in what a study varies, ready to start."""
        if isinstance(opened.study, Sweep):
            self._forget()
            self.axes.show(opened.study.vary.items())
            self.axes.zip(opened.study.zip)
            self.message.say(opened.study.title)

    def take_setup(self, setup: SweepSetup) -> None:
        self._forget()
        self.axes.restore(setup.axes, is_zipped=setup.is_zipped)

    def _forget(self) -> None:
        self.cancel()
        self.certainty.cancel()
        self.model.clear()
        self.chart.refresh()

    def setup(self) -> SweepSetup:
        return SweepSetup(axes=self.axes.rows, is_zipped=self.axes.is_zipped)

    def export(self, path: Path) -> None:
        """Write the points that are done to a file, in the form of its suffix: what the command writes."""
        request = self._request
        if request is None or not self.study.is_free:
            return
        done = sorted(point.index for point in self.model.points)
        asked = replace(request, points=tuple(request.points[index] for index in done))
        self.write(path, draw_sweep, asked, points_file(), path.suffix.lower(), asked_effort())

    def copy_command(self) -> None:
        """Put the command that does the same on the clipboard."""
        session = self._session
        changed = session.changes()
        options = study_options(changed, self.axes.rows, session.seed, session.replications)
        options += [("--zip", self.axes.is_zipped), ("--scheduler", self.where.scheduler)]
        options += [("--workers", None if self.where.scheduler else self.where.workers.value())]
        command = study_command("sweep", str(session.document.path or session.document.name), options)
        self.copy(command)

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
        where = self.place(self.where.workers.value(), self.where.scheduler)
        if where is not None:
            self.certainty.cancel()
            self._request, self._wanted, self._is_whole = request, self._asked(), False
            self.begin(run_sweep, request, where)

    def _is_begun(self) -> bool:
        """Whether some points of what is asked are there, and others are not."""
        is_same = self._wanted is not None and self.axes.plan.is_right and self._asked() == self._wanted
        return is_same and not self._is_whole and bool(self.model.points)

    def _chosen(self) -> SweptPoint | None:
        index = self.table.chosen()
        return index.data(POINT) if index.isValid() else None

    # What the study tells

    def hear(self, part: object) -> None:
        if isinstance(part, Begun):
            self.model.begin(part)
            self.table.fit()
        elif isinstance(part, Swept):
            self.model.take(part)
        if not self._redraw.isActive():
            self._redraw.start()

    def said_of_progress(self, fraction: float, doing: str, seconds_left: float) -> str:
        text = f"{words.percent(fraction)}, {doing} points to be simulated"
        return super().said_of_progress(fraction, text, seconds_left)

    def said_of_failure(self, reason: str) -> str:
        return f"The sweep stopped: {reason}. Points that are done are kept; Resume goes on."

    def said_of_cancel(self) -> str:
        total = len(self._request.points) if self._request else 0
        if not self.model.points:
            return f"Cancelled before the first of {total} points was done: Start begins again."
        return f"Cancelled: {len(self.model.points)} of {total} points are done and kept; Resume goes on from there."

    def take(self, answer: SweepEnded | Refused) -> tuple[str, bool]:
        if isinstance(answer, Refused):
            return self.axes.refuse(answer.problems) or "Nothing was run: fix the values in red.", True
        self._is_whole = self._request == self._wanted
        if answer.simulated:
            runs = answer.simulated * (self._request.replications if self._request else 1)
            self._pace = (answer.seconds / runs, min(self.where.workers.value(), answer.simulated))
        self._ask_how_sure()
        return self._ended(answer), False

    def _ask_how_sure(self) -> None:
        """Find out how sure the points are, once they are seen."""
        effort = asked_effort()
        if effort != "none" and self._request is not None and self.certainty.is_free:
            self.certainty.start(predict_sweep, self._request, points_file(), effort)

    def _on_certainty_found(self, sure: SurePoints | None) -> None:
        self.model.take_sure(sure)
        self.chart.refresh()
        self.refresh()

    def end(self, text: str, *, is_wrong: bool = False) -> None:
        self.table.fit()
        self._redraw.stop()
        self.chart.refresh()
        super().end(text, is_wrong=is_wrong)

    def _ended(self, answer: SweepEnded) -> str:
        count = len(self.model.points)
        refused = sum(1 for point in self.model.points if point.reason)
        kept = count - answer.simulated - refused
        parts = [f"{answer.simulated} simulated in {answer.seconds:.1f} s"] if answer.simulated else []
        parts += [f"{kept} kept from before"] if kept > 0 else []
        parts += [f"{refused} cannot be run: the last column says why"] if refused else []
        return " ".join([f"{count - refused} of {count} points: {'; '.join(parts)}.", *answer.limiting])

    # Building

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
        above.addWidget(self.where, 1)
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
        layout.addWidget(self.age)
        layout.addWidget(body, 1)
        layout.addLayout(below)

    def _add_actions(self) -> None:
        self.start_action = add_action(self, "&Start or resume the sweep", self.start, "Ctrl+Return")
        self.time_action = add_action(self, "Time &one point", self.time_one)
        self.open_action = add_action(self, "Open the chosen point as a &profile", self.open_point)
        self.copy_action = add_action(self, "Copy the sweep as command &line", self.copy_command)
        self.addActions(self.export_button.forms)

    def _listen(self) -> None:
        session = self._session
        self.certainty.finished.connect(self._on_certainty_found)
        self.zipped.toggled.connect(self.axes.zip)
        self.start_button.clicked.connect(self.start)
        self.time_button.clicked.connect(self.time_one)
        self.open_button.clicked.connect(self.open_point)
        self.export_button.file_chosen.connect(self.export)
        self.copy_button.clicked.connect(self.copy_command)
        self.table.doubleClicked.connect(self.open_point)
        self.table.selectionModel().selectionChanged.connect(self.refresh)
        self.model.modelReset.connect(self.table.fit)
        shown = (self.axes.changed, self.where.changed, session.problems_changed, session.document_opened)
        for signal in (*shown, session.chances_changed):
            signal.connect(self.refresh)
        self.axes.changed.connect(self.keep_setup)
        session.vary_asked.connect(self.axes_view.vary)
        session.study_asked.connect(self.take_study)
