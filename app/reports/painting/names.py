"""Names beside the points of a chart, of which those that would lie on others are left out, as in the window."""

from __future__ import annotations

from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.backend_bases import RendererBase
from matplotlib.text import Annotation

from app.reports.document import Series
from app.reports.points import named_points

SMALL = 7.0  # points, of the letters
OVER_CURVES = 3.0  # as matplotlib has all text


class Names(Artist):
    """Names that are drawn where there is room, those of the first curve first; where that is, only drawing tells."""

    def __init__(self) -> None:
        super().__init__()
        self.set_zorder(OVER_CURVES)
        self.set_in_layout(False)  # they stand within the chart
        self.names: list[Annotation] = []

    def add(self, axes: Axes, series: Series) -> None:
        """Take the names of the points of a curve."""
        for place, name, is_right, is_above in named_points(series):
            side, gap = ("left", 3) if is_right else ("right", -3)
            rests, over = ("bottom", 2) if is_above else ("top", -2)
            made = Annotation(name, place, (gap, over), textcoords="offset points", ha=side, va=rests, fontsize=SMALL)
            made.set_figure(axes.figure)
            made.axes = axes
            made.set_transform(axes.transData)
            self.names.append(made)

    def free(self, renderer: RendererBase) -> list[Annotation]:
        """Return the names that lie on no other one that is drawn."""
        drawn: list[Annotation] = []
        for name in self.names:
            box = name.get_window_extent(renderer)
            if not any(box.overlaps(other.get_window_extent(renderer)) for other in drawn):
                drawn.append(name)
        return drawn

    def draw(self, renderer: RendererBase) -> None:
        """Draw the names that there is room for."""
        for name in self.free(renderer):
            name.draw(renderer)
