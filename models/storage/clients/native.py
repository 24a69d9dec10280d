"""A file system through its own client: output is renamed in its name space.

A FileOutputCommitter of version 1 does so in one thread as the job commits, once for each file: the folders of output
and task are looked up, and what would be in its place. Not covered: what a task's commit asks, some milliseconds.
Source: Apache Hadoop, FileOutputCommitter.mergePaths.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from models.hardware.cluster import Node
from models.hardware.drive import Access
from models.outage import Repairs
from models.storage.clients.mount import Page, Shares
from models.storage.clients.reading import SHIPPED, Algorithm
from models.storage.contract import FileStore
from models.storage.flow import Flow
from models.work import Delay, Step

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

LOOKUPS = 3
"""Lookups of names for each file that is renamed as a job commits. Source: as above."""


class NativeMount:
    """Files of a file system as tasks read and write them."""

    wait = 0.0
    overread = 1.0
    keeps_checksums = True

    def __init__(
        self, store: FileStore, page: Page, shares: Shares, repairs: Repairs | None, algorithm: Algorithm | None = None
    ) -> None:
        self._store, self._page, self.shares, self.repairs = store, page, shares, repairs
        self._renames_again = (algorithm or SHIPPED) == 1

    @property
    def split_size(self) -> float:
        """Bytes of one input split."""
        return self._store.split_size

    def streamed(self, size: float) -> float:
        """Return the bytes (B) of a file that lie in one place: a block, or all of it."""
        return self._store.streamed(size)

    @property
    def write_cpu(self) -> float:
        """Reference core-seconds per byte that the client spends on what it writes."""
        return self._store.write_cpu

    def hold(self, splits: int, size: float) -> None:
        """Take account of an input of `splits` splits of `size` bytes."""
        if self.repairs is not None:
            self._store.hold(splits, size)

    def preferred(self, splits: int) -> NDArray[np.int32] | None:
        """Return the nodes that hold each split."""
        return self._store.preferred(splits)

    def read(self, split: int, splits: int, node: Node, access: Access, file: float | None = None) -> Flow:
        """Return the flow of reading one of `splits` splits."""
        return self._store.read(split, splits, node, access, file)

    def places(self, data: float) -> int:
        """Return the number of places at which `data` bytes lie."""
        return self._store.places(data)

    def fetch(self, place: int, places: int, node: Node, size: float, file: float | None = None) -> Flow:
        """Return the flow of ranges at one of `places`."""
        return self._store.read(place % places, places, node, "direct", file)

    def average(self, node: Node, size: float) -> Flow:
        """Return the flow of ranges that lie anywhere."""
        return self._store.average(node)

    def write(self, file: int, node: Node, amount: float, own: Flow, access: Access, replication: int | None) -> Step:
        """Return the step of writing a task's file."""
        return self._store.write(file, node, amount, own, access, self._page, replication)

    def create(self, file: int, node: Node, amount: float, own: Flow, *, is_renamed: bool) -> Step:
        """Return the step of writing a file that a program creates itself; a rename moves no bytes."""
        return self.write(file, node, amount, own, "buffered", None)

    def names(self, lookups: int, changes: int, size: float | None) -> Step | None:
        """Return the step of so many lookups and changes of names, with those of a new file if it has a `size`."""
        return self._store.names(lookups, changes, size)

    def commit(self, files: int, amount: float, node: Node) -> Step:
        """Return the step that commits the job."""
        renamed = self._store.names(LOOKUPS * files, files, None) if self._renames_again and files else None
        return renamed or Delay(0.0)

    def requests(self, splits: int, files: int, amount: float) -> Mapping[str, int]:
        """Return the requests to an object store: none."""
        return {}
