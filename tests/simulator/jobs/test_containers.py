"""Containers that jobs share and that come at heartbeats: a node is tried once a heartbeat, not once for each job."""

from __future__ import annotations

from functools import partial

import pytest

from models.handout import HANDED, Handout
from models.jobs.schedule import Schedule
from models.jobs.scheduler import Policy, Scheduler
from models.work import Delay, Job, Moment, Resources, Stage, Step
from simulator.engine import Engine
from simulator.jobs.containers import Containers
from simulator.jobs.run import JobRun, Place

Runs = dict[str, JobRun]
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


def _together(engine: Engine, tasks: dict[str, int], slots: list[int], policy: Policy) -> Runs:
    """Run jobs with so many tasks of 1,000 s each, whose containers come at heartbeats, one a second."""
    containers = Containers(engine, Scheduler(policy=policy), [slots] * len(tasks))
    runs: Runs = {}
    for name, many in tasks.items():
        stage = Stage("map", many, lambda task, node, moment: Delay(1000.0))
        job = Job(name, [stage], slots, [0] * len(slots), handout=Handout(1.0, 1, 2, 2))
        place = Place(name, row=2 * len(runs))
        runs[name] = JobRun(engine, job, lambda event: None, slots=containers, place=place)
        containers.join(runs[name], Schedule(name=name))
    for run in runs.values():
        run.start()
    for run in runs.values():
        engine.run(run.done)
    return runs


def _kept(engine: Engine, run: JobRun) -> float:
    return engine.held_up(run.stages[0].tag).works.get(HANDED, 0.0)


@pytest.mark.parametrize(("slots", "seconds"), [([3, 3], 4 + 2), ([3], 2 + 1)])
def test_a_job_that_waits_for_heartbeats_says_so_in_containers_that_it_could_share(
    slots: list[int], seconds: float
) -> None:
    engine = Engine(Resources())
    runs = _together(engine, {"only": sum(slots)}, slots, "capacity")
    assert _kept(engine, runs["only"]) == seconds  # containers that were free for a second each


def test_what_others_have_taken_meanwhile_was_not_kept_from_a_job_by_heartbeats() -> None:
    """The second waits 1,000 s for the containers of the first, and for heartbeats only when these have fallen free."""
    engine = Engine(Resources())
    runs = _together(engine, {"first": 4, "second": 4}, [2, 2], "fifo")
    assert _kept(engine, runs["first"]) == 2
    assert _kept(engine, runs["second"]) <= 4
