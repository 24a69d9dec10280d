"""What a store holds beside the data of the jobs of a run, as far as it lies on what fails.

A drive or a server that fails takes all along that it is full of, and all of that is made anew beside the jobs, under
the throttles of the system. Of the first failure at most `PIECES` pieces are simulated, each for as many as it takes,
at the pace of so many; of later ones each stands for as many. What lies nowhere near a failure is not known one by one.
"""

from __future__ import annotations

import math

from models.hardware.cluster import Layout
from models.outage import Outage, Repair
from models.storage.clients.s3a import S3aClient
from models.storage.contract import Home, Rebuilds
from models.storage.systems import Client, StorageSystem, runtime_of

PIECES = 4000
"""Pieces of the first failure that are simulated at most. Assumption: enough for its ends to weigh some 3 %."""

OBJECT_SIZE = 67108864.0
"""Bytes of an object where no client says how it cuts them. Assumption: 64 MiB."""


def object_size(client: Client | None) -> float:
    """Return the bytes of an object, as a client cuts them."""
    return client.fs.s3a.block.size if isinstance(client, S3aClient) else OBJECT_SIZE


class Kept:
    """The data of a store that fills a `part` of its drives: how it is rebuilt, and what of it is lost."""

    def __init__(self, storage: StorageSystem, home: Home, client: Client | None, layout: Layout, part: float) -> None:
        self.outage = Outage(may_fail=True)
        self._layout, self._home, self.part = layout, home, part
        runtime = runtime_of(storage)
        assert runtime.repairs is not None  # it has drives to lose
        self._rebuilds: Rebuilds = runtime.repairs(runtime.store(storage, layout, 0, self.outage))
        self._size, self._share = self._rebuilds.piece(object_size(client))
        self._times = 0.0

    def repair(self, resources: set[int], is_server: bool) -> Repair:
        """Return how all is made whole again that lay on some resources."""
        group, bay = self._home
        nodes = self._layout.groups[group]
        held = [(node, drive) for node in nodes for drive in node.bays[bay] if drive.resource.index in resources]
        bytes = self.part * sum(getattr(drive.drive, "capacity", 0.0) for _, drive in held)
        pieces = math.ceil(bytes / self._share)
        self._times = self._times or max(pieces / PIECES, 1.0)
        if held:
            self._rebuilds.fill(held, math.ceil(pieces / self._times), self._size, self._times)
        return self._rebuilds.repair(resources, is_server)

    def lost(self) -> float:
        """Return the bytes of it that have no way back."""
        return self._rebuilds.lost()
