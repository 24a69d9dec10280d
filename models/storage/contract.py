"""What a storage system says of itself to clients: a file system its splits, an object store its GET, PUT and COPY.

A client (`models.storage.clients`) turns what a workload wants into these operations. Flows say what a byte uses and
how fast one stream can go; where something may fail, they know another way.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, ClassVar, Literal, Protocol

from models.hardware.cluster import Node
from models.hardware.drive import Access
from models.quantity import Model
from models.storage.flow import Flow
from models.work import Pool, Step

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Interface = Literal["files", "objects"]

LIST_PAGE = 1000
"""Names, or uploads, that a page of a listing holds. Source: Amazon S3 API reference, ListObjectsV2, max-keys."""

Requests = Mapping[str, int]
"""How many requests of each kind: {"HEAD": 1, "LIST": 1}."""


class StorageModel(Model):
    """What the description of every storage system has: how clients speak to it."""

    interface: ClassVar[Interface]
    has_own_client: ClassVar[bool] = False
    many_writers: ClassVar[bool] = True
    """Whether several processes can write a file, or the parts of an object, at the same time."""

    @property
    def uploads_expire(self) -> float:
        """Age (s) at which the system removes uploads that were never completed."""
        return math.inf


class FileStore(Protocol):
    """A file system on a layout."""

    @property
    def split_size(self) -> float:
        """Bytes of one input split."""
        ...

    @property
    def write_cpu(self) -> float:
        """Reference core-seconds per byte that a writer spends: checksums."""
        ...

    def preferred(self, splits: int) -> NDArray[np.int32] | None:
        """Return the nodes that hold each split, of shape (splits, replicas); None where none is nearer."""
        ...

    def places(self, data: float) -> int:
        """Return the number of places, each on a drive of its own, at which `data` bytes lie."""
        ...

    def read(self, split: int, splits: int, node: Node, access: Access) -> Flow:
        """Return the flow of reading one of `splits` splits by a client on `node`."""
        ...

    def average(self, node: Node) -> Flow:
        """Return the flow of a client on `node` that reads from everywhere, from near places as far as it can."""
        ...

    def hold(self, splits: int, size: float) -> None:
        """Take account of an input of `splits` splits of `size` bytes, of which drives may fail."""
        ...

    def write(
        self,
        file: int,
        node: Node,
        amount: float,
        own: Flow,
        access: Access,
        pool: Callable[[Node], Pool],
        replication: int | None = None,
    ) -> Step:
        """Return the step of writing a file of `amount` bytes while its task spends `own` per byte.

        `pool` is the page cache of a server; `replication` asks for another number of replicas where there are some.
        """
        ...


class ObjectStore(Protocol):
    """An object store on a layout, or beside it."""

    @property
    def request_time(self) -> float:
        """Seconds of a request without its bytes."""
        ...

    @property
    def listing_time(self) -> float:
        """Seconds of a page of a listing."""
        ...

    def completion_time(self, parts: int) -> float:
        """Return the seconds in which the store makes one object of uploaded parts."""
        ...

    def places(self) -> int:
        """Return how many names reach all drives evenly; 1 where nobody sees them."""
        ...

    def read(
        self,
        name: int,
        node: Node,
        access: Access = "direct",
        stream: int = 0,
        ahead: float = 0.0,
        size: float = math.inf,
    ) -> Flow:
        """Return the flow of a GET of a range by a client on `node`; `stream` tells the ranges of an object apart.

        Before the range lie `ahead` times as many bytes of its object. `size` are the bytes of a request, where a store
        limits their number.
        """
        ...

    def write(self, name: int, node: Node, stream: int = 0, size: float = math.inf) -> Flow:
        """Return the flow of a PUT of an object, or of the part `stream` of an upload, by requests of `size` bytes."""
        ...

    def copy(self, name: int, node: Node) -> Flow:
        """Return the flow of a COPY inside the store."""
        ...


def wait(store: ObjectStore, requests: Requests) -> float:
    """Return the seconds of requests that are sent one after the other."""
    lists = requests.get("LIST", 0)
    return lists * store.listing_time + (sum(requests.values()) - lists) * store.request_time
