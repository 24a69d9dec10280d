"""Run: the answer first, then what it rests on. The estimate follows each keystroke, Ctrl+R simulates."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QTimer
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QGridLayout, QScrollArea, QTabWidget, QVBoxLayout, QWidget

from app.gui.charts.drawn import DrawnChart
from app.gui.look.curtain import Curtain, Veil
from app.gui.look.words import sentence
from app.gui.page import Page
from app.gui.playback.view import PlaybackView
from app.gui.run.answer_view import DOCUMENTED, AnswerView
from app.gui.run.assumptions_view import AssumptionsView
from app.gui.run.charts import WaterfallChart
from app.gui.run.workloads_view import WorkloadsView
from app.gui.session.runs import Run
from app.gui.session.session import Session
from app.gui.studies.widgets import LONG, TICK, Progress, so_far
from app.gui.tables.model import Column
from app.gui.tables.view import TableView
from app.reports import words
from app.reports.document import Lines
from app.reports.run import run_charts
from models.units import format
from simulator.result import Result

CHART_HEIGHT = 230
"""Least height of a chart, in logical pixels; below it the page scrolls."""


def _bytes(value: float) -> str:
    return format(value, "B", 3)


RESOURCES = (
    Column("resources", is_number=False, meaning="Like resources, taken together"),
    Column("count", meaning="How many there are"),
    Column("mean", words.percent, "Utilization over the whole run"),
    Column("peak", words.percent, "Highest utilization of the group in any bin"),
    Column("moved", _bytes, "Bytes that went through them"),
    Column("least time", words.seconds, "The time that they would need for their share of the run if they were alone"),
)
STAGES = (
    Column("stage", is_number=False),
    Column("tasks"),
    Column("start", words.seconds),
    Column("end", words.seconds),
    Column("duration", words.seconds),
    Column("limited by", is_number=False, meaning="What delayed its tasks for most of their working time"),
)
REQUESTS = (
    Column(
        "requests",
        is_number=False,
        meaning="Requests of one kind, on the healthy store or in a state of a degraded one",
    ),
    *(
        Column(name, is_number=False, meaning=meaning)
        for name, meaning in (
            ("a second", "Their rate, with half the width of its 95 % interval"),
            ("throughput", "Bytes a second that they move"),
            *((name, "Latency below which this percentage of them stays") for name in ("p50", "p90", "p99", "p99.9")),
            ("first byte", "Median time to the first byte"),
        )
    ),
)
METRICS = (
    Column("measure", is_number=False),
    Column("value", is_number=False),
    Column("better", is_number=False, meaning="Whether more of it is better"),
)
OUTCOMES = (
    Column("what", is_number=False),
    Column("documented, and how far the simulation is from it", is_number=False),
)


class RunPage(Page):
    """Estimate, answer, charts and tables of the last run.

    When a run ends, what is in sight is filled from above, a part at each turn of the event loop, so that the window
    answers in between; what a tab or another page hides is filled when it is shown.
    """

    title = "Run"

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self.answer = AnswerView(session)
        self.progress = Progress()
        self.stages, self.utilization = DrawnChart("Stages and what limits them"), DrawnChart("Utilization over time")
        self.waterfall, self.latency = (
            WaterfallChart("From nameplate to delivered"),
            DrawnChart("Requests done in time"),
        )
        self.stages.link(self.utilization)
        self.utilization.link(self.stages)
        self.resources = TableView("Resources", RESOURCES)
        self.stage_table = TableView("Stages", STAGES)
        self.metrics = TableView("Measures", METRICS)
        self.documented = TableView("Documented", OUTCOMES)
        self.requests = TableView("Requests", REQUESTS)
        self.assumptions = AssumptionsView()
        self.playback, self.workloads = PlaybackView(session), WorkloadsView()
        self._fills: dict[QWidget, Callable[[], None]] = {}
        self._curtains: dict[QWidget, Curtain] = {}
        self._turn = QTimer(self, singleShot=True, interval=0)
        self._turn.timeout.connect(self._fill_next)
        self._fraction, self._ticks = 0.0, QTimer(self, interval=TICK)
        self._ticks.timeout.connect(self._on_tick)
        self.views = QTabWidget(documentMode=True)
        self.views.setAccessibleName("Views of the run")
        self.views.tabBar().setAccessibleName("Views of the run")
        self.views.addTab(self.workloads, "&Workloads")
        self.body = self._body()
        self.views.addTab(self.body, "&Charts and tables")
        self.views.addTab(self.playback, "&Playback")
        self.views.setTabVisible(0, False)
        self.views.setCurrentWidget(self.body)
        self.views.currentChanged.connect(self._turn.start)
        self.tables.currentChanged.connect(lambda index: self._fill(self.tables.widget(index)))
        layout = QVBoxLayout(self)
        layout.addWidget(self.answer)
        layout.addWidget(self.progress)
        layout.addWidget(self.views, 1)
        session.run_started.connect(self._on_run_started)
        session.run_progressed.connect(self._on_run_progressed)
        session.run_finished.connect(self._on_run_finished)
        session.run_failed.connect(self._on_run_failed)
        session.run_cancelled.connect(self.progress.hide)
        session.estimate_changed.connect(self._tell_age)
        session.certainties.found.connect(self._on_certainty_found)
        session.playback_asked.connect(self.show_playback)
        self.assumptions.asked.connect(self._ask_for_parts)
        self._veil, self._cover = Veil(self.views), Curtain(self.views)
        self.views.setVisible(session.last_run is not None)
        if session.last_run is not None:
            self._on_run_finished(session.last_run)
        if session.is_running:
            self._on_run_started()

    def show_playback(self) -> None:
        """Show the last run over its time."""
        self.views.setCurrentWidget(self.playback)
        self.playback.scrubber.setFocus()

    def _body(self) -> QScrollArea:
        inside = QWidget()
        self._grid = QGridLayout(inside)
        self._grid.setContentsMargins(0, 0, 8, 0)
        self.tables = tables = QTabWidget()
        tables.tabBar().setAccessibleName("Tables of the run")
        for table in (self.resources, self.stage_table, self.requests, self.metrics, self.documented, self.assumptions):
            tables.addTab(table, table.accessibleName())
        self._parts: tuple[QWidget, ...] = (self.stages, self.latency, self.utilization, self.waterfall, tables)
        self._arranged: Sequence[QWidget] = ()
        for part in self._parts:
            part.setMinimumHeight(CHART_HEIGHT)
        self._arrange(self._parts)
        scroll = QScrollArea(widgetResizable=True)
        scroll.setFrameShape(QScrollArea.Shape.NoFrame)
        scroll.setAccessibleName("Charts and tables")
        scroll.setWidget(inside)
        return scroll

    def _arrange(self, shown: Sequence[QWidget]) -> None:
        """Lay charts and tables out in two columns, the last one over both where their number is odd."""
        if shown == self._arranged:
            return
        self._arranged = shown
        for part in self._parts:
            self._grid.removeWidget(part)
        for place, part in enumerate(shown):
            is_alone = place == len(shown) - 1 and place % 2 == 0
            self._grid.addWidget(part, place // 2, place % 2, 1, 2 if is_alone else 1)
        for part in self._parts:  # they are inside of the page by now: none becomes a window of its own
            part.setVisible(part in shown)
        for row in range((len(self._parts) + 1) // 2):
            self._grid.setRowStretch(row, 1 if 2 * row < len(shown) else 0)
        for column in (0, 1):
            self._grid.setColumnStretch(column, 1)

    def _on_run_started(self) -> None:
        self.progress.begin("starting")
        self._fraction = 0.0
        self._ticks.start()

    def _on_run_progressed(self, fraction: float, passed: float) -> None:
        """Tell how far a run is and how long it takes; what is left does not follow, as the rest may be much slower."""
        self._fraction = fraction
        self.progress.reach(fraction, f"{words.percent(fraction)}{so_far(passed)} – Esc cancels")

    def _on_tick(self) -> None:
        if not self._session.is_running:
            self._ticks.stop()
        elif self._session.passed >= LONG:
            self._on_run_progressed(self._fraction, self._session.passed)

    def _on_run_failed(self, reason: str) -> None:
        self.progress.hide()
        self.answer.say_failed(sentence(reason))

    def _on_run_finished(self, run: Run) -> None:
        result = run.result
        self.progress.hide()
        self._fills = self._charts_of(run) | self._tables_of(run)
        if result.workloads:
            self._fills |= self.workloads.fills(run)
        self._show_workloads(has_many=bool(result.workloads))
        for part in self._fills:
            self._curtain(part).fall()
        self.answer.refresh()
        self._tell_age()
        is_drawn = {
            self.stages: len(result.stages) > 1 or (bool(result.stages) and not result.requests),
            self.latency: bool(result.requests),
            self.utilization: bool(run.ran.utilization),
            self.waterfall: bool(result.stages),
            self.tables: True,
        }
        self._arrange([part for part in self._parts if is_drawn[part]])
        self.tables.setTabVisible(self.tables.indexOf(self.requests), bool(run.ran.requests))
        self._on_certainty_found()
        self.tables.setCurrentWidget(self.resources if run.ran.utilization else self.metrics)
        self.views.show()
        self._turn.start()

    def _tell_age(self) -> None:
        """Dim charts and tables with the answer: they are of the same run."""
        if self.answer.is_old:
            self._veil.fall()
            self._cover.raise_()
        else:
            self._veil.hide()

    def _on_certainty_found(self) -> None:
        """Show what the last run assumes."""
        run = self._session.last_run
        sure = self._session.certainties.of(run) if run else None
        self.assumptions.show_certainty(sure)
        self.tables.setTabVisible(self.tables.indexOf(self.assumptions), bool(sure and sure.ledger))

    def _ask_for_parts(self) -> None:
        if self._session.last_run is not None:
            self._session.certainties.ask(self._session.last_run, "full")

    def _show_workloads(self, *, has_many: bool) -> None:
        """Offer the view of many workloads where there are any; it is shown first."""
        place = self.views.indexOf(self.workloads)
        if has_many != self.views.isTabVisible(place):
            self.views.setTabVisible(place, has_many)
            if has_many or self.views.currentIndex() == place:
                self.views.setCurrentWidget(self.workloads if has_many else self.body)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._cover.fall()  # the answer is drawn first: what else the page shows takes as long again
        self._turn.start()

    @property
    def is_filled(self) -> bool:
        """Whether all that is in sight shows the last run."""
        return not any(part.isVisible() for part in self._fills)

    def _fill_next(self) -> None:
        """Draw what the page shows, or fill the first part in sight, and then let the window do something else."""
        if not self._cover.isHidden():
            self._cover.hide()
            self._turn.start()
            return
        part = next((fill for fill in self._fills if fill.isVisible()), None)
        if part is not None:
            if not (isinstance(part, DrawnChart) and part.prepare()):
                self._fill(part)
            self._turn.start()

    def _fill(self, part: QWidget | None) -> None:
        if part is not None and part in self._fills:
            self._fills.pop(part)()
            self._curtain(part).hide()

    def _curtain(self, part: QWidget) -> Curtain:
        if part not in self._curtains:
            self._curtains[part] = Curtain(part)
        return self._curtains[part]

    def _charts_of(self, run: Run) -> dict[QWidget, Callable[[], None]]:
        result, ran = run.result, run.ran
        return {
            self.stages: lambda: self.stages.show_drawing(run_charts.stages(result)),
            self.latency: lambda: self.latency.show_drawing(run_charts.latencies(result)),
            self.utilization: lambda: self.utilization.show_drawing(_utilization(run)),
            self.waterfall: lambda: self.waterfall.show_steps(ran.waterfall, ran.no_waterfall),
        }

    def _tables_of(self, run: Run) -> dict[QWidget, Callable[[], None]]:
        result, ran = run.result, run.ran
        return {
            self.resources: lambda: self.resources.show_rows(_resource_rows(result)),
            self.stage_table: lambda: self.stage_table.show_rows(_stage_rows(result)),
            self.requests: lambda: self.requests.show_rows(ran.requests),
            self.metrics: lambda: self.metrics.show_rows(_metric_rows(run)),
            self.documented: lambda: self.documented.show_rows([row for row in ran.answer if row[0] in DOCUMENTED]),
        }


def _utilization(run: Run) -> Lines:
    whole = dict(run.ran.utilization)
    steps = run_charts.Steps.all_of(run.result, max(map(len, whole.values()), default=0))
    return run_charts.utilization(run.result, whole, steps)


def _resource_rows(result: Result) -> list[tuple[object, ...]]:
    used = [group for group in result.groups if group.utilization_peak or group.bytes]
    return [
        (g.group, g.count, g.utilization_mean, g.utilization_peak, g.bytes or None, g.bound)
        for g in sorted(used, key=lambda g: -g.utilization_mean)
    ]


def _stage_rows(result: Result) -> list[tuple[object, ...]]:
    return [
        (s.name, s.tasks, s.start, s.end, s.end - s.start, s.bottleneck.resource if s.bottleneck else "–")
        for s in result.stages
    ]


def _metric_rows(run: Run) -> list[tuple[object, ...]]:
    return [
        (name.replace("_", " "), words.declared(value, unit), "more" if is_more_better else "less")
        for name, (value, unit, is_more_better) in run.ran.measures.items()
    ]
