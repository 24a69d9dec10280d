"""Small requests to Ceph against closed forms: processors of OSDs, and what one OSD does one after the other."""

from __future__ import annotations

import pickle
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from models.distributions import fixed
from models.hardware.drive import Drive
from models.hardware.drive_classes import QUEUE_GAIN
from models.hardware.server import Cpu
from models.requests import Closed, Kind, RequestRun
from models.storage.ceph import groups
from models.storage.ceph.crush import Hosts, Numbers, placed
from models.storage.ceph.gateway import RgwOperations
from models.storage.ceph.operations import RadosOperations
from models.storage.ceph.placed import ErasureProfile
from models.storage.ceph.system import Ceph
from models.storage.ceph.wakeups import Wakeups
from models.storage.ceph_rbd.operations import RbdOperations
from models.storage.ceph_rbd.system import CephRbd
from models.storage.described_routes import routes_of
from models.storage.object_routes import ends
from simulator.requests.run import run_requests
from tests.extent import IS_WHOLE
from tests.models.machines import GB, card, hdd, layout, nvme, server

SMALL, MIB = 4096.0, 2.0**20
EVEN = 1 << 19
"""Placement groups of which all OSDs have nearly as many, so that none is busier than another."""
READ, WRITE, ASK = 50e-6, 150e-6, 40e-6
RATE = 100 * GB
FAST = nvme(
    read_iops=1e8,
    write_iops=1e8,
    read_latency=1e-7,
    write_latency=1e-7,
    read_bandwidth=RATE,
    write_bandwidth=RATE,
)
COSTS: dict[str, Any] = {
    "osd_read_cpu": READ,
    "osd_write_cpu": WRITE,
    "wakeups": Wakeups(read=0.5, write=0.25),
    "client_op_cpu": ASK,
    "shard_read": 1.5,
    "gathered_read": 2.0,
    "osd_cpu": 0.0,
    "osd_send_cpu": 0.0,
    "split_cpu": 0.0,
    "join_cpu": 0.0,
    "overwrite_writes": 1.25,
    "encode_cpu": 0.0,
    "commit_time": 0.0,
    "servers": "storage",
    "pg_num": EVEN,
}
GATEWAY: dict[str, Any] = {"request_cpu": 1e-6, "put_request_cpu": 1e-6, "inflight_op_bytes": 512 * 4 * MIB}
HOSTS, CORES = 4, 4
MESSENGERS: list[dict[str, Any]] = [{}, {"osds_per_drive": 2}, {"osd_messenger_threads": 5}]
"""Settings with which more threads pass messages; without `make laws` the last two with the first case alone."""


@pytest.fixture(autouse=True, scope="module")
def each_pool_is_placed_once() -> Iterator[None]:
    """Place so many groups once for all tests that have the same hosts: it takes longer than their requests."""
    made: dict[bytes, Numbers] = {}

    def kept(among: Hosts, *asked: int, balancer: bool) -> Numbers:
        key = pickle.dumps((among, asked, balancer))
        if key not in made:
            made[key] = placed(among, *asked, balancer=balancer)
        return made[key]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(groups, "placed", kept)
        yield


def by_messengers(*cases: tuple[Any, ...]) -> list[tuple[Any, ...]]:
    """Return cases with settings of messengers."""
    return [
        (*case, settings)
        for at, case in enumerate(cases)
        for settings in (MESSENGERS if IS_WHOLE or at == 0 else MESSENGERS[:1])
    ]


def rate(
    act: str,
    clients: int = 512,
    *,
    rgw: bool = False,
    cores: int = CORES,
    drives: int = 8,
    size: float = SMALL,
    under_way: int = 0,
    bandwidth: float = RATE,
    **changes: Any,
) -> float:
    """Return the requests of `size` bytes a second of so many clients.

    Unless a `drive` is stated, neither drives limit them nor the network. Each of four servers of clients has so many
    `under_way`, as who describes the operations is told.
    """
    drive: Drive = changes.pop("drive", FAST)

    def machine(of: int) -> Any:
        return server(drives, drive, cpu=Cpu(cores=of, threads=of, speed=1.0), nic=card(bandwidth=bandwidth))

    made = layout(storage=(HOSTS, machine(cores)), gateways=(1, machine(64)), clients=(4, machine(64)))
    what: RadosOperations
    if rgw:
        what = RgwOperations(Ceph(system="ceph", gateways="gateways", **COSTS | changes), made)
    else:
        what = RbdOperations(CephRbd(system="ceph-rbd", **COSTS | changes), made)
    asking = replace(ends(made, "clients", own_server=False, in_turn=True), under_way=under_way)
    routes = routes_of(what, made, asking)
    if act == "get":
        route = routes.get(size, size)[0].route
    else:
        route = routes.put(size) if act == "put" else routes.head(exists=True)
    kind, requests = Kind(act, route, size=fixed(size)), 20_000 if clients > 1 else 2_000
    run = RequestRun(act, (kind,), Closed(clients), requests, warm_up=0.1)
    return run_requests(run, seed=1).throughput.value


@pytest.mark.parametrize(
    ("act", "cost", "changes"),
    [
        ("get", READ, {}),
        ("put", 3 * WRITE, {}),
        ("get", 5 * READ, {"erasure_code": ErasureProfile(k=2, m=1)}),
        ("get", READ, {"erasure_code": ErasureProfile(k=2, m=1), "partial_reads": True}),
        ("get", 5 * READ, {"erasure_code": ErasureProfile(k=2, m=1), "partial_reads": True, "stripe_unit": 2048.0}),
        ("head", READ, {"erasure_code": ErasureProfile(k=2, m=1)}),
        ("put", 4 * READ + 3 * 1.25 * WRITE, {"erasure_code": ErasureProfile(k=2, m=1)}),
    ],
)
def test_each_osd_that_takes_part_costs_an_operation(act: str, cost: float, changes: dict[str, Any]) -> None:
    assert rate(act, **changes) == pytest.approx(HOSTS * CORES / cost, rel=0.04)


@pytest.mark.parametrize(
    ("act", "cost", "changes"),
    [
        ("get", READ * (1 - 0.5 * (1 - 1 / 3)), {"under_way": 64}),
        ("get", READ * (1 - 0.5 * (1 - 1 / 2)), {"under_way": 64, "client_processes": 2}),
        ("get", READ * 0.5, {"under_way": 1 << 30}),
        ("head", READ * (1 - 0.5 * (1 - 1 / 3)), {"under_way": 64}),
        ("put", 3 * WRITE * (1 - 0.25 * (1 - (1 / 3 + 2 / (1 + 256 * 2 / (32 * 31))) / 3)), {"under_way": 64}),
        ("get", READ * (1 - 0.5 * (1 - 1 / 9)), {"under_way": 64, "rgw": True, **GATEWAY}),
        ("get", READ * (1 - 0.5 * (1 - 1 / 17)), {"under_way": 1024, "rgw": True, **GATEWAY}),
    ],
)
def test_operations_share_the_wakeups_of_an_osd_with_those_beside_them_on_a_connection(
    act: str, cost: float, changes: dict[str, Any]
) -> None:
    """On 32 OSDs; four clients, or one gateway, which has 512 chunks of 4 MiB under way at most."""
    assert rate(act, **changes) == pytest.approx(HOSTS * CORES / cost, rel=0.04)


def test_a_put_through_a_gateway_notes_the_object_twice_in_the_index() -> None:
    assert rate("put", rgw=True, buckets=1000) == pytest.approx(HOSTS * CORES / (3 * 3 * WRITE), rel=0.04)


def test_one_gateway_serves_as_many_requests_as_its_processors_carry_operations() -> None:
    asked = rate("get", rgw=True, cores=512, request_cpu=100e-6, get_cpu=0.0, osd_read_time=0.0, inflight_op_bytes=1e12)
    assert asked == pytest.approx(64 / (100e-6 + ASK), rel=0.04)


@pytest.mark.parametrize(("act", "waited"), [("get", "client_read_time"), ("put", "client_write_time")])
def test_each_process_of_a_client_does_its_operations_one_after_the_other(act: str, waited: str) -> None:
    serial: dict[str, Any] = {waited: 250e-6}
    asked = rate(act, cores=512, client_processes=3, **serial)
    assert asked == pytest.approx(4 * 3 / 250e-6, rel=0.05)


@pytest.mark.parametrize(
    ("act", "size", "bounds", "under_way"),
    [
        ("get", 4 * MIB, {}, 25),
        ("put", 4 * MIB, {"client_processes": 2}, 50),
        ("get", 1 * MIB, {"inflight_op_bytes": 8 * MIB}, 8),
        ("get", 4096.0, {"inflight_ops": 10}, 10),
        ("put", 4096.0, {"inflight_ops": 10, "client_processes": 2}, 20),
    ],
)
def test_a_process_has_asked_osds_for_so_many_bytes_and_operations_at_a_time(
    act: str, size: float, bounds: dict[str, Any], under_way: int
) -> None:
    """Each of four clients has as many operations under way as its processes may; an OSD commits in 10 ms, or reads."""
    slow: dict[str, Any] = {"commit_time": 10e-3, "osd_write_cpu": 0.0, "osd_write_time": 0.0, "osd_read_time": 0.0}
    slow |= {"osd_read_cpu": 10e-3, "replication": 1, "messenger_cpu": 1e-15}
    asked = rate(act, 2000, cores=4096, size=size, **slow | {"client_processes": 1} | bounds)
    assert asked == pytest.approx(4 * under_way / 10.2e-3, rel=0.05)


def test_two_osds_of_a_drive_do_twice_the_operations_of_one() -> None:
    alone = rate("get", cores=512, drives=1, osd_read_time=40e-6)
    assert rate("get", cores=512, drives=1, osd_read_time=40e-6, osds_per_drive=2) == pytest.approx(2 * alone, rel=0.05)


def test_an_osd_does_its_operations_one_after_the_other_however_many_cores_it_has() -> None:
    alone = rate("get", cores=512, drives=1, osd_read_time=40e-6)
    assert alone == pytest.approx(HOSTS / 40e-6, rel=0.04)
    written = rate("put", cores=512, drives=1, osd_write_time=100e-6)
    assert written == pytest.approx(HOSTS / (3 * 100e-6), rel=0.05)


@pytest.mark.parametrize(
    ("act", "passes", "changes", "settings"),
    by_messengers(
        ("get", 1, {}),
        ("put", 5, {}),
        ("put", 3, {"replication": 2}),
        ("get", 1 + 2 * 1 / 2, {"erasure_code": ErasureProfile(k=2, m=1)}),
        ("put", 1 + 2 * 2 / 2, {"erasure_code": ErasureProfile(k=2, m=1)}),
    ),
)
def test_the_messengers_of_osds_carry_what_their_threads_can(
    act: str, passes: float, changes: dict[str, Any], settings: dict[str, Any]
) -> None:
    spent, large = 2e-9, 4 * 2.0**20
    free: dict[str, Any] = {"osd_read_time": 0.0, "osd_write_time": 0.0}
    asked = rate(act, cores=512, drives=2, size=large, messenger_cpu=spent, **free, **changes, **settings)
    threads = HOSTS * 2 * settings.get("osds_per_drive", 1) * settings.get("osd_messenger_threads", 3)
    assert asked * large == pytest.approx(threads / (spent * passes), rel=0.05)


@pytest.mark.parametrize(
    ("act", "held", "changes", "settings"),
    by_messengers(
        ("get", 0.5 * READ, {"messenger_read": 0.5}),
        ("put", 3 * 0.25 * WRITE, {"messenger_write": 0.25}),
        ("get", 2 * 1.5 * 0.5 * READ, {"messenger_read": 0.5, "erasure_code": ErasureProfile(k=2, m=1)}),
    ),
)
def test_the_messengers_of_osds_pass_as_many_operations_as_they_compute_their_part_of(
    act: str, held: float, changes: dict[str, Any], settings: dict[str, Any]
) -> None:
    free: dict[str, Any] = {"osd_read_time": 0.0, "osd_write_time": 0.0}
    threads = HOSTS * 2 * settings.get("osds_per_drive", 1) * settings.get("osd_messenger_threads", 3)
    asked = rate(act, 1024, cores=512, drives=2, **free, **changes, **settings)
    assert asked == pytest.approx(threads / held, rel=0.05)


@pytest.mark.parametrize(
    ("act", "trips", "cost", "settings"),
    [
        ("get", 1, ASK + READ, {}),
        ("get", 2, ASK + 3.5 * READ, {"erasure_code": ErasureProfile(k=2, m=1)}),
        ("put", 2, ASK + WRITE, {}),
        ("put", 1, ASK + WRITE, {"replication": 1}),
        ("get", 2, 2 * ASK + READ, {"rgw": True, "request_cpu": ASK, "get_cpu": 0.0}),
        ("put", 5, 4 * ASK + 3 * WRITE, {"rgw": True, "put_request_cpu": ASK, "put_cpu": 0.0}),
    ],
)
def test_a_lone_client_waits_for_its_round_trips(act: str, trips: int, cost: float, settings: dict[str, Any]) -> None:
    alone = rate(act, 1, cores=512, osd_read_time=0.0, osd_write_time=0.0, **settings)
    assert 1 / alone == pytest.approx(trips * 0.2e-3 + cost, rel=0.06)


@pytest.mark.parametrize(
    ("act", "cards", "settings"),
    [
        ("put", 2, {"replication": 1}),
        ("put", 2 + 1 + 1 / 2, {"replication": 2}),
        ("put", 2 + 2 + 2 / 3, {}),
        ("put", 2 + 2 / 2 + 2 / 3 / 2, {"erasure_code": ErasureProfile(k=2, m=1)}),
        ("get", 2, {}),
        ("get", 1 / 2 / 2 + 1 / 2 + 2, {"erasure_code": ErasureProfile(k=2, m=1)}),
    ],
)
def test_an_osd_has_an_object_whole_before_it_sends_it_on(act: str, cards: float, settings: dict[str, Any]) -> None:
    """A lone object passes one card after the other, of which each is there at the mean part that another has of it.

    A write in three replicas goes out of the client and into the primary, leaves that twice and enters a replica.
    """
    size, slow = 4 * MIB, 1e-2 * GB
    alone = rate(act, 1, size=size, bandwidth=slow, **settings)
    assert 1 / alone == pytest.approx(cards * size / slow, rel=0.01)


@pytest.mark.parametrize("settings", [{}, {"osd_op_threads": 4}, {"osd_op_threads": 4, "osds_per_drive": 2}])
@pytest.mark.parametrize(
    ("reads", "held", "changes"),
    [(1, READ, {}), (2, 1.5 * READ, {"erasure_code": ErasureProfile(k=2, m=1)})],
)
def test_an_osd_has_a_read_of_flash_for_each_of_its_threads(
    reads: int, held: float, changes: dict[str, Any], settings: dict[str, Any]
) -> None:
    """A thread executes its read, which the drive answers after its latency; a code asks an OSD for each data shard."""
    latency = 2e-3
    slow = FAST.model_copy(update={"read_latency": latency})
    threads = HOSTS * 8 * settings.get("osds_per_drive", 1) * settings.get("osd_op_threads", 16)
    free: dict[str, Any] = {"osd_read_time": 0.0, "messenger_read": 0.0}
    asked = rate("get", 4096, cores=512, drive=slow, **free, **changes, **settings)
    assert asked == pytest.approx(threads / reads / (held + latency), rel=0.05)


@pytest.mark.parametrize(("threads", "osds", "queue"), [(None, 1, 5), (2, 1, 2), (2, 4, 8), (64, 1, 32)])
def test_a_hard_drive_sorts_as_many_reads_as_its_osds_have_threads(threads: int | None, osds: int, queue: int) -> None:
    drive = hdd(rpm=7200, seek_time=0.0085)
    settings: dict[str, Any] = {
        "osd_op_threads": threads,
        "osds_per_drive": osds,
        "osd_read_cpu": 0.0,
        "osd_read_time": 0.0,
    }
    asked = rate("get", 4096, drives=1, cores=512, drive=drive, **settings)
    accesses = 2  # to the database, and to the object
    assert asked == pytest.approx(HOSTS * queue**QUEUE_GAIN / accesses / drive.access_time(), rel=0.05)
