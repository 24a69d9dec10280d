"""Documented numbers beside simulated ones as a drawing, and what is said of them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import takewhile
from typing import Protocol

from app.reports import words
from app.reports.document import Column, Drawing, Table
from models.values import value

NEAR = 0.10  # what the grey band reaches from the diagonal
NAMED = 3  # points that are named at most
WORTH_NAMING = 0.05  # an error as a fraction
MARGIN, NARROWEST = 1.25, 4.0  # space around the points, and the least ratio of the ends of an axis
DECADES = 2  # up to which an axis has room for more than powers of ten


class Known(Protocol):
    """What is known of an outcome, whoever tells it."""

    @property
    def id(self) -> str:
        """Its family, then the benchmark."""

    @property
    def documented(self) -> float | tuple[float, float]:
        """The documented number, or both ends of a band, in `unit`."""

    @property
    def simulated(self) -> float | None:
        """What the simulation makes of it, None where it has not run."""

    @property
    def unit(self) -> str:
        """The unit of both."""

    @property
    def error(self) -> float | None:
        """The error as a fraction, counted from the nearer edge of a band."""

    @property
    def role(self) -> str:
        """What the outcome is there for."""


@value()
class Agreement:
    """One outcome in a drawing: the fields are those of `Known`; it stands in a `group`."""

    id: str
    documented: float | tuple[float, float]
    simulated: float
    unit: str
    error: float
    role: str
    group: str

    @property
    def edges(self) -> tuple[float, float]:
        """Both ends of what is documented, the same number twice where it is no band."""
        return self.documented if isinstance(self.documented, tuple) else (self.documented, self.documented)

    @property
    def middle(self) -> float:
        """The documented number; of a band the edge from which the error is counted."""
        low, high = self.edges
        return min(max(self.simulated, low), high)

    @property
    def said(self) -> str:
        """What is known of it in words."""
        documented = words.documented(self.documented, self.unit, self.role)
        simulated = f"simulated {words.simulated(self.simulated, self.unit)}"
        return f"{self.id}: documented {documented}, {simulated}: {words.signed_percent(self.error)}"


def agreements(outcomes: Sequence[Known], groups: Sequence[str]) -> list[Agreement]:
    """Return the outcomes that have been simulated, each with the group beside it."""
    return [
        Agreement(it.id, it.documented, it.simulated, it.unit, it.error or 0.0, it.role, group)
        for it, group in zip(outcomes, groups, strict=True)
        if it.simulated is not None
    ]


@value()
class Parity(Drawing):
    """Simulated over documented values on logarithmic axes that are alike: an error is a distance from the diagonal.

    `unit` says so where points have several; the place of a group is the number of its colour. A documented band is a
    bar; its point stands at the edge that the error is counted from.
    """

    unit: str
    points: Sequence[Agreement]
    groups: Sequence[str]

    def table(self) -> Table:
        """Return the outcomes, a row each."""
        columns = (Column("outcome"), Column("documented"), Column("simulated"), Column("error", "change"))
        rows = [
            (
                point.id,
                words.documented(point.documented, point.unit, point.role),
                words.simulated(point.simulated, point.unit),
                point.error,
            )
            for point in self.points
        ]
        return Table(self.name, columns, rows)

    @property
    def axes(self) -> tuple[str, str]:
        """What both axes show."""
        return f"documented ({self.unit})", f"simulated ({self.unit})"

    @property
    def near(self) -> str:
        """What the band around the diagonal shows."""
        return f"error of at most {100 * NEAR:g} %"

    @property
    def errors(self) -> str:
        """The mean and the worst absolute error."""
        errors = [abs(point.error) for point in self.points]
        mean, worst = 100 * sum(errors) / len(errors), 100 * max(errors)
        return f"mean error {mean:.1f} %, worst {worst:.1f} %"

    @property
    def worst(self) -> list[tuple[Agreement, str]]:
        """The worst outcomes, worst first, each with its name within the drawing and its error."""
        listed = sorted(self.points, key=lambda point: (-abs(point.error), point.id))[:NAMED]
        ids = [point.id.split("/") for point in self.points]
        start, end = alike(ids), alike([step[::-1] for step in ids])
        return [
            (point, f"{_within(point.id.split('/'), start, end)} {words.signed_percent(point.error)}")
            for point in listed
            if abs(point.error) >= WORTH_NAMING
        ]

    @property
    def ends(self) -> tuple[float, float]:
        """The ends of both axes."""
        values = [value for point in self.points for value in (point.simulated, *point.edges) if value > 0]
        low, high = (min(values) / MARGIN, max(values) * MARGIN) if values else (1.0, 1.0)
        wider = max(1.0, math.sqrt(NARROWEST * low / high))
        return low / wider, high * wider

    @property
    def steps(self) -> tuple[int, ...]:
        """The first digits of the numbers that its axes have room for."""
        low, high = self.ends
        return (1, 2, 5) if math.log10(high / low) < DECADES else (1,)

    def place(self, point: Agreement) -> tuple[float, float]:
        """Return where a point stands; what is below the axes (nothing at all, say) stands on their edge."""
        lowest = self.ends[0]
        return max(point.middle, lowest), max(point.simulated, lowest)


def alike(paths: Sequence[Sequence[str]]) -> int:
    """Return how many steps all paths begin with; the last one of each is its own."""
    columns = zip(*(path[:-1] for path in paths), strict=False)
    return sum(1 for _ in takewhile(lambda column: len(set(column)) == 1, columns))


def _within(steps: Sequence[str], start: int, end: int) -> str:
    return "/".join(steps[start : len(steps) - end] or steps)
