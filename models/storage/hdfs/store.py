"""HDFS on the servers of a layout: what reading and writing a block uses, and where its replicas lie.

A read goes to another replica when one is lost, and a pipeline goes on with the servers that are left.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence as Series
from itertools import pairwise
from operator import itemgetter
from typing import TYPE_CHECKING

from models.hardware.cluster import Device, Layout, Node
from models.hardware.drive import Access
from models.hardware.page_cache import PageCache
from models.outage import Outage
from models.storage.described import ByteRange
from models.storage.flow import Flow, rerouted, spread
from models.storage.hdfs.blocks import Block, BlockStore, Writing
from models.storage.hdfs.datanodes import Replica
from models.storage.hdfs.operations import HdfsOperations
from models.storage.hdfs.system import Hdfs
from models.storage.placement import ReplicaPlacement, mix
from models.storage.site import Placed
from models.work import Delay, Parallel, Sequence, Step, Use

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

PIPELINES = 1 << 14
"""Pipelines that are kept for later blocks, 2 kB each, and hops from server to server. Assumption: as many pipelines as
25 servers have; on a thousand hardly any comes again."""


class HdfsStore(BlockStore):
    """HDFS with replicas on the servers of a layout."""

    choice = ReplicaPlacement

    def __init__(self, spec: Hdfs, layout: Layout, salt: int, outage: Outage | None = None) -> None:
        super().__init__(spec, layout, salt, outage)
        self._get = HdfsOperations(spec).get(ByteRange())
        self._tables: dict[int, NDArray[np.int64]] = {}
        self._flows: dict[tuple[Device, int, Access], Flow] = {}
        self._lone_blocks: dict[tuple[Device, Flow, float, Access], Step] = {}
        self._lone_files: dict[tuple[int, int, Flow, float, Access], Step] = {}
        self._pipelines: dict[tuple[Node | Flow, ...], Flow] = {}
        self._hops: dict[tuple[Node, Node], tuple[Series[Use], float, float]] = {}
        self._rates: dict[int, float] = {}

    @property
    def write_cpu(self) -> float:
        """Reference core-seconds per byte that a writer spends: as much as each DataNode that the byte passes."""
        return self.spec.stream_cpu

    def _average(self, node: Node) -> Flow:
        """Return the flow of reading blocks from everywhere: from the node's own drives, if it has some.

        Assumption: a scheduler that waits for a free slot where the data lies finds one, as Spark's with 3 s a level.
        """
        near = self.datanodes.readable([node] if node in self.holding else self.holding)
        return spread([self._read_flow(*drive, node, "direct") for drive in near]) if near else Flow()

    def preferred(self, splits: int) -> NDArray[np.int32]:
        """Return the node indices that hold each split, of shape (splits, replicas)."""
        import numpy as np

        return (self._replicas(splits) + self.nodes[0].index).astype(np.int32)

    def read(self, split: int, splits: int, node: Node, access: Access, file: float | None = None) -> Flow:
        """Return the flow of reading one of `splits` splits: from the node's own replica, one in its rack, or any.

        Of a split without a replica nothing is read.
        """
        block = self.blocks.get(split)
        if block is None:
            held = self._replicas(splits)[split].tolist()
            is_here = node.index - self.nodes[0].index in held
            source = node if is_here else self._nearest([self.holding[i] for i in held], split, node)
            devices = source.bays[self.spec.bay]
            device = devices[split // len(self.holding) % len(devices)]
        else:
            left = dict(self.left(block))
            if not left:
                return Flow()
            source = self._nearest(list(left), split, node)
            device = left[source]
        key = (device, node.index, access)
        flow = self._flows.get(key)
        if flow is None:
            flow = self._flows[key] = self._read_flow(source, device, node, access)
        if block is None:  # nothing may fail
            return flow
        return rerouted(flow, node, self.outage, lambda: self.read(split, splits, node, access))

    def hold(self, splits: int, size: float) -> None:
        """Take account of an input of `splits` blocks of `size` bytes."""
        for split, row in enumerate(self._replicas(splits).tolist()):
            nodes = [self.holding[i] for i in row]
            turn = split // len(self.holding)
            self.blocks[split] = Block(size, [(node, self.datanodes.drive(node, turn)) for node in nodes])

    def _nearest(self, holders: list[Node], split: int, node: Node) -> Node:
        """Return the server that a node reads a split from, of those that hold it."""
        if node in holders:
            return node
        near = [h for h in holders if h.rack == node.rack] or holders
        return near[mix(self.salt, split, 7) % len(near)]

    def _read_flow(self, source: Node, device: Device, node: Node, access: Access) -> Flow:
        site = Placed(self.layout, {"client": node}, {"source": [(source, device)]}, access)
        return self._get.stream(site)

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
        """Return the step in which a task on `node` writes a file of `amount` bytes, block by block.

        `own` is what the task itself uses per byte while it writes; `page` is the page cache of a server.
        """
        blocks = max(math.ceil(amount / self.spec.block_size - 1e-9), 1)
        replicas = self.spec.replication if replication is None else replication
        turn = self.datanodes.next_turn(node, "files")
        own = self._waiting(own, amount, replicas, self.spec.spare(replicas), blocks)
        writing = Writing(file, node, amount / blocks, own, access, page, replicas)
        if replicas > 1 or node.group != self.spec.servers or self.outage.may_fail:
            return self._blocks(writing, blocks, turn)
        drive = turn % len(node.bays[self.spec.bay])
        key = (node.index, drive, own, amount, access)
        step = self._lone_files.get(key)
        if step is None:
            drives = [self.datanodes.drive(node, drive + b) for b in range(blocks)]
            step = self._lone_files[key] = _in_turn([self._lone_block(writing, device) for device in drives])
        return step

    def _blocks(self, writing: Writing, blocks: int, turn: int) -> Step:
        """Return the step that writes the blocks of a file, the `turn` of the first on the drives of its writer."""
        return _in_turn([self._write_block(writing, b, turn + b) for b in range(blocks)])

    def _write_block(self, writing: Writing, block: int, turn: int) -> Step:
        return self._planned(writing, block, lambda: self._block(writing, block, turn))

    def _block(self, writing: Writing, block: int, turn: int) -> tuple[Step, list[Replica]]:
        """Return the step that writes a block, its `turn` on the drives of its writer, and where its replicas lie."""
        node, servers = writing.node, self._pipeline_servers(writing, block)
        if not servers:
            self.outage.refused += 1
            return Delay(0.0), []
        if servers == [node]:
            device = self.datanodes.drive(node, turn)
            return self._lone_block(writing, device), [(node, device)]
        foreground = self._live_pipeline(node, servers, writing.own).move(writing.size)
        turns = [turn if server is node else self.datanodes.next_turn(server, "blocks") for server in servers]
        replicas = [(server, self.datanodes.drive(server, mine)) for server, mine in zip(servers, turns, strict=True)]
        behind = [self._behind(writing, *replica, writing.size) for replica in replicas]
        done: list[Step] = [foreground, Parallel(behind) if len(behind) > 1 else behind[0]]
        if min(self.spec.replication_min, writing.replicas) > 1 and self.spec.report_delay > 0:
            done.append(Delay(self.spec.report_delay))
        return Sequence(done), replicas

    def _lone_block(self, writing: Writing, device: Device) -> Step:
        """Return the step that writes a block onto the writer's own server alone, made once for all that are alike."""
        key = (device, writing.own, writing.size, writing.access)
        step = self._lone_blocks.get(key)
        if step is None:
            foreground = self._pipeline(writing.node, [writing.node], writing.own).move(writing.size)
            step = self._lone_blocks[key] = Sequence(
                (foreground, self._behind(writing, writing.node, device, writing.size))
            )
        return step

    def _pipeline_servers(self, writing: Writing, block: int) -> list[Node]:
        """Return the servers that take the replicas of a block: those chosen for it, as far as they are up."""
        node = writing.node
        first = node.index - self.nodes[0].index if node.group == self.spec.servers else None
        is_own = writing.replicas == 1 and first is not None
        if is_own and not self.outage.epoch:
            return [node]  # nothing is drawn by the name of the block
        name = self._name(writing.file, block)
        chosen = [node] if is_own else [self.nodes[i] for i in self.placement.replicas(writing.replicas, first, name)]
        return self.datanodes.instead(chosen, name)

    def _live_pipeline(self, node: Node, servers: list[Node], own: Flow) -> Flow:
        """Return the flow of a block through the servers that are up; with none left it goes to the writer's own."""
        live = servers
        if self.outage.nodes:
            live = [server for server in servers if server.index not in self.outage.nodes] or [node]
        flow = self._pipeline(node, live, own)
        return rerouted(flow, node, self.outage, lambda: self._live_pipeline(node, servers, own))

    def _pipeline(self, node: Node, servers: list[Node], own: Flow) -> Flow:
        """Return the flow of a block through its servers; blocks of the same ones share it."""
        key: tuple[Node | Flow, ...] = (own, node, *servers)
        flow = self._pipelines.get(key)
        if flow is None:
            flow = self._pipeline_flow(node, servers, own)
            if len(self._pipelines) < PIPELINES:
                self._pipelines[key] = flow
        return flow

    def _pipeline_flow(self, node: Node, servers: list[Node], own: Flow) -> Flow:
        uses: list[Use] = []
        link = thread = math.inf
        for sender, receiver in pairwise((node, *servers)):
            taken, connection, receiving = self._hop(sender, receiver)
            uses += taken
            link, thread = min(link, connection), min(thread, receiving)
        window = self.spec.window_rate
        caps = (window, "write window"), (link, "one connection"), (thread, "one thread of a DataNode")
        rate, cap = min(caps, key=itemgetter(0))
        return Flow(tuple(uses), rate, cap).joined(own)

    def _hop(self, sender: Node, receiver: Node) -> tuple[Series[Use], float, float]:
        """Return what a byte uses that one server hands to another, and what a connection and a thread of it carry."""
        key = sender, receiver
        hop = self._hops.get(key)
        if hop is None:
            uses = self.layout.transfer(sender, receiver) + receiver.compute(self.spec.stream_cpu)
            is_own = sender is receiver
            link = math.inf if is_own else min(self._connection_rate(sender), self._connection_rate(receiver))
            hop = uses, link, self.spec.thread_rate(receiver.server.cpu)
            if len(self._hops) < PIPELINES:
                self._hops[key] = hop
        return hop

    def _connection_rate(self, node: Node) -> float:
        """Return the most (B/s) that one connection of a node carries, worked out once."""
        rate = self._rates.get(node.index)
        if rate is None:
            rate = self._rates[node.index] = self.layout.connection_rate(node)
        return rate

    def _replicas(self, splits: int) -> NDArray[np.int64]:
        """Return the positions of the servers that hold each split, of shape (splits, replicas)."""
        table = self._tables.get(splits)
        if table is None:
            table = self._tables[splits] = self.held.table(splits, self.spec.replication, self.salt)
        return table


def _in_turn(steps: list[Step]) -> Step:
    """Return the step of several one after the other."""
    return Sequence(steps) if len(steps) > 1 else steps[0]
