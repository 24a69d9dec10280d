"""Points of curves: which hide others, and whose names there is room for. For both painters."""

from __future__ import annotations

from collections.abc import Iterator

from app.reports.document import Lines, Series

MOST_NAMES = 8  # Assumption: names that points have room for


def series_over(chart: Lines, place: int) -> int:
    """Return how many of the curves that are drawn after the one at a place have a point where it has one.

    Points that are apart hide none, and are not looked at: they may be many. Nor do those of steps, which stand apart.
    """
    after = [series for series in chart.series[place + 1 :] if not series.is_apart]
    if chart.end is not None or chart.series[place].is_apart or not after:
        return 0
    here = _points(chart.series[place])
    return sum(not here.isdisjoint(_points(series)) for series in after)


def named_points(series: Series) -> Iterator[tuple[tuple[float, float], str, bool, bool]]:
    """Yield the points whose names there is room for: place, name, whether it stands on the right, and above.

    Names stand off the line from the first to the last point, within the chart.
    """
    ends = sorted(zip(series.x, series.y, strict=True))
    middle = (ends[0][0] + ends[-1][0]) / 2 if ends else 0.0
    is_rising = bool(ends) and ends[-1][1] > ends[0][1]
    for x, y, name in list(zip(series.x, series.y, series.names, strict=False))[:MOST_NAMES]:
        is_right = x <= middle
        yield (x, y), name, is_right, is_right != is_rising


def _points(series: Series) -> set[tuple[float, float]]:
    return set(zip(series.x, series.y, strict=True))
