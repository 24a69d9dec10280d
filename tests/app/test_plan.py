"""`simulate plan`: requirements against candidates of several storage systems, with what comes nearest and why."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from pathlib import Path

import pytest

from app.planning.plans.plan_flips import most_growth
from app.planning.plans.plan_glance import glance
from app.planning.plans.plan_options import options_of, runs_of, worst_of_states
from models.jobs.mapreduce import MapReduce
from models.planning.sheet import Requirements
from models.problem import RefusalError
from profiles.plans.sheet import COUNT, sheet, sheet_of_text
from simulator.studies.measures import of_scenario
from tests.app.conftest import Type
from tests.app.plans import PLAN
from tests.contracts import check
from tests.narrow import some


def test_the_cheapest_option_of_each_candidate_is_found_and_the_verdict_names_the_best(
    type_: Type, plan: Callable[..., str]
) -> None:
    ended = type_("plan", plan(), "--workers", "1", "--format", "json")
    check(ended.out)
    data = json.loads(ended.out)
    assert ended.status == 0
    for candidate in data["candidates"]:
        assert candidate["is_feasible"]
        assert all(requirement["is_met"] for requirement in candidate["requirements"])
        chosen = candidate["option"]["measures"]["cost_over_2_years"]["value"]
        cheaper = [
            option
            for option in data["options"]
            if option["candidate"] == candidate["name"]
            and option["measures"].get("cost_over_2_years", {"value": math.inf})["value"] < chosen
        ]
        assert cheaper
        assert all(option["reason"] for option in cheaper)
    costs = {entry["name"]: entry["option"]["measures"]["cost_over_2_years"]["value"] for entry in data["candidates"]}
    assert data["best"] == min(costs, key=lambda name: costs[name])
    assert data["verdict"][0].startswith(f"{data['best']} with ")
    assert len(data["verdict"]) == 2
    assert data["regret"]["choices"][0]["candidate"] == data["best"]
    for flip_map in data["maps"]:
        asked = flip_map["cells"][flip_map["y"]["asked"]][flip_map["x"]["asked"]]
        assert (asked["candidate"], asked["cost"]) == (data["best"], pytest.approx(costs[data["best"]]))


def test_a_budget_that_is_too_small_is_answered_by_the_nearest_miss_and_what_mends_it(
    type_: Type, plan: Callable[..., str]
) -> None:
    ended = type_("plan", plan(budget=100_000), "--workers", "1", "--format", "json")
    data = json.loads(ended.out)
    assert (ended.status, data["best"]) == (1, None)
    assert data["verdict"][0] == "No candidate meets every requirement."
    assert "comes nearest" in data["verdict"][1]
    for candidate in data["candidates"]:
        missed = [requirement for requirement in candidate["requirements"] if requirement["is_met"] is False]
        assert missed
        assert all(requirement["margin"] < 0 for requirement in missed)
        assert candidate["mending"]["measures"]["cost_over_2_years"]["value"] > 100_000
        assert "above 100,000 USD" in candidate["mend"]


@pytest.mark.parametrize(("most", "is_told"), [(40, True), (9, False)])
def test_a_range_that_ends_too_low_is_told_how_many_servers_would_do_up_to_four_times_as_many(
    type_: Type, tmp_path: Path, most: int, is_told: bool
) -> None:
    path = tmp_path / "plan.toml"
    path.write_text(f"""
kind = "plan"
title = "An archive"
prices = "on-premises-2024"

[requirements]
start = "2027-01-01"
years = 5
stored = "3.5 PB"
annual_growth = "25 %"

[candidates.MinIO]
storage = "minio"
servers = "hdd-25gbe"
count = "5..{most}:1"
""")
    ended = type_("plan", str(path), "--workers", "1", "--format", "json")
    (candidate,) = json.loads(ended.out)["candidates"]
    assert (ended.status, candidate["is_feasible"]) == (1, False)
    assert (candidate["mending"] is not None) == is_told
    assert ("96 servers" in candidate["mend"]) == is_told


def test_a_deadline_that_no_number_of_servers_meets_is_said_to_be_so(type_: Type, plan: Callable[..., str]) -> None:
    ended = type_("plan", plan(deadline="15 s"), "--workers", "1")
    assert ended.status == 1
    assert "hourly is done in time" in ended.out
    assert "meets all but the limits" in ended.out
    told = " ".join(ended.out.split()).partition("MinIO: limited by a setting, not by hardware, for ")[2]
    limit, _, way_out = told.partition(": ")
    assert limit.endswith(" (one core a task)")
    assert way_out.startswith("8 at a time on a server with 64 hardware threads")
    assert "more of them use the others (framework.containers of the candidate)." in way_out
    rows = [line for line in ended.out.splitlines() if line.startswith("hourly is done in time")]
    assert rows[1].split()[-3:] == ["from", "the", "start"]


def test_the_answer_is_written_as_profiles_that_are_sound(
    type_: Type, plan: Callable[..., str], tmp_path: Path
) -> None:
    nowhere = f"{tmp_path / 'none' / 'out'}"
    refused = type_("plan", plan(), "--write-profiles", nowhere)
    assert (refused.status, refused.err) == (
        2,
        f"--write-profiles: cannot write into '{nowhere}': no such file or directory\n",
    )
    assert type_("plan", plan(), "--workers", "1", "--write-profiles", f"{tmp_path / 'out'}").status == 0
    written = sorted((tmp_path / "out").iterdir())
    assert [path.name for path in written] == ["hdfs.toml", "minio.toml"]
    assert type_("check", *map(str, written)).status == 0


def test_profiles_that_are_there_are_written_over_only_by_force(
    type_: Type, plan: Callable[..., str], tmp_path: Path
) -> None:
    mine = tmp_path / "hdfs.toml"
    mine.write_text("mine")
    words = ("plan", plan(), "--workers", "1", "--write-profiles", str(tmp_path))
    refused = type_(*words)
    way_out = "use --force to overwrite it, or name another folder"
    assert (refused.status, refused.err) == (2, f"--write-profiles: '{mine}' exists; {way_out}\n")
    assert mine.read_text() == "mine"
    assert type_(*words, "--force").status == 0
    assert type_("check", str(mine)).status == 0


def test_a_load_that_meets_faults_is_judged_by_the_worst_state_of_the_store() -> None:
    worst = worst_of_states(
        {
            "GET latency p99": (0.010, "s"),
            "GET latency p99.9": (0.050, "s"),
            "GET latency p99 degraded": (0.030, "s"),
            "GET latency p99 with 50% repaired": (0.020, "s"),
            "GET request rate": (100.0, "1/s"),
            "GET request rate degraded": (90.0, "1/s"),
            "GET requests": (5000.0, "1"),
            "GET requests per second while reading": (50.0, "1/s"),
        }
    )
    assert worst["GET latency p99"] == (0.030, "s")
    assert worst["GET latency p99.9"] == (0.050, "s")
    assert worst["GET request rate"] == (90.0, "1/s")
    assert worst["GET requests"] == (5000.0, "1")  # the other is not of a state, but of something else


def test_a_run_has_the_data_of_the_last_day_and_what_is_to_be_down() -> None:
    text = PLAN.format(budget=400_000, deadline="5 min").replace("[[req", 'while_degraded = "1 drive"\n\n[[req', 1)
    plan_file = sheet_of_text(text, Path("plan.toml"))
    option = next(tried for tried in options_of(plan_file) if tried.scenario is not None)
    assert option.scenario is not None
    [(run, scenario)] = runs_of(option.scenario, plan_file.plan.requirements)
    assert [demand.name for demand in run] == ["hourly"]
    years = (plan_file.plan.requirements.end - plan_file.plan.requirements.start).days / 365
    assert isinstance(scenario.workload, MapReduce)
    assert scenario.workload.input == pytest.approx(5e9 * 1.5**years)
    assert scenario.failures is not None
    assert [fault.component for fault in scenario.failures.faults] == ["servers-1/data-1"]


@pytest.mark.parametrize("down", ["1000000 servers", "100000 drives", "2 racks"])
def test_more_than_there_is_cannot_be_down(down: str) -> None:
    text = PLAN.format(budget=400_000, deadline="5 min").replace("[[req", f'while_degraded = "{down}"\n\n[[req', 1)
    plan_file = sheet_of_text(text, Path("plan.toml"))
    option = next(tried for tried in options_of(plan_file) if tried.scenario is not None)
    assert option.scenario is not None
    with pytest.raises(RefusalError, match="store has fewer") as refused:
        runs_of(option.scenario, plan_file.plan.requirements)
    assert "requirements.while_degraded" in str(refused.value)


@pytest.mark.parametrize("growth", [0.0, 0.4, 2.0])
def test_the_most_growth_fills_the_room_on_the_last_day(growth: float) -> None:
    stated = {"start": "2027-01-01", "stored": "1 PB", "annual_growth": growth}
    asked = Requirements.model_validate(stated)
    assert most_growth(asked, asked.stored_at(asked.end)) == pytest.approx(growth, abs=1e-9)


def test_room_for_the_data_of_the_start_is_room_for_all_that_shrinks_but_for_no_growth() -> None:
    asked = Requirements.model_validate({"start": "2027-01-01", "stored": "1 PB", "annual_growth": -0.3})
    assert most_growth(asked, 1e15) == pytest.approx(0.0, abs=1e-9)


def test_every_shipped_plan_has_options_for_each_candidate() -> None:
    for name in ("hdfs-or-minio", "s3-store", "import-beside-nightly"):
        plan_file = sheet(name)
        assert {option.candidate for option in options_of(plan_file) if option.scenario} == set(
            plan_file.plan.candidates
        )


def test_small_runs_are_repeated_for_the_draws_where_that_is_asked_for(type_: Type, tmp_path: Path) -> None:
    text = PLAN.format(budget=400_000, deadline="31 s").partition("[candidates.MinIO]")[0]
    path = tmp_path / "one.toml"
    path.write_text(text.replace("6..14:2", "10"), encoding="utf-8")
    by_effort = {}
    for interval in ("none", "fast"):
        ended = type_("plan", f"{path}", "--workers", "1", "--interval", interval, "--format", "json")
        data = json.loads(ended.out)
        [met] = [
            requirement
            for requirement in data["candidates"][0]["requirements"]
            if requirement["target"].startswith("hourly")
        ]
        by_effort[interval] = data["simulated"], met["chance"]
        assert met["interval"]["low"] < met["value"] < met["interval"]["high"]
    assert by_effort["fast"][0] > by_effort["none"][0]
    assert 0 < by_effort["fast"][1] < 1
    assert by_effort["fast"][1] != by_effort["none"][1]


def test_workloads_beside_each_other_have_intervals_of_their_own(type_: Type, tmp_path: Path) -> None:
    one, copied = 'beside = ["copied"]', 'name = "copied"\nkind = "copy"\norigin = "amazon-s3"\ntool = "distcp"'
    beside = f'{one}\n\n[[requirements.workloads]]\n{copied}\nsize = "40 GB"\nfiles = 40\ndeadline = "1 min"'
    text = PLAN.format(budget=400_000, deadline="40 s").partition("[candidates.MinIO]")[0]
    text = text.replace("grows = true", beside).replace("6..14:2", "10")
    path = tmp_path / "two.toml"
    path.write_text(text, encoding="utf-8")
    data = json.loads(type_("plan", f"{path}", "--workers", "1", "--interval", "fast", "--format", "json").out)
    told = [requirement for requirement in data["candidates"][0]["requirements"] if "duration" in requirement["target"]]
    assert data["simulated"] > 1  # again for the draws
    assert all(
        requirement["interval"]["low"] < requirement["value"] < requirement["interval"]["high"] for requirement in told
    )
    assert all(0 < requirement["chance"] < 1 for requirement in told)
    first, second = (requirement["interval"]["high"] / requirement["value"] for requirement in told)
    assert first != second


def test_a_glance_finds_the_fewest_servers_that_have_room_as_a_search_through_all_of_them_does() -> None:
    plan_file = sheet("hdfs-or-minio")
    cost = plan_file.plan.requirements.cost
    best = glance(plan_file, "HDFS on hard drives")
    options = [
        option for option in options_of(plan_file) if option.candidate == "HDFS on hard drives" and option.scenario
    ]
    enough = (option for option in options if of_scenario(some(option.scenario))["effective"].value >= 5.4931e15)
    assert best.known["servers"].value == min(float(dict(option.values)[COUNT]) for option in enough)
    assert (best.met, best.asked) == (4, 4)
    assert glance(plan_file, "MinIO on NVMe").rank(cost) > best.rank(cost)


def test_a_glance_says_what_an_option_costs_as_its_check_does() -> None:
    """Spare parts follow from how often drives fail, which no candidate has to state."""
    plan_file = sheet("hdfs-or-minio")
    cost = plan_file.plan.requirements.cost
    for name in plan_file.plan.candidates:
        seen = glance(plan_file, name).known
        (option,) = (
            option
            for option in options_of(plan_file.only(name))
            if option.scenario and float(dict(option.values)[COUNT]) == seen["servers"].value
        )
        assert of_scenario(some(option.scenario), [cost])[cost].value == seen[cost].value
