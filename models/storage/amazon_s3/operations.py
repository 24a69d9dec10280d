"""What Amazon S3 does for a request: limits of its prefixes, the wait for the first byte, and the pace of a connection.

A GET streams after its first byte, a PUT streams first, more slowly, and waits for its commit after. GET, HEAD and LIST
share one limit of each prefix, PUT, POST and DELETE another; beyond it S3 says 503, and the client comes back later.
The store itself has no other bound, so the network of the clients is the next.

Assumption: a COPY inside the store is as fast as one connection moves bytes.
"""

from __future__ import annotations

from types import MappingProxyType

from models.hardware.cluster import Layout
from models.storage.amazon_s3.system import READS_LIMIT, WRITES_LIMIT, AmazonS3
from models.storage.described import NOWHERE, ByteRange, Description
from models.storage.operation import Operation
from models.storage.stages import LIST_PAGE, FirstByte, Limit, Move, Stream, Wait

BURST = 1.0
"""Seconds of a prefix's rate that may come at once. Assumption: its limits are stated and kept by the second."""


class AmazonS3Operations(Description):
    """The operations of Amazon S3."""

    home, pieces, roles = NOWHERE, (1, 1), MappingProxyType({})

    def __init__(self, spec: AmazonS3) -> None:
        self._spec, self.connection_bandwidth = spec, spec.connection_bandwidth
        self.reads = _limit("get", READS_LIMIT, spec.get_rate, spec.prefixes)
        self.writes = _limit("put", WRITES_LIMIT, spec.put_rate, spec.prefixes)
        self._first = Wait("amazon-s3/first byte", spec.first_byte, spec.spread)
        self._noted = Wait("amazon-s3/commit", spec.put_time, spec.spread)

    def prepare(self, layout: Layout) -> None:
        """Make the limits of reads and of writes."""
        for limit in (self.reads, self.writes):
            layout.rate(limit.name, limit.rate * limit.prefixes)

    def get(self, part: ByteRange) -> Operation:
        """Return a GET of a range."""
        bytes_out = Stream((Move(None, "client", self._spec.connection_bandwidth, *self._link),))
        return Operation((self.reads, self._first, FirstByte(), bytes_out), part.size)

    def put(self, size: float, missing: int = 0) -> Operation:
        """Return a PUT, also of one part of a multipart upload."""
        bytes_in = Stream((Move("client", None, self._spec.put_bandwidth, *self._link),))
        return Operation((self.writes, bytes_in, self._noted), size)

    def copy(self) -> Operation:
        """Return a COPY inside the store."""
        asked = Wait("amazon-s3/copy", self._spec.copy_time, self._spec.spread)
        return Operation((asked, Move(None, None, self._spec.connection_bandwidth, "one copy in S3")))

    def note(self, parts: int = 0) -> Operation:
        """Return what begins or completes a multipart upload."""
        return Operation((self.writes, self._noted))

    def head(self, *, exists: bool = True) -> Operation:
        """Return a HEAD of an object that exists or not."""
        return Operation((self.reads, self._first))

    def list_page(self, names: float = LIST_PAGE) -> Operation:
        """Return a page of a listing: what any takes, and more for each name."""
        spec = self._spec
        listed = spec.list_start + (spec.list_time - spec.list_start) * names / LIST_PAGE
        return Operation((self.reads, self._first, Wait("amazon-s3/listing", listed)))

    def delete(self) -> Operation:
        """Return a DELETE."""
        return Operation((self.writes, self._noted))

    @property
    def _link(self) -> tuple[str, str, float]:
        """What a connection to the store is called, where it ends, and its largest packet (B)."""
        return "one connection to S3", "amazon-s3/connection", self._spec.mtu


def _limit(action: str, refusal: str, rate: float, prefixes: int) -> Limit:
    return Limit(f"amazon-s3/{action}", refusal, rate, prefixes, max(rate * BURST, 1.0))
