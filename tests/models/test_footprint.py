"""The memory that a run takes is told before it begins, and has a limit."""

from __future__ import annotations

import pytest

from models.footprint import MOST, bounded, footprint
from models.problem import RefusalError
from tests.models.machines import cluster, server


def test_memory_grows_with_what_is_simulated_one_by_one() -> None:
    few, many = (footprint(cluster(workers=(count, server()))) for count in (10, 1_000))
    assert few < 150e6
    assert 200e6 < many < 2e9


def test_a_cluster_that_no_memory_holds_is_refused_with_the_way_out() -> None:
    huge = cluster(workers=(100_000, server(drives=1_000)))
    assert footprint(huge) > MOST
    with pytest.raises(RefusalError, match=r"cluster: .* take some 4.01 TB of memory, expected at most 64 GB; allow a"):
        bounded(huge)
