"""StorageGRID on a layout."""

from __future__ import annotations

from models.hardware.cluster import Layout
from models.storage.contract import Runtime
from models.storage.described_loss import described_loss
from models.storage.described_rebuild import DescribedRebuild
from models.storage.storagegrid.operations import StorageGridOperations
from models.storage.storagegrid.routes import StorageGridRoutes
from models.storage.storagegrid.store import StorageGridStore
from models.storage.storagegrid.system import StorageGrid


def _describe(spec: StorageGrid, layout: Layout) -> StorageGridOperations:
    return StorageGridOperations(spec)


RUNTIME = Runtime(
    store=StorageGridStore, repairs=DescribedRebuild, routes=StorageGridRoutes, loss=described_loss(_describe)
)
