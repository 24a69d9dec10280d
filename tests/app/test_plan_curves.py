"""Curves of a plan are described once: a curve for each candidate, with what is demanded and what may be paid."""

from __future__ import annotations

from app.reports.document import Axis
from app.reports.plan.plan_curves import (
    Limit,
    Point,
    against_cost,
    budget_of,
    cost,
    over_servers,
    placed,
    servers,
    telling,
)

TIME = Limit("sorted in time", "s", 600.0, is_simulated=True)
ROOM, BUDGET = Limit("room", "B", 1e15), Limit("cost", "USD", 5e5)
KNOWN = {
    "MinIO": [Point(8, 8e5, {"room": 2e15}), Point(4, 4e5, {"room": 1e15, "sorted in time": 900.0})],
    "HDFS": [Point(6, 3e5, {"sorted in time": 700.0}), Point(12, 6e5, {"sorted in time": 400.0, "room": 2e15})],
}


def test_each_candidate_has_a_curve_by_its_servers_of_what_is_known_in_the_order_of_the_plan() -> None:
    chart = over_servers(TIME, placed(KNOWN, TIME.words, servers))
    assert [(series.name, list(series.x), list(series.y)) for series in chart.series] == [
        ("MinIO", [4], [900.0]),
        ("HDFS", [6, 12], [700.0, 400.0]),
    ]
    assert [(mark.name, mark.at, mark.is_upright) for mark in chart.marks] == [("limit", 600.0, False)]


def test_against_cost_what_may_be_paid_stands_upright() -> None:
    places = placed(KNOWN, TIME.words, cost)
    chart = against_cost(TIME, places, Axis("cost", "USD"), budget_of([TIME, ROOM, BUDGET], "USD"))
    assert [list(series.x) for series in chart.series] == [[4e5], [3e5, 6e5]]
    assert [(mark.name, mark.at) for mark in chart.marks if mark.is_upright] == [("budget", 5e5)]
    assert budget_of([TIME, ROOM], "USD") is None


def test_what_a_run_tells_of_a_curve_is_shown_before_what_most_options_have() -> None:
    assert telling([ROOM, TIME], KNOWN) == 1
    alone = {name: points[:1] for name, points in KNOWN.items()}
    assert telling([TIME, ROOM], {"MinIO": alone["MinIO"]}) == 1
