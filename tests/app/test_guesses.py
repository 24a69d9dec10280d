"""Numbers that a profile guesses and gives no range: they have that of the default in their place, or are named."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

from app.planning.assumptions import knobs, left_out
from app.planning.loading import choose
from app.planning.running import run
from models.scenario import Scenario
from profiles.loading.loader import Loaded, load, load_text
from profiles.shipped.validated import validated
from profiles.text.dump import dump

GUESSED = """
[profile]
title = "Sort on drives that nobody has measured"

[cluster.groups.workers]
server = { use = "hdd-25gbe", bays.data = { drive = "drive.toml" } }
count = 4
source = "assumed: what we would buy"

[storage]
use = "hdfs"

[workload]
use = "sort"
framework = "yarn"
input = "100 GB"
reduces = 48
source = "documented: the nightly sort"
"""
DRIVE = 'technology = "hdd"\ncapacity = "4 TB"\nread_bandwidth = "200 MB/s"\nsource = "{source}"\n'
RATE = "cluster.groups.workers.server.bays.data.drive.read_bandwidth"


def guessed(folder: Path, source: str, changes: dict[str, str] | None = None) -> Loaded[Scenario]:
    """Return a profile on drives of a file whose numbers have that source, and no range."""
    (folder / "drive.toml").write_text(DRIVE.format(source=source), encoding="utf-8")
    file = folder / "guessed.toml"
    file.write_text(GUESSED, encoding="utf-8")
    return load(file, Scenario, changes or {})


@pytest.mark.parametrize(
    ("source", "is_drawn"),
    [("assumed: much as ours", True), ("prior: of its kind", True), ("measured: fio", False), ("documented: x", False)],
)
def test_a_guess_without_a_range_is_as_unsure_as_the_default_in_its_place(
    tmp_path: Path, source: str, *, is_drawn: bool
) -> None:
    """0.8 to 1.15 times 200 MB/s, and not among what validated profiles assumed."""
    rates = [(k.name, n) for k in knobs(guessed(tmp_path, source)) for n in k.numbers if n.key == RATE]
    assert [(n.low, n.likely, round(n.high)) for _, n in rates] == [(160e6, 200e6, 230_000_000)] * is_drawn
    assert not {name for name, _ in rates} & {name for row in validated() for name in row.assumed}


def test_what_is_set_for_a_run_is_the_question_and_no_guess(tmp_path: Path) -> None:
    loaded = guessed(tmp_path, "assumed: much as ours", {RATE: "250 MB/s", "cluster.groups.workers.count": "5"})
    assert RATE not in {number.key for knob in knobs(loaded) for number in knob.numbers}
    assert left_out(loaded) == ["cluster.groups.workers.server.bays.data.drive.capacity"]


def test_guesses_that_nothing_says_the_range_of_are_named_in_the_answer(tmp_path: Path) -> None:
    guessed(tmp_path, "assumed: much as ours")
    report = run(choose(str(tmp_path / "guessed.toml"), {}), seed=0, replications=1, on_event=None, interval="fast")
    assert report.prediction is not None
    capacity = "cluster.groups.workers.server.bays.data.drive.capacity"
    told = f"not in it: {capacity}, cluster.groups.workers.count, assumed without a range ([TABLE.ranges])"
    assert report.prediction.why[-1] == told


def test_a_guess_of_a_file_makes_an_interval_no_narrower_than_the_prior_in_its_place(tmp_path: Path) -> None:
    def width(text: str) -> float:
        (tmp_path / "drive.toml").write_text(text, encoding="utf-8")
        report = run(choose(str(tmp_path / "guessed.toml"), {}), seed=0, replications=1, on_event=None, interval="fast")
        assert report.prediction is not None
        return math.log(report.prediction.high / report.prediction.low)

    guessed(tmp_path, "assumed: much as ours")
    usual = 'technology = "hdd"\ncapacity = "4 TB"\nsource = "documented: offer"\n'
    assert width(DRIVE.format(source="assumed: much as ours")) >= width(usual)


def test_guesses_of_a_profile_from_its_own_text_are_off_together_as_before(tmp_path: Path) -> None:
    loaded = guessed(tmp_path, "assumed: much as ours")
    again = load_text(dump(loaded.resolved), Scenario)
    assert [(knob.name, knob.numbers) for knob in knobs(again)] == [(k.name, k.numbers) for k in knobs(loaded)]
