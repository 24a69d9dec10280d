"""A storage system that is described by its operations alone: its stores for jobs and its routes for loads follow.

To add a system, write one class, a `Description`. It says

- of which `pieces` an object is made, and at which `home` (server group and bay) they lie;
- who takes part (`roles`): a server that is drawn for each request (`Anyone`), the servers and drives with the pieces
  of an object that is there (`Sources`) or to which a new one is written (`Targets`), the server of the first of them
  (`First`). The "client" is known without being named;
- what each of them does for a GET, PUT, COPY, HEAD, LIST, DELETE: an `Operation` of stages (`models.storage.stages`).

A file system is described in the same words: a GET opens and reads a file or a part of it, a PUT creates and writes
one, a HEAD is a stat, a LIST a page of a directory, a DELETE an unlink, and a COPY is none.

What follows from a description, without a further line:

- `models.storage.described_store`: `ObjectOperations` and `FileOperations`, with which jobs read and write;
- `models.storage.described_routes`: `DescribedRoutes`, which loads of requests take;
- both while servers and drives are down: pieces that are lost are not asked, new ones go to servers that are up;
- `models.storage.described_rebuild`: `DescribedRebuild`, which makes lost pieces anew in runs of jobs, as
  `DescribedRoutes` does beside a load of requests.

An object store that keeps three copies, whose clients send each request to any server, which reads the nearest copy
and writes all of them side by side:

    class Copies(Description):
        home, pieces = ("storage", "data"), (3, 1)
        roles = {"node": Anyone("storage"), "source": Sources(near="node"), "target": Targets(first="node")}

        def get(self, part: ByteRange) -> Operation:
            read = Stream((Read("source", "data"), Move("source", "node"), FirstByte(), Move("node", "client")))
            return Operation((Compute("node", once=0.0002), Seek("source", "data"), read), part.size)

        def put(self, size: float, missing: int = 0) -> Operation:
            copies = Lanes((Move("node", "target"), Write("target", "data")), 3 - missing)
            return Operation((Compute("node", once=0.0002), Stream((Move("client", "node"), copies))), size)

        ...

Its `runtime.py` is one line, `RUNTIME = described(lambda spec, layout: Copies())`, for the storage of a profile and a
layout (`models.storage.described_runtime`). `tests/laws/test_operations.py` holds what flows and routes take against
each other; a system is one more line there.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence as Series
from typing import TYPE_CHECKING, Any, Protocol, Self

from models.hardware.cluster import Device, Layout, Node
from models.storage.operation import Operation
from models.storage.placement import mix
from models.storage.stages import LIST_PAGE, Compute, Lanes, Move, Read, Seek, Stream, Wait, Write
from models.values import value

if TYPE_CHECKING:
    from models.requests import Places

SPLIT = 134217728.0
"""Bytes of a split of a file where a system does not say. Source: Apache Hadoop, dfs.blocksize; Apache Spark,
spark.sql.files.maxPartitionBytes."""
REBUILT_PIECE = "rebuilt"
"""The role of the server and the drive on which a lost piece is rebuilt."""
NOWHERE = "", ""
"""The home of pieces that nobody sees."""
Piece = tuple[Node, Device]
"""A piece of an object: the server and the drive that hold it."""


@value()
class Anyone:
    """A server of a group, drawn for each request: the one to which a balancer sends it."""

    group: str


@value()
class Sources:
    """The servers of the pieces of an object that is there, one a lane; those that are lost are passed over.

    Of copies, one on the server that plays the role `near` comes first. `object` tells objects of a request apart.
    """

    near: str | None = None
    object: int = 0


@value()
class Targets:
    """The servers to which the pieces of a new object go, one a lane, from piece number `skip` on.

    The first piece stays on the server that plays the role `first`, by default it is where the object's name puts it.
    """

    first: str | None = None
    object: int = 0
    skip: int = 0


@value()
class First:
    """The server of the first of the pieces that another role stands for: a primary, the head of a pipeline."""

    of: str


@value()
class Parts:
    """The servers of the pieces of the objects into which a request's bytes are cut, an object after the other.

    Of each object that the role `of` places, `each` pieces take a lane, and in each the same piece with `is_first`: the
    first one, as the primary of an object sends to all others.
    """

    of: str
    each: int = 1
    is_first: bool = False

    def place(self, lane: int) -> tuple[int, int]:
        """Return the number of the object in a lane, and that of its piece."""
        return lane // self.each, 0 if self.is_first else lane % self.each


Role = Anyone | Sources | Targets | First | Parts


@value()
class ByteRange:
    """`size` bytes of an object of `object_size` (B) that a request reads; before them lie `ahead` times as many.

    `opens` is the part of such requests that open the object: others read on in one that is open.
    """

    size: float = math.inf
    object_size: float = math.inf
    ahead: float = 0.0
    opens: float = 1.0


class Placement(Protocol):
    """Where the pieces of an object lie."""

    @property
    def numbers(self) -> Series[int] | None:
        """The number of an object in each place, one of which all objects share; None where each has its own."""
        ...

    def order(self, name: int, first: Node | None = None) -> Iterator[Piece]:
        """Yield places in the order in which the pieces of an object take them, as many as there are.

        The first is on the server `first`, if one is named.
        """
        ...


class Description(ABC):
    """The operations of a storage system, and who takes part in them.

    `home` is the server group and the bay whose drives hold the pieces, `NOWHERE` of a rented store; `pieces` are those
    of an object, and how many of them hold its bytes once; `roles` are those who take part beside the "client", by the
    names that stages use.
    """

    home: tuple[str, str]
    pieces: tuple[int, int]
    roles: Mapping[str, Role]
    is_local: bool = False
    """Whether tasks that read a file are to run on the server that has it."""
    shares_servers: bool = False
    """Whether pieces of an object may lie on one server."""
    object_size: float = math.inf
    """Most bytes (B) of an object of the store itself: those of clients are cut into such, each in its own place."""
    whole_files: bool = False
    """Whether a file lies in one place, however long it is."""
    front: str | None = None
    """The role of the server to which clients open connections; None: nobody sees it."""
    connection_bandwidth: float = math.inf
    """Most (B/s) that the store sends over a connection, whatever cards carry."""

    @property
    def quorum(self) -> int:
        """The pieces without which nothing is written: by default those that hold the bytes once."""
        return self.pieces[1]

    @property
    def read_quorum(self) -> int:
        """The pieces without which nothing is read: by default those that hold the bytes once."""
        return self.pieces[1]

    @property
    def split_size(self) -> float:
        """Bytes of one input split of a file system."""
        return SPLIT

    @property
    def write_cpu(self) -> float:
        """Reference core-seconds per byte that a writer itself spends: checksums."""
        return 0.0

    def asked_by(self, clients: int, under_way: float) -> Self:
        """Return the operations for a load whose clients, so many servers, have so many requests under way each.

        By default they do not depend on it; 0 where requests come at a rate, or of jobs.
        """
        return self

    def accept(self, cpu: float) -> Operation:
        """Return what a server does that accepts a connection, so many reference core-seconds."""
        return Operation((Compute(self.front, cpu) if self.front else Wait("connection accepted", cpu),))

    def prepare(self, layout: Layout) -> None:
        """Make what operations would make only when they need it: a run of jobs starts with all of its resources."""
        return

    def placement(self, nodes: Series[Node], salt: int) -> Placement:
        """Return where pieces lie on the servers of `home`: by default on servers that are drawn by the name."""
        return DrawnServers(nodes, self.home[1], salt)

    def places(self, nodes: Series[Node], drives: int, stride: int, salt: int) -> Places | None:
        """Return where the groups lie, to one of which each object of a load belongs: None if objects lie anywhere.

        The servers have the first `drives` drives of all, numbered by all first drives, `stride` of them, then all
        second ones, and so on.
        """
        return None

    @abstractmethod
    def get(self, part: ByteRange) -> Operation:
        """Return a GET: a file is opened and read."""

    @abstractmethod
    def put(self, size: float, missing: int = 0) -> Operation:
        """Return a PUT of `size` bytes, also of one part of a multipart upload: a file is created and written.

        So many of its pieces find no place.
        """

    @abstractmethod
    def head(self, *, exists: bool = True) -> Operation:
        """Return a HEAD of an object that exists or not: a stat of a file."""

    @abstractmethod
    def list_page(self, names: float = LIST_PAGE) -> Operation:
        """Return a page of a listing of so many names, of which a page holds 1,000."""

    @abstractmethod
    def delete(self) -> Operation:
        """Return a DELETE."""

    @property
    def rebuild_streams(self) -> int:
        """Objects that are rebuilt at a time for each component onto which pieces are rebuilt."""
        return 1

    @property
    def rebuild_delay(self) -> float:
        """Seconds from a failure, or from when what failed was replaced, until the rebuild begins."""
        return 0.0

    @property
    def rebuilds_into_free_space(self) -> bool:
        """Whether pieces are rebuilt on servers that are left, instead of on what replaces the lost one."""
        return False

    def rebuild_pause(self, in_flight: float) -> float:
        """Return the seconds for which a rebuild waits after each object while a server has requests in flight."""
        return 0.0

    def rebuild(self, size: float) -> Operation:
        """Return the rebuild of a piece of an object of `size` bytes: by default from as many as hold its bytes once.

        Its place is the role `REBUILT_PIECE`, and those that are read are of a role "source".
        """
        bay, data = self.home[1], self.pieces[1]
        read = Lanes((Read("source", bay), Move("source", REBUILT_PIECE)), data, 1 / data)
        placed = Lanes((Write(REBUILT_PIECE, bay),), 1, 1 / data)
        sought = Lanes((Seek("source", bay),), data), Seek(REBUILT_PIECE, bay)
        return Operation((*sought, Stream((read, placed))), size)

    def note(self, parts: int = 0) -> Operation:
        """Return what begins a multipart upload, or completes one of `parts` parts: by default a HEAD."""
        return self.head()

    def copy(self) -> Operation:
        """Return a COPY inside the store.

        Raises:
            NotImplementedError: the system has none, as file systems, which rename.
        """
        raise NotImplementedError(f"{type(self).__name__} describes no COPY")


Describe = Callable[[Any, Layout], Description]
"""Answers the storage of a profile, and a layout, with the description of the system."""


@value()
class DrawnServers:
    """Pieces on servers that differ, drawn by the name of their object, and there on a drive drawn as well."""

    _nodes: Series[Node]
    _bay: str
    _salt: int

    @property
    def numbers(self) -> None:
        """Objects share no places."""

    def order(self, name: int, first: Node | None = None) -> Iterator[Piece]:
        """Yield a drive of each server."""
        count, draw = len(self._nodes), 0
        taken: dict[int, None] = {} if first is None else {self._nodes.index(first): None}
        if first is not None:
            yield self._piece(name, first)
        while len(taken) < count:
            place = mix(self._salt, name, draw) % count
            draw += 1
            while place in taken:  # the next one that is free, so that the last draws do not take long
                place = (place + 1) % count
            taken[place] = None
            yield self._piece(name, self._nodes[place])

    def _piece(self, name: int, node: Node) -> Piece:
        drives = node.bays[self._bay]
        return node, drives[mix(self._salt, name, node.index, 2) % len(drives)]
