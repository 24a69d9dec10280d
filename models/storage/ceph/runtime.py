"""Ceph on a layout."""

from __future__ import annotations

from models.storage.ceph.balance import CephBalance
from models.storage.ceph.gateway import RgwOperations
from models.storage.ceph.rebuild import Backfill
from models.storage.described_runtime import described

RUNTIME = described(RgwOperations, repairs=Backfill, rebalances=CephBalance)
