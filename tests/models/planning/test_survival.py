"""What may fail at once: counted by hand from where shards and replicas lie."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterable
from types import FrameType
from typing import TYPE_CHECKING

import pytest
from hypothesis import assume, given, strategies as st

from models.failures import Failures
from models.hardware.cluster import Batch, Cluster, Group, Layout
from models.hardware.network import Network
from models.hardware.racks import rack_kinds
from models.planning.capacity import Planning, capacity
from models.planning.lint import lint
from models.planning.survival import Tolerance, survives
from models.storage.hdfs.system import Hdfs
from models.storage.minio.store import MinioStore
from models.storage.minio.system import Minio
from models.storage.storagegrid.system import StorageGrid
from tests.models.machines import server
from tests.models.planning.test_durability import grid, hdfs, machines, minio
from tests.models.test_scenario import scenario

if TYPE_CHECKING:
    from _typeshed import TraceFunction


def test_sixteen_drives_over_twelve_servers_survive_any_two_servers() -> None:
    survival = survives(minio())  # four servers hold two shards of a set, eight hold one
    assert survival.drives == Tolerance(4, 3)
    assert survival.servers == Tolerance(2, 1)
    assert survival.racks == Tolerance(0, 0)


def test_sixteen_servers_of_one_shard_a_set_survive_as_many_as_drives() -> None:
    survival = survives(minio(machines(servers=16)))
    assert survival.servers == Tolerance(4, 3)


def test_a_set_over_four_racks_survives_one_of_them_for_reading() -> None:
    assert survives(minio(machines(servers=16, racks=4))).racks == Tolerance(1, 0)
    assert survives(minio(machines(servers=16, racks=8))).racks == Tolerance(2, 1)


def test_drives_that_are_offline_already_count() -> None:
    storage = minio().storage.model_copy(update={"failed_drives": 1})
    assert survives(minio().model_copy(update={"storage": storage})).drives == Tolerance(3, 2)


@pytest.mark.parametrize(("racks", "in_racks"), [(1, 0), (2, 1), (3, 1)])
def test_three_copies_survive_two_of_anything_and_one_rack_of_several(racks: int, in_racks: int) -> None:
    survival = survives(hdfs(machines(racks=racks)))
    assert survival.drives == survival.servers == Tolerance(2, 2)
    assert survival.racks == Tolerance(in_racks, in_racks)


@pytest.mark.parametrize(("servers", "racks", "in_racks"), [(40, 1, 0), (40, 2, 0), (40, 3, 1), (40, 4, 1), (40, 9, 3)])
def test_a_group_of_blocks_survives_the_racks_over_which_it_is_spread(servers: int, racks: int, in_racks: int) -> None:
    storage = Hdfs(system="hdfs", servers="storage", policy="RS-6-3-1024k")
    survival = survives(scenario(cluster=machines(servers=servers, racks=racks), storage=storage))
    assert survival.servers == Tolerance(3, 3)
    assert survival.racks == Tolerance(in_racks, in_racks)


def test_writes_need_as_many_servers_as_a_block_must_have_replicas() -> None:
    storage = Hdfs(system="hdfs", servers="storage", replication=3, replication_min=3)
    survival = survives(scenario(cluster=machines(servers=4), storage=storage))
    assert survival.servers == Tolerance(2, 1)


def test_one_copy_survives_nothing() -> None:
    survival = survives(hdfs(replication=1))
    assert survival.drives == survival.servers == survival.racks == Tolerance(0, 0)


def test_two_copies_survive_a_node_and_the_drives_that_their_arrays_spare() -> None:
    survival = survives(grid())
    assert survival.servers == Tolerance(1, 1)
    assert survival.drives == Tolerance(5, 5)  # two nodes lose three drives each with the sixth at the earliest


def test_four_copies_on_a_grid_stay_readable_longer_than_writable() -> None:
    survival = survives(grid(machines(servers=4, racks=2), copies=4))
    assert survival.servers == Tolerance(3, 1)
    assert survival.drives == Tolerance(11, 5)
    assert survival.racks == Tolerance(1, 0)


# kinds, not counts


@given(
    servers=st.integers(1, 20),
    more=st.integers(0, 6),
    drives=st.integers(1, 6),
    racks=st.integers(1, 6),
    wanted=st.none() | st.integers(2, 16),
)
def test_the_sets_of_each_kind_are_those_of_all_sets(
    servers: int, more: int, drives: int, racks: int, wanted: int | None
) -> None:
    """As many shards on each server, and in each rack, as a look at every set of the layout finds."""
    later = (Batch(server=server(drives=drives + 1), count=more),) if more else ()
    group = Group(server=server(drives=drives), count=servers + more, later=later)
    made = Cluster(groups={"storage": group}, network=Network(racks=min(racks, group.count)))
    spec = Minio(system="minio", servers="storage", set_size=wanted)
    try:
        spec.fits(made)
    except ValueError:
        assume(False)
    racks = made.network.racks
    shares = {_shares(places, racks) for pool in spec.pools(made) for places, _ in pool.servers()}
    nodes = [[node.index for node, _ in drives] for drives in MinioStore(spec, Layout(made), 0).sets]
    assert shares == {_shares(places, racks) for places in nodes}


def _shares(places: Iterable[int], racks: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
    places = list(places)
    by_rack = Counter(place % racks for place in places)
    return tuple(sorted(Counter(places).values())), tuple(sorted(by_rack.values()))


@given(first=st.integers(1, 30), more=st.integers(0, 30), racks=st.integers(1, 12))
def test_racks_of_each_kind_are_those_of_the_layout(first: int, more: int, racks: int) -> None:
    later = (Batch(server=server(drives=2), count=more),) if more else ()
    group = Group(server=server(), count=first + more, later=later)
    racks = min(racks, group.count)
    made = Layout(Cluster(groups={"storage": group}, network=Network(racks=racks)))
    by_rack: dict[int, list[int]] = {}
    for node in made.nodes:
        by_rack.setdefault(node.rack, [0] * len(group.batches()))[node.batch] += 1
    kinds = Counter[tuple[int, ...]]()
    for kind in rack_kinds(group, racks):
        kinds[kind.servers] += kind.racks
    assert kinds == Counter(tuple(held) for held in by_rack.values())


STORES = (
    Hdfs(system="hdfs", servers="storage", replication=3),
    Minio(system="minio", servers="storage"),
    StorageGrid(system="storagegrid", servers="storage", gateways="storage", lookup_cpu=0.002, list_cpu=0.05),
)


@pytest.mark.parametrize("store", STORES, ids=lambda store: store.system)
def test_what_survives_takes_as_many_looks_at_100_000_servers_as_at_10_000(store: Hdfs | Minio | StorageGrid) -> None:
    few, many = _looks(store, 10_000), _looks(store, 100_000)
    assert 0 < many < 1.05 * few  # words of advice differ with the numbers in them


def _looks(store: Hdfs | Minio | StorageGrid, servers: int) -> int:
    """Return the lines of code that say what survives and what fits, with room to rebuild a rack and a server."""
    made = Cluster(groups={"storage": Group(server=server(drives=16), count=servers)}, network=Network(racks=100))
    rules = Planning(rebuild_racks=1, rebuild_servers=1)
    planned = scenario(cluster=made, storage=store, planning=rules, workload={"kind": "storing", "data": 1e15})
    faults = Failures.model_validate({"faults": ({"at": 1.0, "component": f"storage-{servers}/data-16"},)})
    count = 0

    def look(frame: FrameType, event: str, argument: object) -> TraceFunction:
        nonlocal count
        count += event == "line"
        return look

    def answer() -> None:
        faults.fits(made)
        survives(planned)
        capacity(planned)
        lint(planned)

    answer()  # what is computed once and kept
    before = sys.gettrace()
    sys.settrace(look)
    try:
        answer()
    finally:
        sys.settrace(before)
    return count
