"""StorageGRID on a layout."""

from __future__ import annotations

from models.storage.contract import Runtime
from models.storage.storagegrid.rebuild import GridRestore
from models.storage.storagegrid.routes import StorageGridRoutes
from models.storage.storagegrid.store import StorageGridStore

RUNTIME = Runtime(store=StorageGridStore, repairs=GridRestore, routes=StorageGridRoutes)
