"""What a parallel file system does on a layout: reads and writes between clients and the targets of its servers.

The stripes of a range, or of a file, lie on targets one after the other, each on the next server. A RAID group that has
lost drives computes what is missing from all that are left; of one that has lost too many, nothing is read.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence as Series
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

from models.columns import columns
from models.hardware.cluster import Device, Layout, Node
from models.hardware.drive import Access
from models.hardware.page_cache import PageCache
from models.outage import Outage
from models.storage.flow import Flow, averaged, compute, rerouted
from models.storage.parallel_fs.system import ParallelFs
from models.storage.placement import mix
from models.work import Demand, Resource, Step, Use, Work

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Way = Literal["read", "write"]
Place = tuple[int, int]
"""Where a file begins: a server and a target of it; or a target of all in order, and a number that draws the others."""
ANYWHERE = 1 << 64
"""Places that are told apart: all hashes."""
DRAWS = 64
"""Places that are looked at for a new file where targets are lost. Assumption: enough to find one, if some are left."""
VARIANTS = 8
"""Ways in which the other targets of a file are drawn where it begins: few, as each is a flow of its own. Assumption:
more even nothing out, as files begin anywhere."""
WRITTEN = 1
"""What tells the place of a file that a task writes from that of a split of the same number."""


@dataclass(slots=True, eq=False)
class TargetDrives:
    """A target: the drives of a RAID group on their server; of a declustered one all drives of the array."""

    server: Node
    drives: tuple[Device, ...]


class ParallelFsStore:
    """A parallel file system on the servers of a layout, in which so many bytes of a job are `held`."""

    write_cpu = 0.0

    def __init__(self, spec: ParallelFs, layout: Layout, salt: int, outage: Outage | None = None) -> None:
        self.spec = spec
        self.outage = outage or Outage()
        self._layout, self._salt = layout, salt
        self._nodes = layout.groups[spec.servers]
        self.targets = [self._formed(node) for node in self._nodes]
        self._ring = [target for held in self.targets for target in held]
        self._count = len(self._ring)
        self.held = 0.0
        self._averages: dict[tuple[int, int], Flow] = {}
        self._flows: dict[tuple[Way, int, int, int, int, Access], Flow] = {}
        limits = (("file-server", "file server process", self._nodes, spec.process_bandwidth),)
        clients = (("file-client", "file client process", layout.nodes, spec.client_bandwidth),)
        self._processes = {
            (name, node.index): layout.of(node, name, "process", f"{node.group}/{words}", "B", rate)
            for name, words, nodes, rate in limits + clients
            if not math.isinf(rate)
            for node in nodes
        }
        self._metadata = self._metadata_servers()

    @property
    def split_size(self) -> float:
        """Bytes of one input split."""
        return self.spec.split_size

    def preferred(self, splits: int) -> NDArray[np.int32] | None:
        """Return None: files are equally far from all clients."""
        return None

    def places(self, data: float) -> int:
        """Return the number of places at which `data` bytes lie: any place has a drive of its own by chance."""
        return ANYWHERE

    def hold(self, splits: int, size: float) -> None:
        """Take account of an input of `splits` splits of `size` bytes, which lie evenly on all targets."""
        self.held += splits * size

    def streamed(self, size: float) -> float:
        """Return `size` (B): a file lies on its targets from its first to its last byte."""
        return size

    def read(self, split: int, splits: int, node: Node, access: Access, file: float | None = None) -> Flow:
        """Return the flow of a client on `node` that reads a split; of `ANYWHERE` places, that reads in an open file.

        A `file` of so many bytes (B) lies where a new one of its number is written. Of a target that is lost nothing is
        read.
        """
        place = self._place(split) if file is None else self._new(split, file, 0)
        flow = self._flow("read", place, self.spec.split_size if file is None else file, node, "direct")
        return flow if splits >= ANYWHERE else flow.after(self._asked(split, 1))

    def names(self, lookups: int, changes: int, size: float | None) -> None:
        """What is opened or created is a part of what is read and written."""

    def average(self, node: Node) -> Flow:
        """Return the flow of a client on `node` that reads from everywhere."""
        key, again = (node.index, self.outage.epoch), lambda: self.average(node)
        if key not in self._averages:
            flows = [self._made("read", (target,), node, "direct") for target in self._ring]
            mean = averaged(flows, again)
            mean = replace(mean, uses=columns(mean.uses, self._layout.resources))
            self._averages[key] = rerouted(mean, node, self.outage, again)
        return self._averages[key]

    def write(
        self,
        file: int,
        node: Node,
        amount: float,
        own: Flow,
        access: Access,
        page: Callable[[Node], PageCache],
        replication: int | None = None,
    ) -> Step:
        """Return the step of writing a file to its targets while the task spends `own` per byte."""
        self.held += amount
        flow = self._written(file, node, amount)
        return flow.after(self._asked(mix(file, WRITTEN), 2)).step(amount, own)

    def _written(self, file: int, node: Node, amount: float) -> Flow:
        """Return the flow of a new file to targets that are there; nothing is written where too few are."""
        place: Place | None = self._new(file, amount, 0)
        if self.outage.epoch:
            places = (self._new(file, amount, draw) for draw in range(1 + DRAWS))
            place = next((at for at in places if not self._hits_lost(at, amount)), None)
        if place is None:
            self.outage.refused += 1
            return Flow()
        flow = self._flow("write", place, amount, node, "direct")
        return rerouted(flow, node, self.outage, lambda: self._written(file, node, amount))

    def _new(self, file: int, size: float, draw: int) -> Place:
        """Return where a new file begins: the target whose turn it is, or any; with a further `draw`, another one."""
        if self.spec.new_files != "round-robin":
            place = mix(file, WRITTEN)
            return self._place(mix(place, draw - 1) if draw else place)
        turn = mix(self._salt, WRITTEN) % self._count + file * self.spec.stripes(size, self._count) + draw
        start = turn % len(self._nodes)
        return start, turn // len(self._nodes) % len(self.targets[start])

    def _hits_lost(self, place: Place, size: float) -> bool:
        """Tell whether a file that begins at a place would have stripes on targets that are lost."""
        targets = self._striped(*place, self.spec.stripes(size, self._count))
        return any(map(self.is_lost, targets))

    def is_lost(self, target: TargetDrives) -> bool:
        """Tell whether more drives of a RAID group are lost than it can do without, or its server."""
        return target.server.index in self.outage.nodes or self._missing(target) > self.spec.target.parity

    def _missing(self, target: TargetDrives) -> int:
        """Return the drives of a target that hold nothing."""
        return sum(not self.outage.holds_data(target.server, drive) for drive in target.drives)

    def _formed(self, node: Node) -> list[TargetDrives]:
        """Return the targets of a server."""
        drives, target = node.bays[self.spec.bay], self.spec.target
        if target.declustered:
            return [TargetDrives(node, drives) for _ in range(target.groups(len(drives)))]
        size = target.drives
        groups = range(target.groups(len(drives)))
        return [TargetDrives(node, drives[i * size : (i + 1) * size]) for i in groups]

    def _flow(self, way: Way, place: Place, size: float, node: Node, access: Access) -> Flow:
        """Return the flow between a client and the targets of a file from a place on, made once for all alike."""
        count = self.spec.stripes(size, self._count)
        key = (way, *place, count, node.index, access)
        if key not in self._flows or self.outage.epoch:
            self._flows[key] = self._made(way, self._striped(*place, count), node, access)
        flow = self._flows[key]
        return rerouted(flow, node, self.outage, lambda: self._flow(way, place, size, node, access))

    def _place(self, place: int) -> Place:
        """Return the server and the target on it where a place begins."""
        key = mix(self._salt, place)
        if self.spec.new_files == "drawn":
            return key % self._count, (key >> 20) % VARIANTS
        start = key % len(self._nodes)
        return start, (key >> 20) % len(self.targets[start])

    def _striped(self, start: int, first: int, count: int) -> tuple[TargetDrives, ...]:
        """Return the targets of so many stripes: each on the next server, and then on the next target of all.

        Where files are dealt in turn, the next target follows on the last server, as it does from file to file. Where
        they are drawn, all targets are a ring, cut from the first on into a part a stripe, of which each gives one.
        """
        if self.spec.new_files == "drawn":
            return self._drawn(start, first, count)
        targets: list[TargetDrives] = []
        turn, passed = 0, start if self.spec.new_files == "round-robin" else 0
        while len(targets) < count:
            held = self.targets[(start + turn) % len(self._nodes)]
            round_ = turn // len(self._nodes)
            if round_ < len(held):
                targets.append(held[(first + (passed + turn) // len(self._nodes)) % len(held)])
            turn += 1
        return tuple(targets)

    def _drawn(self, start: int, variant: int, count: int) -> tuple[TargetDrives, ...]:
        """Return a target of each of so many parts of all, of which the last has what does not divide."""
        part, targets = self._count // count, list[TargetDrives]()
        for stripe in range(count):
            size = part if stripe < count - 1 else self._count - part * stripe
            drawn = mix(self._salt, variant, stripe) % size  # wherever it begins, so that no target is drawn more often
            targets.append(self._ring[(start + part * stripe + drawn) % self._count])
        return tuple(targets)

    def _made(self, way: Way, targets: Series[TargetDrives], node: Node, access: Access) -> Flow:
        """Return the flow of a client that has an equal part of its bytes on each of some targets."""
        share, uses, stream = 1 / len(targets), list[Use](), self.spec.stream
        rate, link = math.inf, math.inf
        reads = way == "read"
        served = stream.served_read_cpu if reads else stream.served_write_cpu
        for target in targets:
            if self.is_lost(target):
                return Flow()
            drives, alone = self._drives(way, target, share, access)
            server = target.server
            ends = (server, node) if reads else (node, server)
            uses += drives + self._layout.transfer(*ends, share) + self._process("file-server", server, share)
            uses += server.compute(served * share)
            rate, link = min(rate, alone / share), min(link, self._layout.stream_rate(*ends) / share)
        uses += self._process("file-client", node, 1.0)
        flow = Flow(tuple(uses), min(rate, link), "one drive stream" if rate <= link else "one connection")
        flow = flow.joined(compute(node, stream.read_cpu if reads else stream.write_cpu))
        return flow.joined(self._paced(way, targets, node))

    def _paced(self, way: Way, targets: Series[TargetDrives], node: Node) -> Flow:
        """Return the flow that keeps a stream to its RPCs, and to the thread that takes its bytes."""
        count, stream, server = len(targets), self.spec.stream, targets[0].server
        cost, taker = (stream.read_cpu, node) if way == "read" else (stream.served_write_cpu, server)
        alone = taker.server.cpu.speed / cost / (count if way == "read" else 1) if cost else math.inf
        window = self.spec.window_rate(count, server.server.nic.sustained, 0.0 if way == "read" else 1 / alone)
        if stream.reads_ahead or (way == "read" and self.spec.asked_at_once(count) > 1):
            return Flow((), window * count, "RPCs in flight")
        return Flow((), count / (1 / window + 1 / alone), "one call after the other")

    def _drives(self, way: Way, target: TargetDrives, share: float, access: Access) -> tuple[list[Use], float]:
        """Return what a byte of a client takes of the drives of a target, and the rate (B/s) of a lone stream."""
        code = self.spec.target
        left = [drive for drive in target.drives if self.outage.takes_writes(target.server, drive)]
        if way == "write":
            amount = share * code.drives / code.data / len(target.drives)
            uses = [use for drive in left for use in drive.write(access, amount, self.spec.segment)]
            lone = min(drive.write_rate() for drive in left) * code.data
        else:
            left = [drive for drive in left if self.outage.holds_data(target.server, drive)]
            missing = 1 - len(left) / len(target.drives)
            amount = share * (1 + missing * (code.data - 1)) / len(left)
            passed = max(self.spec.bytes_passed * share / len(target.drives) / amount, 1.0)
            uses = [use for drive in left for use in drive.read(access, amount, self.spec.segment, passed)]
            lone = min(drive.read_rate() for drive in left) * code.data
        return uses, lone * len(target.drives) / code.drives

    def _process(self, name: str, node: Node, share: float) -> list[Use]:
        process = self._processes.get((name, node.index))
        return [] if process is None else [Use(process, share, share)]

    def _metadata_servers(self) -> list[Resource]:
        metadata = self.spec.metadata
        if metadata is None:
            return []
        return [
            self._layout.of(node, "metadata", "requests", f"{node.group}/metadata operations", "1", metadata.rate)
            for node in self._layout.groups[metadata.servers or self.spec.servers]
        ]

    def _asked(self, name: int, operations: int) -> tuple[Step, ...]:
        """Return the steps of so many operations of a metadata server about a file."""
        metadata = self.spec.metadata
        if metadata is None:
            return ()
        server = self._metadata[mix(self._salt, name, 3) % len(self._metadata)]
        asked = Demand((Use(server, 1.0),), max_rate=1 / metadata.time, cap="one metadata operation")
        return (Work(float(operations), asked),)
