"""Loads of requests on cards that burst on credits, against the mean rate of a token bucket over their time."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

from models.hardware.server import Nic
from models.planning.lint import lint
from models.scenario import Scenario
from profiles.loading.loader import load
from simulator.run import simulate

NIC = Nic.model_validate({"bandwidth": 1000.0, "baseline": 100.0, "burst_time": 60.0, "efficiency": 1.0})
MIB = 2.0**20
PROFILE = """
storage = "amazon-s3"

[profile]
title = "GET of 32 MiB from Amazon S3, one m5.2xlarge"

[cluster.groups.clients]
count = 1
server = "m5.2xlarge"
source = "assumed: one client"

[workload]
kind = "requests"
clients = "clients"
threads = 48
source = "assumed: as many as fill the card"

[workload.mix.GET]
action = "get"
size = "32 MiB"
source = "assumed: large objects"
"""
BURST, BASELINE, PAYLOAD = 10e9 / 8, 2.5e9 / 8, 1448 / 1538
"""Rates of the card, and the payload of packets of 1500 bytes: EC2 User Guide."""


@pytest.mark.parametrize(
    ("seconds", "rate"), [(1.0, 1000.0), (60.0, 1000.0), (120.0, 100 + 60 * 900 / 120), (math.inf, 100.0)]
)
def test_a_card_carries_its_baseline_and_its_credits_over_a_time(seconds: float, rate: float) -> None:
    assert NIC.mean_rate(seconds) == pytest.approx(rate)


def test_a_card_without_credits_is_as_fast_for_ever() -> None:
    assert Nic.model_validate({"bandwidth": 1000.0, "efficiency": 1.0}).mean_rate(math.inf) == 1000.0


@pytest.mark.parametrize(
    ("length", "rate"),
    [
        ("count = 2000", BURST),
        ('duration = "60 s"', BURST),
        ('duration = "1 h"', BASELINE + (BURST - BASELINE) / 2),  # its credits carry half an hour
        ('duration = "60 s"\ncredits = "spent"', BASELINE),
    ],
)
def test_a_load_has_the_credits_of_its_time(tmp_path: Path, length: str, rate: float) -> None:
    path = tmp_path / "load.toml"
    path.write_text(PROFILE.replace("threads = 48\n", f"threads = 48\n{length}\n"), encoding="utf-8")
    scenario = load(str(path), Scenario).scenario
    result = simulate(scenario, profile="load")
    assert result.metrics["throughput"][0] == pytest.approx(rate * PAYLOAD, rel=0.02)
    warned = [advice.key for advice in lint(scenario) if advice.rule == "load-on-credits"]
    assert warned == (["workload.credits"] if rate > BASELINE else [])
    assert any("'spent' where it goes on" in warning for warning in result.warnings) == bool(warned)
