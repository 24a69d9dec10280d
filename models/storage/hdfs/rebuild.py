"""What the NameNode does about blocks that have lost pieces, whichever way they are made whole again.

It learns of a failed drive with the next heartbeat and of a dead server after `dead_node_time`; then it has
`replication_work` blocks a live DataNode made whole in every round, those with the fewest pieces left first. A DataNode
whose drive fails goes on with the others (dfs.datanode.failed.volumes.tolerated above 0).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterator, Sequence as Series
from typing import Generic, TypeVar

from models.hardware.cluster import Device, Node
from models.outage import Piece, Repair
from models.storage.hdfs.blocks import Block, BlockStore
from models.storage.placement import mix

Store = TypeVar("Store", bound=BlockStore)


class BlockRebuild(ABC, Generic[Store]):
    """How the blocks that a store knows are made whole again."""

    def __init__(self, store: Store) -> None:
        self._store, self._spec, self._outage = store, store.spec, store.outage
        self._taken: Counter[Node] = Counter()

    def fill(self, node: Node, devices: Series[Device], pieces: int, size: float) -> None:
        """Take account of `pieces` blocks of `size` bytes that have a piece on some drives of one server."""
        store, first = self._store, node.index - self._store.nodes[0].index
        for name in range(pieces):
            salt = mix(store.salt, name)
            others = [store.nodes[i] for i in store.placement.replicas(self._spec.code.pieces, first, salt)[1:]]
            held = [(server, server.bays[self._spec.bay]) for server in others]
            placed = [(server, drives[salt % len(drives)]) for server, drives in held]
            store.blocks[name] = Block(size, [(node, devices[name % len(devices)]), *placed])

    def piece(self, object_size: float) -> tuple[float, float]:
        """Return the bytes of what is made whole at a time, and those of one piece, whatever objects there are."""
        return self._spec.block_size * self._spec.code.data, self._spec.block_size

    def repair(self, resources: set[int], is_server: bool) -> Repair:
        """Return how blocks are made whole after the loss of some resources, or of a whole server."""
        live = [node for node in self._store.nodes if node.index not in self._outage.nodes]
        delay = self._spec.dead_node_time if is_server else self._spec.heartbeat
        round_ = self._spec.replication_work * max(len(live), 1)
        return Repair(delay, lambda: self._pieces(resources), round_, self._spec.heartbeat)

    def lost(self) -> float:
        """Return the bytes of blocks of which too few pieces are left to read them."""
        return sum(block.size for block in self._store.blocks.values() if not self._store.sources(block))

    def _pieces(self, resources: set[int]) -> Iterator[Piece]:
        store = self._store
        for name, block in sorted(store.blocks.items(), key=lambda item: len(store.left(item[1]))):
            if any(device.resource.index in resources for _, device in block.pieces) and store.sources(block):
                yield self._rebuilt(name, block)

    @abstractmethod
    def _rebuilt(self, name: int, block: Block) -> Piece:
        """Return how a block is made whole."""

    def _server(self, name: int, taken: Series[Node]) -> Node:
        """Return the server that takes a piece: of two that are drawn the one that has taken fewer."""
        drawn = [self._store.datanodes.server(name, taken, draw) for draw in range(2)]
        server = min(drawn, key=lambda node: self._taken[node])
        self._taken[server] += 1
        return server
