"""The confidence of a plan holds for room, too: it buys servers, never fewer for more of it."""

from __future__ import annotations

from functools import cache
from itertools import pairwise
from pathlib import Path

from app.planning.plans.plan_search import planned
from app.planning.progress import uncounted
from app.reports.plan.plan_answer import PlanAnswer
from app.reports.plan.plan_answer_document import MORE_SURE, candidates, requirements, verdict
from app.reports.proposal import summary
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


def test_what_is_met_by_the_numbers_alone_is_told_as_likely_missed_wherever_it_is_told() -> None:
    told = answer("0 %")
    (judged,) = told.judged
    first, more = verdict(told)
    assert first.startswith("HDFS with 16 servers meets every requirement as calculated for ")
    assert first.endswith(", but is likely to miss one: Room on 2032-01-01 in 29 % of the cases.")
    assert more == MORE_SURE
    assert f"{requirements(told).rows[0][2]}".startswith("≈ ")
    assert f"{requirements(told).rows[1][2]}".startswith("✓ ")
    assert candidates(told).rows[0][3] == "2 of 2, but likely to miss one"
    assert summary.requirements(judged).rows[0][3] == "≈ met as calculated, likely missed"


def test_a_plan_that_is_as_sure_as_asked_is_told_with_its_probability() -> None:
    (first,) = verdict(answer("90 %"))
    assert first.endswith(", with a probability of 94 %.")
    assert candidates(answer("90 %")).rows[0][3] == "2 of 2"
