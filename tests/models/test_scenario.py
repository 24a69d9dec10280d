"""What a scenario refuses because its parts do not fit each other, in the very words, and what it holds."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic import ValidationError

from models.failures import Failures
from models.hardware.cluster import Cluster
from models.hardware.server import Cpu
from models.jobs.mapreduce import MapReduce
from models.jobs.yarn import Framework
from models.scenario import ProfileInfo, Scenario
from models.storage.clients.posix import PosixClient
from models.storage.clients.s3a import Abandoned, S3aClient
from models.storage.hdfs.system import Hdfs
from models.storage.minio.system import Minio
from tests.models.machines import GB, cluster, server
from tests.narrow import as_a

TB = 1e12
S3A = S3aClient(connector="s3a")


def framework(**changes: Any) -> Framework:
    return Framework.model_validate({"servers": "compute", "containers": 4, "heap": 10 * GB} | changes)


def workload(frame: Framework | None = None, **changes: Any) -> MapReduce:
    return MapReduce.model_validate(
        {"kind": "mapreduce", "framework": frame or framework(), "generated": 1 * TB, "cpu": 0.0} | changes
    )


def machines(servers: int = 4, drives: int = 4, **network: Any) -> Cluster:
    """Return servers that store, with drives of 1 TB, and two that compute."""
    return cluster(storage=(servers, server(drives=drives)), compute=(2, server(drives=1)), **network)


def scenario(**parts: Any) -> Scenario:
    """Return 1 TB generated on HDFS with one replica; `parts` replace what they name."""
    return Scenario(
        **{
            "profile": ProfileInfo(title="A test"),
            "cluster": machines(),
            "storage": Hdfs(system="hdfs", servers="storage", replication=1),
            "client": None,
            "workload": workload(),
        }
        | parts
    )


def on_minio(**changes: Any) -> dict[str, Any]:
    """Return the parts of a scenario on MinIO."""
    return {
        "storage": Minio.model_validate({"system": "minio", "servers": "storage", "parity": 4} | changes),
        "client": S3A,
    }


def refusal(**parts: Any) -> str:
    """Return the words in which a scenario is refused."""
    with pytest.raises(ValidationError) as error:
        scenario(**parts)
    (details,) = error.value.errors()
    return str(details["ctx"]["error"])


def test_storage_on_servers_that_do_not_exist_is_refused() -> None:
    message = refusal(storage=Hdfs(system="hdfs", servers="workers"))
    assert message == "storage.servers = 'workers': the cluster has no such group (it has: storage, compute)"


def test_parts_that_do_not_fit_are_all_told_at_once() -> None:
    frame = framework(servers="workers")
    groups = "the cluster has no such group (it has: storage, compute)"
    assert refusal(storage=Hdfs(system="hdfs", servers="masters"), workload=workload(frame)).splitlines() == [
        f"storage.servers = 'masters': {groups}",
        f"workload.framework.servers = 'workers': {groups}",
    ]
    told = refusal(storage=Hdfs(system="hdfs", servers="storage", bay="nvme"), client=S3A).splitlines()
    assert [line.partition(": ")[0] for line in told] == ["storage.bay = 'nvme'", "client.connector = 's3a'"]


def test_tasks_on_servers_that_do_not_exist_are_refused() -> None:
    message = refusal(workload=workload(framework(servers="workers")))
    assert message == (
        "workload.framework.servers = 'workers': the cluster has no such group (it has: storage, compute)"
    )


def test_storage_in_a_bay_that_does_not_exist_is_refused() -> None:
    message = refusal(storage=Hdfs(system="hdfs", servers="storage", bay="nvme"))
    assert message == "storage.bay = 'nvme': the servers have no such bay (they have: data)"


def test_storage_on_a_volume_is_refused() -> None:
    message = refusal(storage=Hdfs(system="hdfs", servers="storage", bay="root"))
    assert message == (
        "storage.bay = 'root': the servers have no such bay (they have: data); "
        "a volume holds no blocks: make it a bay, with drive = 'ebs-gp3' and so many"
    )


def test_storage_on_servers_without_drives_is_refused() -> None:
    bare = cluster(storage=(4, server(bays={})), compute=(2, server()))
    assert refusal(cluster=bare) == "storage.bay = 'data': the servers have no such bay (they have: none)"


def test_spills_to_a_place_that_does_not_exist_are_refused() -> None:
    message = refusal(workload=workload(framework(local_dirs="nvme")))
    assert message == (
        "workload.framework.local_dirs = 'nvme': the servers have no such bay or volume (they have: data, root)"
    )


def test_buffer_in_a_place_that_does_not_exist_is_refused() -> None:
    client = S3aClient.model_validate({"connector": "s3a", "fs": {"s3a": {"buffer": {"dir": "tmp"}}}})
    message = refusal(**on_minio() | {"client": client})
    assert message == (
        "client.fs.s3a.buffer.dir = 'tmp': the servers have no such bay or volume (they have: data, root)"
    )


def test_more_replicas_than_servers_are_refused() -> None:
    message = refusal(storage=Hdfs(system="hdfs", servers="storage", replication=5))
    assert message == ("storage.replication = 5: needs as many servers, group 'storage' has 4; lower it or add servers")


def test_more_replicas_of_the_output_than_servers_are_refused() -> None:
    message = refusal(workload=workload(output_replication=5))
    assert message == (
        "workload.output_replication = 5: needs as many servers, group 'storage' has 4; lower it or add servers"
    )


def test_replicas_of_the_output_say_nothing_to_an_object_store() -> None:
    made = scenario(**on_minio(), workload=workload(output_replication=5))
    assert as_a(MapReduce, made.workload).output_replication == 5


def test_drives_that_form_no_erasure_set_are_refused() -> None:
    message = refusal(**on_minio(release="2019-07-24"), cluster=machines(servers=11, drives=2))
    assert message == (
        "storage.set_size: none of 4, 6, 8, 10, 12, 14 or 16 divides 22 drives;"
        " change the servers or the drives of each"
    )


def test_drives_that_form_no_set_with_as_many_of_each_server_are_refused() -> None:
    message = refusal(**on_minio(), cluster=machines(servers=17, drives=4))
    assert message.startswith("storage.set_size: none of 2, 3, 4, 5,")
    assert message.endswith("divides 68 drives evenly over 17 servers; change the servers or the drives of each")


def test_set_size_that_does_not_divide_the_drives_is_refused() -> None:
    message = refusal(**on_minio(set_size=12))
    assert message == "storage.set_size = 12: does not divide 16 drives; change the servers or the drives of each"


def test_parity_above_half_of_a_set_is_refused() -> None:
    message = refusal(**on_minio(parity=9))
    assert message == "storage.parity = 9: a set of 16 drives has room for at most 8 parity shards"


def test_sets_that_would_take_no_writes_are_refused() -> None:
    message = refusal(**on_minio(failed_drives=4, release="2019-07-24"))
    assert message == (
        "storage.failed_drives = 4: a write needs 13 of the 16 drives of a set; lower it or raise the parity"
    )


def test_sets_with_a_write_quorum_are_accepted() -> None:
    assert scenario(**on_minio(failed_drives=3)).capacity()["raw"] == 16 * TB


def test_without_a_client_a_job_takes_the_usual_one_of_its_storage_system() -> None:
    on_objects = scenario(**on_minio() | {"client": None})
    usual = on_objects.client_of(on_objects.storage)
    assert isinstance(usual, S3aClient)
    assert usual.fs.s3a.buffer.dir == "data"
    assert scenario().client_of(scenario().storage) is None


def test_a_store_of_objects_is_mounted_as_a_file_system_is() -> None:
    mounted = PosixClient(connector="posix")
    for profile in (scenario(**on_minio() | {"client": mounted}), scenario(client=mounted)):
        assert profile.client_of(profile.storage) is mounted


def test_a_client_of_objects_does_not_speak_to_files() -> None:
    assert refusal(client=S3A) == (
        "client.connector = 's3a': speaks to a store of objects, and 'hdfs' is one of files; remove [client]"
    )


def s3a(**settings: Any) -> S3aClient:
    """Return S3A with some settings, streaming its output in parts of 1 GB through memory."""
    defaults = {"committer": {"name": "magic"}, "multipart": {"size": 1 * GB}}
    return S3aClient.model_validate({"connector": "s3a", "fs": {"s3a": defaults | settings}})


def buffered(buffer: str, blocks: int) -> dict[str, Any]:
    return {"fast": {"upload": {"buffer": buffer, "active": {"blocks": blocks}}}}


@pytest.mark.parametrize(
    ("settings", "frame", "message"),
    [
        (
            {"multipart": {"size": 10_000_000.0}},
            {},
            "client.fs.s3a.multipart.size = '10 MB': a file of 125 GB has 12500 parts, an upload has at most 10000;"
            " raise it, or write more files",
        ),
        (
            buffered("array", 3),
            {},
            "client.fs.s3a.fast.upload.buffer = 'array': the parts that a task uploads at a time take 3 GB,"
            " the heap of a container is 2.5 GB; lower fast.upload.active.blocks or multipart.size,"
            " give containers more memory, or buffer on disk",
        ),
        (
            buffered("bytebuffer", 3),
            {},
            "client.fs.s3a.fast.upload.buffer = 'bytebuffer': the parts that a task uploads at a time take 3 GB,"
            " the heap of a container is 2.5 GB; lower fast.upload.active.blocks or multipart.size,"
            " give containers more memory, or buffer on disk",
        ),
        (
            buffered("bytebuffer", 3),
            {"heap": 90 * GB},
            "client.fs.s3a.fast.upload.buffer = 'bytebuffer': the parts that a task uploads at a time take 3 GB,"
            " the memory beside the heap of a container is 2.5 GB; lower fast.upload.active.blocks or multipart.size,"
            " give containers more memory, or buffer on disk",
        ),
    ],
)
def test_uploads_that_their_limits_or_the_memory_do_not_allow_are_refused(
    settings: dict[str, Any], frame: dict[str, Any], message: str
) -> None:
    job = workload(framework(**frame), maps=8)
    assert refusal(**on_minio() | {"client": s3a(**settings)}, workload=job) == message


@pytest.mark.parametrize("buffer", ["array", "bytebuffer"])
def test_buffers_that_fit_into_memory_are_accepted(buffer: str) -> None:
    scenario(**on_minio() | {"client": s3a(**buffered(buffer, 2))}, workload=workload(maps=8))


def test_buffers_beside_the_heap_are_taken_from_the_page_cache_and_those_in_it_are_not() -> None:
    job = workload(maps=8)
    held = {}
    for buffer in ("disk", "array", "bytebuffer"):
        made = scenario(**on_minio() | {"client": s3a(**buffered(buffer, 2))}, workload=job)
        held[buffer] = job.buffered(made.client, made.cluster.groups[job.framework.servers].count)
    assert held == {"disk": 0.0, "array": 0.0, "bytebuffer": 2 * GB}


@pytest.mark.parametrize(("age", "kept"), [({}, 14), ({"age": 7 * 86400.0}, 7)])
def test_abandoned_uploads_keep_their_space_until_they_are_purged(age: dict[str, float], kept: int) -> None:
    """A thousand uploads of 100 MB a day; EC:4 on sets of 16 takes 16/12 of it."""
    client = s3a(multipart={"size": 1 * GB, "purge": age})
    left = client.model_copy(update={"abandoned": Abandoned(rate=1000 / 86400, size=100e6)})
    clean, littered = (
        scenario(**on_minio() | {"client": s3a_client}).capacity()["needed"] for s3a_client in (client, left)
    )
    assert littered - clean == pytest.approx(kept * 0.1 * TB * 16 / 12)


def test_racks_without_a_server_are_refused() -> None:
    with pytest.raises(ValidationError) as error:
        machines(racks=5)
    assert error.value.errors()[0]["msg"] == (
        "Value error, network.racks = 5: no group has that many servers (largest: 4)"
    )


def test_cluster_without_groups_is_refused() -> None:
    with pytest.raises(ValidationError) as error:
        cluster()
    assert error.value.errors()[0]["msg"] == "Value error, groups: a cluster needs at least one group of servers"


def test_more_data_than_the_drives_hold_is_refused() -> None:
    # 6 TB three times on 16 drives of 1 TB
    message = refusal(
        storage=Hdfs(system="hdfs", servers="storage", replication=3), workload=workload(generated=6 * TB)
    )
    assert message == (
        "workload: the data needs 18 TB of raw capacity, storage.servers has 16 TB;"
        " add drives or servers, or lower the data, the replicas or the parity"
    )


def test_data_that_fills_the_drives_to_the_brim_is_accepted() -> None:
    assert scenario(workload=workload(generated=16 * TB)).capacity()["needed"] == 16 * TB


@pytest.mark.parametrize(
    ("replication", "job", "needed"),
    [
        (3, {"generated": 1 * TB}, 3 * TB),
        (3, {"input": 1 * TB, "generated": 0.0}, 6 * TB),  # input and output, three times each
        (3, {"input": 1 * TB, "generated": 0.0, "output_replication": 1}, 4 * TB),
        (2, {"input": 1 * TB, "generated": 0.0, "map_output": 0.5, "output": 0.2}, 2.2 * TB),
        (2, {"input": 1 * TB, "generated": 0.0, "map_output": 0.0}, 2 * TB),
        (1, {"input": 1 * TB, "generated": 0.0, "map_output": 0.5, "output": 0.2, "reduces": 0}, 1.5 * TB),
    ],
)
def test_input_and_output_count_with_their_replicas(replication: int, job: dict[str, Any], needed: float) -> None:
    made = scenario(storage=Hdfs(system="hdfs", servers="storage", replication=replication), workload=workload(**job))
    assert made.capacity() == {
        "raw": 16 * TB,
        "usable": pytest.approx(16 * TB / replication),
        "needed": pytest.approx(needed),
    }


def test_objects_count_with_their_parity() -> None:
    # 4 + 12: usable 12 of 16 TB, 16/12 of input and output
    made = scenario(**on_minio(), workload=workload(input=3 * TB, generated=0.0))
    assert made.capacity() == {
        "raw": 16 * TB,
        "usable": pytest.approx(12 * TB),
        "needed": pytest.approx(6 * TB * 16 / 12),
    }


# bounds


@pytest.mark.parametrize(("parts", "most"), [({"servers": 100_001}, 100_000), ({"drives": 1_001}, 1_000)])
def test_more_than_anybody_builds_is_refused(parts: dict[str, int], most: int) -> None:
    with pytest.raises(ValidationError, match=f"less than or equal to {most}"):
        machines(**parts)


@pytest.mark.parametrize(("cores", "key"), [(1, "threads"), (100_001, "cores")])
def test_more_threads_than_any_machine_has_are_refused(cores: int, key: str) -> None:
    with pytest.raises(ValidationError, match=f"{key}\n  Input should be less than or equal to 100000"):
        Cpu(cores=cores, threads=100_001)


def test_a_hundred_thousand_servers_of_a_thousand_drives_are_accepted() -> None:
    assert scenario(cluster=machines(servers=100_000, drives=1_000)).capacity()["raw"] == 1e8 * TB


@pytest.mark.parametrize("component", ["storage-4", "storage-4/data-2", "rack-2"])
def test_a_fault_of_what_the_cluster_has_is_accepted(component: str) -> None:
    Failures.model_validate({"faults": ({"at": 1.0, "component": component},)}).fits(
        machines(servers=4, drives=2, racks=2)
    )


@pytest.mark.parametrize(
    "component",
    ["storage-5", "storage-0", "storage-04", "storage-4/data-3", "storage-4/fast-1", "rack-3", "rack-1/a-1"],
)
def test_a_fault_of_what_the_cluster_lacks_is_refused(component: str) -> None:
    with pytest.raises(ValueError, match="nothing has that name"):
        Failures.model_validate({"faults": ({"at": 1.0, "component": component},)}).fits(
            machines(servers=4, drives=2, racks=2)
        )
