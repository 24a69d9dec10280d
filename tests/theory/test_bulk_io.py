"""Bulk input and output against arithmetic: one process has the rate of one stream, many that of what is scarcest."""

from __future__ import annotations

from typing import Any

import pytest

from models.jobs.bulk_io import BulkIo
from models.outage import Outage
from models.scenario import ProfileInfo, Scenario
from models.storage.amazon_s3.system import AmazonS3
from models.storage.clients.posix import PosixClient
from models.storage.clients.s3 import S3Client
from models.storage.clients.s3a import Buffer, Fs, S3aClient, S3aSettings
from models.storage.hdfs.system import Hdfs
from models.storage.local.runtime import RUNTIME
from models.storage.local.system import LocalDisks
from simulator.result import Result
from simulator.run import simulate
from tests.models.machines import GB, MB, card, cluster, files, hdd, layout, nvme, server

S3 = AmazonS3(  # as fast both ways
    system="amazon-s3",
    first_byte=0.010,
    put_time=0.010,
    connection_bandwidth=100 * MB,
    put_bandwidth=100 * MB,
    get_rate=1e9,
    put_rate=1e9,
)
FILES = files(servers="files")
HDFS = Hdfs(system="hdfs", servers="files", replication=3)


def asked(storage: Any, client: Any = None, machines: Any = None, **job: Any) -> Scenario:
    """Return processes of 1 GB each on two servers, beside four file servers, all with cards of 1 GB/s."""
    settings: dict[str, Any] = {"kind": "bulk-io", "servers": ("clients",), "direction": "read", "size": 1 * GB}
    return Scenario(
        profile=ProfileInfo(title="bulk"),
        cluster=machines or cluster(clients=(2, server()), files=(4, server())),
        storage=storage,
        client=client,
        workload=BulkIo(**settings | job),
    )


def rates(scenario: Scenario) -> tuple[float, ...]:
    """Return the rate of all processes together, and the mean rate of one."""
    return values(simulate(scenario), "throughput", "mean process rate")


def values(result: Result, *names: str) -> tuple[float, ...]:
    return tuple(result.metrics[name][0] for name in names)


@pytest.mark.parametrize("direction", ["read", "write"])
def test_one_process_a_server_has_the_rate_of_one_stream(direction: str) -> None:
    job: dict[str, Any] = {"direction": direction, "size": 10 * GB}
    assert rates(asked(S3, **job)) == pytest.approx((200 * MB, 100 * MB), rel=0.011)
    drives = cluster(clients=(1, server()), files=(1, server(drives=1, drive=hdd())))
    assert rates(asked(FILES, machines=drives, **job)) == pytest.approx((200 * MB, 200 * MB))


@pytest.mark.parametrize("size", [1 * GB, 10 * GB])
def test_a_stream_waits_once_for_the_first_byte_of_an_object_of_any_size(size: float) -> None:
    assert rates(asked(S3, size=size))[1] == pytest.approx(size / (0.010 + size / (100 * MB)), rel=1e-6)


@pytest.mark.parametrize(("carried", "connections"), [(1 * GB, 20), (0.1 * GB, 10), (10 * GB, 200)])
def test_a_client_that_does_not_say_has_a_connection_for_each_share_of_its_card(
    carried: float, connections: int
) -> None:
    machines = cluster(clients=(1, server(nic=card(bandwidth=carried))), files=(1, server()))
    tells, leaves = (
        S3Client.model_validate({"connector": "s3", "part_size": 4 * MB} | says)
        for says in ({"connections": connections}, {})
    )
    assert leaves.connection_share == 50 * MB
    assert rates(asked(S3, leaves, machines=machines)) == rates(asked(S3, tells, machines=machines))


@pytest.mark.parametrize("direction", ["read", "write"])
@pytest.mark.parametrize("files", ["own", "shared"])
def test_many_processes_have_what_is_scarcest(direction: str, files: str) -> None:
    job: dict[str, Any] = {"direction": direction, "files": files, "processes": 40}
    assert rates(asked(S3, **job)) == pytest.approx((2 * GB, 2 * GB / 80), rel=0.02)  # two cards of 1 GB/s


@pytest.mark.parametrize("depth", [1, 2, 5, 10, 40])
@pytest.mark.parametrize("direction", ["read", "write"])
def test_a_process_that_waits_for_each_block_has_as_many_as_are_in_flight(direction: str, depth: int) -> None:
    job: dict[str, Any] = {"direction": direction, "block": 1 * MB, "depth": depth, "processes": 1, "size": 4 * GB}
    rate = rates(asked(S3, **job))[0]
    one = 1 * MB / (0.010 + 1 * MB / (100 * MB))  # first byte, then the bytes over one connection
    assert rate == pytest.approx(2 * min(depth * one, 1 * GB), rel=0.01)


@pytest.mark.parametrize("direction", ["read", "write"])
def test_blocks_of_a_mounted_file_system_wait_for_its_client(direction: str) -> None:
    drives = cluster(clients=(1, server()), files=(1, server(drives=1, drive=hdd())))
    job: dict[str, Any] = {"direction": direction, "block": 0.5 * MB, "machines": drives}
    result = simulate(asked(FILES, PosixClient(connector="posix", latency=0.005), **job))
    assert values(result, "throughput") == pytest.approx((0.5 * MB / (0.005 + 0.5 / 200),))
    assert result.bottleneck.resource == "waiting for each block"


@pytest.mark.parametrize("direction", ["read", "write"])
def test_files_on_a_mounted_bucket_go_over_the_connections_of_its_sdk_and_through_the_client(direction: str) -> None:
    many = S3Client(connector="s3", connections=4, part_size=16 * MB)
    mounted = PosixClient(connector="posix", objects=many)
    assert rates(asked(S3, mounted, direction=direction))[1] == pytest.approx(
        rates(asked(S3, many, direction=direction))[1]
    )
    costly = PosixClient(connector="posix", stream_cpu=20e-9, latency=0.01)
    block: dict[str, Any] = {"direction": direction, "block": 1 * MB}
    one = 1 * MB / (0.010 + 0.010 + 1 * MB / (100 * MB))  # the client, the first byte, then the bytes
    assert rates(asked(S3, costly, **block))[1] == pytest.approx(one, rel=0.02)


def test_a_stream_through_a_client_is_no_faster_than_one_core_that_reads_or_writes() -> None:
    many = S3Client(connector="s3", connections=40, part_size=16 * MB)
    costly = PosixClient(connector="posix", stream_cpu=2e-9, written_cpu=8e-9, objects=many)
    same = PosixClient(connector="posix", stream_cpu=8e-9, objects=many)
    assert rates(asked(S3, costly, size=10 * GB))[1] == pytest.approx(500 * MB, rel=0.01)
    writes = rates(asked(S3, costly, direction="write", size=10 * GB))
    assert writes[1] == pytest.approx(125 * MB, rel=0.01)
    assert rates(asked(S3, same, direction="write", size=10 * GB)) == writes


def test_files_dealt_to_drives_in_turn_are_read_by_as_many_streams_as_there_are_drives() -> None:
    machines = cluster(clients=(4, server()), files=(4, server(drives=1, drive=hdd())))
    dealt = files(servers="files", new_files="round-robin", split_size=64 * MB)
    assert rates(asked(dealt, machines=machines)) == pytest.approx((4 * 200 * MB, 200 * MB))


def test_a_file_on_servers_own_drives_lies_on_one_of_them_however_long_it_is() -> None:
    machines = layout(clients=(1, server()), files=(4, server(drives=2, drive=hdd())))
    made = RUNTIME.store(LocalDisks(system="local", servers="files"), machines, 1, Outage())
    assert made.streamed(10 * GB) == 10 * GB
    uses = made.read(3, 4, machines.nodes[0], "direct", 10 * GB).uses
    assert len([use for use in uses if use.resource.kind == "drive"]) == 1


def test_three_replicas_take_three_times_the_network() -> None:
    files = cluster(clients=(8, server()), files=(4, server(drives=8)))
    rate = rates(asked(HDFS, machines=files, direction="write", processes=8, size=4 * GB))[0]
    assert rate == pytest.approx(4 * GB / 3, rel=0.05)  # each byte comes in over three of four cards


@pytest.mark.parametrize("blocks", [47, 48])
def test_readers_of_files_in_blocks_meet_on_drives_as_in_a_closed_network_of_queues(blocks: int) -> None:
    """N streams that go from one of M drives to the next keep N M / (N + M - 1) of them busy, whatever a file holds.

    Files of 48 blocks fill all of 24 drives twice: with drives in turn all of them would begin on the same one.
    """
    wide = card(bandwidth=1000 * GB)
    machines = cluster(
        clients=(2, server(nic=wide)), files=(4, server(drives=6, nic=wide, drive=nvme(read_bandwidth=200 * MB)))
    )
    store = Hdfs(system="hdfs", servers="files", replication=1, block_size=100 * MB)
    result = simulate(asked(store, machines=machines, processes=12, size=blocks * 100 * MB))
    rate = values(result, "process rate")[0]
    assert 24 * rate == pytest.approx(24 * 24 / (24 + 24 - 1) * 200 * MB, rel=0.05)


def test_the_two_rates_are_those_of_testdfsio() -> None:
    slow = server(nic=card(bandwidth=50 * MB))
    machines = cluster(fast=(1, server()), slow=(1, slow))
    result = simulate(asked(S3, machines=machines, servers=("fast", "slow"), process_start=30.0, passes=2))
    assert result.stages[0].start == 30.0
    assert result.stages[1].start == result.stages[0].end  # a pass begins when all have ended the one before
    expected = (2 * GB / 20, 2 * GB / (10 + 20), (100 * MB + 50 * MB) / 2)
    assert values(result, "throughput", "process rate", "mean process rate") == pytest.approx(expected, rel=0.02)


def test_a_process_sums_what_it_writes_to_hdfs_and_its_pipeline_is_as_fast_as_a_thread() -> None:
    files = cluster(clients=(1, server()), files=(4, server(drives=8)))
    still: dict[str, Any] = {"system": "hdfs", "servers": "files", "setup_time": 0.0, "late_reports": 0.0}
    summed = Hdfs(**still, replication=1, stream_cpu=4e-9)
    job: dict[str, Any] = {"direction": "write", "servers": ("clients",), "size": 2 * GB, "machines": files}
    assert rates(asked(summed, **job))[1] == pytest.approx(250 * MB, rel=0.01)
    assert rates(asked(summed, cpu=4e-9, **job))[1] == pytest.approx(125 * MB, rel=0.01)  # one thread does both
    waits = Hdfs(**still | {"setup_time": 0.1}, replication=3, stream_cpu=4e-9, block_size=100 * MB)
    assert rates(asked(waits, **job))[1] == pytest.approx(100 * MB / (0.4 + 3 * 0.1), rel=0.01)


def test_what_a_process_computes_limits_it() -> None:
    assert rates(asked(S3, cpu=20e-9, block=1 * GB))[1] == pytest.approx(1 / 20e-9, rel=0.002)


@pytest.mark.parametrize("changes", [{"files": "shared"}, {"block": MB, "depth": 2}])
def test_a_file_with_one_writer_is_not_written_by_many(changes: dict[str, Any]) -> None:
    s3a = S3aClient(connector="s3a", fs=Fs(s3a=S3aSettings(buffer=Buffer(dir="data"))))
    for storage, client in ((HDFS, None), (S3, s3a), (S3, PosixClient(connector="posix"))):
        with pytest.raises(ValueError, match="one writer at a time"):
            asked(storage, client, direction="write", **changes)
        asked(storage, client, direction="read", **changes)


def test_blocks_in_flight_need_blocks() -> None:
    with pytest.raises(ValueError, match="state block"):
        BulkIo(kind="bulk-io", servers=("a",), direction="read", size=1.0, depth=2)
