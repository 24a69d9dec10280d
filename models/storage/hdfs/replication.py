"""HDFS replicates blocks again that have lost a replica.

Of the servers with a replica the one sends that has the fewest copies to send, and of two servers that are drawn the
one takes a copy that has taken fewer: the NameNode passes over servers that are busy (BlockManager.
chooseSourceDatanodes, dfs.namenode.redundancy.considerLoad). Assumption: that choosing between two comes to the same.

A server sends `replication_streams` blocks at a time. Not covered: time-outs of clients, balancing after a replacement,
blocks of tasks that died and left them behind.
"""

from __future__ import annotations

from collections import Counter

from models.hardware.cluster import Device
from models.outage import Piece
from models.storage.flow import Flow
from models.storage.hdfs.blocks import Block
from models.storage.hdfs.rebuild import BlockRebuild
from models.storage.hdfs.store import HdfsStore
from models.storage.placement import mix
from models.work import Delay, Failover, Hold, Pool, Step


class HdfsReplication(BlockRebuild[HdfsStore]):
    """How the blocks that a store knows are replicated again."""

    def __init__(self, store: HdfsStore) -> None:
        super().__init__(store)
        self._sent: Counter[Device] = Counter()

    def _rebuilt(self, name: int, block: Block) -> Piece:
        """Return how a block gets one more replica."""
        return Piece(block.size, self._copy(name, block))

    def _copy(self, name: int, block: Block) -> Step:
        """Return the step that makes one more replica: as often as streams allow, more often of a last one."""
        store, layout, cpu = self._store, self._store.layout, self._spec.stream_cpu
        held = store.left(block)
        start = mix(store.salt, name, 11) % len(held)
        source, device = min(held[start:] + held[:start], key=lambda replica: self._sent[replica[1]])
        target = self._server(name, [node for node, _ in held])
        drive = store.datanodes.next_drive(target)
        self._sent[device] += 1
        uses = device.read("direct") + layout.transfer(source, target) + drive.write("direct")
        uses += source.compute(cpu) + target.compute(cpu)
        rate = min(device.read_rate(), drive.write_rate(), layout.stream_rate(source, target))

        def again(left: float) -> Step:
            return self._copy(name, block) if store.left(block) else Delay(0.0)

        block.pieces = [*held, (target, drive)]
        streams = Pool(f"{source.name}/replication", 2.0 * self._spec.replication_streams)
        work = Failover(block.size, Flow(tuple(uses), rate, "one replication stream").demand, again)
        return Hold(streams, 2.0 if len(held) > 1 else 1.0, work)
