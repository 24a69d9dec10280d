"""A parallel file system on a layout."""

from __future__ import annotations

from models.storage.contract import Runtime
from models.storage.parallel_fs.rebuild import RaidRebuild
from models.storage.parallel_fs.store import ParallelFsStore

RUNTIME = Runtime(store=ParallelFsStore, repairs=RaidRebuild)
