"""Very many requests to placement groups: each takes the mean of all groups, and the busiest drive limits them all.

In a closed network that has many jobs at each station, the busiest one is never idle: all get what it allows. Source:
P. Denning, J. Buzen, The operational analysis of queueing network models, ACM Computing Surveys 10, 1978.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest

from models.hardware.cluster import Layout, Node
from models.outage import Outage
from models.storage.ceph.placed import ErasureProfile
from models.storage.ceph.runtime import RUNTIME
from models.storage.ceph.system import Ceph
from models.storage.described import ByteRange
from models.storage.described_cast import Cast
from models.storage.described_store import ObjectOperations
from models.storage.flow import Flow, averaged, ranged
from simulator.engine import Engine
from tests.models.machines import MB, hdd, layout, server

SIZE = 64 * MB
TASKS = 40  # of each of two clients, with 16 drives
NAME = 9
CODES = {"replicas": None, "a code": ErasureProfile(k=4, m=2)}

Ask = Callable[[ObjectOperations, int, Node, float], Flow]
AskOfOne = Callable[[ObjectOperations, Cast, float], Flow]


def get(store: ObjectOperations, name: int, node: Node, size: float) -> Flow:
    return store.read(name, node, size=size)


def put(store: ObjectOperations, name: int, node: Node, size: float) -> Flow:
    return store.write(name, node, size=size)


def get_of_one(store: ObjectOperations, cast: Cast, size: float) -> Flow:
    return store.get(cast, ByteRange(size))


def put_of_one(store: ObjectOperations, cast: Cast, size: float) -> Flow:
    return store.put(cast, size)


ASKS: dict[str, tuple[Ask, AskOfOne]] = {"GET": (get, get_of_one), "PUT": (put, put_of_one)}


def machines(*, evens_out: bool = True, tasks: int = TASKS) -> Layout:
    """Return 8 servers of 2 hard drives, 2 gateways, and 2 clients that run so many tasks at a time each."""
    made = layout(storage=(8, server(drives=2, drive=hdd())), gateways=(2, server()), clients=(2, server()))
    made.evens_out = evens_out
    made.hold(lambda node: 0.0, tasks)
    return made


def ceph(made: Layout, code: ErasureProfile | None = None, outage: Outage | None = None) -> ObjectOperations:
    pool = {} if code is None else {"erasure_code": code}
    spec = Ceph.model_validate({"system": "ceph", "servers": "storage", "gateways": "gateways"} | pool)
    store = RUNTIME.store(spec, made, 1, outage or Outage())
    assert isinstance(store, ObjectOperations)
    return store


def sent(store: ObjectOperations, ask: Ask, size: float = SIZE) -> ObjectOperations:
    """Return a store to which a client has sent requests for as many objects as there are groups."""
    for name in range(int(len(store.names()) * store.what.object_size / size) + 1):
        ask(store, name, store.layout.groups["clients"][0], size)
    return store


def went(made: Layout, flows: list[Flow], size: float = SIZE) -> float:
    """Return the seconds of requests that begin together."""
    engine = Engine(made.resources)
    for flow in flows:
        engine.execute(flow.move(size), lambda: None, 0)
    engine.run()
    engine.close()
    return engine.now


@pytest.mark.parametrize("kind", ASKS)
@pytest.mark.parametrize("code", CODES)
def test_a_request_takes_the_mean_of_what_those_to_each_group_take_by_each_gateway(kind: str, code: str) -> None:
    ask, ask_of_one = ASKS[kind]
    store = sent(ceph(machines(), CODES[code]), ask)
    client, gateways = store.layout.groups["clients"][1], store.layout.groups["gateways"]
    casts = [store.cast(name, client, {"gateway": gateway}) for name in store.names() for gateway in gateways]
    mean = averaged([ranged(ask_of_one(store, cast, SIZE), SIZE) for cast in casts], Flow)
    flow = ask(store, NAME, client, SIZE)
    uses = {use.resource.name: use for use in mean.demand.uses}
    taken = {use.resource.name: use for use in flow.demand.uses}
    assert taken.keys() == uses.keys()
    for resource, use in uses.items():
        assert taken[resource][1:] == pytest.approx(use[1:], rel=1e-12)
    assert flow.max_rate == pytest.approx(mean.max_rate, rel=1e-12)


@pytest.mark.parametrize("kind", ASKS)
@pytest.mark.parametrize("size", [SIZE, 16 * MB])
def test_a_lone_request_lasts_as_long_as_one_whose_groups_are_drawn(kind: str, size: float) -> None:
    ask, _ = ASKS[kind]
    drawn, even = ceph(machines(evens_out=False)), sent(ceph(machines()), ask, size)
    client = [store.layout.groups["clients"][0] for store in (drawn, even)]
    seconds = min(went(drawn.layout, [ask(drawn, name, client[0], size)], size) for name in range(30))  # apart
    assert went(even.layout, [ask(even, NAME, client[1], size)], size) == pytest.approx(seconds, rel=0.01)


def test_many_writes_take_what_the_busiest_drive_takes_for_all_of_them() -> None:
    store = sent(ceph(machines()), put)
    clients = store.layout.groups["clients"]
    flows = [put(store, name, clients[name % 2], SIZE) for name in range(400)]
    drives = [use for use in flows[0].uses if use.resource.kind == "drive"]
    busiest = max(400 * SIZE * use.cost / use.resource.capacity[-1] for use in drives)
    assert went(store.layout, flows) == pytest.approx(busiest + flows[0].latency, rel=1e-6)


def test_each_request_holds_a_slot_of_the_gateway_that_it_draws() -> None:
    store, drawn = sent(ceph(machines()), put), ceph(machines(evens_out=False))
    for name in range(8):
        even, one = (put(of, name, of.layout.groups["clients"][0], SIZE) for of in (store, drawn))
        assert even.held == one.held
    assert len({put(store, name, store.layout.groups["clients"][0], SIZE).held for name in range(8)}) == 2


@pytest.mark.parametrize("kind", ASKS)
def test_few_requests_go_to_groups_that_are_drawn(kind: str) -> None:
    ask, _ = ASKS[kind]
    exact = ceph(machines(evens_out=False))
    few = {
        "objects": ceph(machines()),
        "tasks": sent(ceph(machines(tasks=2)), ask),
        "certain": sent(ceph(machines(), outage=Outage(may_fail=True)), ask),
    }
    for store in few.values():
        one, other = (ask(of, NAME, of.layout.groups["clients"][0], SIZE) for of in (store, exact))
        assert [use[1:] for use in one.uses] == [use[1:] for use in other.uses]
        assert one.opening
