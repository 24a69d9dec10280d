"""Durability against published numbers and closed forms; each number has its source beside it."""

from __future__ import annotations

import math
from typing import Any

import pytest

from models.failures import Failures
from models.hardware.cluster import Cluster
from models.planning.durability import RepairTime, annual_loss, durability, loss_in_windows, mttdl_closed_form, nines
from models.planning.markov import Kind, Loss, mean_time_to_loss
from models.scenario import Scenario
from models.storage.clients.s3a import S3aClient
from models.storage.hdfs.system import Hdfs
from models.storage.minio.system import Minio
from models.storage.storagegrid.system import StorageGrid
from models.units import YEAR
from tests.models.machines import cluster, hdd, server
from tests.models.test_scenario import scenario

HOUR = 3600.0
DAY = 24 * HOUR
TB = 1e12
MTTF = YEAR / 0.014  # 1.4 % a year, as Backblaze's drives from 2022 to 2025


def machines(servers: int = 12, drives: int = 8, **network: Any) -> Cluster:
    return cluster(
        storage=(servers, server(drives=drives, drive=hdd(capacity=2 * TB))), compute=(2, server(drives=1)), **network
    )


def hdfs(cluster: Cluster | None = None, replication: int = 3, **failures: Any) -> Scenario:
    return scenario(
        cluster=cluster or machines(),
        storage=Hdfs(system="hdfs", servers="storage", replication=replication),
        failures=Failures(**{"drive_failures_per_year": 0.014} | failures),
    )


def minio(cluster: Cluster | None = None, parity: int = 4, **failures: Any) -> Scenario:
    return scenario(
        cluster=cluster or machines(),
        storage=Minio(system="minio", servers="storage", parity=parity, release="2019-07-24"),
        client=S3aClient(connector="s3a"),
        failures=Failures(**{"drive_failures_per_year": 0.014} | failures),
    )


def grid(cluster: Cluster | None = None, failures: dict[str, Any] | None = None, **storage: Any) -> Scenario:
    """Return two copies on three nodes of 8 drives, whose arrays survive two of them."""
    spec = {"system": "storagegrid", "servers": "storage", "gateways": "compute", "lookup_cpu": 0.004, "list_cpu": 0.1}
    return scenario(
        cluster=cluster or machines(servers=3),
        storage=StorageGrid.model_validate(spec | storage),
        client=S3aClient(connector="s3a"),
        failures=Failures(**{"drive_failures_per_year": 0.014, "server_failures_per_year": 0.01} | (failures or {})),
    )


def hours(number: float) -> RepairTime:
    return RepairTime(number * HOUR, number * HOUR)


def chain(drives: int, tolerated: int, mttf: float, mttr: float) -> float:
    """Return the MTTDL of drives that fail alone, of which some may be down."""
    loss = Loss(
        by_failure=lambda state, _: float(state[0] + 1 > tolerated),
        in_repair=lambda _: 0.0,
        is_deepest=lambda state: state[0] >= tolerated,
    )
    return mean_time_to_loss([Kind(drives, 1, mttf, mttr)], loss)


def test_17_of_20_shards_have_the_yearly_loss_that_backblaze_publishes() -> None:
    # README of Backblaze/erasure-coding-durability, revision 37f758d: durability.py 17 3 0.00405 6.5
    loss = loss_in_windows(20, 3, 0.00405, 6.5 * DAY)
    assert loss == pytest.approx(7.354e-12, rel=1e-3)
    assert math.floor(nines(loss)) == 11


@pytest.mark.parametrize(("tolerated", "published"), [(2, 2.399e-8), (1, 5.545e-5), (0, 7.781e-2), (7, 5.159e-27)])
def test_other_rows_of_backblazes_table_agree(tolerated: int, published: float) -> None:
    assert loss_in_windows(20, tolerated, 0.00405, 6.5 * DAY) == pytest.approx(published, rel=1e-3)


def test_4_of_6_shards_have_the_yearly_loss_that_backblaze_publishes() -> None:
    # the same README, revision 00f6a70: durability.py 4 2 0.10 1
    assert loss_in_windows(6, 2, 0.10, 1 * DAY) == pytest.approx(1.500e-7, rel=1e-3)


def test_the_chain_of_17_of_20_shards_is_the_window_with_every_start_instead_of_one() -> None:
    # m + 1 failures that meet in any window, repaired at once, are (m + 1) times those that meet in a fixed one; a
    # chain with one repair at a time loses m! times as often as one in which all are under way
    mttf = YEAR / 0.00405
    in_chain = annual_loss(chain(20, 3, mttf, 6.5 * DAY))
    assert in_chain == pytest.approx(math.factorial(4) * loss_in_windows(20, 3, 0.00405, 6.5 * DAY), rel=0.01)


def test_three_copies_have_the_mttdl_that_facebook_published() -> None:
    # Sathiamoorthy et al., XORing Elephants, VLDB 2013, table 1: 2.3079E+10 days for 3 replicas of 30 PB in blocks of
    # 256 MB, nodes that live 4 years, repairs at 1 Gbit/s; their PB is 1.024e15 bytes, as the fifth digit tells
    stripe = chain(3, 2, 4 * YEAR, 256e6 / 125e6)
    assert stripe / (30 * 1.024e15 / (3 * 256e6)) == pytest.approx(2.3079e10 * DAY, rel=1e-4)


@pytest.mark.parametrize(("drives", "tolerated"), [(3, 2), (16, 4), (20, 3), (96, 2), (8, 1)])
def test_the_chain_comes_to_the_closed_form_where_repairs_are_short(drives: int, tolerated: int) -> None:
    assert chain(drives, tolerated, MTTF, 2 * HOUR) == pytest.approx(
        mttdl_closed_form(drives, tolerated, MTTF, 2 * HOUR), rel=0.01
    )


def test_a_mirror_has_the_exact_mttdl_of_the_textbook() -> None:
    # (3 lambda + mu) / (2 lambda^2): Trivedi, Probability and Statistics, 2nd edition, section 8.5
    failing, repairing = 1 / 100.0, 1 / 7.0
    assert chain(2, 1, 100.0, 7.0) == pytest.approx((3 * failing + repairing) / (2 * failing**2), rel=1e-12)


def test_raid_6_has_the_exact_mttdl_of_solving_its_equations() -> None:
    # with one repair at a time: T = sum over i of the time from i down to i + 1 down
    n, failing, repairing = 8, 1e-6, 1e-1
    up = [1 / (n * failing)]
    for down in (1, 2):
        up.append((1 + repairing * up[-1]) / ((n - down) * failing))
    assert chain(n, 2, 1 / failing, 1 / repairing) == pytest.approx(sum(up), rel=1e-12)


def test_96_drives_of_3_copies_come_to_6e11_hours_by_hand() -> None:
    # 6.4e5^3 / (96 95 94 0.7^2) h
    assert mttdl_closed_form(96, 2, 6.4e5, 0.7) == pytest.approx(6.24e11, rel=0.01)


def test_6_sets_of_12_and_4_come_to_their_closed_form() -> None:
    answer = durability(minio(), hours(7))
    assert answer.closed_form == pytest.approx(MTTF * (MTTF / (7 * HOUR)) ** 4 / (16 * 15 * 14 * 13 * 12) / 6)
    assert answer.mttdl == pytest.approx(answer.closed_form, rel=0.01)
    assert answer.object_mttdl == pytest.approx(6 * answer.mttdl)
    assert answer.mttdl / HOUR == pytest.approx(1.27e19, rel=0.01)


def test_3_copies_come_to_their_closed_form_but_for_groups_that_hold_no_block() -> None:
    answer = durability(hdfs(), hours(0.7))
    servers_differ = math.comb(12, 3) * 8**3 / math.comb(96, 3)
    assert answer.groups == pytest.approx(math.comb(12, 3) * 8**3 * 0.9854, rel=1e-3)  # 477 k blocks, 113 k groups
    assert answer.mttdl == pytest.approx(answer.closed_form / (servers_differ * 0.9854), rel=0.001)


def test_racks_leave_fewer_groups_to_lose() -> None:
    one, three = durability(hdfs(), hours(1)), durability(hdfs(machines(racks=3)), hours(1))
    # pairs in a rack with a third elsewhere: 3 * C(4, 2) * 8 = 144 of C(12, 3) = 220 groups of servers
    assert three.groups / one.groups == pytest.approx(144 / 220, rel=0.02)
    assert three.mttdl > one.mttdl


def test_few_blocks_are_lost_seldom() -> None:
    full, empty = durability(hdfs(), hours(1)), durability(hdfs(fill=1e-4), hours(1))
    assert empty.groups == pytest.approx(96 * 2 * TB * 1e-4 / 3 / 134217728, rel=0.001)
    assert empty.mttdl == pytest.approx(full.mttdl * full.groups / empty.groups, rel=0.001)


def test_a_server_that_holds_two_shards_costs_more_than_the_drives_alone() -> None:
    answer = durability(minio(server_failures_per_year=0.015), hours(7))
    assert answer.mttdl < 1e-3 * answer.drives_only
    alone = durability(minio(), hours(7))
    assert answer.drives_only == pytest.approx(alone.mttdl)


def test_each_nine_more_of_drives_gives_one_more_for_each_failure_tolerated() -> None:
    better = durability(minio(drive_failures_per_year=0.0014), hours(7))
    worse = durability(minio(drive_failures_per_year=0.014), hours(7))
    assert better.nines - worse.nines == pytest.approx(5, abs=0.01)


def test_an_unreadable_sector_loses_what_has_no_copy_left() -> None:
    answer = durability(minio(bit_error_rate=1e-15), hours(7))
    # the rebuild reads 12 drives of 2 TB: 0.175 errors; each such rebuild, one repair before the last failure, may lose
    unreadable = 1 - math.exp(-8 * 12 * 2e12 * 1e-15)
    expected = mttdl_closed_form(16, 3, MTTF, 7 * HOUR) / 6 / unreadable
    assert answer.mttdl == pytest.approx(expected, rel=0.01)
    assert answer.object_mttdl == durability(minio(), hours(7)).object_mttdl  # one object of all that the drive holds


def test_a_block_of_three_copies_is_safer_than_all_of_them() -> None:
    answer = durability(hdfs(), hours(1))
    assert answer.object_mttdl == pytest.approx(mttdl_closed_form(3, 2, MTTF, HOUR), rel=0.001)
    assert answer.object_nines > answer.nines


def test_durability_without_rates_is_refused() -> None:
    with pytest.raises(ValueError, match=r"failures\.drive_failures_per_year: missing"):
        durability(scenario(), hours(1))


def test_a_repair_takes_time() -> None:
    with pytest.raises(ValueError, match="repair times must be > 0 s"):
        durability(hdfs(), RepairTime(0.0, 1.0))


def test_a_fault_of_nothing_is_refused_with_the_nearest_name() -> None:
    with pytest.raises(ValueError, match=r"failures\.faults\.0\.component = 'storage-13'.*did you mean 'storage-[123]"):
        hdfs(faults=({"at": 1.0, "component": "storage-13"},))


def test_two_copies_on_three_nodes_have_the_exact_mttdl_of_the_textbook() -> None:
    answer = durability(grid(), hours(50))
    # three nodes of which one may be down: (5 lambda + mu) / (6 lambda^2); of the two that hold an object, as a mirror
    array = mttdl_closed_form(8, 2, MTTF, 50 * HOUR)
    failing, repairing = 1 / array + 0.01 / YEAR, 1 / (50 * HOUR)
    assert answer.mttdl == pytest.approx((5 * failing + repairing) / (6 * failing**2), rel=1e-9)
    assert answer.object_mttdl == pytest.approx((3 * failing + repairing) / (2 * failing**2), rel=1e-9)
    assert answer.groups == 3


def test_nodes_of_a_grid_without_losses_of_servers_fail_by_their_arrays_alone() -> None:
    answer = durability(grid(failures={"server_failures_per_year": 0.0}), hours(50))
    array = MTTF * (MTTF / (50 * HOUR)) ** 2 / (8 * 7 * 6)
    assert answer.mttdl == pytest.approx(array * (array / (50 * HOUR)) / 6, rel=0.01)
    assert answer.mttdl == answer.drives_only == pytest.approx(answer.closed_form, rel=0.01)


def test_drives_without_an_array_are_lost_with_the_first_of_a_node() -> None:
    answer = durability(grid(array_parity=0, failures={"server_failures_per_year": 0.0}), hours(50))
    assert answer.closed_form == pytest.approx((MTTF / 8) ** 2 / (50 * HOUR) / 6)


def test_erasure_coding_of_2_and_1_loses_an_object_three_times_as_often_as_two_copies() -> None:
    copies, coded = durability(grid(), hours(50)), durability(grid(protection="erasure-coding"), hours(50))
    assert copies.object_mttdl == pytest.approx(3 * coded.object_mttdl, rel=0.01)
    assert copies.mttdl == coded.mttdl  # any two of three nodes lose something of either


def test_four_more_nodes_lose_something_more_often_but_an_object_no_more() -> None:
    three, seven = durability(grid(), hours(50)), durability(grid(machines(servers=7)), hours(50))
    assert three.mttdl == pytest.approx(seven.mttdl * 7 * 6 / (3 * 2), rel=0.01)
    assert three.object_mttdl == seven.object_mttdl
