"""`simulate compare --explain`: what makes the difference between two profiles."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from app.planning.comparing import Plan, Side, compared
from app.planning.explaining import explained
from app.planning.progress import uncounted
from app.reports.compare_document import document
from app.reports.explained import STOPPED, Explained
from app.reports.forms.document_text import render
from models.scenario import Scenario
from profiles.editing.alike import called_alike
from profiles.editing.mixing import differences, mixed
from profiles.loading.loader import Variants, load, load_text
from profiles.text.schema import Shape
from simulator.studies.points import Answer, Point, PointFailure
from simulator.studies.runner import Runner
from tests.app.conftest import Type
from tests.contracts import check

STORE = """storage = {{ use = "hdfs", servers = "data" }}
failures = {{ use = "hdd", fill = 0.0001 }}
[prices]
use = "on-premises-2024"
years = {years}
[profile]
title = "A store"
[cluster.groups.data]
server = {{ use = "hdd-25gbe", nic.bandwidth = "{card}" }}
count = {count}
[workload]
kind = "storing"
data = "10 TB"
"""


def test_cost_and_nines_are_shared_among_what_differs_and_the_shares_add_up(type_: Type, tmp_path: Path) -> None:
    small, large = tmp_path / "small.toml", tmp_path / "large.toml"
    small.write_text(STORE.format(years=5, card="25 Gbit/s", count=6), encoding="utf-8")
    large.write_text(STORE.format(years=3, card="100 Gbit/s", count=9), encoding="utf-8")
    words = ("--explain", "--replications", "1", "--workers", "1", "--format", "json", "--interval", "none")
    ended = type_("compare", f"{small}", f"{large}", *words)
    check(ended.out)
    by_measure = {gap["measure"]: gap for gap in json.loads(ended.out)["explained"]}
    assert {"cost_over_5_years", "durability"} <= set(by_measure)
    for gap in by_measure.values():
        total = math.fsum(part["value"] for part in gap["parts"])
        assert total == pytest.approx(gap["after"] - gap["before"], rel=1e-9, abs=1e-9)
        assert gap["is_exact"]
        assert {part["name"] for part in gap["parts"]} == {"number of data", "network cards of data", "prices"}
    nines = {part["name"]: part["value"] for part in by_measure["durability"]["parts"]}
    cost = {part["name"]: part["value"] for part in by_measure["cost_over_5_years"]["parts"]}
    assert nines["prices"] == 0
    assert cost["number of data"] > cost["network cards of data"] > 0


def test_what_differs_is_told_in_a_sentence_and_a_table(type_: Type, tmp_path: Path) -> None:
    path = tmp_path / "smaller.toml"
    path.write_text('extends = "hdfs-terasort"\n[workload]\ninput = "500 MB"\n', encoding="utf-8")
    other = tmp_path / "other.toml"
    other.write_text('extends = "smaller"\n[cluster.groups.workers]\ncount = 4\n', encoding="utf-8")
    words = ("compare", f"{path}", f"{other}", "--explain", "--replications", "1", "--workers", "1")
    text = " ".join(type_(*words, "--interval", "none").out.split())
    assert "Duration, other against smaller: " in text
    assert "by number of workers (count 12 → 4)." in text


def test_a_profile_has_no_difference_to_itself_that_could_be_explained(type_: Type) -> None:
    words = ("compare", "sizing-hdfs-10pb", "sizing-hdfs-10pb", "--explain", "--workers", "1")
    ended = type_(*words, "--interval", "none")
    assert (ended.status, "nothing differs" in ended.err) == (2, True)


def test_a_mixture_has_the_chosen_parts_of_the_other_profile_and_all_parts_make_it_the_other() -> None:
    settings = {"cluster.groups.workers.count": "20", "storage.replication": "2"}
    one, other = load("hdfs-terasort", Scenario), load("hdfs-terasort", Scenario, settings)
    names = [part.name for part in differences(one.tree, other.tree)]
    assert sorted(names) == ["number of workers", "storage"]
    for chosen in ([], ["storage"], names):
        made = Variants.of_tree(mixed(one.tree, other.tree, chosen), Scenario).load({}).scenario
        assert made.cluster.groups["workers"].count == (20 if "number of workers" in chosen else 12)
        assert made.storage == (other if "storage" in chosen else one).scenario.storage


def test_servers_that_do_the_same_under_another_name_are_compared_with_each_other(type_: Type, tmp_path: Path) -> None:
    small, large = tmp_path / "small.toml", tmp_path / "large.toml"
    text = STORE.format(years=5, card="25 Gbit/s", count=6)
    small.write_text(text, encoding="utf-8")
    large.write_text(
        text.replace("data]", "nodes]").replace('"data"', '"nodes"').replace("= 6", "= 9"), encoding="utf-8"
    )
    words = ("--explain", "--replications", "1", "--workers", "1", "--interval", "none")
    told = " ".join(type_("compare", f"{small}", f"{large}", *words).out.split())
    assert "by number of data (count 6 → 9)." in told
    assert "Servers that large calls nodes are compared with data of small." in told
    data = json.loads(type_("compare", f"{small}", f"{large}", *words, "--format", "json").out)
    assert {part["name"] for gap in data["explained"] for part in gap["parts"]} == {"number of data"}


def test_servers_that_one_side_lacks_are_said_to_be_lacking(type_: Type, tmp_path: Path) -> None:
    small, large = tmp_path / "small.toml", tmp_path / "large.toml"
    text = STORE.format(years=5, card="25 Gbit/s", count=6)
    small.write_text(text, encoding="utf-8")
    large.write_text(f'{text}[cluster.groups.spare]\nserver = "hdd-25gbe"\ncount = 1\n', encoding="utf-8")
    words = ("--explain", "--replications", "1", "--workers", "1", "--interval", "none")
    told = " ".join(type_("compare", f"{small}", f"{large}", *words).out.split())
    assert re.search(r"by servers of spare \(\w[^→]* and \d+ more, which small has not\)", told)


def test_groups_are_called_alike_wherever_they_are_named() -> None:
    one = load("minio-terasort", Scenario).tree
    faults = "[[failures.faults]]\nat = '1 s'\ncomponent = 'workers-3/data-1'\n"
    growth = "[growth]\nstart = '2027-01-01'\nexpansions = [{ date = '2028-01-01', servers = 2, group = 'workers' }]\n"
    other = load_text(f"extends = 'hdfs-terasort'\n{faults}{growth}", Scenario).tree
    renamed, names = called_alike(one, other, Shape(Scenario))
    assert names == {"workers": "storage"}
    scenario = Variants.of_tree(renamed, Scenario).load({}).scenario
    assert list(scenario.cluster.groups) == ["storage"]
    assert scenario.workload.server_groups() == {"workload.framework.servers": "storage"}
    assert scenario.failures is not None
    assert scenario.failures.faults[0].component == "storage-3/data-1"
    assert scenario.growth is not None
    assert scenario.growth.expansions[0].group == "storage"


def test_a_name_that_both_profiles_have_stays_what_it_is() -> None:
    one = load("hdfs-terasort", Scenario).tree
    assert called_alike(one, one, Shape(Scenario)) == (one, {})


def _three(tmp_path: Path) -> Plan:
    """Return a small sort beside two with fewer replicas and other numbers of servers."""
    base = tmp_path / "base.toml"
    base.write_text('extends = "hdfs-terasort"\n[workload]\ninput = "500 MB"\n', encoding="utf-8")
    few = {"storage.replication": "2"}
    sides = [Side("base", f"{base}")]
    sides += [Side(count, f"{base}", {**few, "cluster.groups.workers.count": count}) for count in ("4", "6")]
    return Plan("three", sides, seed=0, replications=1, explain=True)


def test_a_mixture_that_several_pairs_share_is_run_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Point] = []
    run = Runner.run

    def counting(runner: Runner, points: Sequence[Point], *rest: Any) -> list[Answer | PointFailure]:
        asked.extend(points)
        return run(runner, points, *rest)

    monkeypatch.setattr(Runner, "run", counting)
    report = compared(_three(tmp_path), 1, uncounted)
    assert len(asked) == len({point.key for point in asked}) == 3 + 2 + 1  # fewer replicas alone are in both pairs
    assert {told.other: told.runs for told in report.explained} == {"4": 4, "6": 4}


def test_a_stop_while_differences_are_explained_keeps_the_comparison_and_what_is_explained(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def first_alone(first: Any, other: Any, **rest: Any) -> list[Explained]:
        if other[0].name == "6":
            raise KeyboardInterrupt
        return explained(first, other, **rest)

    monkeypatch.setattr("app.planning.comparing.explained", first_alone)
    report = compared(_three(tmp_path), 1, uncounted)
    assert report.was_stopped
    assert {told.other for told in report.explained} == {"4"}
    assert STOPPED in render(document(report))
