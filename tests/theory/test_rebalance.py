"""The rebalance after servers have come, against closed forms: on an idle cluster one limit alone sets its pace."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from types import MappingProxyType

import pytest

from models.build import data_stored
from models.planning.growth import data_at, scenario_at
from models.scenario import Scenario
from models.target import target
from profiles.loading.loader import load
from simulator.run import measured, simulate
from simulator.studies.growth import hold, moved
from simulator.studies.points import Point
from simulator.studies.purchase import on_arrival
from simulator.studies.rebalance import just_come, rebalance_time
from simulator.studies.rebuild import known_repair_time
from simulator.studies.runner import Runner

TB, MIB, GIB = 1e12, 2**20, 2**30
DRIVES, DRIVE = 12, 16 * TB  # of each server
ROUND, PAUSE = 10 * GIB, 9.0
NO_PAUSE = {"storage.heartbeat": "1 ns"}


FAST_FLASH = {
    "cluster.groups.storage.server": "nvme-100gbe",
    "storage.commit_time": "1 ns",
}


def arrived(changes: Mapping[str, str] = MappingProxyType({}), servers: int = 2) -> Scenario:
    """Return HDFS on 12 servers, of which some have just come, with 100 TB in three replicas."""
    stated = {"rebalance.servers": f"{servers}", "rebalance.stored": "100 TB", "storage.balance_threshold": "0"}
    stated |= {"workload.input": "20 GB"}
    return load("growth-hdfs", Scenario, {**stated, **changes}).scenario


def share(scenario: Scenario) -> float:
    """Return the raw bytes of each of the servers once all hold alike."""
    return data_stored(scenario) * 3 / 12


def test_the_balancer_alone_sets_the_pace() -> None:
    idle = arrived()
    assert rebalance_time(idle) == pytest.approx(share(idle) / (ROUND / (ROUND / (100 * MIB) + PAUSE)), rel=1e-3)
    slow = arrived({"storage.balance_bandwidth": "10 MB/s"} | NO_PAUSE)
    assert rebalance_time(slow) == pytest.approx(share(slow) / 10e6, rel=1e-3)


def test_the_drives_alone_set_the_pace() -> None:
    """One move at a time, in a round of its own, reads one drive and writes one at the rate of a lone stream."""
    one = arrived({"storage.balance_bandwidth": "1 TB/s", "storage.balance_moves": "1"} | NO_PAUSE)
    assert rebalance_time(one) == pytest.approx(share(one) / 240e6, rel=1e-3)


def test_the_card_alone_sets_the_pace() -> None:
    thin = {
        "cluster.groups.workers.server.nic.bandwidth": "1 Gbit/s",
        "cluster.groups.workers.server.nic.efficiency": "1",
        "storage.balance_bandwidth": "1 TB/s",
    }
    scenario = arrived(thin | NO_PAUSE)
    assert rebalance_time(scenario) == pytest.approx(share(scenario) / 125e6, rel=1e-2)


def test_an_uplink_carries_what_comes_to_a_rack_of_new_servers_alone() -> None:
    """Of four servers in two racks two have come: in turn, one each rack, or with three racks in one of their own."""
    links = {
        "cluster.groups.workers.count": "12",
        "cluster.network.oversubscription": "1000",
        "storage.balance_bandwidth": "1 TB/s",
    }
    near = arrived(links | NO_PAUSE | {"cluster.network.racks": "2"})
    alone = arrived(links | NO_PAUSE | {"cluster.network.racks": "12"})
    uplink = 25e9 / 8 * 0.9406 / 1000
    assert rebalance_time(alone) == pytest.approx(share(alone) / uplink, rel=0.02)
    assert rebalance_time(near) < rebalance_time(alone) / 100


def test_half_of_the_servers_share_what_the_other_half_may_give() -> None:
    """Six give to six: each gives as much as one takes, so that none takes longer than two of twelve."""
    assert rebalance_time(arrived(servers=6)) == pytest.approx(rebalance_time(arrived(servers=2)), rel=1e-3)
    scarce = arrived(servers=8)  # of four each gives to two: their throttles, and their rounds
    assert rebalance_time(scarce) == pytest.approx(
        share(scarce) / (ROUND / 2 / (ROUND / (100 * MIB) + PAUSE)), rel=1e-3
    )


def test_the_balancer_ends_within_its_threshold_of_the_mean() -> None:
    scenario = arrived({"storage.balance_threshold": "0.1"})
    left = 0.1 * DRIVES * DRIVE
    exact = arrived()
    assert rebalance_time(scenario) / rebalance_time(exact) == pytest.approx(1 - left / share(exact), rel=1e-3)
    assert rebalance_time(arrived({"storage.balance_threshold": "0.5"})) == 0.0


@pytest.mark.parametrize("code", ["", "RS-6-3-1024k"])
def test_more_bandwidth_of_the_balancer_is_never_slower(code: str) -> None:
    policy = {"storage.policy": code} if code else {}
    times = [
        rebalance_time(arrived(policy | {"storage.balance_bandwidth": f"{rate} MB/s"}))
        for rate in (1, 10, 100, 1000, 10000)
    ]
    assert times == sorted(times, reverse=True)


def test_many_servers_are_told_by_fewer_of_them() -> None:
    few = arrived(servers=8, changes={"cluster.groups.workers.count": "32"})
    many = arrived({"cluster.groups.workers.count": "320", "rebalance.stored": "1000 TB"}, servers=80)
    assert rebalance_time(many) == pytest.approx(rebalance_time(few), rel=1e-6)


@pytest.mark.parametrize("code", ["", "{k = 4, m = 2}"])
def test_backfills_of_ceph_bring_each_new_osd_its_part_at_the_limit_of_its_scheduler(code: str) -> None:
    """Flash takes more than 70 % of what an OSD is rated at (1.2 GB/s), and ten hosts give more than two take."""
    stated = {"rebalance.servers": "2", "rebalance.stored": "10 TB", "storage.recovery.profile": "high_client_ops"}
    stated |= {"storage.erasure_code": code} if code else {}
    stated |= FAST_FLASH
    scenario = load("terasort-ceph", Scenario, stated).scenario
    group = scenario.cluster.groups["storage"]
    part = 10 * TB * scenario.storage.raw_per_byte(scenario.cluster) / group.count / group.server.bays["data"].count
    assert rebalance_time(scenario) == pytest.approx(part / (0.7 * 1.2e9), rel=0.02)


def test_work_beside_a_rebalance_is_never_faster_and_neither_is_the_rebalance() -> None:
    scenario = arrived(servers=4, changes={"storage.balance_bandwidth": "1 GB/s"} | NO_PAUSE)
    beside = simulate(scenario)
    quiet = simulate(scenario.model_copy(update={"rebalance": scenario.rebalance, "storage": _slow(scenario)}))
    assert beside.duration > quiet.duration
    assert beside.metrics["rebalance time"][0] > rebalance_time(scenario)


def test_a_run_that_ends_before_the_first_pause_counts_the_pauses_to_come() -> None:
    """The job of half a minute takes a twentieth of it; a pause is a twelfth of the rest."""
    scenario = arrived(servers=2)
    assert 1.0 < simulate(scenario).metrics["rebalance time"][0] / rebalance_time(scenario) < 1.06


def _slow(scenario: Scenario) -> object:
    return scenario.storage.model_copy(update={"balance_bandwidth": 1.0})


def test_a_rebalance_that_ends_within_the_run_is_told_with_its_end() -> None:
    scenario = arrived(servers=2, changes={"rebalance.stored": "1 GB"})
    assert simulate(scenario).metrics["rebalance time"][0] == pytest.approx(rebalance_time(scenario), rel=0.2)


def test_each_expansion_of_a_growing_cluster_has_its_rebalance() -> None:
    scenario = load("growth-hdfs", Scenario, {}).scenario
    (one,) = moved(scenario)
    assert (one.day, one.servers) == (date(2028, 7, 1), 6)
    held = 3 * data_at(scenario, one.day)
    old, new = 12 * DRIVES * DRIVE, 6 * DRIVES * 24 * TB
    taken = (held / (old + new) - 0.1) * DRIVES * 24 * TB
    assert one.idle == pytest.approx(taken / (ROUND / (ROUND / (100 * MIB) + PAUSE)), rel=1e-3)


def test_data_of_a_store_that_moves_none_takes_no_time() -> None:
    scenario = load("sizing-minio-servers", Scenario, {"growth.start": "2027-01-01"}).scenario
    assert on_arrival(scenario, date(2027, 7, 1), 8, 8) is None


def test_requests_beside_a_rebalance_are_never_faster_and_find_what_was_there_before() -> None:
    """Clients in a closed loop take what they can get: the rebalance is left with a twentieth."""
    stated = {"rebalance.servers": "1", "rebalance.stored": "10 TB"}
    scenario = load("published-ceph-r760-get-4mib-replica-512", Scenario, stated).scenario
    beside, alone = simulate(scenario), simulate(scenario.model_copy(update={"rebalance": None}))
    assert beside.metrics["object request rate"][0] < alone.metrics["object request rate"][0]
    assert beside.metrics["rebalance time"][0] > rebalance_time(scenario)
    assert measured(scenario).keys() <= beside.metrics.keys()


def test_repairs_of_a_grown_cluster_are_those_of_all_its_servers() -> None:
    """A lost server is replicated again by those that are left: with twice as many in half the time, and a little."""
    failures = {"failures": "hdd", "growth.expansions.0.servers": "12"}
    scenario = load("growth-hdfs", Scenario, failures).scenario
    start, grown = scenario_at(scenario, date(2027, 1, 1)), scenario_at(scenario, date(2028, 7, 1))
    assert known_repair_time(grown).server < known_repair_time(start).server
    arriving = just_come(scenario, date(2028, 7, 1), 12)
    assert arriving is not None
    assert known_repair_time(arriving) == known_repair_time(grown)


def test_the_job_takes_longer_while_data_moves_and_the_rebalance_beside_it() -> None:
    short = {"workload.input": "100 GB", "workload.reduces": "48", "growth.months": "24"}
    asked = load("growth-hdfs", Scenario, short).scenario
    with Runner(workers=1) as runner:
        held = hold(asked, [target("duration <= 1 h")], lambda standing: Point(scenario=standing), runner.run)
    (one,) = held.moving
    assert one.beside is not None
    assert one.beside >= one.idle * (1 - 1e-6)
    assert one.cause is None
    usual = next(checked.measures["duration"].value for checked in held.checked if checked.day == one.day)
    assert one.measures["duration"].value > usual
