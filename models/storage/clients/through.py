"""A storage system behind something that each byte of a workload passes: a file system on top, or a throttle."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import TYPE_CHECKING

from models.hardware.cluster import Node
from models.hardware.drive import Access
from models.outage import Repairs
from models.storage.clients.mount import Mount
from models.storage.flow import Flow
from models.work import Step

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class Through(ABC):
    """A mounted system whose bytes pass through something else on their way."""

    def __init__(self, mount: Mount) -> None:
        self._mount = mount

    @abstractmethod
    def passing(self, flow: Flow, node: Node) -> Flow:
        """Return a flow from or to a node as it passes."""

    @property
    def repairs(self) -> Repairs | None:
        """How the system rebuilds what failed, None where that is not modelled."""
        return self._mount.repairs

    @property
    def split_size(self) -> float:
        """Bytes of one input split."""
        return self._mount.split_size

    def streamed(self, size: float) -> float:
        """Return the bytes of a file of `size` bytes (B) that a stream gets in one go, before it asks anew."""
        return self._mount.streamed(size)

    @property
    def wait(self) -> float:
        """Mean seconds from asking for a range to its first byte."""
        return self._mount.wait

    @property
    def overread(self) -> float:
        """Bytes moved per byte that is asked for."""
        return self._mount.overread

    @property
    def write_cpu(self) -> float:
        """Reference core-seconds per byte that the client spends on what it writes."""
        return self._mount.write_cpu

    @property
    def keeps_checksums(self) -> bool:
        """Whether the system has a checksum of each file, which takes a lookup."""
        return self._mount.keeps_checksums

    def hold(self, splits: int, size: float) -> None:
        """Take account of an input of `splits` splits of `size` bytes, of which drives may fail."""
        self._mount.hold(splits, size)

    def preferred(self, splits: int) -> NDArray[np.int32] | None:
        """Return the nodes that hold each split; None where all are equally far."""
        return self._mount.preferred(splits)

    def read(self, split: int, splits: int, node: Node, access: Access, file: float | None = None) -> Flow:
        """Return the flow of reading one of `splits` splits."""
        return self.passing(self._mount.read(split, splits, node, access, file), node)

    def places(self, data: float) -> int:
        """Return the number of places at which `data` bytes lie."""
        return self._mount.places(data)

    def fetch(self, place: int, places: int, node: Node, size: float, file: float | None = None) -> Flow:
        """Return the flow of ranges at one of `places`."""
        return self.passing(self._mount.fetch(place, places, node, size, file), node)

    def average(self, node: Node, size: float) -> Flow:
        """Return the flow of ranges that lie anywhere."""
        return self.passing(self._mount.average(node, size), node)

    def write(self, file: int, node: Node, amount: float, own: Flow, access: Access, replication: int | None) -> Step:
        """Return the step of writing a task's file while spending `own` per byte."""
        return self._mount.write(file, node, amount, self.passing(own, node), access, replication)

    def create(self, file: int, node: Node, amount: float, own: Flow, *, is_renamed: bool) -> Step:
        """Return the step of writing a file that a program creates itself while spending `own` per byte."""
        return self._mount.create(file, node, amount, self.passing(own, node), is_renamed=is_renamed)

    def names(self, lookups: int, changes: int, size: float | None) -> Step | None:
        """Return the step of so many lookups and changes of names, with those of a new file if it has a `size`."""
        return self._mount.names(lookups, changes, size)

    def commit(self, files: int, amount: float, node: Node) -> Step:
        """Return the step that commits a job of `files` files with `amount` bytes in all."""
        return self._mount.commit(files, amount, node)

    def requests(self, splits: int, files: int, amount: float) -> Mapping[str, int]:
        """Return the requests of a job by kind."""
        return self._mount.requests(splits, files, amount)

    def shares(self, group: str, place: str) -> bool:
        """Tell whether the system keeps its bytes on the drives at `place` of a server group."""
        return self._mount.shares(group, place)
