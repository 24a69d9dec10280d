"""What the jobs of an event loop do: bytes and CPU time per event, and where they run."""

from __future__ import annotations

from typing import Any

import pytest

from models.hardware.cluster import Node
from models.hardware.drive import Access
from models.jobs.event_loop import EventLoop
from models.jobs.event_loop_plan import EVENTS, EventLoopPlan
from models.scenario import Scenario
from models.storage.clients.native import NativeMount
from models.storage.clients.posix import PosixClient, PosixMount
from models.storage.flow import Flow
from models.storage.parallel_fs.store import ParallelFsStore
from models.work import Repeat, Sequence, Step, Work
from profiles.loading.loader import load
from simulator.run import simulate
from tests.models.machines import GB, MB, layout, server
from tests.models.steps import At, all_of, delays


class Steady(ParallelFsStore):
    """A file system of one place, at which everybody reads 100 MB/s."""

    def __init__(self) -> None:
        self._steady = Flow((), 100 * MB)

    def read(self, split: int, splits: int, node: Node, access: Access, file: float | None = None) -> Flow:
        return self._steady


def plan(jobs: int = 4, **client: Any) -> EventLoopPlan:
    """Return `jobs` jobs on two servers that read at 100 MB/s and compute 0.5 s an event for a sample of 100 s."""
    job = EventLoop(
        kind="event-loop",
        servers="workers",
        jobs=jobs,
        run_time=1000.0,
        sample=100.0,
        event_bytes=1 * MB,
        event_cpu=0.5,
        data=GB,
    )
    machines = layout(workers=(2, server()))
    mounted = PosixClient(connector="posix", **client)
    native = NativeMount(Steady(), lambda node: node.page_cache(0.0), lambda group, bay: False, None)
    return EventLoopPlan(job, machines, PosixMount(native, mounted), 1)


def events(loop: EventLoopPlan, count: int = 200) -> Sequence:
    """Return the first events of a job."""
    return events_of(loop.job().stages[0].plan(0, 0, At(0.0)), count)


def events_of(step: Step, count: int) -> Sequence:
    """Return the next events of a job."""
    assert isinstance(step, Repeat)
    planned = [step.plan() for _ in range(count)]
    return Sequence([event for event in planned if event is not None])


def test_jobs_are_spread_evenly_over_the_servers() -> None:
    assert list(plan(jobs=6).job().slots) == [3, 3]
    assert plan(jobs=6).job().stages[0].tasks == 6


def test_a_client_moves_more_than_a_job_asks_for() -> None:
    step = events(plan(overread=2.0))
    reads = [work.amount for work in all_of(step, Work) if work.demand.max_rate == 100 * MB]
    assert set(reads) == {2 * MB}


def test_cpu_time_per_event_varies_around_its_mean() -> None:
    step = events(plan())
    spent = [work.amount for work in all_of(step, Work) if work.demand.cap == "one core a job"]
    assert sum(spent) / len(spent) == pytest.approx(0.5, rel=0.15)
    assert max(spent) > 1.0
    assert min(spent) < 0.1


def test_each_read_waits_for_the_latency_of_the_client() -> None:
    assert delays(events(plan(latency=0.01), 100)) == pytest.approx(0.01 * 100)


def test_all_jobs_together_end_after_as_many_events_as_tell_their_pace() -> None:
    stage = plan(jobs=2).job().stages[0]
    first, second = (stage.plan(task, 0, At(0.0)) for task in range(2))
    assert isinstance(first, Repeat)
    assert isinstance(second, Repeat)
    left = EVENTS - len(events_of(second, 1000).steps)
    assert sum(1 for _ in iter(first.plan, None)) == left
    assert second.plan() is None


def test_what_a_sample_of_few_events_is_worth_is_told() -> None:
    few, many = (
        simulate(load("hepix-lustre-20", Scenario, {"workload.sample": sample}).scenario, profile="hepix-lustre-20")
        for sample in ("3 s", "30 s")
    )
    events = few.metrics["events"][0] * 3 / 2400
    assert [note for note in many.warnings if "few events" in note] == []
    (told,) = (note for note in few.warnings if "few events" in note)
    assert f"{events:.0f} in 3 s: chance alone moves their number by 6%; a longer sample (workload.sample)" in told
