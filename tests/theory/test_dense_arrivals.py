"""Jobs that come faster than a cluster can do them, against the seconds of containers that their tasks take."""

from __future__ import annotations

from typing import Any

import pytest

from models.jobs.mapreduce import MapReduce
from models.jobs.schedule import Scheduled, scheduled
from models.jobs.scheduler import Scheduler
from models.scenario import Scenario
from simulator.result import Result
from simulator.run import simulate
from tests.models.machines import GB, MB, cluster, server
from tests.simulator.small import framework, scenario

TASK, SPLIT = 20.0, 100 * MB
"""Each map computes for 20 s on a core of its own; what its reduces do takes next to nothing."""
SLOTS = 4
POLICIES = ("fair", "fifo", "capacity")
RANDOM: dict[str, Any] = {"arrival_rate": 1 / 30, "until": 600.0}
LARGE: dict[str, Any] = {"maps": 24, "reduces": 6}
SMALL: dict[str, Any] = {"maps": 12, "reduces": 4}


def stream(maps: int, reduces: int, slowstart: float, **comes: Any) -> Scheduled:
    frame = framework(container_start=0.0, container_spread=0.0, containers=SLOTS, slowstart=slowstart)
    job = {"kind": "mapreduce", "framework": frame, "cpu": TASK / SPLIT, "input": maps * SPLIT, "map_output": 0.01}
    entry: Scheduled = scheduled(MapReduce)(**job | {"name": "job", "reduces": reduces} | comes)
    return entry


def run(entry: Scheduled, policy: Any, servers: int = 3) -> Result:
    one = scenario(cpu=1e-9, input=GB, map_output=0.0, reduces=0)
    return simulate(
        Scenario(
            profile=one.profile,
            cluster=cluster(workers=(servers, server())),
            storage=one.storage,
            workloads=(entry,),
            scheduler=Scheduler(policy=policy),
        ),
        is_compared=False,
    )


def work(result: Result, maps: int, servers: int = 3) -> float:
    """Return the seconds that the maps of all runs take of all containers."""
    return len(result.workloads[0].passes) * maps * TASK / (servers * SLOTS)


@pytest.mark.parametrize("policy", POLICIES)
def test_where_reduces_begin_after_all_maps_thirty_dense_jobs_keep_all_containers_busy(policy: str) -> None:
    dense = run(stream(**SMALL, slowstart=1.0, arrivals=tuple(5.0 * i for i in range(30))), policy)
    assert dense.duration == pytest.approx(work(dense, 12), rel=0.01)
    assert not any("made room" in line for line in dense.warnings)


@pytest.mark.parametrize("policy", POLICIES)
def test_early_reduces_cost_a_stream_no_more_than_the_half_of_the_containers_that_they_may_hold(policy: str) -> None:
    dense = run(stream(**LARGE, slowstart=0.05, **RANDOM), policy)
    start = min(one_pass.start for one_pass in dense.workloads[0].passes)
    assert work(dense, 24) < dense.duration - start < 2 * work(dense, 24)


def test_in_a_fair_queue_reduces_make_room_and_are_done_again() -> None:
    dense = run(stream(**LARGE, slowstart=0.05, **RANDOM), "fair")
    assert any("made room" in line for line in dense.warnings)
    assert dense.workloads[0].metrics["runs"][0] == len(dense.workloads[0].passes)
    stages = [stage for stage in dense.stages if stage.name.endswith("/reduce")]
    assert all(stage.tasks == 6 and stage.end > stage.start for stage in stages)


@pytest.mark.parametrize("policy", ["fair", "fifo"])
@pytest.mark.parametrize("shape", [LARGE, SMALL], ids=["24 maps", "12 maps"])
def test_more_servers_make_no_stream_slower(shape: dict[str, Any], policy: str) -> None:
    runs = [run(stream(**shape, slowstart=0.05, **RANDOM), policy, servers) for servers in (2, 3, 6)]
    for key in ("duration", "run time"):
        times = [result.metrics[key][0] for result in runs]
        assert times == sorted(times, reverse=True), key
