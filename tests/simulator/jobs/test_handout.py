"""Containers that come at heartbeats of nodes: what one brings, and what waits for data that is elsewhere."""

from __future__ import annotations

from collections.abc import Sequence as Series
from dataclasses import replace

import numpy as np
import pytest

from models.handout import HANDED, Handout
from models.jobs.scheduler import Policy
from models.jobs.yarn import Framework
from models.work import Delay, Job, Moment, Resources, Stage, Step
from simulator.engine import Engine
from simulator.jobs.run import JobRun

LONG = 1000.0


class Bench:
    """Runs jobs of delays whose containers come at heartbeats, one a second, and writes down which tasks start when."""

    def __init__(self) -> None:
        self.engine = Engine(Resources())
        self.starts: list[tuple[float, int, int]] = []

    def stage(self, seconds: Series[float]) -> Stage:
        def plan(task: int, node: int, moment: Moment) -> Step:
            self.starts.append((round(self.engine.now, 6), node, task))
            return Delay(seconds[task])

        return Stage("map", len(seconds), plan)

    def run(self, stage: Stage, slots: Series[int], handout: Handout | None, racks: Series[int] = ()) -> JobRun:
        job = Job("job", [stage], slots, racks or [0] * len(slots), handout=handout)
        run = JobRun(self.engine, job, lambda event: None)
        run.start()
        self.engine.run(run.done)
        return run

    @property
    def times(self) -> list[float]:
        return [time for time, _, _ in self.starts]


@pytest.fixture
def bench() -> Bench:
    return Bench()


def test_a_heartbeat_brings_one_task_without_data_to_a_node_and_the_wait_is_named(bench: Bench) -> None:
    run = bench.run(bench.stage([LONG] * 6), [3, 3], Handout(1.0, 1, 2, 2))
    assert bench.starts == [(0.0, 0, 0), (0.0, 1, 1), (1.0, 0, 2), (1.0, 1, 3), (2.0, 0, 4), (2.0, 1, 5)]
    assert bench.engine.held_up(run.stages[0].tag).works[HANDED] == 4 + 2  # slots that were free for a second each


def test_only_as_many_slots_count_as_kept_free_as_tasks_wait(bench: Bench) -> None:
    run = bench.run(bench.stage([LONG] * 4), [8, 8], Handout(1.0, 1, 2, 2))
    assert bench.engine.held_up(run.stages[0].tag).works[HANDED] == 2


def test_a_heartbeat_may_bring_more(bench: Bench) -> None:
    bench.run(bench.stage([LONG] * 5), [8], Handout(1.0, 2, 1, 1))
    assert bench.times == [0.0, 0.0, 1.0, 1.0, 2.0]


def test_a_slot_that_falls_free_long_after_a_heartbeat_is_filled_at_once(bench: Bench) -> None:
    bench.run(bench.stage([4.5] * 3), [1], Handout(1.0, 1, 1, 1))
    assert bench.times == [0.0, 4.5, 9.0]


def test_tasks_that_find_their_data_fill_a_node_at_once(bench: Bench) -> None:
    here = np.array([[0]] * 4 + [[1]] * 4, dtype=np.int32)
    bench.run(replace(bench.stage([1.0] * 8), preferred=here, wishes=3), [4, 4], Handout(1.0, 1, 2, 2))
    assert bench.times == [0.0] * 8


def test_a_heartbeat_of_a_fair_scheduler_brings_one_task_with_data_or_without_and_none_waits_for_a_place(
    bench: Bench,
) -> None:
    here = np.array([[0]] * 4 + [[1]] * 2, dtype=np.int32)
    handout = Framework(servers="workers", containers=4, off_switch=1).handout(2, "fair")
    assert handout is not None
    bench.run(replace(bench.stage([LONG] * 6), preferred=here, wishes=3), [4, 4], handout)
    assert bench.starts == [(0.0, 0, 0), (0.0, 1, 4), (1.0, 0, 1), (1.0, 1, 5), (2.0, 0, 2), (2.0, 1, 3)]


@pytest.mark.parametrize(
    ("stated", "policy", "brought"),
    [
        ({}, "capacity", [8.0]),  # 100, of which there is room for eight
        ({}, "fair", [1.0] * 8),
        ({"heartbeat_containers": 3}, "capacity", [3.0, 3.0, 2.0]),
        ({"heartbeat_containers": 3}, "fair", [3.0, 3.0, 2.0]),
        ({"off_switch": 2}, "fair", [1.0] * 8),  # it knows no such limit
        ({"off_switch": 0}, "fair", [8.0]),  # scheduled continuously
    ],
)
def test_a_heartbeat_brings_tasks_with_data_by_the_policy_of_the_scheduler_unless_it_is_told_how_many(
    bench: Bench, stated: dict[str, int], policy: Policy, brought: list[float]
) -> None:
    handout = Framework.model_validate({"servers": "workers", "containers": 8, "off_switch": 1} | stated).handout(
        1, policy
    )
    stage = replace(bench.stage([LONG] * 8), preferred=np.zeros((8, 1), dtype=np.int32), wishes=2)
    bench.run(stage, [8], handout)
    assert [bench.times.count(beat) for beat in sorted(set(bench.times))] == brought


def test_a_task_goes_elsewhere_in_its_rack_once_more_heartbeats_are_missed_than_it_waits_for(bench: Bench) -> None:
    # node 1 has no data: of two nodes it alone has room, and misses a heartbeat a second; more than 2 are 3
    here = np.array([[0]] * 10, dtype=np.int32)
    bench.run(replace(bench.stage([LONG] * 10), preferred=here, wishes=3), [2, 4], Handout(1.0, 1, 2, 2))
    assert bench.starts[:4] == [(0.0, 0, 0), (0.0, 0, 1), (3.0, 1, 2), (6.0, 1, 3)]


def test_maps_that_read_an_object_store_come_one_in_as_many_heartbeats_as_there_are_servers_and_one(
    bench: Bench,
) -> None:
    # three servers with room send three heartbeats a second, of which every fourth brings a map
    bench.run(replace(bench.stage([LONG] * 30), wishes=2), [10] * 3, Handout(1.0, 1, 3, 3))
    assert bench.times[:4] == pytest.approx([4 / 3, 8 / 3, 12 / 3, 16 / 3], abs=1e-5)
    assert [node for _, node, _ in bench.starts[:4]] == [0, 1, 2, 0]


def test_without_a_delay_they_fill_all_slots_at_once(bench: Bench) -> None:
    bench.run(replace(bench.stage([LONG] * 30), wishes=2), [10] * 3, Handout(1.0, 1, 3, 0))
    assert bench.times == [0.0] * 30


def test_with_racks_told_they_wait_once_and_then_come_one_a_heartbeat(bench: Bench) -> None:
    # no rack is that of an object store: after one heartbeat of each server missed they may go anywhere
    bench.run(replace(bench.stage([LONG] * 8), wishes=2), [10] * 2, Handout(1.0, 1, 2, 2), racks=[0, 1])
    assert bench.times[0] == 1.5
    assert max(after - before for before, after in zip(bench.times, bench.times[1:], strict=False)) <= 1.0


def test_few_tasks_go_anywhere_sooner_than_many() -> None:
    handout = Handout(1.0, 1, 20, 20)
    assert handout.missed(1, 21, has_rack=True) == 2
    assert handout.missed(1000, 21, has_rack=True) == 21
    assert handout.missed(10, 2, has_rack=True) == 2
    assert Handout(1.0, 1, 100, 40).missed(1000, 101, has_rack=True) == 41
    assert Handout(1.0, 1, 100, 40).missed(1000, 101, has_rack=False) == 101
