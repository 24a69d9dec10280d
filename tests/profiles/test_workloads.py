"""Profiles with many workloads: entries are found by their names, and complaints say where they stand."""

from __future__ import annotations

import pytest

from models.problem import ProblemError
from models.scenario import Scenario
from profiles.loading.loader import Loaded, load_text
from profiles.text.dump import dump
from tests.profiles.many import TWO_JOBS


def loaded(text: str = TWO_JOBS, **settings: str) -> Loaded[Scenario]:
    return load_text(text, Scenario, {key.replace("__", "."): value for key, value in settings.items()})


def complaint(text: str = TWO_JOBS, **settings: str) -> str:
    with pytest.raises(ProblemError) as error:
        loaded(text, **settings)
    return str(error.value)


def test_a_value_of_a_workload_is_set_by_its_name() -> None:
    changed = loaded(workloads__night__input="2 TB").scenario
    assert [entry.name for entry in changed.workloads] == ["night", "count"]
    assert changed.alone("night").workload.stored(changed.cluster)[0] == 2e12


def test_a_value_of_a_workload_is_set_by_its_number() -> None:
    assert loaded(workloads__1__start="90 s").scenario.workloads[1].start == 90.0


def test_a_misspelt_workload_is_told_with_the_nearest() -> None:
    assert "there is no such entry; did you mean 'night'?" in complaint(workloads__nigt__input="2 TB")


def test_an_unknown_key_of_a_workload_is_told_with_its_line() -> None:
    text = complaint(TWO_JOBS.replace('start = "60 s"', 'strat = "60 s"'))
    assert text.endswith("profile.toml:16: workloads.1.strat: unknown key; did you mean 'start'?")


def test_a_clash_of_parts_is_told_at_the_workload() -> None:
    text = complaint(TWO_JOBS + 'input = "9000 TB"\n')
    assert "profile.toml:12: workloads.count: the data needs" in text


def test_a_lakehouse_beside_others_is_refused_with_the_way_out() -> None:
    text = complaint(TWO_JOBS + LAKEHOUSE)
    assert "workloads.suite.kind: a lakehouse is measured on a store that nobody else uses" in text
    assert "let it run alone" in text


def test_one_workload_and_many_are_refused() -> None:
    text = complaint(TWO_JOBS + WORKLOAD)
    assert "workload: goes not with [[workloads]]; remove one of them" in text


LAKEHOUSE = """
[[workloads]]
name = "suite"
use = "tpcds-dremio"
servers = "workers"
driver = "workers"
"""
WORKLOAD = """
[workload]
use = "terasort"
framework = "yarn-h1"
"""


def test_a_profile_without_a_workload_is_told_both_ways_out() -> None:
    text = complaint(TWO_JOBS.partition("[[workloads]]")[0])
    assert "workload: missing: what is run; write a table [workload], or tables [[workloads]]" in text


def test_the_resolved_profile_gives_the_same_workloads_again() -> None:
    first = loaded()
    again = load_text(dump(first.resolved), Scenario)
    assert again.scenario.model_dump() == first.scenario.model_dump()
    assert "workload" not in first.scenario.model_dump()


def test_many_workloads_take_the_place_of_the_one_that_a_profile_inherits() -> None:
    many = 'extends = "hdfs-terasort"\n' + TWO_JOBS.partition('storage = "hdfs"\n')[2]
    assert [entry.name for entry in loaded(many).scenario.workloads] == ["night", "count"]
