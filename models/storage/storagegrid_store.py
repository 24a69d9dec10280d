"""StorageGRID as flows: what reading, writing and copying a byte uses of drives, controllers, cards and processors.

A request passes a gateway and reaches a storage node in turn. A GET comes from a drive of a copy, the node's own where
it has one; a PUT is written to all copies before it is acknowledged; with erasure coding each of k + m nodes takes 1/k
of the bytes, and a GET collects k fragments. Parts of an upload, and ranges that are read, lie on drives of their own.

With compression a node spends `compression_cpu` on every byte, one core a stream, and reads a range from the start of
its object. Not covered: the queues of workers and index, lifecycle rules, several sites, fewer bytes by compression.

Source: NetApp, How to enable StorageGRID in your environment, 22 April 2024: data compression, multipart upload.
"""

from __future__ import annotations

from models.hardware.cluster import Device, Layout, Node
from models.hardware.drive import Access, Drive
from models.storage.flow import Flow, compute
from models.storage.placement import mix
from models.storage.storagegrid import StorageGrid
from models.work import Use

Piece = tuple[Node, Device]
"""A copy or a fragment: the storage node and the drive that hold it."""


class StorageGridStore:
    """StorageGRID on the storage nodes and gateways of a layout."""

    def __init__(self, spec: StorageGrid, layout: Layout, salt: int) -> None:
        self.spec = spec
        self._layout, self._salt = layout, salt
        self._nodes, self._gateways = layout.groups[spec.servers], layout.groups[spec.gateways]
        coded = spec.protection == "erasure-coding"
        self._parts = spec.data_fragments if coded else 1
        self._pieces = spec.data_fragments + spec.parity_fragments if coded else spec.copies

    @property
    def request_time(self) -> float:
        """Seconds of a request without its bytes: gateway and index."""
        return self._gateway_time + self._lookup_time

    @property
    def listing_time(self) -> float:
        """Seconds of a page of a listing."""
        return self._gateway_time + self.spec.list_cpu / self._nodes[0].server.cpu.speed

    def completion_time(self, parts: int) -> float:
        """Return the seconds in which an object is made of parts. Assumption: the index looks each of them up."""
        return self.request_time + parts * self._lookup_time

    def read(self, name: int, node: Node, access: Access = "direct", stream: int = 0, ahead: float = 0.0) -> Flow:
        """Return the flow of a GET of a range by a client on `node`, `ahead` times as many bytes into its object."""
        server, gateway = self._way(name, node, stream)
        inside = self._read(mix(name, stream), server, access, ahead)
        uses = (*inside.uses, *self._layout.transfer(server, gateway), *self._layout.transfer(gateway, node))
        rate = min(inside.max_rate, self._stream_rate(server, gateway), self._stream_rate(gateway, node))
        return Flow(uses, rate, "one download stream", self.request_time + inside.latency)

    def write(self, name: int, node: Node, stream: int = 0) -> Flow:
        """Return the flow of a PUT by a client on `node`."""
        server, gateway = self._way(name, node, stream)
        inside = self._write(mix(name, stream), server)
        uses = (*self._layout.transfer(node, gateway), *self._layout.transfer(gateway, server), *inside.uses)
        rate = min(inside.max_rate, self._stream_rate(node, gateway), self._stream_rate(gateway, server))
        return Flow(uses, rate, "one upload stream", self.request_time + inside.latency)

    def copy(self, name: int, node: Node) -> Flow:
        """Return the flow of a COPY: a storage node reads the object and writes it under another name."""
        server, _ = self._way(name, node, 0)
        source, target = self._read(mix(name, 0), server, "direct", 0.0), self._write(mix(name, 1), server)
        rate, latency = min(source.max_rate, target.max_rate), source.latency + target.latency
        return Flow(source.uses + target.uses, rate, "one copy stream", self.request_time + latency)

    def _read(self, name: int, server: Node, access: Access, ahead: float) -> Flow:
        """Return the flow of a range from the drives to a storage node."""
        spec, pieces = self.spec, self._held(name, self._nodes[mix(self._salt, name) % len(self._nodes)])
        own = [piece for piece in pieces if piece[0] is server]
        sources = pieces[: self._parts] if self._parts > 1 else (own or pieces)[:1]
        through = 1.0 + ahead if spec.compression else 1.0
        cpu = compute(server, spec.compression_cpu * through) if spec.compression else Flow()
        uses, rate = list(cpu.uses), cpu.max_rate
        for holder, device in sources:
            share = 1.0 / self._parts
            uses += device.read(access, share * through * (1 - spec.cached_reads))
            uses += self._cache(name, holder, access, share * through * spec.cached_reads)
            uses += self._layout.transfer(holder, server, share)
            rate = min(rate, device.read_rate() / share / through)
        used = [use for use in uses if use.cost > 0]
        return Flow(tuple(used), rate, latency=max(_seek(device) for _, device in sources))

    def _cache(self, name: int, holder: Node, access: Access, share: float) -> list[Use]:
        """Return what the SSD read cache of a storage node serves of each byte."""
        if share == 0 or self.spec.cache_bay is None:
            return []
        drives = holder.bays[self.spec.cache_bay]
        return drives[mix(self._salt, name, 3) % len(drives)].read(access, share)

    def _write(self, name: int, server: Node) -> Flow:
        """Return the flow of an object from the storage node that received it to all its pieces."""
        spec, pieces, share = self.spec, self._held(name, server), 1.0 / self._parts
        cpu = compute(server, spec.compression_cpu) if spec.compression else Flow()
        uses, rate = list(cpu.uses), cpu.max_rate
        for holder, device in pieces:
            uses += self._layout.transfer(server, holder, share) + device.write("direct", share)
            rate = min(rate, device.write_rate() / share)
        return Flow(tuple(uses), rate, latency=max(_seek(device) for _, device in pieces))

    def _held(self, name: int, first: Node) -> list[Piece]:
        """Return where the pieces of an object lie: on as many nodes, from `first` on."""
        start = self._nodes.index(first)
        nodes = [self._nodes[(start + i) % len(self._nodes)] for i in range(self._pieces)]
        return [(node, self._drive(name, node)) for node in nodes]

    def _drive(self, name: int, node: Node) -> Device:
        drives = node.bays[self.spec.bay]
        return drives[mix(self._salt, name, node.index, 2) % len(drives)]

    def _way(self, name: int, node: Node, stream: int) -> tuple[Node, Node]:
        """Return the storage node and the gateway of a request, chosen by the balancer regardless of the object."""
        chosen = mix(self._salt, name, node.index, stream)
        return self._nodes[chosen % len(self._nodes)], self._gateways[(chosen >> 20) % len(self._gateways)]

    def _stream_rate(self, source: Node, target: Node) -> float:
        return self._layout.stream_rate(source, target)

    @property
    def _gateway_time(self) -> float:
        return self.spec.gateway_cpu / self._gateways[0].server.cpu.speed

    @property
    def _lookup_time(self) -> float:
        return self.spec.lookup_cpu / self._nodes[0].server.cpu.speed


def _seek(device: Device) -> float:
    return device.drive.seek_time if isinstance(device.drive, Drive) else 0.0
