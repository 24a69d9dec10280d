"""What can never be exceeded, counted by hand: CPU time, all drives, all cards."""

from __future__ import annotations

import pytest

from models.jobs.mapreduce import MapReduce
from models.planning.bounds import least_duration, nameplate
from models.scenario import Scenario
from models.storage.hdfs.system import Hdfs
from profiles.loading.loader import load
from tests.models.machines import GB, MB, card, cluster, server
from tests.narrow import as_a
from tests.simulator.small import framework, sort

NO_CPU = framework(job_start=0.0)


def apart(nic: float) -> Scenario:
    """Return a sort of 6 GB whose three workers read from three servers of their own."""
    machines = server(nic=card(bandwidth=nic))
    scenario = sort(frame=NO_CPU, cpu=0.0)
    changes = {
        "cluster": cluster(workers=(3, machines), storage=(3, server())),
        "storage": Hdfs(system="hdfs", servers="storage", replication=2, block_size=100 * MB),
    }
    return Scenario(**{**dict(scenario), **changes})


def test_cpu_time_takes_at_least_what_all_processors_need_for_it() -> None:
    """6 GB of 100 ns/B on three servers of four cores, whose eight threads do the work of five."""
    bound = least_duration(sort(frame=NO_CPU, cpu=100e-9))
    assert bound.seconds == pytest.approx(600 / 15)
    assert bound.reason == "its CPU time on all processors"


def test_input_passes_all_drives_at_their_sequential_rate() -> None:
    """Three servers of two drives of 2 GB/s."""
    bound = least_duration(sort(frame=NO_CPU, cpu=0.0))
    assert bound.seconds == pytest.approx(6 / 12)
    assert bound.reason == "reading its input from all drives"


def test_input_passes_all_cards_where_tasks_run_on_other_servers_than_those_that_store() -> None:
    bound = least_duration(apart(nic=0.1 * GB))
    assert bound.seconds == pytest.approx(6 / 0.3)
    assert bound.reason == "taking its input in over all network cards"


def test_cards_are_no_bound_where_a_server_may_read_what_it_stores() -> None:
    """MinIO on the servers of the tasks: a server's own shards do not come in over its card."""
    slow = {f"cluster.groups.{name}.server.nic.bandwidth": "1 Gbit/s" for name in ("storage", "compute")}
    settings = slow | {"workload.cpu": "0 ns/B"}
    away = load("minio-terasort", Scenario, settings).scenario
    assert least_duration(away).reason == "taking its input in over all network cards"
    home = as_a(MapReduce, away.workload).framework.model_copy(update={"servers": "storage"})
    together = away.model_copy(update={"workload": away.workload.model_copy(update={"framework": home})})
    assert least_duration(together).reason == "reading its input from all drives"


def test_other_kinds_of_jobs_and_stores_that_show_no_drives_have_no_bound() -> None:
    scenario = load("presto-s3-q1", Scenario).scenario
    assert least_duration(scenario).seconds == 0
    assert nameplate(scenario) is None
