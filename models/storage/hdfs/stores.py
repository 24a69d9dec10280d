"""What HDFS does on a layout, and how it repairs itself: by replicas or by an erasure coding policy."""

from __future__ import annotations

from models.hardware.cluster import Layout
from models.outage import Outage
from models.storage.hdfs.reconstruction import Reconstruction
from models.storage.hdfs.replication import HdfsReplication
from models.storage.hdfs.store import HdfsStore
from models.storage.hdfs.striped import StripedStore
from models.storage.hdfs.system import Hdfs


def hdfs_store(spec: Hdfs, layout: Layout, salt: int, outage: Outage | None = None) -> HdfsStore | StripedStore:
    """Return its operations on a layout."""
    if spec.striping:
        return StripedStore(spec, spec.striping, layout, salt, outage)
    return HdfsStore(spec, layout, salt, outage)


def hdfs_repairs(store: HdfsStore | StripedStore) -> HdfsReplication | Reconstruction:
    """Return how it repairs itself."""
    return Reconstruction(store) if isinstance(store, StripedStore) else HdfsReplication(store)
