"""Ranges that lie anywhere: what a store adds up by stages is the mean of what a GET takes, by name and by draw.

Each request draws its gateways evenly, so all of them are met as often. What a range takes once is spread over its
bytes: so much a byte, and so much divided by its size.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from itertools import product

import pytest
from hypothesis import given, strategies as st

from models.hardware.cluster import Layout, Node
from models.outage import Outage
from models.storage import crowd
from models.storage.ceph.groups import PlacementGroups
from models.storage.ceph.placed import ErasureProfile
from models.storage.ceph.runtime import RUNTIME as CEPH
from models.storage.ceph.system import Ceph
from models.storage.contract import ObjectStore
from models.storage.described import Anyone, ByteRange
from models.storage.described_store import ObjectOperations
from models.storage.flow import Flow, averaged, ranged
from models.storage.minio.operations import MinioOperations
from models.storage.minio.store import MinioStore
from models.storage.minio.system import Minio
from models.storage.site import Placed
from models.storage.storagegrid.runtime import RUNTIME as STORAGEGRID
from models.storage.storagegrid.system import StorageGrid
from models.work import Step
from tests.models.machines import MB, hdd, layout, nvme, server

Opening = Callable[[int, Node, float, dict[str, Node]], tuple[Step, ...]]
CODED = ErasureProfile(k=4, m=2)


def machines(*, on_flash: bool = False) -> Layout:
    """Return 8 servers of 2 drives, 2 gateways, and 2 clients of which one is slower."""
    kept = server(drives=2, drive=nvme() if on_flash else hdd())
    return layout(storage=(8, kept), gateways=(2, server()), clients=(2, server()))


Drawn = dict[str, Node]


def draws_of(store: ObjectStore, made: Layout) -> list[Drawn]:
    """Return who may be drawn for a request: one server for each role that is drawn, in all combinations."""
    if isinstance(store, MinioStore):
        return [{"coordinator": node} for node in made.groups["storage"]]
    assert isinstance(store, ObjectOperations)
    roles = {role: whose.group for role, whose in store.what.roles.items() if isinstance(whose, Anyone)}
    return [dict(zip(roles, nodes, strict=True)) for nodes in product(*(made.groups[of] for of in roles.values()))]


def read_of(store: ObjectStore, name: int, node: Node, size: float, drawn: Drawn) -> Flow:
    """Return a GET of a range: of a described store by who plays the roles when names stand for places."""
    if isinstance(store, ObjectOperations):
        return store.get(store.cast(name, node, drawn), ByteRange(size))
    assert isinstance(store, MinioStore)
    gathered = store._gathered(name, drawn["coordinator"], "direct", store.spec.end_cpu)
    return store._piped("one download stream", gathered, store._hop(drawn["coordinator"], node))


def of_its_reads(store: ObjectStore) -> Opening:
    return lambda name, node, size, drawn: read_of(store, name, node, size, drawn).opening


def minio(made: Layout, failed: int = 0) -> tuple[ObjectStore, Opening]:
    spec = Minio.model_validate({"system": "minio", "servers": "storage", "parity": 4, "failed_drives": failed})
    store = MinioStore(spec, made, 1)

    def opening(name: int, node: Node, size: float, drawn: Drawn) -> tuple[Step, ...]:
        code, order = store.code(name), store.order(name)
        lost = set(store.sets[store.place(name)[0]][:failed])
        up = [piece for piece in order if piece not in lost]
        sources = up[: code.data]
        missing = len(set(order[: code.data]) - set(sources)) / code.data
        site = Placed(made, drawn | {"client": node}, {"source": sources, "target": up}, missing=missing)
        get = MinioOperations(spec, code, offline=failed).get(ByteRange(size, opens=0.0))
        return get.flow(site).opening

    return store, opening


def ceph(made: Layout, code: ErasureProfile | None = None) -> tuple[ObjectStore, Opening]:
    pool = {} if code is None else {"erasure_code": code}
    spec = Ceph.model_validate({"system": "ceph", "servers": "storage", "gateways": "gateways"} | pool)
    store = CEPH.store(spec, made, 1, Outage())
    return store, of_its_reads(store)


def storagegrid(made: Layout) -> tuple[ObjectStore, Opening]:
    """Return a store of copies: who has one, and is asked, depends on which node is drawn."""
    roles = {"system": "storagegrid", "servers": "storage", "gateways": "gateways"}
    spec = StorageGrid.model_validate(roles | {"lookup_cpu": 0.004, "list_cpu": 0.1, "gateway_cpu": 0.001})
    store = STORAGEGRID.store(spec, made, 1, Outage())
    return store, of_its_reads(store)


STORES: dict[str, Callable[[], tuple[Layout, tuple[ObjectStore, Opening]]]] = {
    "MinIO": lambda: (made := machines(), minio(made)),
    "MinIO on flash": lambda: (made := machines(on_flash=True), minio(made)),
    "MinIO without a drive": lambda: (made := machines(), minio(made, failed=1)),
    "Ceph's replicas": lambda: (made := machines(), ceph(made)),
    "Ceph's code": lambda: (made := machines(), ceph(made, CODED)),
    "Ceph on flash": lambda: (made := machines(on_flash=True), ceph(made)),
    "StorageGRID": lambda: (made := machines(), storagegrid(made)),
}


@pytest.mark.parametrize("name", STORES)
def test_ranges_that_lie_anywhere_take_the_mean_of_what_those_of_each_name_take(name: str) -> None:
    made, (store, opening) = STORES[name]()
    for size in (0.1 * MB, 1 * MB, 30 * MB):
        for client in made.groups["clients"]:
            ways = [
                ranged(replace(read_of(store, n, client, size, drawn), opening=opening(n, client, size, drawn)), size)
                for n in store.names()
                for drawn in draws_of(store, made)
            ]
            mean, flow = averaged(ways, Flow), store.average(client, size)
            uses = {use.resource.name: (use.cost, use.bytes) for use in mean.demand.uses}
            taken = {use.resource.name: (use.cost, use.bytes) for use in flow.demand.uses}
            assert taken.keys() == uses.keys()
            for resource, cost in uses.items():
                assert taken[resource] == pytest.approx(cost, rel=1e-12)
            assert flow.max_rate == pytest.approx(mean.max_rate, rel=1e-12)
            assert flow.cap == mean.cap


def test_ranges_that_lie_anywhere_in_ceph_take_of_each_drive_what_its_placement_groups_are_of_all() -> None:
    """Of a group the first drive sends: with p of n groups a drive sends p / n of all bytes, in ranges of any size."""
    made, (store, _) = STORES["Ceph's replicas"]()
    assert isinstance(store, ObjectOperations)
    assert isinstance(store.placement, PlacementGroups)
    groups = store.placement.groups
    share = {device: 0.0 for node in made.groups["storage"] for device in node.bays["data"]}
    for group in groups:
        share[group[0][1]] += 1 / len(groups)
    for size in (0.5 * MB, 5 * MB, 50 * MB):  # of one RADOS object, of two, and of more
        moved = {use.resource: use.bytes for use in store.average(made.groups["clients"][0], size).uses}
        for device, part in share.items():
            assert moved[device.resource] == pytest.approx(part)
    assert len(store.names()) == len(groups)


@given(names=st.integers(1, 40), sizes=st.lists(st.integers(1, 7), max_size=3), most=st.integers(1, 300))
def test_servers_that_are_drawn_are_met_evenly_however_few_requests_are_told_apart(
    names: int, sizes: list[int], most: int
) -> None:
    """Of any number of requests in a row, each combination is met as often as any other, or once less."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(crowd, "MOST", most)
        times, places = crowd.dealt(names, sizes)
    every = math.prod(sizes)
    assert times == max(min(every, most // names), 1)
    met: Counter[tuple[int, ...]] = Counter({(): names})
    if sizes:
        met = Counter(zip(*(place.tolist() for place in places), strict=True))
    assert sum(met.values()) == names * times
    often = [met[place] for place in product(*map(range, sizes))]
    assert max(often) - min(often) <= 1


def test_few_requests_that_are_told_apart_take_of_each_index_and_gateway_what_all_take(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Of 128 names one request each meets each of 8 nodes and 2 gateways as often as all 2,048 combinations do."""
    flows = []
    for most in (crowd.MOST, 1):
        monkeypatch.setattr(crowd, "MOST", most)
        made, (store, _) = STORES["StorageGRID"]()
        uses = store.average(made.groups["clients"][0], MB).uses
        drawn = {use.resource.name: use.cost for use in uses if use.resource.kind in ("index", "cpu")}
        assert len(drawn) == 8 + 2
        flows.append(drawn)
    assert flows[1] == pytest.approx(flows[0])


@pytest.mark.parametrize("name", ["MinIO", "StorageGRID"])
def test_what_ranges_take_once_is_spread_over_their_bytes(name: str) -> None:
    """A drive works a + b / size seconds for a byte of what lies apart: three sizes lie on one line over 1 / size."""
    made, (store, _) = STORES[name]()
    (client, _), sizes = made.groups["clients"], (20 * MB, 40 * MB, 80 * MB)
    cpu = [sum(use.cost for use in store.average(client, size).uses if use.resource.kind == "cpu") for size in sizes]
    assert cpu[0] - cpu[1] == pytest.approx(2 * (cpu[1] - cpu[2]))
    assert cpu[0] > cpu[1]
