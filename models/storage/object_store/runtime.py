"""An object store whose targets answer clients, on a layout."""

from __future__ import annotations

from models.hardware.cluster import Layout
from models.outage import Outage
from models.storage.contract import Runtime
from models.storage.described_loss import described_loss
from models.storage.described_rebuild import DescribedRebuild
from models.storage.described_routes import DescribedRoutes
from models.storage.described_store import ObjectOperations
from models.storage.object_routes import Ends
from models.storage.object_store.operations import DirectOperations
from models.storage.object_store.system import DirectStore


def _store(spec: DirectStore, layout: Layout, salt: int, outage: Outage) -> ObjectOperations:
    return ObjectOperations(DirectOperations(spec), layout, salt, outage)


def _routes(spec: DirectStore, layout: Layout, ends: Ends) -> DescribedRoutes:
    return DescribedRoutes(DirectOperations(spec), layout, ends)


def _describe(spec: DirectStore, layout: Layout) -> DirectOperations:
    return DirectOperations(spec)


RUNTIME = Runtime(store=_store, repairs=DescribedRebuild, routes=_routes, loss=described_loss(_describe))
