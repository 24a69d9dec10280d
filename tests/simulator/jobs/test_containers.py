"""Containers that jobs share and that come at heartbeats: a node is tried once a heartbeat, not once for each job."""

from __future__ import annotations

from functools import partial

import pytest

from models.handout import Handout
from models.jobs.schedule import Schedule
from models.jobs.scheduler import Scheduler
from models.work import Delay, Job, Moment, Resources, Stage, Step
from simulator.engine import Engine
from simulator.jobs.containers import Containers
from simulator.jobs.run import JobRun

JOBS, TASKS, ROOM = 20, 3, 100


@pytest.fixture
def offers(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """When a job was offered room on a node."""
    times: list[float] = []
    offer = JobRun.offer

    def noted(run: JobRun, node: int) -> bool:
        times.append(run.done.env.now)
        return offer(run, node)

    monkeypatch.setattr(JobRun, "offer", noted)
    return times


def test_of_jobs_that_wait_for_one_heartbeat_only_the_one_whose_turn_it_is_is_offered_it(
    offers: list[float],
) -> None:
    engine, starts = Engine(Resources()), list[tuple[float, str]]()
    containers = Containers(engine, Scheduler(), [[ROOM]] * JOBS)

    def plan(name: str, task: int, node: int, moment: Moment) -> Step:
        starts.append((engine.now, name))
        return Delay(1000.0)

    names = [f"job-{number:02}" for number in range(JOBS)]
    runs = []
    for name in names:
        job = Job(name, [Stage("map", TASKS, partial(plan, name))], [ROOM], [0], handout=Handout(1.0, 1, 2, 2))
        run = JobRun(engine, job, lambda event: None, slots=containers)
        containers.join(run, Schedule(name=name))
        runs.append(run)
    for run in runs:
        run.start()
    for run in runs:
        engine.run(run.done)
    # one task a heartbeat, job by job
    assert starts == [(float(beat), names[beat // TASKS]) for beat in range(JOBS * TASKS)]
    assert max(offers.count(float(beat)) for beat in range(1, JOBS * TASKS)) == 1
    assert not containers.heartbeats.awaited
