"""How many workloads fared side by side: a table of all of them, and charts over the time of the run."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtGui import QColor
from PySide6.QtWidgets import QFrame, QGridLayout, QScrollArea, QWidget

from app.gui.charts.drawn import DrawnChart
from app.gui.look import theme
from app.gui.run.workload_charts import UsersChart
from app.gui.session.runs import Run
from app.gui.tables.model import Column
from app.gui.tables.view import TableView
from app.reports import words
from app.reports.run import run_charts
from app.reports.run.workload_series import lanes, loads
from app.reports.run.workloads import workload_cells
from simulator.result import RATE

CHART_HEIGHT = 190
"""Least height of a chart, in logical pixels; below it the page scrolls."""
LONGEST, MARGIN = "10,000", 24  # what the axis on the left of a chart has room for, and pixels for ticks and its name


def _colour(row: int) -> QColor:
    return theme.series_colour(row)


def _times(value: float) -> str:
    return f"{value:.2f} x"


WORKLOADS = (
    Column("workload", is_number=False, mark=_colour, meaning="Its colour is the same in all charts of the run"),
    Column("runs", meaning="How often it ran; a load of requests goes on"),
    Column("together", is_number=False, meaning="Its duration, or its p99 latency, beside the others: the mean run"),
    Column("alone", is_number=False, meaning="The same on the same cluster without the others"),
    Column("slowdown", _times, "How many times longer it takes beside the others"),
    Column("met", words.percent, "Part of its runs, or of its requests, that met all its objectives"),
    Column("limited by", is_number=False, meaning="What held it up longest, with the part of its working time"),
    Column("taken by", is_number=False, meaning="Who used what it waited for, while it ran"),
)


class WorkloadsView(QScrollArea):
    """The table and the charts of a run with many workloads."""

    def __init__(self) -> None:
        super().__init__(widgetResizable=True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setAccessibleName("Workloads")
        self.table = TableView("Workloads", WORKLOADS)
        self.schedule, self.users = DrawnChart("When each workload ran"), UsersChart()
        self.rates, self.tails = DrawnChart("Requests answered a second"), DrawnChart("Latency of requests")
        self.left: tuple[DrawnChart, ...] = (self.schedule, self.users)
        self.right: tuple[DrawnChart, ...] = (self.rates, self.tails)
        self.charts = (*self.left, *self.right)
        inside = QWidget()
        self._grid = QGridLayout(inside)
        self._grid.setContentsMargins(0, 0, 8, 0)
        self._grid.addWidget(self.table, 0, 0, 1, 2)
        for place, chart in enumerate(self.charts):
            chart.setMinimumHeight(CHART_HEIGHT)
            if chart is not self.schedule:
                chart.follow(self.schedule)
            for other in self.charts:
                if other is not chart:
                    chart.link(other)
            self._grid.addWidget(chart, 1 + place % 2, place // 2)
            self._grid.setRowStretch(1 + place % 2, 1)
        self.setWidget(inside)

    def fills(self, run: Run) -> dict[QWidget, Callable[[], None]]:
        """Return what shows a run, part by part."""
        result, whole = run.result, run.ran.utilization
        has_loads = bool(loads(result))
        steps = run_charts.Steps.all_of(result, max((len(load.series[RATE]) for load in loads(result)), default=0))
        for chart in self.right:
            chart.setVisible(has_loads)
        self._grid.setColumnStretch(0, 1)
        self._grid.setColumnStretch(1, int(has_loads))
        self.table.setFixedHeight(self.table.height_of(len(result.workloads)))
        names = [lane.name for lane in lanes(result)]
        for charts, labels in ((self.left, names), (self.right, [LONGEST])):
            width = MARGIN + max(map(self.fontMetrics().horizontalAdvance, labels))
            for drawn in charts:
                drawn.keep_left(width)
        return {
            self.table: lambda: self.table.show_rows([workload_cells(workload) for workload in result.workloads]),
            self.schedule: lambda: self.schedule.show_drawing(run_charts.schedule(result)),
            self.users: lambda: self.users.show_run(result, whole),
            self.rates: lambda: self.rates.show_drawing(run_charts.rates(result, steps)),
            self.tails: lambda: self.tails.show_drawing(run_charts.tails(result, steps)),
        }
