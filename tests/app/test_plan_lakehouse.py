"""A lakehouse in a plan: it runs alone, grows with the data, and is refused in words of the plan."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.app.conftest import Type
from tests.app.plans import HEAD, written

LAKE = """
[[requirements.workloads]]
name = "suite"
use = "tpcds-delta"
queries = 2
gets = 2000
opens = 40
probes = 40
lists = 10
wanted = "2 GB"
data = "10 GB"
grows = true
deadline = "5 min"
{more}

[[requirements.workloads]]
name = "hourly"
use = "terasort"
input = "2 GB"
deadline = "5 min"

[candidates.MinIO]
storage = "minio"
servers = "hdd-25gbe"
count = "4"
"""


def lake(folder: Path, required: str = "", more: str = "") -> str:
    """Write a plan with a lakehouse and a job, and return its path."""
    return written(folder, f'{HEAD}stored = "50 TB"\n{required}\n{LAKE.format(more=more)}')


def test_a_lakehouse_runs_in_a_plan_as_each_workload_does_that_is_beside_no_other(type_: Type, tmp_path: Path) -> None:
    (candidate,) = json.loads(type_("plan", lake(tmp_path), "--format", "json").out)["candidates"]
    measured = {met["target"]: met["value"] for met in candidate["requirements"]}
    assert all(met["is_met"] for met in candidate["requirements"])
    assert 0 < measured["suite_duration <= 5 min"] < 300
    grown = json.loads(type_("plan", lake(tmp_path, 'annual_growth = "100 %"'), "--format", "json").out)
    longer = {met["target"]: met["value"] for met in grown["candidates"][0]["requirements"]}
    ratio = longer["suite_duration <= 5 min"] / measured["suite_duration <= 5 min"]
    assert 2 < ratio < 8.5  # eight times the data after three years, beside a time that is fixed
    assert longer["hourly_duration <= 5 min"] == measured["hourly_duration <= 5 min"]


def test_what_is_assumed_is_drawn_for_a_plan_whose_workloads_run_apart(type_: Type, tmp_path: Path) -> None:
    (candidate,) = json.loads(type_("plan", lake(tmp_path, 'budget = "400 k USD"'), "--format", "json").out)[
        "candidates"
    ]
    chances = {met["target"]: met["chance"] for met in candidate["requirements"]}
    assert 0 < chances["cost_over_3_years <= 400 k USD"] <= 1
    assert 0 < chances["effective >= 50 TB"] <= 1


def test_a_lakehouse_that_a_plan_puts_beside_a_job_is_refused_with_a_way_out_of_the_plan(
    type_: Type, tmp_path: Path
) -> None:
    ended = type_("plan", lake(tmp_path, more='beside = ["hourly"]'))
    assert ended.status == 2
    assert (
        "a lakehouse is measured on a store that nobody else uses; let it run alone (in a plan: without `beside`)"
        in (ended.err)
    )


def test_why_a_lakehouse_is_not_simulated_while_a_drive_is_down_is_told(type_: Type, tmp_path: Path) -> None:
    told = " ".join(type_("plan", lake(tmp_path, 'while_degraded = "1 drive"')).out.split())
    assert "a lakehouse is measured on a store that is whole" in told
    assert "in a plan requirements.while_degraded" in told


RENTED = """
prices = { use = "aws-on-demand-2019", object_store.egress = "0.01 USD/GB" }

[requirements]
start = "2027-01-01"
years = 2
stored = "50 TB"

[[requirements.workloads]]
name = "suite"
use = "tpcds-delta"
queries = 2
gets = 20000
opens = 4000
probes = 1000
lists = 100
data = "10 GB"
every = "10 min"
deadline = "5 min"

[candidates.S3]
storage = "amazon-s3"
servers = "c5d.18xlarge"
count = "1"
"""


def test_what_a_suite_asks_of_a_rented_store_is_in_the_cost_of_the_plan(type_: Type, tmp_path: Path) -> None:
    path = written(tmp_path, f'kind = "plan"\ntitle = "Hourly"\n{RENTED}')
    (candidate,) = json.loads(type_("plan", path, "--format", "json").out)["candidates"]
    measures = {name: measure["value"] for name, measure in candidate["option"]["measures"].items()}
    asked = 25_000 * 4e-7 + 100 * 5e-6 + measures["suite.egress"] / 1e9 * 0.01
    machines, kept = 2 * 8760 * 3.456 * measures["servers"], 50_000 * 0.023 * 24
    assert measures["cost_over_2_years"] == pytest.approx(machines + kept + 2 * 8760 * 6 * asked)
    assert asked > 0.01
