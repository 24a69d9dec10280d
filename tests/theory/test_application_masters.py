"""Application masters of YARN take a container each, and bound how many jobs run at once: against arithmetic."""

from __future__ import annotations

import math
from typing import Any

import pytest

from models.jobs.mapreduce import MapReduce
from models.jobs.schedule import Scheduled, scheduled
from models.jobs.scheduler import Queue, Scheduler
from models.jobs.yarn import Framework
from models.problem import RefusalError
from models.scenario import Scenario
from simulator.result import Result
from simulator.run import simulate
from tests.models.machines import GB, MB, cluster, server
from tests.simulator.small import scenario

TASK, SPLIT = 20.0, 100 * MB
"""Each map computes for 20 s on a core of its own."""
GIB = 2.0**30
SLOTS, SERVERS = 4, 3


def frame(**changes: Any) -> Framework:
    """Return four containers of 2 GiB a server, in which an application master of Hadoop takes one."""
    settings = {"servers": "workers", "containers": SLOTS, "container_memory": 2 * GIB, "compute_spread": 0.0}
    return Framework.model_validate(settings | changes)


def alone(maps: int, **changes: Any) -> Result:
    return simulate(scenario(frame(**changes), cpu=TASK / SPLIT, input=maps * SPLIT, map_output=0.0, reduces=0))


def beside(jobs: int, scheduler: Scheduler, maps: int = 1, servers: int = SERVERS, **changes: Any) -> Result:
    """Return the run of jobs that come at once, of few maps each."""
    job = {"kind": "mapreduce", "framework": frame(**changes), "cpu": TASK / SPLIT, "input": maps * SPLIT}
    comes = {"name": "job", "reduces": 0, "map_output": 0.0, "arrivals": (0.0,) * jobs}
    entry: Scheduled = scheduled(MapReduce)(**job | comes)
    one = scenario(cpu=1e-9, input=GB, map_output=0.0, reduces=0)
    many = Scenario(
        profile=one.profile,
        cluster=cluster(workers=(servers, server())),
        storage=one.storage,
        workloads=(entry,),
        scheduler=scheduler,
    )
    return simulate(many, is_compared=False)


@pytest.mark.parametrize("maps", [11, 12, 22, 23])
def test_a_job_alone_has_one_container_less_than_its_servers(maps: int) -> None:
    assert alone(maps).duration == pytest.approx(math.ceil(maps / 11) * TASK, rel=0.03)


def test_jobs_of_trackers_and_those_that_state_none_have_all_containers() -> None:
    assert alone(12, am_memory=0.0).duration == pytest.approx(TASK, rel=0.03)
    assert alone(12, map_slots=SLOTS).duration == pytest.approx(TASK, rel=0.03)


def test_a_master_takes_no_container_where_its_server_has_memory_beside_them() -> None:
    """Four of 2 GiB leave 2 of 10 GiB, which holds 1.5 GiB that YARN rounds up to 2; of 9.5 GiB they do not."""
    assert alone(12, node_memory=10 * GIB).duration == pytest.approx(TASK, rel=0.03)
    assert alone(12, node_memory=9.5 * GIB).duration == pytest.approx(2 * TASK, rel=0.03)


def test_a_master_of_three_containers_of_memory_takes_as_many() -> None:
    """Of 12 containers 9 are left, as 5 GiB take more than two of 2 GiB each."""
    assert alone(9, am_memory=5 * GIB).duration == pytest.approx(TASK, rel=0.03)
    assert alone(10, am_memory=5 * GIB).duration == pytest.approx(2 * TASK, rel=0.03)


def test_a_job_whose_master_leaves_no_container_is_refused_with_its_key_and_a_way_out() -> None:
    text = r"\.framework\.containers: .*takes all that the servers have.*node_memory"
    with pytest.raises(RefusalError, match=rf"^workload{text}"):
        alone(1, am_memory=9 * GIB)
    with pytest.raises(RefusalError, match=rf"^workloads\.job{text}"):
        beside(1, Scheduler(), am_memory=9 * GIB)


@pytest.mark.parametrize(
    ("scheduler", "at_once"),
    [
        (Scheduler(policy="capacity"), 1),  # a tenth of 24 GiB, rounded up to 3, holds one of 2
        (Scheduler(policy="capacity", queues={"default": Queue(maximum_am=0.3)}), 4),  # 7.2, rounded up to 8
        (Scheduler(policy="fair"), 6),  # half of 24
        (Scheduler(policy="fifo"), 1),
    ],
    ids=["capacity", "capacity with 0.3", "fair", "fifo"],
)
def test_so_many_jobs_run_at_once_as_their_masters_may_stand(scheduler: Scheduler, at_once: int) -> None:
    lasts = beside(12, scheduler).duration
    assert lasts == pytest.approx(math.ceil(12 / at_once) * TASK, rel=0.03)


def test_a_queue_that_keeps_jobs_out_says_which_key_lets_more_in() -> None:
    kept = beside(4, Scheduler(policy="capacity"))
    assert any("scheduler.queues.default.maximum_am" in line for line in kept.warnings)
    assert kept.bottleneck is not None
    assert kept.bottleneck.resource == "containers"
    let = beside(3, Scheduler(policy="capacity", queues={"default": Queue(maximum_am=1.0)}))
    assert not any("maximum_am" in line for line in let.warnings)


def test_masters_of_a_queue_are_bound_by_its_own_capacity() -> None:
    """A fifth of ten servers of 8 GiB holds one master of 2 GiB, and all of them four: 0.1 of 16 and of 80 GiB."""
    halves = {"default": Queue(capacity=0.2), "other": Queue(capacity=0.8)}
    assert beside(8, Scheduler(queues=halves), servers=10).duration == pytest.approx(8 * TASK, rel=0.03)
    assert beside(8, Scheduler(), servers=10).duration == pytest.approx(2 * TASK, rel=0.03)


def test_executors_that_a_server_cannot_hold_are_refused_with_key_and_way_out() -> None:
    machine = server()
    with pytest.raises(RefusalError, match=r"framework.container_memory.*executors with their overhead.*lower it"):
        frame(containers=8, executors=2, container_memory=machine.memory.size / 2).on(machine, has_executors=True)
    with pytest.raises(RefusalError, match=r"framework.container_memory.*lower it"):
        frame(containers=0, container_memory=2 * machine.memory.size).on(machine)
