"""Little's law in every phase of the shipped suites of requests: clients under way are rate times latency.

A run compares both sides of the law itself and refuses to answer where they differ; here its answers are held to it.
"""

from __future__ import annotations

from functools import cache

import pytest

from models.build import build
from models.jobs.lakehouse import Lakehouse
from models.jobs.lakehouse_plan import LakehousePlan
from models.requests import Closed
from simulator.requests.run import RequestResult, run_requests
from tests.laws.miniatures import miniature, shipped

SUITES = shipped(Lakehouse)


@cache
def phases(name: str) -> list[tuple[int, RequestResult]]:
    """Return the clients of each phase of a miniature, and how it goes."""
    plan = build(miniature(name), 0)
    assert isinstance(plan, LakehousePlan)
    pairs = []
    for run in plan.runs():
        assert isinstance(run.loop, Closed)
        pairs.append((run.loop.clients, run_requests(run)))
    return pairs


@pytest.mark.parametrize("name", SUITES)
def test_requests_under_way_are_the_rate_times_their_mean_latency(name: str) -> None:
    """Rate and latency are of the time in which all clients have something to send, which ends before a phase does.

    The rates of the kinds are those measured, of the same requests as the latency; the rate of a whole phase is that of
    kinds and sizes as expected.
    """
    for clients, result in phases(name):
        assert result.little[0] == pytest.approx(result.little[1], rel=0.01)
        under_way = sum(rate.value for rate in result.rates.values()) * result.latency.mean.value
        assert 0.99 * result.little[0] <= under_way <= 1.01 * clients


@pytest.mark.parametrize("name", SUITES)
def test_no_more_requests_are_under_way_than_there_are_clients(name: str) -> None:
    """Fewer, where a client computes on what it has read, or a short phase ends with some of its clients idle."""
    for clients, result in phases(name):
        assert 0 < result.little[0] <= clients * (1 + 1e-9)
