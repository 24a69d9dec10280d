"""The name of what holds a run up: a group while it is busy, else a queue at some of it, or what one request needs."""

from __future__ import annotations

import pytest

from models.scenario import Scenario
from profiles.loading.loader import load
from simulator.limits import named, one_a_request, spared
from simulator.result import Result
from simulator.run import simulate


def busy(result: Result, group: str) -> float:
    return next(group_result.utilization_mean for group_result in result.groups if group_result.group == group)


def told(held: dict[str, float], used: dict[str, float]) -> dict[str, float]:
    """Return limits by their names where all groups have several members."""
    return named(held, used, used)


def test_a_lone_member_of_a_group_has_no_others_that_could_be_idle() -> None:
    assert named({"gateway": 5.0}, {"gateway": 0.1}, frozenset()) == {"gateway": 5.0}


def test_a_group_spares_no_more_of_the_time_than_the_busiest_of_the_others_is_idle() -> None:
    """Twice the network leaves drives that are busy for 95 %: 5 %, where twice the drives may spare 40 %."""
    assert spared({"network": 57.0, "drives": 43.0}, {"network": 0.6, "drives": 0.95}) == pytest.approx(
        {"network": 100 * 5 / 45, "drives": 100 * 40 / 45}
    )


def test_what_is_no_group_keeps_its_seconds_and_groups_that_nothing_spares_keep_theirs() -> None:
    held = {"network": 60.0, "drives": 30.0, "container starts": 10.0}
    assert spared(held, {"network": 1.0, "drives": 1.0}) == held
    assert spared(held, {"network": 0.2, "drives": 0.9})["container starts"] == 10.0
    assert spared({"drives": 5.0, "one stream": 5.0}, {"drives": 0.9, "cpu": 1.0}) == {"drives": 5.0, "one stream": 5.0}


def test_a_group_that_is_busy_while_it_holds_works_up_keeps_its_name() -> None:
    assert told({"drives": 5.0, "cpu": 5.0}, {"drives": 0.31, "cpu": 0.9}) == {"drives": 5.0, "cpu": 5.0}


def test_a_group_of_which_most_is_idle_meanwhile_is_told_as_a_queue() -> None:
    assert told({"drives": 5.0, "cpu": 5.0}, {"drives": 0.29, "cpu": 0.9}) == {"queue at drives": 5.0, "cpu": 5.0}


def test_a_limit_of_the_tasks_themselves_keeps_its_name() -> None:
    assert told({"one core a task": 5.0}, {"drives": 0.0}) == {"one core a task": 5.0}


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
