"""The placement groups of Ceph: CRUSH's draw, its balancer, and the busiest of a part of the servers."""

import numpy as np
import pytest
from numpy.typing import NDArray

from models.problem import RefusalError
from models.storage.ceph.crush import balanced, crush, hosts, placed
from models.storage.ceph.pool import DEVIATION
from models.storage.room import Room
from tests.models.machines import cluster, server
from tests.models.storage.test_ceph import rbd

SEEDS = range(10)
TOOL = [
    # osdmaptool 16.2.15 on maps of a monitor, straw2, equal weights, and after its --upmap with a deviation of 5:
    # standard deviations over the mean of pieces an OSD, primaries an OSD and primaries a host, of one map per
    ((3, 10, 1024, 3), (0.063, 0.147, 0.044), (0.027, 0.135, 0.044)),
    ((10, 5, 1024, 3), (0.129, 0.237, 0.083), (0.058, 0.193, 0.093)),
    ((10, 5, 2048, 3), (0.082, 0.160, 0.053), (0.030, 0.130, 0.040)),
    ((32, 10, 8192, 3), (0.123, 0.193, 0.060), (0.047, 0.165, 0.048)),
    ((32, 10, 16384, 3), (0.086, 0.137, 0.042), (0.025, 0.116, 0.027)),
    ((63, 10, 16384, 3), (0.113, 0.193, 0.060), (0.044, 0.158, 0.053)),
    ((63, 10, 8192, 8), (0.101, 0.264, 0.075), (0.034, 0.243, 0.080)),  # a code of 6 + 2
]


def even(count: int, osds: int = 10) -> list[int]:
    return [osds] * count


def spreads(osds: NDArray[np.int64], servers: int, per: int) -> tuple[float, ...]:
    pieces, primaries = (np.bincount(x.ravel(), minlength=servers * per) for x in (osds, osds[:, 0]))
    heads = primaries.reshape(servers, per).sum(axis=1)
    return tuple(float(held.std() / held.mean()) for held in (pieces, primaries, heads))


@pytest.mark.parametrize(("shape", "drawn", "after"), TOOL, ids=lambda value: "-".join(map(str, value)))
def test_groups_spread_as_osdmaptool_spreads_them(
    shape: tuple[int, int, int, int], drawn: tuple[float, ...], after: tuple[float, ...]
) -> None:
    servers, per, groups, pieces = shape
    among = hosts(even(servers, per), even(servers), even(servers, 0))
    first = [crush(among, groups, pieces, seed) for seed in SEEDS]
    for tool, ours in ((drawn, first), (after, [balanced(among, osds) for osds in first])):
        made = np.array([spreads(osds, servers, per) for osds in ours])
        away = np.abs(made.mean(axis=0) - tool)
        assert (away <= np.maximum(4 * made.std(axis=0), 0.01)).all(), (made.mean(axis=0), made.std(axis=0), tool)


@pytest.mark.parametrize(("servers", "pieces"), [(3, 3), (11, 11), (40, 3), (12, 6)])
def test_the_balancer_leaves_no_osd_more_than_its_deviation_away_and_no_group_twice_on_a_host(
    servers: int, pieces: int
) -> None:
    among = hosts(even(servers, 6), even(servers), even(servers, 0))
    osds = placed(among, 1024, pieces, salt=7)
    held = np.bincount(osds.ravel(), minlength=6 * servers)
    assert np.abs(held - held.mean()).max() <= DEVIATION
    on = np.sort(among.of_osds[osds], axis=1)
    assert (np.diff(on, axis=1) > 0).all()


def test_primaries_are_as_uneven_as_dice_leave_them_also_after_the_balancer() -> None:
    among = hosts(even(20), even(20), even(20, 0))
    shares = [np.bincount(among.of_osds[placed(among, 2000, 3, seed)[:, 0]], minlength=20) for seed in range(40)]
    binomial = np.sqrt(2000 * 0.05 * 0.95)
    assert float(np.std(shares)) == pytest.approx(binomial, rel=0.15)


def test_larger_drives_have_more_groups_by_their_size() -> None:
    sizes = [8e12] * 6 + [16e12] * 6
    among = hosts(even(12, 4), sizes, even(12, 0))
    held = np.bincount(among.of_osds[placed(among, 4096, 3, 1)].ravel(), minlength=12)
    assert held[6:].sum() / held[:6].sum() == pytest.approx(2.0, rel=0.05)


def test_pieces_lie_in_racks_that_differ_where_the_rule_says_so() -> None:
    racks = [number % 4 for number in range(16)]
    apart = hosts(even(16, 2), even(16), racks, by_rack=True)
    anywhere = hosts(even(16, 2), even(16), racks)
    lie = [np.sort(np.asarray(racks)[among.of_osds[placed(among, 512, 3, 3)]], axis=1) for among in (apart, anywhere)]
    assert (np.diff(lie[0], axis=1) > 0).all()
    assert not (np.diff(lie[1], axis=1) > 0).all()


def test_more_pieces_than_hosts_are_refused() -> None:
    with pytest.raises(RefusalError, match="only 2 servers"):
        placed(hosts([3, 3], [1, 1], [0, 0]), 8, 3, 1)


def test_the_busiest_host_of_a_part_has_as_many_primaries_as_the_busiest_of_all() -> None:
    whole, part = (hosts(even(count), even(count), even(count, 0)) for count in (60, 20))

    def busiest(of: int, groups: int, salt: int, alike: int) -> float:
        among = whole if of == 60 else part
        heads = np.bincount(among.of_osds[placed(among, groups, 3, salt, alike)[:, 0]], minlength=of)
        return float(heads.max() / heads.mean())

    of_all = np.mean([busiest(60, 12288, seed, 1) for seed in range(30)])
    of_part = np.mean([busiest(20, 4096, seed, 3) for seed in range(30)])
    of_a_draw = np.mean([busiest(20, 4096, seed, 1) for seed in range(30)])
    assert of_part == pytest.approx(of_all, abs=0.01)
    assert of_a_draw < of_all - 0.015


def test_without_a_balancer_groups_lie_as_crush_draws_them() -> None:
    among = hosts(even(10), even(10), even(10, 0))
    assert (placed(among, 1024, 3, 7, balancer=False) != placed(among, 1024, 3, 7)).any()
    spread = [np.bincount(placed(among, 1024, 3, seed, balancer=False).ravel(), minlength=100).std() for seed in SEEDS]
    assert np.mean(spread) == pytest.approx(np.sqrt(3 * 1024 / 100), rel=0.1)  # of a Poisson distribution


@pytest.mark.parametrize(("count", "groups"), [(10, 4096), (32, 8192), (63, 16384)])
def test_without_a_balancer_the_fullest_osd_holds_what_the_room_of_a_pool_leaves_for_it(
    count: int, groups: int
) -> None:
    among = hosts(even(count), even(count), even(count, 0))
    fullest = [np.bincount(placed(among, groups, 3, seed, balancer=False).ravel()).max() for seed in SEEDS]
    made = cluster(storage=(count, server(drives=10)), clients=(1, server(drives=1)))
    room = [Room(count, 10 * made.groups["storage"].server.bays["data"].drive.capacity)]
    bare, even_pool = (rbd(pg_num=groups, balancer=on).usable(made, room) for on in (False, True))
    mean = 3 * groups / (10 * count)
    assert even_pool / bare == pytest.approx(np.mean(fullest) / (mean + DEVIATION), rel=0.03)
