"""A reader of striped blocks against its code, cell by cell: it waits for the slowest cell of each stripe."""

from __future__ import annotations

import pytest

from models.outage import Outage
from models.storage.flow import compute
from models.storage.hdfs.policy import LARGEST_CELL, policy_of
from models.storage.hdfs.runtime import RUNTIME
from models.storage.hdfs.system import Hdfs
from models.storage.stages import SOCKETS
from tests.models.machines import MB, hdd, layout, server

STRIPES = 2_000
RATE = 200 * MB


def by_code(data: int, cell: float, held: int, cpu: float) -> float:
    """Return the bytes a second of a reader that computes `cpu` (s) on a byte, cell by cell of each of its blocks.

    It takes a stripe once all of its cells have come. DataNodes send their blocks to the end, and a connection holds
    so many cells that nobody has taken.
    """
    came, taken = [0.0] * data, [0.0] * (STRIPES + 1)
    for stripe in range(1, STRIPES + 1):
        room = taken[max(stripe - held, 0)] if held else taken[stripe - 1]
        came = [max(before, room) + cell / RATE for before in came]
        taken[stripe] = max(*came, taken[stripe - 1]) + data * cell * cpu
    return data * cell * STRIPES / taken[-1]


@pytest.mark.parametrize("policy", ["RS-3-2-1024k", "RS-6-3-1024k", "RS-6-3-64k", "RS-10-4-1024k"])
@pytest.mark.parametrize("times", [0.5, 0.9, 1.1, 3.0])
def test_a_stream_is_as_fast_as_k_cells_side_by_side_or_as_its_task(policy: str, times: float) -> None:
    """As a connection holds some cells, what comes next is there when a stripe has been worked on."""
    code = policy_of(policy)
    cpu = times / (code.data * RATE)  # the task takes as many times as long as the drives
    machines = layout(workers=(15, server(drive=hdd())), clients=(1, server()))
    spec = Hdfs(system="hdfs", servers="workers", policy=policy)
    client = machines.nodes[15]
    flow = RUNTIME.store(spec, machines, 1, Outage()).read(0, code.data, client, "direct").joined(compute(client, cpu))
    assert flow.max_rate == pytest.approx(min(code.data * RATE, 1 / cpu))
    assert flow.max_rate == pytest.approx(by_code(code.data, code.cell, int(SOCKETS / code.cell), cpu), rel=0.01)


def test_a_connection_that_held_nothing_would_let_fetching_and_computing_take_turns() -> None:
    """Of the largest cells one still fits, with the least that a connection is thought to hold, 4 MiB."""
    assert by_code(6, 2.0**20, 0, 1 / (6 * RATE)) == pytest.approx(6 * RATE / 2, rel=0.01)
    assert LARGEST_CELL * 1024 <= 4 * 2**20 <= SOCKETS
