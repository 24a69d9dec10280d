"""MapReduce while servers and drives fail: reduces wait for map output that is made again, and fetch it elsewhere.

Map output that a server or drive took with it is made again by the maps that had ended there, which start when YARN
gives the server up; a reduce that was fetching goes on when they have ended, with what was left, from all servers that
are up. Not covered: fetch failures that tell of the loss before YARN does, and outputs that a reduce holds already.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from models.hardware.cluster import Device, Layout, Node
from models.jobs.mapreduce import MapReduce
from models.jobs.mapreduce_plan import Files, MapReducePlan, Portion
from models.outage import Outage
from models.storage.flow import Flow
from models.work import Await, Failover, Moment, Pool, Sequence, Step


@dataclass(frozen=True, eq=False)
class Fetch(Flow):
    """What a reduce fetches: after a loss it waits until the map output is whole again."""

    resume: Callable[[float], Step] | None = None

    def move(self, amount: float) -> Step:
        """Return the step that moves `amount` bytes."""
        return super().move(amount) if self.resume is None else Failover(amount, self.demand, self.resume)


class FailingMapReducePlan(MapReducePlan):
    """A MapReduce job on a layout in which something fails."""

    def __init__(
        self,
        job: MapReduce,
        layout: Layout,
        files: Files,
        page: Callable[[Node], Pool],
        salt: int,
        outage: Outage,
    ) -> None:
        super().__init__(job, layout, files, page, salt)
        self._outage = outage
        self._moment: Moment | None = None

    def _reduce(self, task: int, index: int, moment: Moment) -> Step:
        self._moment = moment
        return super()._reduce(task, index, moment)

    def _fetch(self, node: Node) -> Flow:
        flow = self._fetch_from(self._portions(node), node)
        if node.index in self._outage.nodes or not flow.uses:
            return flow
        return Fetch(
            flow.uses, flow.max_rate, flow.cap, weight=flow.weight, resume=lambda left: self._resume(node, left)
        )

    def _resume(self, node: Node, left: float) -> Step:
        assert self._moment is not None  # a reduce has begun
        return Sequence((Await(self._moment.milestone("map")), self._fetch(node).move(left)))

    def _portions(self, node: Node) -> list[Portion]:
        """Return from where a reduce fetches: from the servers and drives that are up, in their old proportions."""
        every = [
            (source, share, sent, self._up(source, devices)) for source, share, sent, devices in super()._portions(node)
        ]
        live = [portion for portion in every if portion[3]]
        whole = sum(share for _, share, _, _ in live)
        return [(source, share / whole, sent / whole, devices) for source, share, sent, devices in live]

    def _up(self, node: Node, devices: tuple[Device, ...]) -> tuple[Device, ...]:
        return tuple(device for device in devices if self._outage.takes_writes(node, device))

    def _local(self, node: Node, task: int) -> Device:
        devices = self._up(node, node.devices(self._framework.local_dirs)) or node.devices(self._framework.local_dirs)
        return devices[task // len(self._nodes) % len(devices)]
