"""HDFS replicates blocks again that have lost a replica.

Of the servers with a replica the one sends that has the fewest copies to send, and of two servers that are drawn the
one takes a copy that has taken fewer: the NameNode passes over servers that are busy (BlockManager.
chooseSourceDatanodes, dfs.namenode.redundancy.considerLoad). Assumption: that choosing between two comes to the same.

The NameNode learns of a failed drive with the next heartbeat and of a dead server after `dead_node_time`; then it has
`replication_work` blocks a live DataNode replicated in every round, from servers that each send `replication_streams`
at a time. A DataNode whose drive fails goes on with the others (dfs.datanode.failed.volumes.tolerated above 0). Not
covered: time-outs of clients, balancing after a replacement, blocks of tasks that died and left them behind.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence as Series

from models.hardware.cluster import Device, Node
from models.outage import Piece, Repair
from models.storage.flow import Flow
from models.storage.hdfs.store import Block, HdfsStore
from models.storage.placement import mix
from models.work import Delay, Failover, Hold, Pool, Step


class HdfsReplication:
    """How the blocks that a store knows are replicated again."""

    def __init__(self, store: HdfsStore) -> None:
        self._store, self._spec, self._outage = store, store.spec, store.outage
        self._sent: Counter[Device] = Counter()
        self._taken: Counter[Node] = Counter()

    def fill(self, node: Node, devices: Series[Device], pieces: int, size: float) -> None:
        """Take account of `pieces` blocks of `size` bytes that have a replica on some drives of one server."""
        store = self._store
        first = node.index - store.nodes[0].index
        for name in range(pieces):
            salt = mix(store.salt, name)
            others = store.placement.replicas(self._spec.replication, first, salt)[1:]
            held = [(store.nodes[i], store.nodes[i].bays[self._spec.bay]) for i in others]
            replicas = [(server, drives[salt % len(drives)]) for server, drives in held]
            store.blocks[name] = Block(size, [(node, devices[name % len(devices)]), *replicas])

    def piece(self, object_size: float) -> tuple[float, float]:
        """Return the bytes of what is replicated at a time, a block, and those of one replica."""
        return self._spec.block_size, self._spec.block_size

    def repair(self, resources: set[int], is_server: bool) -> Repair:
        """Return how blocks are replicated again after the loss of some resources, or of a whole server."""
        live = [node for node in self._store.nodes if node.index not in self._outage.nodes]
        delay = self._spec.dead_node_time if is_server else self._spec.heartbeat
        round_ = self._spec.replication_work * max(len(live), 1)
        return Repair(delay, lambda: self._pieces(resources), round_, self._spec.heartbeat)

    def lost(self) -> float:
        """Return the bytes of blocks of which no replica is left."""
        return sum(block.size for block in self._store.blocks.values() if not self._store.left(block))

    def _pieces(self, resources: set[int]) -> Iterator[Piece]:
        blocks = self._store.blocks.items()
        for name, block in sorted(blocks, key=lambda item: len(self._store.left(item[1]))):
            if any(device.resource.index in resources for _, device in block.replicas) and self._store.left(block):
                yield Piece(block.size, self._copy(name, block))

    def _copy(self, name: int, block: Block) -> Step:
        """Return the step that makes one more replica: as often as streams allow, more often of a last one."""
        store, layout, cpu = self._store, self._store.layout, self._spec.stream_cpu
        held = store.left(block)
        start = mix(store.salt, name, 11) % len(held)
        source, device = min(held[start:] + held[:start], key=lambda replica: self._sent[replica[1]])
        drawn = [store.datanodes.server(name, [node for node, _ in held], draw) for draw in range(2)]
        target = min(drawn, key=lambda node: self._taken[node])
        drive = store.datanodes.next_drive(target)
        self._sent[device] += 1
        self._taken[target] += 1
        uses = device.read("direct") + layout.transfer(source, target) + drive.write("direct")
        uses += source.compute(cpu) + target.compute(cpu)
        rate = min(device.read_rate(), drive.write_rate(), layout.stream_rate(source, target))

        def again(left: float) -> Step:
            return self._copy(name, block) if store.left(block) else Delay(0.0)

        block.replicas = [*held, (target, drive)]
        streams = Pool(f"{source.name}/replication", 2.0 * self._spec.replication_streams)
        work = Failover(block.size, Flow(tuple(uses), rate, "one replication stream").demand, again)
        return Hold(streams, 2.0 if len(held) > 1 else 1.0, work)
