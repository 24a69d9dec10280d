"""What the NameNode does about blocks that have lost pieces, whichever way they are made whole again.

It learns of a failed drive with the next heartbeat and of a dead server after `dead_node_time`; then it has
`replication_work` blocks a live DataNode made whole in every round, those with the fewest pieces left first. A DataNode
whose drive fails goes on with the others (dfs.datanode.failed.volumes.tolerated above 0).

No server takes a second piece of a block (BlockPlacementPolicyDefault excludes those that have one), so that where
fewer are left than a block has pieces, blocks lack one until what failed is replaced. Assumption: all of the repair
then waits for that; the NameNode makes before what it can of blocks that have lost several.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterator, Sequence as Series
from typing import Generic, TypeVar

from models.hardware.cluster import Device, Node
from models.outage import Piece, Repair
from models.storage.hdfs.blocks import Block, BlockStore
from models.storage.hdfs.datanodes import Replica
from models.storage.placement import mix

Store = TypeVar("Store", bound=BlockStore)
DRAWS = 64
"""Times that places of a block are drawn where some are lost. Assumption: enough to find some, if there are any."""


class BlockRebuild(ABC, Generic[Store]):
    """How the blocks that a store knows are made whole again."""

    def __init__(self, store: Store) -> None:
        self._store, self._spec, self._outage = store, store.spec, store.outage
        self._taken: Counter[Node] = Counter()
        self._times = 1.0  # blocks for which one stands

    def fill(self, held: Series[Replica], pieces: int, size: float, times: float = 1.0) -> None:
        """Take account of blocks of `size` bytes that have `pieces` pieces on some drives; each stands for `times`."""
        store, lost = self._store, {device for _, device in held}
        self._times = times
        count = sum(device in lost for block in store.blocks.values() for _, device in block.pieces)
        while count < pieces:
            name = len(store.blocks)
            placed = self._placed(name, held[name % len(held)], lost)
            store.blocks[name] = Block(size * times, placed)
            count += sum(device in lost for _, device in placed)

    def _placed(self, name: int, first: Replica, lost: set[Device]) -> list[Replica]:
        """Return where a block lies with its first piece at a place, and none on what was lost before it."""
        store, bay = self._store, self._spec.bay
        for draw in range(DRAWS):
            salt = mix(store.salt, name, draw) if draw else mix(store.salt, name)
            at = store.placement.replicas(self._spec.code.pieces, first[0].index - store.nodes[0].index, salt)
            drives = [(store.nodes[i], store.nodes[i].bays[bay]) for i in at[1:]]
            placed = [first, *((node, held[salt % len(held)]) for node, held in drives)]
            if all(device in lost or self._outage.holds_data(node, device) for node, device in placed):
                break
        return placed

    def piece(self, object_size: float) -> tuple[float, float]:
        """Return the bytes of what is made whole at a time, and those of one piece, whatever objects there are."""
        return self._spec.block_size * self._spec.code.data, self._spec.block_size

    def repair(self, resources: set[int], is_server: bool) -> Repair:
        """Return how blocks are made whole after the loss of some resources, or of a whole server."""
        gone = self._outage.lost | resources
        up = [node for node in self._store.nodes if node.index not in self._outage.nodes]
        takes = sum(any(drive.resource.index not in gone for drive in node.bays[self._spec.bay]) for node in up)
        waits = takes < self._spec.code.pieces
        delay = self._spec.dead_node_time if is_server and not waits else self._spec.heartbeat
        back = self._replaced(resources) if waits else 0
        round_ = self._spec.replication_work * max(len(up) + back, 1)
        batch = max(round(round_ / self._times), 1)
        interval = self._spec.heartbeat * (self._times * batch / round_)
        return Repair(delay, lambda: self._pieces(resources), batch, interval, needs_replacement=waits)

    def _replaced(self, resources: set[int]) -> int:
        """Return how many servers that are down come back with what replaces some resources."""
        down = (node for node in self._store.nodes if node.index in self._outage.nodes)
        return sum(any(drive.resource.index in resources for drive in node.bays[self._spec.bay]) for node in down)

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
