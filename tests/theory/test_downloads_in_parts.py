"""Downloads of an object in parts against their closed form: the first part alone, and then rounds of the others.

Of n parts, c at a time, each of which takes the time t, a download lasts t (1 + ceil((n - 1) / c)).
"""

from __future__ import annotations

import math

import pytest

from models.scenario import Scenario
from profiles.loading.loader import load
from simulator.run import simulate

MIB = 2.0**20
FIRST_BYTE, PACE = 0.013, 101e6
PARTS = 16


def duration(**mix: str) -> float:
    """Return the median time (s) of a GET of 1 GiB by one client with ample cores and network, without tails."""
    overrides = {
        "workload.threads": "1",
        "workload.count": "30",
        "storage.first_byte_spread": "0",
        "storage.first_byte_tail": "0",
        "workload.mix.GET.size": "1 GiB",
        **{f"workload.mix.GET.{key}": value for key, value in mix.items()},
    }
    result = simulate(load("published-s3-m5d-24xlarge-32mib-1", Scenario, overrides=overrides).scenario)
    return result.requests[0].latency["p50"].value


@pytest.mark.parametrize("at_once", [1, 4, 5, 15, 40])
def test_a_download_lasts_one_part_and_as_many_rounds_as_the_others_need(at_once: int) -> None:
    rounds = 1 + math.ceil((PARTS - 1) / at_once)
    part = FIRST_BYTE + 64 * MIB / PACE
    assert duration(part_size="64 MiB", parts_at_once=str(at_once)) == pytest.approx(rounds * part, rel=0.02)


def test_parts_one_after_the_other_take_as_long_as_the_object_and_a_first_byte_each() -> None:
    one_by_one = duration(part_size="64 MiB", parts_at_once="1")
    assert one_by_one - duration() == pytest.approx((PARTS - 1) * FIRST_BYTE, rel=0.1)
