"""Laws of the size of a lone request: no larger object comes sooner, and none a leap later than a smaller one."""

from __future__ import annotations

from dataclasses import replace

import pytest

from models.build import build
from models.jobs.object_load_plan import ObjectLoadPlan
from models.requests import Closed
from models.scenario import Scenario
from profiles.loading.loader import load
from simulator.requests.run import run_requests

MiB = 2.0**20
EDGES = (1.0, 4.0, 10.0, 16.0)
"""Sizes at which some store cuts what it moves (MiB): turns, objects of RADOS, stripes, parts and windows."""


def alone(name: str, kind: str, size: float, storage: str | None, release: str | None = None) -> float:
    """Return the mean latency of a shipped load, on another store or not, whose requests of `size` bytes come alone.

    MinIO is of another `release`, if any.
    """
    groups = {"storage.pg_num": "1024"} if "ceph" in name else {}  # as many as ship take a second to lay out
    other = ({"storage": storage} if storage else {}) | ({"storage.release": release} if release else {})
    scenario = load(name, Scenario, overrides={f"workload.mix.{kind}.size": f"{size} B"} | groups | other).scenario
    plan = build(scenario, 0)
    assert isinstance(plan, ObjectLoadPlan)
    run = replace(plan.runs()[0], loop=Closed(1), precision=0.0, warm_up=0.0, goes_on=False, count=40)
    return run_requests(run, seed=1).latency.mean.value


@pytest.mark.parametrize(
    ("name", "kind", "storage"),
    [
        ("published-ceph-r760-put-4mib", "object", None),
        ("published-ceph-r760-get-4mib-replica-512", "object", None),
        ("get-minio-nvme", "GET", None),
        ("put-minio-nvme", "PUT", None),
        ("get-minio-nvme", "GET", "hdfs"),
        ("get-minio-nvme", "GET", "hdfs-rs-6-3"),
        ("published-aistore-10-get-10mb", "GET", None),
        ("get-storagegrid-node-failure", "GET", None),
    ],
)
def test_one_percent_more_bytes_take_a_lone_request_no_less_time_and_no_leap_more(
    name: str, kind: str, storage: str | None
) -> None:
    for edge in EDGES:
        smaller, larger = (alone(name, kind, edge * MiB * more, storage) for more in (1.0, 1.01))
        assert 0.999 * smaller <= larger <= 1.05 * smaller, f"{edge} MiB"


def test_an_upload_above_128_mib_comes_sooner_where_minio_reads_it_ahead_and_only_there() -> None:
    """PutObjectPart of MinIO since RELEASE.2022-01-25: two stripes are received and hashed while others are coded."""
    for release, soonest, latest in (("2021-12-29", 1.0, 1.02), ("2022-01-25", 0.8, 0.9)):
        smaller, larger = (alone("put-minio-nvme", "PUT", 128 * MiB * more, None, release) for more in (1.0, 1.01))
        assert soonest * smaller <= larger <= latest * smaller, release
