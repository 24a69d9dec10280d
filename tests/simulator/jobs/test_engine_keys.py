"""What a kind of workload says that it takes of its engine is all that its runs read of it."""

from __future__ import annotations

from typing import Any

import pytest

from models.jobs.engine import ABOUT, Engine
from models.scenario import Scenario
from profiles.loading.loader import load
from simulator.run import simulate

PROFILES = {
    "mapreduce": ("hdfs-terasort", {"workload.input": "2 GB"}),
    "spark": ("tpch-minio-nvme", {}),
    "scan": ("presto-s3-q1", {}),
    "lakehouse": ("tpcds-dremio", {}),
}


class Watched(Engine):
    """An engine that keeps in mind which of its keys were read."""

    def __getattribute__(self, name: str) -> Any:
        if name in Engine.model_fields:
            READ.add(name)
        return super().__getattribute__(name)


READ: set[str] = set()


@pytest.mark.parametrize("kind", PROFILES)
def test_a_run_reads_of_its_engine_nothing_but_what_its_kind_takes(kind: str) -> None:
    profile, changes = PROFILES[kind]
    scenario = load(profile, Scenario, changes).scenario
    workload: Any = scenario.workload
    if kind == "spark":  # the nineteen queries that follow read no other keys
        workload = workload.model_copy(update={"queries": workload.queries[:3]})
    assert workload.kind == kind
    watched = Watched.model_construct(**{name: getattr(workload.engine, name) for name in Engine.model_fields})
    READ.clear()
    simulate(scenario.model_copy(update={"workload": workload.model_copy(update={"engine": watched})}))
    assert READ
    assert workload.taken["engine"] - ABOUT >= READ
