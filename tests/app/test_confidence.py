"""A sizing may ask for certainty: the targets for the run are met in so many of the cases."""

from __future__ import annotations

import json

from app.reports.prediction_report import Prediction
from models.target import target
from tests.app.conftest import Type

ASKED = (
    *(
        "size",
        "hdfs-terasort",
        "--set",
        "workload.input=2 GB",
        "--set",
        "workload.reduces=48",
        "--vary",
        "cluster.groups.workers.count=5,8",
    ),
    *("--format", "json", "--target"),
)


def test_certainty_rejects_what_meets_the_target_by_a_hair(type_: Type) -> None:
    durations = {
        option["values"]["cluster.groups.workers.count"]: option["duration_s"]
        for option in json.loads(type_(*ASKED, "duration <= 1 h").out)["options"]
        if option["duration_s"]
    }
    least = durations["5"]
    sure = type_(*ASKED, f"duration <= {1.01 * least:.2f} s", "--confidence", "95%")
    data = json.loads(sure.out)
    first = data["options"][0]
    assert first["duration_s"] <= 1.01 * least
    assert first["chance"] < 0.95
    assert "of the cases, not in 95 %" in first["reason"]
    assert data["confidence"] == 0.95


def test_the_price_of_certainty_is_told_beside_an_option_that_cannot_be_run(type_: Type) -> None:
    asked = ("--set", "workload.generated=2 GB", "--vary", "storage.replication=16,3", "--target", "usable >= 1 TB")
    ended = type_("size", "hdfs-teragen", *asked, "--confidence", "90%")
    assert ended.status == 0
    assert "targets for the run are met in 100 % of the cases" in ended.out
    assert "lower it or add servers (got 16)" in ended.out


def test_a_confidence_that_is_no_part_is_refused(type_: Type) -> None:
    ended = type_(*ASKED, "duration <= 1 h", "--confidence", "150%")
    assert ended.status == 2
    assert "between 0 and 1" in ended.err


def test_chance_of_a_target_is_a_half_at_the_likely_value() -> None:
    prediction = Prediction(
        measure="duration",
        unit="s",
        value=100.0,
        level=0.8,
        low=80.0,
        high=125.0,
        why=(),
        is_inside=True,
        variance=0.03,
    )
    assert prediction.chance(target("duration <= 100 s")) == 0.5
    assert prediction.chance(target("duration <= 125 s")) > 0.89
    assert prediction.chance(target("duration >= 125 s")) < 0.11
