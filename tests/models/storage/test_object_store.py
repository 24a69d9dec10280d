"""An object store whose targets answer clients: hops, bytes and rebuilds, counted by hand."""

from __future__ import annotations

from typing import Any

import pytest

from models.hardware.cluster import Layout, Node
from models.outage import Outage
from models.problem import RefusalError
from models.storage.described_rebuild import DescribedRebuild
from models.storage.described_store import ObjectOperations
from models.storage.object_store.runtime import RUNTIME
from models.storage.object_store.system import Coded, DirectStore
from models.storage.redundancy import ErasureCode, Replicas
from models.storage.room import Room
from models.work import Deferred, Hold
from profiles.loading.loader import load
from tests.models.machines import cluster, layout, server
from tests.models.steps import all_of, moved, name

CODE = Coded(data=4, parity=2)
SIZE = 1e8


def direct(**changes: Any) -> DirectStore:
    return DirectStore(**{"system": "object-store", "servers": "storage"} | changes)


def machines(servers: int = 8) -> Layout:
    return layout(storage=(servers, server(drives=3)), clients=(1, server()))


def store(made: Layout, outage: Outage | None = None, **changes: Any) -> ObjectOperations:
    operations = RUNTIME.store(direct(**changes), made, 1, outage or Outage())
    assert isinstance(operations, ObjectOperations)
    return operations


def client(made: Layout) -> Node:
    return made.groups["clients"][0]


def lose(made: Layout, outage: Outage, *nodes: Node) -> set[int]:
    names = tuple(f"{node.name}/" for node in nodes)
    gone = {i for i in range(len(made.resources)) if made.resources[i].name.startswith(names)}
    outage.nodes |= {node.index for node in nodes}
    outage.lost |= gone
    outage.epoch += 1
    return gone


@pytest.mark.parametrize(
    ("changes", "read", "written"),
    [
        ({}, {"drive": 1.0, "nic-out": 1.0, "nic-in": 1.0}, {"drive": 3.0, "nic-out": 3.0, "nic-in": 3.0}),
        (
            {"replication": 1},
            {"drive": 1.0, "nic-out": 1.0, "nic-in": 1.0},
            {"drive": 1.0, "nic-out": 1.0, "nic-in": 1.0},
        ),
        (
            {"erasure_code": CODE},
            {"drive": 1.0, "nic-out": 1.75, "nic-in": 1.75},  # three of four pieces to the target, all to the client
            {"drive": 1.5, "nic-out": 2.25, "nic-in": 2.25},  # all to the target, five of six pieces on
        ),
    ],
)
def test_bytes_cross_no_gateway(changes: dict[str, Any], read: dict[str, float], written: dict[str, float]) -> None:
    made = machines()
    pool = store(made, **changes)
    for flow, wanted in ((pool.read(7, client(made)), read), (pool.write(7, client(made)), written)):
        assert moved(flow.move(SIZE)) == pytest.approx({kind: share * SIZE for kind, share in wanted.items()})


def test_a_copy_stays_within_the_store() -> None:
    made = machines()
    total = moved(store(made).copy(7, client(made)).move(SIZE), name)
    assert not any(key.startswith("clients") for key in total)
    assert sum(value for key, value in total.items() if "/data-" in key) == pytest.approx(4 * SIZE)


def test_room_and_redundancy_follow_the_pieces() -> None:
    eight = cluster(storage=(8, server(drives=3)))
    assert (direct().code, direct(erasure_code=CODE).code) == (Replicas(3), ErasureCode(4, 2))
    assert direct(erasure_code=CODE).usable(eight, [Room(8, 300.0)]) == pytest.approx(1600.0)
    assert direct().object_bytes(eight, 4097.0) == 3 * 8192.0
    with pytest.raises(RefusalError, match="6 servers are needed"):
        direct(erasure_code=CODE).fits(cluster(storage=(5, server())))


@pytest.mark.parametrize(("changes", "data"), [({}, 1), ({"erasure_code": CODE}, 4)])
def test_a_lost_piece_is_read_k_times_and_written_where_none_is(changes: dict[str, Any], data: int) -> None:
    made, outage = machines(), Outage(may_fail=True)
    pool = store(made, outage, **changes)
    rebuild = DescribedRebuild(pool)
    for number in range(200):
        rebuild.hold(number, SIZE)
    gone = lose(made, outage, made.nodes[0])
    repair = rebuild.repair(gone, is_server=True)
    assert (repair.delay, repair.needs_replacement) == (60.0, False)
    parts = list(repair.pieces())
    assert len(parts) == pytest.approx(200 * direct(**changes).code.pieces / 8, rel=0.2)
    for part in parts:
        assert part.bytes == SIZE / data
        assert isinstance(part.step, Deferred)
        step = part.step.plan()
        assert moved(step)["drive"] == pytest.approx((data + 1) * SIZE / data)
        (hold,) = all_of(step, Hold)
        assert hold.pool.capacity == 4.0


def test_the_shipped_store_loads_with_its_sources() -> None:
    assert load("object-store", DirectStore, folders=["storage"]).unsourced == ()
