"""Honest counts: whatever was fitted to documented outcomes, or chosen with them in sight, is counted as such."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from models.outcome import Choice, Family
from models.scenario import Scenario
from profiles.loading.catalog import SHIPPED
from profiles.loading.loader import Loaded, load
from profiles.shipped.outcomes import documented, families, family
from profiles.text.provenance import Source

BUDGETS = {
    "copy": 7,
    "hepix": 12,
    "mapreduce": 8,
    "presto": 5,
    "published": 0,
    "sizing": 1,
    "tpcds": 5,
    "tpch": 6,
}
LABELS = Path(__file__).parent / "published_labels.txt"
"""Keys of documented benchmarks, by the file that stated them, that were once said to be published or measured."""
PICKED = re.compile(r"\b(chosen|picked|hindsight|in sight|kept because|tried first|settled while)\b")
FAMILIES = [family(name) for name in families()]


@cache
def benchmarks() -> dict[str, Loaded[Scenario]]:
    """Return the shipped benchmarks by the outcomes that they reproduce."""
    by_outcome: dict[str, Loaded[Scenario]] = {}
    for entry in SHIPPED.describe(("benchmarks",)):
        loaded = load(entry.name, Scenario)
        by_outcome |= dict.fromkeys(entry.documented, loaded)
    return by_outcome


def sources(kinds: tuple[str, ...]) -> Iterator[tuple[str, str, Source]]:
    """Yield outcome, key and source of what the benchmarks state from sources of some kinds."""
    for outcome, loaded in benchmarks().items():
        for key, source in loaded.sources.items():
            if source.kind in kinds:
                yield outcome, key, source


def choices_on(outcome: str, key: str) -> list[Choice]:
    return [
        choice for group in FAMILIES for choice in group.choices if outcome in choice.fitted_to and key in choice.keys
    ]


@pytest.mark.parametrize("of", FAMILIES, ids=lambda of: of.name)
def test_a_family_has_the_budget_of_the_protocol(of: Family) -> None:
    assert of.budget == BUDGETS[of.name]


def test_whatever_a_benchmark_states_as_chosen_is_counted() -> None:
    """A part may stand in profiles of families on which it does not act: operating rules do not copy."""
    counted = {key for group in FAMILIES for choice in group.choices for key in choice.keys}
    assert {key for _, key, _ in sources(("chosen",))} <= counted


def test_what_is_counted_as_chosen_stands_as_chosen_in_the_profiles_of_its_outcomes() -> None:
    stated = {(outcome, key) for outcome, key, _ in sources(("chosen",))}
    for group in FAMILIES:
        for choice in group.choices:
            for outcome in choice.fitted_to:
                assert not choice.keys or {(outcome, key) for key in choice.keys} & stated, (choice.name, outcome)


def test_what_was_once_published_or_measured_and_is_assumed_now_was_chosen() -> None:
    once = set(LABELS.read_text(encoding="utf-8").splitlines())
    moved = [(outcome, key) for outcome, key, source in sources(("assumed", "prior")) if f"{source.file} {key}" in once]
    assert [(outcome, key) for outcome, key in moved if not choices_on(outcome, key)] == []


@pytest.mark.parametrize("of", FAMILIES, ids=lambda of: of.name)
def test_the_note_of_a_family_names_nothing_as_picked_that_is_not_counted(of: Family) -> None:
    sentences = re.split(r"(?<=[.;:]) ", " ".join(of.note.split()))
    assert of.choices or [sentence for sentence in sentences if PICKED.search(sentence)] == []


@pytest.mark.parametrize("of", FAMILIES, ids=lambda of: of.name)
def test_what_was_chosen_acts_on_documented_outcomes_and_says_where_it_stands(of: Family) -> None:
    for choice in of.choices:
        assert set(choice.fitted_to) <= documented().keys(), choice.name
        assert choice.shown in {"", *choice.fitted_to}
        assert bool(choice.shown) == bool(choice.otherwise)
