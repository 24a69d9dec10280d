"""The laws hold for workloads beside each other as for one: nothing is lost, and more of anything slows nobody down.

A small cluster with a job that comes twice, a load of requests and a copy within a throttle; with `make laws` the day
that ships as well.
"""

from __future__ import annotations

from functools import cache

import pytest

from models.jobs.copy import Copy, Tool
from models.jobs.mapreduce import MapReduce
from models.jobs.object_load import ObjectLoad, Operation
from models.jobs.schedule import Scheduled, scheduled
from models.scenario import ProfileInfo, Scenario
from models.storage.amazon_s3.system import AmazonS3
from models.storage.minio.system import Minio
from profiles.loading.loader import load, load_text
from simulator.result import Result
from simulator.run import simulate
from tests.extent import IS_WHOLE
from tests.laws.miniatures import Change, changed, times
from tests.laws.test_any_storage import CLUSTER, STORAGE, WORK
from tests.laws.test_reproducibility import OTHER, digest
from tests.models.machines import GB, MB, cluster, hdd, server
from tests.simulator.small import framework

SLOWER = 0.02
"""Part by which a job may be slower with more: tasks meet other chances of placement."""
ROUNDING = 1e-9
SMALL = "small"
EVERY = (SMALL, "shared-day") if IS_WHOLE else (SMALL,)
TIMED = ("event-loop", "requests", "lakehouse")
"""Kinds of work that last as long as they are told to, or are measured on a store that nobody else uses."""
SERVER = "cluster.groups.*.server"
MORE: dict[str, dict[str, Change]] = {
    "twice the servers that only store": {"cluster.groups.storage.count": times(2)},
    "twice the servers": {"cluster.groups.*.count": times(2)},
    "twice the drives": {f"{SERVER}.bays.*.count": times(2)},
    "twice the cores": {f"{SERVER}.cpu.{key}": times(2) for key in ("cores", "threads")},
    "network cards twice as fast": {f"{SERVER}.nic.bandwidth": times(2)},
}

pytestmark = [] if IS_WHOLE else [pytest.mark.usefixtures("few_requests")]


def jobs() -> tuple[Scheduled, ...]:
    """Return a job that comes twice and a copy within a throttle."""
    frame = framework(servers="compute", containers=4, local_dirs="root", container_start=0.5, container_spread=0.1)
    night = {"kind": "mapreduce", "framework": frame, "cpu": 20e-9, "input": 1.6 * GB, "map_share": 0.6, "reduces": 8}
    origin = AmazonS3(system="amazon-s3", first_byte=0.012, connection_bandwidth=93 * MB, get_rate=5500.0)
    copy = {"kind": "copy", "origin": origin, "tool": Tool(servers=("compute",), processes=1), "files": 10}
    return (
        scheduled(MapReduce)(**night | {"name": "night", "every": 25.0, "until": 30.0}),
        scheduled(Copy)(**copy | {"size": 1.2 * GB, "name": "backup", "throttle": 80 * MB}),
    )


def tenant() -> Scheduled:
    mix = {"GET": Operation(action="get", size=1 * MB, weight=3.0), "PUT": Operation(action="put", size=1 * MB)}
    load = {"kind": "requests", "clients": "compute", "rate": 10.0, "duration": 60.0, "mix": mix, "data": 10 * GB}
    workload: Scheduled = scheduled(ObjectLoad)(**load | {"name": "tenant", "objectives": ("GET latency p50 <= 1 s",)})
    return workload


def small(*entries: Scheduled) -> Scenario:
    return Scenario(
        profile=ProfileInfo(title="small"),
        cluster=cluster(storage=(4, server(4, hdd())), compute=(4, server())),
        storage=Minio(system="minio", servers="storage", parity=4),
        workloads=entries,
    )


@cache
def scenario(name: str) -> Scenario:
    return small(*jobs(), tenant()) if name == SMALL else load(name, Scenario).scenario


@cache
def run(name: str) -> Result:
    return simulate(scenario(name))


@cache
def each_alone(name: str) -> tuple[Result, ...]:
    """Return how each workload goes as the only one."""
    whole = scenario(name)
    return tuple(simulate(of_some(whole, entry)) for entry in whole.workloads)


def of_some(whole: Scenario, *entries: Scheduled) -> Scenario:
    """Return a scenario with some of its workloads, and without what fails."""
    return Scenario(
        profile=whole.profile,
        cluster=whole.cluster,
        storage=whole.storage,
        client=whole.client,
        workloads=entries,
        scheduler=whole.scheduler,
    )


@pytest.mark.parametrize("name", EVERY)
def test_drives_and_cards_move_what_they_move_for_each_workload_alone(name: str) -> None:
    whole = scenario(name)
    together = run(name) if whole.failures is None else simulate(of_some(whole, *whole.workloads))  # none is rebuilt
    moved = {group_result.group: group_result.bytes for group_result in together.groups}
    alone: dict[str, float] = {}
    for result in each_alone(name):
        for group_result in result.groups:
            alone[group_result.group] = alone.get(group_result.group, 0.0) + group_result.bytes
    for group in (group for group in moved if group.endswith(("data drives", "network in", "network out"))):
        assert moved[group] == pytest.approx(alone[group], rel=0.03), group


@pytest.mark.parametrize("name", EVERY)
def test_what_workloads_use_of_a_group_adds_up_to_what_it_gives(name: str) -> None:
    result = run(name)
    for group in result.groups:
        parts = [workload.series[group.group].mean() for workload in result.workloads if group.group in workload.series]
        slack = 0.02 if result.failures is None else 0.2  # the rebuild is nobody's
        assert sum(parts) <= group.utilization_mean * 1.02 + ROUNDING, group.group
        assert sum(parts) >= group.utilization_mean * (1 - slack) - 1e-3, group.group


@pytest.mark.parametrize("name", EVERY)
def test_no_resource_gives_more_than_it_has(name: str) -> None:
    over = {resource.name for resource in run(name).resources if resource.utilization.max() > 1 + ROUNDING}
    under = {resource.name for resource in run(name).resources if resource.utilization.min() < -ROUNDING}
    assert (over, under) == (set(), set())


@pytest.mark.parametrize("name", EVERY)
def test_no_workload_is_faster_beside_others_than_alone(name: str) -> None:
    assert [workload.name for workload in run(name).workloads if workload.slowdown < 1 - SLOWER] == []


@pytest.mark.parametrize("kind", [kind for kind in WORK if kind not in TIMED])
def test_the_only_one_of_many_takes_as_long_as_by_itself(kind: str) -> None:
    """It comes later and meets chances of its own: of another name, it lies and starts elsewhere."""
    cluster = f"{CLUSTER}[storage]\n{STORAGE['hdfs']}\n"
    of_many = WORK[kind].replace("[workload.", "[workloads.")
    alone = load_text(f"{cluster}[workload]\n{WORK[kind]}", Scenario).scenario
    many = load_text(f"{cluster}[[workloads]]\nname = 'one'\nstart = '7 s'\n{of_many}", Scenario).scenario
    (one,) = simulate(many).workloads
    assert one.metrics["duration"][0] == pytest.approx(simulate(alone).duration, rel=OTHER)


@pytest.mark.parametrize("name", EVERY)
def test_the_same_seed_gives_the_same_answer_to_the_last_bit(name: str) -> None:
    assert digest(simulate(scenario(name))) == digest(run(name))


@pytest.mark.parametrize("change", MORE if IS_WHOLE else ["twice the servers", "twice the cores"])
def test_no_job_is_slower_with(change: str) -> None:
    before, after = few(), simulate(changed(small(*jobs()), MORE[change]))
    for workload in before.workloads:
        name = f"{workload.name}.duration"
        assert after.metrics[name][0] <= before.metrics[name][0] * (1 + SLOWER), name


@cache
def few() -> Result:
    return simulate(small(*jobs()))


@pytest.mark.slow
def test_requests_wait_no_longer_where_all_parts_are_twice_as_many_or_as_fast() -> None:
    changes = {key: change for part in MORE.values() for key, change in part.items()}
    sides = (result.metrics for result in (run(SMALL), simulate(changed(scenario(SMALL), changes))))
    before, after = sides
    for percentile in ("p50", "p90", "p99"):
        name = f"tenant.latency {percentile}"
        assert after[name][0] <= before[name][0] * (1 + SLOWER), name
