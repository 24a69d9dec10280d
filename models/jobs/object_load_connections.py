"""What it takes that a request finds no idle connection: a new one, and its window (`models.storage.connection`).

Leaves out: windows that shrink while a connection is idle, names that are looked up, sessions of TLS that are resumed,
and that a client takes a connection that comes free while it opens one.
"""

from __future__ import annotations

from models.distributions import fixed
from models.hardware.cluster import Layout
from models.hardware.server import PACKET_HEADERS
from models.requests import Connected, Draw, Pick, Route
from models.storage.connection import ACCEPT_CPU, CONNECT_CPU, Window
from models.storage.object_routes import Ends, ObjectRoutes
from models.storage.stations import delay
from models.storage.tls import ANSWER_CPU, HANDSHAKE_CPU, HANDSHAKE_TRIPS
from models.values import value

OPENED = "connections opened"
"""What is said of the station at which requests wait for a new connection, behind the group of the clients."""


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
