"""Overrides: values are TOML where they can be, else the text as it stands; keys are set in the order they come in."""

from __future__ import annotations

import tomllib

import pytest

from models.problem import ProblemError
from models.scenario import Scenario
from profiles.loading.loader import load
from profiles.loading.overrides import value_of
from profiles.text.toml import parsed


@pytest.mark.parametrize("text", ["25 Gbit/s", "1.5 TB", "-3 s", "+1e-3 ns/B", "1.2.3 x", "00 B", '2 TB"'])
def test_what_begins_as_a_quantity_stays_the_text_that_toml_refuses(text: str) -> None:
    with pytest.raises(tomllib.TOMLDecodeError):
        parsed(f"value = {text}")
    assert value_of(text) == text


@pytest.mark.parametrize(
    ("text", "value"), [("12", 12), ("1e-3", 1e-3), ("[1, 2]", [1, 2]), ("true", True), ("12 # so many", 12)]
)
def test_what_is_toml_is_read_as_such(text: str, value: object) -> None:
    assert value_of(text) == value


WORKERS = "cluster.groups.workers"


def test_keys_that_follow_each_other_are_set_as_those_are_with_others_between() -> None:
    pairs = {
        f"{WORKERS}.count": "24",
        "workload.input": "2 TB",
        f"{WORKERS}.server.bays.data.count": "6",
        "workload.framework.containers": "4",
        f"{WORKERS}.server.memory.dirty_ratio": "0.1",
        "storage.replication": "2",
    }
    ordered = dict(sorted(pairs.items()))
    assert list(ordered) != list(pairs)
    assert load("hdfs-terasort", Scenario, ordered) == load("hdfs-terasort", Scenario, pairs)


def test_a_part_that_is_named_after_a_key_of_it_takes_the_key_away_and_one_named_before_leaves_it() -> None:
    part, key = {f"{WORKERS}.server": "nvme-100gbe"}, {f"{WORKERS}.server.bays.data.count": "3"}
    with_key = load("hdfs-teragen", Scenario, part | key)
    assert with_key.scenario.cluster.groups["workers"].server.bays["data"].count == 3
    assert load("hdfs-teragen", Scenario, key | part).scenario == load("hdfs-teragen", Scenario, part).scenario


def test_each_of_several_wrong_keys_below_one_is_told() -> None:
    wrong = {
        f"{WORKERS}.server.bays.dta.count": "1",
        f"{WORKERS}.server.bays.dat.drive": "x",
        f"{WORKERS}.count.x": "1",
    }
    with pytest.raises(ProblemError) as raised:
        load("hdfs-teragen", Scenario, wrong)
    told = [problem.key for problem in raised.value.problems]
    assert told == [f"{WORKERS}.{key}" for key in ("count", "server.bays.dat", "server.bays.dta")]


@pytest.mark.parametrize("settings", [{f"{WORKERS}.count": "24"}, {f"{WORKERS}.count": "0", "storage.nosuch": "1"}])
def test_the_model_of_a_variant_is_that_of_the_variant_as_it_is_loaded_and_refused_in_the_same_words(
    settings: dict[str, str],
) -> None:
    variants = load("hdfs-teragen", Scenario).variants()
    met: list[Scenario | list[str]] = []
    for of in (variants.scenario, lambda changes: variants.load(changes).scenario):
        try:
            met.append(of(settings))
        except ProblemError as error:
            met.append([f"{problem}" for problem in error.problems])
    assert met[0] == met[1]
