"""Ceph block devices on a layout."""

from __future__ import annotations

from models.hardware.cluster import Layout
from models.outage import Outage
from models.storage.ceph.rebuild import Backfill
from models.storage.ceph_rbd.operations import RbdOperations
from models.storage.ceph_rbd.system import CephRbd
from models.storage.contract import Runtime
from models.storage.described_loss import described_loss
from models.storage.described_routes import DescribedRoutes
from models.storage.described_store import FileOperations
from models.storage.object_routes import Ends


def _store(spec: CephRbd, layout: Layout, salt: int, outage: Outage) -> FileOperations:
    return FileOperations(RbdOperations(spec, layout), layout, salt, outage)


def _routes(spec: CephRbd, layout: Layout, ends: Ends) -> DescribedRoutes:
    return DescribedRoutes(RbdOperations(spec, layout), layout, ends)


RUNTIME = Runtime(store=_store, repairs=Backfill, routes=_routes, loss=described_loss(RbdOperations))
