"""What the splits of a scan do: bytes, requests, waits and core-seconds per resource, counted by hand."""

from __future__ import annotations

from typing import Any

import pytest

from models.hardware.cluster import Layout
from models.hardware.server import Cpu
from models.jobs.engine import Engine
from models.jobs.scan import Column, Scan, Table
from models.jobs.scan_plan import ScanPlan
from models.scenario import ProfileInfo, Scenario
from models.storage.amazon_s3.system import AmazonS3
from models.storage.clients.mount import Local, MountPoint
from models.storage.clients.s3 import S3Client
from models.storage.hdfs.system import Hdfs
from models.storage.systems import mount
from models.work import Delay, Sequence, Step
from simulator.run import simulate
from tests.models.machines import GB, MB, cluster, layout, server
from tests.models.steps import At, delays, moved, spent

S3 = AmazonS3(system="amazon-s3", first_byte=0.010, connection_bandwidth=100 * MB, get_rate=5000.0)
CLIENT = S3Client(connector="s3", connections=1, stream_cpu=5e-9, request_time=0.040)


def scan(operation_cpu: float = 10e-9, **changes: Any) -> Scan:
    """Return 100 splits of 20 MB that are read in 6 requests and take 0.1 core-seconds each."""
    engine = Engine(
        name="an engine",
        slots=1.0,
        split_size=100 * MB,
        read_buffer=100 * MB,
        requests=5,
        operation_cpu=operation_cpu,
        query_time=0.5,
    )
    table = Table(rows=5e8, size=10 * GB, columns={"fare": Column(size=2 * GB)})
    settings = {
        "kind": "scan",
        "servers": ("core", "task"),
        "engine": engine,
        "table": table,
        "columns": ("fare",),
        "accumulators": 1,
    }
    return Scan.model_validate(settings | changes)


def machines() -> Layout:
    return layout(master=(1, server()), core=(2, server()), task=(2, server()))


def site(where: Layout) -> MountPoint:
    return MountPoint(where, 1, Local(lambda node: node.page_cache(0.0), 1, 1))


def on_s3(job: Scan, where: Layout) -> ScanPlan:
    return ScanPlan(job, where, mount(S3, CLIENT, site(where)), salt=1)


def on_hdfs(job: Scan, where: Layout) -> ScanPlan:
    spec = Hdfs(system="hdfs", servers="core", replication=1)
    return ScanPlan(job, where, mount(spec, None, site(where)), salt=2)


def splits(plan: ScanPlan) -> list[Step]:
    """Return the steps of all splits, dealt in turn to the four workers that stand behind the master."""
    (stage,) = plan.job().stages
    return [stage.plan(task, 1 + task % 4, At(0.0)) for task in range(stage.tasks)]


def test_workers_of_all_groups_of_the_engine_have_its_threads() -> None:
    job = on_s3(scan(), machines()).job()
    assert job.slots == [0, 8, 8, 8, 8]
    assert job.setup == Delay(0.5)
    assert job.stages[0].preferred is None


def test_a_scan_starts_when_its_two_stages_are_planned_and_compiled() -> None:
    job = scan()
    plans = job.engine.model_copy(update={"stage_cpu": 0.1, "compile_cpu": 0.2})
    assert on_s3(job.model_copy(update={"engine": plans}), machines()).job().setup == Delay(0.5 + 2 * (0.1 + 0.2))


def test_bytes_of_the_columns_come_over_the_cards_of_the_workers() -> None:
    used = moved(Sequence(splits(on_s3(scan(), machines()))))
    assert used == {"nic-in": pytest.approx(2 * GB), "requests": pytest.approx(2 * GB)}


def test_each_split_sends_its_requests() -> None:
    assert spent(splits(on_s3(scan(), machines()))[0])["requests"] == pytest.approx(6)


def test_processor_decrypts_the_bytes_and_computes_on_the_rows() -> None:
    used = spent(Sequence(splits(on_s3(scan(), machines()))))
    assert used["cpu"] == pytest.approx(2 * GB * 5e-9 + 5e8 * 2 * 10e-9)


def test_a_split_waits_for_its_requests_one_after_the_other() -> None:
    waits = [delays(step) for step in splits(on_s3(scan(), machines()))]
    assert sum(waits) / 100 == pytest.approx(6 * 0.050, rel=0.06)  # 3 times 0.5 / sqrt(600)
    assert len(set(waits)) == 100


def test_equal_salts_give_equal_waits() -> None:
    first, again = (splits(on_s3(scan(), machines())) for _ in range(2))
    assert [delays(step) for step in first] == [delays(step) for step in again]


def test_splits_on_hdfs_come_from_its_drives_without_a_wait() -> None:
    steps = splits(on_hdfs(scan(), machines()))
    assert delays(Sequence(steps)) == 0
    assert moved(Sequence(steps))["drive"] == pytest.approx(2 * GB)


def test_a_query_without_columns_moves_no_bytes() -> None:
    assert moved(Sequence(splits(on_s3(scan(columns=()), machines())))) == {}


# in time


def scenario(job: Scan, **parts: Any) -> Scenario:
    """Return a scan by two workers of one core and eight slots each that wait on S3 as long as parts say."""
    eight = job.engine.model_copy(update={"slots": 8.0})
    one_core = server(cpu=Cpu(cores=1, threads=1, speed=1.0))
    settings = {
        "profile": ProfileInfo(title="scan"),
        "cluster": cluster(core=(1, one_core), task=(1, one_core)),
        "storage": S3,
        "client": S3Client(connector="s3", connections=1),
        "workload": job.model_copy(update={"engine": eight}),
    }
    return Scenario(**settings | parts)


def seconds(request_time: float, operation_cpu: float = 10e-9) -> float:
    client = S3Client(connector="s3", connections=1, request_time=request_time)
    return simulate(scenario(scan(operation_cpu), client=client)).duration


def test_computing_alone_takes_the_core_seconds_over_the_cores() -> None:
    store = Hdfs(system="hdfs", servers="core", replication=1)
    duration = simulate(scenario(scan(100e-9), storage=store, client=None)).duration
    assert duration == pytest.approx(0.5 + 5e8 * 2 * 100e-9 / 2, rel=0.05)  # one worker may take 52 of the 100 splits


def test_waits_that_exceed_computing_add_up_over_the_threads() -> None:
    assert seconds(1.0, 1e-12) == pytest.approx(0.5 + 100 / 16 * (6 * 1.010 + 0.2), rel=0.15)  # the last wave is short


def test_waits_hide_behind_a_busy_processor() -> None:
    assert seconds(0.1, 100e-9) - seconds(0.0, 100e-9) < 0.3 * (100 / 16 * 6 * 0.1)


def test_longer_requests_never_shorten_a_query() -> None:
    times = [seconds(wait) for wait in (0.0, 0.01, 0.05, 0.2)]
    assert times == sorted(times)
