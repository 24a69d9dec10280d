"""A profile that states no operating rules takes the usual ones of its storage system, and says so."""

from __future__ import annotations

from pathlib import Path

import pytest

from models.scenario import Scenario
from profiles.editing.edit import set_value
from profiles.loading.loader import load, load_text
from profiles.loading.usual import usual_for
from profiles.text.dump import dump

MINE = 'extends = "hdfs-terasort"\n[profile]\ntitle = "Mine"\n'
HERE = Path("mine.toml")


@pytest.mark.parametrize(
    ("settings", "part", "fill", "rebuild"),
    [
        ({}, "hdfs-usual", 0.8, 1),
        ({"planning.fill_limit": "70 %"}, "hdfs-usual", 0.7, 1),
        ({"planning": "minio-usual"}, None, 0.8, 0),
    ],
)
def test_the_command_line_changes_single_rules_or_names_others(
    settings: dict[str, str], part: str | None, fill: float, rebuild: int
) -> None:
    loaded = load("hdfs-terasort", Scenario, settings)
    assert loaded.usual.get("planning") == part
    assert loaded.scenario.planning is not None
    assert (loaded.scenario.planning.fill_limit, loaded.scenario.planning.rebuild_servers) == (fill, rebuild)


def test_the_rules_follow_the_storage_system() -> None:
    assert load("minio-terasort", Scenario).usual == {"planning": "minio-usual"}
    assert load("tpcds-delta", Scenario).usual == {"planning": "storagegrid-usual"}
    assert load("terasort-lustre", Scenario).usual == {"planning": "parallel-fs-usual"}
    assert load("presto-s3-q1", Scenario).usual == {}


def test_usual_rules_carry_their_sources() -> None:
    loaded = load("hdfs-terasort", Scenario)
    assert loaded.origin["planning.rebuild_servers"][0].endswith("planning/hdfs-usual.toml")
    assert loaded.sources["planning.rebuild_servers"].kind == "assumed"


def test_rules_that_a_profile_states_are_all_of_its_rules() -> None:
    loaded = load_text(MINE + '[planning]\nfill_limit = "90 %"\n', Scenario)
    assert loaded.usual == {}
    assert loaded.scenario.planning is not None
    assert loaded.scenario.planning.rebuild_servers == 0


def test_a_dumped_profile_means_the_same_when_it_is_loaded() -> None:
    loaded = load("hdfs-terasort", Scenario)
    again = load_text(dump(loaded.resolved), Scenario)
    assert again.scenario == loaded.scenario
    assert again.usual == {}


def test_a_rule_that_is_edited_leaves_the_other_usual_rules_as_they_are() -> None:
    usual = usual_for("planning.fill_limit", MINE, Scenario, path=HERE)
    text = set_value(MINE, "planning.fill_limit", "70 %", usual=usual)
    assert 'planning = { use = "hdfs-usual", fill_limit = "70 %" }' in text
    planning = load_text(text, Scenario).scenario.planning
    assert planning == load("hdfs-terasort", Scenario, {"planning.fill_limit": "70 %"}).scenario.planning


def test_no_file_is_read_for_a_key_whose_part_the_text_states() -> None:
    unreadable = 'cluster = "no-such-cluster"\nstorage = "hdfs"\n'
    assert usual_for("cluster.network.racks", unreadable, Scenario, path=HERE) == {}
    assert usual_for("planning.fill_limit", unreadable, Scenario, path=HERE) == {"planning": "hdfs-usual"}
