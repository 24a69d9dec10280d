"""A little more work takes a little longer, and less to do with never takes less time.

One more reduce than there are containers is a wave more, and the answer says so.
"""

from __future__ import annotations

from functools import cache

import pytest

from simulator.result import Result
from simulator.run import simulate
from tests.laws.miniatures import Change, changed, miniature, times

CLIFF = 0.05
TERASORT = miniature("hdfs-terasort")  # four servers with 64 containers each, of which the application master has two
SLOTS = 254
INPUT = "workload.input"
DIRTY = "cluster.groups.*.server.memory.dirty_ratio"
SLOWSTART = "workload.framework.slowstart"


@cache
def run(reduces: int | None = None, size: float = 1.0, dirty: float = 0.2, slowstart: float = 0.99) -> Result:
    """Return how a TeraSort goes with so many reduces, so many times the input, and settings."""
    changes: dict[str, Change] = {INPUT: times(size), DIRTY: lambda _: dirty, SLOWSTART: lambda _: slowstart}
    scenario = changed(TERASORT, changes)
    job = scenario.workload.model_copy(update={"reduces": reduces})
    return simulate(scenario.model_copy(update={"workload": job}))


@pytest.mark.parametrize("reduces", [SLOTS, 112, 110])
def test_one_reduce_less_changes_the_duration_by_little(reduces: int) -> None:
    ratio = run(reduces - 1).duration / run(reduces).duration
    assert ratio == pytest.approx(1, abs=CLIFF)


@pytest.mark.parametrize("size", [1.0, 2.0, 2.5])
def test_a_hundredth_more_input_changes_the_duration_by_little(size: float) -> None:
    assert run(size=size * 1.01).duration / run(size=size).duration == pytest.approx(1.01, abs=CLIFF)


def test_a_reduce_too_many_is_a_wave_more_and_the_answer_says_so() -> None:
    assert run(SLOTS).warnings == ()
    told = "one more wave: 255 reduces on 254 containers leave 1 to the last"
    assert told in run(SLOTS + 1).warnings


@pytest.mark.parametrize("size", [1.0, 2.5])
def test_a_sort_without_dirty_pages_is_never_faster(size: float) -> None:
    assert run(size=size, dirty=0.0).duration >= run(size=size).duration


def test_reduces_that_start_early_move_the_end() -> None:
    early, late = run(slowstart=0.05), run(slowstart=0.9)
    assert early.stages[1].start < late.stages[1].start
    assert abs(early.duration / late.duration - 1) > 1e-3
