"""The confidence of a plan holds for room, too: it buys servers, never fewer for more of it."""

from __future__ import annotations

from functools import cache
from itertools import pairwise
from pathlib import Path

from app.planning.plans.plan_search import planned
from app.planning.progress import uncounted
from app.reports.plan.plan_answer import PlanAnswer
from app.reports.plan.plan_answer_document import verdict
from models.planning.sheet import ROOM
from profiles.plans.sheet import sheet_of_text

PLAN = """
kind = "plan"
title = "Keep it"
prices = "on-premises-2024"

[requirements]
start = "2027-01-01"
years = 5
stored = "500 TB"
annual_growth = "10 %"
survives_reading = "2 servers"
confidence = "{confidence}"

[candidates.HDFS]
storage = "hdfs"
servers = "hdd-25gbe"
count = "{count}"
"""


@cache
def answer(confidence: str, count: str = "16..20:2") -> PlanAnswer:
    return planned(sheet_of_text(PLAN.format(confidence=confidence, count=count), Path("plan.toml")), 1, uncounted)


def test_more_confidence_never_costs_less_and_is_kept() -> None:
    costs = []
    for confidence in (0.0, 0.9):
        (judged,) = answer(f"{100 * confidence:g} %").judged
        (room,) = [met for met in judged.met if met.required.target.measure == ROOM]
        assert judged.option is not None
        assert judged.is_feasible
        assert room.chance is not None
        assert room.chance >= confidence
        costs.append(judged.option.objective)
    assert all(one <= other for one, other in pairwise(costs))
    assert costs[0] < costs[-1]


def test_the_map_has_the_answer_where_it_was_asked() -> None:
    (judged,) = answer("90 %").judged
    needs, _ = answer("90 %").maps
    assert judged.option is not None
    assert needs.cells[needs.y.asked][needs.x.asked].cost == judged.option.objective
    assert needs.basis.endswith("without the confidence.")


def test_where_none_is_sure_enough_the_surest_is_told_or_what_lies_beyond() -> None:
    beyond = answer("90 %", "16")
    assert verdict(beyond)[1] == "HDFS meets all with 20 servers, which is beyond its range."
    (judged,) = beyond.judged
    assert judged.option is not None
    assert judged.option.chance >= 0.9
