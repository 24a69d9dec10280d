"""What a run will be measured by is known before it runs: by name and unit, for every workload and storage system."""

from __future__ import annotations

import pytest

from models.jobs.spark import Spark
from models.scenario import Scenario
from profiles.loading.loader import load
from simulator.run import measured, simulate
from tests.extent import IS_WHOLE

PROFILES = {
    "copy-distcp-11-node": {},
    "hepix-hadoop-fuse-20": {},
    "hdfs-randomtextwriter": {"workload.generated": "20 GB"},
    "minio-sort": {"workload.input": "20 GB"},
    "s3a-tuning": {},
    "terasort-minio-server-failure": {"workload.input": "20 GB"},
    "presto-s3-q1": {},
    "tpch-minio-nvme": {},
    "tpcds-delta": {},
    "get-minio-nvme-drive-failure": {"workload.count": "2000"},
    "durability-storagegrid": {},
    "spark-mix-s3": {"workload.duration": "2 s"},
    "sizing-minio-servers": {},
}


@pytest.mark.parametrize("name", PROFILES)
def test_the_metrics_of_a_run_are_those_that_were_known_before(name: str) -> None:
    scenario = load(name, Scenario, PROFILES[name]).scenario
    if isinstance(scenario.workload, Spark) and not IS_WHOLE:  # the queries that follow are measured as these are
        fewer = scenario.workload.model_copy(update={"queries": scenario.workload.queries[:2]})
        scenario = scenario.model_copy(update={"workload": fewer})
    assert measured(scenario) == {key: unit for key, (_, unit) in simulate(scenario).metrics.items()}
