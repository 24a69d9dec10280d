"""Ceph whose pieces lie on OSDs that differ, of whichever server: four of one server beside one of each of four."""

from __future__ import annotations

import itertools
import math
from collections import Counter
from typing import Any

import numpy as np
import pytest

from models.failures import Failures
from models.hardware.cluster import Cluster, Layout, Node
from models.outage import Outage
from models.planning.block_groups import lying
from models.planning.durability import RepairTime, durability
from models.planning.lint import lint
from models.planning.survival import Tolerance, survives
from models.problem import RefusalError
from models.scenario import Scenario
from models.storage.ceph.crush import hosts, placed
from models.storage.ceph.groups import PlacementGroups, Rule
from models.storage.ceph.operations import RadosOperations
from models.storage.ceph.placed import ErasureProfile
from models.storage.ceph.pool import DEVIATION
from models.storage.ceph.rebuild import Backfill
from models.storage.domains import Scattered
from models.storage.redundancy import Replicas
from models.storage.room import Room
from models.storage.stages import Stage, Wait
from models.units import YEAR
from models.work import Deferred, Hold, Sequence
from simulator.studies.rare_events import simulate_losses
from tests.models.machines import GB, cluster, hdd, layout, server
from tests.models.steps import all_of, moved, name
from tests.models.storage.test_ceph import SIZE, client, lose, rbd, store
from tests.models.test_scenario import scenario

HOUR = 3600.0


def machines(hosts: int, drives: int) -> Layout:
    return layout(storage=(hosts, server(drives=drives)), gateways=(1, server()), clients=(1, server()))


def made(hosts: int, drives: int, failures: dict[str, Any] | None = None, **storage: Any) -> Scenario:
    rates = {"drive_failures_per_year": 0.014, "server_failures_per_year": 0.01, "bit_error_rate": 0.0}
    return scenario(
        cluster=pool_of(hosts, drives),
        storage=rbd(failure_domain="osd", **storage),
        failures=Failures(**rates | (failures or {})),
    )


def pool_of(hosts: int, drives: int) -> Cluster:
    return cluster(storage=(hosts, server(drives=drives, drive=hdd())), compute=(2, server(drives=1)))


def cards(total: dict[str, float]) -> float:
    return sum(value for key, value in total.items() if key.startswith("storage") and "/nic-" in key)


def test_between_osds_of_one_server_no_byte_passes_a_card() -> None:
    one, four = machines(1, 4), machines(4, 1)
    alone = moved(store(one, failure_domain="osd").write(7, client(one), size=SIZE).move(SIZE), name)
    apart = moved(store(four).write(7, client(four), size=SIZE).move(SIZE), name)
    assert cards(alone) == pytest.approx(SIZE)  # from the gateway
    assert cards(apart) == pytest.approx((3 + 2) * SIZE)
    for total in (alone, apart):
        assert sum(value for key, value in total.items() if "/data-" in key) == pytest.approx(3 * SIZE)


def test_where_each_server_has_one_osd_the_two_rules_are_one() -> None:
    four = machines(4, 1)
    by_osd, by_host = (store(four, failure_domain=rule).write(7, client(four), size=SIZE) for rule in ("osd", "host"))
    assert moved(by_osd.move(SIZE), name) == moved(by_host.move(SIZE), name)


@pytest.mark.parametrize(("hosts", "drives", "trips"), [(1, 4, 1.0), (4, 1, 2.0), (2, 2, 2.0), (2, 4, 2 - 1 / 7)])
def test_osds_of_one_server_need_no_round_trip_between_them(hosts: int, drives: int, trips: float) -> None:
    group = machines(hosts, drives)
    what = RadosOperations(rbd(failure_domain="osd"), group)
    waits = [
        stage for stage in flat(what.put(4096.0).stages) if isinstance(stage, Wait) and stage.name == "round trips"
    ]
    assert sum(wait.seconds for wait in waits) == pytest.approx(trips * group.cluster.network.round_trip)


def flat(stages: tuple[Stage, ...]) -> list[Stage]:
    inside = [flat(getattr(stage, "stages", ())) for stage in stages]
    return [*stages, *itertools.chain.from_iterable(inside)]


def test_groups_have_osds_that_differ_by_their_weight_and_within_the_deviation() -> None:
    among = hosts([4, 8], [4.0, 16.0], [0, 0], by_osd=True)  # the second has drives of twice the size
    osds = placed(among, 1024, 3, salt=3)
    assert (np.diff(np.sort(osds, axis=1), axis=1) > 0).all()
    held = np.bincount(osds.ravel(), minlength=12)
    share = 3 * 1024 * np.array([1.0] * 4 + [2.0] * 8) / 20
    assert np.abs(held - share).max() <= DEVIATION
    assert len({tuple(sorted(row)) for row in among.of_osds[osds].tolist()}) == 4  # any mixture of both servers


def test_fewer_osds_than_pieces_are_refused() -> None:
    coded = rbd(failure_domain="osd", erasure_code=ErasureProfile(k=4, m=2))
    with pytest.raises(RefusalError, match=r"EC 4\+2 needs 6 osds, group 'storage' has 4"):
        coded.fits(pool_of(1, 4))
    coded.model_copy(update={"osds_per_drive": 2}).fits(pool_of(1, 4))
    with pytest.raises(RefusalError, match="only 4 OSDs"):
        placed(hosts([4], [1.0], [0], by_osd=True), 8, 5, 1)


def test_one_server_holds_a_third_of_its_drives_in_three_replicas() -> None:
    one, four = pool_of(1, 4), pool_of(4, 1)
    room = one.groups["storage"].server.bays["data"].drive.capacity
    by_osd = rbd(failure_domain="osd", pg_num=4096)
    alone, apart = by_osd.usable(one, [Room(1, 4 * room)]), rbd(pg_num=4096).usable(four, [Room(4, room)])
    assert alone == pytest.approx(apart)
    assert by_osd.usable(one, [Room(1, 4 * room)]) == pytest.approx(4 * room / 3 * 0.95, rel=0.01)
    uneven = [Room(1, 8 * room), Room(1, 0.0)]  # of eight drives on one of two servers all are used
    assert by_osd.usable(pool_of(2, 8), uneven) > rbd(replication=2, pg_num=4096).usable(pool_of(2, 8), uneven)


@pytest.mark.parametrize(
    ("hosts", "drives", "changes", "in_drives", "in_servers"),
    [
        (1, 4, {}, Tolerance(2, 1), Tolerance(0, 0)),
        (4, 1, {}, Tolerance(2, 1), Tolerance(2, 1)),
        (4, 2, {}, Tolerance(2, 1), Tolerance(1, 0)),
        (1, 4, {"osds_per_drive": 2}, Tolerance(1, 0), Tolerance(0, 0)),
        (6, 2, {"erasure_code": ErasureProfile(k=4, m=4), "min_size": 4}, Tolerance(4, 4), Tolerance(2, 2)),
    ],
)
def test_what_lies_together_is_lost_together(
    hosts: int, drives: int, changes: dict[str, Any], in_drives: Tolerance, in_servers: Tolerance
) -> None:
    survival = survives(made(hosts, drives, **changes))
    assert (survival.drives, survival.servers) == (in_drives, in_servers)


def test_who_lets_a_server_have_too_many_pieces_is_told() -> None:
    def told(of: Scenario) -> set[str]:
        return {advice.rule for advice in lint(of)}

    assert {"pieces-share-server", "nowhere-to-rebuild"} <= told(made(1, 4))
    assert not {"pieces-share-server", "nowhere-to-rebuild"} & told(made(4, 1))
    assert "nowhere-to-rebuild" not in told(made(2, 4))  # on the other server


def test_a_lone_server_loses_all_with_itself_and_three_drives_as_four_servers_of_one_do() -> None:
    repair = RepairTime(7 * HOUR, 7 * HOUR)
    alone = durability(made(1, 4), repair)
    assert alone.mttdl == pytest.approx(YEAR / 0.01, rel=1e-3)
    assert alone.object_mttdl == pytest.approx(alone.mttdl, rel=1e-3)
    of_drives = durability(made(1, 4, {"server_failures_per_year": 0.0}), repair)
    apart = durability(made(4, 1, {"server_failures_per_year": 0.0}), repair)
    assert of_drives.mttdl == pytest.approx(apart.mttdl)
    assert of_drives.object_mttdl == pytest.approx(apart.object_mttdl)


def test_simulated_losses_and_the_chain_agree_where_servers_have_several_pieces() -> None:
    repair = RepairTime(7 * HOUR, 9 * HOUR)
    for of in (made(2, 4), made(3, 4, osds_per_drive=2, pg_num=32)):
        answer = simulate_losses(of, repair, paths=10_000)
        assert answer.low < durability(of, repair).mttdl < answer.high


def test_the_pieces_of_an_object_share_servers_as_often_as_a_count_of_all_choices_finds() -> None:
    placement = Scattered(Replicas(3), 1.0, 2, on_server=4)
    counted = Counter(
        tuple(sorted(Counter(osd // 4 for osd in osds).values())) for osds in itertools.combinations(range(12), 3)
    )
    lie = {tuple(sorted(held.elements())): chance for chance, _, held in lying(placement, 3, 12)}
    assert lie == pytest.approx({held: ways / math.comb(12, 3) for held, ways in counted.items()})


def test_a_lost_piece_goes_to_another_osd_of_its_server_and_with_none_left_waits() -> None:
    one, outage = machines(1, 4), Outage(may_fail=True)
    pool = store(one, outage, failure_domain="osd")
    rebuilds = Backfill(pool)
    rebuilds.hold(1, 100 * GB)
    drive = one.nodes[0].bays["data"][0]
    outage.lost |= {drive.resource.index}
    outage.epoch += 1
    repair = rebuilds.repair({drive.resource.index}, is_server=False)
    assert not repair.needs_replacement
    for part in repair.pieces():
        assert cards(moved(part.step, name)) == 0.0
        (_, takes) = all_of(part.step, Hold)
        assert isinstance(takes.step, Sequence)
        done = takes.step.steps[-1]
        assert isinstance(done, Deferred)
        done.plan()
    assert isinstance(pool.placement, PlacementGroups)
    held = [[device for _, device in group] for group in pool.placement.groups]
    assert all(len(set(devices)) == 3 and drive not in devices for devices in held)
    three = machines(1, 3)
    full = Backfill(store(three, Outage(may_fail=True), failure_domain="osd"))
    assert full.repair({three.nodes[0].bays["data"][0].resource.index}, is_server=False).needs_replacement


def test_all_is_lost_with_the_only_server() -> None:
    one, outage = machines(1, 4), Outage(may_fail=True)
    rebuilds = Backfill(store(one, outage, failure_domain="osd"))
    rebuilds.hold(1, 300 * GB)
    node: Node = one.nodes[0]
    assert rebuilds.repair(lose(one, outage, node), is_server=True).needs_replacement
    assert rebuilds.lost() == pytest.approx(300 * GB)


def test_the_chance_that_a_primary_asks_another_server_is_that_of_its_groups() -> None:
    nodes = machines(3, 4).groups["storage"]
    rule = Rule(domain="osd")
    groups = PlacementGroups(nodes, "data", (4096, 3), 1, rule).groups
    apart = sum(len({node.index for node, _ in group}) > 1 for group in groups) / len(groups)
    assert rule.apart(3, 12, 3) == pytest.approx(apart, abs=0.02)
    assert [rule.apart(3, 12, 1), Rule().apart(3, 12, 1), Rule().apart(3, 12, 3)] == [0.0, 0.0, 1.0]
