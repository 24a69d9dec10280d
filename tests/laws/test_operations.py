"""An operation is described once: a job's flow and a load's route take the same bytes and seconds of every resource."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType
from typing import Any

import pytest

from models import requests
from models.hardware.cluster import Layout, Node
from models.hardware.server import Bay, Controller
from models.outage import Outage
from models.requests import Fan, Repeat, Route, Visit
from models.storage.amazon_s3.system import AmazonS3
from models.storage.ceph.bounded import SHARDS
from models.storage.ceph.placed import ErasureProfile
from models.storage.ceph.system import Ceph
from models.storage.contract import ObjectStore, StorageModel
from models.storage.described import Anyone, ByteRange, Description, First, Role, Sources, Targets
from models.storage.described_cast import Cast
from models.storage.described_chances import Lost
from models.storage.described_routes import routes_of
from models.storage.described_store import ObjectOperations
from models.storage.flow import Flow
from models.storage.hdfs.system import Hdfs
from models.storage.local.system import LocalDisks
from models.storage.minio.system import Minio
from models.storage.object_routes import ObjectRoutes, ends
from models.storage.object_store.system import Coded as Coding, DirectStore
from models.storage.operation import Operation
from models.storage.parallel_fs.system import FileStream, Metadata, Target
from models.storage.placement import mix
from models.storage.stages import LIST_PAGE, Compute, FirstByte, Lanes, Move, Read, Seek, Service, Stream, Wait, Write
from models.storage.storagegrid.system import StorageGrid
from models.storage.systems import routes, runtime_of
from models.work import Delay, Step, Work
from tests.models.machines import GB, card, hdd, layout, nvme, parallel_fs, server
from tests.models.steps import all_of

SIZE = 8 * 2**20
NAMES = range(500)
NODES = 4
CODED = {"protection": "erasure-coding", "data_fragments": 2, "parity_fragments": 1}
CHANGES: list[dict[str, Any]] = [
    {},
    {"copies": 1},
    {"copies": 3},
    CODED,
    {"cached_reads": 0.25, "cache_bay": "cache"},
    {"compression": True, "tls": True},
    CODED | {"compression": True, "cached_reads": 0.5, "cache_bay": "cache"},
]
Act = Callable[[int, Node], Step]
"""Answers with the step that a client on a server takes with an object, which a number names."""
Taken = dict[str, float]
"""Seconds of all servers or drives of a group, and bytes under "bytes of" a group."""


def machines() -> Layout:
    node = server(drives=3, drive=hdd(), controller=Controller(read_bandwidth=2 * GB, write_bandwidth=1 * GB))
    bays, cpu = {**node.bays, "cache": Bay(drive=nvme(), count=2)}, node.cpu.model_copy(update={"vector": "gfni"})
    node = node.model_copy(update={"bays": bays, "cpu": cpu})
    slow = server(nic=card(bandwidth=1 * GB, flow_bandwidth=0.5 * GB))
    return layout(storage=(NODES, node), gateways=(2, server()), clients=(2, slow))


def grid(**changes: Any) -> StorageGrid:
    settings = {"servers": "storage", "gateways": "gateways", "lookup_cpu": 0.004, "list_cpu": 0.1}
    return StorageGrid.model_validate({"system": "storagegrid"} | settings | changes)


class Copies(Description):
    """Three copies; any server answers, reads the nearest copy and writes all of them side by side."""

    home, pieces = ("storage", "data"), (3, 1)
    roles: Mapping[str, Role] = MappingProxyType(
        {"node": Anyone("storage"), "source": Sources(near="node"), "target": Targets(first="node")}
    )

    def get(self, part: ByteRange) -> Operation:
        read = Stream((Read("source", "data"), Move("source", "node"), FirstByte(), Move("node", "client")))
        return Operation((Compute("node", once=0.0002), Seek("source", "data"), read), part.size)

    def put(self, size: float, missing: int = 0) -> Operation:
        copies = Lanes((Move("node", "target"), Write("target", "data")), 3 - missing)
        return Operation((Compute("node", once=0.0002), Stream((Move("client", "node"), copies))), size)

    def head(self, *, exists: bool = True) -> Operation:
        return Operation((Compute("node", once=0.0002), Wait("commit", 0.001)))

    def list_page(self, names: float = LIST_PAGE) -> Operation:
        return self.head()

    def delete(self) -> Operation:
        return self.head()


class Coded(Copies):
    """2 + 1 pieces; a gateway asks the server of the first piece, which collects, or codes and sends, the others."""

    pieces = (3, 2)
    roles = MappingProxyType(
        {"gateway": Anyone("gateways"), "source": Sources(), "primary": First("source"), "target": Targets()}
    )

    def get(self, part: ByteRange) -> Operation:
        lanes = Lanes((Read("source", "data"), Move("source", "primary")), 2, 0.5)
        back = Move("primary", "gateway"), FirstByte(), Move("gateway", "client")
        return Operation((Lanes((Seek("source", "data"),), 2), Stream((lanes, *back))), part.size)

    def put(self, size: float, missing: int = 0) -> Operation:
        coded = Compute("primary", per_byte=1e-9)
        lanes = Lanes((Move("primary", "target"), Write("target", "data", 1.5)), 3 - missing, 0.5)
        index = Service(None, "index", 4, 0.001)
        there = Move("client", "gateway"), Move("gateway", "primary")
        return Operation((index, Stream((*there, coded, lanes))), size)


class Pipeline(Copies):
    """Three copies through a pipeline, of which the first stays with the client if that is a server of the store."""

    roles = MappingProxyType(
        {
            "source": Sources(near="client"),
            "target": Targets(first="client"),
            "head": First("target"),
            "next": Targets(first="client", skip=1),
        }
    )

    def get(self, part: ByteRange) -> Operation:
        return Operation((Stream((Read("source", "data"), Move("source", "client"))),), part.size)

    def put(self, size: float, missing: int = 0) -> Operation:
        hops = Lanes((Move("target", "next"),), 2 - missing)
        written = Lanes((Write("target", "data"),), 3 - missing)
        return Operation((Stream((Move("client", "head"), hops, written)),), size)


def by_flow(store: ObjectStore, made: Layout, operation: str, group: str = "clients") -> Taken:
    """Return what a request takes on average over many objects and all clients."""
    act: Callable[..., Any] = store.read if operation == "get" else store.write
    return taken(lambda name, node: act(name, node, size=SIZE).move(SIZE), made, group)


def taken(act: Act, made: Layout, group: str) -> Taken:
    """Return what an act takes on average over many names and all clients."""
    total, clients = defaultdict[str, float](float), made.groups[group]
    for name in NAMES:
        for work in all_of(act(name, clients[mix(name, 9) % len(clients)]), Work):
            for use in work.demand.uses:
                group = use.resource.group
                slots = use.resource.capacity[-1]
                total[group] += work.amount * use.cost / slots / len(NAMES)
                total[f"bytes of {group}"] += work.amount * use.bytes / len(NAMES)
    return {name: value for name, value in total.items() if value}


def visits(route: Route, size: float, times: float = 1.0) -> Iterator[tuple[Visit, float, float]]:
    for step in route:
        if isinstance(step, Visit):
            yield step, size, times
            yield from visits(step.inside, size, times)
        elif isinstance(step, Repeat):
            turns = max(-(-size // step.chunk), 1)
            yield from visits(step.route, size / turns, times * turns)
        elif isinstance(step, Fan):
            yield from visits(step.route, size * step.share, times * step.lanes)
        elif isinstance(step, requests.Pipeline):
            turns = max(-(-size // step.chunk), 1)
            for section in step.sections:
                yield from visits(section.route, size * section.share / turns, times * turns * section.lanes)


def by_route(store: ObjectRoutes, operation: str) -> Taken:
    """Return what a request takes on average over its variants."""
    ways = [(1.0, store.put(SIZE))]
    if operation == "get":
        ways = [(way.share, way.route) for way in store.get(SIZE, SIZE)]
    return visited(ways)


def visited(ways: list[tuple[float, Route]]) -> Taken:
    """Return what routes take on average, each with its share."""
    total = defaultdict[str, float](float)
    for share, route in ways:
        for visit, size, times in visits(route, SIZE):
            station = visit.station
            if station.name == SHARDS:  # what jobs hold, too, as long as all that passes meanwhile lasts alone
                total[station.name] += share * times * alone(visit.inside) / station.slots / station.copies
                total[f"bytes of {station.name}"] += share * SIZE
            if station.kind in ("delay", "workers"):
                continue
            seconds = visit.service.mean + visit.per_byte * visit.share * size
            total[station.name] += share * times * seconds / station.slots
            if visit.per_byte and station.kind != "cpu":
                total[f"bytes of {station.name}"] += share * times * visit.share * size
    return {name: value for name, value in total.items() if value}


def alone(route: Route) -> float:
    """Return the seconds of visits that have no bytes, of which those in a fan go side by side."""
    seconds = 0.0
    for step in route:
        if isinstance(step, Visit):
            seconds += step.service.mean + alone(step.inside)
        elif isinstance(step, Fan):
            seconds += alone(step.route)
    return seconds


def assert_equal(flow: Taken, route: Taken) -> None:
    """Compare to 5 % of the bytes of a request: the names of 500 objects are not quite even."""
    assert flow.keys() == route.keys()
    for name, value in route.items():
        if name == SHARDS:  # held while a thread computes: of jobs one that has its core, of loads one of two on it
            assert value / 2 < flow[name] <= value
            continue
        moved = route.get(f"bytes of {name}", value if name.startswith("bytes of") else SIZE)
        assert flow[name] == pytest.approx(value, rel=0.05 * max(SIZE / moved, 1)), name


def of(spec: StorageModel, operation: str, group: str = "clients") -> tuple[Taken, Taken]:
    """Return what jobs, and what loads, take of a system for a request of a client in a group."""
    made = machines()
    store = runtime_of(spec).store(spec, made, 1, Outage())
    served = routes(spec, made, ends(made, group, own_server=False, in_turn=True))
    return taken(act_on(store, spec, operation, made), made, group), by_route(served, operation)


@pytest.mark.parametrize("operation", ["get", "put"])
@pytest.mark.parametrize("changes", CHANGES, ids=lambda changes: "-".join(changes) or "two-copies")
def test_flow_and_route_take_the_same_bytes_and_seconds_of_every_resource(
    changes: dict[str, Any], operation: str
) -> None:
    flow, route = of(grid(**changes), operation)
    assert_equal(flow, route)
    assert route["gateways/cpu"] > 0
    assert math.isclose(route["bytes of clients/network " + ("in" if operation == "get" else "out")], SIZE)


@pytest.mark.parametrize("group", ["clients", "storage", "gateways"])
@pytest.mark.parametrize("operation", ["get", "put"])
@pytest.mark.parametrize("what", [Copies, Coded, Pipeline])
def test_so_does_every_system_that_is_described_wherever_its_clients_run(
    what: type[Description], operation: str, group: str
) -> None:
    made = machines()
    served = routes_of(what(), made, ends(made, group, own_server=False, in_turn=True))
    flow = by_flow(ObjectOperations(what(), made, salt=1), made, operation, group)
    assert_equal(flow, by_route(served, operation))


@pytest.mark.parametrize(
    "changes",
    [
        {},
        {"erasure_code": ErasureProfile(k=2, m=1)},
        {"gateways": "storage", "tls": True},
        {"failure_domain": "osd"},
        {"failure_domain": "osd", "erasure_code": ErasureProfile(k=4, m=2)},
    ],
)
@pytest.mark.parametrize("operation", ["get", "put"])
def test_so_does_ceph_whose_objects_have_primaries_of_their_own(changes: dict[str, Any], operation: str) -> None:
    spec = Ceph(**{"system": "ceph", "servers": "storage", "gateways": "gateways", "db_bay": "cache"} | changes)
    assert_equal(*of(spec, operation))


@pytest.mark.parametrize("group", ["clients", "storage"])
@pytest.mark.parametrize("changes", [{}, {"erasure_code": Coding(data=2, parity=1)}])
@pytest.mark.parametrize("operation", ["get", "put"])
def test_so_does_an_object_store_without_gateways(changes: dict[str, Any], operation: str, group: str) -> None:
    assert_equal(*of(DirectStore(system="object-store", servers="storage", **changes), operation, group))


def test_a_get_costs_one_seek_and_its_bytes_wherever_it_is_asked() -> None:
    seconds = hdd().seek_time + SIZE * hdd().read_cost()
    flow, route = of(grid(), "get")
    assert flow["storage/data drives"] == pytest.approx(seconds)
    assert route["storage/data drives"] == pytest.approx(seconds)


MINIO = Minio(
    system="minio",
    servers="storage",
    parity=4,
    encode_cpu=3e-10,
    metadata_seeks=0.0,
    metadata_writes=0.0,
    request_cpu=0.0,
    call_cpu=0.0,
    drive_cpu=0.0,
    open_cpu=0.0,
    note_cpu=0.0,
)
SYSTEMS: dict[str, StorageModel] = {
    "hdfs": Hdfs(system="hdfs", servers="storage", stream_cpu=1e-9, replication=3),
    "hdfs-one-replica-short-circuit": Hdfs(
        system="hdfs", servers="storage", stream_cpu=1e-9, replication=1, short_circuit=True
    ),
    "hdfs-striped": Hdfs(system="hdfs", servers="storage", stream_cpu=1e-9, policy="XOR-2-1-1024k"),
    "parallel-fs": parallel_fs(servers="storage", process_bandwidth=1 * GB, metadata=Metadata(servers="gateways")),
    "parallel-fs-raid": parallel_fs(
        servers="storage",
        target=Target(data=2, parity=1),
        stripe_count=2,
        client_bandwidth=1 * GB,
        metadata=Metadata(),
    ),
    "parallel-fs-scattered": parallel_fs(
        servers="storage",
        target=Target(data=2, parity=1),
        blocks="scattered",
        stripe_size=1e6,
        metadata=Metadata(),
    ),
    "parallel-fs-in-turn": parallel_fs(servers="storage", stream=FileStream(reads_ahead=False), metadata=Metadata()),
    "amazon-s3": AmazonS3(system="amazon-s3", first_byte=0.02, connection_bandwidth=0.1 * GB, get_rate=5500.0),
    "minio": MINIO,
    "minio-tls": MINIO.model_copy(update={"tls": True}),
    "local": LocalDisks(system="local", servers="storage"),
}
ASKED = ("namenode", "requests")
"""What names are asked of: jobs do not count what a NameNode does, and limits of rates are no stations of a load."""


def act_on(store: Any, spec: StorageModel, operation: str, made: Layout) -> Act:
    """Return what answers with the step that reads, or writes, an object or a file."""
    if spec.interface == "objects":
        act: Any = store.read if operation == "get" else store.write
        return lambda name, node: act(name, node, size=SIZE).move(SIZE)
    if operation == "get":
        return lambda name, node: store.read(name, len(NAMES), node, "direct").move(SIZE)

    def write(name: int, node: Node) -> Step:
        own = Flow(tuple(node.compute(store.write_cpu)))
        step: Step = store.write(name, node, SIZE, own, "direct", made.page)
        return step

    return write


@pytest.mark.parametrize("group", ["clients", "storage"])
@pytest.mark.parametrize("operation", ["get", "put"])
@pytest.mark.parametrize("system", SYSTEMS)
def test_jobs_and_loads_take_as_much_of_each_storage_system(system: str, operation: str, group: str) -> None:
    flow, route = of(SYSTEMS[system], operation, group)
    for amounts in (flow, route):
        for name in [name for name in amounts if any(word in name for word in ASKED)]:
            del amounts[name]
    assert_equal(flow, route)


@pytest.mark.parametrize("what", [Copies, Coded, Pipeline])
def test_so_does_the_rebuild_of_a_server_in_a_job_and_beside_a_load(what: type[Description]) -> None:
    made = machines()
    lost = made.groups["storage"][0]
    outage = Outage(may_fail=True, epoch=1, empty={device.resource.index for device in lost.bays["data"]})
    store = ObjectOperations(what(), made, 1, outage)

    def rebuilt(name: int, node: Node) -> Step:
        cast = Cast(store, name, node)
        cast.rebuilt = next((piece for piece in cast.home(0) if piece[0] is lost), None)
        return Delay(0.0) if cast.rebuilt is None else store.rebuild(cast, SIZE).move(SIZE)

    held = [name for name in NAMES if any(node is lost for node, _ in Cast(store, name, lost).home(0))]
    flow = {name: value * len(NAMES) / len(held) for name, value in taken(rebuilt, made, "clients").items()}
    served = routes_of(what(), made, ends(made, "clients", own_server=False, in_turn=True), Lost(1, is_replaced=True))
    assert_equal(flow, visited([(1.0, served.rebuilding(SIZE, 0.0).route)]))
