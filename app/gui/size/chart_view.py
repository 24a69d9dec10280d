"""The price of certainty, as the report of a sizing draws it."""

from __future__ import annotations

from app.gui.charts.drawn import DrawnChart
from app.gui.size.jobs import Sized
from app.reports.size.size_curves import certainty


class CertaintyChart(DrawnChart):
    """The options of which it is known in how many cases they meet the targets, hidden where there are none."""

    def __init__(self) -> None:
        super().__init__("What certainty costs")
        self.hide()

    def show_options(self, sized: Sized) -> None:
        """Draw the options of a sizing."""
        self.setVisible(bool(sized.weighed))
        if sized.weighed:
            self.show_drawing(certainty(sized.weighed, sized.minimize, sized.unit))
