"""HDFS while drives and servers fail: other replicas, shorter pipelines, and blocks that are replicated anew.

A read goes to another replica at once, a pipeline goes on with the servers that are left. The NameNode learns of a dead
drive with the next heartbeat and of a dead server after `dead_node_time`; then it has `replication_work` blocks a live
DataNode replicated in every round, from servers that each send `replication_streams` at a time. A DataNode whose drive
fails goes on with the others (dfs.datanode.failed.volumes.tolerated above 0). Not covered: time-outs of clients,
balancing after a replacement, blocks of tasks that died and left them behind.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence as Series
from dataclasses import dataclass

from models.hardware.cluster import Device, Layout, Node
from models.hardware.drive import Access
from models.outage import Outage, Piece, Repair
from models.storage.flow import Flow, write_behind
from models.storage.hdfs import Hdfs, HdfsStore
from models.storage.placement import mix
from models.work import Deferred, Delay, Failover, Hold, Parallel, Pool, Sequence, Step

Replica = tuple[Node, Device]


@dataclass(slots=True)
class Block:
    """A block: its bytes, and where its replicas were put."""

    size: float
    replicas: list[Replica]


class FailingHdfsStore(HdfsStore):
    """HDFS that knows where its blocks lie and what is down."""

    def __init__(self, spec: Hdfs, layout: Layout, salt: int, outage: Outage) -> None:
        super().__init__(spec, layout, salt)
        self._outage = outage
        self._blocks: dict[int, Block] = {}
        self._ups: tuple[int, list[Node]] = -1, []

    def hold(self, splits: int, size: float) -> None:
        """Take note of an input of `splits` blocks of `size` bytes."""
        for split, row in enumerate(self._replicas(splits).tolist()):
            nodes = [self._nodes[i] for i in row]
            self._blocks[split] = Block(size, [(node, self._drive(split, node)) for node in nodes])

    def fill(self, node: Node, devices: Series[Device], pieces: int, size: float) -> None:
        """Take note of `pieces` blocks of `size` bytes that have a replica on some drives of one server."""
        first = node.index - self._nodes[0].index
        for name in range(pieces):
            salt = mix(self._salt, name)
            others = self._placement.replicas(self.spec.replication, first, salt)[1:]
            held = [(self._nodes[i], self._nodes[i].bays[self.spec.bay]) for i in others]
            replicas = [(server, drives[salt % len(drives)]) for server, drives in held]
            self._blocks[name] = Block(size, [(node, devices[name % len(devices)]), *replicas])

    def read(self, split: int, splits: int, node: Node, access: Access) -> Flow:
        """Return the flow of reading a split from a replica that is left; of one without any, nothing is read."""
        held = self._left(self._blocks[split])
        near = [h for h in held if h[0] is node] or [h for h in held if h[0].rack == node.rack] or held
        if not near:
            return Flow()
        source, device = near[mix(self._salt, split, 7) % len(near)]
        flow = self._read_flow(source, device, node, access)
        if node.index in self._outage.nodes:
            return flow
        return Flow(flow.uses, flow.max_rate, flow.cap, again=lambda: self.read(split, splits, node, access))

    def repair(self, resources: set[int], is_server: bool) -> Repair:
        """Return how blocks are replicated anew after the loss of some resources, or of a whole server."""
        live = [node for node in self._nodes if node.index not in self._outage.nodes]
        delay = self.spec.dead_node_time if is_server else self.spec.heartbeat
        return Repair(
            delay, lambda: self._pieces(resources), self.spec.replication_work * max(len(live), 1), self.spec.heartbeat
        )

    def lost(self) -> float:
        """Return the bytes of blocks of which no replica is left."""
        return sum(block.size for block in self._blocks.values() if not self._left(block))

    def _pieces(self, resources: set[int]) -> Iterator[Piece]:
        for name, block in sorted(self._blocks.items(), key=lambda each: len(self._left(each[1]))):
            if any(device.resource.index in resources for _, device in block.replicas) and self._left(block):
                yield Piece(block.size, self._copy(name, block))

    def _copy(self, name: int, block: Block) -> Step:
        """Return the step that makes one more replica: as often as streams allow, more often of a last one."""
        held = self._left(block)
        source, device = held[mix(self._salt, name, 11) % len(held)]
        target, drive = self._target(name, [node for node, _ in held])
        uses = device.read("direct") + self._layout.transfer(source, target) + drive.write("direct")
        uses += source.compute(self.spec.stream_cpu) + target.compute(self.spec.stream_cpu)
        rate = min(device.read_rate(), drive.write_rate(), self._layout.stream_rate(source, target))

        def again(left: float) -> Step:
            return self._copy(name, block) if self._left(block) else Delay(0.0)

        block.replicas = [*held, (target, drive)]
        streams = Pool(f"{source.name}/replication", 2.0 * self.spec.replication_streams)
        work = Failover(block.size, Flow(tuple(uses), rate, "one replication stream").demand, again)
        return Hold(streams, 2.0 if len(held) > 1 else 1.0, work)

    def _target(self, name: int, taken: list[Node]) -> Replica:
        """Return a server without a replica and the drive on which its next block goes."""
        up, attempt = self._up(), 0
        node = up[mix(self._salt, name, 13, self._outage.epoch) % len(up)]
        while node in taken and len(taken) < len(up):
            attempt += 1
            node = up[mix(self._salt, name, 13, self._outage.epoch, attempt) % len(up)]
        drives = self._drives(node)
        return node, drives[self._next_turn(node, "blocks") % len(drives)]

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
        return Deferred(lambda: self._write_now(self._name(block), turn, node, size, own, access, pool, replicas))

    def _write_now(
        self,
        salt: int,
        turn: int,
        node: Node,
        size: float,
        own: Flow,
        access: Access,
        pool: Callable[[Node], Pool],
        replicas: int,
    ) -> Step:
        first = node.index - self._nodes[0].index if node.group == self.spec.servers else None
        chosen = [self._nodes[i] for i in self._placement.replicas(replicas, first, salt)]
        servers = [server for server in chosen if self._drives(server)] or [self._target(salt, [])[0]]
        placed = [(server, self._next_device(server, node, turn)) for server in servers]
        self._blocks[salt] = Block(size, placed)
        foreground = self._live_pipeline(node, servers, own).move(size)
        behind = [write_behind(pool(server), device, size, access) for server, device in placed]
        done: list[Step] = [foreground, Parallel(behind) if len(behind) > 1 else behind[0]]
        if min(self.spec.replication_min, replicas) > 1 and self.spec.report_delay > 0:
            done.append(Delay(self.spec.report_delay))
        return Sequence(done)

    def _live_pipeline(self, node: Node, servers: list[Node], own: Flow) -> Flow:
        """Return the flow of a block through the servers that are up; with none left it goes to the writer's own."""
        live = [server for server in servers if server.index not in self._outage.nodes] or [node]
        flow = self._pipeline_flow(node, live, own)
        if node.index in self._outage.nodes:
            return flow
        return Flow(flow.uses, flow.max_rate, flow.cap, again=lambda: self._live_pipeline(node, servers, own))

    def _next_device(self, server: Node, writer: Node, turn: int) -> Device:
        drives = self._drives(server)
        return drives[(turn if server is writer else self._next_turn(server, "blocks")) % len(drives)]

    def _up(self) -> list[Node]:
        """Return the servers with a drive that takes writes, looked up once for each change."""
        epoch, up = self._ups
        if epoch != self._outage.epoch:
            up = [node for node in self._nodes if self._drives(node)]
            self._ups = self._outage.epoch, up
        return up

    def _drives(self, node: Node) -> list[Device]:
        """Return the drives of a server that take writes."""
        return [device for device in node.bays[self.spec.bay] if self._outage.takes_writes(node, device)]

    def _drive(self, split: int, node: Node) -> Device:
        devices = node.bays[self.spec.bay]
        return devices[split // len(self._nodes) % len(devices)]

    def _left(self, block: Block) -> list[Replica]:
        """Return the replicas of a block that are left."""
        return [held for held in block.replicas if self._outage.holds_data(*held)]
