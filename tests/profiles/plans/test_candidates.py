"""`PLAN#CANDIDATE` where a profile may stand: the same profile that the plan's search starts from."""

from __future__ import annotations

from pathlib import Path

import pytest

from models.problem import ProblemError
from profiles.loading.loader import seen_from
from profiles.plans.candidates import load_scenario, split, taken, targets_of, variants_of
from profiles.plans.sheet import COUNT, sheet, sheet_of_text

REQUIRED = """
kind = "plan"
title = "Sorts beside reads"
prices = "on-premises-2024"

[requirements]
start = "2027-01-01"
stored = "100 TB"
annual_growth = "30 %"
survives_writing = "1 server"
budget = "1 M USD"
"""
JOB = """
[[requirements.workloads]]
name = "nightly"
use = "terasort"
input = "200 GB"
every = "1 h"
deadline = "10 min"
grows = true
"""
LOAD = """
[[requirements.workloads]]
name = "reads"
kind = "requests"
rate = "200 1/s"
mix.GET = { action = "get", size = "1 MiB" }
objectives = ["GET latency p99 <= 2 s"]
"""
CANDIDATES = """
[candidates."HDFS, 3x"]
storage = "hdfs"
servers = "hdd-25gbe"
count = "4..12:4"
vary = { "storage.block_size" = "256 MiB,512 MiB" }
set = { "workload.reduces" = "100" }

[candidates.MinIO]
storage = "minio"
servers = "hdd-25gbe"
count = "4,8"
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "one.toml").write_text(REQUIRED + JOB + CANDIDATES)
    (tmp_path / "apart.toml").write_text(REQUIRED + JOB + LOAD + CANDIDATES.replace('set = { "workload.r', "# "))
    beside = JOB + 'beside = ["reads"]\n'
    (tmp_path / "beside.toml").write_text(REQUIRED + beside + LOAD + CANDIDATES.replace('set = { "workload.r', "# "))
    return tmp_path


@pytest.mark.parametrize("name", ["one.toml#hdfs-3x", "one.toml#HDFS, 3x", "./one.toml#HDFS 3X"])
def test_a_candidate_is_named_as_the_plan_does_or_with_hyphens(folder: Path, name: str) -> None:
    scenario = load_scenario(name, {}).scenario
    assert (scenario.storage.system, scenario.cluster.groups["servers"].count) == ("hdfs", 4)


def test_its_profile_has_the_first_values_of_what_the_plan_varies_and_what_the_candidate_sets(folder: Path) -> None:
    values = load_scenario("one.toml#hdfs-3x", {}).values
    assert (values["storage.block_size"], values["workload.reduces"]) == ("256 MiB", 100)


def test_changes_stand_above_what_the_plan_says(folder: Path) -> None:
    plan, point = sheet("one.toml"), ((COUNT, "8"), ("storage.block_size", "1 GiB"))
    there = plan.loaded_at("HDFS, 3x", point, plan.plan.requirements.workloads).scenario
    assert variants_of("one.toml#hdfs-3x").load(dict(point)).scenario == there


def test_workloads_that_run_apart_follow_the_name_of_their_candidate(folder: Path) -> None:
    assert list(sheet("apart.toml").candidate_runs()) == [
        "hdfs-3x-nightly",
        "hdfs-3x-reads",
        "minio-nightly",
        "minio-reads",
    ]
    assert load_scenario("apart.toml#minio-reads", {}).scenario.workload.kind == "requests"


def test_candidates_whose_names_differ_in_signs_alone_are_numbered() -> None:
    text = REQUIRED + CANDIDATES.replace("[candidates.MinIO]", '[candidates."hdfs 3x"]')
    assert list(sheet_of_text(text, Path("plan.toml")).candidate_runs()) == ["hdfs-3x", "hdfs-3x-2"]


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("one.toml#minoi", "one.toml: candidates: no such candidate and run: 'minoi'; did you mean 'minio'?"),
        (
            "one.toml#",
            "one.toml: candidates: no such candidate and run: ''; there are 'one.toml#hdfs-3x' or 'one.toml#minio'",
        ),
        (
            "apart.toml#MinIO",
            "apart.toml: candidates: no such candidate and run: 'MinIO'; "
            "there are 'apart.toml#minio-nightly' or 'apart.toml#minio-reads'",
        ),
        ("none.toml#MinIO", "no such file: 'none.toml'; did you mean 'one.toml'?"),
        (
            "one.toml",
            "one.toml:2: kind: expected a profile (got a study of kind 'plan'); run it with: "
            "simulate plan --study one.toml; one of its candidates is a profile: one.toml#CANDIDATE",
        ),
        (
            "hdfs-or-minio",
            "planner/hdfs-or-minio.toml:3: kind: expected a profile (got a study of kind 'plan'); run it with: "
            "simulate plan --study hdfs-or-minio; one of its candidates is a profile: hdfs-or-minio#CANDIDATE",
        ),
    ],
)
def test_what_is_no_candidate_is_told_with_those_that_are(folder: Path, name: str, message: str) -> None:
    with pytest.raises(ProblemError) as caught:
        load_scenario(name, {})
    assert str(caught.value) == message


def test_a_file_whose_name_has_the_sign_is_that_file(folder: Path) -> None:
    (folder / "a#b").write_text("")
    assert split("a#b") is None
    assert split("a#b.toml") is None
    assert split("hdfs-terasort") is None
    assert taken("hdfs-terasort") is None


def test_a_plan_requires_of_a_candidate_what_a_run_of_its_workloads_measures(folder: Path) -> None:
    assert targets_of("one.toml#minio") == ("survives_writing_servers >= 1", "duration <= 10 min")
    assert targets_of("apart.toml#minio-reads") == ("survives_writing_servers >= 1", "get_latency_p99 <= 2 s")
    assert targets_of("beside.toml#minio") == (
        "survives_writing_servers >= 1",
        "nightly_worst_duration <= 10 min",
        "reads_get_latency_p99 <= 2 s",
    )
    assert targets_of("hdfs-terasort") == ()


def test_only_the_workload_that_the_plan_lets_grow_grows_in_the_profile(folder: Path) -> None:
    growth = load_scenario("beside.toml#minio", {}).scenario.growth
    assert growth is not None
    assert (growth.workload_grows, growth.growing_workloads) == (False, ("nightly",))


def test_a_study_names_candidates_of_a_plan_beside_it_and_of_no_plan_elsewhere(folder: Path) -> None:
    assert seen_from("one.toml#minio", "studies/mine.toml") == "studies/one.toml#minio"
    assert seen_from("#" * 5000, "studies/mine.toml") == "#" * 5000
    with pytest.raises(ProblemError, match=r"'/etc/plan\.toml' is not read"):
        seen_from("/etc/plan.toml#minio", "studies/mine.toml")
