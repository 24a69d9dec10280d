"""HDFS on a layout: with replicas, or with an erasure coding policy."""

from __future__ import annotations

from models.hardware.cluster import Layout
from models.outage import Outage
from models.storage.contract import Runtime
from models.storage.described_loss import described_loss
from models.storage.described_routes import described_routes
from models.storage.hdfs.operations import HdfsOperations, operations
from models.storage.hdfs.reconstruction import Reconstruction
from models.storage.hdfs.replication import HdfsReplication
from models.storage.hdfs.store import HdfsStore
from models.storage.hdfs.striped import StripedStore
from models.storage.hdfs.system import Hdfs


def _store(spec: Hdfs, layout: Layout, salt: int, outage: Outage) -> HdfsStore | StripedStore:
    if spec.striping:
        return StripedStore(spec, spec.striping, layout, salt, outage)
    return HdfsStore(spec, layout, salt, outage)


def _repairs(store: HdfsStore | StripedStore) -> HdfsReplication | Reconstruction:
    return Reconstruction(store) if isinstance(store, StripedStore) else HdfsReplication(store)


def _describe(spec: Hdfs, layout: Layout) -> HdfsOperations:
    return operations(spec)


RUNTIME = Runtime(store=_store, repairs=_repairs, routes=described_routes(_describe), loss=described_loss(_describe))
