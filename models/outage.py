"""What is down at the moment: the simulator tells it, and the models read it when they plan.

A run without failures has an outage that stays empty. A drive is `lost` with all that it held; once replaced it takes
writes again, but is `empty` until its data has been rebuilt.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

from models.values import value
from models.work import Step

if TYPE_CHECKING:
    from models.hardware.cluster import Device, Node


@dataclass(slots=True)
class Outage:
    """Nodes and drives that are down, by index of node and of resource; `epoch` counts the changes.

    Only where something `may_fail` do plans know another way, and does a store keep account of what lies where.
    """

    may_fail: bool = False
    nodes: set[int] = field(default_factory=set)
    lost: set[int] = field(default_factory=set)
    empty: set[int] = field(default_factory=set)
    epoch: int = 0
    refused: int = 0  # writes that found too few drives for their quorum

    def takes_writes(self, node: Node, device: Device) -> bool:
        """Tell whether a drive can be written to."""
        return node.index not in self.nodes and device.resource.index not in self.lost

    def holds_data(self, node: Node, device: Device) -> bool:
        """Tell whether a drive can be read from: it is up, and not a replacement that is still to be filled."""
        return self.takes_writes(node, device) and device.resource.index not in self.empty

    def up(self, node: Node, devices: Sequence[Device]) -> Sequence[Device]:
        """Return those of some drives of a node that can be written to; all of them if none can."""
        if not self.epoch:
            return devices
        return [device for device in devices if self.takes_writes(node, device)] or devices


@value()
class Piece:
    """A part of a repair: the bytes that it makes safe again, and the step that does so."""

    bytes: float
    step: Step


@value()
class Repair:
    """How a storage system rebuilds after a failure: in the background, from `delay` s after it.

    `pieces` is asked when the repair begins. `batch` of them start every `interval` s (all at once for 0 s). With
    `needs_replacement` the delay counts from when the component has been replaced.
    """

    delay: float
    pieces: Callable[[], Iterable[Piece]]
    batch: int = 1
    interval: float = 0.0
    needs_replacement: bool = False


class Repairs(Protocol):
    """What the simulator asks of a storage system in which something failed."""

    def repair(self, resources: set[int], is_server: bool) -> Repair:
        """Return how the loss of some resources, or of a whole server, is repaired."""
        ...

    def lost(self) -> float:
        """Return the bytes that have no way back."""
        ...


class ObjectRepairs(Repairs, Protocol):
    """The same of an object store, which is told of its objects one by one."""

    def hold(self, name: int, size: float, *, is_output: bool = False) -> None:
        """Take account of an object of `size` bytes, which a job reads or writes."""
        ...
