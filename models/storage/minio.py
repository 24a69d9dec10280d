"""MinIO: objects cut into stripes, each stripe into k data and m parity shards on the n = k + m drives of one set.

Drives are numbered so that neighbours stand in different servers, and cut into sets of equal size. An object
belongs to the set its name hashes to; the server that the client reached (the coordinator) moves its shards.

Per byte read: k drives give 1/k each, all shards not on the coordinator cross the network once, then the whole
byte goes to the client. Per byte written: the byte comes in, n drives take 1/k each. A stripe is encoded and
written completely before the next begins. Servers that came later form a pool with sets of their own. Not covered:
multipart metadata, the scanner, small objects inlined, that new objects prefer the pool with more free space, that
objects which were written with more parity while drives were offline are read with fewer shards.

How many drives form a set, the default parity, quorums and the bytes of a stripe follow from the release
(`models.storage.minio_rules`). Source: MinIO RELEASE.2019-07-24, cmd/erasure-encode.go, cmd/erasure-decode.go.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import groupby
from types import MappingProxyType
from typing import TYPE_CHECKING, ClassVar, Literal

from pydantic import model_validator

from models.hardware.cluster import BayBatch, Cluster, Device, Layout, Node, bay_batches, bay_capacity, check_bay
from models.hardware.drive import Access
from models.outage import Outage
from models.problem import RefusalError, refusal
from models.quantity import Quantity, quantity, setting
from models.storage.contract import Interface, StorageModel
from models.storage.flow import Flow, compute, rerouted
from models.storage.minio_heal import Heal
from models.storage.minio_rules import CURRENT, Code, Rules, rules_of
from models.storage.placement import mix
from models.storage.room import Room, in_blocks

if TYPE_CHECKING:
    pass

BITROT_HASH = 32
"""Bytes of the hash in front of each piece of a shard (HighwayHash-256). Source: as above, cmd/bitrot.go."""


class Minio(StorageModel):
    """The object store."""

    usual = MappingProxyType({"planning": "minio-usual"})
    interface: ClassVar[Interface] = "objects"
    system: Literal["minio"] = setting("Storage system.")
    servers: str = setting("Server group of the object store.")
    bay: str = setting("Drives that hold the shards.", default="data")
    release: str = setting(
        "Release of MinIO, by its tag or its day: sets, quorums and the defaults of parity, stripe and small objects.",
        default=CURRENT,
        examples=["RELEASE.2019-07-24T02-02-23Z", "2019-07-24"],
    )
    parity: int | None = setting(
        "Parity shards a stripe: m of EC:m; default: the release's for a set of that size.", default=None, ge=1
    )
    set_size: int | None = setting(
        "Drives a set; default: the largest number that the release allows, divides all drives and suits the servers.",
        default=None,
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
    heal: Heal = setting("How the rebuild of a drive is throttled.", default=Heal())
    stripe: Quantity | None = quantity(
        "B",
        "Bytes of an object that are coded together; default: 1 MiB since RELEASE.2021-03-10, 10 MiB before.",
        default=None,
        gt=0,
    )
    inline_size: Quantity | None = quantity(
        "B",
        "Shards up to this size lie within the metadata (requests only); default: 128 KiB since RELEASE.2021-04-18.",
        default=None,
        ge=0,
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
        rules = rules_of(self.release)
        if self.set_size is not None:
            Code(self.set_size, self.parity or 0, rules).check()
        if self.parity is not None:
            self._check_failed(self.parity)
        return self

    @property
    def rules(self) -> Rules:
        """What the release does."""
        return rules_of(self.release)

    @property
    def stripe_bytes(self) -> float:
        """Bytes of an object that are coded together."""
        return self.rules.stripe if self.stripe is None else self.stripe

    @property
    def inline_bytes(self) -> float:
        """Largest shard that lies within the metadata of its object; 0: none does."""
        return self.rules.inline_shard if self.inline_size is None else self.inline_size

    def codes(self, cluster: Cluster) -> list[Code]:
        """Return how objects are coded in the sets of each pool; the first pool decides on the default parity.

        Raises:
            RefusalError: the drives of a pool cannot form sets.
        """
        rules = self.rules
        sizes = [rules.set_size(batch.servers, batch.drives, self.set_size) for batch in self.batches(cluster)]
        parity = rules.default_parity[sizes[0]] if self.parity is None else self.parity
        return [Code(size, parity, rules) for size in sizes]

    def server_groups(self) -> dict[str, str]:
        """Return the server groups that the system names, by key."""
        return {"storage.servers": self.servers}

    def fits(self, cluster: Cluster) -> None:
        """Refuse a cluster whose drives cannot form the sets, or one that takes no writes.

        Raises:
            RefusalError: a bay is missing, the drives cannot be cut, or too many of a set are offline.
        """
        check_bay(cluster, self.servers, self.bay)
        try:
            for code in self.codes(cluster):
                code.check()
                self._check_failed(code.parity)
                self.check_writes(code, self.failed_drives)
        except RefusalError as error:
            raise error.below("storage") from None

    def _check_failed(self, parity: int) -> None:
        if self.failed_drives > parity:
            raise refusal(
                "failed_drives", f"data is lost beyond {parity} drives of a set (parity)", found=self.failed_drives
            )

    def check_writes(self, code: Code, offline: int) -> None:
        """Refuse sets that take no writes while so many of their drives are offline.

        Raises:
            RefusalError: they take none.
        """
        if not code.takes_writes(offline):
            needed = code.at_write(offline).write_quorum
            raise refusal(
                "failed_drives",
                f"a write needs {needed} of the {code.drives} drives of a set",
                "lower it or raise the parity",
                found=self.failed_drives,
            )

    @property
    def uploads_expire(self) -> float:
        """Age (s) at which the system removes uploads that were never completed."""
        return self.pending_expiry

    def shares(self, group: str, place: str) -> bool:
        """Tell whether the system keeps its bytes on the drives at `place` of a server group."""
        return group == self.servers and place == self.bay

    def raw_capacity(self, cluster: Cluster) -> float:
        """Return bytes of all its drives."""
        return bay_capacity(cluster, self.servers, self.bay)

    def raw_per_byte(self, cluster: Cluster, replicas: int | None = None) -> float:
        """Return raw bytes that a stored byte takes: n/k of a set of n drives with k data shards, over all pools."""
        codes = self.codes(cluster)
        if len(set(codes)) == 1:
            return codes[0].drives / codes[0].data
        rooms = [Room(1, batch.capacity, i) for i, batch in enumerate(self.batches(cluster))]
        return sum(room.total for room in rooms) / self.usable(cluster, rooms)

    def batches(self, cluster: Cluster) -> list[BayBatch]:
        """Return its drives, by pool."""
        return bay_batches(cluster, self.servers, self.bay)

    def usable(self, cluster: Cluster, rooms: Sequence[Room]) -> float:
        """Return bytes of data that fit into rooms: k/n of each pool. New objects go where more is free."""
        codes = self.codes(cluster)
        return sum(room.total * codes[room.batch].data / codes[room.batch].drives for room in rooms)

    @property
    def rebuilds_into_free_space(self) -> bool:
        """Whether lost pieces are rebuilt on the servers that are left: no, on the drive that replaces theirs."""
        return False

    def object_bytes(self, cluster: Cluster, size: float) -> float:
        """Return raw bytes of an object of `size` bytes in the first pool: shards with hashes, and a metadata file."""
        code = self.codes(cluster)[0]
        stripes, rest = divmod(size, self.stripe_bytes)
        pieces = stripes * (math.ceil(self.stripe_bytes / code.data) + BITROT_HASH)
        last = math.ceil(rest / code.data) + BITROT_HASH if rest else 0.0
        return code.drives * (in_blocks(pieces + last) + in_blocks(1))


def _in_turn(*rates: float) -> float:
    """Return the rate (B/s) of a stripe that passes through stages of these rates one after the other."""
    return 1 / sum(1 / rate for rate in rates)


class MinioStore:
    """MinIO on the servers of a layout; `size` drives a set and `data` shards a stripe are those of the first pool.

    A GET takes any k shards that are left, and the coordinator computes what is missing; a PUT leaves out the drives
    that are down while there are enough for its quorum. Not covered: time-outs of clients and servers.
    """

    def __init__(self, spec: Minio, layout: Layout, salt: int, outage: Outage | None = None) -> None:
        self.spec = spec
        self.outage = outage or Outage()
        self._layout = layout
        self._nodes = layout.groups[spec.servers]
        self._salt = salt
        pools = [list(pool) for _, pool in groupby(self._nodes, key=lambda node: node.batch)]
        codes = spec.codes(layout.cluster)
        self.sets = [each for code, pool in zip(codes, pools, strict=True) for each in self._cut(pool, code)]
        self._codes = {code.drives: code for code in codes}
        self.size, self.data = codes[0].drives, codes[0].data
        self._shards: dict[tuple[int, int, Node, Access | None, int], Flow] = {}

    def _cut(self, pool: list[Node], code: Code) -> list[list[tuple[Node, Device]]]:
        """Return the drives of a pool as its sets."""
        code.check()
        count = len(pool[0].bays[self.spec.bay])
        drives = [(node, node.bays[self.spec.bay][d]) for d in range(count) for node in pool]
        return [drives[i : i + code.drives] for i in range(0, len(drives), code.drives)]

    def places(self) -> int:
        """Return how many names reach all drives evenly: one for each drive on which an object may begin."""
        return sum(map(len, self.sets))

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

    def read(
        self,
        name: int,
        node: Node,
        access: Access = "direct",
        stream: int = 0,
        ahead: float = 0.0,
        size: float = math.inf,
    ) -> Flow:
        """Return the flow of a GET of the object `name` by a client on `node`; `stream` tells requests apart.

        Reads take the first k drives of the object's order that are online; a missing data shard is
        reconstructed by the coordinator. A range is found at once, however many bytes lie `ahead` of it. Of an object
        without k shards nothing is read.
        """
        if not self.is_readable(name):
            return Flow()
        coordinator = self._coordinator(name, node, stream)
        shards = self.shards_in(name, coordinator, access)
        uses = shards.uses + tuple(self._layout.transfer(coordinator, node))
        rate = _in_turn(shards.max_rate, self._layout.stream_rate(coordinator, node))
        flow = Flow(uses, rate, "one download stream", self.spec.request_time)
        return rerouted(flow, node, self.outage, lambda: self.read(name, node, access, stream, ahead, size))

    def write(self, name: int, node: Node, stream: int = 0, size: float = math.inf) -> Flow:
        """Return the flow of a PUT of the object `name` by a client on `node`: stripe after stripe.

        Nothing is written where too many drives are down for the write quorum.

        Raises:
            RefusalError: the drives that the profile states to be offline leave none.
        """
        if not self._has_quorum(name):
            return Flow()
        coordinator = self._coordinator(name, node, stream)
        shards = self._shards_out(name, coordinator)
        uses = tuple(self._layout.transfer(node, coordinator)) + shards.uses
        rate = _in_turn(self._layout.stream_rate(node, coordinator), shards.max_rate)
        flow = Flow(uses, rate, "one upload stream", self.spec.request_time)
        return rerouted(flow, node, self.outage, lambda: self.write(name, node, stream, size))

    def copy(self, name: int, node: Node) -> Flow:
        """Return the flow of a server-side COPY: the coordinator reads the object and writes it under another name.

        Raises:
            RefusalError: the drives that the profile states to be offline leave no write quorum.
        """
        if not (self.is_readable(name) and self._has_quorum(mix(name, 1))):
            return Flow()
        coordinator = self._coordinator(name, node, 0)
        shards, copies = self.shards_in(name, coordinator, "direct"), self._shards_out(mix(name, 1), coordinator)
        rate = _in_turn(shards.max_rate, copies.max_rate)
        flow = Flow(shards.uses + copies.uses, rate, "one copy stream", self.spec.request_time)
        return rerouted(flow, node, self.outage, lambda: self.copy(name, node))

    def shards_in(self, name: int, coordinator: Node, access: Access) -> Flow:
        """Return the flow of k shards of an object to the coordinator, made once for all that lie alike."""
        key = (*self.place(name), coordinator, access, self.outage.epoch)
        flow = self._shards.get(key)
        if flow is None:
            flow = self._shards[key] = self._gather(name, coordinator, access)
        return flow

    def _shards_out(self, name: int, coordinator: Node) -> Flow:
        """Return the flow of all shards of an object from the coordinator, made once for all that lie alike."""
        key = (*self.place(name), coordinator, None, self.outage.epoch)
        flow = self._shards.get(key)
        if flow is None:
            flow = self._shards[key] = self._scatter(name, coordinator)
        return flow

    def _gather(self, name: int, coordinator: Node, access: Access) -> Flow:
        """Return the flow of k shards of an object to the coordinator: read, receive, check and join, in turn."""
        spec = self.spec
        order, code = self.order(name), self.code(name)
        data = code.data
        sources = self._readable(name)[:data]
        missing = data - len(set(sources) & set(order[:data]))
        cpu = compute(coordinator, spec.bitrot_cpu + spec.encode_cpu * missing / code.parity)
        uses = list(cpu.uses)
        for server, device in sources:
            disk = device.read(access, (1 - spec.cached_reads) / data) if spec.cached_reads < 1 else []
            uses += disk + self._layout.transfer(server, coordinator, 1 / data)
        drives = data * sources[0][1].read_rate() / max(1 - spec.cached_reads, 1e-9)
        return Flow(tuple(uses), _in_turn(drives, coordinator.server.nic.bandwidth, cpu.max_rate))

    def _scatter(self, name: int, coordinator: Node) -> Flow:
        """Return the flow of all shards of an object from the coordinator: hash and encode, send, write, in turn."""
        spec, online = self.spec, self._writable(name)
        code = self.code(name)
        offline = code.drives - len(online)
        spec.check_writes(code, offline)
        data = code.at_write(offline).data
        expansion = len(online) / data
        cpu = compute(coordinator, spec.hash_cpu + spec.encode_cpu + spec.bitrot_cpu * expansion)
        uses = list(cpu.uses)
        for server, device in online:
            uses += self._layout.transfer(coordinator, server, 1 / data) + device.write("direct", 1 / data)
        drives = data * min(device.write_rate() for _, device in online)
        send = coordinator.server.nic.bandwidth / expansion
        return Flow(tuple(uses), _in_turn(cpu.max_rate, send, drives))

    def code(self, name: int) -> Code:
        """Return how the object is coded while all drives of its set are online."""
        return self._codes[len(self.sets[self.place(name)[0]])]

    def is_readable(self, name: int) -> bool:
        """Tell whether enough shards of an object are left."""
        return not self.outage.epoch or len(self._readable(name)) >= self.code(name).data

    def _has_quorum(self, name: int) -> bool:
        """Tell whether enough drives are up to write an object, and count the write as refused otherwise."""
        code = self.code(name)
        has_quorum = not self.outage.epoch or code.takes_writes(code.drives - len(self._writable(name)))
        self.outage.refused += not has_quorum
        return has_quorum

    def order(self, name: int) -> list[tuple[Node, Device]]:
        """Return the drives of the object's set, in the order in which its shards lie on them."""
        number, start = self.place(name)
        drives = self.sets[number]
        return drives[start:] + drives[:start]

    def place(self, name: int) -> tuple[int, int]:
        """Return the number of the object's set, and the place in it of its first shard."""
        key = mix(self._salt, name)
        number = key % len(self.sets)
        return number, (key >> 20) % len(self.sets[number])

    def _online(self, name: int) -> list[tuple[Node, Device]]:
        """Return the object's drives that are online, in its order: the first drives of a set are the failed ones."""
        drives = self.sets[self.place(name)[0]]
        failed = set(drives[: self.spec.failed_drives])
        return [drive for drive in self.order(name) if drive not in failed]

    def _readable(self, name: int) -> list[tuple[Node, Device]]:
        online = self._online(name)
        return [drive for drive in online if self.outage.holds_data(*drive)] if self.outage.epoch else online

    def _writable(self, name: int) -> list[tuple[Node, Device]]:
        online = self._online(name)
        return [drive for drive in online if self.outage.takes_writes(*drive)] if self.outage.epoch else online

    def _coordinator(self, name: int, node: Node, stream: int) -> Node:
        live = self._nodes
        if self.outage.nodes:
            live = [server for server in self._nodes if server.index not in self.outage.nodes] or live
        return live[mix(self._salt, name, node.index, stream) % len(live)]
