"""A parallel file system on a layout."""

from __future__ import annotations

from models.storage.contract import Runtime
from models.storage.described_routes import described_routes
from models.storage.parallel_fs.operations import ParallelFsOperations
from models.storage.parallel_fs.rebuild import RaidRebuild
from models.storage.parallel_fs.store import ParallelFsStore

RUNTIME = Runtime(
    store=ParallelFsStore, repairs=RaidRebuild, routes=described_routes(ParallelFsOperations), rebuilds_drives=True
)
