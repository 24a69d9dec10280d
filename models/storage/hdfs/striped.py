"""HDFS with an erasure coding policy on the servers of a layout: block groups, striped over k + m servers.

A reader takes cells from the k data blocks of a group side by side, and of a parity block for each that is missing,
which it then computes. It asks for a stripe once its task has taken the one before, and waits for the slowest cell; but
DataNodes send their blocks to the end, into connections that hold some cells. So cells flow on while it waits, and a
lone stream is k times as fast as its slowest block, or as its task. A writer deals cells to k + m servers over
connections of their own, each of which takes its block into the page cache; the thread of its task computes the parity,
and it waits for all at the end of a group. A server that is lost meanwhile is left out while k are left.

Per byte written (k + m)/k drive writes, and as many transfers less the block on the writer's own server; per byte read
one drive read, of which 1/k is local where the reader has a data block. Small files take 1 + m pieces of their length.
Not covered: ranges below a stripe, which are spread over the group like large ones, of whose bytes none are sent ahead,
and the pool of threads of readers (dfs.client.read.striped.threadpool.size, 18).

Source: Apache Hadoop, HDFS Erasure Coding; DFSStripedOutputStream, DFSStripedInputStream (readOneStripe,
createBlockReader), StripeReader.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence as Series
from dataclasses import replace
from operator import itemgetter
from typing import TYPE_CHECKING

from models.columns import columns
from models.hardware.cluster import Device, Layout, Node
from models.hardware.drive import Access
from models.hardware.page_cache import PageCache
from models.outage import Outage
from models.storage.flow import Flow, coded, rerouted
from models.storage.hdfs.blocks import Block, BlockStore, Writing
from models.storage.hdfs.datanodes import Replica
from models.storage.hdfs.policy import Policy
from models.storage.hdfs.system import Hdfs
from models.storage.placement import SpreadPlacement
from models.work import Delay, Parallel, Sequence, Step, Use

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class StripedStore(BlockStore):
    """HDFS with a policy on the servers of a layout."""

    choice = SpreadPlacement

    def __init__(self, spec: Hdfs, policy: Policy, layout: Layout, salt: int, outage: Outage | None = None) -> None:
        super().__init__(spec, layout, salt, outage)
        self.policy = policy
        self._tables: dict[int, tuple[NDArray[np.int64], NDArray[np.int64]]] = {}
        self._taken: dict[tuple[int, Access, int, bool], list[Use]] = {}  # of a drive and its server: see `_given`

    @property
    def write_cpu(self) -> float:
        """Reference core-seconds per byte that a writer spends beside the parity: checksums of all blocks."""
        return self.spec.stream_cpu * self.policy.pieces / self.policy.data

    def preferred(self, splits: int) -> NDArray[np.int32]:
        """Return the node indices that the NameNode names for each split: all of its group."""
        import numpy as np

        servers = self._table(splits)[0][np.arange(splits) // self.policy.data]
        return (servers + self.nodes[0].index).astype(np.int32)

    def _average(self, node: Node) -> Flow:
        """Return the flow of a client on `node` that reads from everywhere, k blocks at a time."""
        places = self.datanodes.readable(self.holding)
        lost = len(places) - len(set(places))
        missing = self.policy.data * lost / len(places) if places else 0.0
        if not places:
            return Flow()
        flow = self._gathered(places, missing, node, "direct", self.policy.data)
        added_up = columns(flow.demand.uses, self.layout.resources)  # once, not for each flow that it joins
        return replace(flow, uses=added_up)

    def read(self, split: int, splits: int, node: Node, access: Access, file: float | None = None) -> Flow:
        """Return the flow of reading one of `splits` splits. Of a group without k blocks nothing is read."""
        name = split // self.policy.data
        group = self.blocks.get(name)
        if group is None:
            return self._gathered(self._input(name, splits)[: self.policy.data], 0, node, access, self.policy.data)
        sources = self.sources(group)
        if not sources:
            return Flow()
        missing = len(set(group.pieces[: self.policy.data]) - set(sources))
        flow = self._gathered(sources, missing, node, access, self.policy.data)
        return rerouted(flow, node, self.outage, lambda: self.read(split, splits, node, access))

    def hold(self, splits: int, size: float) -> None:
        """Take account of an input of `splits` splits of `size` bytes."""
        for name in range(math.ceil(splits / self.policy.data)):
            self.blocks[name] = Block(size * self.policy.data, self._input(name, splits))

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
        """Return the step in which a task on `node` writes a file of `amount` bytes, group by group.

        `own` is what the task itself uses per byte while it writes; `page` is the page cache of a server. A policy
        leaves no choice of a replication.
        """
        if not amount:
            return Delay(0.0)  # an empty file has a name and no blocks
        whole = self.policy.data * self.spec.block_size
        count = max(math.ceil(amount / whole - 1e-9), 1)
        sizes = [whole] * (count - 1) + [amount - (count - 1) * whole]
        own = self._waiting(own, amount, 1, self.policy.parity, count)
        writings = [Writing(file, node, size, own, access, page, self.policy.pieces) for size in sizes]
        steps = [self._write_group(writing, number) for number, writing in enumerate(writings)]
        return Sequence(steps) if count > 1 else steps[0]

    def _write_group(self, writing: Writing, number: int) -> Step:
        return self._planned(writing, number, lambda: self._group(writing, number))

    def _group(self, writing: Writing, number: int) -> tuple[Step, list[Replica]]:
        """Return the step that writes a group, and where its blocks lie; without k servers nothing is written."""
        servers = self._servers(self._name(writing.file, number))
        if len(servers) < self.policy.data:
            self.outage.refused += 1
            return Delay(0.0), []
        pieces = [(server, self.datanodes.next_drive(server)) for server in servers]
        lengths = self.policy.lengths(writing.size)[: len(pieces)]
        shares = [length / writing.size for length in lengths]
        foreground = self._scattered(writing, servers, shares).move(writing.size)
        held = [(piece, length) for piece, length in zip(pieces, lengths, strict=True) if length]
        behind = [self._behind(writing, *piece, length) for piece, length in held]
        return Sequence((foreground, Parallel(behind) if len(behind) > 1 else behind[0])), pieces

    def _servers(self, name: int) -> list[Node]:
        """Return the servers of a new group: those chosen, as far as they are up."""
        chosen = [self.nodes[i] for i in self.placement.replicas(self.policy.pieces, None, name)]
        return self.datanodes.instead(chosen, name)

    def _scattered(self, writing: Writing, servers: list[Node], shares: list[float]) -> Flow:
        """Return the flow of a group to its servers, side by side; one that is lost meanwhile is left out."""
        live = [(server, share) for server, share in zip(servers, shares, strict=True) if self._is_up(server) and share]
        uses: list[Use] = []
        node, window = writing.node, self.spec.window_rate
        rate, cap = math.inf, "write window"
        for server, share in live:
            uses += self.layout.transfer(node, server, share) + server.compute(self.spec.stream_cpu * share)
            link, thread = self.layout.stream_rate(node, server), self.spec.thread_rate(server.server.cpu)
            caps = (window, "write window"), (link, "one connection"), (thread, "one thread of a DataNode")
            slowest, why = min(caps, key=itemgetter(0))
            if slowest / share < rate:
                rate, cap = slowest / share, why
        task = writing.own.in_one_thread(coded(node, self.spec.encode_cpu))
        flow = Flow(tuple(uses), rate, cap).joined(task)
        return rerouted(flow, node, self.outage, lambda: self._scattered(writing, servers, shares))

    def _gathered(self, sources: Series[Replica], missing: float, node: Node, access: Access, lanes: int) -> Flow:
        """Return the flow of a client on `node` from blocks of a group, of which `missing` have to be computed.

        Each source gives an equal part of the bytes, and `lanes` of them at a time.
        """
        share, uses = 1 / len(sources), list[Use]()
        for server, device in sources:
            uses += self._given(server, device, access, len(sources), by_process=server is not node)
            uses += self.layout.transfer(server, node, share)
        drive = lanes * min(device.read_rate() for _, device in sources)
        link = lanes * min(self.layout.stream_rate(server, node) for server, _ in sources)
        flow = Flow(tuple(uses), min(drive, link), "k drive streams" if drive <= link else "k connections")
        return flow.joined(coded(node, self.spec.encode_cpu * missing / self.policy.parity)) if missing else flow

    def _given(self, server: Node, device: Device, access: Access, sources: int, *, by_process: bool) -> list[Use]:
        """Return what a byte uses of a drive, one of so many sources, and of its server; made once for all readers.

        One on the server itself need not read by the process of the DataNode.
        """
        by_process = by_process or not self.spec.short_circuit
        key = device.resource.index, access, sources, by_process
        uses = self._taken.get(key)
        if uses is None:
            share = 1 / sources
            uses = device.read(access, share, self.spec.block_size / self.policy.data)
            uses = self._taken[key] = uses + (server.compute(self.spec.stream_cpu * share) if by_process else [])
        return uses

    def _is_up(self, server: Node) -> bool:
        return server.index not in self.outage.nodes

    def _input(self, name: int, splits: int) -> list[Replica]:
        """Return where the blocks of a group of an input lie."""
        servers, turns = (table[name].tolist() for table in self._table(splits))
        held = zip((self.holding[i] for i in servers), turns, strict=True)
        return [(node, node.bays[self.spec.bay][turn % len(node.bays[self.spec.bay])]) for node, turn in held]

    def _table(self, splits: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return the positions of the servers of each group of an input, and which block of the server it is."""
        import numpy as np

        if splits not in self._tables:
            groups = math.ceil(splits / self.policy.data)
            servers = self.held.table(groups, self.policy.pieces, self.salt)
            order = np.argsort(servers, axis=None, kind="stable")
            counts = np.bincount(servers.ravel(), minlength=len(self.holding))
            turns = np.empty(servers.size, dtype=np.int64)
            turns[order] = np.arange(servers.size) - np.repeat(np.cumsum(counts) - counts, counts)
            self._tables[splits] = servers, turns.reshape(servers.shape)
        return self._tables[splits]
