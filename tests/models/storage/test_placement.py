"""Where the replicas of a block lie."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given, strategies as st

from models.storage.placement import ReplicaPlacement, mix, mixed

SALTS = range(200)


def test_hash_is_the_same_on_every_machine() -> None:
    assert mix(0) == 0xE220A8397B1DCDAF  # the first number of splitmix64 with seed 0


def test_hash_tells_the_order_of_its_numbers() -> None:
    assert mix(1, 2) != mix(2, 1)


@given(st.integers(0, 2**64 - 1), st.integers(0, 9))
def test_hashes_drawn_at_once_are_those_drawn_one_by_one(salt: int, last: int) -> None:
    assert mixed(salt, 20, last).tolist() == [mix(salt, i, last) for i in range(20)]


def test_first_replica_lies_on_the_writers_server() -> None:
    placement = ReplicaPlacement([0] * 12)
    assert {placement.replicas(3, 5, salt)[0] for salt in SALTS} == {5}


def test_first_replica_of_a_writer_outside_lies_on_any_server() -> None:
    placement = ReplicaPlacement([0] * 4)
    assert {placement.replicas(1, None, salt)[0] for salt in SALTS} == {0, 1, 2, 3}


def test_second_replica_leaves_the_rack_and_the_third_stays_with_the_second() -> None:
    racks = [0, 1, 2] * 4
    placement = ReplicaPlacement(racks)
    for salt in SALTS:
        first, second, third = placement.replicas(3, 4, salt)
        assert racks[second] != racks[first]
        assert racks[third] == racks[second]
        assert third != second


def test_replicas_in_one_rack_lie_on_any_servers_but_each_on_another() -> None:
    placement = ReplicaPlacement([0] * 4)
    places = [placement.replicas(3, 0, salt) for salt in SALTS]
    assert {frozenset(servers) for servers in places} == {frozenset(s) for s in ({0, 1, 2}, {0, 1, 3}, {0, 2, 3})}


def test_third_replica_goes_elsewhere_when_the_second_stands_alone_in_its_rack() -> None:
    placement = ReplicaPlacement([0, 0, 1])
    assert {placement.replicas(3, 0, salt) for salt in SALTS} == {(0, 2, 1)}


def test_rare_rack_is_found_among_many_servers() -> None:
    placement = ReplicaPlacement([0] * 1000 + [1])
    assert {placement.replicas(2, 0, salt)[1] for salt in range(20)} == {1000}


def test_more_replicas_than_servers_are_refused() -> None:
    with pytest.raises(ValueError, match=r"^replication = 4: there are only 3 servers to hold replicas$"):
        ReplicaPlacement([0, 0, 0]).replicas(4, None, 0)


def test_placement_does_not_depend_on_what_was_placed_before() -> None:
    placement = ReplicaPlacement([0, 1] * 6)
    alone = placement.replicas(3, 2, 99)
    for salt in SALTS:
        placement.replicas(3, 2, salt)
    assert placement.replicas(3, 2, 99) == alone


def test_table_of_blocks_starts_evenly_on_all_servers() -> None:
    table = ReplicaPlacement([0] * 5).table(1000, 2, 7)
    assert Counter(table[:, 0].tolist()) == dict.fromkeys(range(5), 200)


def test_table_of_blocks_is_reproducible_and_depends_on_its_salt() -> None:
    placement = ReplicaPlacement([0, 1] * 6)
    assert np.array_equal(placement.table(100, 3, 7), placement.table(100, 3, 7))
    assert not np.array_equal(placement.table(100, 3, 7), placement.table(100, 3, 8))


def test_table_of_blocks_loads_all_servers_alike() -> None:
    table = ReplicaPlacement([i % 4 for i in range(20)]).table(20_000, 3, 1)
    loads = np.bincount(table.reshape(-1), minlength=20)  # 3000 each; drawn ones scatter by sqrt(2000) = 45
    assert abs(loads - 3000).max() < 5 * 45


@given(st.integers(1, 4), st.integers(1, 4), st.integers(1, 3), st.integers(0, 2**64 - 1))
def test_every_row_of_the_table_keeps_the_rules(racks: int, per_rack: int, count: int, salt: int) -> None:
    places = [i % racks for i in range(racks * per_rack)]
    count = min(count, len(places))
    for row in ReplicaPlacement(places).table(30, count, salt).tolist():
        assert len(set(row)) == count
        if count > 1 and racks > 1:
            assert places[row[1]] != places[row[0]]
        if count > 2 and per_rack > 1:
            assert places[row[2]] == places[row[1]]
