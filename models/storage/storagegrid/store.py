"""StorageGRID for jobs: its operations on the storage nodes and gateways of a layout."""

from __future__ import annotations

from models.hardware.cluster import Layout
from models.outage import Outage
from models.storage.described_store import ObjectOperations
from models.storage.storagegrid.operations import INDEX, StorageGridOperations
from models.storage.storagegrid.system import StorageGrid


class StorageGridStore(ObjectOperations):
    """StorageGRID on a layout. Parts of an upload, and ranges that are read, lie on drives of their own."""

    def __init__(self, spec: StorageGrid, layout: Layout, salt: int, outage: Outage | None = None) -> None:
        super().__init__(StorageGridOperations(spec), layout, salt, outage)
        self.spec = spec
        for node in self.nodes:
            layout.service(node, INDEX, spec.index_threads)  # a run starts with all of its resources
