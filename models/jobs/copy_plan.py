"""What the tasks of a copy do on a layout: read from the origin, write to the target, streamed or through a place."""

from __future__ import annotations

import math
from collections.abc import Sequence as Series
from functools import partial
from typing import TYPE_CHECKING

from models.handout import Master
from models.hardware.cluster import Device, Layout, Node
from models.jobs.copy import Copy, Staging, Tool
from models.jobs.copy_sample import blocks_of, sample
from models.jobs.last_wave import last_waves
from models.jobs.starts import starts
from models.outage import Outage
from models.plan import Ground, Plan, by_node, local
from models.problem import refusal
from models.storage.clients.mount import Mount, MountPoint, Page
from models.storage.clients.reading import Wishes
from models.storage.flow import Flow, compute, spread
from models.storage.placement import mixed
from models.work import Account, Delay, Job, Metric, Moment, Parallel, Repeat, Sequence, Stage, Step, Use

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

PIECE = 134_217_728.0
"""Bytes of a download that are handed to the page cache at a time. Assumption: detail of the model only."""
FILLING = 4.0
"""Times what page caches may hold dirty that a sample copies at least, so that it fills empty ones by its last third.
Assumption: three replicas, of which drives drain four fifths meanwhile."""
MOST_HELD = 0.02
"""Part of a copy that page caches may hold whose sample is told by its last third, without the time in which they fill.
Assumption: one that moves it by less than tasks that begin at once do."""
SETTLED = 2 / 3
"""Part of the time in which all slots have work after which tasks no longer keep step. Assumption."""
MOST_PIECES = 16
"""Places at which the blocks of a file are read at most, which stand for all. Assumption: detail of the model only."""


class CopyPlan:
    """A copy on a layout, from one storage system to another."""

    def __init__(
        self,
        job: Copy,
        layout: Layout,
        origin: Mount,
        target: Mount,
        page: Page,
        outage: Outage | None = None,
        salt: int = 0,
    ) -> None:
        self._whole, self._layout, self._page, self._name = job, layout, page, layout.job()
        if layout.alike > 1:
            job = job.divided(layout.part(job.files))
        self._job = job
        self._origin, self._target = origin, target
        self._outage = outage or Outage()
        self._nodes = [node for group in job.tool.servers for node in layout.groups[group]]
        self._size = job.size / job.files
        is_cut = job.origin.interface == "files"
        self._pieces = min(blocks_of(self._size, origin.streamed(self._size)), MOST_PIECES) if is_cut else 1
        origin.hold(job.files * self._pieces, self._size / self._pieces)
        blocks = blocks_of(self._size, target.split_size)
        self._places = by_node(layout, self._nodes, [job.tool.processes] * len(self._nodes))
        self._master = master_of(job.tool, layout, self._places)
        self._slots = sum(self._places if self._master is None else self._master.beside(self._places))
        self._sample = sample(job, self._slots, blocks)
        self._written = self._size * self._sample.part
        self._dirty = sum(node.server.memory.dirty_share * node.server.memory.size for node in layout.nodes)
        is_small = job.size / self._sample.scale < FILLING * self._dirty
        without_room = 1 - 1 / self._sample.scale  # a sample finds as much less of it as it is smaller
        layout.caches_hold = without_room if is_small else 0.0
        tool, tasks = job.tool, len(self._sample.shares)
        self._begun = starts(tool.process_start, min(tool.process_spread, tool.process_start), mixed(salt, tasks, 0))
        self._way = self._limits()
        self._calls = self._names()
        self._fetched: dict[Flow, Flow] = {}
        self._owns: dict[Flow, Flow] = {}
        self._downloads: dict[tuple[Device, Flow], Step] = {}
        self._uploads: dict[Device, Flow] = {}

    @property
    def scale(self) -> float:
        """How many times as much as what is simulated the copy moves."""
        return self._sample.scale

    @property
    def tail(self) -> float | None:
        """The power of the scale by which time is lost at the end, where tasks end at a time but for chance.

        From a queue the last files are as late in any copy. Where all slots have as many files, the chances of these
        add up by the root of their number. Of shares that do not fill the slots, or lie on servers of several kinds,
        the last ones are truly later, which grows with all else: None.
        """
        tool, shares = self._job.tool, self._sample.shares
        if tool.deal == "queue":
            return 0.0
        slots = self._slots
        is_alike = len({(node.group, node.batch) for node in self._nodes}) == 1
        whole = sum(len(share) == len(shares[0]) for share in shares)
        return 0.5 if is_alike and whole % slots == 0 and len(shares) - whole <= 1 else None

    @property
    def settles(self) -> float:
        """The part of the time in which all slots have work that passes before the sample goes as the rest does.

        Where page caches take much of the copy they fill for as large a part of the sample.
        """
        fills = self._layout.caches_hold > 0 and self._dirty > MOST_HELD * self._job.size
        return 0.0 if fills else SETTLED

    def job(self) -> Job:
        """Return the job: one stage of tasks on the slots of the tool's servers."""
        shares = self._sample.shares
        stands_for = self._whole.files if self._job.tool.deal == "queue" else self._layout.whole_of(len(shares))
        stage = Stage("copy", len(shares), self._task, self._near(shares), stands_for=stands_for)
        racks = [node.rack for node in self._layout.nodes]
        tool = self._job.tool
        setup, expiry = Delay(tool.job_start), tool.node_expiry
        return Job("copy", [stage], self._places, racks, setup=setup, expiry=expiry, master=self._master)

    def metrics(self) -> dict[str, Metric]:
        """Return the bytes of the files over the time of the copy."""
        return {"throughput": Metric("B/s", lambda account: self._whole.size / account.duration)}

    def notes(self, account: Account) -> tuple[str, ...]:
        """Return in words where a few tasks make a wave of their own, and what was simulated, if less than the copy."""
        shares = 0 if self._job.tool.deal == "queue" else len(self._sample.shares)
        whole = self._layout.whole_of
        waves = tuple(last_waves([("tasks", whole(shares), whole(self._slots))]))
        if self._sample.scale == 1:
            return waves
        part = "" if self._sample.part == 1 else f", {self._sample.part:.2%} of each,"
        files = f"{self._layout.whole_of(self._sample.files):,} of {self._whole.files:,} files{part}"
        told = f"not exact: {files} were simulated and stand for the rest; workload.sample says how many"
        return (*waves, told)

    def _near(self, shares: Series[Series[int]]) -> NDArray[np.int32] | None:
        """Return the server that has the first file of each task, where a tool is to run there; -1 without files."""
        held = self._origin.preferred(self._job.files) if self._job.origin.is_local else None
        if held is None:
            return None
        import numpy as np  # keeps numpy out of commands that only read profiles

        nowhere = np.full(held.shape[1], -1)
        return np.array([held[share[0]] if share else nowhere for share in shares], np.int32)

    def _task(self, task: int, index: int, moment: Moment) -> Step:
        """Return the step of one process: it starts, and its threads take its files in order."""
        tool, node, files = self._job.tool, self._layout.nodes[index], self._sample.shares[task]
        if tool.staging is not None:
            return Sequence([self._staged(file, task, node, tool.staging) for file in files])
        copies = [self._streamed(file, node) for file in files]
        if tool.threads == 1:
            return Sequence((self._start(task, node), *copies))
        turns = iter(copies)  # whichever thread is free takes the next
        threads = [Repeat(partial(next, turns, None)) for _ in range(tool.threads)]
        return Sequence((self._start(task, node), Parallel(threads)))

    def _start(self, task: int, node: Node) -> Step:
        tool, part = self._job.tool, self._sample.start
        start = Delay(self._begun[task] * part, "process starts")
        return Sequence((start, compute(node, 1.0).move(tool.start_cpu * part)))

    def _wait(self) -> Step:
        """Return the wait for the first byte of a file."""
        line = self._job.line
        return Delay((self._origin.wait + (line.round_trip if line else 0.0)) * self._sample.part)

    def _names(self) -> tuple[Step, ...]:
        """Return what a process asks of the names of a file: it is found and opened, created, and perhaps renamed."""
        tool, renames = self._job.tool, not self._job.tool.direct
        origin, target = (tool.checksums and mount.keeps_checksums for mount in (self._origin, self._target))
        opened = self._origin.names(1 + tool.origin_lookups + origin, 0, None)
        lookups = tool.target_lookups + target + renames * tool.rename_lookups
        created = self._target.names(lookups, tool.target_changes + renames, self._written)
        return tuple(step for step in (opened, created) if step is not None)

    def _limits(self) -> Flow:
        """Return what a byte passes between the sites, and the most that a thread moves."""
        tool, line = self._job.tool, self._job.line
        own = Flow((), tool.bandwidth / tool.threads, "the tool's bandwidth")
        if line is None:
            return own
        carrier = self._layout.once(f"{self._name}/line", "line", "line between the sites", "B", line.rate)
        return own.joined(Flow((Use(carrier, 1.0, 1.0),), line.stream_rate, "a window a round trip"))

    def _streamed(self, file: int, node: Node) -> Step:
        """Return the step of one thread that reads and writes at the pace of the slower."""
        own = self._own(self._read(file, node), node)
        return Sequence((*self._calls, self._wait(), self._write(file, node, own)))

    def _write(self, file: int, node: Node, own: Flow) -> Step:
        return self._target.create(file, node, self._written, own, is_renamed=not self._job.tool.direct)

    def _read(self, file: int, node: Node) -> Flow:
        flow = self._fetch(file, node)
        if not self._way.uses and self._way.max_rate == math.inf:
            return flow
        if flow not in self._fetched:
            self._fetched[flow] = flow.joined(self._way)
        return self._fetched[flow]

    def _fetch(self, file: int, node: Node) -> Flow:
        """Return the flow of a file: piece after piece, wherever these lie."""
        pieces = range(file * self._pieces, (file + 1) * self._pieces)
        many, size = self._job.files * self._pieces, self._size / self._pieces
        flows = [self._origin.fetch(piece, many, node, size) for piece in pieces]
        return flows[0] if len(flows) == 1 else spread(flows, lambda: self._fetch(file, node))

    def _own(self, flow: Flow, node: Node) -> Flow:
        """Return what a byte of a flow costs its writer besides, made once for a flow."""
        own = self._owns.get(flow)
        if own is None:
            own = self._owns[flow] = flow.joined(self._checksums(node))
        return own

    def _staged(self, file: int, task: int, node: Node, staging: Staging) -> Step:
        devices = self._outage.up(node, node.devices(staging.place))
        device = devices[file % len(devices)]
        upload = [*self._calls, self._upload(file, node, device)] if staging.uploads else []
        start = Delay(staging.start * self._sample.part, "process starts")
        return Sequence((start, self._download(file, node, device), self._start(task, node), *upload))

    def _download(self, file: int, node: Node, device: Device) -> Step:
        """Return the step of a download through the page cache; the device takes it behind, as if never removed."""
        flow = self._read(file, node)
        step = self._downloads.get((device, flow))
        if step is None:
            pieces = blocks_of(self._written, PIECE)
            cache = self._page(node).write(device, self._written / pieces)
            moves = [flow.move(self._written / pieces), cache] * pieces
            step = self._downloads[device, flow] = Sequence((self._wait(), *moves))
        return step

    def _upload(self, file: int, node: Node, device: Device) -> Step:
        """Return the step of an upload; the part of the file that memory does not hold is read back."""
        own = self._uploads.get(device)
        if own is None:
            missing = 1 - self._page(node).kept(self._size * self._job.tool.processes)
            back = Flow(tuple(device.read("buffered")), device.read_rate(), "reading back the download").scaled(missing)
            own = self._uploads[device] = back.joined(self._checksums(node))
        return self._write(file, node, own)

    def _checksums(self, node: Node) -> Flow:
        """Return what a byte costs the writer: as much as each server that it passes."""
        return compute(node, self._target.write_cpu)


def master_of(tool: Tool, layout: Layout, places: Series[int]) -> Master | None:
    """Return the container of the application master of a tool, None where there is none.

    It takes a whole server at most, and where servers stand for others it is one of so many that it is left out.

    Raises:
        RefusalError: it leaves no place to processes.
    """
    if layout.alike > 1 or not tool.master_places:
        return None
    taken = min(tool.master_places / tool.processes, 1.0)
    master = Master([taken if many else 0.0 for many in places], taken, 1 / tool.processes)
    if not any(master.beside(places)):
        way_out = "state more, another server, or master_places = 0 if there is room beside them"
        text = "the application master takes all places of its one server: no process would run"
        raise refusal("workload.tool.processes", text, way_out, value=tool.processes)
    return master


def plan(job: Copy, ground: Ground) -> Plan:
    """Return the copy of a sample of the files, of all files where something may fail: that happens at its time."""
    layout, tool = ground.layout, job.tool
    servers = [node for group in tool.servers for node in layout.groups[group]]
    given = local(layout, lambda node: tool.heap if node in servers else 0.0, tool.processes, len(servers))
    there = MountPoint(layout, ground.salt, given, write_window=tool.write_window)
    here = MountPoint(layout, ground.chance(1), given, wishes=Wishes(declared="sequential"))
    target = ground.mounted(there, is_throttled=False)
    origin = ground.mounted(here, storage=job.origin)
    copied = job.whole() if ground.outage.may_fail else job
    files = CopyPlan(copied, layout, origin, target, given.page, ground.outage, ground.chance(2))
    return Plan(
        layout,
        files.job(),
        files.metrics(),
        notes=files.notes,
        scale=files.scale,
        tail=files.tail,
        settles=files.settles,
    )
