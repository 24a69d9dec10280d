"""What the tasks of a MapReduce job do on a layout: the plans that the simulator executes.

Map output that a failed server or drive took along is made again by the maps that had ended there, once YARN gives the
server up; a reduce that was fetching then goes on with what was left, from the servers that are up. Not covered: fetch
failures that tell of the loss before YARN does, and outputs that a reduce holds already.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence as Series
from functools import cached_property, partial
from itertools import zip_longest

from models.handout import wishes
from models.hardware.cluster import Device, Layout, Node
from models.hardware.drive import Access
from models.jobs.executors import kept
from models.jobs.last_wave import last_waves
from models.jobs.mapreduce import MapReduce
from models.jobs.mapreduce_merge import merged_again
from models.jobs.mapreduce_parts import Part, moved, part, shares, unequal
from models.jobs.mapreduce_shuffle import Shuffle
from models.jobs.mapreduce_splits import Splits
from models.jobs.mapreduce_start import Starts, master_of, slots_of
from models.jobs.scheduler import Policy
from models.outage import Outage
from models.plan import Ground, Plan, by_node, local
from models.storage.clients.mount import Mount, MountPoint, Page
from models.storage.flow import Flow, compute, spread
from models.storage.placement import mix
from models.work import Account, Await, Delay, Job, Metric, Moment, Parallel, Repeat, Sequence, Stage, Step, Work


class MapReducePlan:
    """A MapReduce job on a layout and a storage system, of which parts are down as `outage` tells."""

    def __init__(
        self,
        job: MapReduce,
        layout: Layout,
        files: Mount,
        page: Page,
        salt: int,
        outage: Outage | None = None,
    ) -> None:
        self._nodes = layout.groups[job.framework.servers]
        self._containers = [job.framework_on(node.server).containers for node in self._nodes]
        self._master = master_of(job, layout)
        self._slots = slots_of(job, layout, self._master)
        job = job.on(self._nodes[0].server)
        self._job, self._files, self._page, self._salt = job, files, page, salt
        self._framework, self._layout, self._outage = job.framework, layout, outage or Outage()
        self._splits = Splits(job, files, layout.alike)
        self.maps = self._splits.maps
        self._servers, running = layout.whole_of(len(self._nodes)), layout.whole_of(sum(self._slots[1]))
        self.reduces = job.reduce_tasks(running, self.maps)
        self._tasks = layout.part(self.maps), layout.part(self.reduces)
        mixed = self.reduces > 0 and files.shares(job.framework.servers, job.framework.local_dirs)
        self._access: Access = "mixed" if mixed else "buffered"
        self._own: dict[tuple[int, float, float], Flow] = {}
        self._no_work = Flow()
        self._spills: dict[Device, tuple[Step, ...]] = {}
        self._merges: dict[tuple[int, int, int, float, float], tuple[Series[Device], Series[Step], Flow]] = {}
        self._parts: dict[float, Part] = {}
        self._backs: dict[tuple[Device, ...], Flow] = {}
        self._reducings: dict[tuple[Flow, float, tuple[Device, ...]], Flow] = {}
        self._awaits: dict[str, Await] = {}
        self._processes: dict[int, int] = {}
        self._starting = Starts(job, self._nodes, self._slots, self._tasks, salt, self._servers)
        self._shuffle = Shuffle(
            job, layout, self._access, files=self.maps, reduces=(self.reduces, running), page=page, outage=self._outage
        )
        self._splits.hold(self._tasks[0], "mixed" if mixed else "direct")

    def job(self, policy: Policy = "capacity") -> Job:
        """Return the job with its stages and the slots of every node, which a policy hands out."""
        framework = self._framework
        return Job(
            name="mapreduce",
            stages=self._stages(),
            slots=by_node(self._layout, self._nodes, self._containers),
            racks=[node.rack for node in self._layout.nodes],
            setup=Delay(framework.job_start),
            commit=self._files.commit(self._outputs, self._job.output_bytes, self._nodes[0]),
            expiry=framework.node_expiry,
            handout=framework.handout(self._servers, policy),
            master=self._master,
            keeps=kept(framework.executor_idle, has_executors=self._job.keeps_processes),
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

    def notes(self, account: Account) -> tuple[str, ...]:
        """Return in words where a few tasks make a wave of their own, or a large one, which can be spared."""
        maps, reduces = (self._layout.whole_of(sum(slots)) for slots in self._slots)
        waves = last_waves((("maps", self.maps, maps), ("reduces", self.reduces, reduces)))
        waves += self._starting.crowded(self._layout.whole_of)
        sizes = self.reduces, reduces, self._job.keys(self.reduces, self.maps)
        more = moved(*sizes) if self._layout.alike > 1 else ""
        return (*waves, *filter(None, (unequal(*sizes), more, self._job.parted_as_read(self.reduces))))

    @property
    def _outputs(self) -> int:
        """Files that the job writes."""
        return self.reduces or self.maps

    def _stages(self) -> list[Stage]:
        copies = self._framework.speculated
        maps, reduces = (
            None if most is None else by_node(self._layout, self._nodes, slots)
            for most, slots in zip(self._framework.at_once, self._slots, strict=True)
        )
        mapping = partial(Stage, tasks=self._tasks[0], stands_for=self.maps, speculation=copies, at_once=maps)
        samples = self._job.reads_to_sample and self.reduces > 1
        if self._job.generated:
            return [mapping("generate", plan=self._generate)]
        preferred = self._splits.preferred()
        reading = partial(mapping, preferred=preferred, wishes=wishes(preferred, self._servers))
        if not self.reduces:
            return [reading("map", plan=self._map_only)]
        return [
            *([reading("sample", plan=self._sample)] if samples else []),
            reading("map", plan=self._map, output=self._output, after="sample" if samples else None),
            Stage(
                "reduce",
                self._tasks[1],
                self._reduce,
                stands_for=self.reduces,
                after="map",
                slowstart=self._framework.slowstart,
                inputs=("map",),
                ramp=self._framework.ramp,
                speculation=copies,
                at_once=reduces,
            ),
        ]

    def _generate(self, task: int, index: int, moment: Moment) -> Step:
        node, job = self._layout.nodes[index], self._job
        own = self._compute(node, job.map_cpu(0), self._starting.times(task, 0))
        write = self._files.write(task, node, job.generated / self.maps, own, "buffered", job.output_replication)
        return Sequence((*self._starting.steps(task, 0, node), write))

    def _read(self, flow: Flow, task: int, node: Node) -> Step:
        """Return the step of a map that reads its split while it computes."""
        own = self._compute(node, self._job.map_cpu(self._passes), self._starting.times(task, 0))
        return self._splits.read(flow, task, node, own)

    def _sample(self, task: int, index: int, moment: Moment) -> Step:
        node = self._layout.nodes[index]
        own = self._compute(node, self._job.sample_cpu, self._starting.times(task, 0))
        read = self._splits.read(self._splits.flow(task, node), task, node, own)
        return Sequence((*self._starting.steps(task, 0, node), read))

    def _map_only(self, task: int, index: int, moment: Moment) -> Step:
        node, job = self._layout.nodes[index], self._job
        amount = job.input / self.maps * job.map_output
        read = self._read(self._splits.flow(task, node), task, node)
        write = self._files.write(task, node, amount, self._no_work, self._access, job.output_replication)
        return Sequence((*self._starting.steps(task, 0, node), read, write))

    def _map(self, task: int, index: int, moment: Moment) -> Step:
        node = self._layout.nodes[index]
        device, flow = self._local(node, task), self._splits.flow(task, node)
        key = device, self._starting.times(task, 0)
        step = flow.made.get(key) if self._splits.blocks == 1 else None
        if step is None:
            step = flow.made[key] = Sequence((self._read(flow, task, node), *self._spilled(device, node)))
        return Sequence((*self._starting.steps(task, 0, node), step))

    def _spilled(self, device: Device, node: Node) -> tuple[Step, ...]:
        """Return the steps that write a map's sorted output to a drive, made once for all that are alike."""
        steps = self._spills.get(device)
        if steps is None:
            steps = self._spills[device] = self._spill(device, node, self._job.input / self.maps * self._job.packed)
        return steps

    def _spill(self, device: Device, node: Node, amount: float) -> tuple[Step, ...]:
        """Return the steps that write sorted output: one spill, or several that are merged."""
        page, again = self._page(node), self._merged_again * amount
        write = page.write(device, amount, self._access)
        if self._spill_count <= 1:
            return (write,)
        back = self._read_back(node, [device], again, self.maps)
        passes = (back, page.write(device, again, self._access)) if again else ()
        return (write, *passes, self._read_back(node, [device], amount, self.maps), write)

    def _read_back(self, node: Node, devices: Series[Device], amount: float, tasks: int, share: float = 1.0) -> Step:
        """Return the step in which one of so many tasks reads what it wrote, but for what the page cache holds.

        It is `share` times what each of them wrote in the mean.
        """
        missing = self._missing(node, amount / share, tasks)
        if missing <= 0 or not devices:
            return Delay(0.0)
        if len(devices) == 1:
            return Work(amount * missing, devices[0].read_demand(self._access))
        return Work(amount * missing, self._back(devices).demand)

    def _missing(self, node: Node, amount: float, tasks: int) -> float:
        """Return the part of what each of so many tasks wrote that the page cache no longer holds.

        In between the tasks of its server wrote as much each.
        """
        tasks = min(self._framework.containers, math.ceil(tasks / len(self._nodes) / self._layout.alike))
        return 1 - self._page(node).kept(amount * tasks)

    def _back(self, devices: Series[Device]) -> Flow:
        """Return the flow of a task that reads files, each from its own drive, made once."""
        key = tuple(devices)
        flow = self._backs.get(key)
        if flow is None:
            ways = [Flow(tuple(d.read(self._access)), d.read_rate(), "one drive stream") for d in devices]
            flow = self._backs[key] = spread(ways)
        return flow

    def _reduce(self, task: int, index: int, moment: Moment) -> Step:
        node, part = self._layout.nodes[index], self._part(task)
        devices, passes, own = self._merging(node, part, self._starting.times(task, 1))
        behind = len(part.merge.behind)
        gathered = self._gathered(self._gather(node, part, devices, passes[:behind], moment), moment)
        write = self._files.write(task, node, part.written, own, self._access, self._job.output_replication)
        return Sequence((*self._starting.steps(task, 1, node), gathered, *passes[behind:], write))

    def _gathered(self, gathering: Iterator[Step], moment: Moment) -> Step:
        """Return the step of what a reduce gathers."""
        has_all = moment.finished("map") == 1
        return Sequence(tuple(gathering)) if has_all else Repeat(partial(self._next, gathering, moment))

    def _gather(
        self, node: Node, part: Part, devices: Series[Device], behind: Series[Step], moment: Moment
    ) -> Iterator[Step]:
        """Yield the steps in which a reduce fetches all, and merges files behind what it fetches in the meantime."""
        files = list(zip_longest((*part.merge.files, part.merge.kept), devices[: len(part.merge.files)]))
        begins = [count for count, _ in part.merge.behind]
        for first, end, merge in zip([0, *begins], [*begins, len(files)], [None, *behind], strict=True):
            fetching = self._fetch(node, part.fetched, files[first:end], sum(size for size, _ in files[:first]), moment)
            if merge is None:
                yield from fetching
            else:
                yield Parallel((merge, self._gathered(fetching, moment)))

    def _fetch(
        self, node: Node, amount: float, files: Series[tuple[float, Device | None]], fetched: float, moment: Moment
    ) -> Iterator[Step]:
        """Yield the steps in which a reduce fetches what has ended of the maps, and writes files when memory is full.

        It has `amount` bytes of all maps, and so many already. Each step is planned when its turn comes; a fetch that
        has all there is waits for the next maps.
        """
        least, packed = 1e-9 * amount, self._job.packing
        for size, device in files:
            left = size
            while left > least:
                there = moment.finished("map") * amount - fetched
                if there <= least:
                    yield self._await(moment.milestone("map", fetched / amount))
                    continue
                now = min(there, left)
                yield self._shuffle.fetched(node, now * packed, moment)
                fetched, left = fetched + now, left - now
            if device is not None:
                yield self._page(node).write(device, size * packed, self._access)

    def _next(self, gathering: Iterator[Step], moment: Moment) -> Step | None:
        """Return the next step of what a reduce gathers; once all maps have ended for good, all that is left of it."""
        if moment.finished("map") < 1 or self._outage.may_fail:
            return next(gathering, None)
        rest = tuple(gathering)
        return Sequence(rest) if rest else None

    def _merged(self, node: Node, part: Part, devices: Series[Device], times: float) -> Iterator[Step]:
        """Yield the merges of a reduce's files into others, behind its fetches and after them: each reads and writes.

        All read evenly from the drives of its files; what each makes goes to the next drive. Who writes nothing reads
        its files in a step of its own.
        """
        merge, packed, files = part.merge, self._job.packing, len(part.merge.files)
        for size, device in zip((*(size for _, size in merge.behind), *merge.passes), devices[files:], strict=True):
            back = self._read_back(node, devices[:files], size * packed, self.reduces, part.share)
            writes = self._page(node).write(device, size * packed, self._access)
            yield Parallel((back, writes, compute(node, self._job.remerge_cpu, times).move(size)))
        if not part.written:
            yield self._read_back(node, devices[:files], (part.fetched - merge.kept) * packed, self.reduces, part.share)

    def _reducing(self, node: Node, part: Part, devices: Series[Device], times: float) -> Flow:
        """Return what a reduce uses for a byte of its file: it merges its files as it computes, and writes none again.

        Source: Apache Hadoop, MergeManagerImpl.finalMerge and Merger.MergeQueue: the last merge hands out its records
        one by one, and files are read ahead (mapreduce.ifile.readahead).
        """
        own = self._compute(node, part.cpu, times)
        if not devices or not part.written:
            return own
        back = part.back * self._job.packing
        missing = self._missing(node, back * self._job.output_bytes / self.reduces, self.reduces)
        if missing <= 0:
            return own
        key = own, missing * back, tuple(devices)
        flow = self._reducings.get(key)
        if flow is None:
            flow = self._reducings[key] = self._back(devices).scaled(missing * back).joined(own)
        return flow

    def _await(self, milestone: str) -> Await:
        if milestone not in self._awaits:
            self._awaits[milestone] = Await(milestone)
        return self._awaits[milestone]

    def _compute(self, node: Node, cost: float, times: float) -> Flow:
        key = node.index, cost, times
        if key not in self._own:
            self._own[key] = compute(node, cost, times)
        return self._own[key]

    @cached_property
    def _spill_count(self) -> int:
        """Spills of a map."""
        return self._job.spills(self._job.input / self.maps * self._job.map_output, self.reduces)

    @cached_property
    def _merged_again(self) -> float:
        """The part of a map's output that is merged once more before its last merge."""
        spills = max(self._spill_count, 1)
        return merged_again(spills, self._framework.sort_factor) / spills

    @cached_property
    def _passes(self) -> int:
        """Passes in which a map merges its spills; none where one spill holds all."""
        return math.ceil(1 + self._merged_again - 1e-9) if self._spill_count > 1 and self.reduces else 0

    @cached_property
    def _shares(self) -> Series[float]:
        """What each reduce takes in, over the mean."""
        return shares(self._tasks[1], self.reduces, self._job.keys(self.reduces, self.maps), self._salt)

    def _part(self, task: int) -> Part:
        """Return what a reduce does, made once for all that take in as much."""
        share = self._shares[task]
        if share not in self._parts:
            self._parts[share] = part(self._job, self.maps, self.reduces, share)
        return self._parts[share]

    def _output(self, task: int, index: int) -> int:
        return self._local(self._layout.nodes[index], task).resource.index

    def _local(self, node: Node, task: int) -> Device:
        """Return the drive that holds the output of a map: those that a server runs are dealt to its drives in turn."""
        devices = self._outage.up(node, node.devices(self._framework.local_dirs))
        return devices[task // len(self._nodes) % len(devices)]

    def _merging(self, node: Node, part: Part, times: float) -> tuple[Series[Device], Series[Step], Flow]:
        """Return the drives of the files of the next reduce on a server, the passes over them, and its last merge.

        They take turns from one that is drawn: each process begins at a directory by chance. Source: Apache Hadoop,
        LocalDirAllocator.
        """
        devices = self._outage.up(node, node.devices(self._framework.local_dirs))
        process = self._processes[node.index] = self._processes.get(node.index, 0) + 1
        first = mix(self._salt, node.index, process) % len(devices)
        key = self._outage.epoch, node.index, first, part.share, times
        merging = self._merges.get(key)
        if merging is None:
            files = len(part.merge.files)
            made = len(part.merge.behind) + len(part.merge.passes)
            chosen = [devices[(first + file) % len(devices)] for file in range(files + made)]
            passes = tuple(self._merged(node, part, chosen, times))
            merging = self._merges[key] = chosen, passes, self._reducing(node, part, chosen[:files], times)
        return merging


def plan(job: MapReduce, ground: Ground) -> Plan:
    """Return the maps and reduces."""
    layout, client, outage = ground.layout, ground.client, ground.outage
    nodes = layout.groups[job.framework.servers]
    here = job.on(nodes[0].server)
    frameworks = {node.index: job.framework_on(node.server) for node in nodes}
    buffered = here.buffered(client, layout.whole_of(len(nodes)))

    def held(node: Node) -> float:
        on = frameworks.get(node.index)
        return on.heap + on.containers * buffered if on is not None else 0.0

    given = local(layout, held, here.framework.containers, len(nodes))
    size, least = job.object_size, job.split_minsize
    point = MountPoint(layout, ground.chance(1), given, object_size=size, least_split=least, wishes=job.wishes)
    tasks = MapReducePlan(job, layout, ground.mounted(point), given.page, ground.chance(2), outage)
    return Plan(layout, tasks.job(ground.policy), tasks.metrics(), notes=tasks.notes)
