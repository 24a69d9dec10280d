"""What MinIO does on a layout: GET, PUT and COPY as flows of shards, stripe after stripe."""

from __future__ import annotations

import math
from itertools import groupby

from models.hardware.cluster import Device, Layout, Node
from models.hardware.drive import Access
from models.outage import Outage
from models.storage.flow import Flow, compute, rerouted
from models.storage.minio.rules import Code
from models.storage.minio.system import Minio
from models.storage.placement import mix


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
