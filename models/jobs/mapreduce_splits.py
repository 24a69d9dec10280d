"""Where the splits of an input lie: each in a block of the store, or in several where splits are told to be larger.

A map asks for its blocks one after the other, and is to run where the first of them lies. Assumption: a split begins
with a block, and its blocks have equal parts of it.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from models.hardware.cluster import Node
from models.hardware.drive import Access
from models.jobs.mapreduce import MapReduce
from models.storage.clients.mount import Mount
from models.storage.flow import Flow
from models.work import Sequence, Step

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class Splits:
    """The input of a job on servers that stand for some `alike`, of which `tasks` maps are planned."""

    def __init__(self, job: MapReduce, files: Mount, alike: float) -> None:
        size = job.split_of(files.split_size)
        self.maps = job.map_tasks(size, alike)
        self.blocks = math.ceil(size / files.split_size - 1e-9)
        self._files, self._block = files, job.input / self.maps / self.blocks
        self._places = 0
        self._access: Access = "direct"

    def hold(self, tasks: int, access: Access) -> None:
        """Take account of the blocks of so many maps, and of how they are read."""
        self._places, self._access = tasks * self.blocks, access
        if self._block:
            self._files.hold(self._places, self._block)

    def preferred(self) -> NDArray[np.int32] | None:
        """Return the nodes that hold the first block of each split; None where all are equally far."""
        held = self._files.preferred(self._places)
        return None if held is None else held[:: self.blocks]

    def flow(self, task: int, node: Node, block: int = 0) -> Flow:
        """Return the flow of a block of a map's split."""
        return self._files.read(task * self.blocks + block, self._places, node, self._access)

    def read(self, first: Flow, task: int, node: Node, own: Flow) -> Step:
        """Return the step of a map that reads its split, whose `first` block is given, and spends `own` on a byte."""
        if self.blocks == 1:
            return first.step(self._block, own)
        others = (self.flow(task, node, block) for block in range(1, self.blocks))
        return Sequence([block.step(self._block, own) for block in (first, *others)])
