"""A load of requests while components of MinIO or StorageGRID are gone, and while they are filled again."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest

from models.build import build
from models.distributions import fixed
from models.failures import Failures
from models.jobs.object_load import ObjectLoad
from models.jobs.object_load_plan import ObjectLoadPlan
from models.jobs.storing import Storing
from models.problem import ProblemError
from models.requests import Background, Closed, Kind, RequestRun, Station, Visit
from models.scenario import Scenario
from models.storage.minio.system import Minio
from models.storage.storagegrid.system import StorageGrid
from profiles.loading.loader import load
from simulator.requests.run import RequestResult, run_requests
from simulator.result import Result
from simulator.run import simulate
from simulator.studies.measures import by_plain_name, measures
from simulator.studies.points import Answer
from simulator.studies.rebuild import repair_time
from tests.models.machines import GB, MB, cluster, nvme, server
from tests.models.test_scenario import refusal, scenario

STUDY = "get-minio-nvme-drive-failure"
MACHINES = {"storage": (4, server(drives=4, drive=nvme())), "clients": (2, server())}
ONE = {"drive_workers": 1}
DRIVE, SERVER = "storage-3/data-2", "storage-3"


@cache
def studied(**changes: str) -> Result:
    """Return the shipped study with fewer requests."""
    changed = {key.replace("__", "."): value for key, value in changes.items()}
    return simulate(load(STUDY, Scenario, {"workload.count": "6000", **changed}).scenario)


def small(*faults: str, failures: dict[str, Any] | None = None, **changes: Any) -> dict[str, Any]:
    """Return the parts of a load on one set of 12 + 4 drives in four servers."""
    spec = {
        "system": "minio",
        "servers": "storage",
        "parity": 4,
        "heal": {"drive_workers": 1},
        "request_cpu": 0.0,
        "call_cpu": 0.0,
        "drive_cpu": 0.0,
        "open_cpu": 0.0,
        "note_cpu": 0.0,
        "request_time": 0.01,
    }
    spec["release"] = "2019-07-24"
    free = {"request_cpu": 0.0, "byte_cpu": 0.0}  # of clients, so that what the store takes shows
    job = {"kind": "requests", "clients": "clients", "threads": 1, "count": 400, "precision": 0.0, **free}
    mix = {"GET": {"action": "get", "size": 12 * MB}}
    return {
        "cluster": changes.pop("cluster", cluster(MACHINES)),
        "storage": Minio(**spec | {"stripe": 12 * MB} | changes.pop("storage", {})),
        "workload": ObjectLoad.model_validate(job | {"mix": mix} | changes),
        "failures": Failures.model_validate(
            {"faults": tuple({"at": 0.0, "component": fault} for fault in faults), **(failures or {})}
        ),
    }


def value(result: Result, name: str) -> float:
    return result.metrics[name][0]


@pytest.mark.parametrize("kind", ["GET", "PUT"])
def test_the_whole_store_fares_as_if_no_failure_were_stated(kind: str) -> None:
    damaged = load(STUDY, Scenario, {"workload.count": "2000"}).scenario
    alone, result = simulate(damaged.model_copy(update={"failures": None})), simulate(damaged)
    assert result.requests == alone.requests
    assert result.groups == alone.groups
    assert value(result, f"{kind} latency p99") == value(alone, f"{kind} latency p99")


def test_a_repair_is_slower_than_a_store_that_lacks_a_drive_of_32_or_none() -> None:
    result = studied(storage__heal__drive_workers="16")
    whole, degraded, repair = (
        value(result, f"GET latency p99{state}") for state in ("", " degraded", " during repair")
    )
    assert repair > 1.02 * max(whole, degraded)


def test_a_lower_throttle_repairs_longer_and_disturbs_less() -> None:
    gentle, hard = studied(storage__heal__drive_workers="1"), studied(storage__heal__drive_workers="16")
    assert value(gentle, "time to healthy") > 1.5 * value(hard, "time to healthy")
    assert value(gentle, "GET latency p99 during repair") < value(hard, "GET latency p99 during repair")
    assert value(gentle, "GET latency p99 degraded") == value(hard, "GET latency p99 degraded")


def test_a_failed_server_leaves_less_throughput() -> None:
    eight = {"cluster__groups__storage__count": "8", "workload__count": "2000"}
    result = studied(**eight, failures__faults__0__component="storage-3")
    assert value(result, "GET throughput degraded") < 0.97 * value(result, "GET throughput")
    assert result.failures is not None
    assert result.failures.faults[0].healed == 8 * 7.5e12


def test_requests_on_a_hurt_store_keep_littles_law() -> None:
    plan = build(load(STUDY, Scenario, {"workload.count": "3000"}).scenario, 0)
    assert isinstance(plan, ObjectLoadPlan)
    for run in (plan.degraded(), plan.repair()):
        assert isinstance(run.loop, Closed)
        result = run_requests(run)
        assert result.little[0] == pytest.approx(result.little[1], rel=1e-6)
        assert 0.95 * run.loop.clients < result.little[0] <= run.loop.clients


def test_a_lone_degraded_get_takes_the_decoding_longer() -> None:
    spread = {"encode_cpu": 4e-9, "request_cpu": 0.01}  # so that the clients do not ask in step for ever
    result = simulate(scenario(**small(DRIVE, threads=1, storage=spread)))
    longer = value(result, "GET latency p50 degraded") - value(result, "GET latency p50")
    # 12 MB at 4 ns/B for 4 shards; what is missing is a data shard 12 times in 16; a lone thread has a core
    assert longer == pytest.approx(12e6 * 4e-9 / 4 * 12 / 16, rel=0.05)


def test_a_degraded_put_writes_fewer_shards() -> None:
    mix = {"PUT": {"action": "put", "size": 12 * MB}}
    plan = build(scenario(**small(DRIVE, mix=mix)), 0)
    assert isinstance(plan, ObjectLoadPlan)
    whole, degraded, repair = (run_requests(run) for run in (*plan.runs(), plan.degraded(), plan.repair()))
    written = [
        sum(use.bytes for use in result.stations if use.station.kind == "drive") / result.done
        for result in (whole, degraded)
    ]
    assert written == pytest.approx([16 * MB, 15 * MB], rel=1e-3)  # some are under way at the end
    assert repair.stations


def test_rebuilding_beside_an_idle_load_takes_each_hop_in_turn() -> None:
    idle = {"threads": None, "rate": 1.0, "count": None, "duration": 200.0}
    result = simulate(scenario(**small(DRIVE, failures={"fill": 0.5, "replacement_time": 7.0}, **idle)))
    # a 12 MB object: 10 ms of a request, a shard of 1 MB at 2 GB/s, three of them one after the other through each card
    # of 1 GB/s, 9 MB into the card of the server that rebuilds, and the new shard at 1 GB/s
    read = 0.0005 + 0.75 * 0.001
    at_best = 0.010 + read + 0.009 + 0.001
    assert 1 * MB / at_best * 0.8 < value(result, "heal rate") <= 1 * MB / at_best
    assert value(result, "time to healthy") == pytest.approx(7.0 + 500 * GB / value(result, "heal rate"))


def test_later_moments_of_a_repair_decode_fewer_reads() -> None:
    spread = {"encode_cpu": 4e-9, "request_cpu": 0.01}  # so that the clients do not ask in step for ever
    result = simulate(scenario(**small(DRIVE, threads=1, storage=spread, failures={"moments": 3})))
    begin, middle, end = (
        1 / value(result, f"GET request rate {state}")  # s a request of each client, times a constant
        for state in ("during repair", "with 50% repaired", "with 100% repaired")
    )
    assert begin > end
    assert (begin - middle) / (begin - end) == pytest.approx(0.5, abs=0.1)


def test_targets_may_name_the_latency_during_repair() -> None:
    damaged = load(STUDY, Scenario, {"workload.count": "2000"}).scenario
    values = by_plain_name(measures(damaged, Answer.of(simulate(damaged))))
    assert 0.02 < values["get_latency_p99_during_repair"].value < 0.2
    assert values["time_to_healthy"].unit == "s"
    assert not values["get_latency_p99_degraded"].is_more_better


def grid(*faults: str, **changes: Any) -> dict[str, Any]:
    """Return the parts of a load on three storage nodes that hold two copies."""
    spec = {"system": "storagegrid", "servers": "storage", "gateways": "gateways", "lookup_cpu": 1e-3, "list_cpu": 0.1}
    machines = {"storage": (3, server(drives=4, drive=nvme())), "gateways": (1, server()), "clients": (2, server())}
    changes = dict[str, Any]({"cluster": cluster(machines), "threads": 8, "count": 4000}) | changes
    storage = StorageGrid(**spec | {"index_spread": 0.0} | changes.pop("store", {}))
    return small(*faults, **changes) | {"storage": storage}


def states(parts: dict[str, Any]) -> tuple[RequestResult, RequestResult, RequestResult]:
    """Return how a load fares on the whole store, on the degraded one, and during the repair."""
    plan = build(scenario(**parts), 0)
    assert isinstance(plan, ObjectLoadPlan)
    whole, degraded, repair = (run_requests(run) for run in (*plan.runs(), plan.degraded(), plan.repair()))
    return whole, degraded, repair


def moved(result: RequestResult) -> float:
    """Return the bytes that drives move for a request."""
    return sum(use.bytes for use in result.stations if use.station.kind == "drive") / result.done


def test_a_grid_that_lost_a_node_is_slower_and_slower_still_while_it_is_restored() -> None:
    changes = {"workload.duration": "8 s"}
    result = simulate(load("get-storagegrid-node-failure", Scenario, changes).scenario)
    whole, degraded, repair = (
        value(result, f"GET latency p99{state}") for state in ("", " degraded", " during repair")
    )
    assert whole < degraded < repair
    assert result.failures is not None
    assert result.failures.faults[0].healed == 58 * 8e12


def test_a_lost_node_serves_nothing_and_the_others_what_it_did() -> None:
    whole, degraded, _ = states(grid("storage-2"))
    served = [[use.visits for use in result.stations if use.station.kind == "workers"] for result in (whole, degraded)]
    assert min(served[0]) > 0
    assert sorted(served[1])[0] == 0
    assert sum(served[0]) == pytest.approx(sum(served[1]), rel=0.01)


def test_copies_are_read_from_what_is_left_and_small_ranges_of_fragments_from_two_others() -> None:
    small_range = {"mix": {"GET": {"action": "get", "size": 12 * MB, "range": 1e5}}}
    copies = states(grid("storage-2", **small_range))
    coded = states(grid("storage-2", store={"protection": "erasure-coding"}, **small_range))
    assert moved(copies[1]) == pytest.approx(moved(copies[0]), rel=0.01)
    assert moved(coded[1]) == pytest.approx(moved(coded[0]) * 4 / 3, rel=0.02)  # a third of the fragments is lost


def test_fragments_without_their_node_are_written_as_two_copies_for_the_time_being() -> None:
    put = {"mix": {"PUT": {"action": "put", "size": 1 * MB}}, "count": 1000}
    whole, degraded, _ = states(grid("storage-2", store={"protection": "erasure-coding"}, **put))
    assert moved(whole) == pytest.approx(1.5 * MB, rel=0.02)
    assert moved(degraded) == pytest.approx(2 * MB, rel=0.02)


@pytest.mark.parametrize("protection", ["copies", "erasure-coding"])
def test_an_idle_grid_restores_a_node_at_the_pace_of_its_streams(protection: str) -> None:
    idle = {"threads": None, "rate": 1.0, "count": None, "duration": 100.0}
    store = {"protection": protection, "rebuilt_objects": 1}
    result = simulate(scenario(**grid("storage-2", store=store, **idle)))
    # 12 MB at 1 ms of index; turns pass a drive at 2 GB/s and two cards at 1 GB/s while others are written at 1 GB/s;
    # two fragments meet at the card of the node, which takes them as a whole
    coded = protection == "erasure-coding"
    fastest = (12e6 / 2) / (0.001 + 12e6 / 1e9) if coded else 12e6 / (0.001 + 12e6 * (1 / 2e9 + 1 / 1e9 + 1 / 1e9))
    assert 0.6 * fastest < value(result, "heal rate") <= fastest * 1.01


@pytest.mark.parametrize(
    ("parts", "message"),
    [
        (grid("storage-1/data-1"), "a node's array rebuilds its drives by itself; name a server"),
        (grid("storage-1", "storage-2"), "they take 2 storage nodes, and objects are lost beyond 1"),
        (
            grid("storage-1", "storage-2", store={"copies": 3}, mix={"PUT": {"action": "put", "size": 1e6}}),
            "they take 2 storage nodes, and requests to write fail beyond 1",
        ),
        (grid("gateways-1"), "takes servers of 'gateways' along"),
    ],
)
def test_faults_of_a_grid_that_cannot_be_measured_are_refused(parts: dict[str, Any], message: str) -> None:
    assert message in refusal(**parts)


@pytest.mark.parametrize(
    ("parts", "message"),
    [
        (small("clients-1"), "failures.faults.0.component = 'clients-1': takes servers of 'clients' along"),
        (small("rack-1"), "failures.faults.0.component = 'rack-1': takes servers of 'clients' along"),
        (small(DRIVE, DRIVE), "takes no further drive of storage.bay = 'data'"),
        (small(SERVER, "storage-2/data-1"), "they take 5 drives of a set, which loses data beyond 4"),
        (
            small(SERVER, mix={"PUT": {"action": "put", "size": 1e6}}),
            "a set is left with 12 of its 16 drives, and a write needs 13",
        ),
        (small(DRIVE, failures={"acceleration": 5.0}), "failures.acceleration: a load of requests is measured"),
        (small(SERVER, clients="storage"), "takes servers of 'storage' along, which send the requests"),
    ],
)
def test_faults_that_cannot_be_measured_are_refused(parts: dict[str, Any], message: str) -> None:
    assert message in refusal(**parts)


def test_a_server_may_fail_where_only_reads_are_sent() -> None:
    result = simulate(scenario(**small(SERVER, count=300)))
    assert value(result, "GET latency p99 degraded") > 0


def test_a_run_too_short_to_see_the_rebuild_says_so() -> None:
    with pytest.raises(ProblemError, match="too few to say how long a repair takes"):
        simulate(scenario(**small(DRIVE, threads=200, mix={"HEAD": {"action": "head"}})))


def test_background_work_goes_on_beside_the_requests_and_counts_as_none() -> None:
    own, shared = Station("own"), Station("shared")
    kinds = (Kind("GET", (Visit(shared, fixed(0.010)),)),)
    work = Background((Visit(own, fixed(0.020)), Visit(shared, fixed(0.005))), workers=1, size=1.0)
    run = RequestRun("beside", kinds, Closed(1), count=1000, background=(work,))
    result = run_requests(run)
    visits = {use.name: use.visits for use in result.stations}
    assert result.done == 1000
    assert visits["shared"] == pytest.approx(1000 + visits["own"], abs=2)
    # of the time, a client that always waits at the shared station leaves it to the worker for 5 ms a turn
    assert result.duration == pytest.approx(1000 * 0.010 + visits["own"] * 0.005, rel=0.01)
    assert result.little[0] == pytest.approx(1.0)


@pytest.mark.parametrize(
    ("name", "changes"), [(STUDY, {"workload.count": "2000"}), ("get-storagegrid-node-failure", {})]
)
def test_durability_counts_with_the_repair_time_that_the_run_tells(name: str, changes: dict[str, str]) -> None:
    damaged = load(name, Scenario, changes).scenario
    expected, time = value(simulate(damaged), "time to healthy"), repair_time(damaged)
    assert (time.drive if name == STUDY else time.server) == pytest.approx(expected, rel=0.01)


def test_beside_an_idle_load_a_repair_takes_as_long_as_on_an_idle_cluster() -> None:
    idle = {
        "threads": None,
        "rate": 0.1,
        "count": None,
        "duration": 200.0,
        "mix": {"GET": {"action": "get", "size": 67108864.0}},
    }
    loaded = scenario(**small(failures={}, **idle))
    alone = scenario(**{**small(failures={}), "workload": Storing(kind="storing", data=GB)})
    beside, by_itself = repair_time(loaded), repair_time(alone)
    assert beside.drive == pytest.approx(by_itself.drive, rel=0.1)
    assert beside.server == pytest.approx(by_itself.server, rel=0.1)


def test_workers_pause_after_each_object_while_clients_keep_the_servers_busy() -> None:
    # two clients of 16 threads keep 8 requests in flight on each of four servers
    shard, runs = 1 * MB, []
    for max_io in (9, 8):
        store = {"heal": {**ONE, "max_io": max_io, "max_sleep": 2.0}}
        runs.append(simulate(scenario(**small(DRIVE, threads=16, count=60000, storage=store))))
    free, paused = runs
    assert shard / value(paused, "heal rate") == pytest.approx(shard / value(free, "heal rate") + 2.0, rel=0.1)
