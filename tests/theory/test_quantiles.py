"""The quantiles of intervals are those of scipy, which runs do without since its import takes long."""

from __future__ import annotations

import math
import subprocess
import sys

import pytest
from hypothesis import given, strategies as st
from scipy.special import betaincinv, stdtrit

from simulator.requests.estimates import BATCHES
from simulator.requests.quantiles import OF_BATCHES, beta_quantile

RUN = """
import sys
from models.distributions import exponential
from models.requests import Closed, Kind, RequestRun, Station, Visit
from simulator.requests.run import run_requests
kind = Kind("get", (Visit(Station("server"), exponential(0.01)),))
assert run_requests(RequestRun("run", (kind,), Closed(1), 2000)).latency.percentiles["p90"].is_known
sys.exit(any(name.startswith("scipy") for name in sys.modules))
"""


def test_students_t_of_batches_has_one_and_a_half_degrees_of_freedom_each_but_the_first() -> None:
    assert {batches: float(stdtrit(1.5 * (batches - 1), 0.975)) for batches in range(2, BATCHES + 1)} == OF_BATCHES


@pytest.mark.parametrize("requests", [40.0, 333.3, 1e4, 2.5e5, 1e7])
@pytest.mark.parametrize("share", [0.5, 0.9, 0.99, 0.999])
@pytest.mark.parametrize("is_upper", [False, True])
def test_a_share_of_requests_is_known_to_a_thousandth_of_one_of_them(
    requests: float, share: float, is_upper: bool
) -> None:
    below, above = requests * share, max(requests * (1 - share), 18.0)
    part = 0.975 if is_upper else 0.025
    expected = float(betaincinv(below, above, part))
    assert math.isclose(beta_quantile(below, above, part), expected, rel_tol=0, abs_tol=1e-3 / requests)


@pytest.mark.parametrize("requests", [10.0, 321.0, 1e4, 1e7])
@pytest.mark.parametrize("above", [0.1, 0.5, 1.0, 3.2325, 10.0])
@pytest.mark.parametrize("is_upper", [False, True])
def test_a_share_with_hardly_a_request_above_is_known_as_well(requests: float, above: float, is_upper: bool) -> None:
    """The normal distribution from which the search begins reaches beyond all requests there."""
    part = 0.975 if is_upper else 0.025
    expected = float(betaincinv(requests, above, part))
    assert math.isclose(beta_quantile(requests, above, part), expected, rel_tol=0, abs_tol=1e-3 / requests)


amounts = st.floats(-9, 7).map(lambda power: 10.0**power)


@given(amounts, amounts, st.sampled_from([0.025, 0.975]))
def test_a_quantile_lies_between_none_and_all_and_where_it_should_whatever_the_numbers(
    a: float, b: float, part: float
) -> None:
    """Also where the distribution lies at its ends, and is so flat there that no step of Newton's leads anywhere."""
    reached, expected = beta_quantile(a, b, part), float(betaincinv(a, b, part))
    assert 0 <= reached <= 1
    assert math.isclose(reached, expected, rel_tol=0, abs_tol=1e-3 / max(a + b, 1.0))


def test_requests_are_simulated_without_scipy() -> None:
    assert subprocess.run([sys.executable, "-c", RUN], check=False).returncode == 0
