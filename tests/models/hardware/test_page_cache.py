"""The page cache of a server: into how many chunks it cuts what is written."""

from __future__ import annotations

import pytest

from models.hardware.cluster import Layout
from models.work import Pieces, Step
from tests.models.machines import GB, MB, cluster, hdd, server

CHUNK = 100 * MB  # half a second of a drive of 200 MB/s


@pytest.mark.parametrize(("grain", "chunks"), [(1.0, 8), (4.0, 2)])
def test_a_write_is_told_in_grains_of_the_chunks_of_a_flusher(grain: float, chunks: int) -> None:
    layout = Layout(cluster(workers=(1, server(drive=hdd()))), grain=grain)
    (node,) = layout.nodes
    step: Step = layout.page(node).write(node.bays["data"][0], 8 * CHUNK)
    assert isinstance(step, Pieces)
    assert (step.many, step.size) == (chunks, 8 * CHUNK / chunks)


def test_a_grain_still_leaves_room_for_eight_of_it() -> None:
    layout = Layout(cluster(workers=(1, server(drive=hdd()))), grain=1000.0)
    (node,) = layout.nodes
    page, device = layout.page(node), node.bays["data"][0]
    step = page.write(device, 40 * GB)
    assert isinstance(step, Pieces)
    assert step.size * step.many == 40 * GB
    assert step.size <= page.room(device).capacity / 8


def test_writes_of_any_size_to_a_drive_are_pieces_of_one_sequence() -> None:
    layout = Layout(cluster(workers=(1, server(drive=hdd()))))
    (node,) = layout.nodes
    page, (first, second, *_) = layout.page(node), node.bays["data"]
    steps = [page.write(first, 3 * CHUNK), page.write(first, CHUNK / 2), page.write(second, CHUNK)]
    one, other, elsewhere = [step.step for step in steps if isinstance(step, Pieces)]
    assert one is other
    assert one is not elsewhere
