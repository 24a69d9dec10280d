"""HDFS on a layout: with replicas, or with an erasure coding policy."""

from __future__ import annotations

from typing import TYPE_CHECKING

from models.hardware.cluster import Cluster, Layout
from models.hardware.parts import Down
from models.outage import Outage
from models.storage.contract import Runtime
from models.storage.hdfs.balancer import HdfsBalancer
from models.storage.hdfs.operations import HdfsOperations, operations
from models.storage.hdfs.reconstruction import Reconstruction
from models.storage.hdfs.replication import HdfsReplication
from models.storage.hdfs.store import HdfsStore
from models.storage.hdfs.striped import StripedStore
from models.storage.hdfs.system import Hdfs

if TYPE_CHECKING:
    from models.storage.described_loss import DescribedLoss
    from models.storage.described_routes import DescribedRoutes
    from models.storage.object_routes import Ends


def _store(spec: Hdfs, layout: Layout, salt: int, outage: Outage) -> HdfsStore | StripedStore:
    if spec.striping:
        return StripedStore(spec, spec.striping, layout, salt, outage)
    return HdfsStore(spec, layout, salt, outage)


def _repairs(store: HdfsStore | StripedStore) -> HdfsReplication | Reconstruction:
    return Reconstruction(store) if isinstance(store, StripedStore) else HdfsReplication(store)


def _describe(spec: Hdfs, layout: Layout) -> HdfsOperations:
    return operations(spec)


def _routes(spec: Hdfs, layout: Layout, ends: Ends) -> DescribedRoutes:
    from models.storage.described_routes import described_routes  # imported late, as below: only for loads of requests

    return described_routes(_describe)(spec, layout, ends)


def _loss(spec: Hdfs, cluster: Cluster, down: Down, *, writes: bool) -> DescribedLoss:
    from models.storage.described_loss import described_loss

    return described_loss(_describe)(spec, cluster, down, writes=writes)


RUNTIME = Runtime(store=_store, repairs=_repairs, routes=_routes, loss=_loss, rebalances=HdfsBalancer)
