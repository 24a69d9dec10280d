"""What a plan says of settings that limit its candidates, and by which keys: each as `--set` takes it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from app.planning.plans.plan_search import planned
from app.planning.progress import uncounted
from app.reports.plan.plan_answer import PlanAnswer
from app.reports.plan.plan_answer_document import contract, verdict
from models.scenario import Scenario
from profiles.loading.loader import load
from profiles.plans.sheet import Sheet, sheet_of_text
from tests.app.plans import PLAN

COMMITTER, FRAMEWORK = "client.fs.s3a.committer.name", "workload.framework"


TEXT = (
    PLAN.format(budget=400_000, deadline="15 s")
    + """
set = { "client.fs.s3a.committer.algorithm" = "1" }
"""
)


@pytest.fixture(scope="module")
def late() -> PlanAnswer:
    """Return the answer to a plan whose MinIO never meets its deadline."""
    return planned(one(), 1, uncounted)


def one() -> Sheet:
    """Return the plan with MinIO alone."""
    return sheet_of_text(TEXT, Path("plan.toml")).only("MinIO")


def test_a_candidate_whose_nearest_was_not_simulated_is_told_what_limits_the_one_with_the_most_servers_that_was(
    late: PlanAnswer,
) -> None:
    (minio,) = late.judged
    assert minio.wanting is not None
    assert minio.wanting.furthest is not None
    assert minio.wanting.furthest.answer is not None
    assert [ran.answer.duration for ran in minio.further] == [minio.wanting.furthest.answer.duration]
    (committer,) = [text for text in replace(minio, runs=()).warnings if "committer" in text]
    assert committer.startswith("limited by a setting, not by hardware, for ")
    (candidate,) = contract(late)["candidates"]
    assert candidate["warnings"] == list(minio.warnings)


@pytest.mark.parametrize(
    ("held", "told"),
    [
        ({COMMITTER: 0.6}, f"A setting of it holds hourly up, not hardware: {COMMITTER}."),
        (
            {"workload.framework.locality_delay": 0.5, COMMITTER: 0.1},
            f"Two settings of it hold hourly up, not hardware: framework.locality_delay and {COMMITTER}.",
        ),
        ({COMMITTER: 0.4}, ""),
    ],
)
def test_a_verdict_says_that_settings_make_a_candidate_miss_only_where_they_take_most_of_the_time(
    late: PlanAnswer, monkeypatch: pytest.MonkeyPatch, held: dict[str, float], told: str
) -> None:
    monkeypatch.setattr("app.reports.plan.plan_mending.shares", lambda scenario, answer: held)
    assert verdict(late)[1].partition(" above 15 s.")[2] == (f" {told}" if told else "")
    assert verdict(late)[1] == contract(late)["verdict"][1]


def test_a_key_is_spelled_as_a_candidate_states_it_whatever_else_runs(late: PlanAnswer) -> None:
    (minio,) = late.judged
    ran = (minio.runs or minio.further)[0]
    assert ran.stated_by(f"{FRAMEWORK}.locality_delay") == "framework.locality_delay"
    assert ran.stated_by("workload.reduces") == "workloads.hourly.reduces"
    assert ran.stated_by(COMMITTER) == COMMITTER
    queries = replace(ran, scenario=load("tpch-minio-nvme", Scenario).scenario)
    assert queries.stated_by(f"{FRAMEWORK}.cores") == "workloads.hourly.framework.cores"
    day = replace(ran, scenario=load("shared-day", Scenario).scenario, workloads=("night", "dashboards"))
    assert day.stated_by("workloads.night.framework.containers") == "framework.containers"
    assert day.stated_by("workloads.night.reduces") == "workloads.night.reduces"


def test_a_setting_is_taken_as_it_is_named_and_helps(late: PlanAnswer) -> None:
    (before,) = late.judged
    assert any(f"({COMMITTER} of the candidate)" in text for text in before.warnings)
    (after,) = planned(one().changed({COMMITTER: "magic"}), 1, uncounted).judged
    assert not any(COMMITTER in text for text in after.warnings)
    took = [max(ran.answer.duration for ran in judged.runs or judged.further) for judged in (before, after)]
    assert took[1] < took[0]
