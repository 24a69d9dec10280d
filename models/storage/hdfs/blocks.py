"""The blocks of HDFS on the servers of a layout, with replicas or striped: what both kinds of them share."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

from models.hardware.cluster import Device, Layout, Node
from models.hardware.drive import Access
from models.hardware.page_cache import PageCache
from models.outage import Outage
from models.rebalance import holding
from models.storage.flow import Flow, rerouted
from models.storage.hdfs.datanodes import DataNodes, Replica
from models.storage.hdfs.operations import operations
from models.storage.hdfs.system import Hdfs
from models.storage.placement import ServerChoice, mix
from models.storage.site import Placed
from models.work import Deferred, Delay, Sequence, Step


@dataclass(slots=True)
class Block:
    """A block, or a striped group of them: the bytes that it holds, and where its pieces were put, data first."""

    size: float
    pieces: list[Replica]


class Writing(NamedTuple):
    """A file that a task on `node` writes, in blocks of `size` bytes.

    `own` is what the task itself uses per byte while it writes; `page` is the page cache of a server.
    """

    file: int
    node: Node
    size: float
    own: Flow
    access: Access
    page: Callable[[Node], PageCache]
    replicas: int


class BlockStore(ABC):
    """HDFS on the servers of a layout; where something may fail, `blocks` are known by name with their pieces.

    What is read lies, as `held` says, on the servers that are `holding` data; what is written goes to all.
    """

    choice: type[ServerChoice]
    """How the servers of a block are chosen."""

    def __init__(self, spec: Hdfs, layout: Layout, salt: int, outage: Outage | None = None) -> None:
        self.spec, self.layout, self.salt = spec, layout, salt
        self.outage = outage or Outage()
        self.nodes, self.holding = layout.groups[spec.servers], holding(layout, spec.servers)
        self.placement = self.choice([node.rack for node in self.nodes])
        self.held = self.choice([node.rack for node in self.holding])
        self.datanodes = DataNodes(self.nodes, spec.bay, salt, self.outage)
        self.blocks: dict[int, Block] = {}
        self._averages: dict[tuple[int, int], Flow] = {}
        self._writers: dict[tuple[Flow, float, int, int], Flow] = {}

    @property
    def split_size(self) -> float:
        """Bytes of one input split: those of a block."""
        return self.spec.block_size

    def streamed(self, size: float) -> float:
        """Return the bytes (B) of a block, which lie in one place."""
        return self.split_size

    def places(self, data: float) -> int:
        """Return the number of splits in which `data` bytes lie."""
        return max(round(data / self.spec.block_size), 1)

    def average(self, node: Node) -> Flow:
        """Return the flow of a client on `node` that reads from everywhere, looked up once for each change."""
        key = node.index, self.outage.epoch
        if key not in self._averages:
            self._averages[key] = rerouted(self._average(node), node, self.outage, lambda: self.average(node))
        return self._averages[key]

    def names(self, lookups: int, changes: int, size: float | None) -> Step:
        """Return the step in which a client has asked the NameNode, and that of a new file of `size` bytes."""
        asked = operations(self.spec).names(lookups, changes, size).flow(Placed(self.layout, {}, {}, "direct"))
        return Sequence((Delay(asked.latency, "calls to the NameNode"), *asked.opening))

    @abstractmethod
    def _average(self, node: Node) -> Flow:
        """Return that flow as things stand."""

    def left(self, block: Block) -> list[Replica]:
        """Return the pieces of a block that are left."""
        return [piece for piece in block.pieces if self.outage.holds_data(*piece)]

    def sources(self, block: Block) -> list[Replica]:
        """Return the pieces from which a block is read, data first: as many as hold its bytes once, or none.

        Of replicas it may be any.
        """
        left, data = self.left(block), self.spec.code.data
        return left[:data] if len(left) >= data else []

    def _planned(self, writing: Writing, number: int, plan: Callable[[], tuple[Step, list[Replica]]]) -> Step:
        """Return the step that writes a block of a file, planned once more when it begins if something failed since.

        `plan` answers with the step, and with where the pieces of the block lie.
        """
        planned, epoch = plan(), self.outage.epoch
        if not self.outage.may_fail:
            return planned[0]

        def begin() -> Step:
            step, pieces = planned if self.outage.epoch == epoch else plan()
            self.blocks[self._name(writing.file, number)] = Block(writing.size, pieces)
            return step

        return Deferred(begin, likely=planned[0])

    def _waiting(self, own: Flow, amount: float, replicas: int, spare: int, blocks: int) -> Flow:
        """Return the flow of a task that waits between the blocks of a file of `amount` bytes, and when it is closed.

        Each block goes to so many `replicas` one after the other, and so many pieces of it are `spare`.
        """
        key = own, amount, replicas, spare
        flow = self._writers.get(key)
        if flow is None:
            pause = self.spec.waits(blocks, replicas, spare) / amount if amount > 0 else 0.0
            flow = self._writers[key] = own.joined(Flow(pause=pause)) if pause else own
        return flow

    def _name(self, file: int, number: int) -> int:
        """Return a number that no two blocks share."""
        return mix(self.salt, file, number, 1)

    def _behind(self, writing: Writing, server: Node, device: Device, length: float) -> Step:
        """Return the step in which a server takes `length` bytes of a block."""
        return writing.page(server).write(device, length, writing.access)
