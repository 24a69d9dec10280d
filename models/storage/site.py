"""Who plays the roles of an operation for one request of a job."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence as Series
from typing import Any, Protocol

from models.hardware.cluster import Device, Layout, Node
from models.hardware.drive import Access
from models.storage.stages import Compute, Decode, Held, Move, Process, Read, Seek, Service, Stage, Write
from models.values import value

Place = tuple[str, str | None, int]
"""Who plays a role in a lane: a server, or its drive in a bay."""


class Site(Protocol):
    """The servers and drives that play the roles for one request of a job, one for each lane.

    Of the pieces that are read, `missing` (fraction) are to be computed from others.
    """

    @property
    def layout(self) -> Layout:
        """The layout on which all stand."""
        ...

    @property
    def access(self) -> Access:
        """How drives are read."""
        ...

    @property
    def missing(self) -> float:
        """The part of the bytes whose pieces are missing."""
        ...

    def node(self, role: str, lane: int) -> Node:
        """Return the server that plays a role in a lane."""
        ...

    def device(self, role: str, bay: str, lane: int) -> Device:
        """Return its drive in a bay."""
        ...

    def played(self, places: Iterable[Place]) -> list[Any]:
        """Return who is at each of some places."""
        ...


@value()
class Placed:
    """A site where `servers` play some roles, and servers with `drives` the others, one drive a lane."""

    layout: Layout
    servers: Mapping[str, Node]
    drives: Mapping[str, Series[tuple[Node, Device]]]
    access: Access = "direct"
    missing: float = 0.0

    def node(self, role: str, lane: int) -> Node:
        """Return the server that plays a role in a lane."""
        server = self.servers.get(role)
        return self.drives[role][lane][0] if server is None else server

    def device(self, role: str, bay: str, lane: int) -> Device:
        """Return its drive."""
        return self.drives[role][lane][1]

    def played(self, places: Iterable[Place]) -> list[Any]:
        """Return who is at each of some places."""
        return [self.node(role, at) if bay is None else self.device(role, bay, at) for role, bay, at in places]


ACCESS, MISSING, FIRST = range(3)
"""Where players are listed: how drives are read, the part that is missing, then those who play the roles."""


class Seats:
    """Numbers of those who play the roles of an operation."""

    def __init__(self) -> None:
        self._numbers: dict[Place, int] = {}

    @property
    def places(self) -> list[Place]:
        """The places of those who have numbers, in their order."""
        return list(self._numbers)

    def of(self, places: Series[Place]) -> list[int]:
        """Return the numbers of some who play roles."""
        return [self._numbers.setdefault(place, FIRST + len(self._numbers)) for place in places]

    def at(self, numbers: Series[int]) -> Series[Place | int]:
        """Return the places of some numbers; ACCESS and MISSING are none, and stand for themselves."""
        places = self.places
        return tuple(number if number < FIRST else places[number - FIRST] for number in numbers)

    def players(self, site: Site) -> list[Any]:
        """Return by number who plays the roles on a site."""
        return [site.access, site.missing, *site.played(self._numbers)]


def places(stage: Stage, lane: int) -> Series[Place]:
    """Return the places that say whom a stage takes what in a lane."""
    match stage:
        case Read(at, bay) | Write(at, bay) | Seek(at, bay):
            return ((at, bay, lane),)
        case Compute(at, _, _, str(beside)):
            return (at, None, lane), (beside, None, lane)
        case Compute(str(at)) | Decode(str(at)) | Process(str(at)) | Held(str(at)) | Service(str(at)):
            return ((at, None, lane),)
        case Move(source, target):
            return tuple((role, None, lane) for role in (source, target) if role is not None)
    return ()


def ends(stage: Stage) -> Series[Place]:
    """Return between whom the first two lanes of a stage move bytes."""
    match stage:
        case Move(str(source), str(target)):
            return (source, None, 0), (source, None, 1), (target, None, 0)
    return ()
