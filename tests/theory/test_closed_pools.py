"""Closed loops beside each other, simulated as one, against mean value analysis of as many classes."""

from __future__ import annotations

from functools import cache

import pytest

from models.distributions import exponential
from models.jobs.object_load import ObjectLoad, Operation
from models.jobs.schedule import Scheduled, scheduled
from models.requests import Closed, Kind, RequestRun, Station, Visit
from models.scenario import ProfileInfo, Scenario
from models.storage.minio.system import Minio
from simulator.requests.run import run_requests
from simulator.result import Result
from simulator.run import simulate
from tests.extent import IS_WHOLE
from tests.models.machines import MB, cluster, hdd, server

SHARED = 0.01  # s at the station that all ask
OWN = (0.02, 0.005)  # s at the station of each loop
COUNT = 200_000


@cache
def rates(first: int, second: int) -> tuple[tuple[float, float], float]:
    """Return the requests a second of two loops of so many clients, and how many are at the shared station."""
    if first + second == 0:
        return (0.0, 0.0), 0.0
    clients = first, second
    pace, held = [0.0, 0.0], 0.0
    for loop in (0, 1):
        if clients[loop]:
            less = [n - (i == loop) for i, n in enumerate(clients)]
            before, queue = rates(*less)
            own = OWN[loop] * (1 + (less[loop] - before[loop] * SHARED * (1 + _seen(loop, *less))))
            shared = SHARED * (1 + queue)
            pace[loop] = clients[loop] / (own + shared)
            held += pace[loop] * shared
    return (pace[0], pace[1]), held


@cache
def _seen(loop: int, first: int, second: int) -> float:
    """Return the queue at the shared station that a request of a loop finds."""
    clients = first, second
    return rates(*[n - (i == loop) for i, n in enumerate(clients)])[1] if clients[loop] else 0.0


@pytest.mark.parametrize("clients", [(1, 1), (4, 4), (3, 12), (20, 2)])
def test_each_loop_goes_as_fast_as_mean_value_analysis_says(clients: tuple[int, int]) -> None:
    shared = Visit(Station("shared"), exponential(SHARED))
    kinds = tuple(
        Kind(f"loop{i}", (Visit(Station(f"own{i}"), exponential(own)), shared), weight=1.0 + 9 * i)
        for i, own in enumerate(OWN)
    )
    loop = Closed(sum(clients), pools=tuple((number, 1) for number in clients))
    result = run_requests(RequestRun("pools", kinds, loop, COUNT, warm_up=0.05), seed=1)
    expected, _ = rates(*clients)
    for i, rate in enumerate(expected):
        assert result.rates[f"loop{i}"].value == pytest.approx(rate, rel=0.02)


def tenants(*threads: int, size: float = 1 * MB) -> Result:
    """Return how loads of so many threads fare beside each other."""
    mix = {"GET": Operation(action="get", size=size), "PUT": Operation(action="put", size=size)}
    load = {"kind": "requests", "clients": "compute", "duration": 60.0, "mix": mix}
    works: list[Scheduled] = [
        scheduled(ObjectLoad)(**load | {"name": f"tenant{i}", "threads": n}) for i, n in enumerate(threads)
    ]
    machines = cluster(storage=(4, server(4, hdd())), compute=(4, server()))
    storage = Minio(system="minio", servers="storage", parity=4)
    return simulate(
        Scenario(profile=ProfileInfo(title="pools"), cluster=machines, storage=storage, workloads=tuple(works))
    )


def test_several_loads_carry_what_one_of_all_their_threads_carries() -> None:
    whole = tenants(20).metrics["request rate"][0]
    for threads in ((10, 10), (4, 4, 4, 4, 4), (15, 5)) if IS_WHOLE else ((15, 5),):
        result = tenants(*threads)
        assert result.metrics["request rate"][0] == pytest.approx(whole, rel=0.03)
        own = [result.metrics[f"tenant{i}.request rate"][0] for i in range(len(threads))]
        assert own == pytest.approx([whole * n / 20 for n in threads], rel=0.06)


def test_what_limits_loads_that_no_job_is_beside_is_named() -> None:
    assert tenants(10, 10).bottleneck.resource == "storage/data drives"
