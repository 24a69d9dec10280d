"""What `simulate plan` says of a miss: which option is nearest, what no number of servers mends, what is mistyped."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.app.conftest import Type

STORE = """
kind = "plan"
title = "A store"
prices = "on-premises-2024"

[requirements]
start = "2027-01-01"
years = 2
stored = "1 PB"
{required}

[candidates.HDFS]
storage = "hdfs"
servers = "hdd-25gbe"
count = "20..40:10"
{stated}
"""
VIEWERS = """
[[requirements.workloads]]
name = "viewers"
kind = "requests"
rate = "40 1/s"
objectives = ["{objective}"]
[requirements.workloads.mix.GET]
action = "get"
size = "8 MiB"
"""


@pytest.fixture
def store(tmp_path: Path) -> Callable[..., str]:
    """Return a function that writes a plan with some requirements and returns its path."""

    def write(required: str, stated: str = "") -> str:
        path = tmp_path / "plan.toml"
        path.write_text(STORE.format(required=required, stated=stated), encoding="utf-8")
        return f"{path}"

    return write


def test_of_options_that_all_miss_one_requirement_the_nearest_is_the_cheapest_that_misses_no_other(
    type_: Type, store: Callable[..., str]
) -> None:
    ended = type_("plan", store('annual_growth = "10 %"\nsurvives_writing = "1 rack"'), "--format", "json")
    (candidate,) = json.loads(ended.out)["candidates"]
    assert ended.status == 1
    assert candidate["option"]["values"]["cluster.groups.servers.count"] == "30"
    missed = [met["target"] for met in candidate["requirements"] if met["is_met"] is False]
    assert missed == ["survives_writing_racks >= 1"]


def test_what_no_number_of_servers_meets_is_named_with_the_way_out(type_: Type, store: Callable[..., str]) -> None:
    text = " ".join(type_("plan", store('survives_writing = "1 rack"')).out.split())
    assert "each misses: Any 1 rack may fail, data is written (all servers stand in one rack" in text
    assert type_("plan", store('survives_writing = "1 rack"', "network = { racks = 4 }")).status == 0


def test_limits_are_told_in_the_units_of_people(type_: Type, store: Callable[..., str]) -> None:
    text = " ".join(type_("plan", store('power = "10 kW"\ncarbon = "20 t"')).out.split())
    assert "at most 10 kW" in text
    assert "at most 20 t" in text
    assert " kg" not in text


@pytest.mark.parametrize(
    ("objective", "told"),
    [
        ("GET latency p95 <= 900 ms", "there is no measure 'get_latency_p95'; did you mean 'get_latency_p99'?"),
        ("GET latency p99 <= 900 MB", "expected a time such as '8 ms' or '15 min' (got '900 MB')"),
    ],
)
def test_an_objective_that_nothing_is_measured_by_is_refused_at_its_line(
    type_: Type, store: Callable[..., str], objective: str, told: str
) -> None:
    ended = type_("plan", store(VIEWERS.format(objective=objective)))
    assert ended.status == 2
    assert f"plan.toml:15: requirements.workloads.0.objectives.0: {told}" in ended.err
