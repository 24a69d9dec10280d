"""From a scenario to its layout and its job."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from datetime import date
from typing import Any

import pytest
from pydantic import ValidationError

from models.build import build
from models.hardware.server import Memory
from models.jobs.copy import Copy, Tool
from models.jobs.mapreduce import MapReduce
from models.jobs.object_load import ObjectLoad
from models.jobs.yarn import Framework
from models.plan import Plan
from models.planning.growth import Growth
from models.scenario import ProfileInfo, Scenario
from models.storage.amazon_s3.system import AmazonS3
from models.storage.clients.s3 import S3Client
from models.storage.clients.s3a import S3aClient
from models.storage.hdfs.system import Hdfs
from models.storage.minio.system import Minio
from models.storage.parallel_fs.system import ParallelFs
from models.work import Sequence, Step, WriteBehind
from simulator.readings import OwnAccount
from tests.models.machines import GB, MB, cluster, parallel_fs, server
from tests.models.steps import At, all_of, moved, name
from tests.narrow import as_a

HDFS = Hdfs(system="hdfs", servers="storage", replication=2)
MINIO = Minio(system="minio", servers="storage", parity=4)
S3 = AmazonS3(system="amazon-s3", first_byte=0.012, connection_bandwidth=93 * MB, get_rate=5500.0)
STAGING = S3aClient.model_validate({"connector": "s3a", "fs": {"s3a": {"committer": {"name": "directory"}}}})


def scenario(storage: Hdfs | Minio, **workload: Any) -> Scenario:
    """Return a job of 4 containers that hold 60 of 100 GB on two servers; four others store."""
    return Scenario(
        profile=ProfileInfo(title="A test"),
        cluster=cluster(
            storage=(4, server(drives=4, memory=Memory(size=200 * GB))),
            compute=(2, server(drives=2, memory=Memory(size=100 * GB))),
        ),
        storage=storage,
        client=STAGING if isinstance(storage, Minio) else None,
        workload=MapReduce(
            kind="mapreduce",
            framework=Framework(servers="compute", containers=4, heap=60 * GB),
            cpu=1e-9,
            **workload,
        ),
    )


FILES = parallel_fs(servers="storage")


def copied_to_files(
    client: S3Client | None, brought: S3aClient | None = None, target: ParallelFs | Minio = FILES
) -> tuple[str, ...]:
    """Return what a copy from S3 into a file system that is mounted, or into a store, says of its clients."""
    tool = Tool(servers=("compute",), processes=1, client=brought)
    plan = build(
        Scenario(
            profile=ProfileInfo(title="A test"),
            cluster=cluster(storage=(4, server(drives=4)), compute=(2, server(drives=2))),
            storage=target,
            client=client,
            workload=Copy(kind="copy", origin=S3, tool=tool, files=4, size=4 * GB),
        ),
        salt=1,
    )
    assert isinstance(plan, Plan)
    return plan.notes(OwnAccount(1.0, {}, {}))


def test_clients_that_were_taken_are_told_where_the_profile_could_have_named_others() -> None:
    assert copied_to_files(None) == (
        "client: the profile names none, so that the usual one of 'amazon-s3', 's3' with its defaults was taken;"
        " what is of Hadoop, as DistCp, speaks 's3a-defaults'",
    )


def test_a_copy_takes_the_client_of_its_tool_and_says_so() -> None:
    brought = copied_to_files(None, S3aClient(connector="s3a"))
    assert brought == ("client: the profile names none, so that its tool's, 's3a', was taken",)
    assert copied_to_files(S3Client(connector="s3", connections=1), S3aClient(connector="s3a")) == ()


def test_places_of_a_tools_client_must_exist_only_where_it_writes() -> None:
    nowhere = S3aClient.model_validate({"connector": "s3a", "fs": {"s3a": {"buffer": {"dir": "nowhere"}}}})
    assert len(copied_to_files(None, nowhere)) == 1
    with pytest.raises(ValidationError, match=r"workload\.tool\.client\.fs\.s3a\.buffer\.dir"):
        copied_to_files(None, nowhere, MINIO)


def test_a_client_for_the_other_interface_is_not_told_to_be_missing() -> None:
    assert copied_to_files(S3Client(connector="s3", connections=1)) == ()


def planned(storage: Hdfs | Minio, salt: int, **workload: Any) -> Plan:
    return as_a(Plan, build(scenario(storage, **workload), salt))


def whole(plan: Plan) -> Step:
    """Return the steps of all tasks, dealt to the two compute servers in turn, and the commit."""
    steps = [stage.plan(task, 4 + task % 2, At(1.0)) for stage in plan.job.stages for task in range(stage.tasks)]
    return Sequence([*steps, plan.job.commit])


@pytest.mark.parametrize("storage", [HDFS, MINIO])
def test_same_salt_makes_the_same_plan_and_another_salt_another(storage: Hdfs | Minio) -> None:
    sizes = [moved(whole(planned(storage, salt, input=10 * GB)), name) for salt in (1, 1, 2)]
    assert sizes[0] == sizes[1]
    assert sizes[0] != sizes[2]


def test_page_cache_is_what_the_tasks_leave_of_the_memory_of_their_servers() -> None:
    plan = planned(HDFS, 1, input=1 * GB)
    rooms = {drain.pool.name: drain.pool.capacity for drain in all_of(whole(plan), WriteBehind)}
    total: dict[str, float] = defaultdict(float)
    for room, capacity in rooms.items():
        total[room.partition("/")[0]] += capacity
    assert total["compute-1"] == pytest.approx(0.175 * 40 * GB)
    assert total["storage-1"] == pytest.approx(0.175 * 200 * GB)


def test_sort_on_hdfs_moves_input_spill_shuffle_and_output() -> None:
    plan = planned(HDFS, 1, input=10 * GB)
    total = moved(whole(plan), lambda resource: resource.group)
    # read once and written twice on the storage servers
    assert total["storage/data drives"] == pytest.approx(10 * GB + 2 * 10 * GB)
    # 134 MB of output a map are two spills of up to 84 MB, merged once; the page cache keeps them for the reduces
    assert total["compute/data drives"] == pytest.approx(10 * GB * 3)


def test_generator_on_minio_stages_on_the_root_volume_and_writes_all_shards() -> None:
    plan = planned(MINIO, 1, generated=1200 * MB)
    total = moved(whole(plan), lambda resource: resource.group)
    assert total["compute/root volume"] == pytest.approx(1200 * MB)
    assert total["storage/data drives"] == pytest.approx(1600 * MB)


@pytest.mark.parametrize("job", [{"input": 3 * GB}, {"generated": 3 * GB}])
def test_throughput_counts_what_a_job_reads_or_generates(job: dict[str, float]) -> None:
    plan = planned(HDFS, 1, **job)
    assert isinstance(plan.metrics, Mapping)  # known before the run
    (throughput,) = plan.metrics.values()
    assert (throughput.of(OwnAccount(10.0, {}, {})), throughput.unit) == (0.3 * GB, "B/s")
    assert plan.horizon is None


@pytest.mark.parametrize(
    ("data", "growth", "objects"),
    [(2000 * GB, None, 2e6), (0.0, None, 0), (0.0, Growth(start=date(2027, 1, 1), stored=8000 * GB), 8e6)],
)
def test_a_store_is_met_with_the_objects_that_lie_in_it(
    monkeypatch: pytest.MonkeyPatch, data: float, growth: Growth | None, objects: float
) -> None:
    """Of the mean size of those that are put and got."""
    told: list[float] = []

    def holding(store: Minio, count: float) -> Minio:
        told.append(count)
        return store

    monkeypatch.setattr(Minio, "holding", holding)
    mix = {"get": {"action": "get", "size": 1.5 * MB}, "put": {"action": "put", "size": 0.5 * MB}}
    load = ObjectLoad.model_validate(
        {"kind": "requests", "clients": "compute", "mix": mix, "rate": 10.0, "count": 100, "data": data}
    )
    build(scenario(MINIO, input=GB).model_copy(update={"workload": load, "growth": growth}), salt=1)
    assert told == [objects]
