"""Copies of many small files: what a NameNode answers a second, and what one process waits for."""

from __future__ import annotations

import pytest

from models.scenario import Scenario
from profiles.loading.loader import load
from simulator.result import Result
from simulator.run import simulate

FILES, TASKS = 20_000, 4
SMALL = {
    "cluster.groups.workers.count": "10",
    "storage": "hdfs",
    "workload": "{kind = 'copy', origin = {use = 'hdfs', servers = 'workers'}, files = 20000, size = '20 MB'}",
    "workload.tool": "distcp",
    "workload.tool.servers": "['workers']",
    "workload.tool.job_start": "0 s",
    "workload.tool.process_start": "0 s",
    "workload.tool.master_places": "0",
}
LOOKUPS, CHANGES = 3 + 5, 4  # found, opened, summed; found, summed, promoted; created, a block, completed, renamed
SERVED = LOOKUPS / 126119 + CHANGES / 5600
ALONE = SERVED + LOOKUPS * 0.4e-3 + CHANGES * (0.4e-3 + 2e-3)


UNWAITED = {"storage.setup_time": "0 s", "storage.close_delay": "0 s"}
WAITED = 3 * 2.4e-3 + 0.4 * 0.65 / 9  # three DataNodes set up; a close waits for a report, of which two are spare


def copied(tasks: int, changes: dict[str, str] = UNWAITED) -> Result:
    return simulate(load("hdfs-teragen", Scenario, SMALL | changes | {"workload.tool.tasks": str(tasks)}).scenario)


def test_a_process_waits_for_each_call_about_each_of_its_files() -> None:
    result = copied(TASKS)
    assert result.duration == pytest.approx(FILES / TASKS * ALONE, rel=0.1)  # they meet now and then
    assert result.bottleneck.resource == "calls to the NameNode"


def test_a_process_waits_for_datanodes_and_their_reports_about_each_of_its_files() -> None:
    result = copied(TASKS, {})
    assert result.duration == pytest.approx(FILES / TASKS * (ALONE + WAITED), rel=0.1)
    assert result.bottleneck.resource == "waiting for each block"


def test_many_processes_copy_as_many_files_a_second_as_the_namenode_takes() -> None:
    result = copied(80)
    assert result.duration == pytest.approx(FILES * SERVED, rel=0.05)
    assert result.bottleneck.resource == "hdfs/namenode"
