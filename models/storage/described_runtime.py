"""What a described storage system does on a layout: all of it follows from its description."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from models.hardware.cluster import Layout
from models.outage import Outage
from models.rebalance import Rebalances
from models.storage.contract import Rebuilds, Runtime
from models.storage.described import Describe
from models.storage.described_loss import described_loss
from models.storage.described_rebuild import DescribedRebuild
from models.storage.described_routes import described_routes
from models.storage.described_store import DescribedStore, FileOperations, ObjectOperations


def described(
    describe: Describe,
    *,
    files: bool = False,
    repairs: Callable[[Any], Rebuilds] | None = DescribedRebuild,
    rebalances: Callable[[Any], Rebalances] | None = None,
) -> Runtime:
    """Return what a system does that `describe` describes on a layout; `files`: it is a file system.

    `repairs` is how jobs see it rebuild what is lost; None: it has nothing to lose, as it is rented. `rebalances` is
    how data moves onto new servers; None: it does not.
    """
    operations = FileOperations if files else ObjectOperations

    def store(spec: Any, layout: Layout, salt: int, outage: Outage) -> DescribedStore:
        return operations(describe(spec, layout), layout, salt, outage)

    loss = described_loss(describe) if repairs else None
    return Runtime(store, repairs, described_routes(describe), loss, rebalances)
