"""Runs in which something fails: what is done again, what is rebuilt, what is lost, and that nothing else changes."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from models.failures import Failures, Fault
from models.hardware.server import Cpu
from models.outage import Piece, Repair
from models.scenario import Scenario
from models.storage.clients.s3a import Buffer, Fs, S3aClient, S3aSettings
from models.storage.hdfs.system import Hdfs
from models.storage.minio.system import Minio
from models.work import SILENT, Failover, Parallel, Resources, Use, Work, demand
from simulator.engine import Attempt, Engine
from simulator.rebuild import Rebuild
from simulator.result import FailuresResult, Result
from simulator.run import simulate
from tests.models.machines import GB, MB, cluster, hdd, server
from tests.simulator.small import framework, scenario, sort


def failing(base: Scenario, *faults: tuple[float, str], **changes: Any) -> Scenario:
    """Return a scenario with faults given as (time, component)."""
    failures = Failures(**{"faults": tuple(Fault(at=at, component=name) for at, name in faults)} | changes)
    return Scenario.model_validate(base.model_copy(update={"failures": failures}))


def on_hdfs(**changes: Any) -> Scenario:
    """Return a sort of 6 GB on four servers of two drives; DataNodes are dead after 30 s, NodeManagers after 20 s."""
    base = sort(frame=framework(node_expiry=20.0, **changes.pop("frame", {})), **changes)
    storage = Hdfs(system="hdfs", servers="workers", replication=2, block_size=100 * MB, dead_node_time=30.0)
    return base.model_copy(update={"storage": storage, "cluster": cluster(workers=(4, server()))})


def on_minio(parity: int = 2, **changes: Any) -> Scenario:
    """Return a sort of 6 GB on two servers that compute, from four servers of two drives: one set of 8."""
    base = sort(**changes)
    client = S3aClient(connector="s3a", fs=Fs(s3a=S3aSettings(buffer=Buffer(dir="data"))))
    parts = {
        "cluster": cluster(storage=(4, server()), compute=(2, server())),
        "storage": Minio(system="minio", servers="storage", parity=parity, release="2019-07-24"),
        "client": client,
        "workload": base.workload.model_copy(update={"framework": framework(servers="compute", node_expiry=20.0)}),
    }
    return Scenario.model_validate(base.model_copy(update=parts))


def failures(result: Result) -> FailuresResult:
    assert result.failures is not None
    return result.failures


@pytest.mark.parametrize("base", [on_hdfs, on_minio])
def test_a_fault_after_the_end_changes_nothing_but_says_so(base) -> None:  # type: ignore[no-untyped-def]
    healthy = simulate(base())
    name = "workers-1" if base is on_hdfs else "storage-1"
    result = simulate(failing(base(), (1e6, name)))
    assert result.duration == healthy.duration == failures(result).healthy_duration
    assert [stage.end for stage in result.stages] == [stage.end for stage in healthy.stages]
    assert [resource.bytes for resource in result.resources] == [resource.bytes for resource in healthy.resources]
    assert failures(result).faults == ()
    assert "did not fail at 1e+06 s" in result.warnings[0]


def test_a_dead_server_costs_the_time_until_it_is_given_up_and_its_tasks() -> None:
    healthy, result = simulate(on_hdfs()), simulate(failing(on_hdfs(), (4.0, "workers-2")))
    assert failures(result).redone_tasks > 0
    assert result.stages[0].end > 4.0 + 20.0  # its tasks begin again once it is given up
    after_maps = [run.duration - run.stages[0].end for run in (healthy, result)]
    assert after_maps[1] > after_maps[0]  # three servers do what four did, and reduces of the fourth fetch anew
    assert failures(result).lost == 0


def in_two_racks(expiry: float) -> Scenario:
    """Return that sort with maps of 6 s, on two racks of two servers, which are given up after `expiry` s."""
    base = on_hdfs(cpu=40e-9, map_share=0.9)
    slow = base.workload.model_copy(update={"framework": framework(node_expiry=expiry)})
    return base.model_copy(update={"workload": slow, "cluster": cluster(racks=2, workers=(4, server()))})


def test_maps_that_wait_run_on_servers_that_are_left_while_the_others_are_not_given_up() -> None:
    result = simulate(failing(in_two_racks(300.0), (8.0, "rack-2")))
    # what went down with the rack is all that is left to do then, in half of eight containers beside reduces
    assert result.stages[0].end < 308.0 + failures(result).redone_tasks / 4 * 6.0


def test_the_wait_for_dead_servers_is_what_limits_a_run_by_the_clock() -> None:
    result = simulate(failing(in_two_racks(300.0), (8.0, "rack-2")))
    assert result.bottleneck.resource == SILENT
    # the maps that are left, some 45, take 6 s each in four to eight containers
    waited = 300.0 - 45 * 6.0 / 6
    assert result.bottleneck.share == pytest.approx(waited / result.duration, rel=0.1)


def test_map_output_that_a_server_took_along_is_made_again() -> None:
    base = on_hdfs(frame={"slowstart": 1.0}, cpu=40e-9)
    healthy = simulate(base)
    while_reducing = (healthy.stages[1].start + healthy.stages[1].end) / 2
    result = simulate(failing(base, (while_reducing, "workers-2")))
    assert failures(result).redone_tasks >= 60 / 4  # every fourth of 60 maps ended there
    assert result.stages[0].end > while_reducing + 20
    assert result.stages[1].end > result.stages[0].end


def test_all_that_a_server_held_is_replicated_anew_at_the_pace_of_the_namenode() -> None:
    result = simulate(failing(on_hdfs(), (1.0, "workers-2")))
    (fault,) = failures(result).faults
    # 60 blocks of 100 MB with two replicas on four servers: 30 were on it
    assert fault.healed == pytest.approx(3 * GB, rel=0.35)
    # 31 s later in rounds of 2 * 3 blocks each 3 s
    rounds = fault.healed / (100 * MB) / 6
    assert fault.healthy_at >= 31.0 + 3 * (rounds - 1)


def test_a_drive_is_noticed_with_the_next_heartbeat() -> None:
    result = simulate(failing(on_hdfs(), (1.0, "workers-2/data-1")))
    (fault,) = failures(result).faults
    assert 0 < fault.healed < 2.5 * GB
    assert fault.healthy_at < 30.0


def test_two_replicas_do_not_outlive_two_servers_and_the_run_says_what_is_lost() -> None:
    result = simulate(failing(on_hdfs(), (1.0, "workers-2"), (1.5, "workers-3")))
    assert failures(result).lost >= 100 * MB
    assert any(warning.startswith("data lost: ") for warning in result.warnings)


def test_output_with_one_replica_is_lost_with_its_drive() -> None:
    base = on_hdfs(output_replication=1)
    end = simulate(base).duration
    result = simulate(failing(base, (end - 0.1, "workers-2")))
    assert failures(result).lost > 0


def test_a_rack_takes_its_servers_along() -> None:
    base = on_hdfs()
    result = simulate(
        failing(base.model_copy(update={"cluster": cluster(racks=2, workers=(4, server()))}), (2, "rack-2"))
    )
    assert failures(result).lost == 0  # the replicas lie in two racks
    assert result.duration > failures(result).healthy_duration


def test_a_block_that_lost_two_of_three_replicas_gets_both_again_in_one_pass() -> None:
    base = on_hdfs()
    storage = base.storage.model_copy(update={"replication": 3})
    racks = cluster(racks=2, workers=(6, server()))
    result = simulate(failing(base.model_copy(update={"cluster": racks, "storage": storage}), (2, "rack-2")))
    (fault,) = failures(result).faults
    # 60 blocks of 100 MB, each with one or two of its three replicas in the rack: 9 GB, of which one each would be 6
    assert fault.healed == pytest.approx(9 * GB, rel=0.15)
    assert failures(result).lost == 0
    # in rounds of 2 * 3 blocks each 3 s, from 32 s on: both replicas count once, and come down one pipeline
    assert fault.healthy_at < 32.0 + 3 * 60 / 6 + 15.0


def test_minio_reads_around_a_lost_drive_and_rebuilds_its_replacement() -> None:
    result = simulate(failing(on_minio(), (1.0, "storage-2/data-1"), replacement_time=5.0))
    (fault,) = failures(result).faults
    # each object of one set of eight has a shard of a sixth there: 6 GB / 6, and what has been written by then
    assert fault.healed >= 1 * GB * 0.999
    assert fault.healthy_at > 6.0
    assert failures(result).lost == failures(result).refused == 0


def test_a_lost_drive_is_not_read_while_others_are_read_more() -> None:
    base = on_minio()
    result = simulate(failing(base, (0.0, "storage-2/data-1"), replacement_time=1e5))
    moved = {resource.name: resource.bytes for resource in result.resources}
    assert moved["storage-2/data-1"] == 0
    healthy = {resource.name: resource.bytes for resource in simulate(base).resources}
    assert moved["storage-3/data-1"] > healthy["storage-3/data-1"] * 1.02


def test_decoding_what_is_missing_costs_cpu() -> None:
    base = on_minio()
    costly = base.model_copy(update={"storage": base.storage.model_copy(update={"encode_cpu": 20e-9})})
    healthy, result = simulate(costly), simulate(failing(costly, (0.0, "storage-2/data-1"), replacement_time=1e5))
    busy = [
        sum(g.utilization_mean * r.duration for g in r.groups if g.group == "storage/cpu") for r in (healthy, result)
    ]
    assert busy[1] > busy[0]


def test_below_its_write_quorum_minio_refuses_writes() -> None:
    result = simulate(
        failing(on_minio(), (0.5, "storage-1"), replacement_time=1e5)
    )  # two of eight: six are left of 6 + 1
    assert failures(result).refused > 0
    assert failures(result).lost == 0
    assert any("found no quorum" in warning for warning in result.warnings)


def test_more_failures_than_parity_lose_data() -> None:
    result = simulate(failing(on_minio(), (0.5, "storage-1"), (0.6, "storage-2/data-2"), replacement_time=1e5))
    assert failures(result).lost >= 6 * GB


def test_the_same_seed_draws_the_same_failures() -> None:
    base = failing(on_hdfs(), drive_failures_per_year=0.014, acceleration=5e7)
    first, again = simulate(base, seed=3), simulate(base, seed=3)
    assert failures(first) == failures(again)
    assert first.duration == again.duration
    assert failures(first).faults


def test_rates_alone_let_nothing_fail_in_a_run() -> None:
    result = simulate(failing(on_hdfs(), (1e6, "workers-1"), drive_failures_per_year=0.014))
    assert failures(result).faults == ()
    assert simulate(failing(on_hdfs(), drive_failures_per_year=0.014)).failures is None


def test_with_all_servers_gone_the_run_is_refused() -> None:
    with pytest.raises(ValueError, match="no server is left to run its tasks"):
        simulate(failing(on_hdfs(), (1.0, "rack-1")))


def test_faults_in_what_is_not_simulated_are_refused() -> None:
    base = scenario(generated=1 * GB)
    with pytest.raises(ValueError, match=r"failures\.faults\.0\.component = 'workers-9'"):
        failing(base, (1.0, "workers-9"))


def drives(count: int) -> tuple[Resources, list[Work]]:
    """Return resources of 100 B/s, and a work of 1000 B on each."""
    resources = Resources()
    works = []
    for i in range(count):
        drive = resources.add(f"drive-{i}", kind="drive", group="drives", unit="B", capacity=100.0)
        works.append(Work(1000.0, demand([Use(drive, 1.0, 1.0)])))
    return resources, works


def test_work_on_a_lost_resource_ends_and_its_books_balance() -> None:
    resources, (first, second) = drives(2)
    engine, ended = Engine(resources), []
    engine.execute(first, lambda: ended.append(("first", engine.now)))
    engine.execute(second, lambda: ended.append(("second", engine.now)))
    engine.call_at(4.0, lambda: engine.lose({0}))
    engine.run()
    assert ended == [("first", 4.0), ("second", 10.0)]
    assert list(engine.close().bytes) == [400.0, 1000.0]


def test_what_is_left_goes_on_elsewhere_and_shares_with_who_is_there() -> None:
    resources, (first, second) = drives(2)
    engine, ended = Engine(resources), []
    moving = Failover(1000.0, first.demand, lambda left: replace(second, amount=left))
    engine.execute(moving, lambda: ended.append(("moved", engine.now)))
    engine.execute(second, lambda: ended.append(("stayed", engine.now)))
    engine.call_at(4.0, lambda: engine.lose({0}))
    engine.run()
    # at 4 s each has 600 B left on one drive of 100 B/s
    assert sorted(ended) == [("moved", 16.0), ("stayed", 16.0)]


def test_one_of_equal_works_can_be_withdrawn() -> None:
    resources, (first,) = drives(1)
    engine, ended = Engine(resources), list[tuple[int, float]]()
    attempts = [Attempt(engine, lambda _: None) for _ in range(3)]
    for i, attempt in enumerate(attempts):
        work = replace(first, amount=100.0 * (i + 1))
        attempt.execute(work, lambda i=i: ended.append((i, engine.now)), 0)  # type: ignore[misc]
    engine.call_at(1.5, lambda: engine.end(attempts[0]))
    engine.run()
    # 50 B each by 1.5 s; then 150 and 250 B at 50 B/s each, the rest alone
    assert [number for number, _ in ended] == [1, 2]
    assert [moment for _, moment in ended] == pytest.approx([4.5, 5.5])
    assert engine.close().bytes[0] == pytest.approx(550.0)


def test_an_attempt_fails_with_its_work_and_does_not_go_on() -> None:
    resources, (first, second) = drives(2)
    engine, failed, ended = Engine(resources), [], []
    attempt = Attempt(engine, lambda who: failed.append((who, engine.now)))
    attempt.execute(Parallel((first, second)), lambda: ended.append(engine.now), 0)
    engine.call_at(4.0, lambda: engine.lose({0}))
    engine.run()
    assert failed == [(attempt, 4.0)]
    assert ended == []
    assert list(engine.close().bytes) == [400.0, 400.0]


def test_a_repair_starts_its_pieces_in_batches() -> None:
    resources, (first,) = drives(1)
    engine = Engine(resources)
    pieces = [Piece(1.0, replace(first, amount=10.0)) for _ in range(5)]
    rebuild = Rebuild(engine, Repair(0.0, lambda: pieces, batch=2, interval=3.0), lambda: None)
    rebuild.start()
    engine.run()
    assert rebuild.rebuilt == 5.0
    assert rebuild.ended_at == pytest.approx(6.1)  # the fifth in the third batch, at 6 s


def test_slower_processors_and_drives_fail_alike() -> None:
    slow = cluster(workers=(4, server(drive=hdd(), cpu=Cpu(cores=1, threads=1, speed=0.5))))
    result = simulate(failing(on_hdfs().model_copy(update={"cluster": slow}), (30.0, "workers-4/data-2")))
    assert result.duration > failures(result).healthy_duration
    assert failures(result).lost == 0
