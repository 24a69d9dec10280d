"""Reduces that hold all that their job has make room for its maps, as the application master of Hadoop lets them."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Literal

import pytest

from models.jobs.schedule import Schedule
from models.jobs.scheduler import Queue, Scheduler
from models.work import Await, Delay, Demand, Job, Moment, Resources, Sequence, Stage, Step, Use, Work
from simulator.engine import Engine
from simulator.jobs.containers import Containers
from simulator.jobs.preemption import preempted
from simulator.jobs.run import JobRun, Place

MAP, REDUCE = 10.0, 5.0
FETCHED = 7.0
"""What a reduce takes of the card before all maps have ended."""
FAIR = Scheduler(policy="fair")


class Shared:
    """Jobs that share the containers of servers, and when their tasks began."""

    def __init__(self, scheduler: Scheduler, servers: int = 1) -> None:
        resources = Resources()
        self.card = resources.add("card", kind="card", group="cards", unit="B", capacity=1000.0)
        self.engine = Engine(resources)
        self.containers = Containers(self.engine, scheduler, [[1] * servers])
        self.servers = servers
        self.starts: list[tuple[float, str]] = []
        self.runs: list[JobRun] = []

    def add(
        self,
        name: str,
        maps: int,
        reduces: int = 0,
        *,
        at: float = 0.0,
        slots: int = 4,
        queue: str = "",
        long: float = MAP,
    ) -> JobRun:
        """Let a job come at a time, of which so many tasks fill a server."""
        places = [slots] * self.servers
        job, place = self.job(name, maps, reduces, places, long), Place(f"{name}/", 3 * len(self.runs) + 1)
        run = JobRun(self.engine, job, lambda event: None, slots=self.containers, place=place)
        self.runs.append(run)

        def begin() -> None:
            self.containers.join(run, Schedule(name=name, queue=queue or None))
            run.done.callbacks.append(lambda event: self.containers.leave(run))
            run.start()

        self.engine.call_at(at, begin)
        return run

    def job(self, name: str, maps: int, reduces: int, places: list[int], long: float = MAP) -> Job:
        """Return a job whose reduces begin while maps run."""
        stages = [Stage("map", maps, partial(self._map, name, long))]
        if reduces:
            shuffle = partial(self._reduce, name)
            stages.append(
                Stage("reduce", reduces, shuffle, after="map", slowstart=0.05, inputs=("map",), ramp=0.5),
            )
        return Job(name, tuple(stages), places, [0] * self.servers)

    def _map(self, name: str, long: float, task: int, node: int, moment: Moment) -> Step:
        self.starts.append((self.engine.now, f"{name} map {task}"))
        return Delay(long)

    def _reduce(self, name: str, task: int, node: int, moment: Moment) -> Step:
        self.starts.append((self.engine.now, f"{name} reduce {task}"))
        fetch = Work(FETCHED, Demand((Use(self.card, 1.0),)))
        return Sequence((fetch, Await(moment.milestone("map")), Delay(REDUCE)))

    def ends(self) -> list[float]:
        """Run all jobs, and return when they ended."""
        times: dict[JobRun, float] = {}

        def end(run: JobRun) -> Callable[[object], None]:
            return lambda event: times.update({run: self.engine.now})

        for run in self.runs:
            run.done.callbacks.append(end(run))
        self.engine.run()
        return [times[run] for run in self.runs]


def late(shared: Shared, name: str, after: float = 0.0) -> list[tuple[float, str]]:
    """Return when tasks whose names begin so have begun after a time."""
    return [(time, task) for time, task in shared.starts if task.startswith(name) and time > after]


def starving(maps: int = 4) -> Shared:
    """Return a job that has two maps and two reduces when another comes, which gets what the maps leave."""
    shared = Shared(FAIR)
    shared.add("A", 8, 2)
    shared.add("B", maps, at=12.0)
    return shared


def test_a_job_that_has_only_reduces_stops_half_of_them_a_heartbeat_after_its_last_map_and_runs_maps_there() -> None:
    shared = starving()
    first, second = shared.ends()
    # at 10 s A refills its four containers with two maps and two reduces; at 20 s both maps leave theirs to B
    assert late(shared, "A map", 10.0) == [(21.0, "A map 6"), (31.0, "A map 7")]
    assert shared.runs[0].preempted == 1
    # its last map ends 10 s after 31 s, and both reduces, of which one has begun anew, 5 s after that
    assert first == pytest.approx(41.0 + REDUCE, abs=0.1)
    assert second == pytest.approx(40.0)


def test_a_reduce_that_made_room_is_the_youngest_and_fetches_again_what_it_had() -> None:
    shared = starving()
    shared.ends()
    begun = [task for _, task in late(shared, "A reduce")]
    assert begun == ["A reduce 0", "A reduce 1", "A reduce 1"]
    assert shared.engine.close().used[shared.card.index] == pytest.approx(3 * FETCHED)


def test_without_reduces_that_begin_early_nothing_makes_room() -> None:
    shared = Shared(FAIR)
    shared.add("A", 8)
    shared.add("B", 4, at=12.0)
    shared.ends()
    assert [run.preempted for run in shared.runs] == [0, 0]


def test_a_job_whose_turn_comes_before_the_next_heartbeat_stops_nothing() -> None:
    shared = starving(1)
    shared.add("C", 1, at=12.0, long=0.5)
    shared.ends()
    # C runs from 20.0 to 20.5 s, and nobody but A waits for what it leaves
    assert late(shared, "A map", 10.0)[0] == (20.5, "A map 6")
    assert shared.runs[0].preempted == 0


@pytest.mark.parametrize("policy", ["fifo", "capacity"])
def test_in_the_order_in_which_they_came_the_first_job_gets_what_its_maps_leave(
    policy: Literal["fifo", "capacity"],
) -> None:
    shared = Shared(Scheduler(policy=policy))
    shared.add("A", 8, 2)
    shared.add("B", 4, at=12.0)
    first, _ = shared.ends()
    assert first == pytest.approx(30.0 + REDUCE)
    assert shared.runs[0].preempted == 0


def fragments() -> Shared:
    """Return two servers on which a job that takes half of one at a time has room on both, and on neither enough."""
    shared = Shared(FAIR, servers=2)
    shared.add("X", 2, slots=4, long=2000.0)
    shared.add("A", 4, 1, slots=2)
    shared.add("B", 1, slots=3, at=12.0, long=2000.0)
    return shared


def test_where_there_is_room_but_in_pieces_reduces_make_room_only_after_five_minutes() -> None:
    shared = fragments()
    shared.ends()
    assert late(shared, "A map", 10.0)[-1] == (301.0, "A map 3")
    assert shared.runs[1].preempted == 1


HEADROOM = {
    "all that is free, in the order of arrival": (Scheduler(policy="fifo"), 4),
    "half for each of two fair queues": (FAIR, 1),
    "three quarters by weight": (Scheduler(policy="fair", queues={"q": Queue(weight=3.0)}), 3),
    "up to its maximum": (Scheduler(queues={"q": Queue(capacity=0.25, maximum_capacity=0.5)}), 1),
    "up to all, as shipped": (Scheduler(), 4),
}


@pytest.mark.parametrize("case", HEADROOM)
def test_the_headroom_of_a_job_is_what_is_free_and_what_its_queue_may_hold(case: str) -> None:
    scheduler, expected = HEADROOM[case]
    shared = Shared(scheduler, servers=2)
    run = shared.add("A", 3, queue="q")
    shared.add("B", 1, queue="p")
    shared.engine.run(until=5.0)
    assert shared.containers.headroom(run) == expected  # of eight containers it has three, the other job one


def test_headroom_is_told_anew_once_another_queue_asks_for_containers_takes_some_and_leaves() -> None:
    """Of eight containers it has three and may have all while it is alone, and half beside another queue."""
    shared = Shared(FAIR, servers=2)
    run = shared.add("A", 3, queue="q", long=100.0)
    shared.engine.run(until=1.0)
    told = [shared.containers.headroom(run)]
    other = shared.add("B", 1, queue="p", at=2.0, long=10.0)
    shared.containers.join(other, Schedule(name="B", queue="p"))
    told.append(shared.containers.headroom(run))
    shared.containers.leave(other)
    told.append(shared.containers.headroom(run))
    for time in (5.0, 15.0):
        shared.engine.run(until=time)
        told.append(shared.containers.headroom(run))
    assert told == [5, 1, 5, 1, 5]


def test_a_job_that_shares_with_nobody_ends_as_one_without_others_to_the_last_digit() -> None:
    shared = Shared(FAIR)
    run = shared.add("A", 9, 3)
    alone = Shared(FAIR)
    lone = JobRun(alone.engine, alone.job("A", 9, 3, [4]), lambda event: None)
    lone.start()
    alone.engine.run(lone.done)
    assert shared.ends() == [alone.engine.now]
    assert shared.starts == alone.starts
    assert run.preempted == lone.preempted == 0


def test_what_made_room_is_told_and_nothing_where_nothing_did() -> None:
    (line,) = preempted([1, 0, 2])
    assert line.startswith("tasks that made room for others of their job: 3;")
    assert preempted([0, 0]) == ()
