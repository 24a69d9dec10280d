"""How unequally tasks compute: as many on each step, a mean of 1, and the deviation that is stated."""

from __future__ import annotations

import math
from collections import Counter
from statistics import fmean, pstdev

import pytest

from models.jobs.compute_spread import STEPS, dealt
from models.storage.placement import mixed


@pytest.mark.parametrize("tasks", [2, 7, 8, 800, 803])
def test_tasks_compute_the_mean_together_and_differ_as_much_as_is_stated(tasks: int) -> None:
    times = dealt(0.2, mixed(3, tasks, 5))
    assert fmean(times) == pytest.approx(1.0, rel=1e-12)
    assert pstdev(map(math.log, times)) == pytest.approx(0.2, rel=0.02)


def test_each_step_has_as_many_tasks_and_the_seed_says_which() -> None:
    first, second = (dealt(0.1, mixed(salt, 10 * STEPS, 5)) for salt in (1, 2))
    assert set(Counter(first).values()) == {10}
    assert len(set(first)) == STEPS
    assert first != second
    assert sorted(first) == sorted(second)


def test_a_lone_task_and_tasks_without_a_spread_compute_the_mean() -> None:
    assert dealt(0.3, mixed(1, 1, 5)) == [1.0]
    assert dealt(0.0, mixed(1, 3, 5)) == [1.0] * 3
    assert dealt(0.3, mixed(1, 0, 5)) == []
