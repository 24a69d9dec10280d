"""Charts as SVG: the same bytes for the same chart, readable in greyscale, with text that stays text.

Colours are those of Okabe and Ito; each series also has its own marker or shade and its name beside it, so that nothing
depends on colour alone.
"""

from __future__ import annotations

import io
import pickle
import warnings
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from app.reports.document import Bars, Drawing, Lines, Ranges, Waterfall
from app.reports.media import mapped, shown
from app.reports.painting import bars, curves, fields, parity
from app.reports.parity import Parity
from app.reports.pictures import Elevation, Field, HeatMap

if TYPE_CHECKING:
    from matplotlib.axes import Axes

WIDTH = 6.6  # inches: the text width of a page
HEIGHT = 3.2
ROW = 0.32  # inches of a bar with its gap
LINE = 0.42  # inches of a row of a map
TALL = 4.8  # inches that a field has at most
SQUARE = 4.2  # inches of a chart whose axes are alike, with its legend
UNIT = 0.11  # inches of a rack unit
FRAME = 0.9  # inches for axis, ticks and title
KEPT = 64  # charts of a report, so that its second form need not draw them again
STYLE: dict[Any, object] = {
    "svg.fonttype": "none",
    "svg.hashsalt": "headroom",
    "font.family": "DejaVu Sans",
    "font.size": 8.5,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.axisbelow": True,
    "axes.grid": True,
    "text.parse_math": False,  # a "$" in a name is a letter
    "grid.color": "#dddddd",
}


def svg(chart: Drawing) -> str:
    """Return a chart as an SVG element with a viewBox, without an XML header."""
    return _drawn(pickle.dumps(mapped(chart, shown)))


@lru_cache(maxsize=KEPT)
def _drawn(packed: bytes) -> str:
    """Return a chart as SVG; it comes packed, since its lists cannot be looked up."""
    from matplotlib import rc_context  # imported late: it takes half a second
    from matplotlib.figure import Figure

    chart = pickle.loads(packed)
    with rc_context(STYLE):
        figure = Figure(figsize=(WIDTH, _height(chart)), layout="constrained")
        axes = figure.subplots()
        axes.set_title(chart.name, loc="left", fontweight="bold")
        PAINTERS[type(chart)](axes, chart)
        file = io.BytesIO()
        with warnings.catch_warnings():  # fonts lack letters of many scripts, and long names leave little room
            warnings.simplefilter("ignore", UserWarning)
            figure.savefig(file, format="svg", metadata={"Date": None, "Creator": None})
    text = file.getvalue().decode()
    return text[text.index("<svg") :]


def _height(chart: Drawing) -> float:
    if isinstance(chart, Lines):
        return HEIGHT
    if isinstance(chart, Elevation):
        return FRAME + UNIT * max((height for _, height, _ in chart.racks), default=0)
    if isinstance(chart, HeatMap):
        return FRAME + LINE * len(chart.rows) + LINE
    if isinstance(chart, Field):
        return min(FRAME + LINE + LINE * len(chart.rows), TALL)
    if isinstance(chart, Bars):
        return FRAME + ROW * len(chart.labels) * max(len(chart.series) * 0.7, 1)
    if isinstance(chart, Waterfall):
        return FRAME + ROW * len(chart.steps)
    if isinstance(chart, Parity):
        return SQUARE
    return FRAME + ROW * (len(chart.labels) if isinstance(chart, Ranges) else len(chart.table().rows))


def _parity(axes: Axes, chart: Parity) -> None:
    parity.parity(axes, chart)
    parity.explain(axes.figure, chart)


PAINTERS: Mapping[type[Drawing], Callable[[Axes, Any], None]] = {
    Lines: curves.paint,
    Bars: bars.bars,
    Waterfall: bars.waterfall,
    Ranges: bars.ranges,
    Elevation: fields.elevation,
    HeatMap: fields.heat_map,
    Field: fields.field,
    Parity: _parity,
}
"""What paints each kind of drawing."""
