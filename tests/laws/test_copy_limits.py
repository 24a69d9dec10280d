"""What a copy is limited by is true of it: twice as much of a setting that it names shortens it, and of no other."""

from __future__ import annotations

import pytest

from app.reports.held_up import settings
from models.scenario import Scenario
from profiles.loading.loader import load_text
from simulator.result import Result
from simulator.run import simulate

COPY = """
[profile]
title = "A copy"
[cluster.groups.workers]
server = "hdd-25gbe"
count = 4
[cluster.groups.store]
server = "hdd-25gbe"
count = 4
[storage]
use = "minio"
servers = "store"
[workload]
kind = "copy"
files = 48
size = "480 GB"
[workload.origin]
use = "hdfs"
servers = "workers"
[workload.tool]
use = "distcp"
servers = ["workers"]
job_start = "0 s"
process_start = "0 s"
process_spread = "0 s"
"""
TASKS, PROCESSES = "workload.tool.tasks", "workload.tool.processes"
FEWER = 0.8
"""Part of the time that a copy takes at most with twice as much of what limits it. Assumption: it is half, less what
shares drives and cards by then."""


def copied(**changes: int) -> tuple[Scenario, Result]:
    """Return a copy with settings of its tool by the last word of their keys, and its run."""
    keys = {key.rpartition(".")[2]: key for key in (TASKS, PROCESSES)}
    scenario = load_text(COPY, Scenario, {keys[name]: f"{value}" for name, value in changes.items()}).scenario
    return scenario, simulate(scenario, seed=0)


@pytest.mark.parametrize(
    ("few", "key", "twice"),
    [
        ({"tasks": 4, "processes": 8}, TASKS, {"tasks": 8}),
        ({"tasks": 48, "processes": 1}, PROCESSES, {"processes": 2}),
    ],
)
def test_twice_as_much_of_the_setting_that_limits_a_copy_shortens_it(
    few: dict[str, int], key: str, twice: dict[str, int]
) -> None:
    scenario, result = copied(**few)
    assert list(settings(scenario, result)) == [key]
    assert copied(**few | twice)[1].duration < FEWER * result.duration


def test_where_hardware_limits_a_copy_no_setting_is_named_and_none_shortens_it() -> None:
    many = {"tasks": 48, "processes": 12}
    scenario, result = copied(**many)
    assert result.bottleneck.resource == "store/data drives"
    assert settings(scenario, result) == {}
    assert copied(**many | {"processes": 24})[1].duration > 0.95 * result.duration
