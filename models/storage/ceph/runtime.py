"""Ceph on a layout."""

from __future__ import annotations

from models.hardware.cluster import Layout
from models.outage import Outage
from models.storage.ceph.operations import RgwOperations
from models.storage.ceph.rebuild import Backfill
from models.storage.ceph.system import Ceph
from models.storage.contract import Runtime
from models.storage.described_loss import described_loss
from models.storage.described_routes import DescribedRoutes
from models.storage.described_store import ObjectOperations
from models.storage.object_routes import Ends


def _store(spec: Ceph, layout: Layout, salt: int, outage: Outage) -> ObjectOperations:
    return ObjectOperations(RgwOperations(spec, layout), layout, salt, outage)


def _routes(spec: Ceph, layout: Layout, ends: Ends) -> DescribedRoutes:
    return DescribedRoutes(RgwOperations(spec, layout), layout, ends)


RUNTIME = Runtime(store=_store, repairs=Backfill, routes=_routes, loss=described_loss(RgwOperations))
