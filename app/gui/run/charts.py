"""The chart of the Run page that may have nothing to show: what is left of the nameplate rate."""

from __future__ import annotations

from collections.abc import Sequence

from app.gui.charts.drawn import DrawnChart
from app.reports.run import run_charts


class WaterfallChart(DrawnChart):
    """What is left of the drives' nameplate rate, step by step, down to what the job delivers."""

    def show_steps(self, steps: Sequence[tuple[str, float]], why_none: str = "") -> None:
        """Draw the rates, B/s, that are left after each step; without steps, say why there are none."""
        if steps:
            self.show_drawing(run_charts.waterfall(steps))
        else:
            self.show_words(why_none)
