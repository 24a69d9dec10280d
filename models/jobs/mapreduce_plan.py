"""What the tasks of a MapReduce job do on a layout: the plans that the simulator executes.

Map output that a failed server or drive took along is made again by the maps that had ended there, once YARN gives the
server up; a reduce that was fetching then goes on with what was left, from the servers that are up. Not covered: fetch
failures that tell of the loss before YARN does, and outputs that a reduce holds already.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cached_property
from typing import TYPE_CHECKING

from models.hardware.cluster import Device, Layout, Node
from models.hardware.drive import Access
from models.jobs.mapreduce import FULL_FAN_IN, LEAST_FAN_IN, READ_AHEAD, START_STEP, MapReduce
from models.outage import Outage
from models.plan import Ground, Plan, local
from models.storage.clients.mount import Mount
from models.storage.clients.s3a import S3aClient
from models.storage.flow import Flow, compute, write_behind
from models.storage.placement import mixed
from models.storage.systems import Client
from models.work import Await, Delay, Failover, Job, Metric, Moment, Pool, Sequence, Stage, Step, Use, Work, in_order

if TYPE_CHECKING:
    pass

Portion = tuple[Node, float, float, tuple[Device, ...]]
"""A server that a reduce fetches from, the part of its bytes, the part that crosses the network, and the drives."""


class MapReducePlan:
    """A MapReduce job on a layout and a storage system, of which parts are down as `outage` tells."""

    def __init__(
        self,
        job: MapReduce,
        layout: Layout,
        files: Mount,
        page: Callable[[Node], Pool],
        salt: int,
        outage: Outage | None = None,
    ) -> None:
        self._job, self._files, self._page, self._salt = job, files, page, salt
        self._outage = outage or Outage()
        self._framework = job.framework
        self._layout = layout
        self._nodes = layout.groups[job.framework.servers]
        self._first = self._nodes[0].index
        self.maps = job.map_tasks(files.split_size)
        self.reduces = job.reduce_tasks(job.framework.containers * len(self._nodes))
        shuffles = self.reduces > 0
        mixed = shuffles and files.shares(job.framework.servers, job.framework.local_dirs)
        self._access: Access = "mixed" if mixed else "buffered"
        self._fetches: dict[tuple[int, int], Flow] = {}
        self._map_own: dict[int, Flow] = {}
        self._own: dict[int, Flow] = {}
        self._no_work = Flow()
        self._spills: dict[Device, tuple[Step, ...]] = {}
        self._merges: dict[Device, tuple[Step, ...]] = {}
        self._awaits: dict[str, Await] = {}
        self._starts: dict[int, list[Delay]] = {}
        if job.input:
            files.hold(self.maps, job.input / self.maps)

    def job(self) -> Job:
        """Return the job with its stages and the slots of every node."""
        framework = self._framework
        slots = [0] * len(self._layout.nodes)
        for node in self._nodes:
            slots[node.index] = framework.containers
        return Job(
            name="mapreduce",
            stages=self._stages(),
            slots=slots,
            racks=[node.rack for node in self._layout.nodes],
            setup=Delay(framework.job_start),
            commit=self._files.commit(self._outputs, self._job.output_bytes, self._nodes[0]),
            expiry=framework.node_expiry,
        )

    def metrics(self) -> dict[str, Metric]:
        """Return the throughput of a run, and the requests that it sends to an object store."""
        job = self._job
        amount = job.input or job.generated
        sent = self._files.requests(self.maps if job.input else 0, self._outputs, job.output_bytes)
        counts = {f"{kind} requests": count for kind, count in sent.items()}
        if sent:
            counts = {"requests": sum(sent.values())} | counts
        return {"throughput": Metric("B/s", lambda account: amount / account.duration)} | {
            name: Metric.known("1", float(count)) for name, count in counts.items()
        }

    @property
    def _outputs(self) -> int:
        """Files that the job writes."""
        return self.reduces or self.maps

    def _stages(self) -> list[Stage]:
        if self._job.generated:
            return [Stage("generate", self.maps, self._generate)]
        preferred = self._files.preferred(self.maps)
        if not self.reduces:
            return [Stage("map", self.maps, self._map_only, preferred)]
        return [
            Stage("map", self.maps, self._map, preferred, output=self._output),
            Stage(
                "reduce",
                self.reduces,
                self._reduce,
                after="map",
                slowstart=self._framework.slowstart,
                inputs=("map",),
            ),
        ]

    def _start(self, task: int, stage: int) -> Step:
        """Return the start of a task's container; those of a stage are drawn at once."""
        starts = self._starts.get(stage)
        if starts is None:
            starts = self._starts[stage] = self._drawn_starts(stage)
        return starts[task]

    def _drawn_starts(self, stage: int) -> list[Delay]:
        framework, tasks = self._framework, self.reduces if stage else self.maps
        steps = math.floor(framework.container_spread / START_STEP + 1e-9)
        starts = [Delay(framework.container_start + turn * START_STEP) for turn in range(-steps, steps + 1)]
        return [starts[turn] for turn in (mixed(self._salt, tasks, stage) % len(starts)).tolist()]

    def _generate(self, task: int, index: int, moment: Moment) -> Step:
        node, job = self._layout.nodes[index], self._job
        own = self._compute(node, job.map_cpu(0))
        write = self._files.write(task, node, job.generated / self.maps, own, "buffered", job.output_replication)
        return in_order((self._start(task, 0), write))

    def _read(self, task: int, node: Node) -> Step:
        job = self._job
        flow = self._files.read(task, self.maps, node, "mixed" if self._access == "mixed" else "direct")
        own = self._map_own.get(node.index)
        if own is None:
            own = self._map_own[node.index] = compute(node, job.map_cpu(self._passes))
        return flow.step(job.input / self.maps, own)

    def _map_only(self, task: int, index: int, moment: Moment) -> Step:
        node, job = self._layout.nodes[index], self._job
        amount = job.input / self.maps * job.map_output
        write = self._files.write(task, node, amount, self._no_work, self._access, job.output_replication)
        return in_order((self._start(task, 0), self._read(task, node), write))

    def _map(self, task: int, index: int, moment: Moment) -> Step:
        node = self._layout.nodes[index]
        device = self._local(node, task)
        spill = self._spills.get(device)
        if spill is None:
            amount = self._job.input / self.maps * self._job.map_output
            spill = self._spills[device] = self._spill(device, node, amount)
        return Sequence((self._start(task, 0), self._read(task, node), *spill))

    def _spill(self, device: Device, node: Node, amount: float) -> tuple[Step, ...]:
        """Return the steps that write sorted output: one spill, or several that are merged in passes."""
        write = write_behind(self._page(node), device, amount, self._access)
        return (write, *(step for _ in range(self._passes) for step in (self._read_back(device, amount), write)))

    def _read_back(self, device: Device, amount: float) -> Step:
        return Work(amount, device.read_demand(self._access))

    def _reduce(self, task: int, index: int, moment: Moment) -> Step:
        node, job = self._layout.nodes[index], self._job
        amount = job.input * job.map_output / self.reduces
        ready = moment.finished("map")
        steps = [self._start(task, 1)]
        if ready < 1:
            steps += [self._fetched(node, amount * ready, moment)] if ready else []
            steps += [self._await(moment.milestone("map"))]
        steps += [self._fetched(node, amount * (1 - ready if ready < 1 else 1.0), moment)]
        if amount > self._merge_memory:
            device = self._local(node, task)
            if device not in self._merges:
                write = write_behind(self._page(node), device, amount, self._access)
                self._merges[device] = (write, self._read_back(device, amount))
            steps += self._merges[device]
        own, size = self._compute(node, self._reduce_cpu), self._file_size
        write = self._files.write(task, node, size, own, self._access, job.output_replication)
        return in_order((*steps, write))

    def _await(self, milestone: str) -> Step:
        if milestone not in self._awaits:
            self._awaits[milestone] = Await(milestone)
        return self._awaits[milestone]

    def _compute(self, node: Node, cost: float) -> Flow:
        if node.index not in self._own:
            self._own[node.index] = compute(node, cost)
        return self._own[node.index]

    @cached_property
    def _passes(self) -> int:
        """Passes in which a map merges its spills; none where one spill holds all."""
        framework, amount = self._framework, self._job.input / self.maps * self._job.map_output
        spills = math.ceil(amount / (framework.sort_memory * framework.spill_percent) - 1e-9)
        return math.ceil(math.log(spills, framework.sort_factor) - 1e-9) if spills > 1 and self.reduces else 0

    @cached_property
    def _reduce_cpu(self) -> float:
        """Core-seconds per byte that a reduce writes."""
        job = self._job
        return job.reduce_cpu * (job.input * job.map_output) / max(job.output_bytes, 1.0)

    @cached_property
    def _file_size(self) -> float:
        """Bytes that a reduce writes."""
        return self._job.output_bytes / self.reduces

    @cached_property
    def _merge_memory(self) -> float:
        return self._framework.heap / self._framework.containers * self._framework.shuffle_memory

    @cached_property
    def _drives(self) -> int:
        """Drives that hold map output."""
        return sum(len(node.devices(self._framework.local_dirs)) for node in self._nodes)

    @cached_property
    def _racks(self) -> int:
        return len({node.rack for node in self._nodes})

    @cached_property
    def _segment(self) -> float:
        """Bytes that lie together on a drive when reduces fetch: what one map holds for one, or what is read ahead."""
        file = self._job.input * self._job.map_output / self.maps
        return max(file / self.reduces, min(READ_AHEAD, file))

    def _cached(self, node: Node) -> float:
        """Return the part of a server's map output that its page cache still holds when reduces fetch it.

        The cache keeps the latest bytes that went through it: map output, and the input if it lies on the node.
        """
        job, count = self._job, len(self._nodes)
        through = job.input * (job.map_output + (1.0 if self._access == "mixed" else 0.0)) / count
        return min(node.server.memory.page_cache(self._framework.heap) / through, 1.0)

    def _fetched(self, node: Node, amount: float, moment: Moment) -> Step:
        """Return the step in which a reduce on `node` fetches; after a loss it waits until all map output is there."""
        flow = self._fetch(node)
        if not self._outage.may_fail or not flow.uses or node.index in self._outage.nodes:
            return flow.move(amount)

        def resume(left: float) -> Step:
            return Sequence((Await(moment.milestone("map")), self._fetched(node, left, moment)))

        return Failover(amount, flow.demand, resume)

    def _fetch(self, node: Node) -> Flow:
        """Return the flow of what a reduce on `node` fetches: an equal part from every server's drives."""
        key = node.index, self._outage.epoch
        if key not in self._fetches:
            self._fetches[key] = self._fetch_from(self._portions(node), node)
        return self._fetches[key]

    def _fetch_from(self, portions: list[Portion], node: Node) -> Flow:
        """Return the flow from some servers; the segments lie apart, so that the drives seek for a lone fetch, too.

        It stands for several fetches at a time, each of which has the share of one stream on the drive it reads from.
        """
        reads: list[Use] = []
        transfers: list[Use] = []
        for source, share, sent, devices in portions:
            part = share * (1 - self._cached(source)) / len(devices)
            if part > 0:
                reads += [use for d in devices for use in d.read(self._access, part, segment=self._segment)]
            transfers += self._layout.transfer(source, node, sent)
        rate = min((use.resource.capacity[-1] / use.cost for use in reads), default=math.inf)
        drives = self._drives
        weight = min(self._framework.parallel_copies, drives) / max(1 - self._cached(node), 1 / drives)
        return Flow((*reads, *transfers), rate, "one fetch", weight=weight)

    def _portions(self, node: Node) -> list[Portion]:
        """Return from where a reduce on `node` fetches: from the servers and drives that are up."""
        portions = self._healthy_portions(node)
        if not self._outage.epoch:
            return portions
        up = [(source, share, sent, self._up(source, devices)) for source, share, sent, devices in portions]
        total = sum(share for _, share, _, devices in up if devices)
        return [(source, share / total, sent / total, devices) for source, share, sent, devices in up if devices]

    def _up(self, node: Node, devices: tuple[Device, ...]) -> tuple[Device, ...]:
        return tuple(device for device in devices if self._outage.takes_writes(node, device))

    def _healthy_portions(self, node: Node) -> list[Portion]:
        """Return from which servers, to which part and from which of their drives a reduce on `node` fetches.

        An equal part from each; on large clusters from some others at even distances, as many as make every drive of
        every server serve the same bytes. They stand in for the node itself, whose part does not cross the network.
        """
        count, place = len(self._nodes), self._framework.local_dirs
        drives = len(node.devices(place))
        fan_in = drives * math.ceil(LEAST_FAN_IN / drives)
        if count <= max(FULL_FAN_IN, fan_in):
            return [(source, 1 / count, 1 / count, source.devices(place)) for source in self._nodes]
        meeting = count * self._racks
        stride = next(n for n in range(count // fan_in, count) if math.gcd(n, meeting) == 1)  # meets all racks
        portions: list[Portion] = []
        for turn in range(fan_in):
            source = self._nodes[(node.index - self._first + (turn + 1) * stride) % count]
            device = source.devices(place)[(turn + source.index) % drives]
            portions.append((source, 1 / fan_in, (1 - 1 / count) / fan_in, (device,)))
        return portions

    def _output(self, task: int, index: int) -> int:
        return self._local(self._layout.nodes[index], task).resource.index

    def _local(self, node: Node, task: int) -> Device:
        devices = self._outage.up(node, node.devices(self._framework.local_dirs))
        return devices[task // len(self._nodes) % len(devices)]


def plan(job: MapReduce, ground: Ground) -> Plan:
    """Return the maps and reduces."""
    layout, framework, client, outage = ground.layout, job.framework, ground.client, ground.outage
    servers = len(layout.groups[framework.servers])
    taken = framework.heap + framework.containers * buffered_memory(job, client, servers)
    given = local(layout, lambda node: taken if node.group == framework.servers else 0.0, framework.containers, servers)
    files = ground.mounted(given, ground.chance(1), object_size=job.object_size)
    tasks = MapReducePlan(job, layout, files, given.pool, ground.chance(2), outage)
    return Plan(layout, tasks.job(), tasks.metrics())


def buffered_memory(job: MapReduce, client: Client | None, servers: int) -> float:
    """Return the bytes of memory beside the heap in which parts of a task's file wait for upload."""
    if not isinstance(client, S3aClient) or client.fs.s3a.fast.upload.buffer != "bytebuffer":
        return 0.0
    return client.fs.s3a.buffered(job.file_size_through(client, servers))
