"""HDFS with an erasure coding policy computes blocks of groups again that are lost.

The NameNode finds out as with replicas (`models.storage.hdfs.replication`) and hands each DataNode at most
`replication_streams` groups with a heartbeat. One that takes a missing block does the work: it reads k blocks of the
group side by side, computes all that are missing at once, keeps its own and sends the others on. Groups with fewer
blocks left come first. So a lost byte costs k reads and k transfers.

Source: Apache Hadoop, ErasureCodingWork (the first target is the worker), StripedBlockReconstructor, DatanodeManager
(tasks a heartbeat). Assumption: a DataNode is handed the next group as soon as one has ended; as the weight of a group
(dfs.datanode.ec.reconstruction.xmits.weight, 0.5) counts, it may wait for both of two.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence as Series

from models.hardware.cluster import Device, Node
from models.outage import Piece, Repair
from models.storage.flow import Flow, compute
from models.storage.hdfs.striped import Group, StripedStore
from models.storage.placement import mix
from models.work import Delay, Failover, Hold, Pool, Step, Use


class Reconstruction:
    """How the groups that a store knows are made whole again."""

    def __init__(self, store: StripedStore) -> None:
        self._store, self._spec, self._outage = store, store.spec, store.outage
        self._taken: Counter[Node] = Counter()

    def fill(self, node: Node, devices: Series[Device], pieces: int, size: float) -> None:
        """Take account of `pieces` groups of `size` bytes that have a block on some drives of one server."""
        store, first = self._store, node.index - self._store.nodes[0].index
        for name in range(pieces):
            salt = mix(store.salt, name)
            others = [store.nodes[i] for i in store.placement.replicas(store.policy.pieces, first, salt)[1:]]
            held = [(server, server.bays[self._spec.bay]) for server in others]
            placed = [(server, drives[salt % len(drives)]) for server, drives in held]
            store.groups[name] = Group(size, [(node, devices[name % len(devices)]), *placed])

    def piece(self, object_size: float) -> tuple[float, float]:
        """Return the bytes of what is made whole at a time, a group, and those of one block."""
        return self._spec.block_size * self._store.policy.data, self._spec.block_size

    def repair(self, resources: set[int], is_server: bool) -> Repair:
        """Return how groups are made whole after the loss of some resources, or of a whole server."""
        live = [node for node in self._store.nodes if node.index not in self._outage.nodes]
        delay = self._spec.dead_node_time if is_server else self._spec.heartbeat
        round_ = self._spec.replication_work * max(len(live), 1)
        return Repair(delay, lambda: self._pieces(resources), round_, self._spec.heartbeat)

    def lost(self) -> float:
        """Return the bytes of groups of which fewer than k blocks are left."""
        return sum(group.size for group in self._store.groups.values() if not self._store.sources(group))

    def _pieces(self, resources: set[int]) -> Iterator[Piece]:
        groups = self._store.groups.items()
        for name, group in sorted(groups, key=lambda item: len(self._left(item[1]))):
            is_hit = any(device.resource.index in resources for _, device in group.pieces)
            if is_hit and self._store.sources(group):
                missing = len(group.pieces) - len(self._left(group))
                yield Piece(self._length(group) * missing, self._made(name, group))

    def _left(self, group: Group) -> list[tuple[Node, Device]]:
        return [piece for piece in group.pieces if self._outage.holds_data(*piece)]

    def _length(self, group: Group) -> float:
        return self._store.policy.lengths(group.size)[0]

    def _made(self, name: int, group: Group) -> Step:
        """Return the step that computes the missing blocks of a group on the first of the servers that take them."""
        store, policy, left = self._store, self._store.policy, self._left(group)
        lost = [i for i, piece in enumerate(group.pieces) if piece not in left]
        taken = [node for node, _ in left]
        targets: list[tuple[Node, Device]] = []
        for i in lost:
            drawn = [store.datanodes.server(mix(name, i), taken, draw) for draw in range(2)]
            target = min(drawn, key=lambda node: self._taken[node])
            self._taken[target] += 1
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
        for server, device in sources:
            uses += device.read("direct") + layout.transfer(server, worker) + server.compute(cpu) + worker.compute(cpu)
            rate = min(rate, device.read_rate(), layout.stream_rate(server, worker))
        for server, device in targets:
            uses += device.write("direct") + layout.transfer(worker, server) + server.compute(cpu)
            rate = min(rate, device.write_rate(), layout.stream_rate(worker, server))
        decoding = self._spec.encode_cpu * policy.data * len(targets) / policy.parity
        return Flow(tuple(uses), rate, "one reconstruction").joined(compute(worker, decoding))
