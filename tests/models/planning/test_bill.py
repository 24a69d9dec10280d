"""What workloads ask of a rented store over years: loads all the time, jobs as often as they come."""

from __future__ import annotations

import math

import pytest

from models.planning.bill import bill, traffic
from models.problem import ProblemError
from models.scenario import Scenario
from models.units import DAY, YEAR
from models.work import Metrics
from profiles.loading.loader import load_text

STORE = """
storage = "amazon-s3"
prices = { use = "aws-on-demand-2019", object_store.egress = "0.09 USD/GB" }
[profile]
title = "Two workloads on a rented store"
[cluster.groups.workers]
server = "c5d.18xlarge"
count = 4
"""
LOAD = """
[[workloads]]
name = "store"
kind = "requests"
clients = "workers"
rate = "500 1/s"
count = 1000
mix = { PUT = { action = "put", size = "1 MB", weight = 1 }, GET = { action = "get", size = "2 MB", weight = 4 } }
"""
NIGHTLY = """
[[workloads]]
name = "nightly"
use = "terasort"
framework = "yarn"
input = "2 GB"
every = "1 d"
until = "1 d"
"""
ASKED: Metrics = {
    "nightly.GET requests": (3e6, "1"),
    "nightly.HEAD requests": (1e6, "1"),
    "nightly.PUT requests": (2e5, "1"),
    "nightly.DELETE requests": (1e9, "1"),
    "nightly.egress": (1e12, "B"),
    "store.request rate": (250.0, "1/s"),
}
A_NIGHT = 4e6 * 4e-7 + 2e5 * 5e-6 + 1000 * 0.09  # 1.6 USD of reads, 1 USD of writes, 90 USD for 1 TB


def asked(text: str, metrics: Metrics | None) -> float:
    """Return what a year of requests comes to (USD)."""
    priced = bill(load_text(text, Scenario).scenario, metrics)
    assert priced is not None
    return priced.asked


def a_year_of(rate: float) -> float:
    """Return what a year of the load comes to at a rate: a fifth of it writes, four fifths read 2 MB each."""
    return YEAR * rate * (0.2 * 5e-6 + 0.8 * (4e-7 + 2e-3 * 0.09))


def test_a_job_that_comes_again_is_charged_as_often_as_it_comes() -> None:
    assert asked(STORE + NIGHTLY, ASKED) == pytest.approx(365 * A_NIGHT)
    weekly = NIGHTLY.replace('every = "1 d"', 'every = "7 d"')
    assert asked(STORE + weekly, ASKED) == pytest.approx(365 / 7 * A_NIGHT)


def test_requests_of_a_job_that_comes_once_or_was_not_run_are_not_in_a_year() -> None:
    once = NIGHTLY.replace('every = "1 d"\nuntil = "1 d"\n', "")
    assert asked(STORE + once, ASKED) == 0
    assert asked(STORE + NIGHTLY, None) == 0


def test_a_job_alone_that_comes_again_is_charged_as_often_as_one_of_many() -> None:
    """Its metrics have no name in front, and servers that are given back are up while it runs."""
    alone = NIGHTLY.replace("[[workloads]]", "[workload]").replace('name = "nightly"\n', "")
    alone = alone.replace('until = "1 d"\n', "")
    metrics = {key.removeprefix("nightly."): value for key, value in ASKED.items()} | {"duration": (DAY / 4, "s")}
    assert asked(STORE + alone, metrics) == pytest.approx(365 * A_NIGHT)
    assert asked(STORE + alone.replace('every = "1 d"\n', ""), metrics) == 0
    given_back = STORE.replace('{ use = "aws', '{ rented_part = "0.1 %", use = "aws')
    whole, quarter = (bill(load_text(text + alone, Scenario).scenario, metrics) for text in (STORE, given_back))
    assert whole is not None
    assert quarter is not None
    assert whole.per_year - quarter.per_year == pytest.approx(0.75 * 4 * 3.456 * YEAR / 3600)


def test_a_load_alone_goes_on_and_does_not_come_again() -> None:
    alone = LOAD.replace("[[workloads]]", "[workload]").replace('name = "store"', 'every = "1 d"')
    with pytest.raises(ProblemError, match="goes on all the time"):
        load_text(STORE + alone, Scenario)


def test_each_of_several_workloads_is_charged_for_what_it_asks() -> None:
    assert asked(STORE + LOAD + NIGHTLY, ASKED) == pytest.approx(a_year_of(250) + 365 * A_NIGHT)
    assert asked(STORE + LOAD + NIGHTLY, None) == pytest.approx(a_year_of(500))  # as it is stated, before any run


GROWTH = """
[growth]
start = "2027-01-01"
stored = "1 PB"
annual_growth = "40 %"
"""


@pytest.mark.parametrize("grown", [1.0, 1.4**3])
def test_what_a_growing_job_asks_grows_with_its_data_from_what_its_run_asked(grown: float) -> None:
    text = STORE + LOAD + NIGHTLY + GROWTH + 'growing_workloads = ["nightly"]\n'
    scenario = load_text(text, Scenario).scenario
    growing, still = bill(scenario, ASKED, grown), bill(load_text(STORE + LOAD + NIGHTLY, Scenario).scenario, ASKED)
    assert growing is not None
    assert still is not None
    assert growing.asked == pytest.approx(a_year_of(250) + 365 * A_NIGHT / grown)
    jobs = 365 * A_NIGHT / grown * (1.4**3 - 1) / math.log(1.4)
    assert growing.requested(3) == pytest.approx(3 * a_year_of(250) + jobs, rel=1e-4)
    assert still.requested(3) == pytest.approx(3 * (a_year_of(250) + 365 * A_NIGHT))


def test_a_run_of_a_job_is_charged_for_what_it_asked_itself() -> None:
    scenario = load_text(STORE + NIGHTLY, Scenario).scenario.alone("nightly")
    own = {name.removeprefix("nightly."): value for name, value in ASKED.items()}
    sent = traffic(scenario, own, 100.0)
    assert (sent.reads, sent.writes, sent.egress) == (4e6, 2e5, 1e12)
