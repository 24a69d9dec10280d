"""What painters of charts share: how axes are measured, and words beside marks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from app.reports.colours import colour_at
from app.reports.document import Axis, Mark
from app.reports.scales import PERCENTILES, drawn, round_numbers, tick

if TYPE_CHECKING:
    from matplotlib.axes import Axes

LIMIT = "#B00020"
"""Colour of a line that must not be passed."""
ABOVE = 0.05  # of the height of a chart over its highest value
MOST_TICKS = 14  # texts that an axis has room for. Assumption: seen on a page


def measure(axis: Any, measured: Axis) -> None:
    """Name an axis and write its ticks in a unit in which its numbers are short, as the window does."""
    if measured.named:
        step = -(-len(measured.named) // MOST_TICKS)
        axis.set_ticks(list(measured.named)[::step], list(measured.named.values())[::step])
        axis.set_minor_formatter(lambda value, _: "")
    elif measured.is_nines:
        axis.set_ticks(PERCENTILES, [f"{percentile:g}" for percentile in PERCENTILES])
    else:
        _number(axis, measured)
        return
    axis.set_label_text(measured.title)


def _number(axis: Any, measured: Axis) -> None:
    unit, name = drawn(measured.unit, axis.get_data_interval())
    axis.set_label_text(Axis(measured.label, name).title)
    axis.set_major_locator(_locator(unit, measured))
    axis.set_major_formatter(lambda value, _: measured.locale.localized(tick(value / unit)))
    if measured.is_log:
        axis.set_minor_formatter(lambda value, _: "")


def _locator(unit: float, measured: Axis) -> Any:
    """Return what finds places for ticks whose numbers are round in a unit."""
    from matplotlib.ticker import MaxNLocator

    locator: Any = MaxNLocator(5, min_n_ticks=2, integer=measured.is_whole)
    usual = round_numbers if measured.is_log else locator.tick_values
    locator.tick_values = lambda low, high: [unit * place for place in usual(low / unit, high / unit)]
    return locator


def mark(axes: Axes, marks: Sequence[Mark]) -> None:
    """Draw lines across; those of one name and colour are named once."""
    for line in marks:
        colour = LIMIT if line.colour is None else colour_at(line.colour)
        draw = axes.axvline if line.is_upright else axes.axhline
        is_named = any(known.get_label() == line.name and known.get_color() == colour for known in axes.lines)
        draw(line.at, color=colour, linestyle="--", linewidth=0.9, label=None if is_named else line.name)


def say(axes: Axes, x: float, y: float, text: str, side: str) -> None:
    """Write a number beside the end of a bar."""
    gap = 3 if side == "left" else -3  # points
    axes.annotate(
        text, (x, y), (gap, 0), textcoords="offset points", ha=side, va="center", fontsize=7.5, annotation_clip=False
    )
