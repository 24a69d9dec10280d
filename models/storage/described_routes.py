"""What a load of requests does with a described storage system: who plays the roles of its operations by chance.

Where servers or drives are lost, requests find the pieces that are left, and write to what is up; what was replaced
takes writes again but holds nothing. Which ones are lost is left to chance: the last ones of the group.

Assumptions: pieces lie on neighbours, the first of them anywhere; a server has a copy of the object it is asked for as
often as chance has it.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace

from models.hardware.cluster import Layout
from models.requests import Draw, Pick, Route
from models.storage.described import Anyone, ByteRange, Description, First, Parts, Role, Sources, Targets
from models.storage.object_routes import Ends, Variant
from models.storage.stations import Stations, stations


@dataclass(frozen=True, slots=True)
class Lost:
    """So many servers of the home, and drives of others, are lost, and gone; or replaced, but without their data."""

    servers: int = 0
    drives: int = 0
    is_replaced: bool = False


NOTHING_LOST = Lost()


@dataclass(frozen=True, slots=True)
class _Spot:
    """The server of `anchor`, or that of another piece in each lane (`moves`), from number `skip` on.

    The pieces may also lie anywhere, and are on it as often as chance has it (`is_near`).
    """

    anchor: str
    moves: bool = False
    skip: int = 0
    is_near: bool = False


@dataclass(slots=True)
class Chances:
    """Who plays the roles of a system for the requests of a load from its `ends`."""

    what: Description
    layout: Layout
    ends: Ends
    lost: Lost = NOTHING_LOST
    _groups: dict[str, Stations] = field(default_factory=dict)

    @property
    def home(self) -> Stations:
        """The servers that hold the pieces."""
        return self._group(self.what.home[0])

    @property
    def holding(self) -> int:
        """Servers that hold data."""
        return self.home.count - self.lost.servers

    @property
    def up(self) -> int:
        """Servers that take requests."""
        return self.home.count if self.lost.is_replaced else self.holding

    @property
    def missing(self) -> float:
        """The part of the bytes whose pieces are lost."""
        return (self.lost.servers + self.lost.drives / self._drives(self.what.home[1])) / self.home.count

    def intact(self, count: int) -> float:
        """Return the chance that so many pieces, on servers that differ, are all there."""
        whole = math.comb(self.holding, count) / math.comb(self.home.count, count)
        drives = self.holding * self._drives(self.what.home[1])
        return whole * (1 - self.lost.drives / drives) ** count

    def stations(self, role: str) -> Stations:
        """Return the stations of the servers that play a role."""
        return self.ends.group if role == "client" else self._group(self._group_of(role))

    def server(self, role: str) -> Pick:
        """Return the server that plays a role, and for further lanes others that hold further pieces."""
        if role == "client":
            return self.ends.pick
        whose = self._role(role)
        if isinstance(whose, (Sources, Targets, Parts)):
            return Pick(Draw("one", 1), self._span(whose), self._start(role))
        return Pick(self._start(role))

    def drive(self, role: str, bay: str) -> Pick:
        """Return a drive of that server."""
        group, drives = self.stations(role), Draw(f"{bay} drive", self._drives(bay, self.stations(role)))
        if role == "client":
            return Pick(drives, group.count, self._start(role), group.count)
        span = self._span(self._role(role)) if group.group == self.what.home[0] else group.count
        writes = isinstance(self._role(role), Targets) and self.lost.is_replaced
        left = group.count * drives.count - self.lost.drives
        is_whole = writes or not self.lost.drives or (group.group, bay) != self.what.home
        return Pick(drives, span, self._start(role), group.count, among=None if is_whole else left)

    def crossing(self, source: str, target: str, lanes: int) -> float:
        """Return the part of the requests, in one of so many lanes, whose source and target are two servers."""
        if self.stations(source).group != self.stations(target).group:
            return 1.0
        parts = [self._role(role) for role in (source, target) if role != "client"]
        apart = [role for role in parts if isinstance(role, Parts)]
        if len(apart) > 1:
            return 0.0 if apart[0].is_first == apart[1].is_first else 1 - 1 / apart[0].each
        here, there = self._spot(source), self._spot(target)
        if here.anchor != there.anchor:
            return 1 - 1 / self.stations(source).count
        if here.is_near or there.is_near:
            copies = self.what.pieces[0] if self.what.pieces[1] == 1 else 1
            return max(1 - copies / self.home.count * self.holding / self.up, 0.0)
        if here.skip or there.skip:
            return 1.0
        return (lanes - 1) / lanes if here.moves != there.moves else 0.0

    def _spot(self, role: str) -> _Spot:
        """Return on which server a role stands, relative to others that stand on the same one."""
        whose = None if role == "client" else self._role(role)
        match whose:
            case First(of):
                return replace(self._spot(of), moves=False)
            case Parts(of):
                return self._spot(of)
            case Sources(str(near)) if self._stands_there(near):
                return replace(self._spot(near), moves=True, is_near=True)
            case Targets(str(first), _, skip) if self._stands_there(first):
                return replace(self._spot(first), moves=True, skip=skip)
            case Targets(_, number, skip):
                return _Spot(f"place {number}", moves=True, skip=skip)
            case Sources(_, number):
                return _Spot(f"place {number}", moves=True)
            case Anyone(group) if not self._is_own(group):
                return _Spot(role)
        return _Spot("client")

    def _start(self, role: str) -> Draw:
        """Return the choice of the server that plays a role, in its first lane."""
        if role == "client":
            return self.ends.draw
        match self._role(role):
            case Anyone(group) if self._is_own(group):
                return self.ends.draw
            case Anyone(group):
                return Draw(role, self.up if group == self.what.home[0] else self._group(group).count)
            case First(of) | Parts(of):
                return self._start(of)
            case Sources(str(near)) if self._stands_there(near):
                return self._start(near)
            case Targets(str(first)) if self._stands_there(first):
                return self._start(first)
            case Sources(_, number) | Targets(_, number) as whose:
                return Draw(f"place {number}", self._span(whose))

    def _is_own(self, group: str) -> bool:
        """Tell whether a client talks to the server of a group on which it runs."""
        return self.ends.own_server and group == self.ends.group.group

    def _stands_there(self, role: str) -> bool:
        return self.stations(role).group == self.what.home[0]

    def _span(self, role: Role) -> int:
        """Return the servers among which those of a role are."""
        if isinstance(role, Parts):
            role = self._role(role.of)
        return self.holding if isinstance(role, Sources) else self.up

    def _group_of(self, role: str) -> str:
        match self._role(role):
            case Anyone(group):
                return group
            case _:
                return self.what.home[0]

    def _role(self, role: str) -> Role:
        return self.what.roles[role]

    def _group(self, name: str) -> Stations:
        if name not in self._groups:
            self._groups[name] = stations(self.layout, name)
        return self._groups[name]

    def _drives(self, bay: str, group: Stations | None = None) -> int:
        return (group or self.home).nodes[0].server.bays[bay].count


class DescribedRoutes:
    """The routes of a described system on a layout for clients at the other end."""

    def __init__(self, what: Description, layout: Layout, ends: Ends, lost: Lost = NOTHING_LOST) -> None:
        self._what, self._chances = what, Chances(what, layout, ends, lost)

    def get(self, size: float, object_size: float) -> tuple[Variant, ...]:
        """Return the routes of a GET of `size` bytes of an object."""
        ahead = max(object_size - size, 0.0) / 2 / size if size > 0 else 0.0
        return self._what.get(ByteRange(size, object_size, ahead)).variants(self._chances)

    def put(self, size: float) -> Route:
        """Return the route of a PUT, also of one part of a multipart upload."""
        missing = max(self._what.pieces[0] - self._chances.up, 0)
        return self._what.put(size, missing).visits(self._chances)

    def note(self) -> Route:
        """Return the route of what begins or completes a multipart upload."""
        return self._what.note().visits(self._chances)

    def head(self, *, found: bool) -> Route:
        """Return the route of a HEAD of an object that exists or not."""
        return self._what.head(found=found).visits(self._chances)

    def list_page(self) -> Route:
        """Return the route of a LIST page of 1,000 keys."""
        return self._what.list_page().visits(self._chances)

    def delete(self) -> Route:
        """Return the route of a DELETE."""
        return self._what.delete().visits(self._chances)
