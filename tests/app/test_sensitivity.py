"""`simulate sensitivity`: what an answer depends on."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.app.conftest import Type

SMALL = ("sensitivity", "--profile", "hdfs-terasort", "--set", "workload.input=5 GB", "--workers", "1")
INPUT = ("--input", "workload.cpu=1 ns/B..180 ns/B", "--samples", "8", "--set", "workload.reduces=96")


def test_without_inputs_the_levers_are_told_with_what_they_are_worth(type_: Type) -> None:
    ended = type_(*SMALL, "--set", "prices=aws-on-demand-2019")
    assert (ended.status, ended.err) == (0, "")
    text = " ".join(ended.out.split())
    assert "Most gained by workers: processors 10 % faster" in text
    assert "workers: 2 more servers" in text
    assert "65,595 USD" in text  # two of 32,797 USD a year


def test_an_uncertain_input_gives_a_band_and_a_swing(type_: Type) -> None:
    data = json.loads(type_(*SMALL, *INPUT, "--format", "json").out)
    assert data["schema"] == "headroom.sensitivity/1"
    quantiles = list(data["band"]["quantiles"].values())
    assert quantiles == sorted(quantiles)
    assert quantiles[0] < data["base"] < quantiles[-1]
    (swing,) = data["swings"]
    assert swing["low"] < swing["high"]
    assert data["band"]["count"] == 8
    assert data["warnings"] == []


def test_a_setting_that_limits_the_profile_is_told_as_no_better_part_would_help(type_: Type) -> None:
    delay = "workload.framework.locality_delay"
    job = ("s3a-tuning", "--set", "workload.input=200 MB", "--set", f"{delay}=40", "--workers", "1")
    data = json.loads(type_("sensitivity", "--profile", *job, "--format", "json").out)
    (told,) = data["warnings"]
    assert told.startswith("limited by a setting, not by hardware, for ")
    assert told.endswith(f"= 0 lets free containers begin at once ({delay}).")


def test_sobol_indices_come_when_they_are_asked_for(type_: Type) -> None:
    data = json.loads(type_(*SMALL, *INPUT, "--sobol", "8", "--format", "json").out)
    assert data["influences"][0]["key"] == "workload.cpu"


def test_a_study_with_choices_says_which_is_regretted_least(type_: Type, tmp_path: Path) -> None:
    path = tmp_path / "choices.toml"
    path.write_text(
        """kind = "sensitivity"
title = "More servers or not"
profile = "hdfs-terasort"
samples = 8
set = { "workload.input" = "20 GB", "workload.reduces" = "48" }
inputs = { "workload.cpu" = "100 ns/B..160 ns/B" }
[choices]
"few" = { "cluster.groups.workers.count" = "6" }
"many" = { "cluster.groups.workers.count" = "24" }
"""
    )
    page = tmp_path / "page.html"
    ended = type_("sensitivity", "--study", str(path), "--workers", "1", "--report", str(page))
    assert (ended.status, ended.err) == (0, "")
    assert "Least regret    many: at most 0 % worse than the best choice" in ended.out
    assert page.read_text().count("<svg") >= 3
    text = " ".join(ended.out.split())
    assert "Moved most by Core-seconds per input (or generated) byte of the whole job" in text
    assert "(workload.cpu):" in text
    assert "worth a year" not in text  # without prices nobody knows
    assert "5 % " in text


def test_a_choice_without_a_price_cannot_win(type_: Type, tmp_path: Path) -> None:
    path = tmp_path / "choices.toml"
    path.write_text(
        """kind = "sensitivity"
title = "More servers, or more memory"
profile = "hdfs-terasort"
samples = 8
set = { "workload.input" = "20 GB", "workload.reduces" = "48", "prices" = "aws-on-demand-2019" }
inputs = { "workload.cpu" = "100 ns/B..160 ns/B" }
[choices]
"as it is" = {}
"more drives" = { "cluster.groups.workers.server.bays.data.count" = "64" }
"""
    )
    ended = type_("sensitivity", "--study", str(path), "--workers", "1")
    assert (ended.status, ended.err) == (0, "")
    assert "Least regret    as it is: at most 0 % worse than the best choice" in ended.out
    text = (
        "'more drives' is not weighed, price unknown: the list has none for h1.16xlarge with 64 drives, priced with 8"
    )
    assert text in " ".join(ended.out.split())


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ([], "--profile: missing: name a shipped profile or a TOML file, or a --study"),
        (["--profile", "hdfs-sort", "--input", "workload.cpu=5"], "--input: workload.cpu: expected a range such as"),
        (
            ["--profile", "hdfs-sort", "--set", "workload.input=1 GB", "--input", "workload.cpuu=1 ns/B..2 ns/B"],
            "workload.cpuu",
        ),
        (
            ["--profile", "hdfs-terasort", "--set", "workload.input=5 GB", "--measure", "durations", "--workers", "1"],
            "there is no measure 'durations'; did you mean 'duration'?",
        ),
        (
            ["--profile", "hdfs-terasort", "--set", "workload.input=5 GB", "--measure", "usable", "--workers", "1"],
            "--measure: 'usable' is better when there is more of it; name one of which less is better",
        ),
        (["--profile", "sizing-hdfs-10pb", "--workers", "1"], "--measure: 'duration' is 0; name one of which less"),
        (["--profile", "hdfs-sort", "--sobol", "10"], "expected a power of two such as 64 (got 10)"),
        (
            ["--profile", "hdfs-sort", "--input", "workload.cpu=1 ns/B..2 ns/B", "--set", "workload.cpu=1 ns/B"],
            "--input: workload.cpu: is also set to one value; remove one of the two",
        ),
        (["--study", "terasort-servers"], "run it with: simulate sweep --study terasort-servers"),
        (
            ["--study", "terasort-depends-on", "--measure", "cost"],
            "--study: states measure itself; remove these options",
        ),
    ],
)
def test_a_mistake_is_told_without_a_traceback(type_: Type, words: list[str], message: str) -> None:
    ended = type_("sensitivity", *words)
    assert (ended.status, ended.out) == (2, "")
    assert message in ended.err


def test_a_choice_on_which_an_input_means_nothing_is_refused_before_anything_runs(type_: Type, tmp_path: Path) -> None:
    """Flash does not seek, so it has no mixed_chunk."""
    path = tmp_path / "flash.toml"
    path.write_text(
        """kind = "sensitivity"
title = "Flash or not"
profile = "hdfs-terasort"
[inputs]
"cluster.groups.workers.server.bays.data.drive.mixed_chunk" = "500 kB..900 kB"
[choices]
"flash" = { "cluster.groups.workers.server" = "nvme-25gbe" }
"""
    )
    ended = type_("sensitivity", "--study", str(path))
    assert (ended.status, ended.out) == (2, "")
    assert "mixed_chunk: acts only with a seek_time" in ended.err


def test_a_part_that_changes_nothing_is_worth_nothing(type_: Type) -> None:
    data = json.loads(type_(*SMALL, "--set", "prices=aws-on-demand-2019", "--format", "json").out)
    (root,) = [gain for gain in data["levers"] if gain["name"] == "workers: root volume 10 % faster"]
    assert (root["change"], root["worth"]) == (0, 0)
