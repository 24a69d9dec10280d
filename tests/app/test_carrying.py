"""A load whose clients send at a rate: the store carries what they send until it is full."""

from __future__ import annotations

import json
import math
from pathlib import Path

import pytest

from app.planning.carrying import as_sent, keeps_up
from models.work import Metrics
from tests.app.conftest import Type
from tests.app.plans import HEAD, written

SENT: Metrics = {
    "offered rate": (1000.0, "1/s"),
    "request rate": (980.0, "1/s"),
    "GET throughput": (98e6, "B/s"),
    "GET latency p99": (0.02, "s"),
    "failed": (0.0, "1"),
}
LOAD = """
stored = "50 TB"

[[requirements.workloads]]
name = "store"
kind = "requests"
rate = "40 1/s"
count = 4000
objectives = ["request rate >= 40 1/s", "GET latency p99 <= 1 s"]
mix = { GET = { action = "get", size = "64 KiB" } }

[candidates.MinIO]
storage = "minio"
servers = "hdd-25gbe"
count = "4"
"""


def test_a_store_that_keeps_up_carries_what_is_sent_whatever_a_sample_came_to() -> None:
    told = as_sent(SENT)
    assert told["request rate"] == told["offered rate"] == (1000.0, "1/s")
    assert told["GET throughput"][0] == pytest.approx(100e6)
    assert told["GET latency p99"] == (0.02, "s")


@pytest.mark.parametrize(
    "otherwise",
    [{"GET latency p99": (math.inf, "s")}, {"failed": (3.0, "1")}],
    ids=["requests that wait for ever longer", "requests that fail"],
)
def test_a_store_that_does_not_keep_up_carries_what_was_simulated(otherwise: Metrics) -> None:
    assert not keeps_up({**SENT, **otherwise})
    assert as_sent({**SENT, **otherwise}) == {**SENT, **otherwise}


def test_a_load_of_clients_that_wait_for_their_answers_carries_what_was_simulated() -> None:
    closed = {name: value for name, value in SENT.items() if name != "offered rate"}
    assert as_sent(closed) == closed


def test_a_rate_that_is_asked_for_and_sent_is_met_for_sure_by_a_store_that_is_nearly_idle(
    type_: Type, tmp_path: Path
) -> None:
    (candidate,) = json.loads(type_("plan", written(tmp_path, f"{HEAD}{LOAD}"), "--format", "json").out)["candidates"]
    (rate,) = [met for met in candidate["requirements"] if "request_rate" in met["target"]]
    assert rate["value"] == 40
    assert rate["is_met"]
    assert rate["chance"] > 0.95
