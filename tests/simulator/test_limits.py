"""The name of what holds a run up: a group while it is busy, else a queue at some of it, or what one request needs."""

from __future__ import annotations

import pytest

from models.scenario import Scenario
from profiles.loading.loader import load
from simulator.limits import named, one_a_request
from simulator.result import Result
from simulator.run import simulate


def busy(result: Result, group: str) -> float:
    return next(group_result.utilization_mean for group_result in result.groups if group_result.group == group)


def test_a_group_that_is_busy_while_it_holds_works_up_keeps_its_name() -> None:
    assert named({"drives": 5.0, "cpu": 5.0}, {"drives": 0.31, "cpu": 0.9}) == {"drives": 5.0, "cpu": 5.0}


def test_a_group_of_which_most_is_idle_meanwhile_is_told_as_a_queue() -> None:
    assert named({"drives": 5.0, "cpu": 5.0}, {"drives": 0.29, "cpu": 0.9}) == {"queue at drives": 5.0, "cpu": 5.0}


def test_a_limit_of_the_tasks_themselves_keeps_its_name() -> None:
    assert named({"one core a task": 5.0}, {"drives": 0.0}) == {"one core a task": 5.0}


def test_what_one_request_needs_is_told_by_the_kind_of_its_group_and_a_delay_by_its_own_name() -> None:
    assert one_a_request("cpu", "storage/cpu") == "one core a request"
    assert one_a_request("slots", "workers/task starts") == "one of workers/task starts a request"
    assert one_a_request("delay", "amazon-s3/first byte") == "amazon-s3/first byte"


def test_the_hash_of_a_request_is_told_as_one_core_and_not_as_processors_that_are_idle() -> None:
    clients = {"workload.request_cpu": "0 s", "workload.byte_cpu": "0 s/B"}  # their core a request counts, too
    calls = dict.fromkeys([f"storage.{part}_cpu" for part in ("request", "call", "drive", "note", "open")], "0 s")
    changed = {"workload.threads": "1", "workload.count": "2000", **clients, **calls}
    result = simulate(load("put-minio-nvme", Scenario, changed).scenario)
    assert busy(result, "storage/cpu") < 0.05
    assert result.bottleneck.resource == "one core a request"
    assert result.bottleneck.share == pytest.approx(0.70, abs=0.05)  # other stages are under way beside it
