"""What it takes that a request finds no idle connection: a new one, and a window that grows from ten segments.

A round trip for TCP and those of TLS pass first, with the processor time of both ends. Then each round trip carries as
many bytes as the window holds, which doubles, until that is what the connection carries in a round trip:

    extra time = sum over rounds of (round trip - window / rate)

Leaves out: windows that shrink while a connection is idle, names that are looked up, sessions of TLS that are resumed,
and that a client takes a connection that comes free while it opens one.
"""

from __future__ import annotations

from models.distributions import fixed
from models.hardware.cluster import Layout
from models.hardware.server import PACKET_HEADERS
from models.requests import Connected, Draw, Pick, Route
from models.storage.object_routes import Ends, ObjectRoutes
from models.storage.stations import delay
from models.storage.tls import ANSWER_CPU, HANDSHAKE_CPU, HANDSHAKE_TRIPS
from models.values import value

INITIAL_WINDOW = 10
"""Segments that a new connection sends before the first acknowledgement. Source: RFC 6928; Linux, TCP_INIT_CWND."""
CONNECT_CPU, ACCEPT_CPU = 0.07e-3, 0.03e-3
"""Reference core-seconds of TCP at the ends of a connection that is opened and closed. Priors, measured (see
docs/loads.md): 0.06 to 0.14, and 0.02 to 0.08."""
OPENED = "connections opened"
"""What is said of the station at which requests wait for a new connection, behind the group of the clients."""


@value()
class Window:
    """The window of a new connection: bytes of a segment, seconds of a round trip, and what it carries (B/s)."""

    segment: float
    round_trip: float
    rate: float

    @property
    def in_flight(self) -> float:
        """Bytes that a connection whose window has grown carries in a round trip."""
        return self.rate * self.round_trip

    def extra(self, size: float) -> float:
        """Return the seconds that `size` bytes take longer than over a connection whose window has grown."""
        window, sent, extra = INITIAL_WINDOW * self.segment, 0.0, 0.0
        while window < self.rate * self.round_trip and sent + window < size:
            extra += self.round_trip - window / self.rate
            sent += window
            window *= 2
        return extra


@value()
class Pool:
    """The connections of clients on a group of servers, of which each process keeps so many idle ones."""

    kept: int
    pools: int
    pick: Pick
    group: str
    opening: Route
    window: Window

    def over(self, route: Route, size: float) -> Route:
        """Return a route that moves `size` bytes over a connection."""
        late = delay(f"{self.group}/window of a new connection", fixed(self.window.extra(size)))
        return (Connected(f"{self.group}/idle", self.pools, self.kept, self.pick, route, self.opening, late),)


def pool_of(kept: int, processes: int, clients: Ends, store: ObjectRoutes, layout: Layout, *, tls: bool) -> Pool:
    """Return the connections of clients, of whose processes each keeps so many idle ones."""
    group, pick = clients.group, clients.pick
    if processes > 1:
        pick = Pick(Draw("client process", group.count * processes, by_client=clients.draw.by_client))
    round_trip = layout.cluster.network.round_trip
    shaken, answered, trips = (HANDSHAKE_CPU, ANSWER_CPU, HANDSHAKE_TRIPS) if tls else (0.0, 0.0, 0)
    opening = (
        *delay(f"{group.group}/{OPENED}", fixed(round_trip * (1 + trips))),
        *group.compute(clients.pick, once=CONNECT_CPU + shaken),
        *store.accept(ACCEPT_CPU + answered),
    )
    segment = group.nodes[0].server.nic.mtu - PACKET_HEADERS
    rate = min(group.connection, group.card(), store.connection_bandwidth)
    return Pool(kept, group.count * processes, pick, group.group, opening, Window(segment, round_trip, rate))
