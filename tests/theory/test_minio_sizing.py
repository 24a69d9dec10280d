"""MinIO's own table of tolerated servers: docs/distributed/SIZING.md of minio/minio, RELEASE.2025-10-15, every row.

"Tolerance for writes" is given without the parity that is added while drives are offline; it is the same with it, as
writing here means that all data stays readable, too. The row of 4 servers with 2 drives tolerates a server less for
writes than for reads: its EC:4 is half of a set of 8, so that a write needs 5 drives, and two servers hold 4. With
EC:2, as this row is sometimes quoted, its numbers would be wrong. The text below the table is wrong where it says that
4 parity shards are written at all times: cmd/erasure-object.go adds to them. Left out is the row of a single drive,
which is no set.
"""

from __future__ import annotations

import pytest

from models.planning.survival import Tolerance, survives
from models.scenario import Scenario
from models.storage.minio.system import Minio
from tests.models.machines import cluster, server
from tests.models.test_scenario import scenario
from tests.narrow import as_a

ROWS = [  # servers, drives of each, set, parity, tolerance for reads and for writes
    (1, 4, 4, 2, 0, 0),
    (4, 1, 4, 2, 2, 1),
    (5, 1, 5, 2, 2, 2),
    (6, 1, 6, 3, 3, 2),
    (7, 1, 7, 3, 3, 3),
    (4, 2, 8, 4, 2, 1),
    (5, 2, 10, 4, 2, 2),
    (6, 2, 12, 4, 2, 2),
    (7, 2, 14, 4, 2, 2),
    (8, 1, 8, 4, 4, 3),
    (8, 2, 16, 4, 2, 2),
    *((servers, 2, servers, 4, 4, 4) for servers in range(9, 17)),
]


def stored(servers: int, drives: int, **changes: int) -> Scenario:
    """Return MinIO as its current release sets itself up on equal servers."""
    machines = cluster(storage=(servers, server(drives=drives)), compute=(1, server()))
    storage = Minio.model_validate({"system": "minio", "servers": "storage"} | changes)
    return scenario(cluster=machines, storage=storage, workload={"kind": "storing", "data": 1e12})


@pytest.mark.parametrize(("servers", "drives", "size", "parity", "reading", "writing"), ROWS)
def test_a_row_of_the_sizing_guide(
    servers: int, drives: int, size: int, parity: int, reading: int, writing: int
) -> None:
    planned = stored(servers, drives)
    (code,) = as_a(Minio, planned.storage).codes(planned.cluster)
    assert (code.drives, code.parity) == (size, parity)
    assert survives(planned).servers == Tolerance(reading, writing)


def test_the_row_of_4_servers_with_2_drives_does_not_hold_for_two_parity_shards() -> None:
    assert survives(stored(4, 2, parity=2)).servers == Tolerance(1, 1)
