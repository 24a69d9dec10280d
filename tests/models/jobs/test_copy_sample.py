"""What is simulated of a large copy: equal parts of its tasks and files, and what they stand for."""

from __future__ import annotations

from typing import Any

import pytest

from models.jobs.copy import Copy, Staging, Tool
from models.jobs.copy_sample import WAVES, blocks_of, sample
from models.storage.amazon_s3.system import AmazonS3
from tests.models.machines import GB, MB

S3 = AmazonS3(system="amazon-s3", first_byte=0.012, connection_bandwidth=93 * MB, get_rate=5500.0)
BLOCKS = 8


def copy(files: int, *, simulated: int = 8_000, **tool: Any) -> Copy:
    return Copy(
        kind="copy",
        origin=S3,
        tool=Tool.model_validate({"servers": ("workers",), "processes": 4} | tool),
        files=files,
        size=files * GB,
        sample=simulated,
    )


@pytest.mark.parametrize("deal", ["queue", "size", "hash"])
def test_a_small_copy_is_simulated_as_it_is(deal: str) -> None:
    part = sample(copy(1_000, deal=deal), 20, BLOCKS)
    assert (part.files, part.part, part.scale, part.start) == (1_000, 1.0, 1.0, 1.0)
    assert sum(map(len, part.shares)) == 1_000


@pytest.mark.parametrize("deal", ["queue", "size", "hash"])
@pytest.mark.parametrize("files", [80_000, 800_000])
def test_what_is_simulated_of_a_large_copy_does_not_grow_with_its_files(deal: str, files: int) -> None:
    part = sample(copy(files, deal=deal), 20, BLOCKS)
    assert part.files == sum(map(len, part.shares)) == pytest.approx(1_000, rel=0.02)
    assert part.part == 1.0
    assert part.scale * part.files == pytest.approx(files)


def test_of_large_files_so_many_blocks_are_simulated() -> None:
    part = sample(copy(400, processes=4, deal="size"), 20, 80_000)
    assert (part.files, part.part) == (200, 40 / 80_000)
    assert part.scale == pytest.approx(2 / part.part)
    assert sample(copy(1), 20, 80_000).part == 0.1


def test_many_streams_get_enough_files_each() -> None:
    part = sample(copy(800_000, processes=16, threads=5, deal="hash"), 1_600, BLOCKS)
    assert part.files == pytest.approx(WAVES * 1_600 * 5, rel=0.02)


@pytest.mark.parametrize(
    ("tool", "starts"), [({}, 80_000), ({"deal": "size"}, 20), ({"staging": Staging(place="root")}, 80_000)]
)
def test_starts_of_processes_take_as_long_as_in_the_whole_copy(tool: dict[str, Any], starts: int) -> None:
    part = sample(copy(80_000, **tool), 20, 800)
    simulated = part.files if starts == 80_000 else len(part.shares)
    assert simulated * part.start * part.scale == pytest.approx(starts)


@pytest.mark.parametrize(("size", "blocks"), [(0.1, 1), (1.0, 1), (1.0 + 1e-12, 1), (1.1, 2), (7.0, 7)])
def test_a_file_has_so_many_blocks(size: float, blocks: int) -> None:
    assert blocks_of(size, 1.0) == blocks
