"""A profile that states no operating rules takes the usual ones of its storage system, and says so."""

from __future__ import annotations

from pathlib import Path

import pytest

from models.problem import ProblemError
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


ON_S3 = """
storage = "amazon-s3"
[profile]
title = "Mine"
[cluster.groups.workers]
server = "nvme-25gbe"
count = 2
"""
SORT = '[workload]\nuse = "terasort"\ninput = "1 GB"\nframework = "yarn"\n'
S3A, BUFFER, MAGIC = "client.connector", "client.fs.s3a.buffer.dir", "client.fs.s3a.committer.name"


def test_the_command_line_changes_single_settings_of_a_client_that_a_profile_leaves_open() -> None:
    one = load_text(ON_S3 + SORT, Scenario, {MAGIC: "magic"}).scenario
    assert one.client_of(one.storage) is not None
    stated = load_text(ON_S3 + SORT, Scenario, {S3A: "s3a", BUFFER: "data", MAGIC: "magic"}).scenario
    assert one == stated
    open_ = load_text(ON_S3 + SORT, Scenario).scenario
    same = load_text(ON_S3 + SORT, Scenario, {MAGIC: "file"}).scenario
    assert same.client_of(same.storage) == open_.client_of(open_.storage)


def test_a_setting_of_a_client_where_there_is_none_is_refused_with_those_that_there_are() -> None:
    with pytest.raises(ProblemError, match="missing: Client library; one of 's3a'"):
        load("hdfs-terasort", Scenario, {MAGIC: "magic"})
    with pytest.raises(ProblemError, match="unknown key"):
        load_text(ON_S3 + '[workload]\nkind = "storing"\ndata = "1 TB"\n', Scenario, {MAGIC: "magic"})
