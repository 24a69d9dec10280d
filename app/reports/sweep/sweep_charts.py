"""The charts of a sweep: a measure over one key, as a field over two, and cost against what leads."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from app.reports import words
from app.reports.document import OTHER, Axis, Lines, Series
from app.reports.pictures import Field
from app.reports.scales import axis_of
from app.reports.sweep.sweep_points import SurePoints, SweptPoint, VariedKey
from models.planning.grid import short_names

COSTS = ("cost_per_job", "cost_over_", "cost_per_year")
"""How the names of costs begin, the one to be drawn first: a front weighs the first that is there."""
MOST_CURVES = 6
"""Curves that one can tell apart: as many as there are colours."""
LOGARITHMIC = 50.0  # Assumption: the ratio of last to first from which on a logarithmic axis shows more
UNBEATEN, OTHERS = "no other point is both better and cheaper", "others"

Place = tuple[float, float]
Ends = tuple[float, float, float]


def numeric(keys: Sequence[VariedKey]) -> list[int]:
    """Return the places of the keys whose values are numbers."""
    return [i for i, key in enumerate(keys) if key.numbers]


def curves(
    keys: Sequence[VariedKey], points: Sequence[SweptPoint], measure: str, sure: SurePoints | None = None
) -> Lines:
    """Return a measure over the first key of numbers: a curve for each combination of the others, the first few.

    What is known of how sure points are is known of the measure that leads.
    """
    along, *_ = numeric(keys)
    key, is_leading = keys[along], sure is not None and sure.measure == measure
    places = dict(zip(key.values, key.numbers, strict=True))
    besides = [i for i in range(len(keys)) if i != along]
    by_others: dict[tuple[str, ...], list[Place]] = {}
    bands: dict[tuple[str, ...], list[Ends]] = {}
    for point in points:
        value = _value(point, measure)
        if value is not None:
            others = tuple([point.values[i][1] for i in besides])
            x = places[point.values[along][1]]
            by_others.setdefault(others, []).append((x, value))
            bands.setdefault(others, []).append((x, *(point.ends if is_leading and point.ends else (value, value))))
    rest = [keys[i] for i in besides]
    ranks = [{text: rank for rank, text in enumerate(other.values)} for other in rest]
    order = sorted(by_others, key=lambda others: [rank[text] for rank, text in zip(ranks, others, strict=True)])
    drawn = [
        _curve(_named(rest, others) or _spelled(measure), by_others[others], bands[others], is_sure=is_leading)
        for others in order[:MOST_CURVES]
    ]
    left = f", {MOST_CURVES} of {len(order)} curves" if len(order) > MOST_CURVES else ""
    return Lines(
        f"{_spelled(measure).capitalize()} over {key.name}{left}",
        Axis(key.name, key.unit or "1", is_log=_is_wide(key), named=dict(zip(key.numbers, key.values, strict=True))),
        axis_of(_spelled(measure), unit_of(points, measure)),
        drawn,
        band=f"{words.percent(sure.level)} of the cases" if is_leading and sure and sure.ends else "",
    )


def field(keys: Sequence[VariedKey], points: Sequence[SweptPoint], measure: str) -> Field:
    """Return a measure over the first two keys; of points that differ in others only, the least."""
    x, y = keys[0], keys[1]
    columns, rows = ({text: i for i, text in enumerate(key.values)} for key in (x, y))
    cells: list[list[float | None]] = [[None] * len(columns) for _ in rows]
    for point in points:
        value = _value(point, measure)
        row, column = rows[point.values[1][1]], columns[point.values[0][1]]
        held = cells[row][column]
        if value is not None and (held is None or value < held):
            cells[row][column] = value
    axis = axis_of(_spelled(measure), unit_of(points, measure))
    return Field(
        f"{axis.label.capitalize()} over {x.name} and {y.name}", x.name, y.name, x.values, y.values, cells, axis
    )


def cost_measure(points: Sequence[SweptPoint]) -> str:
    """Return the cost that the points have, "" where they have no prices."""
    names = dict.fromkeys(name for point in points for name in point.measures)
    return next((name for start in COSTS for name in names if name.startswith(start)), "")


def front(points: Sequence[SweptPoint], leading: str) -> Lines:
    """Return what leads against cost, and joined those to which no other that does as much is both better and cheaper.

    A point that alone does its amount is beside no other, and joined to none.
    """
    cost = cost_measure(points)
    places: dict[int, Place] = {}
    for point in points:
        x, y = _value(point, leading), _value(point, cost)
        if x is not None and y is not None:
            places[point.index] = x, y
    placed = sorted((point for point in points if point.index in places), key=lambda point: point.index)
    is_more_better = any(point.measures[leading][2] for point in placed)
    by_amount: dict[str, list[SweptPoint]] = {}
    for point in placed:
        by_amount.setdefault("" if is_more_better else point.amount, []).append(point)
    alike = [group for group in by_amount.values() if len(group) > 1 or len(by_amount) == 1]
    drawn, joined = list[Series](), set[int]()
    for group in alike[:MOST_CURVES]:
        best = _unbeaten([places[point.index] for point in group], is_more_better)
        at = [[point for point in group if places[point.index] == place] for place in best]
        joined |= {point.index for same in at for point in same}
        shared = _shared(group) if len(by_amount) > 1 else ""
        drawn.append(_points(f"{shared}: {UNBEATEN}" if shared else UNBEATEN, zip(best, at, strict=True), len(drawn)))
    apart: dict[Place, list[SweptPoint]] = {}
    for point in placed:
        if point.index not in joined:
            apart.setdefault(places[point.index], []).append(point)
    left = f", {MOST_CURVES} of {len(alike)} curves" if len(alike) > MOST_CURVES else ""
    return Lines(
        f"{_spelled(cost).capitalize()} against {_spelled(leading)}{left}",
        axis_of(_spelled(leading), unit_of(points, leading)),
        axis_of(_spelled(cost), unit_of(points, cost)),
        [_points(OTHERS, apart.items(), OTHER, is_apart=True), *drawn],
    )


def unit_of(points: Sequence[SweptPoint], measure: str) -> str:
    """Return the unit of a measure of points."""
    return next((point.measures[measure][1] for point in points if measure in point.measures), "1")


def _points(
    name: str, places: Iterable[tuple[Place, Sequence[SweptPoint]]], colour: int, *, is_apart: bool = False
) -> Series:
    x, y, names = list[float](), list[float](), list[str]()
    for place, points in places:
        x.append(place[0])
        y.append(place[1])
        names.append(_several([", ".join([text for _, text in point.values]) for point in points]))
    return Series(name, x, y, colour=colour, names=names, is_apart=is_apart)


def _shared(points: Sequence[SweptPoint]) -> str:
    """Return the keys that have one value in all points, with it."""
    values = [dict(point.values) for point in points]
    shared = {key: text for key, text in values[0].items() if all(other[key] == text for other in values)}
    return ", ".join(f"{name} {text}" for name, text in zip(short_names(list(shared)), shared.values(), strict=True))


def _curve(name: str, places: Sequence[Place], band: Sequence[Ends], *, is_sure: bool) -> Series:
    ordered, ends = sorted(places), sorted(band)
    low, high = ([end[place] for end in ends] if is_sure else None for place in (1, 2))
    return Series(name, [x for x, _ in ordered], [y for _, y in ordered], low, high)


def _value(point: SweptPoint, measure: str) -> float | None:
    return point.measures[measure][0] if measure in point.measures else None


def _named(keys: Sequence[VariedKey], texts: Sequence[str]) -> str:
    return ", ".join(f"{key.name} {text}" for key, text in zip(keys, texts, strict=True))


def _spelled(measure: str) -> str:
    return measure.replace("_", " ")


def _is_wide(key: VariedKey) -> bool:
    """Tell whether the values of a key spread so far that a logarithmic axis shows more."""
    return min(key.numbers) > 0 and max(key.numbers) / min(key.numbers) >= LOGARITHMIC


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
