"""HDFS replicates blocks again that have lost a replica.

Of the servers with a replica the one sends that has the fewest copies to send, and of two servers that are drawn the
one takes a copy that has taken fewer: the NameNode passes over servers that are busy (BlockManager.
chooseSourceDatanodes, dfs.namenode.redundancy.considerLoad). Assumption: that choosing between two comes to the same.

A server sends `replication_streams` blocks at a time. A block that has lost several replicas goes to as many servers
at once: the first one sends it on to the next, as when it was written (BlockManager.scheduleReconstruction asks for all
that are missing, DataNode.DataTransfer writes to all targets).

Not covered: time-outs of clients, balancing after a replacement, blocks of tasks that died and left them behind.
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
        """Return how a block gets the replicas that it has lost."""
        return Piece(block.size * self._missing(block), self._copy(name, block))

    def _missing(self, block: Block) -> int:
        """Return the replicas that a block has lost and servers without one can take."""
        left = len(self._store.left(block))
        return min(len(block.pieces) - left, len(self._store.datanodes.up()) - left)

    def _copy(self, name: int, block: Block) -> Step:
        """Return the step that makes its lost replicas anew: as often as streams allow, more often from a last one."""
        store, layout, cpu = self._store, self._store.layout, self._spec.stream_cpu
        held, missing = store.left(block), self._missing(block)
        if missing < 1:
            return Delay(0.0)
        start = mix(store.salt, name, 11) % len(held)
        source, device = min(held[start:] + held[:start], key=lambda replica: self._sent[replica[1]])
        self._sent[device] += 1
        uses, rate, sender = [*device.read("direct"), *source.compute(cpu)], device.read_rate(), source
        pieces = list(held)
        for number in range(missing):
            target = self._server(mix(name, number) if number else name, [node for node, _ in pieces])
            drive = store.datanodes.next_drive(target)
            uses += layout.transfer(sender, target) + drive.write("direct") + target.compute(cpu)
            rate = min(rate, drive.write_rate(), layout.stream_rate(sender, target))
            pieces.append((target, drive))
            sender = target

        def again(left: float) -> Step:
            return self._copy(name, block) if store.left(block) else Delay(0.0)

        block.pieces = pieces
        streams = Pool(f"{source.name}/replication", 2.0 * self._spec.replication_streams)
        work = Failover(block.size, Flow(tuple(uses), rate, "one replication stream").demand, again)
        return Hold(streams, 2.0 if len(held) > 1 else 1.0, work)
