"""A validation as a picture: simulated over documented values, one panel for the outcomes of a family in one unit.

A panel has groups by the role of its outcomes; the worst points of each are named.
"""

from __future__ import annotations

import io
import math
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from app.reports.charts import STYLE
from app.reports.painting.parity import explain, parity
from app.reports.parity import Parity, agreements, alike
from app.reports.validation.validation_report import ValidationReport
from simulator.studies.validate import OutcomeResult

if TYPE_CHECKING:
    from matplotlib.figure import Figure

COLUMNS = 4
SIDE, WORDS = 2.35, 0.3  # inches: width of a panel with its ticks, and what its title adds to its height
FEW = 3  # outcomes in one unit that are worth a panel; fewer share one with others of their family
LOOK: dict[Any, object] = {**STYLE, "font.family": "sans-serif", "font.size": 7.5}
ROLES = ("predicted", "fitted-to", "answer")
"""What outcomes are there for, in the order of their looks."""


def render(report: ValidationReport) -> str:
    """Return the picture of all outcomes as an SVG file; equal reports give equal bytes."""
    from matplotlib import rc_context  # imported late: it takes half a second

    file = io.BytesIO()
    with rc_context(LOOK):
        draw(panels(report)).savefig(file, format="svg", metadata={"Date": None, "Creator": None})
    return file.getvalue().decode()


def panels(report: ValidationReport) -> list[Parity]:
    """Return the panels in the order of the families, and in each of the units as they come."""
    return [panel for family in report.families for panel in _of_family(family.name, report.numbers(family))]


def draw(shown: Sequence[Parity]) -> Figure:
    """Return the panels as one figure."""
    from matplotlib.figure import Figure

    columns = min(COLUMNS, len(shown)) or 1
    rows = math.ceil(len(shown) / columns) or 1
    figure = Figure(figsize=(SIDE * max(columns, 2), (SIDE + WORDS) * rows + WORDS), layout="constrained")
    for place, panel in enumerate(shown, 1):
        parity(figure.add_subplot(rows, columns, place), panel)
    explain(figure, Parity("", "", (), ROLES))
    return figure


def _of_family(name: str, outcomes: Sequence[OutcomeResult]) -> Iterator[Parity]:
    by_unit: dict[str, list[OutcomeResult]] = {}
    for outcome in outcomes:
        by_unit.setdefault(outcome.unit, []).append(outcome)
    small = [unit for unit, members in by_unit.items() if len(members) < FEW]
    for unit, members in by_unit.items():
        if unit not in small:
            yield _panel(name, [unit], members)
    if small:
        yield _panel(name, small, [outcome for unit in small for outcome in by_unit[unit]])


def _panel(name: str, units: Sequence[str], outcomes: Sequence[OutcomeResult]) -> Parity:
    ids = [outcome.id.split("/") for outcome in outcomes]
    shared = alike([step[::-1] for step in ids])
    title = (name, *ids[0][len(ids[0]) - shared :]) if len(ids) > 1 else ids[0]
    unit = "several units" if len(units) > 1 else "number" if units[0] == "1" else units[0]
    return Parity(" ".join(title), unit, agreements(outcomes, [it.role for it in outcomes]), ROLES)
