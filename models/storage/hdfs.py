"""HDFS: blocks in r replicas on the drives of its servers.

Reading a block takes its bytes from one replica, the local one where there is one. Writing sends a block
through a pipeline writer -> first -> second -> third server; each server takes its copy into the page cache and
writes it behind. A writer waits while a server's dirty pages are at their limit.

Per byte written with r replicas: r drive writes, r - 1 network transfers if the writer holds the first
replica, else r. Not covered: leases, the NameNode's own work, checksum files (0.8 % of the bytes).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence as Series
from typing import TYPE_CHECKING, Literal

from models.hardware.cluster import BayBatch, Cluster, Device, Layout, Node, bay_batches, bay_capacity, check_bay
from models.hardware.drive import Access
from models.quantity import Model, Quantity, quantity, setting
from models.storage.flow import Flow, write_behind
from models.storage.placement import ReplicaPlacement, mix
from models.storage.room import Room, in_blocks, on_distinct_servers
from models.work import Delay, Parallel, Pool, Sequence, Step, Use, in_order

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

CHECKSUM_CHUNK, CHECKSUM = 512, 4
"""Bytes of data to a checksum, and bytes of a checksum (CRC32C). Source: Apache Hadoop, DFSConfigKeys."""

META_HEADER = 7
"""Bytes at the head of a block's checksum file. Source: Apache Hadoop, BlockMetadataHeader.getHeaderSize."""


class Hdfs(Model):
    """The distributed file system of Hadoop."""

    system: Literal["hdfs"] = setting("Storage system.")
    servers: str = setting("Server group of the DataNodes.")
    bay: str = setting("Drives that hold the blocks.", default="data")
    replication: int = setting("Replicas of each block (dfs.replication).", default=3, ge=1)
    replication_min: int = setting(
        "Replicas that must be reported before a block is complete (dfs.namenode.replication.min).", default=1, ge=1
    )
    report_delay: Quantity = quantity(
        "s", "Time until a further replica is reported to the NameNode.", default=0.0, ge=0
    )
    block_size: Quantity = quantity("B", "Size of a block (dfs.blocksize).", default=134217728.0, gt=0)
    short_circuit: bool = setting("Local reads bypass the DataNode (dfs.client.read.shortcircuit).", default=False)
    stream_cpu: Quantity = quantity(
        "s/B", "Reference core-seconds per byte that passes through a DataNode.", default=0.0, ge=0
    )
    write_window: Quantity = quantity(
        "B", "Bytes a writer has in flight (dfs.client.write.max-packets-in-flight).", default=5242880.0, gt=0
    )
    ack_time: Quantity = quantity("s", "Time until a packet is acknowledged by the pipeline.", default=0.0, ge=0)
    dead_node_time: Quantity = quantity(
        "s",
        "Until a silent DataNode counts as dead: 2 * heartbeat.recheck-interval + 10 * dfs.heartbeat.interval.",
        default=630.0,
        ge=0,
    )
    heartbeat: Quantity = quantity(
        "s", "Time between heartbeats, and between rounds of replication (dfs.heartbeat.interval).", default=3.0, gt=0
    )
    replication_work: int = setting(
        "Blocks a live DataNode and round that are replicated anew"
        " (dfs.namenode.replication.work.multiplier.per.iteration).",
        default=2,
        ge=1,
    )
    replication_streams: int = setting(
        "Blocks that a DataNode sends at a time to be replicated anew (dfs.namenode.replication.max-streams);"
        " twice as many of the last replicas.",
        default=2,
        ge=1,
    )

    def server_groups(self) -> dict[str, str]:
        """Return the server groups that the system names, by key."""
        return {"storage.servers": self.servers}

    def fits(self, cluster: Cluster) -> None:
        """Refuse a cluster that cannot hold the replicas.

        Raises:
            ValueError: a bay is missing, or there are fewer servers than replicas.
        """
        check_bay(cluster, self.servers, self.bay)
        self.check_replicas(cluster, self.replication, "storage.replication")

    def check_replicas(self, cluster: Cluster, replicas: int, key: str) -> None:
        """Refuse more replicas than servers.

        Raises:
            ValueError: there are.
        """
        servers = cluster.groups[self.servers].count
        if replicas > servers:
            raise ValueError(
                f"{key} = {replicas}: needs as many servers, group {self.servers!r} has {servers};"
                " lower it or add servers"
            )

    def raw_capacity(self, cluster: Cluster) -> float:
        """Return bytes of all its drives."""
        return bay_capacity(cluster, self.servers, self.bay)

    def raw_per_byte(self, cluster: Cluster, replicas: int | None = None) -> float:
        """Return raw bytes that a stored byte takes: one a replica."""
        return float(replicas or self.replication)

    def batches(self, cluster: Cluster) -> list[BayBatch]:
        """Return its drives, by kind of server."""
        return bay_batches(cluster, self.servers, self.bay)

    def usable(self, cluster: Cluster, rooms: Series[Room]) -> float:
        """Return bytes of data that fit into rooms: replicas lie on servers that differ, and a balancer fills them."""
        return on_distinct_servers(rooms, self.replication)

    @property
    def heals_into_free_space(self) -> bool:
        """Whether lost pieces are made anew on the servers that are left: the NameNode replicates blocks again."""
        return True

    def object_bytes(self, cluster: Cluster, size: float) -> float:
        """Return raw bytes of a file of `size` bytes: blocks with their checksum files, in blocks of the drive."""
        blocks, rest = divmod(size, self.block_size)
        one = in_blocks(self.block_size) + _checksum_file(self.block_size)
        last = in_blocks(rest) + _checksum_file(rest) if rest else 0.0
        return self.replication * (blocks * one + last)


def _checksum_file(block: float) -> float:
    return in_blocks(META_HEADER + CHECKSUM * math.ceil(block / CHECKSUM_CHUNK))


class HdfsStore:
    """HDFS on the servers of a layout."""

    def __init__(self, spec: Hdfs, layout: Layout, salt: int) -> None:
        self.spec = spec
        self._layout = layout
        self._nodes = layout.groups[spec.servers]
        self._placement = ReplicaPlacement([node.rack for node in self._nodes])
        self._salt = salt
        self._turns: dict[tuple[int, str], int] = {}
        self._tables: dict[int, NDArray[np.int64]] = {}
        self._flows: dict[tuple[Device, int, Access], Flow] = {}
        self._drains: dict[tuple[Device, float, Access], Step] = {}
        self._lone_blocks: dict[tuple[Device, Flow, float, Access], Step] = {}
        self._own_pipelines: dict[tuple[int, Flow], Flow] = {}

    @property
    def split_size(self) -> float:
        """Bytes of one input split."""
        return self.spec.block_size

    def preferred(self, splits: int) -> NDArray[np.int32]:
        """Return the node indices that hold each split, of shape (splits, replicas)."""
        import numpy as np

        return (self._replicas(splits) + self._nodes[0].index).astype(np.int32)

    def read(self, split: int, splits: int, node: Node, access: Access) -> Flow:
        """Return the flow of reading one of `splits` splits: from the node's own replica, one in its rack, or any."""
        source = self._nearest(self._replicas(splits)[split].tolist(), split, node)
        devices = source.bays[self.spec.bay]
        device = devices[split // len(self._nodes) % len(devices)]
        key = (device, node.index, access)
        flow = self._flows.get(key)
        if flow is None:
            flow = self._flows[key] = self._read_flow(source, device, node, access)
        return flow

    def _nearest(self, held: list[int], split: int, node: Node) -> Node:
        """Return the server that a node reads a split from, of those at the positions that hold it."""
        if node.index - self._nodes[0].index in held:
            return node
        holders = [self._nodes[i] for i in held]
        near = [h for h in holders if h.rack == node.rack] or holders
        return near[mix(self._salt, split, 7) % len(near)]

    def _read_flow(self, source: Node, device: Device, node: Node, access: Access) -> Flow:
        uses = device.read(access) + self._layout.transfer(source, node)
        if not (source is node and self.spec.short_circuit):
            uses += source.compute(self.spec.stream_cpu)
        rate, link = device.read_rate(), self._layout.stream_rate(source, node)
        return Flow(tuple(uses), min(rate, link), "one drive stream" if rate <= link else "one connection")

    def write(
        self,
        file: int,
        node: Node,
        amount: float,
        own: Flow,
        access: Access,
        pool: Callable[[Node], Pool],
        replication: int | None = None,
    ) -> Step:
        """Return the step in which a task on `node` writes a file of `amount` bytes, block by block.

        `own` is what the task itself uses per byte while it writes; `pool` is the page cache of a server.
        """
        blocks = max(math.ceil(amount / self.spec.block_size - 1e-9), 1)
        size = amount / blocks
        replicas = self.spec.replication if replication is None else replication
        turn = self._next_turn(node, "files")
        steps = [self._write_block((file, b), turn + b, node, size, own, access, pool, replicas) for b in range(blocks)]
        return in_order(steps) if len(steps) > 1 else steps[0]

    def _write_block(
        self,
        block: tuple[int, int],
        turn: int,
        node: Node,
        size: float,
        own: Flow,
        access: Access,
        pool: Callable[[Node], Pool],
        replicas: int,
    ) -> Step:
        servers = self._pipeline_servers(block, node, replicas)
        if servers == [node]:
            return self._lone_block(turn, node, size, own, access, pool)
        foreground = self._pipeline(node, servers, own).move(size)
        turns = [turn if server is node else self._next_turn(server, "blocks") for server in servers]
        behind = [self._behind(server, mine, size, access, pool) for server, mine in zip(servers, turns, strict=True)]
        done: list[Step] = [foreground, Parallel(behind) if len(behind) > 1 else behind[0]]
        if min(self.spec.replication_min, replicas) > 1 and self.spec.report_delay > 0:
            done.append(Delay(self.spec.report_delay))
        return Sequence(done)

    def _lone_block(
        self, turn: int, node: Node, size: float, own: Flow, access: Access, pool: Callable[[Node], Pool]
    ) -> Step:
        """Return the step that writes a block onto the writer's own server alone, made once for all that are alike."""
        key = (self._device(node, turn), own, size, access)
        step = self._lone_blocks.get(key)
        if step is None:
            foreground = self._pipeline(node, [node], own).move(size)
            step = self._lone_blocks[key] = Sequence((foreground, self._behind(node, turn, size, access, pool)))
        return step

    def _pipeline_servers(self, block: tuple[int, int], node: Node, replicas: int) -> list[Node]:
        """Return the servers that take the replicas of a block, numbered by its file and place there."""
        first = node.index - self._nodes[0].index if node.group == self.spec.servers else None
        if replicas == 1 and first is not None:
            return [node]
        return [self._nodes[i] for i in self._placement.replicas(replicas, first, self._name(block))]

    def _name(self, block: tuple[int, int]) -> int:
        """Return a number that no two blocks share."""
        return mix(self._salt, *block, 1)

    def _behind(self, server: Node, turn: int, size: float, access: Access, pool: Callable[[Node], Pool]) -> Step:
        """Return the step in which a server takes its copy of a block, made once for all blocks of a size."""
        device = self._device(server, turn)
        key = (device, size, access)
        step = self._drains.get(key)
        if step is None:
            step = self._drains[key] = write_behind(pool(server), device, size, access)
        return step

    def _pipeline(self, node: Node, servers: list[Node], own: Flow) -> Flow:
        """Return the flow of a block through its servers; the one onto the writer's own server is made once."""
        if servers != [node]:
            return self._pipeline_flow(node, servers, own)
        if (node.index, own) not in self._own_pipelines:
            self._own_pipelines[node.index, own] = self._pipeline_flow(node, servers, own)
        return self._own_pipelines[node.index, own]

    def _pipeline_flow(self, node: Node, servers: list[Node], own: Flow) -> Flow:
        uses: list[Use] = []
        for sender, receiver in zip([node, *servers], servers, strict=False):
            uses += self._layout.transfer(sender, receiver) + receiver.compute(self.spec.stream_cpu)
        window = self.spec.write_window / self.spec.ack_time if self.spec.ack_time else math.inf
        links = [self._layout.stream_rate(*pair) for pair in zip([node, *servers], servers, strict=False)]
        connection = Flow((), min(links), "one connection")
        return Flow(tuple(uses), window, "write window").joined(connection).joined(own)

    def _replicas(self, splits: int) -> NDArray[np.int64]:
        """Return the positions of the servers that hold each split, of shape (splits, replicas)."""
        table = self._tables.get(splits)
        if table is None:
            table = self._tables[splits] = self._placement.table(splits, self.spec.replication, self._salt)
        return table

    def _next_turn(self, node: Node, of: Literal["files", "blocks"]) -> int:
        """Return the turn of a server's next block on its drives, as RoundRobinVolumeChoosingPolicy takes them.

        Blocks from other servers take turns one by one. The files of its own tasks are written side by side, block
        after block, so that each file begins one turn after the one before.
        """
        turn = self._turns.get((node.index, of), 0)
        self._turns[node.index, of] = turn + 1
        return turn

    def _device(self, node: Node, turn: int) -> Device:
        devices = node.bays[self.spec.bay]
        return devices[turn % len(devices)]
