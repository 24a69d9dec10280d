"""A last wave that few servers run: against the arithmetic of equal tasks that share cores."""

from __future__ import annotations

import pytest

from models.jobs.yarn import Framework
from simulator.result import Result
from simulator.run import simulate
from tests.models.machines import MB
from tests.simulator.small import scenario

SLOTS, SERVERS = 8, 3
TASK, SPLIT = 20.0, 100 * MB
"""Each map computes for 20 s on a core of its own."""
GIB = 2.0**30


def wave(tasks: int) -> float:
    """Return the seconds of so many maps at once on four cores, which do 1.25 times as much with two threads."""
    return TASK * tasks / (min(tasks, 4) + 0.25 * max(tasks - 4, 0))


def run(maps: int, am_memory: float, spread: float = 0.0) -> Result:
    """Return the run of maps that compute; their master takes a container of the first server, or nothing."""
    frame = Framework(
        servers="workers",
        containers=SLOTS,
        container_memory=2 * GIB,
        am_memory=am_memory,
        compute_spread=spread,
    )
    return simulate(scenario(frame, cpu=TASK / SPLIT, input=maps * SPLIT, map_output=0.0, reduces=0))


def test_a_server_with_a_container_less_runs_the_last_maps_alone_and_the_answer_says_so() -> None:
    """Its waves of seven take 29 s, those of eight 32 s: it ends two of them first, and takes all that is left."""
    left = SLOTS - 1
    short = run(2 * (SLOTS * SERVERS - 1) + left, am_memory=GIB)
    assert short.duration == pytest.approx(3 * wave(left), rel=0.03)
    assert [warning[: warning.index(":")] for warning in short.warnings] == ["one more wave on 1 of 3 servers"]
    assert "the last 7 of 53 maps leave 16 containers idle" in short.warnings[0]


def test_maps_of_a_last_wave_that_servers_share_are_told_of_none() -> None:
    """With as many containers on each they end together, and two or three of the last maps have a core each."""
    even = run(2 * SLOTS * SERVERS + SLOTS - 1, am_memory=0.0)
    assert even.duration == pytest.approx(2 * wave(SLOTS) + TASK, rel=0.03)
    assert even.warnings == ()


def test_maps_that_compute_unequally_spread_the_last_ones_over_all_servers() -> None:
    """Those that end first are of all servers then: none takes all that is left, and there is nothing to tell of."""
    left = SLOTS - 1
    equal, unequal = (run(2 * (SLOTS * SERVERS - 1) + left, GIB, spread) for spread in (0.0, 0.2))
    assert unequal.duration < 0.96 * equal.duration
    assert unequal.warnings == ()
