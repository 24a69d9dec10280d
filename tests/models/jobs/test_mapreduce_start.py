"""When tasks begin: heartbeats, containers, JVMs that run several tasks."""

from __future__ import annotations

from typing import Any

import pytest

from models.hardware.cluster import Layout
from models.jobs.engine import Engine
from models.jobs.mapreduce import MapReduce
from models.jobs.mapreduce_start import Starts
from models.jobs.yarn import Framework
from models.jobs.yarn_containers import rounded
from models.work import Delay, Sequence, Work
from tests.models.machines import GB, layout, server
from tests.models.steps import all_of

SLOTS = 2
ENGINE = Engine(name="Hadoop", decode_cpu={"binary": 1e-9}, task_cpu=1.4)


def delays(machines: Layout, tasks: int, stage: int = 0, **settings: Any) -> list[list[float]]:
    """Return the seconds of the starts of a stage on each server, to which its tasks are dealt in turn."""
    frame = Framework(servers="workers", containers=4, heap=GB, **settings)
    job = MapReduce(kind="mapreduce", framework=frame, input=1 * GB, cpu=0.0)
    nodes = machines.groups["workers"]
    starts = Starts(job, nodes, [[SLOTS] * len(nodes)] * 2, (tasks, tasks), salt=1)
    by_node: list[list[float]] = [[] for _ in nodes]
    for task in range(tasks):
        step = Sequence(starts.steps(task, stage, nodes[task % len(nodes)]))
        by_node[task % len(nodes)].append(sum(delay.seconds for delay in all_of(step, Delay)))
    return by_node


@pytest.mark.parametrize(("stage", "maps"), [(0, 1), (1, 1), (1, 0)])
def test_a_first_wave_gets_a_task_at_each_heartbeat_and_later_ones_ask_at_once(stage: int, maps: int) -> None:
    machines = layout(workers=(3, server()))
    settings: dict[str, Any] = {
        "container_start": 1.0,
        "heartbeat": 3.0,
        "heartbeat_tasks": maps,
        "heartbeat_at_end": True,
    }
    starts = delays(machines, 12, stage, **settings)
    for first, second, *later in starts:
        assert 1 <= first < 4
        assert second == pytest.approx(first + 3)
        assert later == [1.0, 1.0]


@pytest.mark.parametrize("maps", [0, 2, 3])
def test_a_heartbeat_may_bring_maps_to_all_free_slots(maps: int) -> None:
    machines = layout(workers=(3, server()))
    settings: dict[str, Any] = {
        "container_start": 1.0,
        "heartbeat": 3.0,
        "heartbeat_tasks": maps,
        "heartbeat_at_end": True,
    }
    for first, second, *later in delays(machines, 12, **settings):
        assert first == second < 4
        assert later == [1.0, 1.0]


@pytest.mark.parametrize("stage", [0, 1])
def test_who_ends_a_task_waits_half_a_heartbeat_on_average_for_the_next(stage: int) -> None:
    """The variance of what is spread evenly over 3 s is 3/4 s^2: a mean of 1198 is off by up to 3 standard errors."""
    [[_, _, *later]] = delays(layout(workers=(1, server())), 1200, stage, container_start=1.0, heartbeat=3.0)
    assert 1 < min(later) < 1.1
    assert 3.9 < max(later) < 4
    assert sum(later) / len(later) == pytest.approx(2.5, abs=3 * (3 / 4 / len(later)) ** 0.5)


@pytest.mark.parametrize(("servers", "seconds"), [(10, 5.0), (100, 5.0), (250, 5.0), (251, 6.0), (910, 19.0)])
def test_many_servers_send_heartbeats_less_often(servers: int, seconds: float) -> None:
    frame = Framework(servers="workers", heartbeat=5.0, heartbeat_rate=50)
    assert frame.interval(servers) == seconds


@pytest.mark.parametrize(
    ("tasks", "starts"), [(1, [3, 3, 3, 3, 3, 3]), (2, [3, 3, 2, 2, 3, 3]), (-1, [3, 3, 2, 2, 2, 2])]
)
def test_a_jvm_that_runs_several_tasks_starts_once_for_all_of_them(tasks: int, starts: list[int]) -> None:
    waits = delays(layout(workers=(1, server())), 6, container_start=3.0, jvm_tasks=tasks, jvm_start=1.0)
    assert waits == [starts]


def test_tasks_in_a_jvm_that_has_run_others_do_not_load_its_classes_again() -> None:
    machines = layout(workers=(1, server()))
    frame = Framework(servers="workers", containers=4, heap=GB, jvm_tasks=-1)
    job = MapReduce(kind="mapreduce", framework=frame, input=1 * GB, engine=ENGINE)
    starts = Starts(job, machines.groups["workers"], [[SLOTS]] * 2, (6, 1), salt=1)
    steps = [Sequence(starts.steps(task, 0, machines.groups["workers"][0])) for task in range(6)]
    assert [len(all_of(step, Work)) for step in steps] == [1, 1, 0, 0, 0, 0]


def test_tasks_in_executors_wait_for_a_process_in_the_first_wave_of_the_job_only() -> None:
    machines = layout(workers=(1, server()))
    frame = Framework(servers="workers", containers=4, heap=GB, container_start=3.0)
    engine = ENGINE.model_copy(update={"keeps_processes": True})
    job = MapReduce(kind="mapreduce", framework=frame, input=1 * GB, engine=engine)
    [node] = machines.groups["workers"]
    starts = Starts(job, [node], [[SLOTS]] * 2, (6, 2), salt=1)
    tasks = [*((task, 0) for task in range(6)), *((task, 1) for task in range(2))]
    steps = [Sequence(starts.steps(*task, node)) for task in tasks]
    assert [sum(delay.seconds for delay in all_of(step, Delay)) for step in steps] == [3, 3, 0, 0, 0, 0, 0, 0]
    assert [len(all_of(step, Work)) for step in steps] == [1, 1, 0, 0, 0, 0, 0, 0]


@pytest.mark.parametrize(
    ("memory", "given"), [(0.0, 0.0), (1.0, 4.0), (4.0, 4.0), (4.000000001, 4.0), (5.0, 8.0), (1e-9, 4.0)]
)
def test_a_container_takes_whole_allocations_and_one_at_least(memory: float, given: float) -> None:
    assert rounded(memory, 4.0) == given
