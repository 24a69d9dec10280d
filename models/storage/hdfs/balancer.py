"""The balancer of HDFS: it moves blocks from full servers onto new ones, round after round.

In a round a server takes at most `balance_round` bytes and gives no more, up to `balance_moves` blocks at a time, all
of which pass its throttle, `balance_bandwidth`. The next round begins some heartbeats after the last block has come.
Servers are matched in their rack first, and the bytes of a block come from a replica in the rack of the server that
takes it; so the uplinks carry blocks only where all servers of a rack are new. The moves onto a drive are told as one
flow of their number.

It ends as soon as no server is fuller or emptier than the mean by more than `balance_threshold` of its drives. Source:
Apache Hadoop 3.3, Balancer (computeMaxSize2Move, chooseStorageGroups, run), Dispatcher (dispatchBlockMoves,
chooseProxySource), DataXceiver (copyBlock, replaceBlock). Not covered: moves that the placement policy forbids, small
blocks that are passed over (dfs.balancer.getBlocks.min-block-size), and a server that sends more blocks than
`balance_moves`.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

from models.hardware.cluster import Node
from models.rebalance import MOST_STEPS, THROTTLE, Intake, shared
from models.storage.flow import Flow
from models.storage.hdfs.blocks import BlockStore
from models.work import Parallel, Resource, Step, Use

KEY = "balancer"
HEARTBEATS = 3
"""Heartbeats between two rounds. Source: Balancer.run, two heartbeats and dfs.namenode.redundancy.interval."""


class HdfsBalancer:
    """How blocks come onto the servers of a store that hold nothing yet."""

    def __init__(self, store: BlockStore) -> None:
        self._store, self._spec, self._layout = store, store.spec, store.layout
        self._old, self._new = store.holding, store.nodes[len(store.holding) :]
        self._throttles = {node: self._throttle(node) for node in store.nodes}
        self._turns: dict[int, int] = {}

    def intakes(self, held: float, moved: float) -> list[Intake]:
        """Return how each new server takes in its part of `moved` bytes, whatever is held."""
        return [self._intake(*part) for part in shared(self._new, self._spec.bay, moved)]

    def _intake(self, node: Node, bytes: float) -> Intake:
        rounds = math.ceil(bytes / (self._spec.balance_round * min(len(self._old) / len(self._new), 1.0)))
        steps = min(rounds, MOST_STEPS)
        pause = HEARTBEATS * self._spec.heartbeat * rounds / steps
        return Intake(bytes, [self._rounds(node, bytes / steps, steps)], steps, [self._throttles[node]], pause)

    def _throttle(self, node: Node) -> Resource:
        return self._layout.of(node, KEY, THROTTLE, f"{node.group}/{KEY}", "B", self._spec.balance_bandwidth)

    def _rounds(self, target: Node, size: float, rounds: int) -> Iterator[Step]:
        """Yield rounds of so many bytes, whose blocks go side by side to the drives of a server."""
        spec, drives = self._spec, len(target.bays[self._spec.bay])
        blocks = max(math.ceil(size / spec.block_size), 1)
        moves = min(spec.balance_moves, max(spec.balance_threads // len(self._new), 1), blocks)
        lanes = min(drives, moves)
        for _ in range(rounds):
            flows = [self._moves(target).side_by_side(math.ceil(moves / lanes)) for _ in range(lanes)]
            yield Parallel([flow.move(size / lanes) for flow in flows])

    def _moves(self, target: Node) -> Flow:
        """Return the flow of moves onto the next drive of a server; the drives of its rack give in turn."""
        near = [node for node in self._old if node.rack == target.rack] or self._old
        turn = self._turns[target.rack] = self._turns.get(target.rack, -1) + 1
        source, spec = near[turn % len(near)], self._spec
        drives = source.bays[spec.bay]
        device, drive = drives[turn // len(near) % len(drives)], self._store.datanodes.next_drive(target)
        uses = device.read("direct") + self._layout.transfer(source, target) + drive.write("direct")
        uses += [Use(self._throttles[node], 1.0, 1.0) for node in (source, target)]
        uses += source.compute(spec.stream_cpu) + target.compute(spec.stream_cpu)
        rate = min(device.read_rate(), drive.write_rate(), self._layout.stream_rate(source, target))
        return Flow(tuple(uses), rate, "one move")
