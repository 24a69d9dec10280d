"""Step 4: a curve of each candidate over its servers, and cost against what is demanded, with their limits as lines."""

from __future__ import annotations

from collections.abc import Sequence

import pyqtgraph as pg
from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QLabel, QPushButton, QSplitter, QTabWidget, QVBoxLayout, QWidget

from app.gui.charts.chart import Chart, legend
from app.gui.look import theme
from app.gui.plan.map_view import MapView
from app.gui.session.plan_answer import ShownCandidate, ShownLimit, ShownPlan
from app.reports import words
from models.units import CURRENCIES

PETABYTE = 1e15  # bytes
LINE = 2  # logical pixels
ROOM = 0.04  # part of an axis that is free beyond what it shows
CURVE = 2  # points of a curve at least


class CompareView(QWidget):
    """Two linked charts of one requirement; `further_asked`: somebody wants more points of the curves."""

    further_asked = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setAccessibleName("Compare")
        self._shown: ShownPlan | None = None
        self.measure = QComboBox()
        self.measure.setAccessibleName("Requirement of the charts")
        self.measure.currentIndexChanged.connect(self._draw)
        self.further_button = QPushButton("Simulate further &points")
        self.further_button.setToolTip("Simulate each candidate with some numbers of servers, the fewest to the most")
        self.further_button.clicked.connect(self.further_asked)
        self.over_servers, self.over_cost = Chart("Over servers", "servers"), Chart("Against cost", "")
        body = QSplitter(Qt.Orientation.Horizontal, childrenCollapsible=False)
        for chart in (self.over_servers, self.over_cost):
            chart.legend.show()
            body.addWidget(chart)
        above, layout = QHBoxLayout(), QVBoxLayout(self)
        label = QLabel("Requiremen&t")
        label.setBuddy(self.measure)
        above.addWidget(label)
        above.addWidget(self.measure, 1)
        above.addWidget(self.further_button)
        layout.setContentsMargins(0, 0, 0, 0)
        charts, self.map = QWidget(), MapView()
        inside = QVBoxLayout(charts)
        inside.addLayout(above)
        inside.addWidget(body, 1)
        self.tabs = QTabWidget()
        self.tabs.setAccessibleName("Ways to compare")
        self.tabs.addTab(charts, "C&urves")
        self.tabs.addTab(self.map, "What &would change the decision")
        layout.addWidget(self.tabs)

    def show_answer(self, shown: ShownPlan | None) -> None:
        """Show an answer: what runs tell of most options first, where they tell of a candidate's curve."""
        self._shown = shown
        self.map.show_answer(shown)
        self.measure.blockSignals(True)
        self.measure.clear()
        for limit in shown.limits if shown else ():
            self.measure.addItem(limit.words)
        self.measure.setCurrentIndex(_telling(shown) if shown else 0)
        self.measure.blockSignals(False)
        self._draw()

    def show_points(self, shown: ShownPlan | None) -> None:
        """Show the same answer with further points: of what was simulated, where something else was looked at."""
        self._shown = shown
        if shown is not None and not shown.limits[max(self.measure.currentIndex(), 0)].is_simulated:
            self.measure.setCurrentIndex(_telling(shown))
        self._draw()

    def _draw(self) -> None:
        shown, index = self._shown, self.measure.currentIndex()
        if shown is None or not 0 <= index < len(shown.limits):
            return
        limit = shown.limits[index]
        factor, unit = _scale(limit.unit, limit.limit)
        budget = next(
            (
                shown_limit
                for shown_limit in shown.limits
                if shown_limit.unit == shown.unit and shown_limit.unit in CURRENCIES
            ),
            None,
        )
        money, currency = _scale(shown.unit, max((p.objective for c in shown.candidates for p in c.points), default=1))
        named = f"{limit.words} ({unit})" if unit else limit.words
        self.over_servers.name(f"{limit.words}, over servers", "servers")
        self.over_cost.name(f"{limit.words}, against {shown.objective}", f"{shown.objective} ({currency})")
        for chart in (self.over_servers, self.over_cost):
            chart.label("left", named)
        self.over_servers.draw(lambda: self._curves(self.over_servers, shown, limit, factor, None))
        self.over_cost.draw(lambda: self._curves(self.over_cost, shown, limit, factor, money))
        if budget is not None:
            self.over_cost.plot.addItem(_line(budget.limit * money, 90, "budget"), ignoreBounds=False)

    def _curves(self, chart: Chart, shown: ShownPlan, limit: ShownLimit, factor: float, money: float | None) -> None:
        """Draw a curve for each candidate, over its servers or, where `money` scales it, over what it costs."""
        labels = []
        for index, candidate in enumerate(sorted(shown.candidates, key=lambda shown_candidate: shown_candidate.name)):
            places = _places(candidate, limit.words, money)
            colour = theme.series_colour(index)
            chart.plot.addItem(
                pg.PlotDataItem(
                    [x for x, _ in places],
                    [y * factor for _, y in places],
                    pen=pg.mkPen(colour, width=LINE, style=theme.STYLES[index % len(theme.STYLES)]),
                    symbol=theme.SYMBOLS[index % len(theme.SYMBOLS)],
                    symbolBrush=colour,
                    symbolPen=colour,
                    symbolSize=7,
                    name=candidate.name,
                )
            )
            labels.append((candidate.name, colour, theme.series_mark(index)))
        chart.plot.addItem(_line(limit.limit * factor, 0, "limit"), ignoreBounds=False)
        points = [point for candidate in shown.candidates for point in candidate.points]
        most = max((point.servers if money is None else point.objective * money for point in points), default=1.0)
        heights = [point.values[limit.words] * factor for point in points if limit.words in point.values]
        chart.plot.setRange(xRange=(0, most), yRange=(0, max([limit.limit * factor, *heights])), padding=ROOM)
        chart.legend.setText(
            legend([(name, colour, "") for name, colour, _ in labels], [mark for *_, mark in labels], is_linked=True)
        )


def _telling(shown: ShownPlan) -> int:
    """Return the number of the requirement that tells most: a simulated one with a curve, else that of most points."""
    curves = (i for i, limit in enumerate(shown.limits) if limit.is_simulated and _longest(shown, limit.words) >= CURVE)
    known = [_points_of(shown, limit.words) for limit in shown.limits]
    return next(curves, known.index(max(known)) if known else 0)


def _points_of(shown: ShownPlan, words: str) -> int:
    """Return of how many options a requirement is known."""
    return sum(words in point.values for candidate in shown.candidates for point in candidate.points)


def _longest(shown: ShownPlan, words: str) -> int:
    """Return of how many options of one candidate a requirement is known at most."""
    return max((sum(words in point.values for point in one.points) for one in shown.candidates), default=0)


def _places(candidate: ShownCandidate, of: str, money: float | None) -> Sequence[tuple[float, float]]:
    points = [point for point in candidate.points if of in point.values]
    if money is None:
        return sorted((point.servers, point.values[of]) for point in points)
    return sorted((point.objective * money, point.values[of]) for point in points)


def _scale(unit: str, value: float) -> tuple[float, str]:
    """Return what a value in a unit is multiplied by to be read, and the unit that it has then."""
    if unit == "s":
        seconds, name = words.time_unit(value)
        return 1 / seconds, name
    if unit == "B":
        return (1e-15, "PB") if value >= PETABYTE else (1e-12, "TB")
    if unit in CURRENCIES:
        return 1e-6, f"million {unit}"
    return (1.0, "" if unit == "1" else unit)


def _line(at: float, angle: int, text: str) -> pg.InfiniteLine:
    colour = QColor(theme.current().error)
    options = {"position": 0.9, "color": colour, "movable": False}
    pen = pg.mkPen(colour, width=1, style=Qt.PenStyle.DashLine)
    return pg.InfiniteLine(at, angle=angle, pen=pen, label=text, labelOpts=options)
