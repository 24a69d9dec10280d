"""Samples of copies of which page caches hold much: as long as the copy, which is as long as by hand."""

from __future__ import annotations

from pathlib import Path

import pytest

from models.scenario import Scenario
from profiles.loading.loader import load
from simulator.result import Result
from simulator.run import simulate

GB, SERVERS, DRIVES, TASKS, RATE = 1e9, 4, 2, 40, 0.1e9
COPY = """
[profile]
title = "A copy from Amazon S3 to four servers of much memory, each file once"
[cluster.groups.workers]
server = "hdd-25gbe"
count = 4
[storage]
use = "hdfs"
servers = "workers"
replication = 1
setup_time = "0 s"
close_delay = "0 s"
[workload]
kind = "copy"
origin = "amazon-s3"
[workload.tool]
use = "distcp"
servers = ["workers"]
processes = 10
tasks = 40
job_start = "0 s"
process_start = "0 s"
start_cpu = "0 s"
master_places = 0
bandwidth = "100 MB/s"
"""


def copied(folder: Path, files: int, settings: dict[str, str]) -> tuple[Result, Scenario]:
    """Return the copy of so many files of 1 GiB by 40 processes, each at 100 MB/s, to 8 drives, and its scenario."""
    profile = folder / "copy.toml"
    profile.write_text(COPY)
    sizes = {
        "workload.files": str(files),
        "workload.size": f"{files * 2**30} B",
        "cluster.groups.workers.server.bays.data.count": str(DRIVES),
        "cluster.groups.workers.server.memory.size": "1 TB",
    }
    scenario = load(str(profile), Scenario, sizes | settings).scenario
    return simulate(scenario), scenario


@pytest.mark.parametrize("times", [0.5, 1.5, 3.0])
def test_a_copy_goes_as_fast_as_its_processes_until_caches_are_full_and_then_as_fast_as_drives(
    times: float, tmp_path: Path
) -> None:
    """Of what drives write meanwhile caches need no room: D / (C - d) seconds at C, and then at d."""
    _, scenario = copied(tmp_path, 40, {})
    server = scenario.cluster.groups["workers"].batches()[0].server
    room = SERVERS * server.memory.dirty_share * server.memory.page_cache(10 * GB)
    fast, drains = TASKS * RATE, SERVERS * DRIVES / server.bays["data"].drive.write_cost("buffered")
    files = 40 * round(times * room / 2**30 / 40)
    size, fills = files * 2**30, room / (fast - drains)
    by_hand = size / fast if size < fast * fills else fills + (size - fast * fills) / drains
    whole, _ = copied(tmp_path, files, {})
    part, _ = copied(tmp_path, files, {"workload.sample": str(8 * files // 5)})
    assert whole.duration == pytest.approx(by_hand, rel=0.05)
    assert part.duration == pytest.approx(by_hand, rel=0.06)
