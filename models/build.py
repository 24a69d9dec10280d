"""From a scenario to what the simulator executes: a layout with its resources, and a job of steps."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from models.hardware.cluster import Layout, Node
from models.jobs.copy import Copy
from models.jobs.copy_plan import CopyPlan
from models.jobs.event_loop import EventLoop
from models.jobs.event_loop_plan import EventLoopPlan, ReadAt
from models.jobs.lakehouse import Lakehouse
from models.jobs.lakehouse_plan import LakehousePlan
from models.jobs.mapreduce import MapReduce
from models.jobs.mapreduce_plan import Files, MapReducePlan
from models.jobs.object_load import ObjectLoad
from models.jobs.object_load_damage import damage
from models.jobs.object_load_plan import ObjectLoadPlan
from models.jobs.scan import Scan
from models.jobs.scan_plan import ScanPlan, SplitSource
from models.jobs.spark import Spark
from models.jobs.spark_plan import SparkPlan, TableReader
from models.jobs.storing import Storing
from models.outage import Outage, Repairs
from models.planning.capacity import storing_metrics
from models.scenario import Scenario
from models.storage.amazon_s3 import AmazonS3, AmazonS3Store, S3Client
from models.storage.amazon_s3_routes import AmazonS3Routes
from models.storage.files import HdfsFiles, Kept, Page, S3aFiles
from models.storage.flow import spread
from models.storage.hdfs import Hdfs
from models.storage.hdfs_store import HdfsStore
from models.storage.minio import Minio, MinioStore
from models.storage.minio_rebuild import MinioRebuild
from models.storage.minio_routes import MinioRoutes
from models.storage.object_routes import Ends, ObjectRoutes, ends
from models.storage.parallel_fs import ParallelFs, ParallelFsStore
from models.storage.placement import mix
from models.storage.posix import PosixClient
from models.storage.s3a import S3aClient
from models.storage.s3a_writer import Local, S3aWriter
from models.storage.storagegrid import StorageGrid
from models.storage.storagegrid_routes import StorageGridRoutes
from models.storage.storagegrid_store import StorageGridStore
from models.work import Account, Job, Metric, Metrics, Pool


@dataclass(frozen=True, slots=True)
class Plan:
    """What a scenario comes to: the resources of its layout, the job, and what to measure of its run.

    A run ends with its job, or at `horizon` (s) if that comes first. `notes` say in words what a reader must know of
    how the run was made. Where a part of the work is simulated that stands for all, what follows the job's setup takes
    `scale` times as long. What is down is told in `outage`, and `repairs` say how the storage system makes it good.
    """

    layout: Layout
    job: Job
    metrics: Mapping[str, Metric]
    horizon: float | None = None
    notes: Callable[[Account], tuple[str, ...]] = lambda account: ()
    scale: float = 1.0
    outage: Outage = field(default_factory=Outage)
    repairs: Repairs | None = None


def build(scenario: Scenario, salt: int) -> Plan | LakehousePlan | ObjectLoadPlan:
    """Return the plan of a scenario; `salt` chooses placements and start times."""
    layout = Layout(scenario.cluster)
    if isinstance(scenario.workload, EventLoop):
        return _event_loop(scenario, scenario.workload, layout, salt)
    if isinstance(scenario.workload, Copy):
        return _copy(scenario, scenario.workload, layout, salt)
    if isinstance(scenario.workload, Scan):
        return _scan(scenario, scenario.workload, layout, salt)
    if isinstance(scenario.workload, Spark):
        plan = SparkPlan(scenario.workload, layout, _table_reader(scenario, scenario.workload, layout, mix(salt, 1)))
        return Plan(layout, plan.job(), plan.metrics())
    if isinstance(scenario.workload, Lakehouse):
        assert isinstance(scenario.storage, StorageGrid)  # the scenario has been validated
        return LakehousePlan(scenario.workload, scenario.storage, layout)
    if isinstance(scenario.workload, ObjectLoad):
        return _object_load(scenario, scenario.workload, layout)
    if isinstance(scenario.workload, Storing):
        return Plan(layout, _nothing(layout), _known(storing_metrics(scenario)))
    return _mapreduce(scenario, scenario.workload, layout, salt)


def _nothing(layout: Layout) -> Job:
    """Return a job without tasks: what is only stored takes no time."""
    return Job("storing", (), [0] * len(layout.nodes), [node.rack for node in layout.nodes])


def _known(found: Metrics) -> dict[str, Metric]:
    """Return as metrics of a run what is known without one."""
    return {name: Metric.known(unit, value) for name, (value, unit) in found.items()}


def _object_load(scenario: Scenario, job: ObjectLoad, layout: Layout) -> ObjectLoadPlan:
    clients = ends(layout, job.clients, own_server=job.own_server, in_turn=job.threads is not None)
    store = _object_routes(scenario, job, layout, clients)
    if scenario.failures is None or not scenario.failures.is_in_run:
        return ObjectLoadPlan(job, store, clients)
    assert isinstance(scenario.storage, (Minio, StorageGrid))  # the scenario has been validated
    return ObjectLoadPlan(job, store, clients, damage(scenario.storage, scenario.failures, layout, clients))


def _object_routes(scenario: Scenario, job: ObjectLoad, layout: Layout, clients: Ends) -> ObjectRoutes:
    storage = scenario.storage
    if isinstance(storage, AmazonS3):
        return AmazonS3Routes(storage, layout, clients, back_off=job.back_off, attempts=job.attempts)
    if isinstance(storage, StorageGrid):
        return StorageGridRoutes(storage, layout, clients)
    assert isinstance(storage, Minio)  # the scenario has been validated
    return MinioRoutes(storage, layout, clients)


def _copy(scenario: Scenario, job: Copy, layout: Layout, salt: int) -> Plan:
    assert isinstance(scenario.storage, Hdfs)  # the scenario has been validated
    assert isinstance(scenario.client, S3Client)
    page = _page_caches(lambda node: job.tool.heap if node.group in job.tool.servers else 0.0)
    window = scenario.storage.write_window if job.tool.write_window is None else job.tool.write_window
    target = HdfsStore(scenario.storage.model_copy(update={"write_window": window}), layout, salt)
    origin = AmazonS3Store(job.origin, layout)
    plan = CopyPlan(job, layout, origin, scenario.client, target, page)
    return Plan(layout, plan.job(), plan.metrics(), notes=plan.notes, scale=plan.scale)


def _page_caches(held: Callable[[Node], float]) -> Callable[[Node], Pool]:
    """Return the page cache of each node, made once, while processes hold `held` bytes of its memory."""
    pools: dict[int, Pool] = {}

    def page(node: Node) -> Pool:
        if node.index not in pools:
            pools[node.index] = node.dirty_pool(held(node))
        return pools[node.index]

    return page


def _event_loop(scenario: Scenario, job: EventLoop, layout: Layout, salt: int) -> Plan:
    assert isinstance(scenario.client, PosixClient)  # the scenario has been validated
    plan = EventLoopPlan(job, layout, _reader(scenario, job, layout, mix(salt, 1)), scenario.client, mix(salt, 2))
    return Plan(layout, plan.job(), plan.metrics(), horizon=job.simulated, notes=plan.notes)


def _reader(scenario: Scenario, job: EventLoop, layout: Layout, salt: int) -> ReadAt:
    if isinstance(scenario.storage, ParallelFs):
        return ParallelFsStore(scenario.storage, layout, salt).read
    assert isinstance(scenario.storage, Hdfs)
    store = HdfsStore(scenario.storage, layout, salt)
    blocks = max(round(job.data / scenario.storage.block_size), 1)
    return lambda place, node: store.read(place % blocks, blocks, node, "direct")


def _scan(scenario: Scenario, job: Scan, layout: Layout, salt: int) -> Plan:
    source = _split_source(scenario, job, layout, mix(salt, 1))
    plan = ScanPlan(job, layout, source, mix(salt, 2))
    return Plan(layout, plan.job(), plan.metrics())


def _split_source(scenario: Scenario, job: Scan, layout: Layout, salt: int) -> SplitSource:
    storage, client = scenario.storage, scenario.client
    if isinstance(storage, Hdfs):
        blocks = HdfsStore(storage, layout, salt)
        return SplitSource(lambda split, node: blocks.read(split, job.splits, node, "direct"))
    assert isinstance(storage, AmazonS3)  # the scenario has been validated
    assert isinstance(client, S3Client)
    objects = AmazonS3Store(storage, layout)
    return SplitSource(lambda split, node: objects.read(node, client, job.bytes_per_request), objects.wait(client))


def _table_reader(scenario: Scenario, suite: Spark, layout: Layout, salt: int) -> TableReader:
    """Return how the splits of tables are read: on MinIO an equal part of many objects, so that all tasks are alike."""
    storage, client = scenario.storage, scenario.client
    if isinstance(storage, AmazonS3):
        assert isinstance(client, S3Client)  # the scenario has been validated
        cloud = AmazonS3Store(storage, layout)
        return TableReader(lambda node: cloud.read(node, client, suite.request_size), cloud.wait(client))
    assert isinstance(storage, Minio)
    objects = MinioStore(storage, layout, salt)
    count = sum(map(len, objects.sets))
    return TableReader(lambda node: spread([objects.read(name, node) for name in range(count)]), storage.request_time)


def _mapreduce(scenario: Scenario, job: MapReduce, layout: Layout, salt: int) -> Plan:
    page, local = _local(scenario, job, layout)
    outage = Outage(may_fail=scenario.failures is not None and scenario.failures.is_in_run)
    files = _files(scenario, job, layout, local, mix(salt, 1), outage)
    plan = MapReducePlan(job, layout, files, page, mix(salt, 2), outage)
    return Plan(layout, plan.job(), plan.metrics(), outage=outage, repairs=files.repairs)


def _local(scenario: Scenario, job: MapReduce, layout: Layout) -> tuple[Page, Local]:
    """Return the page caches of the servers, and what those of the job give to its output."""
    framework = job.framework
    taken = framework.heap + framework.containers * scenario.buffered(job)

    def held(node: Node) -> float:
        return taken if node.group == framework.servers else 0.0

    def cache(node: Node) -> float:
        return node.server.memory.page_cache(held(node))

    page, servers = _page_caches(held), len(layout.groups[framework.servers])
    return page, Local(page, cache, framework.containers, servers)


def _files(scenario: Scenario, job: MapReduce, layout: Layout, local: Local, salt: int, outage: Outage) -> Files:
    storage, client = scenario.storage, scenario.client
    if isinstance(storage, Hdfs):
        return HdfsFiles(HdfsStore(storage, layout, salt, outage), local.pool)
    assert isinstance(storage, (Minio, StorageGrid))  # the scenario has been validated
    assert isinstance(client, S3aClient)
    kept = Kept(storage.servers, storage.bay, job.object_size)
    pending = client.pending(storage.pending_expiry)
    if isinstance(storage, StorageGrid):
        grid = StorageGridStore(storage, layout, salt)
        return S3aFiles(grid, S3aWriter(client.fs.s3a, grid, local, pending), kept)
    store = MinioStore(storage, layout, salt, outage)
    rebuild = MinioRebuild(store) if outage.may_fail else None
    return S3aFiles(store, S3aWriter(client.fs.s3a, store, local, pending), kept, rebuild)
