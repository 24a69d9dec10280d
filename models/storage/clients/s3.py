"""An SDK for object stores: how it cuts objects into ranges and parts, and what it spends on a byte.

A range is asked for and then streams over a connection; several of one object may be under way side by side. What a
store's request takes to its first byte is the store's, what the client adds (connection, TLS handshake) its own.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, ClassVar, Literal

from models.hardware.cluster import Node
from models.hardware.drive import Access
from models.outage import ObjectRepairs
from models.quantity import Model, Quantity, quantity, setting
from models.storage.clients.mount import Shares
from models.storage.contract import Interface, ObjectStore
from models.storage.flow import Flow, compute
from models.storage.tls import TLS_CPU, TLS_MEANING, Tls
from models.work import Delay, Sequence, Step

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class S3Client(Model):
    """A program that reads and writes objects: how it splits them up, and what it spends on a byte."""

    speaks: ClassVar[tuple[Interface, ...]] = ("objects",)
    shared_writes: ClassVar[tuple[Interface, ...]] = ("objects",)
    connector: Literal["s3"] = setting("Client library.")
    connections: int | None = setting(
        "Ranges of an object that are read at the same time, each over its connection; default: one for each "
        "connection_share that the card of its server carries, at least ten.",
        default=None,
        ge=1,
    )
    connection_share: Quantity = quantity(
        "B/s",
        "Rate of the card for which a client opens a connection, where it does not say how many it has.",
        default=50e6,
        gt=0,
        source="published: awslabs/aws-c-s3 at 8dd4dd6, source/s3_client.c: 250 connections for a target of 100 Gbit/s",
    )
    part_size: Quantity = quantity("B", "Bytes of a range; default: the whole object.", default=math.inf, gt=0)
    stream_cpu: Quantity = quantity(
        "s/B", "Reference core-seconds per byte read: HTTP, copies between buffers.", default=0.0, ge=0
    )
    tls: Tls = setting(TLS_MEANING, default="none")
    request_time: Quantity = quantity(
        "s", "Time of a request beyond the store's first byte: connection, TLS handshake.", default=0.0, ge=0
    )

    def opens(self, node: Node) -> int:
        """Return the connections that a client on a node has for an object."""
        if self.connections is not None:
            return self.connections
        return max(math.ceil(node.server.nic.nominal / self.connection_share - 1e-9), LEAST_CONNECTIONS)


LEAST_CONNECTIONS = 10
"""Connections of a client at the least. Source: awslabs/aws-c-s3, source/s3_client.c, g_min_num_connections."""

SPLIT = 134217728.0
"""Bytes of a split of an object. Source: Apache Spark, spark.sql.files.maxPartitionBytes, default."""


class S3Mount:
    """Objects as a program reads and writes them with an SDK: each split or file is an object."""

    overread = 1.0
    write_cpu = 0.0
    keeps_checksums = False
    split_size = SPLIT

    def __init__(
        self, store: ObjectStore, client: S3Client, shares: Shares, repairs: ObjectRepairs | None = None
    ) -> None:
        self._store, self._client, self.shares, self.repairs = store, client, shares, repairs
        self._flows: dict[tuple[Flow, int, float], Flow] = {}
        self._object = math.inf

    def streamed(self, size: float) -> float:
        """Return `size` (B): a file is an object, of which ranges are asked for while others come."""
        return size

    @property
    def wait(self) -> float:
        """Mean seconds from asking for a range to its first byte."""
        return self._store.request_time + self._client.request_time

    def hold(self, splits: int, size: float) -> None:
        """Take account of an input of `splits` objects of `size` bytes."""
        self._object = size
        if self.repairs is not None:
            for name in range(splits):
                self.repairs.hold(name, size)

    def preferred(self, splits: int) -> NDArray[np.int32] | None:
        """Return None: objects are equally far from all."""
        return None

    def read(self, split: int, splits: int, node: Node, access: Access, file: float | None = None) -> Flow:
        """Return the flow of reading one of `splits` objects."""
        one = self._store.read(split % splits, node, size=min(self._client.part_size, self._object))
        return replace(self._streams(one, node, math.inf), latency=self._first_bytes(one, node, math.inf))

    def places(self, data: float) -> int:
        """Return the number of places at which `data` bytes lie."""
        return max(round(data / self.split_size), 1)

    def fetch(self, place: int, places: int, node: Node, size: float, file: float | None = None) -> Flow:
        """Return the flow of ranges of `size` bytes of one of `places` objects."""
        part = min(self._client.part_size, size)
        return self._streams(self._store.read(place % places, node, size=part), node, size)

    def average(self, node: Node, size: float) -> Flow:
        """Return the flow of ranges that lie anywhere."""
        return self._joined(self._store.average(node, min(self._client.part_size, size)), node, size)

    def write(self, file: int, node: Node, amount: float, own: Flow, access: Access, replication: int | None) -> Step:
        """Return the step of uploading a file, in parts side by side, and completing it."""
        if self.repairs is not None:
            self.repairs.hold(file, amount, is_output=True)
        part = min(self._client.part_size, amount)
        parts = math.ceil(amount / part - 1e-9) if amount else 1
        one = self._store.write(file, node, size=part)
        asked = Delay(self._first_bytes(one, node, amount))
        if not amount:
            return asked
        upload = Sequence((asked, self._streams(one, node, amount).joined(own).move(amount)))
        if parts == 1:
            return upload
        return Sequence((*upload.steps, Delay(self._store.completion_time(parts))))

    def create(self, file: int, node: Node, amount: float, own: Flow, *, is_renamed: bool) -> Step:
        """Return the step of writing a file that a program creates itself; a rename is a COPY and a DELETE."""
        written = self.write(file, node, amount, own, "buffered", None)
        if not is_renamed:
            return written
        return Sequence((written, self._store.copy(file, node).move(amount), Delay(self._store.request_time)))

    def names(self, lookups: int, changes: int, size: float | None) -> None:
        """Objects have no names beside them: a request of one is a part of what is read and written."""

    def commit(self, files: int, amount: float, node: Node) -> Step:
        """Return the step that commits the job: objects are there once they are uploaded."""
        return Delay(0.0)

    def requests(self, splits: int, files: int, amount: float) -> Mapping[str, int]:
        """Return the requests of a job by kind: a GET for each object, a PUT for each part."""
        size = amount / files if files else 0.0
        puts = files * max(math.ceil(size / self._client.part_size - 1e-9), 1)  # an empty file is one of them
        return {kind: count for kind, count in {"GET": splits, "PUT": puts}.items() if count}

    def _first_bytes(self, one: Flow, node: Node, size: float) -> float:
        """Return the mean seconds until all connections that an object of `size` bytes takes have a first byte."""
        _, streams = self._ranges(node, size)
        return one.latency * one.spread.longest(streams) + self._client.request_time

    def _ranges(self, node: Node, size: float) -> tuple[float, int]:
        """Return the ranges of an object of `size` bytes, and how many of them are under way at once."""
        ranges = size / self._client.part_size if self._client.part_size < size else 1.0
        return ranges, math.ceil(min(self._client.opens(node), ranges))

    def _streams(self, one: Flow, node: Node, size: float) -> Flow:
        """Return the flow of an object of `size` bytes over the client's connections, made once for those alike."""
        if len(self._store.names()) > 1:  # each object has a flow of its own
            return self._joined(one, node, size)
        key = (one, node.index, size)
        if key not in self._flows:
            self._flows[key] = self._joined(one, node, size)
        return self._flows[key]

    def _joined(self, one: Flow, node: Node, size: float) -> Flow:
        client, again = self._client, one.again
        part = min(client.part_size, size)
        ranges, streams = self._ranges(node, size)
        rate, cap = one.max_rate, one.cap
        if math.isfinite(part):
            waits = self.wait if streams < ranges else 0.0  # a connection asks for its next range
            rate = streams * part / (waits + part / one.max_rate)
        if streams > 1:
            cap = "connections to the store"
        other = None if again is None else lambda: self._joined(again(), node, size)
        link = replace(one, max_rate=rate, cap=cap, weight=float(streams), latency=0.0, again=other)
        return link.joined(compute(node, client.stream_cpu + TLS_CPU[client.tls]))
