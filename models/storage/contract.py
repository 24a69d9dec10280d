"""What a storage system says of itself: to planning and studies (`StorageModel`), and on a layout to clients.

A client (`models.storage.clients`) turns what a workload wants into these operations. Flows say what a byte uses and
how fast one stream can go; where something may fail, they know another way.
"""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Literal, Protocol, Self

from models.advice import Advice
from models.hardware.bays import BayBatch
from models.hardware.cluster import Cluster, Device, Layout, Node
from models.hardware.drive import Access
from models.hardware.page_cache import PageCache
from models.outage import Outage, Repairs
from models.problem import refusal
from models.quantity import GROUP, Model, named, setting
from models.rebalance import Rebalances
from models.storage.domains import Placement
from models.storage.flow import Flow
from models.storage.protection import Protection
from models.storage.redundancy import Redundancy
from models.storage.room import Room
from models.values import value
from models.work import Step

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from models.storage.object_routes import Ends, ObjectRoutes, Part

Interface = Literal["files", "objects"]
Home = tuple[str, str]
"""A server group, and a bay of its servers."""

Requests = Mapping[str, int]
"""How many requests of each kind: {"HEAD": 1, "LIST": 1}."""


class StorageModel(Model):
    """The description of a storage system in a profile, and all that others may ask of it.

    A system is a folder of `models/storage`: its `system.py` has one such class, and its `runtime.py` a `RUNTIME`. Most
    are made of `OwnedStorage` (`models.storage.owned`), whose bytes lie on drives of the cluster, or of
    `RentedStorage`.
    """

    interface: ClassVar[Interface]
    has_own_client: ClassVar[bool] = False
    """Whether the system brings the client that jobs use; otherwise a file system is mounted."""
    many_writers: ClassVar[bool] = True
    """Whether several processes can write a file, or the parts of an object, at the same time."""
    is_local: ClassVar[bool] = False
    """Whether files lie on single servers, whose own processes are to read them."""
    has_images: ClassVar[bool] = False
    """Whether it treats the servers for which one stands as servers of their own, so that a few servers are enough."""
    rebalances: ClassVar[bool] = False
    """Whether data moves onto servers that have just come; otherwise they fill as data comes."""
    is_rented: ClassVar[bool] = False
    """Whether it is a service, which needs no servers of one's own."""
    protected_by: ClassVar[str] = "storage.servers"
    """The key that decides what the system survives."""
    system: str = setting("Storage system.")

    @classmethod
    def protected(cls, protection: Protection) -> dict[str, Any]:
        """Return the keys that choose a protection, None for those that must not be stated.

        Raises:
            RefusalError: the system has no such protection.
        """
        raise refusal("protection", "nobody chooses it for this storage system", "leave it out", value=f"{protection}")

    def holding(self, objects: float) -> Self:
        """Return the system as it is once so many objects lie in it; most do not differ."""
        return self

    @property
    def home(self) -> Home | None:
        """The server group and the bay whose drives hold the bytes; None where nobody sees them."""
        return None

    @property
    def published_nines(self) -> float | None:
        """Nines of an object's durability over a year, as the provider of a service says; None where nobody does."""
        return None

    @property
    def nines_source(self) -> str:
        """Where its provider says so."""
        return ""

    def server_groups(self) -> dict[str, str]:
        """Return the server groups that the system names, by key."""
        return named(self, "storage", GROUP)

    @abstractmethod
    def fits(self, cluster: Cluster) -> None:
        """Refuse a cluster on which the system cannot be set up.

        Raises:
            RefusalError: with what is missing.
        """

    def is_alike(self, cluster: Cluster, part: Cluster) -> bool:
        """Tell whether it does on the servers of a smaller cluster what it does on those of a larger one."""
        return False

    def serves_alike(self, cluster: Cluster, part: Cluster) -> bool:
        """Tell whether clients of a closed loop find on a part of the servers what they find on all of them."""
        return False

    def check_output(self, cluster: Cluster, replicas: int) -> None:
        """Refuse a number of replicas that a job asks for its output.

        Raises:
            RefusalError: there are fewer servers.
        """

    def shares(self, group: str, place: str) -> bool:
        """Tell whether the system keeps its bytes on the drives at `place` of a server group."""
        return self.home == (group, place)

    @abstractmethod
    def raw_capacity(self, cluster: Cluster) -> float:
        """Return bytes of all its drives."""

    @abstractmethod
    def raw_per_byte(self, cluster: Cluster, replicas: int | None = None) -> float:
        """Return raw bytes that a stored byte takes; `replicas` where a job asks for another number of them."""

    @property
    def bytes_passed(self) -> float:
        """Bytes that pass a hard drive for each that is read of it in a row: parity may lie between."""
        return 1.0

    def grouped(self, cluster: Cluster) -> Cluster:
        """Return a cluster whose drives do what they do as parts of the system's arrays, if it has some."""
        return cluster

    @abstractmethod
    def batches(self, cluster: Cluster) -> list[BayBatch]:
        """Return its drives, by kind of server; none where nobody sees them."""

    @abstractmethod
    def usable(self, cluster: Cluster, rooms: Sequence[Room]) -> float:
        """Return bytes of data that fit into rooms."""

    @abstractmethod
    def object_bytes(self, cluster: Cluster, size: float) -> float:
        """Return raw bytes of an object, or file, of `size` bytes."""

    @property
    def is_encrypted(self) -> bool:
        """Whether clients speak TLS to the system."""
        return False

    @property
    def rented_as(self) -> str:
        """The class of a rented store, by which a price list tells it from others of its kind; "" without one."""
        return ""

    @property
    def is_outside(self) -> bool:
        """Whether what reads it stands at another site, so that bytes read are paid for as over a line."""
        return False

    @property
    def rebuilds_into_free_space(self) -> bool:
        """Whether lost pieces are rebuilt on the servers that are left; otherwise on what replaces the lost one."""
        return False

    def moved_onto(self, old: float, new: float, held: float) -> float:
        """Return the raw bytes of `held` that a rebalance moves onto servers that have just come.

        Their drives have `new` bytes, those of the servers that held all of it before `old`.
        """
        return 0.0

    @property
    def drive_rebuild(self) -> float | None:
        """Seconds in which a server's own array makes a full drive safe again; None: the system rebuilds drives."""
        return None

    @property
    def uploads_expire(self) -> float:
        """Age (s) at which the system removes uploads that were never completed."""
        return math.inf

    def redundancy(self, cluster: Cluster) -> Redundancy | None:
        """Return how its bytes outlive a failure; None where that is not the system's own business."""
        return None

    def placement(self, cluster: Cluster) -> Placement | None:
        """Return its failure domains; None where nothing is known of them, as of a store that is rented."""
        return None

    def with_window(self, window: float) -> Self:
        """Return the system for writers that have so many bytes in flight, where its client takes such a setting."""
        return self

    def advice(self, cluster: Cluster) -> Iterator[Advice]:
        """Yield what is allowed but unwise about the system on a cluster."""
        yield from ()

    @property
    def block(self) -> float | None:
        """Bytes by which jobs split its files; None where their client says it."""
        return None

    def behind(self, what: str) -> Iterator[Advice]:
        """Yield the settings of the system that bound what a run is limited by, such as requests under way.

        A limit is told by `what` its servers have a bounded number of, in the words of the system's own operations.
        """
        yield from ()

    def set_up(self, cluster: Cluster) -> Iterator[tuple[str, str]]:
        """Yield what whoever sets it up has to state: what it is, and the words; nothing where the system decides."""
        yield from ()


class Rebuilds(Repairs, Protocol):
    """What studies ask of a store beside `Repairs`: to be full, so that the rebuild of a component can be simulated."""

    def fill(self, held: Sequence[tuple[Node, Device]], pieces: int, size: float, times: float = 1.0) -> None:
        """Take account of objects of `size` bytes that have `pieces` pieces on some drives; each stands for `times`."""
        ...

    def piece(self, object_size: float) -> tuple[float, float]:
        """Return the bytes of what is rebuilt at a time, an object of `object_size` bytes, and those of one piece."""
        ...


class Loss(Protocol):
    """What is lost of a system with some servers and drives, for a load of requests."""

    def parts(self, layout: Layout, ends: Ends, *, is_replaced: bool) -> tuple[Part, ...]:
        """Return the routes that are left, to parts of the system that differ, each with its share of the requests.

        Once what was lost `is_replaced`, it takes writes, but holds nothing.
        """
        ...

    def wait(self, layout: Layout) -> float | None:
        """Return the seconds from the failure to its rebuild; None where that waits for the replacement."""
        ...


@value()
class Runtime:
    """What a system does on a layout; its folder has one in `runtime.py`.

    `store(description, layout, salt, outage)` makes its operations for jobs, a `FileStore` or an `ObjectStore` as the
    interface says; `repairs(store)` says how such a store rebuilds what is lost, `routes(description, layout, ends)`
    how it serves a load of requests, `loss(description, cluster, down, writes=...)` what is lost of it with components
    that are down, or refuses that; `rebalances(store)` how data moves onto servers that have just come. None: it does
    not. One that `rebuilds_drives` makes them anew whole, whatever lies on them.
    """

    store: Callable[[Any, Layout, int, Outage], Any]
    repairs: Callable[[Any], Rebuilds] | None = None
    routes: Callable[[Any, Layout, Ends], ObjectRoutes] | None = None
    loss: Callable[..., Loss] | None = None
    rebalances: Callable[[Any], Rebalances] | None = None
    rebuilds_drives: bool = False


class FileStore(Protocol):
    """A file system on a layout."""

    @property
    def outage(self) -> Outage:
        """What is down at the moment."""
        ...

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

    def streamed(self, size: float) -> float:
        """Return the bytes of a file of `size` bytes (B) that lie in one place: a block, or all of it."""
        ...

    def read(self, split: int, splits: int, node: Node, access: Access, file: float | None = None) -> Flow:
        """Return the flow of reading one of `splits` splits by a client on `node`.

        With `file`, splits are those of files of so many bytes (B), as `streamed` cuts them.
        """
        ...

    def average(self, node: Node) -> Flow:
        """Return the flow of a client on `node` that reads from everywhere, from near places as far as it can."""
        ...

    def hold(self, splits: int, size: float) -> None:
        """Take account of an input of `splits` splits of `size` bytes, of which drives may fail."""
        ...

    def names(self, lookups: int, changes: int, size: float | None) -> Step | None:
        """Return the step of so many lookups and changes of names, with those of a new file of `size` bytes if any.

        None where they are free, or a part of what is read and written.
        """
        ...

    def write(
        self,
        file: int,
        node: Node,
        amount: float,
        own: Flow,
        access: Access,
        page: Callable[[Node], PageCache],
        replication: int | None = None,
    ) -> Step:
        """Return the step of writing a file of `amount` bytes while its task spends `own` per byte.

        `page` is the page cache of a server; `replication` asks for another number of replicas where there are some.
        """
        ...


class ObjectStore(Protocol):
    """An object store on a layout, or beside it."""

    @property
    def outage(self) -> Outage:
        """What is down at the moment."""
        ...

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

    def names(self) -> Sequence[int]:
        """Return names that reach all drives evenly; one where nobody sees them."""
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

        Before it lie `ahead` times as many bytes of its object; `size` (B) is a request, where a store limits these.
        """
        ...

    def average(self, node: Node, size: float) -> Flow:
        """Return the flow of ranges of `size` bytes that lie anywhere, with what each takes once, but no wait."""
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
