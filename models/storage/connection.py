"""A new connection: the processor time of its ends, and a window that grows from ten segments.

A round trip for TCP and those of TLS pass first, with the processor time of both ends. Then each round trip carries as
many bytes as the window holds, which doubles, until that is what the connection carries in a round trip:

    extra time = sum over rounds of (round trip - window / rate)
"""

from __future__ import annotations

from models.values import value

INITIAL_WINDOW = 10
"""Segments that a new connection sends before the first acknowledgement. Source: RFC 6928; Linux, TCP_INIT_CWND."""
CONNECT_CPU, ACCEPT_CPU = 0.07e-3, 0.03e-3
"""Reference core-seconds of TCP at the ends of a connection that is opened and closed. Priors, measured (see
docs/loads.md): 0.06 to 0.14, and 0.02 to 0.08."""


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
