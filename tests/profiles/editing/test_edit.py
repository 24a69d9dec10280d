"""Setting one value in a TOML text: the line that changes, and every other byte as it was."""

from __future__ import annotations

import difflib
import itertools
import tomllib
from pathlib import Path
from typing import Any

import pytest

from models.problem import ProblemError
from models.scenario import Scenario
from profiles.editing.edit import is_stated, set_value, unset_value
from profiles.loading.catalog import describe
from profiles.loading.loader import load_text
from profiles.loading.overrides import key_of, value_of
from tests.extent import IS_WHOLE

TEXT = """\
# Twelve servers.
cluster = "12-h1" # documented
storage = "hdfs"

[profile]
title = "A study"

[workload]
use = "terasort"
framework = "yarn-h1"
# what follows is read later
"""


def changed_lines(old: str, new: str) -> list[str]:
    return [row for row in difflib.ndiff(old.splitlines(), new.splitlines()) if row[0] in "+-"]


@pytest.mark.parametrize(
    ("key", "value", "lines"),
    [
        ("profile.title", "Another", ['- title = "A study"', '+ title = "Another"']),
        (
            "cluster.groups.workers.count",
            "24",
            [
                '- cluster = "12-h1" # documented',
                '+ cluster = { use = "12-h1", groups.workers.count = 24 } # documented',
            ],
        ),
        ("workload.input", "5 GB", ['+ input = "5 GB"']),
        ("workload.cpu", "60 ns/B", ['+ cpu = "60 ns/B"']),
        ("prices", "new-york", ['+ prices = "new-york"']),
        ("planning.fill_limit", "0.8", ["+ planning.fill_limit = 0.8"]),
    ],
)
def test_setting_a_value_changes_or_adds_one_line(key: str, value: str, lines: list[str]) -> None:
    assert changed_lines(TEXT, set_value(TEXT, key, value)) == lines


def test_a_second_value_of_a_part_joins_the_first_on_its_line() -> None:
    once = set_value(TEXT, "cluster.groups.workers.count", "24")
    twice = set_value(once, "cluster.groups.workers.server.nic.bandwidth", "10 Gbit/s")
    again = set_value(twice, "cluster.groups.workers.count", "36")
    line = 'cluster = { use = "12-h1", groups.workers.count = 36, groups.workers.server.nic.bandwidth = "10 Gbit/s" }'
    assert again.splitlines()[1] == f"{line} # documented"


def test_a_value_in_an_array_of_tables_is_set_in_its_own_table() -> None:
    text = "[[a.list]]\nx = 1\n[[a.list]]\nx = 2\n"
    assert set_value(text, "a.list.1.x", "3") == "[[a.list]]\nx = 1\n[[a.list]]\nx = 3\n"


def test_text_that_looks_like_a_number_stays_text_where_text_is_wanted() -> None:
    assert set_value("a = 'x'\n", "a", "24", is_text=True) == 'a = "24"\n'


@pytest.mark.parametrize("text", ["a = ", "[a\n"])
def test_a_text_that_is_no_toml_is_left_alone(text: str) -> None:
    with pytest.raises(ProblemError, match="write it into the text"):
        set_value(text, "a", "1")


@pytest.mark.parametrize("name", ["hdfs-terasort", "copy-s3distcp-21-node", "growth-hdfs", "tpch-minio-nvme"])
def test_every_value_of_a_shipped_profile_can_be_set_to_what_it_is(name: str) -> None:
    path = next(entry.path for entry in describe() if entry.name == name)
    text = path.read_text(encoding="utf-8")
    loaded = load_text(text, Scenario, path=path)
    keys = [key for key in loaded.values if not any(step.isdecimal() for step in key.split("."))]
    for key in keys[:: max(1, len(keys) // 20)]:
        value = loaded.values[key]
        typed = str(value).lower() if isinstance(value, bool) else f"{value}"
        changed = set_value(text, key, typed, is_text=isinstance(value, str), usual=loaded.usual)
        assert load_text(changed, Scenario, path=path).values[key] == value, key
        assert len(changed_lines(text, changed)) <= 3, key  # an old line, a new one, an empty one after a new first


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("cluster.groups.workers.count", "24"),
        ("workload.input", "5 GB"),
        ("prices", "new-york"),
        ("planning.fill_limit", "0.8"),
        ("storage.replication", "2"),
    ],
)
def test_taking_a_value_out_undoes_setting_it(key: str, value: str) -> None:
    assert unset_value(set_value(TEXT, key, value), key) == TEXT


def test_taking_a_value_out_leaves_the_others_of_its_line() -> None:
    once = set_value(TEXT, "cluster.groups.workers.count", "24")
    twice = set_value(once, "cluster.groups.workers.server.nic.bandwidth", "10 Gbit/s")
    assert unset_value(twice, "cluster.groups.workers.server.nic.bandwidth") == once
    assert '{ use = "12-h1", groups.workers.server.nic.bandwidth' in unset_value(twice, "cluster.groups.workers.count")


def test_the_source_of_a_value_goes_with_it() -> None:
    text = TEXT + '\n[storage.sources]\nack_time = "assumed: x"\n[storage]\nuse = "hdfs"\nack_time = "1 ms"\n'
    text = text.replace('storage = "hdfs"\n', "", 1)
    assert "ack_time" not in unset_value(text, "storage.ack_time")


@pytest.mark.parametrize("key", ["workload", "workload.cpu", "profile.nothing", "cluster.groups"])
def test_what_is_not_stated_as_a_value_cannot_be_taken_out(key: str) -> None:
    with pytest.raises(ProblemError, match="is not stated here"):
        unset_value(TEXT, key)


def test_a_value_of_several_lines_is_left_to_the_hand() -> None:
    with pytest.raises(ProblemError, match="take it out of the text"):
        unset_value('further = [\n  "a",\n]\n', "further")


def test_a_switch_that_is_stated_can_be_turned_and_a_number_takes_what_is_no_number() -> None:
    assert set_value("a = false # why\n", "a", "true") == "a = true # why\n"
    assert set_value("a = 5 # why\n", "a", "true") == "a = true # why\n"


def test_a_key_goes_to_the_header_of_its_table_even_if_a_table_below_it_comes_first() -> None:
    text = '[[failures.faults]]\nat = "300 s"\n\n[failures]\nsource = "assumed"\n\n[workload]\nuse = "terasort"\n'
    changed = set_value(text, "failures.replacement_time", "5 min")
    assert changed_lines(text, changed) == ['+ replacement_time = "5 min"']
    assert tomllib.loads(changed)["failures"]["replacement_time"] == "5 min"
    assert unset_value(changed, "failures.replacement_time") == text


def test_a_key_is_added_below_a_table_whose_name_is_a_long_row_of_brackets() -> None:
    text = f'["a{"]" * 40_000}"]\nb = 1\n\n[c]\nd = 1\n'
    assert changed_lines(text, set_value(text, "c.e", "2")) == ["+ e = 2"]


KINDS = ("true", "24", "2.5", "inf", "25 Gbit/s", "12-h1", "[1, 2]", "{ a = 1 }", "2026-01-01", 'a "b"\nc = 1', "")


PATHS = list(enumerate(sorted(entry.path for entry in describe())))[:: 1 if IS_WHOLE else 4]
"""Every fourth shipped profile, with `make laws` all."""


@pytest.mark.parametrize(("start", "path"), PATHS)
def test_what_a_shipped_profile_states_and_keys_that_it_does_not_take_any_kind_of_value(start: int, path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    values = load_text(text, Scenario, path=path).values
    keys = [key for turn, key in enumerate(values, start) if turn % 6 == 0 or is_stated(text, key)]
    for key, typed in zip(keys, itertools.islice(itertools.cycle(KINDS), start, None), strict=False):
        table: Any = tomllib.loads(set_value(text, key, typed))
        for step in key_of(key) or ():
            table = table[int(step)] if isinstance(table, list) else table[step]
        assert table == value_of(typed), (key, typed)
