"""Small scenarios for the tests of runs and studies: three servers, and jobs that simulate in milliseconds."""

from __future__ import annotations

from typing import Any

from models.jobs.mapreduce import MapReduce
from models.jobs.yarn import Framework
from models.scenario import ProfileInfo, Scenario
from models.storage.hdfs.system import Hdfs
from tests.models.machines import GB, MB, cluster, server


def framework(**changes: Any) -> Framework:
    """Return four containers a server, all for tasks: there is no application master."""
    settings = {"servers": "workers", "containers": 4, "heap": 10 * GB, "container_start": 2.0, "container_spread": 1.0}
    return Framework.model_validate(settings | {"am_memory": 0.0, "compute_spread": 0.0} | changes)


def scenario(frame: Framework | None = None, machine: dict[str, Any] | None = None, **job: Any) -> Scenario:
    """Return a job on HDFS with two replicas and blocks of 100 MB on three servers of two drives."""
    return Scenario(
        profile=ProfileInfo(title="small"),
        cluster=cluster(workers=(3, server(**machine or {}))),
        storage=Hdfs(system="hdfs", servers="workers", replication=2, block_size=100 * MB),
        workload=MapReduce.model_validate({"kind": "mapreduce", "framework": frame or framework(), "cpu": 10e-9} | job),
    )


def generation(**changes: Any) -> Scenario:
    """Return the generation of 6 GB in twelve files, one for each container."""
    return scenario(**{"generated": 6 * GB, "maps": 12} | changes)


def sort(**changes: Any) -> Scenario:
    """Return the sort of 6 GB in 60 splits."""
    return scenario(**{"input": 6 * GB, "map_share": 0.6} | changes)


def refused() -> Scenario:
    """Return a scenario that no plan can be made of, as no profile can state it: seven replicas on three servers."""
    small = generation()
    return small.model_copy(update={"workload": small.workload.model_copy(update={"output_replication": 7})})
