"""A validation as a picture: simulated over documented values, one panel for the outcomes of a family in one unit.

Both axes are logarithmic and alike, so that every error is a distance from the diagonal; the band is +-10 %. The worst
points of a panel are named. A documented band is a bar; its point stands at the edge that the error is counted from.
"""

from __future__ import annotations

import io
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import takewhile
from typing import TYPE_CHECKING, Any, NamedTuple

from app.reports import words
from app.reports.charts import STYLE
from app.reports.colours import COLOURS
from app.reports.validation.validation_report import ValidationReport
from simulator.studies.validate import OutcomeResult

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

COLUMNS = 4
SIDE, WORDS = 2.35, 0.3  # inches: width of a panel with its ticks, and what its title adds to its height
BAND = 0.10  # what the grey band reaches from the diagonal
NAMED = 3  # points of a panel that are named at most
WORTH_NAMING = 0.05  # an error as a fraction
FEW = 3  # outcomes in one unit that are worth a panel; fewer share one with others of their family
MARGIN, NARROWEST = 1.25, 4.0  # space around the points, and the least ratio of the ends of an axis
LOOK: dict[Any, object] = {**STYLE, "font.family": "sans-serif", "font.size": 7.5}
GREY, DARK = "#e3e3e3", "#777777"
SMALL = 6.8  # points, of the letters in a panel
LETTER, LINE, EDGE = 0.03, 0.085, 0.03  # width and height of such letters, and their distance from the edge, in panels
POINT: dict[str, Any] = {"markersize": 4, "markeredgewidth": 0.9}
ROLES: dict[str, dict[str, Any]] = {  # filled, open and pointed, so that they differ without colour
    "predicted": {"marker": "o", "color": COLOURS[0]},
    "fitted-to": {"marker": "D", "color": COLOURS[5], "markerfacecolor": "white"},
    "answer": {"marker": "^", "color": COLOURS[2]},
}


@dataclass(frozen=True, slots=True)
class Panel:
    """Outcomes that share axes; `unit` says so where a panel mixes several."""

    title: str
    unit: str
    outcomes: tuple[OutcomeResult, ...]

    @property
    def errors(self) -> str:
        """The mean and the worst absolute error."""
        errors = [abs(outcome.error) for outcome in self.outcomes]
        mean, worst = 100 * sum(errors) / len(errors), 100 * max(errors)
        return f"mean error {mean:.1f} %, worst {worst:.1f} %"

    @property
    def named(self) -> list[tuple[OutcomeResult, str]]:
        """The worst outcomes, worst first, each with its name within the panel and its error."""
        worst = sorted(self.outcomes, key=lambda outcome: (-abs(outcome.error), outcome.id))[:NAMED]
        ids = [outcome.id.split("/") for outcome in self.outcomes]
        start, end = _alike(ids), _alike([step[::-1] for step in ids])
        return [
            (outcome, f"{_within(outcome.id.split('/'), start, end)} {words.signed_percent(outcome.error)}")
            for outcome in worst
            if abs(outcome.error) >= WORTH_NAMING
        ]

    @property
    def ends(self) -> tuple[float, float]:
        """The ends of both axes."""
        values = [value for outcome in self.outcomes for value in (outcome.simulated, *_edges(outcome)) if value > 0]
        low, high = (min(values) / MARGIN, max(values) * MARGIN) if values else (1.0, 1.0)
        wider = max(1.0, math.sqrt(NARROWEST * low / high))
        return low / wider, high * wider


def render(report: ValidationReport) -> str:
    """Return the picture of all outcomes as an SVG file; equal reports give equal bytes."""
    from matplotlib import rc_context  # imported late: it takes half a second

    file = io.BytesIO()
    with rc_context(LOOK):
        draw(panels(report)).savefig(file, format="svg", metadata={"Date": None, "Creator": None})
    return file.getvalue().decode()


def panels(report: ValidationReport) -> list[Panel]:
    """Return the panels in the order of the families, and in each of the units as they come."""
    return [panel for family in report.families for panel in _of_family(family.name, report.numbers(family))]


def draw(shown: Sequence[Panel]) -> Figure:
    """Return the panels as one figure."""
    from matplotlib.figure import Figure

    columns = min(COLUMNS, len(shown)) or 1
    rows = math.ceil(len(shown) / columns) or 1
    figure = Figure(figsize=(SIDE * max(columns, 2), (SIDE + WORDS) * rows + WORDS), layout="constrained")
    for place, panel in enumerate(shown, 1):
        _draw(figure.add_subplot(rows, columns, place), panel)
    _explain(figure)
    return figure


def _of_family(name: str, outcomes: Sequence[OutcomeResult]) -> Iterator[Panel]:
    by_unit: dict[str, list[OutcomeResult]] = {}
    for outcome in outcomes:
        by_unit.setdefault(outcome.unit, []).append(outcome)
    small = [unit for unit, members in by_unit.items() if len(members) < FEW]
    for unit, members in by_unit.items():
        if unit not in small:
            yield _panel(name, [unit], members)
    if small:
        yield _panel(name, small, [outcome for unit in small for outcome in by_unit[unit]])


def _panel(name: str, units: Sequence[str], outcomes: Sequence[OutcomeResult]) -> Panel:
    ids = [outcome.id.split("/") for outcome in outcomes]
    shared = _alike([step[::-1] for step in ids])
    title = (name, *ids[0][len(ids[0]) - shared :]) if len(ids) > 1 else ids[0]
    unit = "several units" if len(units) > 1 else "number" if units[0] == "1" else units[0]
    return Panel(" ".join(title), unit, tuple(outcomes))


def _alike(paths: Sequence[Sequence[str]]) -> int:
    """Return how many steps all paths begin with; the last one of each is its own."""
    columns = zip(*(path[:-1] for path in paths), strict=False)
    return sum(1 for _ in takewhile(lambda column: len(set(column)) == 1, columns))


def _within(steps: Sequence[str], start: int, end: int) -> str:
    return "/".join(steps[start : len(steps) - end] or steps)


def _edges(outcome: OutcomeResult) -> tuple[float, float]:
    value = outcome.documented
    return value if isinstance(value, tuple) else (value, value)


def _place(outcome: OutcomeResult, lowest: float) -> tuple[float, float]:
    """Return a point; what is below the axes (nothing at all, say) stands on their edge."""
    low, high = _edges(outcome)
    return max(min(max(outcome.simulated, low), high), lowest), max(outcome.simulated, lowest)


def _draw(axes: Axes, panel: Panel) -> None:
    low, high = panel.ends
    below, above = ([end * factor for end in (low, high)] for factor in (1 - BAND, 1 + BAND))
    axes.fill_between((low, high), below, above, color=GREY)
    axes.plot((low, high), (low, high), color=DARK, linewidth=0.8)
    for outcome in panel.outcomes:
        if isinstance(outcome.documented, tuple):
            axes.plot(outcome.documented, (outcome.simulated,) * 2, color=DARK, linewidth=1.4)
    for role, look in ROLES.items():
        points = [_place(outcome, low) for outcome in panel.outcomes if outcome.role == role]
        axes.plot([x for x, _ in points], [y for _, y in points], linestyle="none", **POINT, **look)
    axes.set(xscale="log", yscale="log", xlim=(low, high), ylim=(low, high), aspect="equal")
    _measure(axes, panel)
    _name(axes, panel)


def _measure(axes: Axes, panel: Panel) -> None:
    """Write title, units and ticks."""
    from matplotlib.ticker import LogLocator, NullLocator

    axes.set_title(panel.title, loc="left", fontweight="bold", pad=13)
    axes.text(0.0, 1.02, panel.errors, transform=axes.transAxes, va="bottom", fontsize=SMALL)
    axes.set_xlabel(f"documented ({panel.unit})", labelpad=1)
    axes.set_ylabel(f"simulated ({panel.unit})", labelpad=1)
    decades = math.log10(panel.ends[1] / panel.ends[0])
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_major_locator(LogLocator(subs=(1, 2, 5) if decades < 2 else (1,), numticks=12))
        axis.set_minor_locator(NullLocator())
        axis.set_major_formatter(lambda value, _: f"{value:.6g}" if value < 1e4 else f"{value / 1e3:.6g}k")


def _name(axes: Axes, panel: Panel) -> None:
    """Write names beside the diagonal, those of points above it on its left, with a line to each."""
    above = [pair for pair in panel.named if pair[0].error > 0]
    below = [pair for pair in panel.named if pair[0].error < 0]
    for named, is_above in ((above, True), (below, False)):
        spots = [(_spot(outcome, panel.ends, is_above), outcome, text) for outcome, text in named]
        labels, taken = [], 0.0
        for (x, y), outcome, text in sorted(spots, key=lambda spot: spot[0][1]):
            width = LETTER * len(text)
            taken = min(max(taken + LINE, width + 0.1, y + LINE), 0.94)
            labels.append((text, outcome, _Label(taken, min(max((x - EDGE) / width, 0.0), 1.0), is_above)))
        for text, outcome, label in reversed(labels):  # the lines of the outer ones pass behind the others
            _write(axes, text, _place(outcome, panel.ends[0]), label)


class _Label(NamedTuple):
    """Where a name stands: `height` above the lower (from the upper) edge, its line starts at `start` of its width."""

    height: float
    start: float
    is_above: bool


def _spot(outcome: OutcomeResult, ends: tuple[float, float], is_above: bool) -> tuple[float, float]:
    """Return a point in fractions of the panel, counted from the corner that the names are near to."""
    low, high = (math.log(end) for end in ends)
    x, y = ((math.log(value) - low) / (high - low) for value in _place(outcome, ends[0]))
    return (x, y) if is_above else (1 - x, 1 - y)


def _write(axes: Axes, text: str, point: tuple[float, float], label: _Label) -> None:
    at, start = (EDGE, label.height), (label.start, 0.5 if label.start == 1 else 0.0)
    if not label.is_above:
        at, start = (1 - at[0], 1 - at[1]), (1 - start[0], 1 - start[1])
    line = {"arrowstyle": "-", "color": DARK, "linewidth": 0.6, "relpos": start, "shrinkA": 1, "shrinkB": 2}
    axes.annotate(
        text,
        point,
        at,
        textcoords="axes fraction",
        ha="left" if label.is_above else "right",
        va="center",
        fontsize=SMALL,
        arrowprops=line,
        bbox={"facecolor": "white", "edgecolor": "none", "pad": 0.5},
    )


def _explain(figure: Figure) -> None:
    from matplotlib.lines import Line2D
    from matplotlib.patches import Patch

    marks = [Line2D([], [], linestyle="none", label=role, **POINT, **look) for role, look in ROLES.items()]
    bar = Line2D([], [], color=DARK, linewidth=1.4, label="documented band")
    near = Patch(color=GREY, label=f"error of at most {100 * BAND:g} %")
    figure.legend(handles=[*marks, bar, near], loc="outside lower center", ncols=5, frameon=False)
