"""A storage system through a client, as workloads see it: splits and ranges to read, files to write, a commit.

Storage systems are file systems or object stores. A file system has a client of its own, or is mounted (POSIX, FUSE);
an object store is reached through S3A or an SDK. A workload sees only a `Mount`, so that each runs on every system.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import field
from typing import TYPE_CHECKING, Protocol

from models.hardware.cluster import Layout, Node
from models.hardware.drive import Access
from models.hardware.page_cache import PageCache
from models.outage import Outage, Repairs
from models.storage.clients.reading import Wishes
from models.storage.flow import Flow
from models.values import value
from models.work import Step

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Page = Callable[[Node], PageCache]
Shares = Callable[[str, str], bool]
"""Tells whether a system keeps its bytes on the drives at a place of a server group."""

SPLIT_SLOP = 0.1
"""Part of a split by which the last one of a file may be longer than the others, before there is one more. Source:
Apache Hadoop, FileInputFormat.SPLIT_SLOP, 1.1 of a split."""


def splits_of(file: float, split: float) -> int:
    """Return how many splits of `split` bytes a file of so many bytes has, of which the last may be shorter."""
    return max(math.ceil(file / split - SPLIT_SLOP), 1)


@value()
class Local:
    """What a compute server gives to output on its way: page cache, and files of how many tasks at a time.

    `servers` is the number of compute servers: tasks, and so files, are dealt to them in turn. `job` tells what is of
    this workload from what others have that run beside it.
    """

    page: Page
    writers: int
    servers: int
    job: str = ""


@value()
class MountPoint:
    """Where a storage system is mounted: the layout, the chances, what is down, and what compute servers give.

    `object_size` (B) is that of the objects that hold the input of a job; None: a split each. `write_window` (B) is
    what a writer has in flight, where it says so itself. A split of an object has `least_split` (B) at least.
    A job has `wishes` of its client.
    """

    layout: Layout
    salt: int
    local: Local
    outage: Outage = field(default_factory=Outage)
    object_size: float | None = None
    write_window: float | None = None
    least_split: float = 0.0
    wishes: Wishes = field(default_factory=Wishes)


class Mount(Protocol):
    """A storage system through a client."""

    @property
    def repairs(self) -> Repairs | None:
        """How the system rebuilds what failed, None where that is not modelled."""
        ...

    @property
    def split_size(self) -> float:
        """Bytes of one input split."""
        ...

    def streamed(self, size: float) -> float:
        """Return the bytes of a file of `size` bytes (B) that a stream gets in one go, before it asks anew."""
        ...

    @property
    def wait(self) -> float:
        """Mean seconds from asking for a range to its first byte, which an engine spends waiting."""
        ...

    @property
    def overread(self) -> float:
        """Bytes moved per byte that is asked for."""
        ...

    @property
    def write_cpu(self) -> float:
        """Reference core-seconds per byte that the client spends on what it writes."""
        ...

    @property
    def keeps_checksums(self) -> bool:
        """Whether the system has a checksum of each file, which takes a lookup."""
        ...

    def hold(self, splits: int, size: float) -> None:
        """Take account of an input of `splits` splits of `size` bytes, of which drives may fail."""
        ...

    def preferred(self, splits: int) -> NDArray[np.int32] | None:
        """Return the nodes that hold each split, of shape (splits, replicas); None where all are equally far."""
        ...

    def read(self, split: int, splits: int, node: Node, access: Access, file: float | None = None) -> Flow:
        """Return the flow of reading one of `splits` splits from its first to its last byte.

        With `file`, splits are those of files of so many bytes (B), as `streamed` cuts them.
        """
        ...

    def places(self, data: float) -> int:
        """Return the number of places at which `data` bytes lie."""
        ...

    def fetch(self, place: int, places: int, node: Node, size: float, file: float | None = None) -> Flow:
        """Return the flow of ranges of `size` bytes at one of `places`; the reader spends `wait` on each besides.

        With `file`, places are the splits of files of so many bytes (B), as `streamed` cuts them.
        """
        ...

    def average(self, node: Node, size: float) -> Flow:
        """Return the flow of ranges of `size` bytes that lie anywhere: the mean of `fetch` over all places."""
        ...

    def write(self, file: int, node: Node, amount: float, own: Flow, access: Access, replication: int | None) -> Step:
        """Return the step of writing and committing a task's file while spending `own` per byte."""
        ...

    def create(self, file: int, node: Node, amount: float, own: Flow, *, is_renamed: bool) -> Step:
        """Return the step of writing a file that a program creates itself, without a committer.

        One that `is_renamed` had a temporary name; what that takes of names beside the bytes, `names` says.
        """
        ...

    def names(self, lookups: int, changes: int, size: float | None) -> Step | None:
        """Return the step of so many lookups and changes of names, with those of a new file of `size` bytes if any.

        None where they are free, or a part of what is read and written.
        """
        ...

    def commit(self, files: int, amount: float, node: Node) -> Step:
        """Return the step that commits a job of `files` files with `amount` bytes in all."""
        ...

    def requests(self, splits: int, files: int, amount: float) -> Mapping[str, int]:
        """Return the requests of a job by kind: it reads `splits` and writes `files` of `amount` bytes in all."""
        ...

    def shares(self, group: str, place: str) -> bool:
        """Tell whether the system keeps its bytes on the drives at `place` of a server group."""
        ...
