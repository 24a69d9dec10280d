"""Amazon S3, request by request: limits of its prefixes, the wait for the first byte, and the pace of a connection.

The first byte is log-normal about its mean. A GET then streams at the pace of its connection; a PUT streams first and
waits after. GET, HEAD and LIST share one limit of each prefix, PUT and DELETE another; beyond it S3 says 503, and the
client comes back later. The store itself has no other bound, so the network of the clients is the next.
"""

from __future__ import annotations

from models.hardware.cluster import Layout
from models.requests import Admission, FirstByte, Route, fixed, lognormal
from models.storage.amazon_s3.system import AmazonS3
from models.storage.object_routes import Ends, Variant, in_turns
from models.storage.stations import delay, paced

BURST = 1.0
"""Seconds of a prefix's rate that may come at once. Assumption: its limits are stated and kept by the second."""


class AmazonS3Routes:
    """The routes of Amazon S3 for clients at the other end, which try again as they say."""

    def __init__(self, spec: AmazonS3, layout: Layout, ends: Ends) -> None:
        self._spec, self._ends = spec, ends
        self._nic = ends.group.nodes[0].server.nic
        again = (spec.prefixes, ends.back_off, ends.attempts)
        self._reads = Admission("reads of a prefix", spec.get_rate, max(spec.get_rate * BURST, 1.0), *again)
        self._writes = Admission("writes of a prefix", spec.put_rate, max(spec.put_rate * BURST, 1.0), *again)
        self._first = delay("amazon-s3/first byte", lognormal(spec.first_byte, spec.first_byte_spread))

    def get(self, size: float, object_size: float) -> tuple[Variant, ...]:
        """Return the route of a GET of `size` bytes of an object."""
        turn = self._paced(self._nic.bandwidth) + self._ends.group.receive(self._ends.pick)
        return (Variant((self._reads, *self._first, FirstByte(), *in_turns(turn, size))),)

    def put(self, size: float) -> Route:
        """Return the route of a PUT, also of one part of a multipart upload."""
        rate = min(self._nic.bandwidth, self._nic.flow_bandwidth)
        turn = self._ends.group.send(self._ends.pick) + self._paced(rate)
        return (self._writes, *in_turns(turn, size), *self._first)

    def note(self) -> Route:
        """Return the route of what begins or completes a multipart upload."""
        return (self._writes, *self._first)

    def head(self, *, found: bool) -> Route:
        """Return the route of a HEAD of an object that exists or not."""
        return (self._reads, *self._first)

    def list_page(self) -> Route:
        """Return the route of a LIST page."""
        return (self._reads, *self._first, *delay("amazon-s3/listing", fixed(self._spec.list_time)))

    def delete(self) -> Route:
        """Return the route of a DELETE."""
        return (self._writes, *self._first)

    def _paced(self, rate: float) -> Route:
        """Return the visit that makes up what a connection is slower than `rate` (B/s), that of its client."""
        return paced("amazon-s3/connection pace", 1 / self._spec.connection_bandwidth - 1 / rate)
