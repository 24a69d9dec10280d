"""Writes that fill no row of a RAID group: what is read before, so that its parity can be made."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from models.storage.operation import Operation
from models.storage.parallel_fs.operations import ParallelFsOperations
from models.storage.parallel_fs.system import Target
from models.storage.stages import Lanes, Seek, Stage
from tests.models.machines import files, layout, server

CHUNK = Target().chunk


def written(size: float, data: int, parity: int) -> Operation:
    """Return the PUT of a file to a RAID group of ten drives at most."""
    machines = layout(servers=(1, server(drives=10)), workers=(1, server()))
    return ParallelFsOperations(files(target=Target(data=data, parity=parity)), machines).put(size)


def read_before(size: float, data: int = 8, parity: int = 2) -> tuple[int, float]:
    """Return the drives of a group that a PUT reads before it writes, and the bytes that it reads of all."""
    put = written(size, data, parity)
    seeks = [inner for stage in put.stages for inner in within(stage) if isinstance(inner, Seek) and inner.reads]
    read = next(iter(seeks), None)
    if read is None:
        return 0, 0.0
    (lanes,) = (stage for stage in put.stages if isinstance(stage, Lanes) and read in within(stage))
    (inner,) = lanes.stages
    assert isinstance(inner, Lanes)
    return inner.count, inner.count * read.reads


def within(stage: Stage) -> Iterator[Stage]:
    yield stage
    if isinstance(stage, Lanes):
        for inner in stage.stages:
            yield from within(inner)


@pytest.mark.parametrize(
    ("size", "reads", "read"),
    [
        (4096, 3, 3 * 4096),  # the old chunk and both of parity
        (3 * CHUNK, 5, 5 * CHUNK),
        (5 * CHUNK, 3, 3 * CHUNK),  # the three that are not written
        (8 * CHUNK, 0, 0),
        (8 * CHUNK + 4096, 3, 3 * 4096),
    ],
)
def test_what_fills_no_row_reads_the_fewest_chunks_that_its_parity_needs(size: float, reads: int, read: float) -> None:
    assert read_before(size) == (reads, read)
    assert read_before(size, parity=0) == (0, 0.0)
    assert read_before(size, data=1, parity=2) == (0, 0.0)  # copies need nothing


@pytest.mark.parametrize(("parity", "accesses"), [(1, 4), (2, 6)])
def test_a_small_write_takes_a_raid_5_four_accesses_and_a_raid_6_six(parity: int, accesses: int) -> None:
    stages = [inner for stage in written(4096, 10 - parity, parity).stages for inner in within(stage)]
    sought = (inner for inner in stages if isinstance(inner, Lanes) and isinstance(inner.stages[0], Seek))
    assert sum(inner.count for inner in sought) == accesses
