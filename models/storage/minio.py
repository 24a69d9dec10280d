"""MinIO: objects cut into stripes, each stripe into k data and m parity shards on the n = k + m drives of one set.

Drives are numbered so that neighbours stand in different servers, and cut into sets of equal size. An object
belongs to the set its name hashes to; the server that the client reached (the coordinator) moves its shards.

Per byte read: k drives give 1/k each, all shards not on the coordinator cross the network once, then the whole
byte goes to the client. Per byte written: the byte comes in, n drives take 1/k each. A stripe is encoded and
written completely before the next begins. Servers that came later form a pool with sets of their own. Not covered:
multipart metadata, the scanner, small objects inlined, that new objects prefer the pool with more free space.

Source: MinIO RELEASE.2019-07-24, cmd/endpoint-ellipses.go, cmd/erasure-encode.go, cmd/erasure-decode.go.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import groupby
from typing import TYPE_CHECKING, Literal

from pydantic import model_validator

from models.hardware.cluster import BayBatch, Cluster, Device, Layout, Node, bay_batches, bay_capacity, check_bay
from models.hardware.drive import Access
from models.quantity import Model, Quantity, quantity, setting
from models.storage.flow import Flow, compute
from models.storage.placement import mix
from models.storage.room import Room, in_blocks

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

SET_SIZES = (16, 14, 12, 10, 8, 6, 4)
"""Drives that may form a set, the largest that divides the number of drives is taken. Source: as above."""

STRIPE = 10485760.0
"""Bytes that are cut into shards at a time. Source: as above, cmd/object-api-common.go, blockSizeV1."""

BITROT_HASH = 32
"""Bytes of the hash in front of each piece of a shard (HighwayHash-256). Source: as above, cmd/bitrot.go."""


class Minio(Model):
    """The object store."""

    system: Literal["minio"] = setting("Storage system.")
    servers: str = setting("Server group of the object store.")
    bay: str = setting("Drives that hold the shards.", default="data")
    parity: int = setting("Parity shards a stripe: m of EC:m.", ge=1)
    set_size: int | None = setting(
        "Drives a set; default: the largest of 16, 14 ... 4 that divides them all.", default=None
    )
    failed_drives: int = setting("Drives of every set that are offline.", default=0, ge=0)
    cached_reads: float = setting("Part of the bytes read that the servers' page cache holds.", default=0.0, ge=0, le=1)
    encode_cpu: Quantity = quantity(
        "s/B", "Reference core-seconds per byte to encode or reconstruct.", default=0.0, ge=0
    )
    hash_cpu: Quantity = quantity(
        "s/B", "Reference core-seconds per byte for the ETag of an upload.", default=0.0, ge=0
    )
    bitrot_cpu: Quantity = quantity(
        "s/B", "Reference core-seconds per shard byte for bitrot checksums.", default=0.0, ge=0
    )
    request_time: Quantity = quantity("s", "Time of a request without its bytes.", default=0.0, ge=0)
    healed_objects: int = setting("Objects of a set that are healed at a time.", default=1, ge=1)
    stripe: Quantity = quantity(
        "B", "Bytes of an object that are coded together (requests only).", default="10 MiB", gt=0
    )
    inline_size: Quantity = quantity(
        "B", "Objects up to this size lie within their metadata (requests only; 128 KiB since 2021).", default=0.0, ge=0
    )
    metadata_seeks: float = setting(
        "Seeks of each drive of a set to find or note an object (requests only); 0 where memory holds all metadata.",
        default=1.0,
        ge=0,
    )
    request_cpu: Quantity = quantity(
        "s", "Reference core-seconds of the servers per request (requests only).", default="1 ms", ge=0
    )
    list_cpu: Quantity = quantity(
        "s", "Reference core-seconds per page of a listing (requests only).", default="1 ms", ge=0
    )
    pending_expiry: Quantity = quantity(
        "s", "Age at which the store removes uploads that were never completed.", default="14 d", gt=0
    )

    @model_validator(mode="after")
    def _quorum_holds(self) -> Minio:
        if self.set_size is not None:
            check_set(self.set_size, self.parity)
        if self.failed_drives > self.parity:
            raise ValueError(
                f"failed_drives = {self.failed_drives}: data is lost beyond {self.parity} drives of a set (parity)"
            )
        return self

    def server_groups(self) -> dict[str, str]:
        """Return the server groups that the system names, by key."""
        return {"storage.servers": self.servers}

    def fits(self, cluster: Cluster) -> None:
        """Refuse a cluster whose drives cannot form the sets, or one that takes no writes.

        Raises:
            ValueError: a bay is missing, the drives cannot be cut, or the whole parity is offline.
        """
        check_bay(cluster, self.servers, self.bay)
        try:
            for size in self._sizes(cluster):
                check_set(size, self.parity)
        except ValueError as error:
            raise ValueError(f"storage.{error}") from None
        if self.failed_drives == self.parity:
            raise ValueError(
                f"storage.failed_drives = {self.failed_drives}: a set takes no writes with all {self.parity} drives"
                " of its parity offline; lower it or raise the parity"
            )

    def raw_capacity(self, cluster: Cluster) -> float:
        """Return bytes of all its drives."""
        return bay_capacity(cluster, self.servers, self.bay)

    def raw_per_byte(self, cluster: Cluster, replicas: int | None = None) -> float:
        """Return raw bytes that a stored byte takes: n/k of a set of n drives with k data shards, over all pools."""
        sizes = self._sizes(cluster)
        if len(set(sizes)) == 1:
            return sizes[0] / (sizes[0] - self.parity)
        rooms = [Room(1, batch.capacity, i) for i, batch in enumerate(self.batches(cluster))]
        return sum(room.total for room in rooms) / self.usable(cluster, rooms)

    def batches(self, cluster: Cluster) -> list[BayBatch]:
        """Return its drives, by pool."""
        return bay_batches(cluster, self.servers, self.bay)

    def usable(self, cluster: Cluster, rooms: Sequence[Room]) -> float:
        """Return bytes of data that fit into rooms: k/n of each pool. New objects go where more is free."""
        sizes = self._sizes(cluster)
        return sum(room.total * (sizes[room.batch] - self.parity) / sizes[room.batch] for room in rooms)

    @property
    def heals_into_free_space(self) -> bool:
        """Whether lost pieces are made anew on the servers that are left: no, on the drive that replaces theirs."""
        return False

    def object_bytes(self, cluster: Cluster, size: float) -> float:
        """Return raw bytes of an object of `size` bytes in the first pool: shards with hashes, and a metadata file."""
        drives = self._sizes(cluster)[0]
        data = drives - self.parity
        stripes, rest = divmod(size, STRIPE)
        pieces = stripes * (math.ceil(STRIPE / data) + BITROT_HASH)
        last = math.ceil(rest / data) + BITROT_HASH if rest else 0.0
        return drives * (in_blocks(pieces + last) + in_blocks(1))

    def _sizes(self, cluster: Cluster) -> list[int]:
        """Return the drives of a set of each pool."""
        return [set_size(batch.drives, self.set_size) for batch in self.batches(cluster)]


def check_set(size: int, parity: int) -> None:
    """Refuse a set that the drives or the code cannot form.

    Raises:
        ValueError: the size is not allowed, or parity is not between 1 and half of the set.
    """
    if size not in SET_SIZES:
        raise ValueError(f"set_size = {size}: a set has {_listed_sizes()} drives")
    if parity > size // 2:
        raise ValueError(f"parity = {parity}: a set of {size} drives has room for at most {size // 2} parity shards")


def set_size(drives: int, wanted: int | None = None) -> int:
    """Return the drives a set when `drives` are cut into equal sets.

    Raises:
        ValueError: no allowed size divides the drives.
    """
    fitting = [size for size in SET_SIZES if drives % size == 0]
    if wanted is not None and wanted in fitting:
        return wanted
    if wanted is not None or not fitting:
        sizes = f"set_size = {wanted} does not divide" if wanted else f"set_size: none of {_listed_sizes()} divides"
        raise ValueError(f"{sizes} {drives} drives; change the servers or the drives of each")
    return fitting[0]


def _listed_sizes() -> str:
    return ", ".join(map(str, SET_SIZES[:0:-1])) + f" or {SET_SIZES[0]}"


def _in_turn(*rates: float) -> float:
    """Return the rate (B/s) of a stripe that passes through stages of these rates one after the other."""
    return 1 / sum(1 / rate for rate in rates)


class MinioStore:
    """MinIO on the servers of a layout; `size` drives a set and `data` shards a stripe are those of the first pool."""

    def __init__(self, spec: Minio, layout: Layout, salt: int) -> None:
        self.spec = spec
        self._layout = layout
        self._nodes = layout.groups[spec.servers]
        self._salt = salt
        pools = [list(pool) for _, pool in groupby(self._nodes, key=lambda node: node.batch)]
        self.sets = [each for pool in pools for each in self._cut(pool)]
        self.size = len(self.sets[0])
        self.data = self.size - spec.parity
        self._shards: dict[tuple[int, int, Node, Access | None], Flow] = {}

    def _cut(self, pool: list[Node]) -> list[list[tuple[Node, Device]]]:
        """Return the drives of a pool as its sets."""
        count = len(pool[0].bays[self.spec.bay])
        drives = [(node, node.bays[self.spec.bay][d]) for d in range(count) for node in pool]
        size = set_size(len(drives), self.spec.set_size)
        check_set(size, self.spec.parity)
        return [drives[i : i + size] for i in range(0, len(drives), size)]

    def preferred(self, splits: int) -> NDArray[np.int32] | None:
        """Return None: no node is nearer to an object than another."""
        return None

    @property
    def request_time(self) -> float:
        """Seconds of a request without its bytes."""
        return self.spec.request_time

    @property
    def listing_time(self) -> float:
        """Seconds of a page of a listing: those of any request."""
        return self.spec.request_time

    def completion_time(self, parts: int) -> float:
        """Return the seconds in which an object is made of uploaded parts: they stay where they lie."""
        return self.spec.request_time

    def read(self, name: int, node: Node, access: Access = "direct", stream: int = 0, ahead: float = 0.0) -> Flow:
        """Return the flow of a GET of the object `name` by a client on `node`; `stream` tells requests apart.

        Reads take the first k drives of the object's order that are online; a missing data shard is
        reconstructed by the coordinator. A range is found at once, however many bytes lie `ahead` of it.
        """
        coordinator = self._coordinator(name, node, stream)
        shards = self._shards_in(name, coordinator, access)
        uses = shards.uses + tuple(self._layout.transfer(coordinator, node))
        rate = _in_turn(shards.max_rate, self._layout.stream_rate(coordinator, node))
        return Flow(uses, rate, "one download stream", self.spec.request_time)

    def write(self, name: int, node: Node, stream: int = 0) -> Flow:
        """Return the flow of a PUT of the object `name` by a client on `node`: stripe after stripe.

        Raises:
            ValueError: too many drives are offline for the write quorum of k + 1.
        """
        coordinator = self._coordinator(name, node, stream)
        shards = self._shards_out(name, coordinator)
        uses = tuple(self._layout.transfer(node, coordinator)) + shards.uses
        rate = _in_turn(self._layout.stream_rate(node, coordinator), shards.max_rate)
        return Flow(uses, rate, "one upload stream", self.spec.request_time)

    def copy(self, name: int, node: Node) -> Flow:
        """Return the flow of a server-side COPY: the coordinator reads the object and writes it under another name.

        Raises:
            ValueError: too many drives are offline for the write quorum.
        """
        coordinator = self._coordinator(name, node, 0)
        shards, copies = self._shards_in(name, coordinator, "direct"), self._shards_out(mix(name, 1), coordinator)
        rate = _in_turn(shards.max_rate, copies.max_rate)
        return Flow(shards.uses + copies.uses, rate, "one copy stream", self.spec.request_time)

    def _shards_in(self, name: int, coordinator: Node, access: Access) -> Flow:
        """Return the flow of k shards of an object to the coordinator, made once for all that lie alike."""
        key = (*self._place(name), coordinator, access)
        flow = self._shards.get(key)
        if flow is None:
            flow = self._shards[key] = self._gather(name, coordinator, access)
        return flow

    def _shards_out(self, name: int, coordinator: Node) -> Flow:
        """Return the flow of all shards of an object from the coordinator, made once for all that lie alike."""
        key = (*self._place(name), coordinator, None)
        flow = self._shards.get(key)
        if flow is None:
            flow = self._shards[key] = self._scatter(name, coordinator)
        return flow

    def _gather(self, name: int, coordinator: Node, access: Access) -> Flow:
        """Return the flow of k shards of an object to the coordinator: read, receive, check and join, in turn."""
        spec = self.spec
        order = self._order(name)
        data = len(order) - spec.parity
        sources = self._readable(name)[:data]
        missing = data - len(set(sources) & set(order[:data]))
        cpu = compute(coordinator, spec.bitrot_cpu + spec.encode_cpu * missing / spec.parity)
        uses = list(cpu.uses)
        for server, device in sources:
            disk = device.read(access, (1 - spec.cached_reads) / data) if spec.cached_reads < 1 else []
            uses += disk + self._layout.transfer(server, coordinator, 1 / data)
        drives = data * sources[0][1].read_rate() / max(1 - spec.cached_reads, 1e-9)
        return Flow(tuple(uses), _in_turn(drives, coordinator.server.nic.bandwidth, cpu.max_rate))

    def _scatter(self, name: int, coordinator: Node) -> Flow:
        """Return the flow of all shards of an object from the coordinator: hash and encode, send, write, in turn."""
        spec, online = self.spec, self._writable(name)
        data = len(self._order(name)) - spec.parity
        if len(online) < data + 1:
            raise ValueError(f"failed_drives = {spec.failed_drives}: a write needs {data + 1} drives of a set")
        expansion = len(online) / data
        cpu = compute(coordinator, spec.hash_cpu + spec.encode_cpu + spec.bitrot_cpu * expansion)
        uses = list(cpu.uses)
        for server, device in online:
            uses += self._layout.transfer(coordinator, server, 1 / data) + device.write("direct", 1 / data)
        drives = data * min(device.write_rate() for _, device in online)
        send = coordinator.server.nic.bandwidth / expansion
        return Flow(tuple(uses), _in_turn(cpu.max_rate, send, drives))

    def _order(self, name: int) -> list[tuple[Node, Device]]:
        """Return the drives of the object's set, in the order in which its shards lie on them."""
        number, start = self._place(name)
        drives = self.sets[number]
        return drives[start:] + drives[:start]

    def _place(self, name: int) -> tuple[int, int]:
        """Return the number of the object's set, and the place in it of its first shard."""
        key = mix(self._salt, name)
        number = key % len(self.sets)
        return number, (key >> 20) % len(self.sets[number])

    def _online(self, name: int) -> list[tuple[Node, Device]]:
        """Return the object's drives that are online, in its order: the first drives of a set are the failed ones."""
        drives = self.sets[self._place(name)[0]]
        failed = set(drives[: self.spec.failed_drives])
        return [drive for drive in self._order(name) if drive not in failed]

    def _readable(self, name: int) -> list[tuple[Node, Device]]:
        return self._online(name)

    def _writable(self, name: int) -> list[tuple[Node, Device]]:
        return self._online(name)

    def _coordinator(self, name: int, node: Node, stream: int) -> Node:
        return self._nodes[mix(self._salt, name, node.index, stream) % len(self._nodes)]
