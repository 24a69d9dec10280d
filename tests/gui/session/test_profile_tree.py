"""The entries of a form: what a profile states, under the names that its author gave."""

from __future__ import annotations

from app.gui.session.profile_tree import UNSET, changed_parts, tree
from models.scenario import Scenario
from profiles.loading.loader import load_text
from tests.profiles.many import TWO_JOBS


def test_many_workloads_are_shown_by_their_names_and_not_twice() -> None:
    entries = {entry.key: entry for entry in tree(load_text(TWO_JOBS, Scenario)).walk()}
    assert [entries[f"workloads.{i}"].name for i in range(2)] == ["night", "count"]
    assert entries["workloads.1.name"].is_stated
    assert not [key for key in entries if key == "workload" or key.startswith("workload.")]


def test_one_workload_is_shown_without_a_list_of_others() -> None:
    one = (
        TWO_JOBS.replace("[[workloads]]", "[workload]", 1).partition("[[workloads]]")[0].replace('name = "night"\n', "")
    )
    keys = {entry.key for entry in tree(load_text(one, Scenario)).walk()}
    assert "workload.input" in keys
    assert "workloads" not in keys


def test_parts_that_say_the_same_are_not_among_those_that_are_listed_anew() -> None:
    before = load_text(TWO_JOBS, Scenario)
    assert changed_parts(before, load_text(TWO_JOBS, Scenario)) == set()
    after = load_text(TWO_JOBS, Scenario, {"cluster.groups.workers.count": "7"})
    assert changed_parts(before, after) == {"cluster"}
    listed = [entry for entry in tree(after).walk() if entry.key.partition(".")[0] == "cluster"]
    assert [(entry.key, entry.typed) for entry in tree(after, {"cluster"}).walk()] == [
        (entry.key, entry.typed) for entry in listed
    ]


def test_a_line_that_moves_changes_the_place_of_what_stands_below() -> None:
    before, after = load_text(TWO_JOBS, Scenario), load_text(f"\n{TWO_JOBS}", Scenario)
    assert "workloads" in changed_parts(before, after)


def test_a_unit_is_that_of_the_value_beside_it_whoever_states_it() -> None:
    entries = {entry.key: entry for entry in tree(load_text(TWO_JOBS, Scenario)).walk()}
    trip, fill = entries["cluster.network.round_trip"], entries["cluster.network.oversubscription"]
    assert (trip.is_stated, trip.typed, trip.typed_unit) == (False, "200 µs", "µs")
    assert fill.typed_unit == ""
    assert all(entry.typed_unit == "" for entry in entries.values() if entry.typed == UNSET)
