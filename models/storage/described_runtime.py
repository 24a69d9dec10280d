"""What a described storage system does on a layout: all of it follows from its description."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from models.hardware.cluster import Layout
from models.outage import Outage
from models.storage.contract import Runtime
from models.storage.described import Description
from models.storage.described_loss import described_loss
from models.storage.described_rebuild import DescribedRebuild
from models.storage.described_routes import DescribedRoutes
from models.storage.described_store import DescribedStore, FileOperations, ObjectOperations
from models.storage.object_routes import Ends


def described(what: Callable[[Any], Description], *, files: bool = False) -> Runtime:
    """Return what a system does of which `what` makes the description; `files`: it is a file system."""
    operations = FileOperations if files else ObjectOperations

    def store(spec: Any, layout: Layout, salt: int, outage: Outage) -> DescribedStore:
        return operations(what(spec), layout, salt, outage)

    def routes(spec: Any, layout: Layout, ends: Ends) -> DescribedRoutes:
        return DescribedRoutes(what(spec), layout, ends)

    loss = described_loss(lambda spec, layout: what(spec))
    return Runtime(store=store, repairs=DescribedRebuild, routes=routes, loss=loss)
