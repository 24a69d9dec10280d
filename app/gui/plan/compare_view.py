"""Step 4: a curve of each candidate over its servers, and cost against what is demanded, with their limits as lines."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QLabel, QPushButton, QSplitter, QTabWidget, QVBoxLayout, QWidget

from app.gui.charts.drawn import DrawnChart
from app.gui.plan.map_view import MapView
from app.gui.session.plan_answer import ShownPlan
from app.reports.plan import plan_curves
from app.reports.scales import axis_of


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
        self.over_servers, self.over_cost = DrawnChart("Over servers"), DrawnChart("Against cost")
        body = QSplitter(Qt.Orientation.Horizontal, childrenCollapsible=False)
        for chart in (self.over_servers, self.over_cost):
            body.addWidget(chart)
        above, layout = QHBoxLayout(), QVBoxLayout(self)
        label = QLabel("Re&quirement")
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
        for named in (self.tabs, self.tabs.tabBar()):
            named.setAccessibleName("Ways to compare")
        self.tabs.addTab(charts, "C&urves")
        self.tabs.addTab(self.map, "What would chan&ge the decision")
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
        known, required = _known(shown), _limits(shown)
        limit, budget = required[index], plan_curves.budget_of(required, shown.unit)
        over_servers = plan_curves.placed(known, limit.words, plan_curves.servers)
        costs = plan_curves.placed(known, limit.words, plan_curves.cost)
        self.over_servers.show_drawing(plan_curves.over_servers(limit, over_servers))
        objective = axis_of(shown.objective, shown.unit)
        self.over_cost.show_drawing(plan_curves.against_cost(limit, costs, objective, budget))


def _known(shown: ShownPlan) -> dict[str, list[plan_curves.Point]]:
    """Return the points of each candidate, in the order of the plan, whose colours they have in step 2."""
    return {
        candidate.name: [plan_curves.Point(point.servers, point.objective, point.values) for point in candidate.points]
        for candidate in sorted(shown.candidates, key=lambda shown_candidate: shown_candidate.number)
    }


def _limits(shown: ShownPlan) -> list[plan_curves.Limit]:
    return [plan_curves.Limit(one.words, one.unit, one.limit, one.is_simulated) for one in shown.limits]


def _telling(shown: ShownPlan) -> int:
    """Return the number of the requirement that tells most."""
    return plan_curves.telling(_limits(shown), _known(shown))
