"""One requirement sheet for all commands: what a plan states is neither typed again nor answered otherwise."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest

from app.planning.plans.plan_profiles import profiles
from profiles.plans.candidates import load_scenario
from profiles.plans.sheet import COUNT, sheet
from profiles.text.dump import dump
from tests.app import plans
from tests.app.conftest import Type

PLAN = plans.TEXT.replace('count = "6"', 'count = "4,6"')
ONE = ("--workers", "1", "--interval", "none")


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "plan.toml").write_text(PLAN)
    return tmp_path


ANSWERED: dict[tuple[str, ...], dict[str, Any]] = {}
"""What commands answered about a plan, by its text and their words: several tests look at the same answer."""


def data(type_: Type, *words: str) -> dict[str, Any]:
    asked = (Path("plan.toml").read_text(), *words)
    if asked not in ANSWERED:
        ended = type_(*words, *ONE, "--format", "json")
        assert ended.err == ""
        ANSWERED[asked] = json.loads(ended.out)
    return ANSWERED[asked]


def test_size_answers_a_plan_as_plan_does(type_: Type) -> None:
    assert data(type_, "size", "plan.toml") == data(type_, "plan", "plan.toml")


@pytest.mark.parametrize("command", ["plan", "size"])
def test_one_candidate_of_a_plan_is_searched_alone_and_judged_as_among_the_others(type_: Type, command: str) -> None:
    (alone,) = data(type_, command, "plan.toml#minio")["candidates"]
    among = {it["name"]: it for it in data(type_, "plan", "plan.toml")["candidates"]}
    assert alone["option"] == among["MinIO"]["option"]


def test_compare_puts_the_options_side_by_side_that_answer_the_plan(type_: Type) -> None:
    answer = data(type_, "plan", "plan.toml")
    compared = data(type_, "compare", "plan.toml", "--replications", "1")
    counts = {it["name"]: it["option"]["values"][COUNT] for it in answer["candidates"]}
    sides = {it["name"]: it["measures"]["servers"]["value"] for it in compared["scenarios"]}
    assert sides == {name: float(count) for name, count in counts.items()}


def test_a_sweep_of_a_candidate_varies_what_the_plan_does(type_: Type) -> None:
    swept = data(type_, "sweep", "plan.toml#minio")
    assert [row["values"] for row in swept["points"]] == [{COUNT: it} for it in ("4", "8")]


def test_a_sweep_and_a_comparison_tell_the_cost_of_the_years_of_the_plan(type_: Type, folder: Path) -> None:
    (folder / "plan.toml").write_text(PLAN.replace("years = 3", "years = 2.5"))
    answer = data(type_, "plan", "plan.toml#minio")["candidates"][0]["option"]
    swept = data(type_, "sweep", "plan.toml#minio")
    costs = [row["measures"]["cost_over_2_5_years"]["value"] for row in swept["points"]]
    assert answer["measures"]["cost_over_2_5_years"]["value"] == pytest.approx(costs[1], rel=1e-3)
    compared = data(type_, "compare", "plan.toml#minio", "plan.toml#hdfs", "--replications", "1")
    assert all("cost_over_2_5_years" in side["measures"] for side in compared["scenarios"])


def test_capacity_holds_a_candidate_to_what_the_plan_requires(type_: Type) -> None:
    ended = type_("capacity", "plan.toml#hdfs", *ONE)
    assert "First missed  none of these before it is full: data is read with any 2 servers down, duration" in ended.out


def test_a_purchase_for_a_candidate_meets_what_the_plan_requires(type_: Type) -> None:
    ended = type_("purchase", "plan.toml#hdfs", "--set", f"{COUNT}=8", "--workers", "1")
    assert (
        "Required          room for the data, data is read with any 2 servers down, duration at most 5 min" in ended.out
    )


def test_a_target_that_is_typed_stands_for_those_of_the_plan(type_: Type) -> None:
    ended = type_("capacity", "plan.toml#hdfs", "--target", "duration <= 1 s", "--set", f"{COUNT}=8", *ONE)
    assert "First missed  on 2027-01-01: takes " in ended.out


def test_the_report_of_a_plan_is_the_one_that_is_signed(type_: Type, folder: Path) -> None:
    ended = type_("report", "plan.toml", "by-report.zip", *ONE)
    type_("plan", "plan.toml", "--report", "by-plan.zip", *ONE)
    assert ended.status == 0
    assert (folder / "by-report.zip").read_bytes() == (folder / "by-plan.zip").read_bytes()


def test_the_bundle_of_one_candidate_holds_a_plan_of_it_alone(type_: Type, folder: Path) -> None:
    type_("plan", "plan.toml#minio", "--report", "offer.zip", *ONE)
    with ZipFile(folder / "offer.zip") as bundle:
        (folder / "again.toml").write_bytes(bundle.read("plan.toml"))
    assert list(sheet("again.toml").plan.candidates) == ["MinIO"]


@pytest.mark.parametrize(
    ("words", "flag"),
    [
        (("size", "plan.toml", "--minimize", "power"), "--minimize"),
        (("size", "plan.toml#hdfs", "--seed", "1"), "--seed"),
        (("report", "plan.toml", "x.html", "--against", "hdfs-terasort"), "--against"),
        (("report", "plan.toml", "x.html", "--without", "cost"), "--without"),
    ],
)
def test_options_that_say_what_the_plan_says_itself_are_refused(type_: Type, words: Sequence[str], flag: str) -> None:
    ended = type_(*words)
    expected = f"{flag}: the plan '{words[1]}' says it itself: change it in that file, or leave this out"
    assert (ended.status, ended.err.strip()) == (2, expected)


def test_candidates_whose_workloads_run_apart_are_compared_by_their_names(type_: Type, folder: Path) -> None:
    second = '[[requirements.workloads]]\nname = "weekly"\nuse = "teragen"\ndata = "2 GB"\n\n[candidates.HDFS]'
    (folder / "plan.toml").write_text(PLAN.replace("[candidates.HDFS]", second))
    ended = type_("compare", "plan.toml")
    assert "name what stands side by side, two to six of plan.toml#hdfs-hourly, plan.toml#hdfs-weekly" in ended.err


def test_a_run_of_a_candidate_is_that_of_the_profile_which_the_plan_writes(type_: Type) -> None:
    answer = plans.answer()
    (name, text), *_ = profiles(sheet("plan.toml"), answer).items()
    option = answer.judged[0].option
    assert option is not None
    assert (name, text) == ("hdfs.toml", dump(load_scenario("plan.toml#hdfs", dict(option.values)).resolved))
