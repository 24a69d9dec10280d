"""Any work on any storage while a drive or a server fails: it runs to its end, and no faster than without.

Where what is lost has no other copy, the answer says how many bytes are lost; of those nothing is read, so a run may
then be shorter. A fault after the end changes nothing, to the last bit.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from models.failures import Failures, Fault
from models.scenario import Scenario
from models.work import COMMIT
from profiles.loading.loader import load
from simulator.result import Result
from simulator.run import simulate
from tests.extent import IS_WHOLE
from tests.laws.test_any_storage import OBSERVED, SPARK, STORAGE
from tests.laws.test_reproducibility import digest

CLUSTER = """
[profile]
title = "Any work on any storage while something fails"

[cluster.groups.workers.server]
use = "hdd-25gbe"
bays.data.count = 4
[cluster.groups.workers]
count = 4
[cluster.groups.storage.server]
use = "nvme-25gbe"
bays.data.count = 4
[cluster.groups.storage]
count = 4
[cluster.groups.gateways]
server = "hdd-25gbe"
count = 2
"""

WORK = {
    "mapreduce": (
        'use = "terasort"\nframework = { use = "yarn-h1", containers = 2, node_expiry = "5 s" }\ninput = "2 GB"\n'
    ),
    "spark": SPARK,
    "scan": 'use = "taxi-q2"\nservers = ["workers"]\nengine = { use = "presto-emr", split_size = "512 MB" }\n',
    "event-loop": 'use = "cmssw"\nsample = "1 s"\ndata = "2 GB"\n',
    "copy": (
        'use = "copy-taxi-trips"\nfiles = 8\nsize = "2 GB"\norigin.use = "minio-nvme"\n'
        'tool = { use = "distcp", servers = ["workers"], node_expiry = "5 s" }\n'
    ),
    "read": 'kind = "bulk-io"\nservers = ["workers"]\nprocesses = 4\ndirection = "read"\nsize = "500 MB"\n',
    "write": 'kind = "bulk-io"\nservers = ["workers"]\nprocesses = 4\ndirection = "write"\nsize = "500 MB"\n',
}
if IS_WHOLE:
    WORK["observed"] = OBSERVED
GAIN = 0.04
"""Part of a duration that a run may gain by chance: what goes elsewhere may meet fewer others."""
LATE = 1e6
"""Seconds after which each of these runs has ended."""


@cache
def scenario(workload: str, storage: str) -> Scenario:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "any.toml"
        path.write_text(f"{CLUSTER}[storage]\n{STORAGE[storage]}\n[workload]\n{WORK[workload]}", encoding="utf-8")
        return load(str(path), Scenario).scenario


@cache
def healthy(workload: str, storage: str) -> Result:
    return simulate(scenario(workload, storage))


def broken(workload: str, storage: str, at: float, component: str) -> Result:
    return broken_while(scenario(workload, storage), at, component)


def broken_while(whole: Scenario, at: float, component: str) -> Result:
    failures = Failures(faults=(Fault(at=at, component=component),), replacement_time=1.0)
    return simulate(Scenario.model_validate(whole.model_copy(update={"failures": failures})))


def kept_in(storage: str) -> str:
    """Return the servers that hold the bytes; of a rented store there are none to lose, so those that compute."""
    return "workers" if storage == "amazon-s3" else "storage"


PAIRS = [(workload, storage) for workload in WORK for storage in STORAGE]
LATE_PAIRS = PAIRS if IS_WHOLE else [pair for pair in PAIRS if pair[0] == "mapreduce" or pair[1] == "hdfs"]
"""Each workload and each system once, with `make laws` all pairs."""


@pytest.mark.parametrize(("workload", "storage"), LATE_PAIRS)
def test_a_fault_after_the_end_changes_nothing(workload: str, storage: str) -> None:
    result = broken(workload, storage, LATE, f"{kept_in(storage)}-2")
    assert result.failures is not None
    assert result.failures.faults == ()
    assert "did not fail at" in result.warnings[-1]
    whole = healthy(workload, storage)
    assert digest(replace(result, failures=None, warnings=result.warnings[:-1])) == digest(whole)


def test_a_fault_leaves_the_copies_inside_a_rented_store_as_long_as_they_were() -> None:
    whole = healthy("mapreduce", "amazon-s3")
    faulty = broken("mapreduce", "amazon-s3", 0.4 * whole.duration, "workers-2/data-1")
    (before, after) = (result.stages[-1] for result in (whole, faulty))
    assert before.name == after.name == COMMIT
    assert after.end - after.start == pytest.approx(before.end - before.start)


def fewer_bytes(workload: str, storage: str) -> float:
    """Return the part of its bytes that a workload which only writes saves while a piece of each object is missing."""
    asked = scenario(workload, storage)
    redundancy = asked.storage.redundancy(asked.cluster)
    read, _, _ = asked.workload.stored(asked.cluster)
    return 0.0 if read or redundancy is None else 1 / redundancy.pieces


KEPT = [(storage, f"{kept_in(storage)}-2{drive}") for storage in STORAGE for drive in ("", "/data-1")]
COMPUTING = [(storage, "workers-3") for storage in ("hdfs", "minio")]


FAULTS = [
    (workload, *where)
    for i, workload in enumerate(WORK)
    for j, where in enumerate(KEPT + COMPUTING)
    if IS_WHOLE or (i + j) % 2 == 0
]
"""Each workload on each system while a server or a drive of it fails, with `make laws` both."""


@pytest.mark.parametrize(("workload", "storage", "component"), FAULTS)
def test_a_fault_in_the_middle_makes_no_run_faster(workload: str, storage: str, component: str) -> None:
    whole = healthy(workload, storage)
    result = broken(workload, storage, 0.4 * whole.duration, component)
    assert result.failures is not None
    (fault,) = result.failures.faults
    assert fault.healthy_at >= fault.at
    most = max(GAIN, fewer_bytes(workload, storage))
    assert result.failures.lost > 0 or result.failures.refused > 0 or result.duration >= whole.duration * (1 - most)
    assert result.failures.lost == 0 or storage in ("parallel-fs", "local")  # one server has each byte


def test_a_copy_is_simulated_whole_where_something_fails() -> None:
    whole = scenario("copy", "hdfs")
    sampled = whole.model_copy(update={"workload": whole.workload.model_copy(update={"sample": 4})})
    assert any("stand for the rest" in warning for warning in simulate(sampled).warnings)
    result, exact = (broken_while(profile, 5.0, "storage-2") for profile in (sampled, whole))
    assert result.duration == exact.duration
    assert len(result.warnings) == len(exact.warnings)


def test_a_process_that_is_tried_again_copies_all_files_of_its_task() -> None:
    whole = scenario("copy", "hdfs")
    many = whole.model_copy(update={"workload": whole.workload.model_copy(update={"files": 400, "size": 20e9})})
    healthy_end = simulate(many).duration
    result = broken_while(many, healthy_end - 1.0, "workers-3")
    assert result.failures is not None
    assert result.failures.lost == 0
    assert result.duration > healthy_end
