"""How long a stage lasts whose tasks take unequal times: against tasks that are scheduled one by one."""

from __future__ import annotations

import heapq
import math
from statistics import NormalDist

import numpy as np
import pytest

from models.jobs.waves import lengthened


def scheduled(tasks: int, slots: int, spread: float) -> float:
    """Return the mean time of a stage over that of equal tasks without waves, of 200 drawn at random."""
    drawn = np.random.default_rng(7).lognormal(-(spread**2) / 2, spread, (200, tasks))
    ends = []
    for times in drawn:
        free = [0.0] * slots
        for time in times:
            heapq.heapreplace(free, free[0] + time)
        ends.append(max(free))
    return float(np.mean(ends)) / max(tasks / slots, 1.0)


@pytest.mark.parametrize("spread", [0.15, 0.25, 0.4])
@pytest.mark.parametrize(("tasks", "slots"), [(20, 64), (200, 480), (200, 128), (200, 32), (1000, 128)])
def test_a_stage_lasts_as_long_as_if_its_tasks_were_scheduled_one_by_one(tasks: int, slots: int, spread: float) -> None:
    assert lengthened(tasks, slots, spread) == pytest.approx(scheduled(tasks, slots, spread), rel=0.05)


def test_two_tasks_end_with_the_longer_one() -> None:
    """The longer of two log-normal times of mean 1 is 2 Phi(spread / sqrt 2) in the mean."""
    assert lengthened(2, 8, 0.3) == pytest.approx(2 * NormalDist().cdf(0.3 / math.sqrt(2)), rel=1e-4)


def test_many_tasks_a_slot_hardly_wait_for_the_last() -> None:
    assert lengthened(1_000_000, 100, 0.25) == pytest.approx(1.0, abs=2e-4)


def test_nothing_waits_where_times_do_not_differ() -> None:
    assert [lengthened(tasks, 128, 0.0) for tasks in (1, 100, 200)] == [1.0, 1.0, 1.0]


@pytest.mark.parametrize("spread", [0.15, 0.25, 0.4])
def test_neither_more_tasks_nor_more_slots_make_a_stage_longer(spread: float) -> None:
    """The work is the same, shared among more tasks, or done by more slots."""

    def lasts(tasks: int, slots: int) -> float:
        return lengthened(tasks, slots, spread) / min(tasks, slots)

    counts = [1, 2, 3, 5, 8, 13, 50, 99, 100, 101, 102, 110, 150, 200, 201, 400, 1000]
    by_tasks = [lasts(tasks, 100) for tasks in counts]
    by_slots = [lasts(100, slots) for slots in counts]
    assert by_tasks == sorted(by_tasks, reverse=True)
    assert by_slots == sorted(by_slots, reverse=True)
