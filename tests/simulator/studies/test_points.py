"""Points of a study: which are the same, and what is kept of them."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from models.scenario import ProfileInfo, Scenario
from models.target import plain
from profiles.loading.loader import load
from simulator.run import simulate
from simulator.studies.measures import measures
from simulator.studies.names import measured_by
from simulator.studies.points import Answer, Point, PointFailure, answer
from tests.simulator.small import generation, refused, sort

ROOT = Path(__file__).parents[3]


def test_points_that_give_the_same_answer_have_the_same_key() -> None:
    scenario = sort()
    named = scenario.model_copy(update={"profile": ProfileInfo(title="another title")})
    point = Point(scenario=scenario)
    assert Point(scenario=sort(), values=(("workload.input", "6 GB"),), profile="x").key == point.key
    assert Point(scenario=named).key == point.key


def test_scenario_seed_and_replications_are_each_part_of_the_key() -> None:
    points = [
        Point(scenario=sort()),
        Point(scenario=generation()),
        Point(scenario=sort(), seed=1),
        Point(scenario=sort(), replications=2),
        Point(scenario=sort(), seed=1, replications=2),
    ]
    assert len({point.key for point in points}) == len(points)


def test_a_key_is_the_same_in_every_process() -> None:
    script = """
from simulator.studies.points import Point
from tests.simulator.small import sort
print(Point(scenario=sort()).key)
"""
    keys = {
        subprocess.check_output([sys.executable, "-c", script], cwd=ROOT, env=os.environ | {"PYTHONHASHSEED": seed})
        for seed in "12"
    }
    assert keys == {f"{Point(scenario=sort()).key}\n".encode()}


def test_an_answer_is_what_the_run_says_without_its_series() -> None:
    result = simulate(sort(), seed=3, replications=2)
    whole = answer(Point(scenario=sort(), seed=3, replications=2))
    assert isinstance(whole, Answer)
    assert (whole.durations, whole.interval, whole.groups) == (result.durations, result.interval, result.groups)
    assert (whole.metrics, whole.stages) == (result.metrics, result.stages)


def test_an_answer_survives_its_json_to_the_last_digit() -> None:
    for runs in (1, 2):
        whole = Answer.of(simulate(sort(), replications=runs))
        assert Answer.from_json(whole.to_json()) == whole


def test_what_a_model_refuses_is_a_failure_with_its_reason() -> None:
    whole = answer(Point(scenario=refused()))
    assert whole == PointFailure("replication = 7: there are only 3 servers to hold replicas")


def test_a_fault_of_the_program_says_that_it_is_one() -> None:
    whole = answer(Point(scenario=sort(), replications=0))
    assert isinstance(whole, PointFailure)
    assert whole.is_fault
    text, _, path = whole.reason.partition("; the traceback is in ")
    assert text == "internal error: ValueError: replications must be >= 1 (got 0)"
    assert "replications must be" in Path(path).read_text()


def test_less_of_what_kept_data_needs_is_better_and_more_of_what_it_has() -> None:
    stored = load("sizing-hdfs-10pb", Scenario).scenario
    ended = answer(Point(scenario=stored))
    assert isinstance(ended, Answer)
    known = measures(stored, ended)
    asked = measured_by(["raw_needed"], [stored])
    for name, is_more_better in {"raw_needed": False, "servers_needed": False, "usable": True}.items():
        assert known[name].is_more_better == is_more_better
        assert asked[plain(name)].is_more_better == is_more_better
