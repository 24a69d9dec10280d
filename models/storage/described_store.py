"""What jobs do with a storage system that is described by its operations: who plays the roles for a name, as flows.

A read asks the pieces that are left, and a write goes to servers that are up; where something is lost on the way, the
flow goes on as `rerouted` says. Of an object with too few pieces left nothing is read, and a write that finds too few
places is refused.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Mapping, Sequence as Series
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING

from models.hardware.cluster import Device, Layout, Node
from models.hardware.drive import Access
from models.hardware.page_cache import PageCache
from models.outage import Outage
from models.rebalance import holding
from models.storage.anywhere import anywhere
from models.storage.described import (
    Anyone,
    ByteRange,
    Description,
    Parts,
    Piece,
    Placement,
    Sources,
    Targets,
)
from models.storage.described_cast import Cast, Part, Seat, UnplacedError
from models.storage.described_crowds import Crowds
from models.storage.described_evenly import Evenly
from models.storage.flow import Flow, ranged, rerouted, spread
from models.storage.operation import Operation, OperationCache
from models.storage.placement import mix
from models.storage.site import Place
from models.work import Step

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

PLACES = 8
"""Names for each drive that reach all drives about evenly, where objects share no places. Assumption."""
WRITTEN = 1
"""What tells the name of a file that a task writes from that of a split of the same number."""


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
        self._part_of: dict[Part, Sources | Targets] = {}
        self.seats: dict[Place, Seat | None] = {}
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

    def part(self, part: Part) -> Sources | Targets:
        """Return the role of one of a request's objects, where another role says where all of them lie."""
        known = self._part_of.get(part)
        if known is None:
            whose = self.what.roles[part[0]]
            assert isinstance(whose, (Sources, Targets))  # only these say where pieces lie
            known = self._part_of[part] = replace(whose, object=part[1])
        return known

    def seat_of(self, place: Place) -> Seat | None:
        """Return where in one of a request's objects a piece plays a role, None where none does; keep it in `seats`."""
        role, bay, lane = place
        whose, seat = self.what.roles.get(role), None
        if isinstance(whose, Parts) and bay in (None, self.what.home[1]):
            number, at = whose.place(lane)
            seat = (whose.of, number), at, int(bay is not None)
        self.seats[place] = seat
        return seat

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

    @cached_property
    def _evenly(self) -> Evenly:
        return Evenly(self, self._crowds)

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
        cast, part = Cast(self, name, node, stream, access), ByteRange(size, ahead=ahead)
        even = self._evenly.flow(cast, self.what.get, part) if 0 < size < math.inf else None
        return self.get(cast, part) if even is None else even

    def average(self, node: Node, size: float) -> Flow:
        """Return the flow of ranges of `size` bytes that lie anywhere."""
        if not self.nodes:
            flow = ranged(self.read(0, node, size=size), size)
            return Flow(flow.uses, flow.max_rate, flow.cap)
        asked = self._crowds.asked(node, self.described.of(self.what.get, ByteRange(size)))
        mean = anywhere(asked, len(self.names()), size, self.layout.resources)
        flow = Flow(*mean, self.read(0, node, size=size).cap)
        return rerouted(flow, node, self.outage, lambda: self.average(node, size))

    def cast(self, name: int, node: Node, drawn: Mapping[str, Node] | None = None, shared: Cast | None = None) -> Cast:
        """Return who plays the roles for a request of a client for anything that lies in a place."""
        return Cast(self, name, node, places=self.placement.numbers, drawn=drawn, shared=shared)

    def write(self, name: int, node: Node, stream: int = 0, size: float = math.inf) -> Flow:
        """Return the flow of a PUT of an object, or of the part `stream` of an upload, by requests of `size` bytes."""
        cast = Cast(self, name, node, stream)
        even = self._evenly.flow(cast, self.what.put, size, 0) if 0 < size < math.inf else None
        return self.put(cast, size) if even is None else even

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
