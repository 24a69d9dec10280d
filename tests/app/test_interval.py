"""Every answer says how sure it is: an interval, why, and what it assumes."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest

from app.planning.assumptions import knobs
from app.planning.capacity import early
from app.planning.drawing import changes
from app.planning.loading import choose, load_profile
from app.planning.predicting import Features, extrapolations, written
from app.planning.running import run
from app.reports.forms import document_text
from app.reports.prediction_report import Assumption, Prediction
from app.reports.run import run_brief, run_json
from models.planning.growth import Missed
from models.scenario import Scenario
from models.target import target
from profiles.loading.loader import load
from profiles.shipped.validated import Validated, validated, write_validated
from simulator.studies.growth import Checked, Held
from simulator.studies.measures import Measure
from simulator.studies.points import Answer, PointFailure
from tests.app.conftest import Type

SMALL = ("hdfs-terasort", "--set", "workload.input=2 GB", "--set", "workload.reduces=48")
SMALL_PROFILE = ("hdfs-terasort", {"workload.input": "2 GB", "workload.reduces": "48"})
JOB_START = "workload.framework.job_start"
ROW = Validated(
    id="mapreduce/sort",
    family="mapreduce",
    question="mapreduce on hdfs",
    limit="cpu",
    error=0.1,
    unit="s",
    source="a report",
    numbers={"servers": 12.0},
    assumed=("seek",),
    fitted=2,
)


def test_an_answer_without_an_interval_does_not_speak_of_one(type_: Type) -> None:
    text = type_(*SMALL, "--interval", "none").out
    assert "likely" not in text
    assert json.loads(type_(*SMALL, "--format", "json", "--interval", "none").out)["prediction"] is None


def test_each_scenario_of_a_comparison_has_an_interval(type_: Type, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("HEADROOM_INTERVAL")
    small = (
        "hdfs-wordcount",
        "--set",
        "workload.input=2 GB",
        "--set",
        "workload.reduces=48",
        "--replications",
        "1",
        "--workers",
        "1",
        "--format",
        "json",
    )
    scenarios = json.loads(type_("compare", "hdfs-terasort", *small).out)["scenarios"]
    assert all(
        scenario["prediction"]["low"] < scenario["duration_s"] < scenario["prediction"]["high"]
        for scenario in scenarios
    )


def test_points_of_a_sweep_have_low_and_high_from_draws_at_the_best_of_them(type_: Type, tmp_path: Path) -> None:
    varied = ("--vary", "cluster.groups.workers.count=6,12,24", "--vary", "workload.input=2 GB,0 B")
    asked = (
        "sweep",
        "hdfs-terasort",
        *varied,
        "--interval",
        "fast",
        "--workers",
        "1",
        "--store",
        str(tmp_path / "points"),
    )
    data = json.loads(type_(*asked, "--format", "json").out)
    points = [point for point in data["points"] if point["reason"] is None]
    assert all(point["prediction"]["low"] < point["duration_s"] < point["prediction"]["high"] for point in points)
    assert [point["prediction"] for point in data["points"] if point["reason"]] == [None] * (6 - len(points))
    assert data["points"][data["best"]]["prediction"]["assumptions"]
    header, *rows = type_(*asked, "--format", "csv").out.splitlines()
    assert header.split(",")[5:7] == ["duration low (s)", "duration high (s)"]
    assert len(rows) == 6
    assert ", likely " in type_(*asked).out


def test_a_capacity_plan_says_between_which_months_the_cluster_is_full(type_: Type) -> None:
    data = json.loads(type_("capacity", "growth-hdfs", "--interval", "fast", "--format", "json").out)
    sure = data["prediction"]
    low, high = sure["full"]
    assert low < data["growth"]["full"]["date"] < high
    assert sure["low"] < data["effective"] < sure["high"]
    assert sum(assumption["share"] for assumption in sure["assumptions"]) == pytest.approx(1.0)
    assert sure["assumptions"][0]["key"].startswith("planning.")


@pytest.mark.parametrize(("high", "month"), [(100.0, 4), (105.0, 3), (300.0, 1)])
def test_a_growing_job_may_miss_its_target_as_early_as_its_interval_is_wide(high: float, month: int) -> None:
    scenario = load("growth-hdfs", Scenario).scenario
    took = {i: {"duration": Measure(90.0 + 5 * i, "s", False)} for i in (1, 2, 3, 4)}
    days = [Checked(date(2027, i, 1), scenario, took[i], None, "late" if i > 3 else None) for i in took]
    held = Held([target("duration <= 108 s")], days, Missed(days[-1].day, "late"), 4)
    sure = Prediction(measure="duration", unit="s", value=100.0, level=0.8, low=50.0, high=high, why=(), is_inside=True)
    assert early(held, sure) == date(2027, month, 1)


def test_equal_questions_have_equal_intervals_that_hold_the_answer() -> None:
    once, again = (run(choose(*SMALL_PROFILE), seed=0, replications=1, on_event=None, interval="fast") for _ in "12")
    prediction = once.prediction
    assert prediction is not None
    assert prediction == again.prediction
    assert prediction.low < once.result.duration < prediction.high
    assert prediction.why
    text = document_text.render(run_brief.document(once))
    assert f", likely {prediction.likely}" in text
    data = run_json.contract(once)["prediction"]
    assert data is not None
    assert data["level"] == 0.8


def test_draws_that_measure_nothing_or_fail_are_left_out_with_their_draw() -> None:
    answer = Answer.of(run(choose(*SMALL_PROFILE), seed=0, replications=1, on_event=None).result)
    rates = [replace(answer, leading={"rate": (rate,)}) for rate in (200.0, 0.0, 50.0)]
    answers: dict[int, Answer | PointFailure] = dict(enumerate([*rates, PointFailure("no room")], 1))
    assert changes(answers, "rate", 100.0) == {1: math.log(2), 3: math.log(0.5)}


def test_a_number_that_is_stated_is_no_longer_assumed() -> None:
    assumed = [
        {knob.numbers[0].key for knob in knobs(choose("hdfs-terasort", changes).loaded)}
        for changes in ({}, {JOB_START: "8 s"})
    ]
    assert assumed[0] - assumed[1] == {JOB_START}


def test_numbers_of_one_part_are_drawn_together() -> None:
    loaded, _ = load_profile("hdfs-terasort")
    names = [knob.name for knob in knobs(loaded)]
    assert len(names) == len(set(names))
    assert all(number.low < number.high for knob in knobs(loaded) for number in knob.numbers)


def test_what_lies_beyond_the_validated_runs_is_said() -> None:
    near = Features("mapreduce on hdfs", "cpu", {"servers": 14.0})
    assert list(extrapolations(near, [ROW])) == []
    far = Features("mapreduce on hdfs", "drives", {"servers": 100.0})
    assert list(extrapolations(far, [ROW])) == [
        "held up by drives, validated were runs held up by cpu",
        "100 servers, validated was 12",
    ]
    many = Features("mapreduce on hdfs", "cpu", {"servers": 22_010.0})
    assert list(extrapolations(many, [ROW])) == ["22,000 servers, validated was 12"]
    assert list(extrapolations(far, [])) == ["mapreduce on hdfs was never validated"]


@pytest.mark.parametrize(("profile", "part"), [("hdfs-terasort", 0.5), ("hdfs-teragen", 1.0)])
def test_the_part_of_the_data_that_is_written_tells_runs_apart(profile: str, part: float) -> None:
    assert written(choose(profile, {}).scenario) == pytest.approx(part)


def test_reads_and_writes_together_were_not_validated_by_either() -> None:
    alone = [replace(ROW, question="requests on minio", numbers={"of the bytes written": 0.0})]
    mixed = Features("requests on minio", "cpu", {"of the bytes written": 0.3})
    assert list(extrapolations(mixed, alone)) == ["0.3 of the bytes written, validated was 0"]


def test_a_written_error_is_read_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "errors.json"
    write_validated([ROW], file)
    monkeypatch.setattr("profiles.shipped.validated.FILE", file)
    validated.cache_clear()
    try:
        assert validated() == (ROW,)
    finally:
        validated.cache_clear()


def test_the_ledger_names_the_cheapest_measurement_and_what_it_brings() -> None:
    drive = Assumption(
        key="cluster.groups.workers.server.bays.data.drive.read_bandwidth",
        kind="prior",
        source="data sheets",
        unit="B/s",
        low=2e8,
        likely=2.5e8,
        high=2.7e8,
        share=0.8,
    )
    assert drive.measurement.startswith("measure one drive with fio")
    assert drive.gain == "the interval halves"


@pytest.mark.parametrize(
    ("key", "acts_with"),
    [
        ("cluster.groups.workers.server.nic.burst_time", "cluster.groups.workers.server.nic.baseline=1 Gbit/s"),
        ("workload.framework.compress_cpu", "workload.framework.compression=0.5"),
    ],
)
def test_a_number_is_assumed_where_it_does_something(key: str, acts_with: str) -> None:
    def assumed(changes: dict[str, str]) -> set[str]:
        return {number.key for knob in knobs(choose("hdfs-terasort", changes).loaded) for number in knob.numbers}

    assert key not in assumed({})
    assert key in assumed(dict([acts_with.split("=")]))
