"""MinIO while drives and servers fail: degraded reads, writes with fewer shards, and healing onto replacements.

A GET takes any k shards that are left, and the coordinator computes what is missing; a PUT leaves out the drives that
are down as long as the write quorum is up. A failed drive is healed once it has been replaced: object by object, k
shards are read and those missing written, `healed_objects` of a set at a time and without any other throttle. Until
then the new drive takes writes but counts as empty. Source: MinIO RELEASE.2019-07-24, cmd/xl-v1-healing.go.
Not covered: time-outs of clients and servers, the listing of the objects that heal.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence as Series
from dataclasses import replace

from models.hardware.cluster import Device, Layout, Node
from models.hardware.drive import Access
from models.outage import Outage, Piece, Repair
from models.storage.flow import Flow
from models.storage.minio import Minio, MinioStore
from models.storage.placement import mix
from models.work import Delay, Failover, Hold, Pool, Sequence, Step

Drives = list[tuple[Node, Device]]


class FailingMinioStore(MinioStore):
    """MinIO that knows its objects and what is down."""

    def __init__(self, spec: Minio, layout: Layout, salt: int, outage: Outage) -> None:
        super().__init__(spec, layout, salt)
        self._outage = outage
        self._objects: dict[tuple[bool, int], float] = {}
        self._gone: set[tuple[bool, int]] = set()

    def hold(self, name: int, size: float, *, is_output: bool = False) -> None:
        """Take note of an object of `size` bytes, which a job reads or writes."""
        self._objects[is_output, name] = size
        self._gone.discard((is_output, name))

    def fill(self, node: Node, devices: Series[Device], pieces: int, size: float) -> None:
        """Take note of objects of `size` bytes that have `pieces` shards on some drives, evenly as many objects lie."""
        missing = dict.fromkeys(devices, math.ceil(pieces / len(devices)))
        name = 0
        while missing:
            here = [device for _, device in self._order(name) if device in missing]
            if here:
                self.hold(name, size)
            for device in here:
                missing[device] -= 1
                if not missing[device]:
                    del missing[device]
            name += 1

    def read(self, name: int, node: Node, access: Access = "direct", stream: int = 0, ahead: float = 0.0) -> Flow:
        """Return the flow of a GET from the shards that are left; of an object without enough, nothing is read."""
        if not self._is_readable(name):
            return Flow()
        flow = super().read(name, node, access, stream, ahead)
        return self._rerouted(flow, node, lambda: self.read(name, node, access, stream, ahead))

    def write(self, name: int, node: Node, stream: int = 0) -> Flow:
        """Return the flow of a PUT to the drives that are up; below the write quorum it is refused."""
        if not self._has_quorum(name):
            return Flow()
        flow = super().write(name, node, stream)
        return self._rerouted(flow, node, lambda: self.write(name, node, stream))

    def copy(self, name: int, node: Node) -> Flow:
        """Return the flow of a server-side COPY, as a GET and a PUT."""
        if not (self._is_readable(name) and self._has_quorum(mix(name, 1))):
            return Flow()
        flow = super().copy(name, node)
        return self._rerouted(flow, node, lambda: self.copy(name, node))

    def repair(self, resources: set[int], is_server: bool) -> Repair:
        """Return how objects are healed once the drives among some lost resources have been replaced."""
        self._gone.update(key for key in self._objects if not self._is_readable(key[1]))
        return Repair(0.0, lambda: self._pieces(resources), needs_replacement=True)

    def lost(self) -> float:
        """Return the bytes of objects that had fewer than k shards left at some time."""
        return sum(self._objects[key] for key in self._gone)

    def _pieces(self, resources: set[int]) -> Iterator[Piece]:
        for key, size in self._objects.items():
            name = key[1]
            for node, device in self._order(name):
                if device.resource.index in resources and key not in self._gone:
                    yield Piece(size / self._data(name), self._heal(name, size, node, device))

    def _heal(self, name: int, size: float, node: Node, device: Device) -> Step:
        """Return the step that makes a shard of an object anew on the drive that replaced its own."""
        data = self._data(name)
        shards = self._shards_in(name, node, "direct")
        write = Flow(tuple(device.write("direct", 1 / data)), data * device.write_rate())
        rate = 1 / (1 / shards.max_rate + 1 / write.max_rate)

        def again(left: float) -> Step:
            is_possible = self._is_readable(name) and self._outage.takes_writes(node, device)
            return self._heal(name, left, node, device) if is_possible else Delay(0.0)

        place = mix(self._salt, name) % len(self.sets)
        work = Failover(size, Flow(shards.uses + write.uses, rate, "one heal stream").demand, again)
        streams = Pool(f"set-{place + 1}/heal", self.spec.healed_objects)
        return Hold(streams, 1, Sequence((Delay(self.spec.request_time), work)))

    def _shards_in(self, name: int, coordinator: Node, access: Access) -> Flow:
        return self._gather(name, coordinator, access)

    def _shards_out(self, name: int, coordinator: Node) -> Flow:
        return self._scatter(name, coordinator)

    def _rerouted(self, flow: Flow, node: Node, again: Callable[[], Flow]) -> Flow:
        """Return a flow that finds another way while its client on `node` is up."""
        return flow if node.index in self._outage.nodes else replace(flow, again=again)

    def _data(self, name: int) -> int:
        return self._code(name).data

    def _is_readable(self, name: int) -> bool:
        return len(self._readable(name)) >= self._data(name)

    def _has_quorum(self, name: int) -> bool:
        code = self._code(name)
        has_quorum = code.takes_writes(code.drives - len(self._writable(name)))
        self._outage.refused += not has_quorum
        return has_quorum

    def _readable(self, name: int) -> Drives:
        return [drive for drive in self._online(name) if self._outage.holds_data(*drive)]

    def _writable(self, name: int) -> Drives:
        return [drive for drive in self._online(name) if self._outage.takes_writes(*drive)]

    def _coordinator(self, name: int, node: Node, stream: int) -> Node:
        live = [each for each in self._nodes if each.index not in self._outage.nodes] or self._nodes
        return live[mix(self._salt, name, node.index, stream) % len(live)]
