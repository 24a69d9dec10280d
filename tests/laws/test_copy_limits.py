"""What a copy is limited by is true of it: twice as much of a setting that it names shortens it, and of no other."""

from __future__ import annotations

import pytest

from app.reports.held_up import settings
from models.scenario import Scenario
from profiles.loading.loader import load_text
from simulator.result import Result
from simulator.run import simulate
from tests.laws.lone_jobs import slowed, time_taken
from tests.laws.miniatures import changed

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


STAGED = """
[profile]
title = "A copy whose parts lie on a drive of its servers until they are uploaded"
[cluster.groups.workers]
count = 4
[cluster.groups.workers.server]
use = "hdd-25gbe"
bays.data.count = 1
[cluster.groups.store]
count = 4
[cluster.groups.store.server]
use = "hdd-25gbe"
bays.data.count = 6
[storage]
system = "ceph"
servers = "store"
gateways = "store"
[workload]
kind = "copy"
files = 96
size = "60 GB"
[workload.origin]
use = "amazon-s3"
[workload.tool]
use = "distcp"
servers = ["workers"]
tasks = 48
processes = 12
job_start = "0 s"
[workload.tool.client]
connector = "s3a"
[workload.tool.client.fs.s3a.buffer]
dir = "data"
"""


def test_drives_to_which_caches_drain_while_nobody_waits_limit_no_copy() -> None:
    """They are as busy as the drives of the store for which its uploads wait, and have nothing that must be done."""
    scenario = load_text(STAGED, Scenario).scenario
    result = simulate(scenario)
    busy = {group.group: group.utilization_mean for group in result.groups}
    assert busy["workers/data drives"] > 0.6
    assert result.bottleneck.resource == "store/data drives"
    assert result.bottleneck.share > 0.6  # a third of that would be booked on the others, were each wait booked on both
    slower = {
        group: time_taken(simulate(changed(scenario, slowed(f"{group}/data drives")))) for group in ("workers", "store")
    }
    assert slower["workers"] < 1.02 * time_taken(result)
    assert slower["store"] > 1.3 * time_taken(result)
