"""What jobs do with a storage system that is described by its operations: who plays the roles for a name, as flows.

A read asks the pieces that are left, and a write goes to servers that are up; where something is lost on the way, the
flow goes on as `rerouted` says. Of an object with too few pieces left nothing is read, and a write that finds too few
places is refused.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Sequence as Series
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import islice
from typing import TYPE_CHECKING

from models.hardware.cluster import Device, Layout, Node
from models.hardware.drive import Access
from models.hardware.page_cache import PageCache
from models.outage import Outage
from models.rebalance import holding
from models.storage.anywhere import anywhere
from models.storage.described import (
    REBUILT_PIECE,
    Anyone,
    ByteRange,
    Description,
    First,
    Parts,
    Piece,
    Placement,
    Role,
    Sources,
    Targets,
)
from models.storage.described_crowds import Crowds, chosen_of
from models.storage.flow import Flow, ranged, rerouted, spread
from models.storage.operation import Operation, OperationCache
from models.storage.placement import mix
from models.work import Step

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

PLACES = 8
"""Names for each drive that reach all drives about evenly, where objects share no places. Assumption."""
WRITTEN = 1
"""What tells the name of a file that a task writes from that of a split of the same number."""


class UnplacedError(LookupError):
    """No server is up that may have a piece of a part of an object."""


@dataclass(slots=True)
class Cast:
    """Who plays the roles of a system for a request about the object `name`, or about the part `stream` of it."""

    store: DescribedStore
    name: int
    client: Node
    stream: int = 0
    access: Access = "direct"
    rebuilt: Piece | None = None
    places: Series[int] | None = None  # of all names: the number of an object in each, for `name` counts them
    shared: Cast | None = None  # for the same name, of a client who may be another one
    _pieces: dict[Sources | Targets, Series[Piece]] = field(default_factory=dict)
    _parts: dict[tuple[str, int], Series[Piece]] = field(default_factory=dict)
    _nodes: dict[tuple[str, int], Node] = field(default_factory=dict)
    _devices: dict[tuple[str, str, int], Device] = field(default_factory=dict)

    @property
    def layout(self) -> Layout:
        """The layout on which all stand."""
        return self.store.layout

    @property
    def missing(self) -> float:
        """The part of the object's bytes whose pieces are lost."""
        data = self.store.what.pieces[1]
        if data == 1 or not self.store.outage.epoch:
            return 0.0
        held = self.home(0)[:data]
        return sum(not self.store.outage.holds_data(*piece) for piece in held) / data

    @property
    def is_readable(self) -> bool:
        """Whether enough pieces of the object are left; of a rented store nothing is lost."""
        store = self.store
        return not (store.nodes and store.outage.epoch) or len(self.pieces(Sources())) >= store.what.read_quorum

    def node(self, role: str, lane: int) -> Node:
        """Return the server that plays a role in a lane."""
        node = self._nodes.get((role, lane))
        if node is None:
            node = self._nodes[role, lane] = self._node(role, lane)
        return node

    def device(self, role: str, bay: str, lane: int) -> Device:
        """Return its drive in a bay: that of its piece, where it holds one there."""
        device = self._devices.get((role, bay, lane))
        if device is None:
            device = self._devices[role, bay, lane] = self._device(role, bay, lane)
        return device

    def _node(self, role: str, lane: int) -> Node:
        if role == "client":
            return self.client
        if role == REBUILT_PIECE and self.rebuilt is not None:
            return self.rebuilt[0]
        match self._role(role):
            case Anyone(group):
                chosen = mix(self.store.salt, self.name, self.client.index, self.stream)
                return chosen_of(self.store.up(group), chosen, self.store.draws[role])
            case First(of):
                return self.node(of, 0)
            case Sources() | Targets() | Parts() as whose:
                return self._piece(whose, lane)[0]

    def _device(self, role: str, bay: str, lane: int) -> Device:
        if role == REBUILT_PIECE and self.rebuilt is not None:
            return self.rebuilt[1]
        whose = None if role == "client" else self._role(role)
        if isinstance(whose, First):
            return self.device(whose.of, bay, 0)
        if isinstance(whose, (Sources, Targets, Parts)):
            node, drive = self._piece(whose, lane)
            if bay == self.store.what.home[1]:
                return drive
            drives = node.bays[bay]
            number = whose.place(lane)[0] if isinstance(whose, Parts) else whose.object
            return drives[mix(self.store.salt, self.number(number), 3) % len(drives)]
        drives = self.node(role, lane).bays[bay]
        return drives[mix(self.store.salt, self.number(0), 3) % len(drives)]

    def pieces(self, role: Sources | Targets) -> Series[Piece]:
        """Return the pieces of the object that a role stands for."""
        if role not in self._pieces:
            self._pieces[role] = self._found(role)
        return self._pieces[role]

    def home(self, of: int) -> list[Piece]:
        """Return where the pieces of an object are, whether they are lost or not."""
        store, number = self.store, self.number(of)
        places = islice(store.placement.order(number), store.what.pieces[0])
        return [store.moved.get((number, place[1]), place) for place in places]

    def number(self, of: int) -> int:
        """Return the number by which an object of the request is placed."""
        places = self.places
        return mix(self.name, self.stream + of) if places is None else places[(self.name + mix(of)) % len(places)]

    def _role(self, role: str) -> Role:
        return self.store.what.roles[role]

    def _piece(self, role: Sources | Targets | Parts, lane: int) -> Piece:
        """Return the piece that a role stands for in a lane; with too few left some stand for several lanes.

        Raises:
            UnplacedError: none is left.
        """
        if isinstance(role, Parts):
            number, lane = role.place(lane)
            pieces = self._parts.get((role.of, number))
            if pieces is None:
                whose = self._role(role.of)
                assert isinstance(whose, (Sources, Targets))  # only these say where pieces lie
                pieces = self._parts[role.of, number] = self.pieces(replace(whose, object=number))
        else:
            pieces = self.pieces(role)
        if not pieces:
            raise UnplacedError
        return pieces[lane % len(pieces)]

    def _found(self, role: Sources | Targets) -> Series[Piece]:
        store = self.store
        if isinstance(role, Targets):
            number, count = self.number(role.object), store.what.pieces[0]
            order = store.placement.order(number, None if role.first is None else self._holder(role.first))
            return list(islice((piece for piece in order if store.outage.takes_writes(*piece)), count))[role.skip :]
        if role.near is not None and store.what.pieces[1] == 1:
            near, left = self.node(role.near, 0), (self.shared or self).pieces(Sources(object=role.object))
            return sorted(left, key=lambda piece: piece[0] is not near)
        held = self.home(role.object)
        return [piece for piece in held if store.outage.holds_data(*piece)] if store.outage.epoch else held

    def _holder(self, role: str) -> Node | None:
        """Return the server that plays a role if it may hold pieces."""
        node = self.node(role, 0)
        return node if node.group == self.store.what.home[0] and node.index not in self.store.outage.nodes else None


class DescribedStore:
    """A described system on a layout.

    Where pieces were rebuilt elsewhere, `moved` tells where they are now; where something may fail, `objects` has the
    size of each that jobs hold, by whether it is output and by name.
    """

    def __init__(self, what: Description, layout: Layout, salt: int, outage: Outage | None = None) -> None:
        self.what, self.layout, self.salt = what, layout, salt
        self.outage = outage or Outage()
        self.nodes = holding(layout, what.home[0]) if what.home[0] in layout.groups else []
        self.placement: Placement = what.placement(self.nodes, salt)
        what.prepare(layout)
        self.moved: dict[tuple[int, Device], Piece] = {}
        self.objects: dict[tuple[bool, int], float] = {}
        self._flows: dict[Hashable, Flow] = {}
        self.described = OperationCache()
        self._seconds: dict[Hashable, float] = {}
        self.draws = {
            name: i for i, name in enumerate(name for name, role in what.roles.items() if isinstance(role, Anyone))
        }

    def up(self, group: str) -> Series[Node]:
        """Return the servers of a group that are up; all of them, if none is."""
        nodes = self.layout.groups[group]
        if not self.outage.nodes:
            return nodes
        return [node for node in nodes if node.index not in self.outage.nodes] or nodes

    def get(self, cast: Cast, part: ByteRange) -> Flow:
        """Return the flow of a GET, made once where all objects are alike."""
        if not self.nodes:
            return self._alike(("get", cast.client.index, part), lambda: self.what.get(part).flow(cast))
        flow = self._placed(cast, self.what.get, part) if cast.is_readable else None
        if flow is None:
            return Flow()
        return self._rerouted(flow, cast, lambda again: self.get(again, part))

    def put(self, cast: Cast, size: float) -> Flow:
        """Return the flow of a PUT, made once where all objects are alike."""
        if not self.nodes:
            return self._alike(("put", cast.client.index, size), lambda: self.what.put(size).flow(cast))
        missing = self.what.pieces[0] - len(cast.pieces(Targets())) if self.outage.epoch else 0
        is_taken = self.what.pieces[0] - missing >= self.what.quorum
        flow = self._placed(cast, self.what.put, size, missing) if is_taken else None
        if flow is None:
            self.outage.refused += 1
            return Flow()
        return self._rerouted(flow, cast, lambda again: self.put(again, size))

    def rebuild(self, cast: Cast, size: float) -> Flow:
        """Return the flow of the rebuild of a piece of an object of `size` bytes."""
        flow = self.described.of(self.what.rebuild, size).flow(cast)
        return self._rerouted(flow, cast, lambda again: self.rebuild(again, size))

    def drive_names(self) -> int:
        """Return how many names reach all drives about evenly; 1 where nobody sees them."""
        return PLACES * sum(len(node.bays[self.what.home[1]]) for node in self.nodes) or 1

    def _alone(self, describe: Callable[..., Operation], *of: Hashable) -> float:
        """Return the seconds of a request when nobody is in its way, worked out once for what is up."""
        key = (describe.__name__, *of, self.outage.epoch)
        if key not in self._seconds:
            self._seconds[key] = self.described.of(describe, *of).alone(Cast(self, 0, self.layout.nodes[0]))
        return self._seconds[key]

    def _alike(self, key: Hashable, flow: Callable[[], Flow]) -> Flow:
        if key not in self._flows:
            self._flows[key] = flow()
        return self._flows[key]

    def _placed(self, cast: Cast, describe: Callable[..., Operation], *of: Hashable) -> Flow | None:
        """Return the flow of a request; None where no server is up that may have a piece of some part of the object."""
        try:
            return self.described.of(describe, *of).flow(cast)
        except UnplacedError:
            return None

    def _rerouted(self, flow: Flow, cast: Cast, again: Callable[[Cast], Flow]) -> Flow:
        whole = (cast.name, cast.client, cast.stream, cast.access, cast.rebuilt, cast.places)
        return rerouted(flow, cast.client, self.outage, lambda: again(Cast(self, *whole)))


class ObjectOperations(DescribedStore):
    """A described object store, as clients of object stores use it."""

    @cached_property
    def _crowds(self) -> Crowds:
        return Crowds(self)

    @property
    def request_time(self) -> float:
        """Seconds of a request without its bytes."""
        return self._alone(self.what.head)

    @property
    def listing_time(self) -> float:
        """Seconds of a page of a listing."""
        return self._alone(self.what.list_page)

    def completion_time(self, parts: int) -> float:
        """Return the seconds in which the store makes one object of uploaded parts."""
        return self._alone(self.what.note, parts)

    def names(self) -> Series[int]:
        """Return names that reach all drives evenly: one for each place that objects share, one if nobody sees them."""
        return range(self.drive_names() if self.placement.numbers is None else len(self.placement.numbers))

    def read(
        self,
        name: int,
        node: Node,
        access: Access = "direct",
        stream: int = 0,
        ahead: float = 0.0,
        size: float = math.inf,
    ) -> Flow:
        """Return the flow of a GET of a range by a client on `node`, `ahead` times as many bytes into its object."""
        return self.get(Cast(self, name, node, stream, access), ByteRange(size, ahead=ahead))

    def average(self, node: Node, size: float) -> Flow:
        """Return the flow of ranges of `size` bytes that lie anywhere."""
        if not self.nodes:
            flow = ranged(self.read(0, node, size=size), size)
            return Flow(flow.uses, flow.max_rate, flow.cap)
        mean = anywhere(self._crowds.asked(node, size), len(self.names()), size, self.layout.resources)
        flow = Flow(*mean, self.read(0, node, size=size).cap)
        return rerouted(flow, node, self.outage, lambda: self.average(node, size))

    def cast(self, name: int, node: Node, shared: Cast | None = None) -> Cast:
        """Return who plays the roles for a request of a client for anything that lies in a place."""
        return Cast(self, name, node, places=self.placement.numbers, shared=shared)

    def write(self, name: int, node: Node, stream: int = 0, size: float = math.inf) -> Flow:
        """Return the flow of a PUT of an object, or of the part `stream` of an upload, by requests of `size` bytes."""
        return self.put(Cast(self, name, node, stream), size)

    def copy(self, name: int, node: Node) -> Flow:
        """Return the flow of a COPY inside the store."""
        cast = Cast(self, name, node)
        if not cast.is_readable:
            return Flow()
        return self._rerouted(self.described.of(self.what.copy).flow(cast), cast, lambda again: self.copy(name, node))


class FileOperations(DescribedStore):
    """A described file system, as its clients use it; a job's splits and files are objects of their own."""

    @property
    def split_size(self) -> float:
        """Bytes of one input split."""
        return self.what.split_size

    @property
    def write_cpu(self) -> float:
        """Reference core-seconds per byte that a writer spends."""
        return self.what.write_cpu

    def preferred(self, splits: int) -> NDArray[np.int32] | None:
        """Return the nodes that hold each split of a local file; None where files are equally far from all clients."""
        if not self.what.is_local:
            return None
        import numpy as np  # keeps numpy out of commands that only read profiles

        casts = (Cast(self, split, self.layout.nodes[0]) for split in range(splits))
        return np.array([[node.index for node, _ in cast.home(0)] for cast in casts], np.int32)

    def places(self, data: float) -> int:
        """Return the number of places at which `data` bytes lie: splits."""
        return max(round(data / self.split_size), 1)

    def hold(self, splits: int, size: float) -> None:
        """Take account of an input of `splits` splits of `size` bytes."""
        self.objects |= {(False, split): size for split in range(splits)}

    def streamed(self, size: float) -> float:
        """Return the bytes of a file of `size` bytes (B) that lie in one place: a split, or all of it."""
        return size if self.what.whole_files else self.split_size

    def read(self, split: int, splits: int, node: Node, access: Access, file: float | None = None) -> Flow:
        """Return the flow of reading one of `splits` splits, also of files of so many bytes (B)."""
        size = self.split_size if file is None else self.streamed(file)
        return self.get(Cast(self, split, node, access=access), ByteRange(size, size))

    def names(self, lookups: int, changes: int, size: float | None) -> None:
        """What is opened or created is a part of what is read and written."""

    def average(self, node: Node) -> Flow:
        """Return the flow of a client on `node` that reads from everywhere."""
        flows = [self.read(split, 0, node, "direct") for split in range(self.drive_names())]
        return spread(flows, lambda: self.average(node))

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
        """Return the step of writing a file of `amount` bytes while its task spends `own` per byte."""
        name = mix(file, WRITTEN)
        if self.outage.may_fail:
            self.objects[True, name] = amount
        return self.put(Cast(self, name, node), amount).joined(own).move(amount)
