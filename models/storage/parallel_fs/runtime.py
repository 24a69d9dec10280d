"""A parallel file system on a layout."""

from __future__ import annotations

from models.hardware.cluster import Layout
from models.storage.contract import Runtime
from models.storage.described_routes import DescribedRoutes
from models.storage.object_routes import Ends
from models.storage.parallel_fs.operations import ParallelFsOperations
from models.storage.parallel_fs.rebuild import RaidRebuild
from models.storage.parallel_fs.store import ParallelFsStore
from models.storage.parallel_fs.system import ParallelFs


def _routes(spec: ParallelFs, layout: Layout, ends: Ends) -> DescribedRoutes:
    return DescribedRoutes(ParallelFsOperations(spec, layout), layout, ends)


RUNTIME = Runtime(store=ParallelFsStore, repairs=RaidRebuild, routes=_routes)
