"""What a store is full of beside the data of its jobs is made anew beside them, as it is when nothing runs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from models.build import kept
from models.failures import Failures
from models.hardware.cluster import Layout
from models.hardware.parts import down
from models.scenario import Scenario
from models.storage.ceph_rbd.system import CephRbd
from models.storage.hdfs.runtime import RUNTIME
from models.storage.hdfs.system import Hdfs
from profiles.loading.loader import load
from simulator.result import FailuresResult, Result
from simulator.run import simulate
from simulator.studies.rebuild import repair_time
from tests.models.machines import GB, MB, cluster, server
from tests.simulator.test_failures import failing, failures, on_hdfs, on_minio

DRIVE = 1000 * GB
"""Bytes of a drive of these servers, of which each has two."""


def on_ceph() -> Scenario:
    """Return that sort on five hosts of Ceph."""
    storage = CephRbd(system="ceph-rbd", servers="storage", pg_num=128)
    machines = cluster(storage=(5, server()), compute=(2, server()))
    parts = {"storage": storage, "cluster": machines, "client": None}
    return Scenario.model_validate(on_minio().model_copy(update=parts))


def alone(base: Scenario, *, is_server: bool) -> float:
    """Return how long the repair takes on an idle cluster (s)."""
    known = repair_time(base)
    return known.server if is_server else known.drive


def full(base: Scenario, *faults: tuple[float, str], fill: float = 0.5, **changes: Any) -> Result:
    return simulate(failing(base, *faults, fill=fill, **changes))


def healed(result: FailuresResult) -> float:
    return sum(fault.healed for fault in result.faults)


@pytest.mark.parametrize(
    ("base", "name", "is_server"),
    [
        (on_hdfs, "workers-2", True),
        (on_hdfs, "workers-2/data-1", False),
        (on_minio, "storage-2/data-1", False),
        (on_ceph, "storage-2", True),
    ],
)
def test_all_that_was_on_it_is_made_anew_in_the_time_that_it_takes_alone(
    base: Callable[[], Scenario], name: str, is_server: bool
) -> None:
    scenario = base()
    result = failures(full(scenario, (2.0, name)))
    (fault,) = result.faults
    assert fault.healed == pytest.approx(0.5 * DRIVE * (2 if is_server else 1), rel=0.02)
    idle = scenario.model_copy(update={"failures": Failures(fill=0.5)})
    assert fault.healthy_at - 2.0 == pytest.approx(alone(idle, is_server=is_server), rel=0.12)


def test_a_job_shares_drives_and_cards_with_what_is_made_anew() -> None:
    fast = on_hdfs().storage.model_copy(update={"replication_work": 100, "dead_node_time": 1.0})
    base = on_hdfs().model_copy(update={"storage": fast})
    own, all_of_it = simulate(failing(base, (1.0, "workers-2"))), full(base, (1.0, "workers-2"), fill=0.9)
    assert all_of_it.duration > own.duration
    moved = [sum(one.bytes for one in result.resources if one.kind.startswith("nic")) for result in (own, all_of_it)]
    assert moved[1] > moved[0]


def test_two_servers_at_once_lose_the_blocks_that_only_they_held() -> None:
    result = failures(full(on_hdfs(), (1.0, "workers-2"), (1.0, "workers-3")))
    # of a terabyte on one of four servers, a third has its other replica on the second one
    assert result.lost == pytest.approx(DRIVE / 3, rel=0.05)
    assert healed(result) == pytest.approx(2 * DRIVE - 2 * DRIVE / 3, rel=0.05)


def test_a_rack_is_made_anew_as_full_as_its_servers_were() -> None:
    base = on_hdfs().model_copy(update={"cluster": cluster(racks=2, workers=(8, server()))})
    result = failures(full(base, (1.0, "rack-2")))
    assert result.lost == 0
    assert healed(result) == pytest.approx(4 * DRIVE, rel=0.02)


def test_what_jobs_keep_counts_as_a_part_of_what_drives_are_full_of() -> None:
    tiny = full(on_hdfs(), (1.0, "workers-2"), fill=0.001)  # 2 GB of a server, which has 3 of the job alone
    own = simulate(failing(on_hdfs(), (1.0, "workers-2")))
    assert healed(failures(tiny)) == healed(failures(own))


def test_the_data_of_loads_of_requests_is_made_anew_with_all_else() -> None:
    day = load("shared-day", Scenario).scenario
    assert day.failures is not None
    told = day.model_copy(update={"failures": day.failures.model_copy(update={"fill": 0.6})})
    rest = kept(told, Layout(told.cluster))
    assert rest is not None
    # the night reads 2 TB and writes 2, the hours read 0.275, the backup writes 2
    jobs = (2 + 2 + 0.275 + 2) * 1e12 * 4 / 3
    assert 0.6 - rest.part == pytest.approx(jobs / (12 * 16e12), rel=0.01)


def test_an_answer_says_that_what_lies_beside_the_job_was_left_out() -> None:
    left_out = [any("failures.fill" in warning for warning in result.warnings) for result in both()]
    assert left_out == [True, False]


def both() -> tuple[Result, Result]:
    """Return the run with a lost server of which nobody says how full it was, and the one where it is said."""
    return simulate(failing(on_hdfs(), (1.0, "workers-2"))), full(on_hdfs(), (1.0, "workers-2"))


def test_with_as_many_servers_as_replicas_a_repair_waits_for_the_server() -> None:
    storage = Hdfs(system="hdfs", servers="workers", replication=3, block_size=100 * MB, dead_node_time=30.0)
    base = on_hdfs().model_copy(update={"storage": storage, "cluster": cluster(workers=(3, server()))})
    result = failures(full(base, (1.0, "workers-2"), replacement_time=3600.0))
    (fault,) = result.faults
    assert fault.healed == pytest.approx(DRIVE, rel=0.02)
    # 2 * 3 blocks each 3 s onto the server that is back
    assert fault.healthy_at == pytest.approx(3601.0 + 3.0 + DRIVE / (100 * MB) / 6 * 3, rel=0.05)


@pytest.mark.parametrize(("servers", "waits"), [(3, True), (4, False)])
def test_beside_a_load_a_repair_waits_for_the_server_too(servers: int, waits: bool) -> None:
    storage = Hdfs(system="hdfs", servers="storage", replication=3, dead_node_time=30.0)
    machines = cluster(storage=(servers, server()), clients=(1, server()))
    gone = down(machines, "storage", "data", ["storage-2"])
    assert RUNTIME.loss is not None
    wait = RUNTIME.loss(storage, machines, gone, writes=False).wait(Layout(machines))
    assert wait is None if waits else wait == 30.0
