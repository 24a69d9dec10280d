"""Copies from and to servers' own drives: the rate of the slower drive, and the network only between servers."""

from __future__ import annotations

from pathlib import Path

import pytest

from models.scenario import Scenario
from profiles.loading.loader import load
from simulator.result import Result
from simulator.run import simulate

CLUSTER = """
[profile]
title = "Copies from and to servers' own drives"

[cluster.groups.edge]
server = "hdd-25gbe"
count = 1
[cluster.groups.workers]
server = "hdd-25gbe"
count = 2
"""
FILE = 40e9
OPENED = 0.03
"""Seconds of a seek, half a turn and a system call at either end, at most."""


def copied(tmp_path: Path, tool: str, origin: str, target: str, files: int = 1) -> Result:
    path = tmp_path / "copy.toml"
    work = f"""
[storage]
use = "local"
servers = "{target}"
[workload]
kind = "copy"
files = {files}
size = "{files * FILE / 1e9:.0f} GB"
origin = {{ use = "local", servers = "{origin}" }}
tool = {{ servers = ["{tool}"], processes = 1, job_start = "3 s" }}
"""
    path.write_text(CLUSTER + work, encoding="utf-8")
    return simulate(load(str(path), Scenario).scenario)


def moved(result: Result, group: str) -> float:
    return next((part.bytes for part in result.groups if part.group == group), 0.0)


@pytest.mark.parametrize("tool", ["edge", "workers"])
def test_a_file_goes_from_drive_to_drive_at_the_rate_of_the_slower(tool: str, tmp_path: Path) -> None:
    result = copied(tmp_path, tool, "edge", "workers")
    drive = load("hdfs-terasort", Scenario, {"cluster": "12-storage-and-12-compute"}).scenario
    bay = drive.cluster.groups["storage"].server.bays["data"].drive
    assert result.duration == pytest.approx(3 + FILE / min(bay.read_bandwidth, bay.write_bandwidth), abs=OPENED)
    assert moved(result, "edge/network out") == pytest.approx(FILE)


def test_a_server_that_copies_its_own_files_needs_no_network_until_it_helps_others(tmp_path: Path) -> None:
    alone = copied(tmp_path, "edge", "edge", "edge")
    assert moved(alone, "edge/network out") == 0.0
    assert moved(alone, "edge/data drives") == pytest.approx(2 * FILE)
    shared = copied(tmp_path, "workers", "workers", "workers", files=20)
    assert moved(shared, "workers/data drives") == pytest.approx(40 * FILE)
    assert (
        moved(shared, "workers/network out") < 0.35 * 20 * FILE
    )  # read over the network: those of the server with more
