"""Loads of requests alone on many servers that are alike: a part of the servers against all of them."""

from __future__ import annotations

from typing import Any

import pytest

import models.symmetry
from models.failures import Failures, Fault
from models.jobs.object_load import ObjectLoad
from models.scenario import ProfileInfo, Scenario
from models.storage.ceph.placed import ErasureProfile
from models.storage.ceph_rbd.system import CephRbd
from models.storage.object_routes import ends
from models.symmetry import WHOLE, Detail, layout_of
from simulator.result import Result
from simulator.run import simulate
from tests.models.machines import MB, cluster, nvme, server

SERVERS, TIMES = 32, 4
THREADS = 256
LOAD = Detail(fewest=1, has_images=False, under_way=SERVERS // TIMES * THREADS)
"""So few requests under way that all servers can be simulated beside a part."""
SIZES = {"get": 1 * MB, "put": 0.1 * MB}
SEEDS = 4
EVEN = 1 << 19
"""Placement groups of which no server has more than another, so that no chance of placement is between two runs."""


def on(act: str = "get", system: CephRbd | None = None, failures: Failures | None = None, **changes: Any) -> Scenario:
    """Return a closed loop of one kind of requests on block devices with three replicas."""
    settings: dict[str, Any] = {
        "kind": "requests",
        "clients": "clients",
        "threads": THREADS,
        "count": 40_000,
        "mix": {act: {"action": act, "size": SIZES[act]}},
    }
    return Scenario(
        profile=ProfileInfo(title="load"),
        cluster=cluster(storage=(SERVERS, server(4, nvme())), clients=(SERVERS, server())),
        storage=system or CephRbd(system="ceph-rbd", servers="storage"),
        workload=ObjectLoad(**settings | changes),
        failures=failures,
    )


def alike(scenario: Scenario, detail: Detail = LOAD) -> float:
    """Return for how many servers one stands."""
    return layout_of(scenario, detail).alike


@pytest.fixture(scope="module", params=list(SIZES))
def both(request: pytest.FixtureRequest) -> tuple[Result, Result]:
    """A load on all servers, and on a part of them: the mean of some seeds, as one tells too little of few requests."""
    scenario = on(request.param, CephRbd(system="ceph-rbd", servers="storage", pg_num=EVEN))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(models.symmetry, "LOAD", LOAD)
        return simulate(scenario, tolerance=0.0), simulate(scenario, replications=SEEDS)


def test_rates_and_latencies_on_a_part_of_the_servers_are_those_on_all(both: tuple[Result, Result]) -> None:
    whole, part = both
    for name, (value, _) in whole.metrics.items():
        within = 0.005 if "rate" in name or "throughput" in name or name == "duration" else 0.04
        if "p99" not in name:
            assert part.metrics[name][0] == pytest.approx(value, rel=within), name


def test_requests_groups_and_limits_are_those_of_all_servers(both: tuple[Result, Result]) -> None:
    whole, part = both
    assert part.bottleneck.resource == whole.bottleneck.resource
    assert part.stages[0].tasks == pytest.approx(whole.stages[0].tasks, rel=0.01)
    groups = {group.group: group for group in whole.groups}
    for group in part.groups:
        assert group.count == groups[group.group].count
        assert group.bytes == pytest.approx(groups[group.group].bytes, rel=0.02)
        assert group.utilization_mean == pytest.approx(groups[group.group].utilization_mean, rel=0.02, abs=0.01)


def test_the_answer_says_that_a_part_was_simulated(both: tuple[Result, Result]) -> None:
    whole, part = both
    assert not any("servers were simulated" in warning for warning in whole.warnings)
    simulated = 2 * SERVERS // TIMES
    assert any(f"{simulated} of {2 * SERVERS} servers were simulated" in warning for warning in part.warnings)


def test_a_part_has_enough_requests_under_way_and_servers_for_all_pieces() -> None:
    assert alike(on()) == TIMES
    assert alike(on(), WHOLE) == 1
    assert alike(on(threads=THREADS // 2)) == TIMES // 2
    assert alike(on(threads=THREADS * SERVERS)) == 4  # three replicas ask for six servers
    code = CephRbd(system="ceph-rbd", servers="storage", erasure_code=ErasureProfile(k=6, m=2))
    assert alike(on(system=code)) == SERVERS // 16


def test_loads_of_which_each_request_is_asked_for_or_whose_servers_differ_stand_for_themselves() -> None:
    assert alike(on(precision=0.0)) == 1
    assert alike(on(threads=None, rate=1000.0)) == 1
    assert alike(on(endpoints=8)) == 1
    assert alike(on(failures=Failures(faults=(Fault(at=1.0, component="storage-1"),)))) == 1


def test_bytes_cross_the_network_as_often_as_among_all_servers() -> None:
    """Clients on the servers of the store find their own data there as rarely as on all of them."""
    beside = on(clients="storage")
    assert alike(beside) == TIMES
    kinds = [ends(layout_of(beside, detail), "storage", own_server=False, in_turn=True) for detail in (WHOLE, LOAD)]
    assert [clients.crossing(clients.group) for clients in kinds] == [1 - 1 / SERVERS] * 2


def test_a_load_alone_is_divided_unless_all_of_it_is_asked_for() -> None:
    assert Detail.of(None, on()) is models.symmetry.LOAD
    assert Detail.of(0.001, on()) is models.symmetry.LOAD
    assert Detail.of(0.0, on()) is WHOLE
