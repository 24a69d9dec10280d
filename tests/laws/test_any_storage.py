"""The same work on another storage system: each workload that moves bytes runs on each system, and moves as many."""

from __future__ import annotations

from pathlib import Path

import pytest

from models.jobs.object_load import ObjectLoad
from models.scenario import Scenario
from profiles.loading.loader import load, load_text
from simulator.run import simulate
from tests.narrow import as_a

CLUSTER = """
[profile]
title = "Any work on any storage"

[cluster.groups.workers]
server = "hdd-25gbe"
count = 4
[cluster.groups.storage]
server = "nvme-25gbe"
count = 4
[cluster.groups.gateways]
server = "hdd-25gbe"
count = 2
"""

STORAGE = {
    "hdfs": 'use = "hdfs"\nservers = "storage"',
    "hdfs-coded": 'use = "hdfs"\nservers = "storage"\nreplication_min = 1\npolicy = "XOR-2-1-1024k"',
    "minio": 'use = "minio-nvme"',
    "storagegrid": 'use = "storagegrid"',
    "ceph": 'use = "ceph"\ngateways = "gateways"',
    "ceph-rbd": 'use = "ceph-rbd"',
    "object-store": 'use = "object-store"',
    "amazon-s3": 'use = "amazon-s3"',
    "parallel-fs": 'use = "hepix-server"\nservers = "storage"',
    "local": 'use = "local"\nservers = "storage"',
}

SPARK = """
kind = "spark"
file_format = "orc"
engine = { use = "spark-minio", query_time = "1 s" }
[workload.framework]
use = "spark-c5n"
servers = "workers"
local_dirs = "data"
executors = 2
shuffle_partitions = 16
node_expiry = "5 s"
[workload.tables.orders]
rows = 40e6
size = "2 GB"
columns = { key = "0.5 GB", note = "1.5 GB" }
[[workload.queries]]
name = "1"
[[workload.queries.stages]]
name = "left"
scan = "orders"
columns = ["key", "note"]
rows = 20e6
row_size = "40 B"
[[workload.queries.stages]]
name = "right"
scan = "orders"
columns = ["key"]
rows = 20e6
row_size = "16 B"
[[workload.queries.stages]]
name = "join"
inputs = ["left", "right"]
rows = 10e6
row_size = "24 B"
[[workload.queries.stages]]
name = "sum"
inputs = ["join"]
operator = "aggregate"
"""

OBSERVED = """
kind = "observed"
framework = { use = "spark", node_expiry = "5 s" }
[[workload.stages]]
name = "scan"
tasks = [
    { count = 12, cpu = "0.2 s", input = "40 MB", handed_on = "10 MB" },
    { count = 1, cpu = "0.8 s", input = "160 MB", handed_on = "40 MB" },
]
[[workload.stages]]
name = "write"
after = ["scan"]
delay = "0.1 s"
tasks = [{ count = 8, cpu = "0.5 s", fetched = "20 MB", spilled = "5 MB", output = "30 MB" }]
"""

WORK = {
    "mapreduce": 'use = "terasort"\nframework = "yarn-h1"\ninput = "20 GB"\n',
    "spark": SPARK,
    "observed": OBSERVED,
    "scan": 'use = "taxi-q2"\nengine = "presto-emr"\nservers = ["workers"]\n',
    "event-loop": 'use = "cmssw"\nsample = "2 s"\n',
    "copy": (
        'use = "copy-taxi-trips"\ntool.use = "distcp"\ntool.servers = ["workers"]\n'
        'origin.use = "minio-nvme"\nsize = "8 GB"\n'
    ),
    "requests": (
        'kind = "requests"\nclients = "workers"\nthreads = 8\ncount = 4000\nprecision = 0.02\n'
        "mix.get = {action = 'get', weight = 5, size = '4 MB', range = '1 MB'}\n"
        "mix.put = {action = 'put', size = '1 MB'}\n"
        "mix.upload = {action = 'put', weight = 0.1, size = '32 MB', part_size = '8 MB'}\n"
        "mix.head = {action = 'head'}\nmix.probe = {action = 'head-missing'}\n"
        "mix.list = {action = 'list', weight = 0.1}\nmix.delete = {action = 'delete'}\n"
    ),
    "lakehouse": (
        'use = "tpcds-delta"\nservers = "workers"\ndriver = "gateways"\nengine = { use = "spark-3", slots = 0.125 }\n'
        "gets = 20000\nopens = 2000\nprobes = 100\nlists = 100\nprecision = 0.02\n"
    ),
    "bulk-io": 'kind = "bulk-io"\nservers = ["workers"]\nprocesses = 4\ndirection = "write"\nsize = "1 GB"\n',
}


def scenario(workload: str, storage: str, folder: Path) -> Scenario:
    path = folder / "any.toml"
    path.write_text(f"{CLUSTER}[storage]\n{STORAGE[storage]}\n[workload]\n{WORK[workload]}", encoding="utf-8")
    return load(str(path), Scenario).scenario


@pytest.mark.parametrize("storage", STORAGE)
@pytest.mark.parametrize("workload", WORK)
def test_each_workload_runs_on_each_storage_system(workload: str, storage: str, tmp_path: Path) -> None:
    asked = scenario(workload, storage, tmp_path)
    result = simulate(asked)
    assert result.duration > 0
    if workload == "requests":
        assert {request.name for request in result.requests} == set(as_a(ObjectLoad, asked.workload).mix)
        assert all(request.rate.value > 0 for request in result.requests)
    read, written, _ = asked.workload.stored(asked.cluster)
    moved = sum(group.bytes for group in result.groups if group.group.startswith(("storage/data", "amazon-s3/")))
    if workload in ("mapreduce", "copy", "bulk-io"):
        assert moved >= 0.95 * (read + written)  # what the page cache has not written yet is missing


@pytest.mark.parametrize("client", ["", "[client]\nconnector = 's3'\nconnections = 4\n"])
@pytest.mark.parametrize("storage", STORAGE)
def test_a_job_whose_files_are_empty_ends_on_each_storage_system(storage: str, client: str) -> None:
    work = "use = 'tpcx-hs-validate'\nframework = 'yarn'\ninput = '4 GB'\n"
    text = f"{CLUSTER}[storage]\n{STORAGE[storage]}\n{{}}[workload]\n{work}"
    takes_it = load_text(text.format(""), Scenario).scenario.storage.interface == "objects"
    result = simulate(load_text(text.format(client if takes_it else ""), Scenario).scenario)
    assert result.duration > 0
    if client and takes_it:
        assert result.metrics["requests"][0] == 2 * result.stages[0].tasks  # each reads an object and writes one


@pytest.mark.parametrize("origin", [name for name in STORAGE if name != "minio"])
def test_a_copy_takes_its_bytes_from_any_system(origin: str, tmp_path: Path) -> None:
    path = tmp_path / "any.toml"
    work = WORK["copy"].replace('origin.use = "minio-nvme"\n', "") + f"[workload.origin]\n{STORAGE[origin]}\n"
    path.write_text(f"{CLUSTER}[storage]\nuse = 'minio'\nservers = 'workers'\n[workload]\n{work}", encoding="utf-8")
    result = simulate(load(str(path), Scenario).scenario)
    read = sum(group.bytes for group in result.groups if group.group.startswith(("storage/data", "amazon-s3/")))
    assert read == pytest.approx(8e9, rel=0.01)
    written = sum(group.bytes for group in result.groups if group.group == "workers/data drives")
    assert written > 8e9
