"""HDFS with an erasure coding policy computes blocks of groups again that are lost.

The NameNode finds out as with replicas (`models.storage.hdfs.rebuild`) and hands each DataNode at most
`replication_streams` groups with a heartbeat. One that takes a missing block does the work: it reads k blocks of the
group side by side, computes all that are missing at once, keeps its own and sends the others on. Groups with fewer
blocks left come first. So a lost byte costs k reads and k transfers.

Source: Apache Hadoop, ErasureCodingWork (the first target is the worker), StripedBlockReconstructor, DatanodeManager
(tasks a heartbeat). Assumption: a DataNode is handed the next group as soon as one has ended; as the weight of a group
(dfs.datanode.ec.reconstruction.xmits.weight, 0.5) counts, it may wait for both of two.
"""

from __future__ import annotations

import math
from collections.abc import Sequence as Series

from models.hardware.cluster import Device, Node
from models.outage import Piece
from models.storage.flow import Flow, coded
from models.storage.hdfs.blocks import Block
from models.storage.hdfs.rebuild import BlockRebuild
from models.storage.hdfs.striped import StripedStore
from models.storage.placement import mix
from models.work import Delay, Failover, Hold, Pool, Step, Use


class Reconstruction(BlockRebuild[StripedStore]):
    """How the groups that a store knows are made whole again."""

    def __init__(self, store: StripedStore) -> None:
        super().__init__(store)
        self._reads: dict[int, tuple[list[Use], list[Use], float]] = {}

    def _rebuilt(self, name: int, block: Block) -> Piece:
        """Return how all missing blocks of a group are computed."""
        missing = len(block.pieces) - len(self._store.left(block))
        return Piece(self._length(block) * missing, self._made(name, block))

    def _length(self, group: Block) -> float:
        return self._store.policy.lengths(group.size)[0]

    def _made(self, name: int, group: Block) -> Step:
        """Return the step that computes the missing blocks of a group on the first of the servers that take them."""
        store, policy = self._store, self._store.policy
        left = store.left(group)
        lost = [i for i, piece in enumerate(group.pieces) if piece not in left]
        taken = [node for node, _ in left]
        targets: list[tuple[Node, Device]] = []
        for i in lost:
            target = self._server(mix(name, i), taken)
            taken.append(target)
            targets.append((target, store.datanodes.next_drive(target)))
        start = mix(store.salt, name, 11) % len(left)
        sources = (left[start:] + left[:start])[: policy.data]
        for i, piece in zip(lost, targets, strict=True):
            group.pieces[i] = piece
        worker = targets[0][0] if targets else sources[0][0]

        def again(rest: float) -> Step:
            return self._made(name, group) if store.sources(group) else Delay(0.0)

        work = Failover(self._length(group), self._flow(worker, sources, targets).demand, again)
        return Hold(Pool(f"{worker.name}/reconstruction", float(self._spec.replication_streams)), 1.0, work)

    def _flow(self, worker: Node, sources: Series[tuple[Node, Device]], targets: Series[tuple[Node, Device]]) -> Flow:
        """Return the flow per byte of a block: k sources to the worker, and from it to those that take the others."""
        layout, policy, cpu = self._store.layout, self._store.policy, self._spec.stream_cpu
        uses, rate = list[Use](), math.inf
        own = worker.compute(cpu)
        for server, device in sources:
            read, sent, most = self._read(server, device)
            uses += (*read, *layout.transfer(server, worker), *sent, *own)
            rate = min(rate, most, layout.stream_rate(server, worker))
        for server, device in targets:
            uses += device.write("direct") + layout.transfer(worker, server) + server.compute(cpu)
            rate = min(rate, device.write_rate(), layout.stream_rate(worker, server))
        decoding = self._spec.encode_cpu * policy.data * len(targets) / policy.parity
        return Flow(tuple(uses), rate, "one reconstruction").joined(coded(worker, decoding))

    def _read(self, server: Node, device: Device) -> tuple[list[Use], list[Use], float]:
        """Return what a byte takes of a source and of its server, and a lone reader's rate, looked up once."""
        key = device.resource.index
        if key not in self._reads:
            self._reads[key] = device.read("direct"), server.compute(self._spec.stream_cpu), device.read_rate()
        return self._reads[key]
