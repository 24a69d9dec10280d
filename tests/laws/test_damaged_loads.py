"""A load of requests on a storage system that has lost a server: measured, or refused for a reason in the world."""

from __future__ import annotations

from pathlib import Path

import pytest

from models.problem import ProblemError
from models.scenario import Scenario
from profiles.loading.loader import load
from simulator.run import simulate
from tests.laws.test_any_storage import CLUSTER, STORAGE

REASONS = {
    "amazon-s3": "a rented store has no drive to lose",
    "parallel-fs": "its servers rebuild drives by themselves",
    "local": "objects are lost beyond 0",
}
LOAD = """
[workload]
kind = "requests"
clients = "workers"
threads = 8
duration = "60 s"
precision = 0.05
mix.get = {action = "get", weight = 5, size = "4 MB", range = "1 MB"}
mix.put = {action = "put", size = "1 MB"}
[[failures.faults]]
at = "0 s"
component = "storage-2"
"""
WHOLE_ENOUGH = {"hdfs", "hdfs-coded"}
"""Systems that start too few copies in the seconds until a rate is known."""


@pytest.mark.parametrize("storage", STORAGE)
def test_a_load_meets_the_loss_of_a_server_on_each_storage_system(storage: str, tmp_path: Path) -> None:
    path = tmp_path / "damaged.toml"
    precise = LOAD.replace("precision = 0.05", "precision = 0.0").replace("60 s", "12 s")
    load_of = precise if storage in WHOLE_ENOUGH else LOAD
    path.write_text(f"{CLUSTER}[storage]\n{STORAGE[storage]}\n{load_of}", encoding="utf-8")
    if storage in REASONS:
        with pytest.raises(ProblemError, match=REASONS[storage]):
            load(str(path), Scenario)
        return
    metrics = simulate(load(str(path), Scenario).scenario).metrics
    assert metrics["heal rate"][0] > 0
    assert metrics["get latency p50 degraded"][0] > 0
