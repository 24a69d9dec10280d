"""What goes in comes out: bytes on every device and wire, and core-seconds, against the arithmetic of the models.

What is written behind may still be dirty when a job ends: as much as the page caches hold is taken off, no more.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from statistics import fmean

import pytest

from models.hardware.cluster import Group
from models.jobs.event_loop import EventLoop
from models.jobs.lakehouse import Lakehouse
from models.jobs.mapreduce import MapReduce
from models.jobs.mapreduce_parts import shares
from models.jobs.object_load import ObjectLoad
from models.jobs.yarn import Framework
from models.scenario import Scenario
from models.storage.amazon_s3.system import AmazonS3
from models.storage.clients.posix import PosixClient
from models.storage.clients.s3a import S3aClient
from models.storage.hdfs.system import Hdfs
from models.storage.minio.system import Minio
from models.storage.storagegrid.system import StorageGrid
from tests.laws.miniatures import SHIPPED, miniature, run, shipped
from tests.narrow import as_a, some

LOOPS, LOADS = shipped(EventLoop), shipped(ObjectLoad)
MAPREDUCE = [name for name in shipped(MapReduce) if miniature(name).failures is None]  # what fails is done twice
EXACT = 1e-6  # of the bytes; what rounding may add over a run


@dataclass(frozen=True)
class Bytes:
    """What a run must move, from the numbers of its scenario; `low` and `high` where chance decides between them."""

    scenario: Scenario

    @property
    def job(self) -> MapReduce:
        return as_a(MapReduce, self.scenario.workload)

    @property
    def workers(self) -> Group:
        return self.scenario.cluster.groups[self.job.framework.servers]

    @property
    def framework(self) -> Framework:
        """What it makes of a server: containers of its memory and cores where the profile tells no number."""
        return self.job.framework_on(self.workers.server)

    @property
    def stores(self) -> Group:
        return self.scenario.cluster.groups[as_a(Minio, self.scenario.storage).servers]

    @property
    def nodes(self) -> int:
        return self.workers.count

    @property
    def read(self) -> float:
        return self.job.input

    @property
    def mapped(self) -> float:
        """What maps hand to reduces, 0 for generators."""
        return self.read * self.job.map_output

    @property
    def written(self) -> float:
        return self.job.generated or self.mapped * self.job.output

    @property
    def split(self) -> float:
        """Bytes that a map reads: a block, or what S3A tells to be one."""
        client = self.scenario.client_of(self.scenario.storage)
        if isinstance(client, S3aClient):
            return client.fs.s3a.block.size
        return as_a(Hdfs, self.scenario.storage).block_size

    @property
    def shuffled(self) -> float:
        """What crosses the network on its way from maps to reduces: all but what lies on the server of its reduce.

        Beside it each reduce is told of each map, those on the server of the application master over no network.
        """
        told = self.job.map_tasks(self.split) * self.reduces * self.job.framework.event_size
        return (self.mapped + told) * (self.nodes - 1) / self.nodes

    @property
    def page_cache(self) -> float:
        """Memory of one compute server that caches files."""
        return self.workers.server.memory.page_cache(self.framework.heap)

    @property
    def dirty(self) -> float:
        """The most that may wait to be written on all compute servers together."""
        return self.nodes * self.workers.server.memory.dirty_share * self.page_cache

    @property
    def spilled(self) -> float:
        """What maps write, and reduces read back, on local drives: what still lies in the page cache is not read."""
        through = (self.mapped + (self.read if self.is_on_hdfs else 0.0)) / self.nodes
        return self.mapped * (2 - min(self.page_cache / through, 1.0)) if self.mapped else 0.0

    @property
    def is_on_hdfs(self) -> bool:
        return isinstance(self.scenario.storage, Hdfs)

    @property
    def replicas(self) -> float:
        """Bytes on drives for each that is written: those of replicas, or of the blocks of a code."""
        storage = self.scenario.storage
        return storage.raw_per_byte(self.scenario.cluster, self.job.output_replication)

    @property
    def raw(self) -> float:
        """Bytes on drives of all files of the output: of a code with parity as long as the first cell of a stripe."""
        storage = as_a(Hdfs, self.scenario.storage)
        code = storage.striping
        if code is None:
            return self.replicas * self.written
        files = self.reduces or self.job.map_tasks(storage.block_size)
        group = storage.block_size * code.data
        groups, rest = divmod(self.written / files, group)
        return files * (groups * sum(code.lengths(group)) + sum(code.lengths(rest)))

    @property
    def reduces(self) -> int:
        return self.job.reduce_tasks(self.framework.containers * self.nodes, self.job.map_tasks(self.split))

    @property
    def merged(self) -> float:
        """What reduces write before they begin, and read back: what page caches still hold of it is not read."""
        if not self.mapped:
            return 0.0
        containers = self.framework.containers
        at_once = min(containers, math.ceil(self.reduces / self.nodes)) * self.mapped / self.reduces
        return self.mapped * (2 - min(self.page_cache / at_once, 1.0))

    @property
    def spills(self) -> int:
        """Files that a map spills before it has read its split."""
        frame = self.framework
        return math.ceil(self.split * self.job.map_output / (frame.sort_memory * frame.spill_percent))

    @property
    def passes(self) -> int:
        """How often maps merge all that they put out: once where they spill several files (`is_merged_once`)."""
        return 1 if self.spills > 1 else 0

    @property
    def again(self) -> float:
        """What maps write once more, when they merge several spills."""
        return self.mapped * self.passes

    @property
    def computed(self) -> float:
        """Core-seconds of the bytes of the job, those that maps merge among them."""
        return self.job.total_cpu(self.passes)

    @property
    def is_merged_once(self) -> bool:
        """Maps and reduces merge all their files at once; all shipped profiles do, more would be read and written."""
        frame = self.framework
        fill = frame.heap / frame.containers * frame.shuffle_memory * frame.merge_percent
        is_few = self.mapped / max(self.reduces, 1) <= frame.sort_factor * fill
        return self.spills <= frame.sort_factor and is_few


def moved(name: str, group: str) -> float:
    return sum(row.bytes for row in run(name).groups if row.group == group)


def moved_in(name: str, ends: str) -> float:
    return sum(group.bytes for group in run(name).groups if group.group.endswith(ends))


def core_seconds(name: str, group: str) -> float:
    """Return what the processors of a group gave: `bound` is that over all their capacity."""
    scenario = miniature(name)
    servers = scenario.cluster.groups[group]
    bound = next(row.bound for row in run(name).groups if row.group == f"{group}/cpu")
    return bound * servers.count * max(servers.server.cpu.capacity())


def started(name: str) -> float:
    """Return the core-seconds in which the processes of maps and reduces start."""
    tasks = sum(stage.tasks for stage in run(name).stages if stage.name in ("map", "reduce"))
    return as_a(MapReduce, miniature(name).workload).task_cpu * tasks


ON_HDFS = [name for name in MAPREDUCE if isinstance(miniature(name).storage, Hdfs)]
ON_MINIO = [name for name in MAPREDUCE if isinstance(miniature(name).storage, Minio)]
ON_STORAGEGRID = [name for name in MAPREDUCE if isinstance(miniature(name).storage, StorageGrid)]


ELSEWHERE = [name for name in MAPREDUCE if name not in (*ON_HDFS, *ON_MINIO, *ON_STORAGEGRID)]


@pytest.mark.parametrize("name", ELSEWHERE)
def test_the_drives_of_any_other_store_move_input_and_output(name: str) -> None:
    scenario = miniature(name)
    servers, bay = some(scenario.storage.home)
    read, written, _ = scenario.workload.stored(scenario.cluster)
    raw = read + written * scenario.storage.raw_per_byte(scenario.cluster)
    assert moved(name, f"{servers}/{bay} drives") >= 0.95 * raw  # some may still be in a page cache


def is_fed_from_outside(scenario: Scenario) -> bool:
    systems = (scenario.storage, getattr(scenario.workload, "origin", None))
    return any(isinstance(system, AmazonS3) for system in systems)


CLOSED = [name for name in SHIPPED if not (name in LOADS and is_fed_from_outside(miniature(name)))]
"""All but loads of a store outside the cluster, which also write there."""
UNDER_WAY = 0.05
"""Part of the bytes of a load that may be between two cards when it ends."""
LAST_RANGES = 1e-4
"""The same of a suite, whose phases end early: some ranges of 1 MB out of 80,000."""


@pytest.mark.parametrize("name", CLOSED)
def test_what_leaves_one_network_card_enters_another(name: str) -> None:
    """What comes from a store outside the cluster enters only."""
    entered, left = moved_in(name, "/network in"), moved_in(name, "/network out")
    if is_fed_from_outside(miniature(name)):
        assert entered >= left * (1 - EXACT)
    else:
        is_suite = isinstance(miniature(name).workload, Lakehouse)
        assert entered == pytest.approx(left, rel=UNDER_WAY if name in LOADS else LAST_RANGES if is_suite else EXACT)


@pytest.mark.parametrize("name", ON_HDFS)
def test_hdfs_drives_move_input_spill_shuffle_and_every_replica_of_the_output(name: str) -> None:
    """Input once, map output and what reduces merge written and read back once unless cached, output times replicas.

    Maps that spill more than once write their output once more, and read back what is cached no more.
    """
    amounts = Bytes(miniature(name))
    assert amounts.is_merged_once
    all_of_it = amounts.read + amounts.spilled + amounts.merged + amounts.raw
    passed = moved(name, "workers/data drives")
    assert all_of_it + amounts.again - amounts.dirty <= passed * (1 + EXACT)
    assert passed <= (all_of_it + 2 * amounts.again) * (1 + EXACT)


@pytest.mark.parametrize("name", ON_HDFS)
def test_hdfs_network_moves_the_shuffle_and_all_replicas_but_the_first(name: str) -> None:
    """Writers are DataNodes and keep the first replica; only splits that no local replica served add to it."""
    amounts = Bytes(miniature(name))
    coding = miniature(name).storage.redundancy(miniature(name).cluster)
    assert coding is not None
    own = 1 / coding.data
    least = amounts.shuffled + (amounts.replicas - own) * amounts.written
    passed = moved(name, "workers/network in")
    assert least <= passed * (1 + EXACT)
    assert passed <= (least + amounts.read) * (1 + EXACT)


@pytest.mark.parametrize("name", ON_HDFS)
def test_hdfs_processors_work_on_every_byte_and_copy_every_stream(name: str) -> None:
    """The job's own cost a byte, merge and start, and the DataNodes' for every byte read and every replica written."""
    scenario = miniature(name)
    amounts, store = Bytes(scenario), as_a(Hdfs, scenario.storage)
    streams = amounts.read + amounts.replicas * amounts.written
    expected = amounts.computed + started(name) + store.stream_cpu * streams
    coded = store.policy is not None
    if coded:
        expected += store.encode_cpu * amounts.written
    assert core_seconds(name, "workers") == pytest.approx(expected, rel=1e-3 if coded else EXACT)  # whole cells


@pytest.mark.parametrize("name", ON_MINIO)
def test_minio_drives_read_k_shards_and_write_n(name: str) -> None:
    """Per stripe of k data shards: k are read, n = k + m are written, synchronously, so none is dirty at the end."""
    scenario = miniature(name)
    amounts, store = Bytes(scenario), as_a(Minio, scenario.storage)
    (code,) = store.codes(scenario.cluster)
    expected = amounts.read * (1 - store.cached_reads) + amounts.written * code.drives / code.data
    assert moved(name, "storage/data drives") == pytest.approx(expected, rel=EXACT)


@pytest.mark.parametrize("name", ON_MINIO)
def test_minio_servers_exchange_all_shards_but_the_coordinators_own(name: str) -> None:
    """Sixteen drives over four servers in turn: any server holds 4 of 16 shards, and 3 of any 12 neighbours."""
    scenario = miniature(name)
    amounts, parity = Bytes(scenario), as_a(Minio, scenario.storage).parity
    assert (amounts.stores.count, parity) == (4, 4)
    between = amounts.read * (12 - 3) / 12 + amounts.written * (16 - 4) / 12
    assert moved(name, "storage/network in") == pytest.approx(between + amounts.written, rel=EXACT)
    assert moved(name, "storage/network out") == pytest.approx(between + amounts.read, rel=EXACT)


@pytest.mark.parametrize("name", ON_MINIO)
def test_minio_clients_receive_input_and_send_output_besides_the_shuffle(name: str) -> None:
    amounts = Bytes(miniature(name))
    assert moved(name, "compute/network in") == pytest.approx(amounts.shuffled + amounts.read, rel=EXACT)
    assert moved(name, "compute/network out") == pytest.approx(amounts.shuffled + amounts.written, rel=EXACT)


@pytest.mark.parametrize("name", ON_MINIO)
def test_minio_clients_stage_their_output_and_keep_their_spills_on_local_devices(name: str) -> None:
    """The staged output is written once, and read back from the page cache as far as it holds a wave of files.

    While a file is written, each of the other tasks of its server writes as much: of a larger one less is held.
    """
    scenario = miniature(name)
    amounts, client = Bytes(scenario), as_a(S3aClient, scenario.client)
    assert amounts.is_merged_once
    job = amounts.job
    containers = job.framework.containers
    files = amounts.reduces or job.map_tasks(client.fs.s3a.block.size)
    held = amounts.page_cache / (amounts.written / files * containers)
    sizes = shares(files, files, job.keys(files, files) if amounts.reduces else 0, salt=0)  # over the mean
    staged = amounts.written * (1 + fmean(max(size - held, 0.0) for size in sizes))
    passed = moved(name, "compute/root volume") + moved(name, "compute/nvme drives")
    total = staged + amounts.spilled + amounts.merged
    assert total - 2 * amounts.dirty <= passed * (1 + EXACT)  # volume and drives have a room each
    assert passed <= total * (1 + EXACT)


@pytest.mark.parametrize("name", ON_MINIO)
def test_minio_processors_compute_on_one_side_and_encode_on_the_other(name: str) -> None:
    """Storage hashes and encodes what is written and checks every shard that is written (n / k) or read (1).

    What crosses a wire costs its servers: one end of a client's connection, both ends of those between servers.
    """
    scenario = miniature(name)
    amounts, store = Bytes(scenario), as_a(Minio, scenario.storage)
    assert core_seconds(name, "compute") == pytest.approx(amounts.computed + started(name), rel=EXACT)
    per_byte_written = store.hash_cpu + store.encode_cpu + store.bitrot_cpu * 16 / 12
    between = amounts.read * (12 - 3) / 12 + amounts.written * (16 - 4) / 12
    expected = amounts.written * per_byte_written + amounts.read * store.bitrot_cpu
    expected += store.end_cpu * (amounts.read + amounts.written + 2 * between)
    assert core_seconds(name, "storage") == pytest.approx(expected, rel=EXACT)


@pytest.mark.parametrize("name", ON_STORAGEGRID)
def test_storagegrid_drives_read_one_copy_and_write_all(name: str) -> None:
    scenario = miniature(name)
    amounts, store = Bytes(scenario), scenario.storage
    expected = amounts.read + amounts.written * store.raw_per_byte(scenario.cluster)
    assert moved(name, "storage/data drives") == pytest.approx(expected, rel=EXACT)


@pytest.mark.parametrize("name", ON_STORAGEGRID)
def test_storagegrid_gateways_pass_every_byte_on_and_clients_move_the_shuffle_besides(name: str) -> None:
    amounts = Bytes(miniature(name))
    assert moved(name, "gateways/network in") == pytest.approx(amounts.read + amounts.written, rel=EXACT)
    assert moved(name, "gateways/network out") == pytest.approx(amounts.read + amounts.written, rel=EXACT)
    assert moved(name, "workers/network in") == pytest.approx(amounts.shuffled + amounts.read, rel=EXACT)
    assert moved(name, "workers/network out") == pytest.approx(amounts.shuffled + amounts.written, rel=EXACT)


@pytest.mark.parametrize("name", MAPREDUCE)
def test_what_may_be_dirty_at_the_end_is_small_beside_what_is_written(name: str) -> None:
    """Otherwise the laws above would say little."""
    amounts = Bytes(miniature(name))
    copies = amounts.replicas if amounts.is_on_hdfs else 1
    if amounts.written > amounts.read / 2:
        assert amounts.dirty < (amounts.mapped + copies * amounts.written) / 4


@pytest.mark.parametrize("name", LOOPS)
def test_closed_loops_read_each_event_with_what_its_client_reads_beside_it(name: str) -> None:
    scenario, result = miniature(name), run(name)
    job, client = as_a(EventLoop, scenario.workload), as_a(PosixClient, scenario.client)
    events = result.metrics["events"][0] * job.sample / job.run_time
    drives = sum(group.bytes for group in result.groups if group.kind == "drive")
    assert drives == pytest.approx(events * job.event_bytes * client.overread, rel=EXACT)


@pytest.mark.parametrize("name", LOOPS)
def test_closed_loops_compute_on_each_event(name: str) -> None:
    """CPU time per event is exponential: over n events its sum varies by 1 / sqrt(n), and may by three times that."""
    scenario, result = miniature(name), run(name)
    job, client = as_a(EventLoop, scenario.workload), as_a(PosixClient, scenario.client)
    events = result.metrics["events"][0] * job.sample / job.run_time
    moved_bytes = job.event_bytes * client.overread
    streams = client.stream_cpu + getattr(scenario.storage, "stream_cpu", 0.0)
    computed = sum(core_seconds(name, group) for group in scenario.cluster.groups)
    assert computed == pytest.approx(events * (job.event_cpu + moved_bytes * streams), rel=3 / events**0.5)
