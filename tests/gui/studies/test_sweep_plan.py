"""What a sweep asks for, as it is typed: points, or what is wrong in which row; a point as a profile's text."""

from __future__ import annotations

from pathlib import Path

import pytest

from app.gui.session.command_line import study_command, study_options
from app.gui.session.points import misfits, planned, point_text, proposal, time_needed
from models.planning.grid import Axis
from models.scenario import Scenario
from profiles.loading.loader import load_text
from tests.gui.conftest import SMALL

COUNT, INPUT, REPLICAS = "cluster.groups.workers.count", "workload.input", "storage.replication"
BASE = Path("small.toml")


def test_rows_become_all_combinations_or_pairs() -> None:
    rows = [(COUNT, "4,8"), (INPUT, "1 GB..2 GB:1 GB")]
    assert len(planned(rows).points) == 4
    assert planned(rows, zipped=True).points == (
        ((COUNT, "4"), (INPUT, "1 GB")),
        ((COUNT, "8"), (INPUT, "2 GB")),
    )


@pytest.mark.parametrize(
    ("row", "message"),
    [
        (("", "1"), "choose a key"),
        ((INPUT, ""), "expected values such as 4,8,12"),
        ((INPUT, "4..1:1"), "a range goes up"),
        ((COUNT, "9"), "named twice"),
    ],
)
def test_what_is_wrong_is_told_at_its_row(row: tuple[str, str], message: str) -> None:
    plan = planned([(COUNT, "4,8"), row])
    assert list(plan.wrong) == [1]
    assert message in plan.wrong[1]
    assert not plan.is_right


def test_pairs_of_unlike_length_are_told_of_all_rows_together() -> None:
    assert "each key needs as many" in planned([(COUNT, "4,8"), (INPUT, "1 GB")], zipped=True).clash


def test_keys_and_values_that_the_profile_cannot_have_are_told() -> None:
    axes = [Axis(COUNT, ("4", "8")), Axis(REPLICAS, ("2", "x")), Axis("workload.inptu", ("1 GB",))]
    texts = misfits(axes, SMALL, BASE)
    assert list(texts) == [1, 2]
    assert "expected a whole number (got 'x')" in texts[1]
    assert "did you mean 'input'?" in texts[2]


@pytest.mark.parametrize(
    ("typed", "choices", "values"),
    [
        ("12", (), "6,12,24"),
        ("1", (), "1,2"),
        ("5 GB", (), "2.5 GB,5 GB,10 GB"),
        ("0.5", (), "0.25,0.5,1"),
        ("hdfs", ("hdfs", "minio"), "hdfs,minio"),
        ("not set", (), ""),
        ("some text", (), "some text"),
    ],
)
def test_values_are_proposed_around_the_present_one(typed: str, choices: tuple[str, ...], values: str) -> None:
    assert proposal(typed, choices) == values


def test_a_point_is_the_profile_with_its_lines_changed() -> None:
    text = point_text(SMALL, BASE, ((COUNT, "4"), (INPUT, "1 GB")))
    assert 'title = "Small TeraSort"' in text
    scenario = load_text(text, Scenario, path=BASE).scenario
    assert (scenario.cluster.groups["workers"].count, scenario.workload.input) == (4, 1e9)


def test_the_time_is_shared_among_the_workers_and_no_more_than_there_are_points() -> None:
    assert time_needed(10, 60, then=1, now=2) == "about 5 min 0 s"
    assert time_needed(1, 60, then=1, now=8) == "about 1 min 0 s"


def test_a_study_is_copied_as_the_command_that_asks_for_the_same() -> None:
    options = study_options({COUNT: "4", "storage.replication": "2"}, [(COUNT, "4..8:4")], seed=3, replications=1)
    assert study_command("sweep", "hdfs-terasort", [*options, ("--zip", True), ("--scheduler", None)]) == (
        "simulate sweep --profile hdfs-terasort --set storage.replication=2"
        " --vary cluster.groups.workers.count=4..8:4 --seed 3 --zip"
    )
