"""What the charts of a sweep draw, as numbers: curves over a key, a field over two, cost against what leads. No Qt."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from app.gui.sweep.jobs import SweptPoint, VariedKey
from app.reports.scales import drawn

COSTS = ("cost_per_job", "cost_over_", "cost_per_year")
"""How the names of costs begin, the one to be drawn first."""
"""Measures that a front weighs against what leads; the first that is there."""
MOST_CURVES = 6
"""Curves that one can tell apart: as many as there are colours."""
LOGARITHMIC = 50.0  # Assumption: the ratio of last to first from which on a logarithmic axis shows more

Place = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Curve:
    """Points (x, y) of one name, by x; `band` has (x, low, high) where it is known between what they lie."""

    name: str
    points: tuple[Place, ...]
    band: tuple[tuple[float, float, float], ...] = ()

    def divided(self, by: float) -> Curve:
        """Return the curve in a unit that is `by` times as large."""
        points = tuple((x, y / by) for x, y in self.points)
        return Curve(self.name, points, tuple((x, low / by, high / by) for x, low, high in self.band))


@dataclass(frozen=True, slots=True)
class Field:
    """A value for each pair of two keys' values: `cells[i][j]` at the j-th of x and the i-th of y, None for none."""

    x: VariedKey
    y: VariedKey
    cells: tuple[tuple[float | None, ...], ...]


@dataclass(frozen=True, slots=True)
class Front:
    """What leads against a cost: those to which no other is both better and cheaper, named; the others."""

    leading: str
    measure: str
    others: tuple[Place, ...]
    front: tuple[Place, ...]
    names: tuple[str, ...]

    def readable(self, x: str, y: str) -> tuple[Front, str, str]:
        """Return the places in units in which they are read instead of x and y, and the names of these."""
        places = (*self.others, *self.front)
        (across, x), (up, y) = drawn(x, [x for x, _ in places]), drawn(y, [y for _, y in places])
        others, best = (tuple((x / across, y / up) for x, y in spots) for spots in (self.others, self.front))
        return replace(self, others=others, front=best), x, y


def value_of(point: SweptPoint, measure: str) -> float | None:
    """Return a measure of a point, None where it has none."""
    return point.measures[measure][0] if measure in point.measures else None


def numeric(keys: Sequence[VariedKey]) -> list[int]:
    """Return the places of the keys whose values are numbers."""
    return [i for i, key in enumerate(keys) if key.numbers]


def curves(
    keys: Sequence[VariedKey], points: Sequence[SweptPoint], measure: str, *, is_leading: bool = False
) -> list[Curve]:
    """Return a measure over the first key of numbers: a curve for each combination of the others, the first few.

    What is known of how sure points are is known of the measure that leads.
    """
    along, *_ = numeric(keys)
    places = dict(zip(keys[along].values, keys[along].numbers, strict=True))
    by_others: dict[tuple[str, ...], list[Place]] = {}
    bands: dict[tuple[str, ...], list[tuple[float, float, float]]] = {}
    for point in points:
        value = value_of(point, measure)
        if value is not None:
            others = tuple(text for i, (_, text) in enumerate(point.values) if i != along)
            x = places[point.values[along][1]]
            by_others.setdefault(others, []).append((x, value))
            if is_leading and point.ends:
                bands.setdefault(others, []).append((x, *point.ends))
    rest = [key for i, key in enumerate(keys) if i != along]
    order = sorted(
        by_others, key=lambda others: [key.values.index(text) for key, text in zip(rest, others, strict=True)]
    )
    return [
        Curve(_named(rest, others), tuple(sorted(by_others[others])), tuple(sorted(bands.get(others, ()))))
        for others in order[:MOST_CURVES]
    ]


def readable(lines: Sequence[Curve], unit: str) -> tuple[list[Curve], str]:
    """Return curves in a unit in which they are read, and its name."""
    by, name = drawn(unit, [value for curve in lines for _, *ends in (*curve.points, *curve.band) for value in ends])
    return [curve.divided(by) for curve in lines], name


def _named(keys: Sequence[VariedKey], texts: Sequence[str]) -> str:
    return ", ".join(f"{key.name} {text}" for key, text in zip(keys, texts, strict=True))


def is_logarithmic(key: VariedKey) -> bool:
    """Tell whether the values of a key spread so far that a logarithmic axis shows more."""
    return min(key.numbers) > 0 and max(key.numbers) / min(key.numbers) >= LOGARITHMIC


def field(keys: Sequence[VariedKey], points: Sequence[SweptPoint], measure: str) -> Field:
    """Return a measure over the first two keys; of points that differ in others only, the least."""
    x, y = keys[0], keys[1]
    cells: list[list[float | None]] = [[None] * len(x.values) for _ in y.values]
    for point in points:
        value = value_of(point, measure)
        row, column = y.values.index(point.values[1][1]), x.values.index(point.values[0][1])
        held = cells[row][column]
        if value is not None and (held is None or value < held):
            cells[row][column] = value
    return Field(x, y, tuple(map(tuple, cells)))


def cost_measure(points: Sequence[SweptPoint]) -> str:
    """Return the cost that the points have, "" where they have no prices."""
    names = dict.fromkeys(name for point in points for name in point.measures)
    return next((name for start in COSTS for name in names if name.startswith(start)), "")


def front(points: Sequence[SweptPoint], leading: str) -> Front:
    """Return what leads against cost, and among them those to which no other is both better and cheaper."""
    measure = cost_measure(points)
    valued = [(point, value_of(point, leading), value_of(point, measure)) for point in points]
    placed = [(point, (x, value)) for point, x, value in valued if x is not None and value is not None]
    is_more_better = any(point.measures[leading][2] for point, _ in placed)
    unbeaten = _unbeaten([place for _, place in placed], is_more_better)
    marked: dict[Place, list[str]] = {place: [] for place in unbeaten}
    for point, place in sorted(placed, key=lambda pair: pair[0].index):
        if place in marked:
            marked[place].append(", ".join(text for _, text in point.values))
    others = tuple(place for _, place in placed if place not in marked)
    return Front(leading, measure, others, tuple(marked), tuple(map(_several, marked.values())))


def _unbeaten(places: Sequence[Place], is_more_better: bool) -> list[Place]:
    """Return the places to which no other is better in one and not worse in the other, by the first, the best first."""
    best: list[Place] = []
    for place in sorted(set(places), key=lambda place: (-place[0] if is_more_better else place[0], place[1])):
        if not best or place[1] < best[-1][1]:
            best.append(place)
    return best


def _several(names: Sequence[str]) -> str:
    """Return the names of points that lie at one place."""
    return names[0] if len(names) == 1 else f"{names[0]} and {len(names) - 1} more"
