"""What a load of requests does with a storage system that is described by its operations.

While something is lost, rebuilds go on beside the requests, as many at a time as the system allows.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from models.hardware.cluster import Layout
from models.requests import Background, Route, Station, Visit, fixed
from models.storage.described import ByteRange, Describe, Description
from models.storage.described_chances import NOTHING_LOST, Chances, Lost, RebuildChances
from models.storage.object_routes import REBUILT, Ends, Variant
from models.storage.stations import UNBOUNDED, delay


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
        missing = max(self._what.pieces[0] - self._chances.up, 0) if self._chances.lost.servers else 0
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

    @property
    def misses_data(self) -> bool:
        """Whether pieces have yet to be rebuilt."""
        return self._chances.lost.servers + self._chances.lost.drives > 0

    def rebuilding(self, size: float, in_flight: float) -> Background:
        """Return the work that rebuilds objects of `size` bytes while so many requests are in flight on all servers."""
        what, at = self._what, self._chances
        chances = RebuildChances(what, at.layout, at.ends, at.lost)
        pause = what.rebuild_pause(in_flight / chances.home.count)
        route = (
            *what.rebuild(size).visits(chances),
            Visit(Station(REBUILT, UNBOUNDED, kind="delay")),
            *delay(f"{what.home[0]}/rebuild pause", fixed(pause)),
        )
        return Background(route, what.rebuild_streams * chances.targets, size)

    def rebuilt(self, size: float) -> float:
        """Return the bytes that the rebuild of an object of `size` bytes makes safe again: those of one piece."""
        return size / self._what.pieces[1]


def described_routes(describe: Describe) -> Callable[[Any, Layout, Ends], DescribedRoutes]:
    """Return what makes the routes of a system."""
    return lambda spec, layout, ends: DescribedRoutes(describe(spec, layout), layout, ends)
