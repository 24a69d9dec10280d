"""Points from a profile: mistakes are told before anything runs, what does not go together is a point with a reason."""

from __future__ import annotations

from pathlib import Path

import pytest

from app.planning.points import candidates
from models.planning.grid import axis, combined
from models.problem import ProblemError
from models.scenario import Scenario
from profiles.loader import Variants

COUNT, INPUT, REPLICAS = "cluster.groups.workers.count", "workload.input", "storage.replication"


def points(profile="hdfs-terasort", settings=None, **varied):
    axes = [axis(key, text) for key, text in varied.items()]
    return candidates(profile, settings or {}, combined(axes))


def test_points_of_a_text_are_those_of_its_file():
    text = 'extends = "hdfs-terasort"\n'
    variants = Variants.of_text(text, Scenario, path=Path("mine.toml"))
    (candidate,) = candidates(variants, {}, [((COUNT, "4"),)])
    assert candidate.scenario.cluster == points(**{COUNT: "4"})[0].scenario.cluster


def complaints(**varied):
    with pytest.raises(ProblemError) as refused:
        points(**varied)
    return [str(problem) for problem in refused.value.problems]


def test_each_point_is_the_profile_with_its_values():
    every = points(settings={REPLICAS: "2"}, **{COUNT: "4,8", INPUT: "1 GB,2 GB"})
    assert [dict(point.values) for point in every] == [
        {COUNT: "4", INPUT: "1 GB"},
        {COUNT: "4", INPUT: "2 GB"},
        {COUNT: "8", INPUT: "1 GB"},
        {COUNT: "8", INPUT: "2 GB"},
    ]
    assert [point.scenario.cluster.groups["workers"].count for point in every] == [4, 4, 8, 8]
    assert [point.scenario.workload.input for point in every] == [1e9, 2e9, 1e9, 2e9]
    assert {point.scenario.storage.replication for point in every} == {2}


def test_all_wrong_values_are_told_at_once_with_what_fits():
    messages = complaints(**{COUNT: "4,0,four", INPUT: "1 GB,5 s", "cluster.netwrok.racks": "2"})
    assert messages == [
        "--vary: cluster.groups.workers.count: expected a whole number (got 'four')",
        "--vary: cluster.groups.workers.count: must be at least 1 (got 0)",
        "--vary: cluster.netwrok: unknown key; did you mean 'network'?",
        "--vary: workload.input: expected a size such as '64 MiB' or '2 TB' (got '5 s'): 's' is a time",
    ]


def test_a_part_that_does_not_ship_is_a_wrong_value():
    (message,) = complaints(storage="hdfs,hdfss")
    assert message.startswith("--vary: storage: nothing is named 'hdfss' in 'storage'; did you mean 'hdfs'")


def test_data_that_does_not_fit_is_a_point_with_a_reason():
    small, large = points(**{INPUT: "1 GB,1 PB"})
    assert small.scenario is not None
    assert large.scenario is None
    assert large.reason.startswith("workload: the data needs 4000 TB of raw capacity, storage.servers has 192 TB")


def test_a_key_that_only_some_parts_have_is_right_with_those():
    axes = [axis("storage", "hdfs,minio"), axis("storage.parity", "3,4")]
    listed = candidates("minio-terasort", {}, combined(axes))
    assert [candidate.scenario is None for candidate in listed] == [True, True, False, False]
    assert "parity" in listed[0].reason


def test_what_is_wrong_with_every_point_is_told_once():
    with pytest.raises(ProblemError) as refused:
        points(settings={"storage.replicas": "2"}, **{COUNT: "4,8"})
    assert [str(problem) for problem in refused.value.problems] == [
        "--set: storage.replicas: unknown key; did you mean 'replication'?"
    ]


def test_a_profile_that_is_not_there_is_told_once():
    with pytest.raises(ProblemError, match="nothing is named 'hdfs-terasrt'"):
        points("hdfs-terasrt", **{COUNT: "4,8"})
