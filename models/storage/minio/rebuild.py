"""MinIO rebuilds the shards of a failed drive on its replacement.

Object by object, k shards are read and those missing written, as many of a set at a time as there are workers for a
drive (`models.storage.minio.heal`). Until then the new drive takes writes but counts as empty. Source: MinIO
RELEASE.2019-07-24, cmd/xl-v1-healing.go. Not covered: the listing of the objects that are to be rebuilt, and pauses
while a batch job sends requests.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence as Series

from models.hardware.cluster import Device, Node
from models.outage import Piece, Repair
from models.storage.minio.store import MinioStore
from models.work import Delay, Failover, Hold, Pool, Sequence, Step


class MinioRebuild:
    """How the objects that are known to lie in a store are rebuilt."""

    def __init__(self, store: MinioStore) -> None:
        self._store, self._spec, self._outage = store, store.spec, store.outage
        self._objects: dict[tuple[bool, int], float] = {}
        self._gone: set[tuple[bool, int]] = set()
        self._times = 1.0  # objects for which one stands

    def piece(self, object_size: float) -> tuple[float, float]:
        """Return the bytes of what is rebuilt at a time, an object, and those of one shard."""
        return object_size, object_size / self._store.data

    def hold(self, name: int, size: float, *, is_output: bool = False) -> None:
        """Take account of an object of `size` bytes, which a job reads or writes."""
        self._objects[is_output, name] = size
        self._gone.discard((is_output, name))

    def fill(self, held: Series[tuple[Node, Device]], pieces: int, size: float, times: float = 1.0) -> None:
        """Take account of objects of `size` bytes with `pieces` shards on some drives, evenly as many objects lie."""
        self._times = times
        missing = dict.fromkeys((device for _, device in held), math.ceil(pieces / len(held)))
        sets = {i for i, drives in enumerate(self._store.sets) if any(device in missing for _, device in drives)}
        name = 0
        while missing:
            is_here = self._store.place(name)[0] in sets  # of few sets among many
            here = [device for _, device in self._store.order(name) if device in missing] if is_here else []
            if here and (False, name) not in self._objects:
                self.hold(name, size * times)
            for device in here:
                missing[device] -= 1
                if not missing[device]:
                    del missing[device]
            name += 1

    def repair(self, resources: set[int], is_server: bool) -> Repair:
        """Return how objects are rebuilt once the drives among some lost resources have been replaced."""
        self._gone.update(key for key in self._objects if not self._store.is_readable(key[1]))
        return Repair(0.0, lambda: self._pieces(resources), needs_replacement=True)

    def lost(self) -> float:
        """Return the bytes of objects that had fewer than k shards left at some time."""
        return sum(self._objects[key] for key in self._gone)

    def _pieces(self, resources: set[int]) -> Iterator[Piece]:
        for key, size in self._objects.items():
            name = key[1]
            for node, device in self._store.order(name):
                if device.resource.index in resources and key not in self._gone:
                    yield Piece(size / self._store.code(name).data, self._rebuilt(name, size, node, device))

    def _rebuilt(self, name: int, size: float, node: Node, device: Device) -> Step:
        """Return the step that computes a shard again on the drive that replaced its own, if that is possible."""
        if not (self._store.is_readable(name) and self._outage.takes_writes(node, device)):
            return Delay(0.0)
        flow = self._store.rebuild(name, node, device)
        work = Failover(size, flow.demand, lambda left: self._rebuilt(name, left, node, device))
        workers = self._spec.heal.workers(self._spec.release, node.server.cpu.threads)
        streams = Pool(f"set-{self._store.place(name)[0] + 1}/rebuild", workers)
        return Hold(streams, 1, Sequence((Delay(self._spec.request_time * self._times), work)))
