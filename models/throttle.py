"""A limit on the bytes a second that a workload reads and writes: one more resource that its streams use.

A byte counts where the workload reads it from a storage system or hands it over to one, and nowhere on its way between
its tasks, drives and caches: that of a copy once, as it is read from its origin; that of a job once as input and once
as output, however many replicas or shards are made of it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from models.hardware.cluster import Node
from models.hardware.drive import Access
from models.outage import Repairs
from models.storage.clients.mount import Mount
from models.storage.flow import Flow
from models.work import Resource, Step, Use

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class Throttled:
    """A storage system as a workload sees it that is to read and write so many bytes a second at most."""

    mount: Mount
    limit: Flow

    @property
    def repairs(self) -> Repairs | None:
        """How the system rebuilds what failed, None where that is not modelled."""
        return self.mount.repairs

    @property
    def split_size(self) -> float:
        """Bytes of one input split."""
        return self.mount.split_size

    @property
    def wait(self) -> float:
        """Mean seconds from asking for a range to its first byte."""
        return self.mount.wait

    @property
    def overread(self) -> float:
        """Bytes moved per byte that is asked for."""
        return self.mount.overread

    @property
    def write_cpu(self) -> float:
        """Reference core-seconds per byte that the client spends on what it writes."""
        return self.mount.write_cpu

    def hold(self, splits: int, size: float) -> None:
        """Take account of an input of `splits` splits of `size` bytes, of which drives may fail."""
        self.mount.hold(splits, size)

    def preferred(self, splits: int) -> NDArray[np.int32] | None:
        """Return the nodes that hold each split; None where all are equally far."""
        return self.mount.preferred(splits)

    def read(self, split: int, splits: int, node: Node, access: Access) -> Flow:
        """Return the flow of reading one of `splits` splits within the limit."""
        return self.mount.read(split, splits, node, access).joined(self.limit)

    def places(self, data: float) -> int:
        """Return the number of places at which `data` bytes lie."""
        return self.mount.places(data)

    def fetch(self, place: int, places: int, node: Node, size: float) -> Flow:
        """Return the flow of ranges at one of `places` within the limit."""
        return self.mount.fetch(place, places, node, size).joined(self.limit)

    def average(self, node: Node, size: float) -> Flow:
        """Return the flow of ranges that lie anywhere within the limit."""
        return self.mount.average(node, size).joined(self.limit)

    def write(self, file: int, node: Node, amount: float, own: Flow, access: Access, replication: int | None) -> Step:
        """Return the step of writing a task's file within the limit while spending `own` per byte."""
        return self.mount.write(file, node, amount, own.joined(self.limit), access, replication)

    def commit(self, files: int, amount: float, node: Node) -> Step:
        """Return the step that commits a job of `files` files with `amount` bytes in all."""
        return self.mount.commit(files, amount, node)

    def requests(self, splits: int, files: int, amount: float) -> Mapping[str, int]:
        """Return the requests of a job by kind."""
        return self.mount.requests(splits, files, amount)

    def shares(self, group: str, place: str) -> bool:
        """Tell whether the system keeps its bytes on the drives at `place` of a server group."""
        return self.mount.shares(group, place)


def throttled(mount: Mount, resource: Resource) -> Throttled:
    """Return a storage system of which a workload reads and writes as many bytes a second as a resource carries."""
    return Throttled(mount, Flow((Use(resource, 1.0, 1.0),), max(resource.capacity), "the workload's throttle"))
