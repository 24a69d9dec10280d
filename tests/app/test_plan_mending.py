"""What would mend a candidate is told by a run, even where it costs far more than the budget, and not against one."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

from app.gui.plan.jobs import _shown
from app.planning.plans.plan_search import planned
from app.planning.progress import uncounted
from app.reports.document import Paragraph
from app.reports.plan.plan_answer import PlanAnswer, servers_of
from app.reports.plan.plan_answer_document import candidates, verdict
from app.reports.plan.plan_curves import points
from app.reports.plan.plan_decision import FlipMap, Scale, Won, map_sections, map_sentence
from profiles.plans.sheet import sheet_of_text
from tests.app.conftest import Type
from tests.app.plans import HEAD, written

HOURLY = """
[[requirements.workloads]]
name = "hourly"
use = "terasort"
input = "2 GB"
deadline = "{deadline}"

[candidates.HDFS]
storage = "hdfs"
servers = "hdd-25gbe"
framework = {{ use = "yarn-h1", containers = 8, heap = "64 GiB" }}
count = "4,5"
"""
DEAR = (
    """
years = 1
stored = "100 TB"
annual_growth = "400 %"
durability = 5
budget = "100 k USD"
"""
    + HOURLY
)


def answered(type_: Type, folder: Path, deadline: str) -> tuple[dict[str, Any], str]:
    """Return the candidate and the whole text of a plan whose budget buys a third of what it takes."""
    words = ("plan", written(folder, HEAD + DEAR.format(deadline=deadline)), "--workers", "1", "--interval", "none")
    (candidate,) = json.loads(type_(*words, "--format", "json").out)["candidates"]
    return candidate, " ".join(type_(*words).out.split())


def test_what_would_mend_a_candidate_of_which_nothing_ran_is_simulated_once(type_: Type, tmp_path: Path) -> None:
    candidate, text = answered(type_, tmp_path, "5 min")
    assert candidate["mend"].startswith("+6 servers, +")
    assert "(11 servers) would meet all else, Cost of 1 year 70 % above 100,000 USD" in candidate["mend"]
    assert "not simulated" not in candidate["mend"]
    assert "By load and growth a year: as asked no candidate" not in text


def test_more_servers_are_not_said_to_mend_what_their_run_missed(type_: Type, tmp_path: Path) -> None:
    candidate, _ = answered(type_, tmp_path, "15 s")
    assert candidate["mending"] is None
    assert "meets all but the limits; 11 servers still miss hourly is done in time:" in candidate["mend"]


def test_a_map_in_which_nobody_wins_is_a_sentence_and_no_table() -> None:
    nobody = FlipMap(
        "Who wins by growth and load",
        Scale("growth a year", "share", [0.0, 0.4], 1),
        Scale("load", "share", [1.0], 0),
        [[Won(None), Won(None)]],
        "USD",
        "Costs follow from the price list.",
    )
    (section,) = map_sections([nobody])
    (told,) = section.blocks
    assert isinstance(told, Paragraph)
    assert told.text.startswith("By growth a year: in none of 2 cases does a candidate meet what is required.")
    somebody = replace(nobody, cells=[[Won("HDFS", 4, 1e5, True), Won(None)]])
    assert "it is met by HDFS in 1 of 2 cases" in map_sentence(somebody)


def test_nines_are_known_of_what_was_not_simulated(type_: Type, tmp_path: Path) -> None:
    candidate, _ = answered(type_, tmp_path, "5 min")
    (nines,) = [met for met in candidate["requirements"] if met["target"].startswith("durability")]
    assert nines["value"] > 5
    assert nines["is_met"]


def test_of_a_plan_without_limits_none_are_told(type_: Type, tmp_path: Path) -> None:
    without = DEAR.replace('budget = "100 k USD"\n', "")
    words = ("plan", written(tmp_path, HEAD + without.format(deadline="15 s")), "--workers", "1", "--interval", "none")
    (candidate,) = json.loads(type_(*words, "--format", "json").out)["candidates"]
    assert "that were tried meets every requirement" in candidate["mend"]
    words = ("plan", written(tmp_path, HEAD + without.format(deadline="5 min")), *words[2:])
    (candidate,) = json.loads(type_(*words, "--format", "json").out)["candidates"]
    assert candidate["mend"] == "meets all with 11 servers, which is beyond its range."


ROOM = (
    """
years = 1
stored = "{stored}"
{required}
"""
    + HOURLY
)


def room(folder: Path, stored: str, deadline: str, required: str = "") -> PlanAnswer:
    text = HEAD + ROOM.format(stored=stored, deadline=deadline, required=required)
    return planned(sheet_of_text(text, folder / "plan.toml"), 1, uncounted)


def test_what_meets_all_beyond_its_range_is_told_so_wherever_it_stands_and_is_on_its_curve(tmp_path: Path) -> None:
    answer = room(tmp_path, "600 TB", "5 min")
    (judged,) = answer.judged
    assert judged.option is not None
    assert judged.but == "beyond its range"
    assert " ".join(verdict(answer)).startswith(
        "No candidate meets every requirement with the servers that it may have. HDFS meets all with 13 servers, which"
        " is beyond its range."
    )
    (row,) = candidates(answer).rows
    assert row[3] == "2 of 2, beyond its range"
    reached = [point.servers for point in points(answer.known_of(judged), answer.plan, answer.objective)]
    assert max(reached) == servers_of(judged.option) == 13
    assert {4.0, 5.0} < set(reached)
    shown = _shown(answer, "").candidates[0]
    assert shown.count == "meets 2 of 2, beyond its range"
    assert shown.mends == ""
    assert max(point.servers for point in shown.points) == 13


def test_what_is_met_but_not_as_surely_as_asked_is_not_said_to_be_beyond_its_range(tmp_path: Path) -> None:
    (likely,) = room(tmp_path, "10 TB", "5 min").judged
    quick = min(met.measure.value for met in likely.met if met.required.workload and met.measure is not None)
    answer = room(tmp_path, "10 TB", f"{1.01 * quick:.2f} s", 'confidence = "99 %"')
    (judged,) = answer.judged
    assert not judged.is_beyond
    assert judged.but == "not as surely as asked"
    first, nearest = verdict(answer)
    assert first == "No candidate meets every requirement as surely as asked."
    assert "in the likely case, but not as surely as asked: " in nearest
    assert "hourly is done in time in" in nearest
    assert nearest.endswith("asked for are 99 %.")
    assert _shown(answer, "").candidates[0].count == "meets 2 of 2, not as surely as asked"
