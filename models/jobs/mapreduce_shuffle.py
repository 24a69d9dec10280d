"""How reduces fetch what maps put out: from which servers and drives, in how many streams, and after a loss.

A fetcher asks one server at a time and two fetchers of a reduce never the same one, so a reduce has at most as many
streams as there are servers; a server answers as many at a time as its shuffle service has threads. What one map holds
for one reduce lies together, a segment; the page cache still holds the latest of it. No more than the segment is read:
the shuffle service asks the kernel for so much, and a file that is opened for one read at random is not read ahead. So
many maps and reduces make drives seek for little: there are as many segments as maps times reduces.

Each reduce asks the application master which maps have ended, and is told of every one: all of them come over the card
of one server. An executor asks once for all reduces that it runs.

Source: Apache Hadoop, ShuffleSchedulerImpl.getHost, Fetcher.run, ShuffleHandler (max.threads), FadvisedFileRegion,
EventFetcher; Apache Spark, MapOutputTracker (MapOutputTrackerWorker.getStatuses); Linux, mm/readahead.c
(ondemand_readahead: "small random read, read as is"). The processors of the reduce's server take what is fetched while
it comes, several fetches side by side. Not covered: connections, of which there is one for each twenty outputs of a
server, and what a segment costs processors beside its bytes.
"""

from __future__ import annotations

import math
from functools import cached_property

from models.hardware.cluster import Device, Layout, Node
from models.hardware.drive import Access, Drive
from models.hardware.page_cache import PAGE
from models.jobs.mapreduce import FULL_FAN_IN, LEAST_FAN_IN, MapReduce
from models.outage import Outage
from models.storage.clients.mount import Page
from models.storage.flow import Flow
from models.work import Await, Failover, Moment, Sequence, Step, Use

THREADS_A_PROCESSOR = 2
"""Threads of a shuffle service for each hardware thread, unless stated. Source: Apache Hadoop, ShuffleHandler."""

Portion = tuple[Node, float, float, tuple[Device, ...]]
"""A server that a reduce fetches from, the part of its bytes, the part that crosses the network, and the drives."""


class Shuffle:
    """What the reduces of a job fetch from `files` map outputs, each an equal part.

    `reduces` are all of them, and those that all servers run at a time at most.
    """

    def __init__(
        self,
        job: MapReduce,
        layout: Layout,
        access: Access,
        *,
        files: int,
        reduces: tuple[int, int],
        page: Page,
        outage: Outage,
    ) -> None:
        self._job, self._layout, self._access = job, layout, access
        self._maps, self._page, self._outage = files, page, outage
        self._reduces, self._running = reduces[0], min(reduces)
        self._framework = job.framework
        self._nodes = layout.groups[job.framework.servers]
        self._first = self._nodes[0].index
        self._servers = layout.whole_of(len(self._nodes))
        self._fetches: dict[tuple[int, int], Flow] = {}

    @cached_property
    def _drives(self) -> int:
        """Drives that hold map output."""
        return self._layout.whole_of(sum(len(node.devices(self._framework.local_dirs)) for node in self._nodes))

    @cached_property
    def _racks(self) -> int:
        return len({node.rack for node in self._nodes})

    @cached_property
    def _segment(self) -> float:
        """Bytes that lie together on a drive when reduces fetch: what one map holds for one, or a page of several."""
        file = self._job.input * self._job.packed / self._maps
        return max(file / self._reduces, min(PAGE, file))

    @property
    def _master(self) -> Node:
        """The server of the application master: the first that is up."""
        return next((node for node in self._nodes if node.index not in self._outage.nodes), self._nodes[0])

    @property
    def _asking(self) -> int:
        """Processes that ask for all maps: one a reduce, or an executor a server."""
        engine = self._job.engine
        return min(self._reduces, self._servers) if engine and engine.keeps_processes else self._reduces

    def _cached(self, node: Node) -> float:
        """Return the part of a server's map output that its page cache still holds when reduces fetch it.

        The cache keeps the latest bytes that went through it: map output, and the input if it lies on the node.
        """
        job, count = self._job, self._servers
        through = job.input * (job.packed + (1.0 if self._access == "mixed" else 0.0)) / count
        return self._page(node).kept(through)

    def fetched(self, node: Node, amount: float, moment: Moment) -> Step:
        """Return the step in which a reduce on `node` fetches; after a loss it waits until all map output is there."""
        flow = self._fetch(node)
        if not self._outage.may_fail or not flow.uses or node.index in self._outage.nodes:
            return flow.move(amount)

        def resume(left: float) -> Step:
            return Sequence((Await(moment.milestone("map")), self.fetched(node, left, moment)))

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
        told = self._framework.event_size * self._maps * self._asking / (self._job.input * self._job.packed)
        transfers += self._layout.transfer(self._master, node, told * self._layout.alike)  # that one stands for itself
        transfers += node.compute(self._job.fetch_cpu / self._job.packing)
        drives, streams = self._drives, self._streams(node)
        all_at_once = min((use.resource.capacity[-1] / use.cost for use in reads), default=math.inf)
        serving = sum(len(devices) for *_, devices in portions)
        weight = streams * self._turn(node) / max(1 - self._cached(node), 1 / drives)
        return Flow((*reads, *transfers), all_at_once * streams / serving, "one fetch", weight=weight)

    def _turn(self, node: Node) -> float:
        """Return what a fetch reads at its turn on a drive, as a part of what a map does."""
        drive = node.devices(self._framework.local_dirs)[0].drive
        return drive.read_turn(self._access, self._segment) if isinstance(drive, Drive) else 1.0

    def _streams(self, node: Node) -> float:
        """Return how many streams a reduce has: one a server at most, and its part of what their threads answer."""
        framework, servers = self._framework, self._servers
        threads = framework.shuffle_threads or THREADS_A_PROCESSOR * node.server.cpu.threads
        return min(framework.parallel_copies, servers, threads * servers / self._running)

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
        if self._servers <= FULL_FAN_IN or count <= fan_in:
            sent = 1 / count if self._layout.alike == 1 else (1 - 1 / self._servers) / (count - 1)
            return [(source, 1 / count, sent, source.devices(place)) for source in self._nodes]
        meeting = count * self._racks
        stride = next(n for n in range(count // fan_in, count) if math.gcd(n, meeting) == 1)  # meets all racks
        portions: list[Portion] = []
        for turn in range(fan_in):
            source = self._nodes[(node.index - self._first + (turn + 1) * stride) % count]
            device = source.devices(place)[(turn + source.index) % drives]
            portions.append((source, 1 / fan_in, (1 - 1 / self._servers) / fan_in, (device,)))
        return portions
