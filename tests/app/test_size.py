"""`simulate size`: the answer, the next best, and why not the others."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.app.conftest import Type

COUNT = "cluster.groups.workers.count"
SPACE = (
    "size",
    "--profile",
    "hdfs-terasort",
    "--set",
    "workload.input=10 GB",
    "--vary",
    f"{COUNT}=4,6,8,12",
    "--workers",
    "1",
)


def test_the_answer_names_the_option_its_measures_and_what_limits_it(type_: Type) -> None:
    ended = type_(*SPACE, "--target", "duration <= 10 min", "--target", "usable >= 25 TB")
    assert (ended.status, ended.err) == (0, "")
    text = " ".join(ended.out.split())
    assert "Answer 8 workers measures servers 8 meets duration <= 10 min: " in text
    assert "meets usable >= 25 TB: 30.13 TB, 21 % to spare limited by " in text
    assert "durability 10.1 nines a year for an object; the first loss after " in text
    assert (
        "rules filled to 80 %, room to rebuild 1 server up to 85 %, 100 GB of each drive reserved (hdfs-usual, " in text
    )
    assert "hint cluster.network.racks: all servers stand in one rack" in text
    assert "12 workers 12 not needed: with 8 workers every target is met with fewer servers" in text
    assert "4 workers 4 usable 12.91 TB, 12.09 TB short of 25 TB" in text
    assert "4 options, 1 simulated, 3 decided without a run." in text


def test_the_least_of_a_varied_key_can_be_asked_for(type_: Type) -> None:
    asked = ("size", "--profile", "hdfs-terasort", "--set", "workload.input=10 GB", "--workers", "1")
    varied = ("--vary", "workload.reduces=4,16,64", "--target", "duration <= 2 min")
    ended = type_(*asked, *varied, "--minimize", "workload.reduces")
    assert (ended.status, ended.err) == (0, "")
    text = " ".join(ended.out.split())
    assert "measures workload reduces " in text
    assert "every target is met with less (workload reduces)" in text


def test_the_least_of_a_varied_key_with_a_unit_can_be_asked_for(type_: Type) -> None:
    """How slow may the card be? Told in its own unit, and the least is not the first that stands there."""
    card = "cluster.groups.workers.server.nic.bandwidth"
    asked = (*SPACE, "--vary", f"{card}=25 Gbit/s,900 MB/s,10 Gbit/s", "--target", "usable >= 25 TB")
    ended = type_(*asked, "--minimize", card)
    assert (ended.status, ended.err) == (0, "")
    assert "measures cluster groups workers server nic bandwidth 900 MB/s" in " ".join(ended.out.split())
    wrong = type_(*asked, "--minimize", "the_card").err
    assert card.replace(".", "_") in wrong


def test_a_varied_key_of_names_has_no_least(type_: Type) -> None:
    varied = ("--vary", "workload.framework=yarn,yarn-h1", "--target", "duration <= 1 h")
    ended = type_(*SPACE, *varied, "--minimize", "workload.framework")
    assert ended.status == 2
    assert "minimize: nothing is measured by 'workload_framework' without a run" in ended.err


def test_a_mistyped_key_is_told_with_the_varied_one_that_is_nearest(type_: Type) -> None:
    ended = type_(
        *SPACE, "--vary", "workload.reduces=4,16", "--target", "duration <= 1 h", "--minimize", "workload.reduce"
    )
    assert ended.status == 2
    assert "did you mean 'workload_reduces'?" in ended.err


def test_a_rented_store_says_how_durable_it_is_and_no_time_to_a_loss(type_: Type) -> None:
    ended = type_(
        *("size", "published-s3-r4-large", "--vary", "cluster.groups.clients.count=1,2", "--set", "workload.count=500"),
        *("--target", "request rate >= 1 1/s", "--workers", "1", "--interval", "none"),
    )
    assert (ended.status, ended.err) == (0, "")
    assert "durability  11.0 nines a year for an object; as its provider says" in ended.out


def test_no_answer_is_exit_status_1_and_says_so(type_: Type) -> None:
    ended = type_(*SPACE, "--target", "usable >= 1 PB")
    assert ended.status == 1
    assert "no option meets every target" in ended.out
    assert "4 options, 0 simulated" in ended.out


def test_json_has_the_keys_of_the_contract(type_: Type) -> None:
    data = json.loads(type_(*SPACE, "--target", "usable >= 25 TB", "--format", "json").out)
    assert list(data) == [
        "schema",
        "title",
        "profile",
        "settings",
        "seed",
        "version",
        "targets",
        "minimize",
        "confidence",
        "prediction",
        "best",
        "next_best",
        "simulated",
        "was_stopped",
        "options",
        "warnings",
    ]
    assert data["schema"] == "headroom.size/1"
    assert data["best"]["values"] == {COUNT: "8"}
    (usable,) = data["best"]["targets"]
    assert usable["value"] / 25e12 - 1 == pytest.approx(usable["margin"])
    assert {piece["rule"] for piece in data["best"]["advice"]} == {"one-rack"}
    assert data["best"]["measures"]["durability"]["value"] > 9
    assert data["next_best"] is None
    assert [option["values"][COUNT] for option in data["options"]] == ["4", "6", "8", "12"]
    assert [option["was_simulated"] for option in data["options"]] == [False, False, True, False]


def test_a_study_states_all_that_the_options_would(type_: Type, tmp_path: Path) -> None:
    path = tmp_path / "study.toml"
    path.write_text(
        f"""kind = "size"
title = "Few servers"
profile = "hdfs-terasort"
targets = ["usable >= 25 TB"]
set = {{ "workload.input" = "10 GB" }}
vary = {{ "{COUNT}" = "6,8" }}
"""
    )
    ended = type_("size", "--study", str(path), "--workers", "1")
    assert (ended.status, ended.err) == (0, "")
    assert ended.out.startswith("Few servers\n")
    assert "Answer        8 workers" in ended.out


def test_an_option_whose_data_does_not_fit_is_a_reason_and_no_abort(type_: Type) -> None:
    words = ("size", "--profile", "hdfs-terasort", "--set", "workload.input=10 TB", "--vary", f"{COUNT}=1,3")
    ended = type_(*words, "--target", "usable >= 10 PB")
    assert ended.status in (1, 2)
    assert "Traceback" not in ended.err


@pytest.mark.parametrize(
    ("words", "messages"),
    [
        (
            ["--profile", "hdfs-terasort"],
            [
                "--target: missing: a sizing needs a target, such as 'duration <= 900 s'",
                "--vary: missing: a sizing needs a key to choose, such as cluster.groups.workers.count=4..64:4",
            ],
        ),
        (
            ["--profile", "hdfs-terasort", "--vary", f"{COUNT}=4,4", "--target", "faster", "--set", "x"],
            [
                "--set: expected KEY=VALUE such as",
                "--target: expected a target such as 'duration <= 900 s', 'usable >= 2 PB' or 'survives_writing 1",
                "--vary: cluster.groups.workers.count: the value 4 stands there twice",
            ],
        ),
        (
            ["--profile", "hdfs-terasort", "--vary", f"{COUNT}=4", "--target", "usable >= 1 s"],
            ["target: usable >= 1 s: expected a size such as '64 MiB' or '2 TB' (got '1 s')"],
        ),
        (
            [
                "--profile",
                "hdfs-terasort",
                "--vary",
                f"{COUNT}=4",
                "--target",
                "usable >= 1 TB",
                "--minimize",
                "cost over 3 years",
            ],
            ["minimize: 'cost_over_3_years' needs a price list, such as prices = \"on-premises-2024\""],
        ),
        (
            ["--study", "cheapest-terasort", "--minimize", "cost"],
            ["--study: states minimize itself; remove these options"],
        ),
    ],
)
def test_mistakes_are_told_at_once_before_anything_runs(type_: Type, words: list[str], messages: list[str]) -> None:
    ended = type_("size", *words)
    assert (ended.status, ended.out) == (2, "")
    for message in messages:
        assert message in ended.err
