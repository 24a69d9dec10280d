"""Containers that stay with a job without a task, as executors do: for a time, or to its end."""

from __future__ import annotations

import math

import pytest

from models.jobs.schedule import Schedule
from models.jobs.scheduler import Queue, Scheduler
from models.work import Delay, Job, Moment, Resources, Stage, Step
from simulator.engine import Engine
from simulator.jobs.containers import Containers
from simulator.jobs.run import JobRun, Place

ROOM = 8
"""Containers of the only server."""


class Shared:
    """Jobs of two stages that share the containers of a server: eight tasks of 10 s, and one that lasts long."""

    def __init__(self, scheduler: Scheduler) -> None:
        self.engine = Engine(Resources())
        self.containers = Containers(self.engine, scheduler, [[ROOM]])
        self.runs: list[JobRun] = []

    def add(self, name: str, *, keeps: float, long: float, at: float = 0.0, queue: str | None = None) -> JobRun:
        def wide(task: int, node: int, moment: Moment) -> Step:
            return Delay(10.0)

        def thin(task: int, node: int, moment: Moment) -> Step:
            return Delay(long)

        stages = [Stage("wide", ROOM, wide), Stage("thin", 1, thin, after="wide")]
        place = Place(f"{name}/", 3 * len(self.runs) + 1)
        job = Job(name, stages, [ROOM], [0], keeps=keeps)
        run = JobRun(self.engine, job, lambda event: None, slots=self.containers, place=place)
        self.runs.append(run)

        def begin() -> None:
            self.containers.join(run, Schedule(name=name, queue=queue))
            run.done.callbacks.append(lambda event: self.containers.leave(run))
            self.containers.begin(run)

        self.engine.call_at(at, begin)
        return run


@pytest.mark.parametrize(
    ("keeps", "ends"),
    [(0.0, 21.0), (60.0, 91.0), (math.inf, 121.0)],
    ids=["tasks", "executors that leave after 60 s", "executors that stay"],
)
def test_another_job_begins_when_tasks_end_or_executors_leave_or_their_job_ends(keeps: float, ends: float) -> None:
    """The second needs eight containers for 10 s, and one for 1 s. It gets them at 10 s, before the first goes on.

    Of executors seven leave at 70 s, so that its eighth task begins at 80 s; those that stay do to 110 s.
    """
    shared = Shared(Scheduler())
    first = shared.add("first", keeps=keeps, long=100.0)
    second = shared.add("second", keeps=0.0, long=1.0, at=1.5)
    shared.engine.run(second.done)
    assert shared.engine.now == pytest.approx(ends)
    assert first.stages[0].end == 10.0


def test_a_job_uses_the_containers_that_it_keeps_again_before_another_gets_them() -> None:
    """In a fair queue the second would have half of what falls free at 10 s; the first keeps all to its end at 20 s."""
    shared = Shared(Scheduler(policy="fair"))
    first = shared.add("first", keeps=math.inf, long=10.0)
    second = shared.add("second", keeps=math.inf, long=10.0, at=1.5)
    shared.engine.run(first.done)
    assert shared.engine.now == pytest.approx(20.0)
    shared.engine.run(second.done)
    assert shared.engine.now == pytest.approx(40.0)


def test_a_queue_with_a_maximum_keeps_executors_of_others_from_taking_all() -> None:
    """With at most a half each, eight tasks take two turns of four: 20 s and 10 s, for both at the same time."""
    halves = {name: Queue(capacity=0.5, maximum_capacity=0.5) for name in ("one", "two")}
    shared = Shared(Scheduler(queues=halves))
    for queue in halves:
        shared.add(queue, keeps=math.inf, long=10.0, queue=queue)
    for run in shared.runs:
        shared.engine.run(run.done)
        assert shared.engine.now == pytest.approx(30.0)
