"""StorageGRID on a layout."""

from __future__ import annotations

from models.storage.contract import Runtime
from models.storage.described_rebuild import DescribedRebuild
from models.storage.storagegrid.routes import StorageGridRoutes
from models.storage.storagegrid.store import StorageGridStore

RUNTIME = Runtime(store=StorageGridStore, repairs=DescribedRebuild, routes=StorageGridRoutes)
