"""Racks, and cells over two axes: in the colour of a name, or of a number."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.reports.colours import colour_at
from app.reports.document import OTHER
from app.reports.painting.common import MOST_TICKS
from app.reports.pictures import Elevation, Field, HeatMap, letter

if TYPE_CHECKING:
    from matplotlib.axes import Axes

RACK_PITCH = 1.25  # widths of a rack from one to the next
LEAST_RACKS = 6  # racks that a page has room for beside each other, so that few are not drawn wide
SHADES = "viridis"
MIDDLE = 0.5  # up to which share of the way from dark to bright letters are white


def elevation(axes: Axes, chart: Elevation) -> None:
    """Draw racks beside each other, their things in the colour of their group and by name."""
    from matplotlib.patches import Patch, Rectangle

    highest = max((height for _, height, _ in chart.racks), default=1)
    owners = chart.owners
    for i, (name, height, slots) in enumerate(chart.racks):
        left = i * RACK_PITCH
        axes.add_patch(Rectangle((left, 0), 1, height, fill=False, edgecolor="#444444", linewidth=1.0))
        for first, units, what, owner in slots:
            place = owners.index(owner)
            corner = left + 0.04, first - 1 + 0.08
            axes.add_patch(Rectangle(corner, 0.92, units - 0.16, linewidth=0, facecolor=colour_at(place)))
            box = {"facecolor": "white", "edgecolor": "none", "pad": 0.4, "alpha": 0.85}
            middle = first - 1 + units / 2
            axes.text(left + 0.5, middle, what, ha="center", va="center_baseline", fontsize=4.6, bbox=box)
        axes.text(left + 0.5, -0.6, name, ha="center", va="top", fontsize=6)
    axes.set_xlim(-0.1, (max(len(chart.racks), LEAST_RACKS) + 1.5) * RACK_PITCH)
    axes.set_ylim(-2.2, highest + 0.5)
    axes.set_yticks(range(6, highest + 1, 6))
    axes.set_ylabel("rack unit")
    axes.set_xticks([])
    axes.grid(visible=False)
    shown = [Patch(facecolor=colour_at(i), label=owner) for i, owner in enumerate(owners)]
    axes.legend(handles=shown, loc="upper right", frameon=False)


def heat_map(axes: Axes, chart: HeatMap) -> None:
    """Draw cells in the colour of their name, with their words; that of the case asked about has a frame."""
    from matplotlib.patches import Patch, Rectangle

    for i, row in enumerate(chart.cells):
        for j, (number, text) in enumerate(row):
            is_asked = (i, j) == chart.asked
            colour, width = ("black", 1.8) if is_asked else ("white", 0.8)
            axes.add_patch(Rectangle((j, i), 1, 1, facecolor=colour_at(number), alpha=0.45, zorder=1 + is_asked))
            axes.add_patch(Rectangle((j, i), 1, 1, fill=False, zorder=2 + is_asked, edgecolor=colour, lw=width))
            lettered = f"{letter(number)} {text}" if number != OTHER else text
            axes.text(j + 0.5, i + 0.5, lettered.replace(", ", "\n", 1), ha="center", va="center", fontsize=7, zorder=4)
    axes.set_xlim(0, len(chart.columns))
    axes.set_ylim(len(chart.rows), 0)
    axes.set_xticks([j + 0.5 for j in range(len(chart.columns))], chart.columns)
    axes.set_yticks([i + 0.5 for i in range(len(chart.rows))], chart.rows)
    axes.set_xlabel(chart.x)
    axes.set_ylabel(chart.y)
    axes.grid(visible=False)
    names = [f"{letter(i)}  {name}" for i, name in enumerate(chart.names)]
    shown = [Patch(facecolor=colour_at(i), alpha=0.45, label=name) for i, name in enumerate(names)]
    axes.figure.legend(handles=shown, loc="outside lower center", ncols=min(len(shown), 2) or 1, frameon=False)


def field(axes: Axes, chart: Field) -> None:
    """Draw cells brighter where they have more, with their numbers where there is room."""
    from matplotlib import colormaps
    from matplotlib.collections import PolyCollection
    from matplotlib.patches import Patch

    shades, texts = colormaps[SHADES], chart.texts()
    known = [(i, j, share) for i, row in enumerate(chart.shares()) for j, share in enumerate(row) if share is not None]
    corners = [[(j, i), (j + 1, i), (j + 1, i + 1), (j, i + 1)] for i, j, _ in known]
    colours = [shades(share) for *_, share in known]
    axes.add_collection(PolyCollection(corners, facecolors=colours, edgecolors=colours, linewidths=0.4))
    for i, j, share in known:
        colour = "white" if share < MIDDLE else "black"
        axes.text(j + 0.5, i + 0.5, texts[i][j], ha="center", va="center", fontsize=7, color=colour)
    axes.set_xlim(0, len(chart.columns))
    axes.set_ylim(0, len(chart.rows))
    for axis, names in ((axes.xaxis, chart.columns), (axes.yaxis, chart.rows)):
        step = -(-len(names) // MOST_TICKS) or 1
        axis.set_ticks([place + 0.5 for place in range(len(names))][::step], list(names)[::step])
    axes.set_xlabel(chart.x)
    axes.set_ylabel(chart.y)
    axes.grid(visible=False)
    handles = [Patch(facecolor=shades(share), label=text) for share, text in zip((0.0, 1.0), chart.key, strict=True)]
    axes.figure.legend(handles=handles, loc="outside lower center", ncols=2, frameon=False)
