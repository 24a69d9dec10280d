"""From a scenario to what the simulator executes: a layout with its resources, and a job of steps."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from models.hardware.cluster import Layout, Node
from models.jobs.bulk_io import BulkIo
from models.jobs.bulk_io_plan import BulkIoPlan
from models.jobs.copy import Copy
from models.jobs.copy_plan import CopyPlan
from models.jobs.event_loop import EventLoop
from models.jobs.event_loop_plan import EventLoopPlan
from models.jobs.lakehouse import Lakehouse
from models.jobs.lakehouse_plan import LakehousePlan
from models.jobs.mapreduce import MapReduce
from models.jobs.mapreduce_plan import MapReducePlan
from models.jobs.object_load import ObjectLoad
from models.jobs.object_load_damage import damage
from models.jobs.object_load_plan import ObjectLoadPlan
from models.jobs.scan import Scan
from models.jobs.scan_plan import ScanPlan
from models.jobs.spark import Spark
from models.jobs.spark_plan import SparkPlan
from models.jobs.storing import Storing
from models.outage import Outage, Repairs
from models.planning.capacity import storing_metrics
from models.scenario import Scenario
from models.storage.amazon_s3.routes import AmazonS3Routes
from models.storage.amazon_s3.system import AmazonS3
from models.storage.clients.mount import Local, Mount, MountPoint
from models.storage.minio.routes import MinioRoutes
from models.storage.minio.system import Minio
from models.storage.object_routes import Ends, ObjectRoutes, ends
from models.storage.placement import mix
from models.storage.storagegrid.routes import StorageGridRoutes
from models.storage.storagegrid.system import StorageGrid
from models.storage.systems import mount
from models.work import Account, Job, Metric, Metrics, Pool


@dataclass(frozen=True, slots=True)
class Plan:
    """What a scenario comes to: the resources of its layout, the job, and what to measure of its run.

    A run ends with its job, or at `horizon` (s) if that comes first. `notes` say in words what a reader must know of
    how the run was made. Where a part of the work is simulated that stands for all, what follows the job's setup takes
    `scale` times as long. What is down is told in `outage`, and `repairs` say how the storage system rebuilds it.
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
    if isinstance(scenario.workload, BulkIo):
        return _bulk_io(scenario, scenario.workload, layout, salt)
    if isinstance(scenario.workload, Copy):
        return _copy(scenario, scenario.workload, layout, salt)
    if isinstance(scenario.workload, Scan):
        return _scan(scenario, scenario.workload, layout, salt)
    if isinstance(scenario.workload, Spark):
        plan = SparkPlan(scenario.workload, layout, _mounted(scenario, layout, mix(salt, 1)))
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
    servers = [node for group in job.tool.servers for node in layout.groups[group]]
    local = _local(lambda node: job.tool.heap if node in servers else 0.0, job.tool.processes, len(servers))
    target_point = MountPoint(layout, salt, local, write_window=job.tool.write_window)
    target = mount(scenario.storage, scenario.client_of(scenario.storage), target_point)
    origin = mount(job.origin, scenario.client_of(job.origin), MountPoint(layout, mix(salt, 1), local))
    plan = CopyPlan(job, layout, origin, target, local.pool)
    return Plan(layout, plan.job(), plan.metrics(), notes=plan.notes, scale=plan.scale)


def _bulk_io(scenario: Scenario, job: BulkIo, layout: Layout, salt: int) -> Plan:
    servers = sum(len(layout.groups[group]) for group in job.servers)
    local = _local(lambda node: job.heap if node.group in job.servers else 0.0, job.processes, servers)
    size = job.size if job.files == "own" else sum(job.stored(scenario.cluster)[:2])
    point = MountPoint(layout, salt, local, object_size=size)
    plan = BulkIoPlan(job, layout, mount(scenario.storage, scenario.client_of(scenario.storage), point))
    return Plan(layout, plan.job(), plan.metrics())


def _event_loop(scenario: Scenario, job: EventLoop, layout: Layout, salt: int) -> Plan:
    plan = EventLoopPlan(job, layout, _mounted(scenario, layout, mix(salt, 1)), mix(salt, 2))
    return Plan(layout, plan.job(), plan.metrics(), horizon=job.simulated, notes=plan.notes)


def _scan(scenario: Scenario, job: Scan, layout: Layout, salt: int) -> Plan:
    plan = ScanPlan(job, layout, _mounted(scenario, layout, mix(salt, 1)), mix(salt, 2))
    return Plan(layout, plan.job(), plan.metrics())


def _mounted(scenario: Scenario, layout: Layout, salt: int) -> Mount:
    """Return the storage system for a workload that only reads."""
    local = _local(lambda node: 0.0, 1, len(layout.nodes))
    return mount(scenario.storage, scenario.client_of(scenario.storage), MountPoint(layout, salt, local))


def _local(held: Callable[[Node], float], writers: int, servers: int) -> Local:
    """Return what compute servers give to output while processes hold `held` bytes of their memory."""
    pools: dict[int, Pool] = {}

    def page(node: Node) -> Pool:
        if node.index not in pools:
            pools[node.index] = node.dirty_pool(held(node))
        return pools[node.index]

    def cache(node: Node) -> float:
        return node.server.memory.page_cache(held(node))

    return Local(page, cache, writers, servers)


def _mapreduce(scenario: Scenario, job: MapReduce, layout: Layout, salt: int) -> Plan:
    framework = job.framework
    taken = framework.heap + framework.containers * scenario.buffered(job)
    servers = len(layout.groups[framework.servers])
    local = _local(lambda node: taken if node.group == framework.servers else 0.0, framework.containers, servers)
    outage = Outage(may_fail=scenario.failures is not None and scenario.failures.is_in_run)
    point = MountPoint(layout, mix(salt, 1), local, outage, job.object_size)
    files = mount(scenario.storage, scenario.client_of(scenario.storage), point)
    plan = MapReducePlan(job, layout, files, local.pool, mix(salt, 2), outage)
    return Plan(layout, plan.job(), plan.metrics(), outage=outage, repairs=files.repairs)
