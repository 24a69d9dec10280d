"""A comparison as a table: rows, columns, words and commands, without a window."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication

from app.gui.compare.jobs import Comparison, Side, command, compare_sides, study_toml
from app.gui.compare.model import CompareModel, bars, verdicts
from app.reports.differing import differing, summarised
from models.planning.study import FOLDER, Compare
from models.scenario import Scenario
from profiles.loading.loader import load

SMALL = {"workload.input": "20 GB"}
SWITCH = "planning.rebuild_waits"


@pytest.fixture(scope="module")
def comparison() -> Comparison:
    """Return twelve servers beside six, each run twice."""
    changes = {"twelve": SMALL, "six": {**SMALL, "cluster.groups.workers.count": "6"}}
    sides = tuple(
        Side(
            key=name,
            name=name,
            profile="hdfs-terasort",
            loaded=load("hdfs-terasort", Scenario, changed),
            changes=changed,
            colour=i,
        )
        for i, (name, changed) in enumerate(changes.items())
    )
    return compare_sides(lambda *_: None, Comparison(title="Twelve or six", sides=sides, seed=3, replications=2))


def column(model: CompareModel, index: int) -> list[str]:
    return [model.index(row, index).data() for row in range(model.rowCount())]


def test_only_what_differs_stands_above_the_measures(qapp: QApplication, comparison: Comparison) -> None:
    model = CompareModel()
    model.show(comparison)
    labels = column(model, 0)
    assert labels[:3] == ["What differs", "cluster.groups.workers", "Results"]
    assert column(model, 2)[1] == "6 × h1.16xlarge"
    assert "duration" in labels
    assert "limited by" in labels
    assert [model.is_heading(row) for row in range(4)] == [True, False, True, False]


def test_a_switch_that_differs_is_written_as_a_profile_has_it() -> None:
    values = [load("hdfs-terasort", Scenario, {SWITCH: told}).values for told in ("true", "false")]
    assert summarised(differing(values), values)[SWITCH] == ["true", "false"]


def test_a_change_stands_beside_each_measure_but_the_baseline_s(qapp: QApplication, comparison: Comparison) -> None:
    model = CompareModel()
    model.show(comparison)
    row = column(model, 0).index("servers")
    assert (model.index(row, 1).data(), model.index(row, 2).data()) == ("12", "6 (-50 %)")
    assert model.headerData(1, Qt.Orientation.Horizontal, Qt.ItemDataRole.DisplayRole) == "twelve (baseline)"


def test_the_change_of_the_duration_has_an_interval(qapp: QApplication, comparison: Comparison) -> None:
    model = CompareModel()
    model.show(comparison)
    row = column(model, 0).index("against the baseline")
    assert column(model, 0)[row - 1] == "duration"
    assert model.index(row, 1).data() == "the baseline"
    assert re.fullmatch(r"\+[\d.]+ s \(95 %: [+-][\d.]+ to [+-][\d.]+ s\)", model.index(row, 2).data())


def test_before_a_run_what_differs_is_there_alone(qapp: QApplication, comparison: Comparison) -> None:
    model = CompareModel()
    model.show(replace(comparison, document=None))
    assert column(model, 0) == ["What differs", "cluster.groups.workers"]


def test_what_is_the_same_differs_by_noise_alone_in_words(qapp: QApplication, comparison: Comparison) -> None:
    twelve = comparison.sides[0]
    same = compare_sides(
        lambda *_: None, replace(comparison, sides=(twelve, replace(twelve, name="again")), document=None)
    )
    assert "no difference to twelve beyond noise" in verdicts(same.document)[1]
    model = CompareModel()
    model.show(same)
    assert column(model, 2)[column(model, 0).index("against the baseline")] == "no difference beyond noise"


def test_bars_have_one_value_a_scenario(comparison: Comparison) -> None:
    (duration,) = bars(comparison.sides, comparison.document)
    assert duration.labels == ["twelve", "six"]
    assert all(row[0] > 0 for row in duration.values)


def test_the_command_compares_the_same(comparison: Comparison, tmp_path) -> None:
    assert command(comparison, "hdfs-against-minio") == (
        "simulate compare --study hdfs-against-minio --seed 3 --replications 2"
    )
    plain = replace(comparison, sides=tuple(replace(side, changes={}) for side in comparison.sides))
    assert command(plain) == "simulate compare hdfs-terasort hdfs-terasort --seed 3 --replications 2"
    path = tmp_path / "compare.toml"
    path.write_text(study_toml(comparison), encoding="utf-8")
    study = load(path, Compare, folders=[FOLDER]).scenario
    assert study.scenarios["six"].set == {**SMALL, "cluster.groups.workers.count": "6"}
    assert command(comparison).endswith("simulate compare --study compare.toml")
