"""The paired benchmark: checkouts take turns, the least time counts, what is slower by more than may be is named."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.benchmarks.paired import MOST, keep, paired, slower

BEFORE, AFTER = Path("before"), Path("after")


def test_checkouts_take_turns_and_the_least_time_of_each_counts() -> None:
    asked = []

    def measure(root: Path, workload: str) -> float:
        asked.append(root)
        return {BEFORE: [3.0, 1.0, 2.0], AFTER: [5.0, 4.0, 6.0]}[root][asked.count(root) - 1]

    assert paired((BEFORE, AFTER), ["waves"], 3, measure) == [{"waves": 1.0}, {"waves": 4.0}]
    assert asked == [BEFORE, AFTER] * 3


def test_only_what_is_slower_by_more_than_may_be_is_named() -> None:
    before = {"shuffle": 1.0, "waves": 1.0, "requests": 1.0}
    after = {"shuffle": 1.0 + 0.9 * MOST, "waves": 1.0 + 2 * MOST, "requests": 0.5}
    assert slower(before, after) == {"waves": pytest.approx(2 * MOST)}


def test_figures_are_added_to_the_history_by_commit_and_machine(tmp_path: Path) -> None:
    history = tmp_path / "history.jsonl"
    for commit in ("abc", "def"):
        keep(history, commit, "2 cores", {"waves": 1.5})
    lines = [json.loads(line) for line in history.read_text(encoding="utf-8").splitlines()]
    assert [line["commit"] for line in lines] == ["abc", "def"]
    assert lines[0] == {"commit": "abc", "machine": "2 cores", "cpu_s": {"waves": 1.5}}
