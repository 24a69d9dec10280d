"""Which stage decides the end of its job at which time, and what held it up then."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from models.work import Delay, Stage
from simulator.fluid.recorder import HeldUp
from simulator.jobs.slowest import Slowest
from simulator.jobs.stages import StageRun, decided, deciding


def stage(
    name: str,
    start: float,
    end: float,
    *,
    after: str | None = None,
    joined: Sequence[str] = (),
    inputs: Sequence[str] = (),
    is_open: bool = True,
    began: float | None = None,
) -> StageRun:
    stage = Stage(name, 1, lambda task, node, moment: Delay(1.0), after=after, joined=joined, inputs=inputs)
    run = StageRun(stage, 0, [0], Slowest())
    run.start, run.end, run.ended, run.open, run.began = start, end, 1, is_open, start if began is None else began
    return run


def path(*stages: StageRun, now: float = 100.0) -> list[tuple[str, float, float]]:
    return [(window.stage.stage.name, window.start, window.end) for window in deciding(stages, now)]


def test_a_stage_that_begins_early_decides_only_after_the_end_of_what_it_waits_for() -> None:
    stages = stage("map", 5.0, 60.0), stage("reduce", 20.0, 90.0, after="map", inputs=("map",))
    assert path(*stages) == [("reduce", 60.0, 90.0), ("map", 5.0, 60.0)]


def test_a_stage_decides_only_since_it_got_the_slots_of_the_one_beside_it() -> None:
    """Two scans open together; the first takes all slots until 30 s, and the second runs behind it."""
    scans = stage("lines", 0.0, 31.0), stage("orders", 0.0, 50.0, began=30.0)
    assert path(*scans) == [("orders", 30.0, 50.0), ("lines", 0.0, 30.0)]


def test_a_stage_that_waited_for_nobody_beside_it_decides_since_it_opened() -> None:
    assert path(stage("map", 0.0, 50.0, began=30.0)) == [("map", 0.0, 50.0)]
    after = stage("other", 40.0, 49.0)  # began later
    assert path(after, stage("map", 0.0, 50.0, began=30.0)) == [("map", 0.0, 50.0)]


def test_each_stage_has_the_seconds_in_which_it_decides_the_end() -> None:
    stages = (
        stage("map", 5.0, 60.0),
        stage("reduce", 20.0, 90.0, after="map", inputs=("map",)),
        stage("other", 0.0, 9.0),
    )
    assert list(decided(stages, 100.0)) == [55.0, 30.0, 0.0]


def test_of_two_inputs_the_one_that_ends_last_decides() -> None:
    scans = stage("orders", 0.0, 10.0), stage("lines", 0.0, 30.0)
    join = stage("join", 30.0, 50.0, after="lines", inputs=("orders", "lines"))
    assert path(*scans, join) == [("join", 30.0, 50.0), ("lines", 0.0, 30.0)]


def test_of_all_stages_that_open_one_together_the_one_that_ends_last_decides() -> None:
    scans = stage("orders", 0.0, 10.0), stage("lines", 0.0, 30.0)
    join = stage("join", 30.0, 50.0, after="orders", joined=("lines",), inputs=("orders", "lines"))
    assert path(*scans, join) == [("join", 30.0, 50.0), ("lines", 0.0, 30.0)]


def test_a_stage_that_runs_beside_the_longest_one_decides_nothing() -> None:
    assert path(stage("short", 0.0, 40.0), stage("long", 0.0, 70.0)) == [("long", 0.0, 70.0)]


def test_a_stage_that_ends_with_the_one_that_opened_it_decides_from_its_start() -> None:
    stages = stage("first", 0.0, 50.0), stage("second", 20.0, 50.0, after="first")
    assert path(stages[1], stages[0]) == [("second", 20.0, 50.0), ("first", 0.0, 20.0)]


def test_a_stage_that_has_not_ended_decides_until_now_and_one_that_never_opened_nothing() -> None:
    running = stage("map", 0.0, 0.0)
    running.ended = 0
    closed = stage("reduce", 0.0, 0.0, after="map", is_open=False)
    closed.ended = 0
    assert path(running, closed, now=30.0) == [("map", 0.0, 30.0)]


def test_only_what_held_a_stage_up_in_its_window_counts() -> None:
    stages = stage("map", 0.0, 60.0), stage("reduce", 20.0, 90.0, after="map", inputs=("map",))
    stages[0].marks = {60.0: HeldUp({"cpu": 300.0})}
    stages[1].marks = {
        60.0: HeldUp({"network": 40.0}),
        90.0: HeldUp({"network": 45.0, "drives": 95.0}),
    }
    assert [window.held_up for window in deciding(stages, 90.0)] == [
        pytest.approx({"network": 5.0, "drives": 95.0}),
        {"cpu": 300.0},
    ]


def test_a_stage_knows_the_least_part_of_its_tasks_after_which_another_opens() -> None:
    first, other = stage("map", 0.0, 1.0), stage("other", 0.0, 1.0)
    reduce = StageRun(
        Stage("reduce", 1, lambda task, node, moment: Delay(1.0), after="map", slowstart=0.05, joined=("other",)),
        0,
        [0],
        Slowest(),
    )
    first.lead(reduce)
    other.lead(reduce)
    assert (first.soonest, other.soonest) == (0.05, 1.0)
