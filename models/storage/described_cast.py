"""Who plays the roles of a described system for one request: servers and drives, by name and by what is up."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence as Series
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, Protocol

from models.hardware.cluster import Device, Layout, Node
from models.hardware.drive import Access
from models.outage import Outage
from models.storage.described import (
    REBUILT_PIECE,
    Anyone,
    Description,
    First,
    Parts,
    Piece,
    Placement,
    Role,
    Sources,
    Targets,
)
from models.storage.placement import mix
from models.storage.site import Place

BITS = 20
"""Bits of a hash that choose the server of one role. Assumption: no group has more servers than they can tell apart."""
Part = tuple[str, int]
"""The role that says where the objects of a request lie, and the number of one of them."""
Seat = tuple[Part, int, int]
"""One of those objects, the number of its piece, and whether its server (0) or its drive (1) plays a role."""


class UnplacedError(LookupError):
    """No server is up that may have a piece of a part of an object."""


class Store(Protocol):
    """A described system on a layout, as its casts ask it."""

    what: Description
    layout: Layout
    salt: int
    outage: Outage
    nodes: list[Node]
    placement: Placement
    moved: dict[tuple[int, Device], Piece]
    seats: dict[Place, Seat | None]

    @property
    def draws(self) -> Mapping[str, int]:
        """The place of each role that is drawn among all those."""
        ...

    def up(self, group: str) -> Series[Node]:
        """Return the servers of a group that are up."""
        ...

    def part(self, part: Part) -> Sources | Targets:
        """Return the role of one of a request's objects."""
        ...

    def seat_of(self, place: Place) -> Seat | None:
        """Return where in one of a request's objects a piece plays a role, None where none does; keep it in `seats`."""
        ...


@dataclass(slots=True)
class Cast:
    """Who plays the roles of a system for a request about the object `name`, or about the part `stream` of it."""

    store: Store
    name: int
    client: Node
    stream: int = 0
    access: Access = "direct"
    rebuilt: Piece | None = None
    places: Series[int] | None = None  # of all names: the number of an object in each, for `name` counts them
    drawn: Mapping[str, Node] | None = None  # who is drawn, if that is known
    shared: Cast | None = None  # for the same name, whoever is drawn
    _pieces: dict[Sources | Targets, Series[Piece]] = field(default_factory=dict)
    _parts: dict[Part, Series[Piece]] = field(default_factory=dict)
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

    def played(self, places: Iterable[Place]) -> list[Any]:
        """Return who is at each of some places: most hold pieces of the objects into which a request is cut."""
        seats, parts, played = self.store.seats, self._parts, list[Any]()
        for place in places:
            seat = seats[place] if place in seats else self.store.seat_of(place)
            if seat is None:
                role, bay, lane = place
                played.append(self.node(role, lane) if bay is None else self.device(role, bay, lane))
                continue
            part, lane, side = seat
            pieces = parts.get(part) or self._part(part)
            played.append(pieces[lane % len(pieces)][side])
        return played

    def _node(self, role: str, lane: int) -> Node:
        if role == "client":
            return self.client
        if role == REBUILT_PIECE and self.rebuilt is not None:
            return self.rebuilt[0]
        match self._role(role):
            case Anyone() if self.drawn is not None:
                return self.drawn[role]
            case Anyone(group):
                up, drawn = self.store.up(group), mix(self.store.salt, self.name, self.client.index, self.stream)
                return up[(drawn >> BITS * self.store.draws[role]) % len(up)]
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
        if not store.moved:
            return list(places)
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
            pieces = self._part((role.of, number))
        else:
            pieces = self.pieces(role)
        if not pieces:
            raise UnplacedError
        return pieces[lane % len(pieces)]

    def _part(self, part: Part) -> Series[Piece]:
        """Return the pieces of one of the objects of the request.

        Raises:
            UnplacedError: none is left.
        """
        pieces = self._parts.get(part)
        if pieces is None:
            pieces = self._parts[part] = self.pieces(self.store.part(part))
        if not pieces:
            raise UnplacedError
        return pieces

    def _found(self, role: Sources | Targets) -> Series[Piece]:
        store = self.store
        if isinstance(role, Targets):
            number, count = self.number(role.object), store.what.pieces[0]
            order = store.placement.order(number, None if role.first is None else self._holder(role.first))
            if store.outage.epoch:
                order = (piece for piece in order if store.outage.takes_writes(*piece))
            return list(islice(order, count))[role.skip :]
        if role.near is not None and store.what.pieces[1] == 1:
            near, left = self.node(role.near, 0), (self.shared or self).pieces(Sources(object=role.object))
            return sorted(left, key=lambda piece: piece[0] is not near)
        held = self.home(role.object)
        return [piece for piece in held if store.outage.holds_data(*piece)] if store.outage.epoch else held

    def _holder(self, role: str) -> Node | None:
        """Return the server that plays a role if it may hold pieces."""
        node = self.node(role, 0)
        return node if node.group == self.store.what.home[0] and node.index not in self.store.outage.nodes else None
