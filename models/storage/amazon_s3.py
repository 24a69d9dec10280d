"""Amazon S3 seen from a cluster: a store without servers or limits of its own size, reached request by request.

A GET waits for its first byte and then streams over one connection of limited speed; all GETs of the run share the
request rate of their prefixes. Several ranges of one object may be read side by side. What a client spends per byte
on decryption and copying belongs to the client, not to the store.

Not covered: the slow growth of the request limits; but for a load of requests the spread of the first byte, retries
and writes.

Source: dvassallo/s3-benchmark; AWS, "Best practices design patterns: optimizing Amazon S3 performance".
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Literal

from models.hardware.cluster import BayBatch, Cluster, Layout, Node
from models.quantity import Model, Quantity, quantity, setting
from models.storage.flow import Flow, compute
from models.storage.room import Room
from models.work import Use


class AmazonS3(Model):
    """The object store as a service."""

    system: Literal["amazon-s3"] = setting("Storage system.")
    first_byte: Quantity = quantity("s", "Time from a request to its first byte.", gt=0)
    connection_bandwidth: Quantity = quantity("B/s", "Most that one connection carries.", gt=0)
    get_rate: Quantity = quantity("1/s", "GET and HEAD requests that one prefix serves.", gt=0)
    prefixes: int = setting("Prefixes over which the objects are partitioned.", default=1, ge=1)
    put_rate: Quantity = quantity(
        "1/s", "PUT and DELETE requests that one prefix serves (requests only).", default="3500 1/s", gt=0
    )
    first_byte_spread: float = setting(
        "Standard deviation of the logarithm of first_byte, which is then its mean (requests only).",
        default=0.0,
        ge=0,
        le=2,
    )
    list_time: Quantity = quantity(
        "s", "Time of a page of a listing beyond first_byte (requests only).", default="0.1 s", ge=0
    )

    def server_groups(self) -> dict[str, str]:
        """Return the server groups that the system names, by key: none."""
        return {}

    def fits(self, cluster: Cluster) -> None:
        """Accept every cluster: the store needs nothing of it."""

    def raw_capacity(self, cluster: Cluster) -> float:
        """Return bytes that the store holds: without limit."""
        return math.inf

    def raw_per_byte(self, cluster: Cluster, replicas: int | None = None) -> float:
        """Return raw bytes that a stored byte takes: one, redundancy is the service's own."""
        return 1.0

    def batches(self, cluster: Cluster) -> list[BayBatch]:
        """Return its drives: none that one would see."""
        return []

    def usable(self, cluster: Cluster, rooms: Sequence[Room]) -> float:
        """Return bytes of data that fit: without limit."""
        return math.inf

    @property
    def heals_into_free_space(self) -> bool:
        """Whether lost pieces are made anew on the servers that are left: that is the service's own."""
        return False

    def object_bytes(self, cluster: Cluster, size: float) -> float:
        """Return bytes of an object of `size` bytes: as many, as it is billed."""
        return size


class S3Client(Model):
    """A program that reads objects: how it splits them up, and what it spends on a byte."""

    connector: Literal["s3"] = setting("Client library.")
    connections: int = setting("Ranges of an object that are read at the same time, each over its connection.", ge=1)
    part_size: Quantity = quantity("B", "Bytes of a range; default: the whole object.", default=math.inf, gt=0)
    stream_cpu: Quantity = quantity(
        "s/B", "Reference core-seconds per byte read: TLS, HTTP, copies between buffers.", default=0.0, ge=0
    )
    request_time: Quantity = quantity(
        "s", "Time of a request beyond the store's first byte: connection, TLS handshake.", default=0.0, ge=0
    )


class AmazonS3Store:
    """Amazon S3 beside the servers of a layout."""

    def __init__(self, spec: AmazonS3, layout: Layout) -> None:
        self.spec = spec
        self._flows: dict[tuple[int, S3Client, float], Flow] = {}
        self._requests = layout.resources.add(
            "amazon-s3/get-requests",
            kind="requests",
            group="amazon-s3/get requests",
            unit="1",
            capacity=spec.get_rate * spec.prefixes,
        )

    def read(self, node: Node, client: S3Client, size: float) -> Flow:
        """Return the flow of a client on `node` that reads an object of `size` bytes, from its first byte on.

        `Flow.latency` is left at 0: a caller waits for `wait(client)` once an object, however it cuts the stream.
        """
        key = (node.index, client, size)
        if key not in self._flows:
            self._flows[key] = self._flow(node, client, size)
        return self._flows[key]

    def wait(self, client: S3Client) -> float:
        """Return the seconds from a client's request to its first byte."""
        return self.spec.first_byte + client.request_time

    def _flow(self, node: Node, client: S3Client, size: float) -> Flow:
        part = min(client.part_size, size)
        streams = min(client.connections, math.ceil(size / part))
        waits = self.wait(client) if streams < size / part else 0.0  # a connection asks for its next range
        rate = streams * part / (waits + part / self.spec.connection_bandwidth)
        uses = (Use(node.nic_in, 1.0, 1.0), Use(self._requests, 1 / part, 1.0))
        link = Flow(uses, rate, "one connection to S3" if streams == 1 else "connections to S3", weight=float(streams))
        return link.joined(compute(node, client.stream_cpu))
