"""The charts of a sweep: curves over a key, a field over two, and cost against what leads."""

from __future__ import annotations

from dataclasses import replace

from app.reports.charts import svg
from app.reports.document import OTHER
from app.reports.sweep.sweep_charts import MOST_CURVES, UNBEATEN, curves, field, front
from app.reports.sweep.sweep_points import VariedKey
from tests.swept import COUNT, POINTS, REPLICAS, point

TWICE = ((0, "4", 20.0, 10), (1, "8", 9.0, 20))


def test_a_curve_is_drawn_for_each_value_of_the_other_key() -> None:
    drawn = curves((COUNT, REPLICAS), POINTS, "duration")
    assert [(series.name, series.x, series.y) for series in drawn.series] == [
        ("replication 2", [4.0, 8.0], [100.0, 9.0]),
        ("replication 3", [16.0], [20.0]),
    ]
    assert (drawn.x.is_log, drawn.x.named) == (False, {4.0: "4", 8.0: "8", 16.0: "16"})
    assert (drawn.y.title, drawn.band) == ("duration (s)", "")


def test_of_many_curves_the_first_are_drawn_and_the_title_says_so() -> None:
    texts = tuple(f"{i}" for i in range(1, 9))
    many = VariedKey("storage.replication", "replication", texts, "", tuple(map(float, texts)))
    drawn = curves((COUNT, many), [point(i, "4", text, 5.0) for i, text in enumerate(texts)], "duration")
    assert len(drawn.series) == MOST_CURVES
    assert drawn.name == "Duration over count, 6 of 8 curves"


def test_a_key_whose_values_spread_far_has_a_logarithmic_axis() -> None:
    wide = VariedKey("workload.input", "input", ("1 GB", "1 TB"), "B", (1e9, 1e12))
    points = [point(0, "1 GB", "2", 5.0), point(1, "1 TB", "2", 50.0)]
    assert curves((wide, REPLICAS), points, "duration").x.is_log


def test_a_field_has_a_cell_for_each_pair_and_holes_where_nothing_was_run() -> None:
    drawn = field((COUNT, REPLICAS), POINTS, "cost_over_3_years")
    assert drawn.cells == [[10, 20, None], [None, None, 40]]
    assert drawn.texts() == [["10", "20", ""], ["", "", "40"]]
    assert drawn.key == ("cost over 3 years (USD): 10", "40")
    assert [column.title for column in drawn.table().columns] == ["replication", "count 4", "count 8", "count 16"]


def test_the_front_joins_what_nothing_beats_and_names_it() -> None:
    drawn = front(POINTS, "duration")
    others, best = drawn.series
    assert (best.x, best.y, best.names) == ([9.0, 100.0], [20, 10], ["8, 2", "4, 2"])
    assert (others.x, others.y, others.names, others.is_apart, others.colour) == ([20.0], [40], ["16, 3"], True, OTHER)
    again = front([*POINTS, point(4, "6", "2", 100.0, 20)], "duration")
    assert again.series[1] == best


def test_the_front_joins_only_points_that_do_as_much() -> None:
    small = [replace(point(i, count, "2", time, cost), amount="1") for i, count, time, cost in TWICE]
    large = [replace(point(i + 2, count, "3", 10 * time, cost), amount="9") for i, count, time, cost in TWICE]
    others, *joined = front([*small, *large, replace(point(4, "16", "4", 1.0, 1), amount="2")], "duration").series
    assert [(series.name, series.x, series.names) for series in joined] == [
        (f"replication 2: {UNBEATEN}", [9.0, 20.0], ["8, 2", "4, 2"]),
        (f"replication 3: {UNBEATEN}", [90.0, 200.0], ["8, 3", "4, 3"]),
    ]
    assert others.names == ["16, 4"]


def test_a_report_draws_them_in_units_in_which_they_are_read() -> None:
    points = (point(0, "4", "2", 36_000.0, 1e6), point(1, "8", "2", 18_000.0, 2e6), point(2, "16", "3", 9e3, 4e6))
    assert "duration (h)" in svg(curves((COUNT, REPLICAS), points, "duration"))
    words = svg(front(points, "duration"))
    assert "cost over 3 years (million USD)" in words
    assert ">8, 2<" in words
    assert ">10<" in svg(field((COUNT, REPLICAS), points, "duration"))
