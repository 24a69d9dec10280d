"""Ceph block devices on a layout."""

from __future__ import annotations

from models.storage.ceph.balance import CephBalance
from models.storage.ceph.rebuild import Backfill
from models.storage.ceph_rbd.operations import RbdOperations
from models.storage.described_runtime import described

RUNTIME = described(RbdOperations, files=True, repairs=Backfill, rebalances=CephBalance)
