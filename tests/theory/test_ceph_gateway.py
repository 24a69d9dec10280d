"""Requests that a gateway of Ceph has under way against closed forms.

What bounds them: the bytes that it may have asked of OSDs, the shards of bucket indexes, and acknowledgements that come
late.
"""

from __future__ import annotations

from typing import Any

import pytest

from models.columns import Columns
from models.distributions import fixed
from models.hardware.cluster import Layout
from models.hardware.drive import Drive
from models.hardware.server import Cpu
from models.outage import Outage
from models.requests import Closed, Kind, RequestRun
from models.storage.ceph.bounded import SHARDS
from models.storage.ceph.gateway import RgwOperations
from models.storage.ceph.runtime import RUNTIME
from models.storage.ceph.system import Ceph
from models.storage.described_routes import routes_of
from models.storage.object_routes import ends
from simulator.requests.run import run_requests
from tests.models.machines import GB, card, hdd, layout, nvme, server

KIB, MIB = 1024.0, 2.0**20
OPERATION, TRIP, COMMIT = 1e-3, 0.2e-3, 3e-3
FREE = (
    "osd_read_time",
    "osd_write_time",
    "osd_cpu",
    "osd_send_cpu",
    "split_cpu",
    "join_cpu",
    "commit_time",
    "messenger_read",
    "messenger_write",
    "client_op_cpu",
    "request_cpu",
    "put_request_cpu",
    "get_cpu",
    "put_cpu",
)
FAST = nvme(
    read_iops=1e8,
    write_iops=1e8,
    read_latency=1e-7,
    write_latency=1e-7,
    read_bandwidth=1e4 * GB,
    write_bandwidth=1e4 * GB,
)


def rate(act: str, size: float, clients: int = 300, drive: Drive = FAST, mtu: float = 1500, **changes: Any) -> float:
    """Return the requests of `size` bytes a second of a gateway whose OSDs take 1 ms for an operation, bytes none."""
    made, store = gateway(drive, mtu, **changes)
    routes = routes_of(RgwOperations(store, made), made, ends(made, "clients", own_server=False, in_turn=True))
    route = routes.get(size, size)[0].route if act == "get" else routes.put(size)
    run = RequestRun(act, (Kind(act, route, size=fixed(size)),), Closed(clients), 4_000, warm_up=0.1)
    return run_requests(run, seed=1).throughput.value


def gateway(drive: Drive, mtu: float, **changes: Any) -> tuple[Layout, Ceph]:
    """Return servers of OSDs that take 1 ms for an operation, bytes none, with a gateway before them, and clients."""
    machine = server(4, drive, cpu=Cpu(cores=10_000, threads=10_000, speed=1.0), nic=card(bandwidth=1e5 * GB, mtu=mtu))
    made = layout(storage=(3, machine), gateways=(1, machine), clients=(4, machine))
    costs = {
        "osd_read_cpu": OPERATION,
        "osd_write_cpu": OPERATION,
        "noted_size": 0.0,
        "messenger_cpu": 1e-15,
        "buckets": 10_000,
        "note_held": 1.0,
        **dict.fromkeys(FREE, 0.0),
    }
    settings: dict[str, Any] = {"system": "ceph", "servers": "storage", "gateways": "gateways", **costs, **changes}
    return made, Ceph(**settings)


@pytest.mark.parametrize("size", [4 * KIB, 1 * MIB, 4 * MIB])
def test_25_heads_of_4_mib_fill_what_a_daemon_may_ask_however_small_the_objects_are(size: float) -> None:
    assert rate("get", size) == pytest.approx(25 / (OPERATION + TRIP), rel=0.05)


@pytest.mark.parametrize(
    ("act", "size", "settings", "under_way"),
    [
        ("get", 4 * KIB, {"daemons": 4}, 100),
        ("get", 4 * KIB, {"inflight_op_bytes": 400 * MIB}, 100),
        ("put", 4 * MIB, {}, 25),
        ("put", 1 * MIB, {}, 100),
        ("get", 1 * MIB, {"inflight_op_bytes": MIB}, 1),
    ],
)
def test_as_many_requests_have_asked_osds_as_their_bytes_fit(
    act: str, size: float, settings: dict[str, Any], under_way: int
) -> None:
    held = (2 if act == "put" else 1) * TRIP + OPERATION
    assert rate(act, size, **settings) == pytest.approx(under_way / held, rel=0.06)


def test_a_large_request_asks_for_one_object_after_the_other() -> None:
    held = 4 * MIB * 1e-9 + OPERATION  # of each of 16 objects of 4 MiB
    assert rate("put", 64 * MIB, 50, osd_cpu=1e-9) == pytest.approx(25 / (16 * held), rel=0.06)


@pytest.mark.parametrize("act", ["get", "put"])
def test_an_object_that_waits_holds_nothing_for_the_others_of_its_request(act: str) -> None:
    """Of objects on hard drives the slowest of four takes longer than each does in the mean; fewer are noted."""
    large, small = (rate(act, size, 100, hdd()) for size in (16 * MIB, 4 * MIB))
    assert 0.95 < 4 * large / small < 1.25


@pytest.mark.parametrize("act", ["get", "put"])
def test_the_threads_of_the_messenger_carry_what_three_cores_can(act: str) -> None:
    carried = rate(act, 4 * MIB, messenger_cpu=0.5e-9, daemons=2, inflight_op_bytes=1e12) * 4 * MIB
    assert carried == pytest.approx(2 * 3 / 0.5e-9, rel=0.05)


def test_small_writes_are_not_bounded_by_their_bytes() -> None:
    assert rate("put", 4 * KIB, replication=1) == pytest.approx(300 / (2 * OPERATION + 4 * TRIP), rel=0.1)


NOTES = pytest.mark.parametrize(("buckets", "shards", "notes"), [(2, 4, 4), (1, 11, 6), (8, 11, 44)])
HELD = pytest.mark.parametrize(
    ("settings", "held"),
    [
        ({}, OPERATION),
        ({"note_held": 0.6}, 0.6 * OPERATION),
        ({"note_held": 0.2, "commit_time": 0.4 * OPERATION}, 0.4 * OPERATION),
        ({"commit_time": COMMIT}, COMMIT),
        ({"commit_time": COMMIT, "replication": 1}, COMMIT),
        ({"shared_index_locks": False}, OPERATION + TRIP),
        ({"shared_index_locks": False, "commit_time": COMMIT}, OPERATION + COMMIT + TRIP),
    ],
)


@NOTES
@HELD
def test_a_shard_of_an_index_takes_one_of_the_two_notes_of_a_put_at_a_time(
    buckets: int, shards: int, notes: int, settings: dict[str, Any], held: float
) -> None:
    """For what its primary executes of it, or a commit; with an exclusive lock, until all replicas have committed."""
    written = rate("put", 4 * KIB, 900, buckets=buckets, index_shards=shards, **settings)
    assert written == pytest.approx(notes / held, rel=0.12 if notes == 44 else 0.04)


@NOTES
@HELD
@pytest.mark.parametrize("is_even", [False, True])
def test_puts_of_jobs_share_the_same_shards(
    buckets: int, shards: int, notes: int, settings: dict[str, Any], held: float, is_even: bool
) -> None:
    made, store = gateway(FAST, 1500, buckets=buckets, index_shards=shards, **settings)
    made.evens_out = is_even
    made.hold(lambda node: 0.0, 1000)  # tasks a server: enough that requests go to all places alike
    files, client = RUNTIME.store(store, made, 1, Outage()), made.groups["clients"][0]
    flows = [files.write(name, client, size=4 * MIB) for name in range(1 + is_even * len(files.names()))]
    (taken,) = (use for use in flows[-1].uses if use.resource.name == SHARDS)
    assert taken.resource.capacity[0] / (4 * MIB * taken.cost) == pytest.approx(notes / held)
    assert isinstance(flows[-1].uses, Columns) == is_even


@pytest.mark.parametrize("commit", [OPERATION / 2, COMMIT])
def test_a_lone_put_waits_for_its_primaries_and_their_replicas_and_two_commits(commit: float) -> None:
    """One OSD after the other notes it, those of the write work side by side."""
    assert 1 / rate("put", 4 * KIB, 1, commit_time=commit) == pytest.approx(
        3 * OPERATION + 5 * TRIP + 2 * commit, rel=0.03
    )


@pytest.mark.parametrize(("objects", "shards"), [(0, 11), (1e6, 11), (2.01e8, 41), (1e12, 1999)])
def test_an_index_has_a_shard_for_each_100000_objects(objects: float, shards: int) -> None:
    settings: dict[str, Any] = {"system": "ceph", "servers": "storage", "gateways": "gateways", "buckets": 50}
    assert Ceph(**settings).holding(objects).shards == shards
    assert Ceph(**settings, index_shards=7).holding(objects).shards == 7


def test_shards_of_an_index_bound_no_reads() -> None:
    assert rate("get", 4 * KIB, buckets=1, index_shards=1) == pytest.approx(rate("get", 4 * KIB), rel=0.01)


@pytest.mark.parametrize(
    ("size", "mtu", "settings", "waited"),
    [
        (1 * KIB, 1500, {}, 0.04),
        (2 * KIB, 1500, {}, 0.0),
        (8 * KIB, 9000, {}, 0.04),
        (9 * KIB, 9000, {}, 0.0),
        (1 * KIB, 1500, {"tcp_nodelay": True}, 0.0),
    ],
)
def test_a_body_that_fills_no_packet_waits_for_the_acknowledgement_of_its_head(
    size: float, mtu: float, settings: dict[str, Any], waited: float
) -> None:
    assert 1 / rate("get", size, 1, mtu=mtu, **settings) == pytest.approx(2 * TRIP + OPERATION + waited, rel=0.05)
