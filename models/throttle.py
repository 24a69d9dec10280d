"""A limit on the bytes a second that a workload reads and writes: one more resource that its streams use.

A byte counts where the workload reads it from a storage system or hands it over to one, and nowhere on its way between
its tasks, drives and caches: that of a copy once, as it is read from its origin; that of a job once as input and once
as output, however many replicas or shards are made of it.
"""

from __future__ import annotations

from models.hardware.cluster import Node
from models.storage.clients.mount import Mount
from models.storage.clients.through import Through
from models.storage.flow import Flow
from models.work import Resource, Use


class Throttled(Through):
    """A storage system as a workload sees it that is to read and write as many bytes a second as a resource carries."""

    def __init__(self, mount: Mount, resource: Resource) -> None:
        super().__init__(mount)
        self._limit = Flow((Use(resource, 1.0, 1.0),), max(resource.capacity), "the workload's throttle")

    def passing(self, flow: Flow, node: Node) -> Flow:
        """Return a flow within the limit."""
        return flow.joined(self._limit)
