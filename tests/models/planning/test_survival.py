"""What may fail at once: counted by hand from where shards and replicas lie."""

from __future__ import annotations

import pytest

from models.planning.survival import Tolerance, survives
from models.storage.hdfs import Hdfs
from models.storage.minio import Minio
from tests.models.planning.test_durability import grid, hdfs, machines, minio
from tests.models.test_scenario import scenario


def test_sixteen_drives_over_twelve_servers_survive_any_two_servers() -> None:
    found = survives(minio())  # four servers hold two shards of a set, eight hold one
    assert found.drives == Tolerance(4, 3)
    assert found.servers == Tolerance(2, 1)
    assert found.racks == Tolerance(0, 0)


def test_sixteen_servers_of_one_shard_a_set_survive_as_many_as_drives() -> None:
    found = survives(minio(machines(servers=16)))
    assert found.servers == Tolerance(4, 3)


def test_a_set_over_four_racks_survives_one_of_them_for_reading() -> None:
    assert survives(minio(machines(servers=16, racks=4))).racks == Tolerance(1, 0)
    assert survives(minio(machines(servers=16, racks=8))).racks == Tolerance(2, 1)


def test_drives_that_are_offline_already_count() -> None:
    storage = Minio(system="minio", servers="storage", parity=4, failed_drives=1)
    assert survives(minio().model_copy(update={"storage": storage})).drives == Tolerance(3, 2)


@pytest.mark.parametrize(("racks", "in_racks"), [(1, 0), (2, 1), (3, 1)])
def test_three_copies_survive_two_of_anything_and_one_rack_of_several(racks: int, in_racks: int) -> None:
    found = survives(hdfs(machines(racks=racks)))
    assert found.drives == found.servers == Tolerance(2, 2)
    assert found.racks == Tolerance(in_racks, in_racks)


def test_writes_need_as_many_servers_as_a_block_must_have_replicas() -> None:
    storage = Hdfs(system="hdfs", servers="storage", replication=3, replication_min=3)
    found = survives(scenario(cluster=machines(servers=4), storage=storage))
    assert found.servers == Tolerance(2, 1)


def test_one_copy_survives_nothing() -> None:
    found = survives(hdfs(replication=1))
    assert found.drives == found.servers == found.racks == Tolerance(0, 0)


def test_two_copies_survive_a_node_and_the_drives_that_their_arrays_spare() -> None:
    found = survives(grid())
    assert found.servers == Tolerance(1, 1)
    assert found.drives == Tolerance(5, 5)  # two nodes lose three drives each with the sixth at the earliest


def test_four_copies_on_a_grid_stay_readable_longer_than_writable() -> None:
    found = survives(grid(machines(servers=4, racks=2), copies=4))
    assert found.servers == Tolerance(3, 1)
    assert found.drives == Tolerance(11, 5)
    assert found.racks == Tolerance(1, 0)
