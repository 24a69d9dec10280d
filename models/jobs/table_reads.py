"""What reading the columns of a split takes: the requests, what they bring, and the time that passes before it comes.

The file's tail is asked for first, then the columns as an engine reads them, of which its client makes GETs. Those that
wait for each other are told as `rounds`. Where a GET is left early, the next one opens a connection anew. Not covered:
what the store's processors spend on a new connection, and what an old one has on its way when it is given up.
"""

from __future__ import annotations

from models.hardware.cluster import Layout, Node
from models.hardware.server import PACKET_HEADERS
from models.storage.clients.reading import Columns, Fetch, Fetched
from models.storage.connection import CONNECT_CPU, Window
from models.storage.flow import Flow, compute
from models.storage.tls import HANDSHAKE_CPU, HANDSHAKE_TRIPS
from models.values import value
from models.work import Delay, Step

NOTHING = Fetched(0, 0.0, 0)
"""No column at all: a bare count, which the tail of a file answers."""


@value()
class Reads:
    """Reading columns of a split: `before` requests one after the other, then what is `fetched` of the columns."""

    before: int
    fetched: Fetched

    @property
    def amount(self) -> float:
        """Bytes that come, those that are read over among them."""
        return self.fetched.gets * self.fetched.size

    @property
    def request_size(self) -> float:
        """Bytes that a request brings, the mean of all."""
        return max(self.amount / max(self.before + self.fetched.gets, 1), 1.0)

    @property
    def rounds(self) -> int:
        """Requests of which each waits for the one before."""
        return self.before + self.fetched.rounds


def reads(before: int, columns: Columns, fetch: Fetch) -> Reads:
    """Return what reading columns takes through a client, with so many requests before the first of them."""
    return Reads(before, fetch(columns) if columns.count and columns.size > 0 else NOTHING)


def reopened(read: Reads, flow: Flow, node: Node, layout: Layout, *, tls: bool) -> list[Step]:
    """Return what a task on `node` waits and computes for connections that are opened anew, which carry a flow."""
    left = read.fetched.left
    if not left:
        return []
    round_trip = layout.cluster.network.round_trip
    window = Window(node.server.nic.mtu - PACKET_HEADERS, round_trip, flow.max_rate)
    trips, shaken = (HANDSHAKE_TRIPS, HANDSHAKE_CPU) if tls else (0, 0.0)
    late = round_trip * (1 + trips) + window.extra(read.fetched.size)
    return [Delay(left * late), compute(node, CONNECT_CPU + shaken).move(left)]
