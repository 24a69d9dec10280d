"""Points from a profile: mistakes are told before anything runs, what does not go together is a point with a reason."""

from __future__ import annotations

from pathlib import Path

import pytest

from app.planning.points import Candidate, candidates
from models.jobs.mapreduce import MapReduce
from models.planning.grid import axis, combined
from models.problem import ProblemError
from models.scenario import Scenario
from models.storage.hdfs.system import Hdfs
from profiles.loading.loader import Variants
from tests.narrow import as_a, some

COUNT, INPUT, REPLICAS = "cluster.groups.workers.count", "workload.input", "storage.replication"


def points(
    varied: dict[str, str], profile: str = "hdfs-terasort", settings: dict[str, str] | None = None
) -> list[Candidate]:
    axes = [axis(key, text) for key, text in varied.items()]
    return candidates(profile, settings or {}, combined(axes))


def test_points_of_a_text_are_those_of_its_file() -> None:
    text = 'extends = "hdfs-terasort"\n'
    variants = Variants.of_text(text, Scenario, path=Path("mine.toml"))
    (candidate,) = candidates(variants, {}, [((COUNT, "4"),)])
    assert some(candidate.scenario).cluster == some(points({COUNT: "4"})[0].scenario).cluster


def complaints(varied: dict[str, str]) -> list[str]:
    with pytest.raises(ProblemError) as refused:
        points(varied)
    return [str(problem) for problem in refused.value.problems]


def test_each_point_is_the_profile_with_its_values() -> None:
    every = points({COUNT: "4,8", INPUT: "1 GB,2 GB"}, settings={REPLICAS: "2"})
    assert [dict(point.values) for point in every] == [
        {COUNT: "4", INPUT: "1 GB"},
        {COUNT: "4", INPUT: "2 GB"},
        {COUNT: "8", INPUT: "1 GB"},
        {COUNT: "8", INPUT: "2 GB"},
    ]
    scenarios = [some(point.scenario) for point in every]
    assert [planned.cluster.groups["workers"].count for planned in scenarios] == [4, 4, 8, 8]
    assert [as_a(MapReduce, planned.workload).input for planned in scenarios] == [1e9, 2e9, 1e9, 2e9]
    assert {as_a(Hdfs, planned.storage).replication for planned in scenarios} == {2}


def test_all_wrong_values_are_told_at_once_with_what_fits() -> None:
    messages = complaints({COUNT: "4,0,four", INPUT: "1 GB,5 s", "cluster.netwrok.racks": "2"})
    assert messages == [
        "--vary: cluster.groups.workers.count: expected a whole number (got 'four')",
        "--vary: cluster.groups.workers.count: must be at least 1 (got 0)",
        "--vary: cluster.netwrok: unknown key; did you mean 'network'?",
        "--vary: workload.input: expected a size such as '64 MiB' or '2 TB' (got '5 s'): 's' is a time",
    ]


def test_a_part_that_does_not_ship_is_a_wrong_value() -> None:
    (message,) = complaints({"storage": "hdfs,hdfss"})
    assert message.startswith("--vary: storage: nothing is named 'hdfss' in 'storage'; did you mean 'hdfs'")


def test_data_that_does_not_fit_is_a_point_with_a_reason() -> None:
    small, large = points({INPUT: "1 GB,1 PB"})
    assert small.scenario is not None
    assert large.scenario is None
    assert large.reason.startswith("workload: the data needs 4 PB of raw capacity, storage.servers has 192 TB")


def test_a_key_that_only_some_parts_have_is_right_with_those() -> None:
    axes = [axis("storage", "hdfs,minio"), axis("storage.parity", "3,4")]
    listed = candidates("minio-terasort", {}, combined(axes))
    assert [candidate.scenario is None for candidate in listed] == [True, True, False, False]
    assert "parity" in listed[0].reason


def test_what_is_wrong_with_every_point_is_told_once() -> None:
    with pytest.raises(ProblemError) as refused:
        points({COUNT: "4,8"}, settings={"storage.replicas": "2"})
    assert [str(problem) for problem in refused.value.problems] == [
        "--set: storage.replicas: unknown key; did you mean 'replication'?"
    ]


def test_a_profile_that_is_not_there_is_told_once() -> None:
    with pytest.raises(ProblemError, match="no profile is named 'hdfs-terasrt'"):
        points({COUNT: "4,8"}, "hdfs-terasrt")
