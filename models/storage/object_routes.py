"""Routes of S3 requests: what every object store answers for a load of requests, and the clients at the other end."""

from __future__ import annotations

import math
from typing import Protocol

from models.hardware.cluster import Layout
from models.requests import Background, Draw, Pick, Repeat, Route
from models.storage.stages import LIST_PAGE, TURN
from models.storage.stations import TURNS, Stations, stations
from models.values import value

REBUILT = "rebuilt"
"""Name of the station that a rebuild visits once for each object."""


@value()
class Variant:
    """One way in which a request may be served, taken by `share` of the requests of its kind; `note` tells it apart."""

    route: Route
    share: float = 1.0
    note: str = ""


@value()
class Ends:
    """The clients of a store: their servers, and which of them sends a request.

    With `own_server` a client talks to the server of the store that runs beside it, otherwise to any of the first
    `endpoints`. A request that is refused comes back after `back_off` s, at most `attempts` times in all. Some of the
    requests are `writes`. Each client has so many `under_way` in a closed loop, 0 where they come at a rate. Clients
    that are `is_alone` meet no other work. `salt` chooses where groups of objects lie.
    """

    group: Stations
    draw: Draw
    own_server: bool = False
    endpoints: int | None = None
    back_off: float = 0.0
    attempts: int = 1
    writes: bool = False
    under_way: int = 0
    is_alone: bool = False
    salt: int = 0

    @property
    def pick(self) -> Pick:
        """The client that sends a request."""
        return Pick(self.draw)

    def asked(self, servers: int) -> int:
        """Return how many of so many servers clients ask."""
        return servers if self.endpoints is None else min(self.endpoints, servers)

    def beside(self, pieces: int) -> float:
        """Return the pieces of other requests that are under way beside one, where each has so many; inf: unknown."""
        is_known = self.is_alone and self.under_way > 0
        return (self.under_way * self.group.count - 1) * pieces if is_known else math.inf

    def crossing(self, servers: Stations) -> float:
        """Return the part of the bytes between client and server that crosses the network."""
        if self.own_server:
            return 0.0
        return 1 - 1 / servers.whole if servers.group == self.group.group else 1.0


def ends(layout: Layout, group: str, *, own_server: bool, in_turn: bool, seconds: float = math.inf) -> Ends:
    """Return the clients on a group of servers, for a load of so many seconds.

    `in_turn` deals the threads of a closed loop out to them.
    """
    clients = stations(layout, group, seconds=seconds)
    return Ends(clients, Draw("client", clients.count, by_client=in_turn), own_server)


class ObjectRoutes(Protocol):
    """The routes of an object store. Sizes are means (B)."""

    def get(self, size: float, object_size: float, opens: float = 1.0) -> tuple[Variant, ...]:
        """Return the routes of a GET of `size` bytes of an object, which such a part of them opens."""
        ...

    def put(self, size: float) -> Route:
        """Return the route of a PUT, also of one part of a multipart upload."""
        ...

    def note(self) -> Route:
        """Return the route of what begins or completes a multipart upload."""
        ...

    def head(self, *, exists: bool) -> Route:
        """Return the route of a HEAD of an object that exists or not."""
        ...

    def list_page(self, names: float = LIST_PAGE) -> Route:
        """Return the route of a LIST page of so many keys, of which a page holds 1,000."""
        ...

    def delete(self) -> Route:
        """Return the route of a DELETE."""
        ...

    def accept(self, cpu: float) -> Route:
        """Return the route of what accepts a connection, which takes so many reference core-seconds of a server."""
        ...

    @property
    def connection_bandwidth(self) -> float:
        """Most (B/s) that the store sends over a connection, whatever cards carry."""
        ...


class FailingRoutes(ObjectRoutes, Protocol):
    """The routes of an object store of which components are down, or are being filled again."""

    @property
    def misses_data(self) -> bool:
        """Whether there is anything to rebuild in this part of the store."""
        ...

    def rebuilding(self, size: float, in_flight: float) -> Background:
        """Return the work that rebuilds objects of `size` bytes while so many requests are in flight on all servers."""
        ...

    def rebuilt(self, size: float) -> float:
        """Return the bytes that the rebuild of an object of `size` bytes makes safe again."""
        ...


Part = tuple[float, FailingRoutes]
"""Routes to a part of a store, and the share of the requests that take them."""


def in_turns(route: Route, size: float, turn: float = TURN) -> Route:
    """Return a route that bytes take turn by turn, in at most `TURNS` of a request of `size` bytes."""
    return (Repeat(route, max(turn, size / TURNS)),)
