"""Who plays the roles of a described storage system by chance, for the requests of a load.

Where servers or drives are lost, requests find the pieces that are left, and write to what is up; what was replaced
takes writes again but holds nothing. Which ones are lost is left to chance: the last ones of the group.

Objects belong to the groups of a system that has some, with the pieces where it puts them.

Assumptions: other pieces lie on neighbours, the first of them anywhere; a server has a copy of the object it is asked
for as often as chance has it.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace

from models.hardware.cluster import Layout
from models.requests import Draw, Pick, Places
from models.storage.described import REBUILT_PIECE, Anyone, Description, First, Parts, Role, Sources, Targets
from models.storage.object_routes import Ends
from models.storage.stations import Stations, stations
from models.values import value


@value()
class Lost:
    """So many servers of the home, and drives of others, are lost, and gone; or replaced, but without their data."""

    servers: int = 0
    drives: int = 0
    is_replaced: bool = False


NOTHING_LOST = Lost()


@value()
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
    _places: dict[tuple[int, int], Places | None] = field(default_factory=dict)

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
    def count(self) -> int:
        """Servers of the system."""
        return self.home.count

    @property
    def short(self) -> int:
        """Pieces of a new object that find no place."""
        if self.what.shares_servers and (places := self._groups_of(Targets())) is not None:
            return max(self.what.pieces[0] - len(places.copies[0]), 0)
        return max(self.what.pieces[0] - self.up, 0) if self.lost.servers else 0

    @property
    def misses_data(self) -> bool:
        """Whether pieces have yet to be rebuilt."""
        return self.lost.servers + self.lost.drives > 0

    @property
    def missing(self) -> float:
        """The part of the bytes whose pieces are lost."""
        if self.lost == NOTHING_LOST:
            return 0.0
        return (self.lost.servers + self.lost.drives / self._drives(self.what.home[1])) / self.home.count

    @property
    def patience(self) -> tuple[float, int]:
        """The seconds after which a request that was refused comes back, and how often it is sent at most."""
        return self.ends.back_off, self.ends.attempts

    def rebuilding(self) -> RebuildChances:
        """Return who plays the roles for rebuilds of what is lost."""
        return RebuildChances(self.what, self.layout, self.ends, self.lost)

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
        if (placed := self._placed(role)) is not None:
            return placed
        whose = self._role(role)
        if isinstance(whose, (Sources, Targets, Parts)):
            return Pick(Draw("one", 1), self._span(whose), self._start(role))
        return Pick(self._start(role))

    def drive(self, role: str, bay: str) -> Pick:
        """Return a drive of that server."""
        group, drives = self.stations(role), Draw(f"{bay} drive", self._drives(bay, self.stations(role)))
        if role == "client":
            return Pick(drives, group.count, self._start(role), group.count)
        if (placed := self._placed(role)) is not None:
            return placed
        span = self._span(self._role(role)) if group.group == self.what.home[0] else group.count
        is_whole = not self.lost.drives or (group.group, bay) != self.what.home
        among = None if is_whole else self._left(self._role(role))
        return Pick(drives, span, self._start(role), group.count, among=among)

    def _left(self, role: Role) -> int:
        """Return the drives among which those of a role are."""
        writes = isinstance(role, Targets) and self.lost.is_replaced
        return self.count * self._drives(self.what.home[1]) - (0 if writes else self.lost.drives)

    def _placed(self, role: str) -> Pick | None:
        """Return the places of a role in the groups to which objects belong; None if they lie anywhere."""
        whose = self._role(role)
        of = self._role(whose.of) if isinstance(whose, Parts) else whose
        match of:
            case Sources(None, number) | Targets(None, number, 0):
                places = self._groups_of(of)
            case _:
                return None
        if places is None:
            return None
        count, pieces = places.copies.shape
        lanes, is_first = (whose.each, whose.is_first) if isinstance(whose, Parts) else (pieces, False)
        return Pick(Draw(f"group {number}", count), min(lanes, pieces), stride=0 if is_first else 1, places=places)

    def _groups_of(self, role: Role) -> Places | None:
        """Return where the groups lie, with all their pieces on what is there for a role."""
        span, left = self._span(role), self._left(role)
        if (span, left) not in self._places:
            self._places[span, left] = self.what.places(self.home.nodes[:span], left, self.count, self.ends.salt)
        return self._places[span, left]

    def crossing(self, source: str, target: str, lanes: int) -> float:
        """Return the part of the requests, in one of so many lanes, whose source and target are two servers."""
        if self.stations(source).group != self.stations(target).group:
            return 1.0
        parts = [self._role(role) for role in (source, target) if role != "client"]
        apart = [role for role in parts if isinstance(role, Parts)]
        if len(apart) > 1 and self.what.shares_servers and apart[0].is_first != apart[1].is_first:
            return self._from_first(apart[0])
        if len(apart) > 1:
            return 0.0 if apart[0].is_first == apart[1].is_first else 1 - 1 / apart[0].each
        here, there = self._spot(source), self._spot(target)
        if here.anchor != there.anchor:
            return 1 - 1 / self.stations(source).whole
        if here.is_near or there.is_near:
            copies = self.what.pieces[0] if self.what.pieces[1] == 1 else 1
            return max(1 - copies / self.home.whole * self.holding / self.up, 0.0)
        if here.skip or there.skip:
            return 1.0
        return (lanes - 1) / lanes if here.moves != there.moves else 0.0

    def _from_first(self, parts: Parts) -> float:
        """Return the part of the pieces, each of which the first one takes or gives, that lie on another server."""
        places = self._groups_of(self._role(parts.of))
        if places is None:
            return 1 - 1 / self.home.whole
        servers = places.copies[:, : parts.each] % self.count
        return float((servers != servers[:, :1]).mean())

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
                count = self.up if group == self.what.home[0] else self._group(group).count
                return Draw(role, self.ends.asked(count))
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
            ends, beside = self.ends, self.ends.beside(self.what.pieces[0])
            group = stations(self.layout, name, is_written=ends.writes, seconds=ends.group.seconds)
            self._groups[name] = replace(group, beside=beside)
        return self._groups[name]

    def _drives(self, bay: str, group: Stations | None = None) -> int:
        return (group or self.home).nodes[0].server.bays[bay].count


@dataclass(slots=True)
class RebuildChances(Chances):
    """The same for rebuilds of what is lost: onto what replaced it, or onto servers that are left."""

    @property
    def targets(self) -> int:
        """The components onto which pieces are rebuilt: servers, or drives."""
        if self.what.rebuilds_into_free_space:
            return self.holding
        return self.lost.servers or self.lost.drives

    @property
    def streams(self) -> int:
        """Objects that are rebuilt at a time."""
        return self.what.rebuild_streams * self.targets

    def _placed(self, role: str) -> Pick | None:
        """Return nothing: what is read for rebuilds lies anywhere."""
        return None

    def stations(self, role: str) -> Stations:
        """Return the stations of the servers that play a role."""
        return self.home if role == REBUILT_PIECE else Chances.stations(self, role)

    def server(self, role: str) -> Pick:
        """Return the server that plays a role."""
        if role != REBUILT_PIECE:
            return Chances.server(self, role)
        if self._is_drive:
            return self.drive(role, self.what.home[1])
        return Pick(self._start(role), stride=1, first=self._first, among=self.targets)

    def drive(self, role: str, bay: str) -> Pick:
        """Return a drive of that server."""
        if role != REBUILT_PIECE:
            return Chances.drive(self, role, bay)
        count, whose = self.home.count, self._start(role)
        if self._is_drive:
            return Pick(whose, stride=1, first=count * self._drives(bay) - self.targets, among=self.targets)
        drives = Draw(f"restored {bay} drive", self._drives(bay))
        return Pick(drives, self.targets, whose, count, first=self._first, server=self.server(role))

    def crossing(self, source: str, target: str, lanes: int) -> float:
        """Return the part of the pieces whose source and target are two servers: all that are rebuilt."""
        if REBUILT_PIECE not in (source, target):
            return Chances.crossing(self, source, target, lanes)
        return 1 - 1 / self.home.whole if self.what.shares_servers else 1.0

    @property
    def _is_drive(self) -> bool:
        return not (self.lost.servers or self.what.rebuilds_into_free_space)

    @property
    def _first(self) -> int:
        return 0 if self.what.rebuilds_into_free_space else self.holding

    def _start(self, role: str) -> Draw:
        if role == REBUILT_PIECE:
            return Draw("restored", self.targets, by_client=True)
        if isinstance(self._role(role), Sources):
            return Draw("place of a source", self.holding)
        return Chances._start(self, role)
