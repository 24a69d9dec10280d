"""Room on servers that differ: what fits when each piece of an object lies on a server of its own."""

from __future__ import annotations

import pytest

from models.storage.room import Room, in_blocks, on_distinct_servers


def test_equal_servers_hold_their_room_over_the_copies() -> None:
    assert on_distinct_servers([Room(12, 16.0)], pieces=3) == 64.0


def test_a_server_larger_than_all_others_together_stays_partly_empty() -> None:
    """Two copies on 10, 2 and 1: whatever lies on the large one lies on a small one, too."""
    assert on_distinct_servers([Room(1, 10.0), Room(1, 2.0), Room(1, 1.0)], pieces=2) == 3.0


def test_servers_that_differ_little_are_filled_whole() -> None:
    assert on_distinct_servers([Room(2, 3.0), Room(4, 1.0)], pieces=2) == 5.0


def test_fragments_of_a_code_hold_a_part_of_the_bytes_each() -> None:
    """4+2 on seven servers of 6: 42 of raw room are 7 stripes of one piece a server, 28 of data."""
    assert on_distinct_servers([Room(7, 6.0)], pieces=6, data=4) == pytest.approx(28.0)


def test_fewer_servers_than_pieces_hold_nothing() -> None:
    assert on_distinct_servers([Room(2, 100.0)], pieces=3) == 0.0
    assert on_distinct_servers([], pieces=1) == 0.0


@pytest.mark.parametrize("sizes", [(5, 5, 5, 1), (9, 4, 3, 2, 2), (1, 1, 1, 1, 8), (7, 7, 1, 1)])
@pytest.mark.parametrize("pieces", [1, 2, 3])
def test_the_most_that_fits_is_where_the_servers_can_just_hold_its_pieces(sizes: tuple[int, ...], pieces: int) -> None:
    def fits(data: float) -> bool:
        return sum(min(size, data) for size in sizes) >= pieces * data * (1 - 1e-12)

    most = on_distinct_servers([Room(1, float(size)) for size in sizes], pieces)
    assert fits(most)
    assert not fits(most * 1.001)


@pytest.mark.parametrize(("size", "taken"), [(0, 0), (1, 4096), (4096, 4096), (4097, 8192)])
def test_a_file_takes_whole_blocks_of_a_drive(size: float, taken: float) -> None:
    assert in_blocks(size) == taken
