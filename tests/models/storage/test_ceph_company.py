"""What operations of Ceph take alone and in company, against what clusters under load were seen to spend."""

from __future__ import annotations

from statistics import median
from typing import Literal

import pytest

from models.hardware.server import Cpu
from models.storage.ceph.company import Company
from models.storage.ceph_rbd.system import CephRbd

POOL = CephRbd(system="ceph-rbd", servers="storage")
PROCESSOR = Cpu(cores=64, threads=128, speed=0.81, smt_yield=1.35)  # the shipped part epyc-7742


def taken(utilization: float, operations: float) -> float:
    """Return what an operation takes of five servers of which a part is busy, kernel and network among it."""
    return 5 * PROCESSOR.capacity()[round(utilization * PROCESSOR.threads) - 1] / operations - 4096 * POOL.osd_cpu


def company(osds: int, queue: float, in_all: float) -> Company:
    return Company(POOL, osds, queue, queue, in_all)


BLOG = company(30, 128, 50 * 128)
"""Fifty processes of fio with a queue of 128. Source: Ceph blog, Ceph Reef Encryption Performance, 2023."""
VIRTUAL = company(24, 1024 / 3, 0.3 * 1024)
"""Virtual machines with 1,024 under way through the kernels of three servers, three in ten of them writes. Source:
neil1taylor/storage-perf-tests, docs/examples/odf-osd-resource-tuning-2026-06-04.md."""
UNTOLD = company(48, 48 * 2, 48 * 48)
"""Vitastor documentation, 2020: not told. Assumption: two under way on a connection, 0.3 to 16, and one from peers."""


@pytest.mark.parametrize(
    ("way", "pieces", "seen"),
    [
        ("read", 1, (taken(0.428, 2.80e6), 81e-6, 249e-6)),
        ("write", 3, (taken(0.645, 3 * 455e3), 229e-6, 656e-6)),
    ],
)
def test_alone_an_operation_costs_what_the_median_cluster_spent_without_company(
    way: Literal["read", "write"], pieces: int, seen: tuple[float, float, float]
) -> None:
    alone = []
    for spent, asked in zip(seen, (BLOG, VIRTUAL, UNTOLD), strict=True):
        cost, full = getattr(asked, f"{way}_cpu")(pieces), getattr(POOL, f"osd_{way}_cpu")
        alone.append(spent / (cost / full))
    assert getattr(POOL, f"osd_{way}_cpu") == pytest.approx(median(alone), rel=0.02)


@pytest.mark.parametrize(
    ("under_way", "measured"), [(1, 85.2), (4, 53.6), (16, 47.3), (64, 46.7), (256, 50.4)], ids=str
)
def test_a_read_in_company_costs_what_was_measured(under_way: int, measured: float) -> None:
    """Ceph 16.2, one OSD, core-microseconds of the server; so many under way on each connection, one of them itself."""
    lone = Company(POOL, 1).read_cpu(1)
    together = Company(POOL, 1, reads=under_way - 1).read_cpu(1)
    assert together / lone == pytest.approx(measured / 83.3, rel=0.12)


def test_an_operation_is_never_dearer_than_alone_nor_cheaper_than_without_its_wakeup() -> None:
    costs = [company(30, queue, 30 * queue).write_cpu(3) for queue in (0.0, 1.0, 10.0, 1e3, 1e9)]
    assert costs == sorted(costs, reverse=True)
    assert costs[0] == POOL.osd_write_cpu
    assert costs[-1] == pytest.approx(POOL.osd_write_cpu * (1 - POOL.wakeups.write))
