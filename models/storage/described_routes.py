"""What a load of requests does with a storage system that is described by its operations.

While something is lost, rebuilds go on beside the requests, as many at a time as the system allows.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

from models.distributions import fixed
from models.hardware.cluster import Layout
from models.requests import Background, Route, Station, Visit
from models.storage.described import ByteRange, Describe, Description
from models.storage.described_chances import NOTHING_LOST, Chances, Lost
from models.storage.object_routes import REBUILT, Ends, Variant
from models.storage.operation_routes import Field
from models.storage.stages import LIST_PAGE
from models.storage.stations import UNBOUNDED, delay


class Rebuilding(Field, Protocol):
    """The servers among which rebuilds go on, so many `streams` at a time."""

    @property
    def streams(self) -> int:
        """Objects that are rebuilt at a time."""
        ...


class LoadField(Field, Protocol):
    """The servers among which a load of requests finds a system, of which some may be lost."""

    @property
    def count(self) -> int:
        """Servers of the system."""
        ...

    @property
    def short(self) -> int:
        """Pieces of a new object that find no place."""
        ...

    @property
    def misses_data(self) -> bool:
        """Whether pieces have yet to be rebuilt."""
        ...

    def rebuilding(self) -> Rebuilding:
        """Return who plays the roles for rebuilds of what is lost."""
        ...


class DescribedRoutes:
    """The routes of a described system, whose roles the servers of a field play."""

    def __init__(self, what: Description, field: LoadField) -> None:
        self._what, self._field = what, field

    def get(self, size: float, object_size: float, opens: float = 1.0) -> tuple[Variant, ...]:
        """Return the routes of a GET of `size` bytes of an object, which such a part of them opens."""
        ahead = max(object_size - size, 0.0) / 2 / size if size > 0 else 0.0
        return self._what.get(ByteRange(size, object_size, ahead, opens)).variants(self._field)

    def put(self, size: float) -> Route:
        """Return the route of a PUT, also of one part of a multipart upload."""
        return self._what.put(size, self._field.short).visits(self._field)

    def note(self) -> Route:
        """Return the route of what begins or completes a multipart upload."""
        return self._what.note().visits(self._field)

    def head(self, *, exists: bool) -> Route:
        """Return the route of a HEAD of an object that exists or not."""
        return self._what.head(exists=exists).visits(self._field)

    def list_page(self, names: float = LIST_PAGE) -> Route:
        """Return the route of a LIST page of so many keys, of which a page holds 1,000."""
        return self._what.list_page(names).visits(self._field)

    def delete(self) -> Route:
        """Return the route of a DELETE."""
        return self._what.delete().visits(self._field)

    def accept(self, cpu: float) -> Route:
        """Return the route of what accepts a connection, which takes so many reference core-seconds of a server."""
        return self._what.accept(cpu).visits(self._field)

    @property
    def connection_bandwidth(self) -> float:
        """Most (B/s) that the store sends over a connection, whatever cards carry."""
        return self._what.connection_bandwidth

    @property
    def misses_data(self) -> bool:
        """Whether pieces have yet to be rebuilt."""
        return self._field.misses_data

    def rebuilding(self, size: float, in_flight: float) -> Background:
        """Return the work that rebuilds objects of `size` bytes while so many requests are in flight on all servers."""
        what, field = self._what, self._field.rebuilding()
        pause = what.rebuild_pause(in_flight / self._field.count)
        route = (
            *what.rebuild(size).visits(field),
            Visit(Station(REBUILT, UNBOUNDED, kind="delay")),
            *delay(f"{what.home[0]}/rebuild pause", fixed(pause)),
        )
        return Background(route, field.streams, size)

    def rebuilt(self, size: float) -> float:
        """Return the bytes that the rebuild of an object of `size` bytes makes safe again: those of one piece."""
        return size / self._what.pieces[1]


def routes_of(what: Description, layout: Layout, ends: Ends, lost: Lost = NOTHING_LOST) -> DescribedRoutes:
    """Return the routes of a system on a layout for clients at the other end, with some of it lost."""
    asked = what.asked_by(ends.group.whole, ends.under_way)
    return DescribedRoutes(asked, Chances(asked, layout, ends, lost))


def described_routes(describe: Describe) -> Callable[[Any, Layout, Ends], DescribedRoutes]:
    """Return what makes the routes of a system."""
    return lambda spec, layout, ends: routes_of(describe(spec, layout), layout, ends)
