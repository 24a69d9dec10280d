"""Copies as documented: who wins, which scales worse, and the two readings of a document that contradicts itself."""

from __future__ import annotations

from functools import cache
from itertools import product
from pathlib import Path

import pytest

from models.jobs.copy import Copy
from models.scenario import Scenario
from models.storage.clients.s3 import S3Client
from profiles.loading.loader import load
from simulator.result import Result
from simulator.run import simulate
from tests.extent import IS_WHOLE

SEEDS = range(5)


@cache
def seconds(name: str, seed: int = 0) -> float:
    return simulate(load(name, Scenario).scenario, profile=name, seed=seed).duration


@pytest.mark.parametrize("seed", SEEDS)
def test_the_tool_that_runs_second_on_a_fresh_cluster_wins_whatever_the_luck_of_placement(seed: int) -> None:
    """DistCp was the first MapReduce job on the 11 nodes, S3DistCp on the 21."""
    assert seconds("copy-s3distcp-11-node", seed) < seconds("copy-distcp-11-node", seed)
    assert seconds("copy-distcp-21-node", seed) < seconds("copy-s3distcp-21-node", seed)


@pytest.mark.parametrize("seed", SEEDS)
def test_s3distcp_gains_less_from_twice_the_nodes_than_distcp(seed: int) -> None:
    gains = {
        tool: seconds(f"copy-{tool}-11-node", seed) / seconds(f"copy-{tool}-21-node", seed)
        for tool in ("distcp", "s3distcp")
    }
    assert 1.1 < gains["s3distcp"] < gains["distcp"] < 2 * 2 / 3 + 0.1  # a third replica for twice the drives


def test_copies_on_the_master_rank_as_documented() -> None:
    names = ("copy-hdfs-cli-x16", "copy-hdfs-cli-sequential", "copy-gohdfs-sequential")
    assert seconds("copy-s3distcp-11-node") < seconds("copy-hdfs-cli-x8") == pytest.approx(seconds(names[0]), rel=0.02)
    assert [seconds(name) for name in names] == sorted(seconds(name) for name in names)


@pytest.mark.parametrize(
    ("tool", "connector", "named"),
    [
        ("distcp-11-node", "s3a", 1),
        ("s3distcp-11-node", "s3a", 1),
        ("hdfs-cli-x8", "s3a", 1),
        ("gohdfs-sequential", "s3", 100),
    ],
)
def test_a_shipped_tool_brings_what_it_ships_with_and_a_profile_that_names_a_client_keeps_it(
    tool: str, connector: str, named: int
) -> None:
    scenario = load(f"copy-{tool}", Scenario).scenario
    job = scenario.workload
    assert isinstance(job, Copy)
    client = scenario.client_of(job.origin)
    assert isinstance(client, S3Client)
    assert client.connections == named
    alone = scenario.model_copy(update={"client": None}).client_of(job.origin)
    assert alone is job.tool.client
    assert alone is not None
    assert alone.connector == connector


COPY = """
[profile]
title = "A copy from Amazon S3 to four servers"
[cluster.groups.workers]
server = "hdd-25gbe"
count = 4
[storage]
use = "hdfs"
servers = "workers"
[workload]
kind = "copy"
origin = "amazon-s3"
files = 6000
size = "6 TB"
[workload.tool]
use = "distcp"
servers = ["workers"]
tasks = 30
"""

TOOLS = ("distcp-11-node", "s3distcp-11-node", "hdfs-cli-x16", "gohdfs-sequential")
PAIRS = list(product(TOOLS, (1_000, 40)))
COPIES = PAIRS if IS_WHOLE else [pair for at, pair in enumerate(PAIRS) if at % 4 in {0, 3}]
"""Many files and few by each tool; without `make laws` one of the two."""


@pytest.mark.parametrize(("tool", "files"), COPIES)
def test_a_part_of_a_copy_takes_its_part_of_the_time(tool: str, files: int) -> None:
    settings = {
        "cluster.groups.core.server.bays.data.drive.capacity": "100 TB",
        "workload.files": str(files),
        "workload.size": "1 TB",
    }
    whole = simulate(load(f"copy-{tool}", Scenario, settings).scenario)
    part = simulate(load(f"copy-{tool}", Scenario, settings | {"workload.sample": "4000"}).scenario)
    assert not whole.warnings
    assert f"of {files:,} files" in part.warnings[0]
    assert "were simulated and stand for the rest" in part.warnings[0]
    assert part.duration == pytest.approx(whole.duration, rel=0.03)
    assert part.metrics["throughput"][0] == pytest.approx(1e12 / part.duration)
    assert [stage.tasks for stage in part.stages] == [stage.tasks for stage in whole.stages]
    for group, all_of_it in zip(part.groups, whole.groups, strict=True):
        assert group.bytes == pytest.approx(all_of_it.bytes, rel=0.05), group.group  # what is in caches at the end
        assert group.utilization_mean == pytest.approx(all_of_it.utilization_mean, rel=0.06, abs=0.002), group.group


LIMITS: dict[str, dict[str, str]] = {
    "workers/data drives": {},
    "workers/network in": {"cluster.groups.workers.server.nic.bandwidth": "5 Gbit/s"},
    "the tool's bandwidth": {"workload.tool.bandwidth": "10 MB/s"},
}


@pytest.mark.parametrize("limit", LIMITS if IS_WHOLE else ["workers/data drives"])
def test_a_sample_takes_as_long_as_the_whole_whatever_limits_it(limit: str, tmp_path: Path) -> None:
    """Caches fill once, however many files follow, and single tasks are late by chance, by the root of their files."""
    whole, part = _whole_and_part(tmp_path, LIMITS[limit])
    most = max(whole.groups, key=lambda group: group.utilization_mean)
    assert limit in {whole.bottleneck.resource, most.group}
    assert part.duration == pytest.approx(whole.duration, rel=0.01)
    assert max(group.utilization_mean for group in part.groups) <= 1


def test_a_sample_finds_as_much_less_room_in_page_caches_as_it_is_smaller_than_the_copy(tmp_path: Path) -> None:
    """They hold 3 % of the copy, once, but empty ones would hold a fifth of the sample, which stands for the rest."""
    whole, part = _whole_and_part(tmp_path, {}, "5000")
    assert part.duration == pytest.approx(whole.duration, rel=0.03)


def test_what_caches_held_before_a_sample_is_no_part_of_the_copy_and_holds_up_nobody_whom_drives_do_not(
    tmp_path: Path,
) -> None:
    """They hold a part of 168 GB, and 198 are written: of each drive up to two chunks of 120 MB under way count.

    Full caches have two files to go to and fro between, so that drives seek more, and are busy for longer.
    """
    small = {"workload.files": "40000", "workload.size": "66 GB", "workload.tool.threads": "2"}
    whole, part = _whole_and_part(tmp_path, small, "12000")
    assert part.duration == pytest.approx(whole.duration, rel=0.05)
    drives, of_all = ({group.group: group for group in run.groups}["workers/data drives"] for run in (part, whole))
    assert drives.bytes == pytest.approx(of_all.bytes, rel=0.1)
    assert drives.utilization_mean == pytest.approx(of_all.utilization_mean, abs=0.1)


def test_a_sample_of_a_copy_that_page_caches_take_whole_waits_for_no_drive(tmp_path: Path) -> None:
    whole, part = _whole_and_part(tmp_path, {"workload.size": "60 GB"}, "3000")
    assert part.duration == pytest.approx(whole.duration, rel=0.03)
    moved, of_all = ({group.group: group.bytes for group in run.groups} for run in (part, whole))
    assert moved["workers/data drives"] == pytest.approx(of_all["workers/data drives"], rel=0.05)


@pytest.mark.slow
def test_tasks_that_do_not_fill_the_slots_end_as_late_in_proportion(tmp_path: Path) -> None:
    """Of 48 tasks on 30 slots the last 18 run alone: that is no chance, and grows with the files."""
    settings = {"workload.tool.tasks": "48", "workload.tool.bandwidth": "10 MB/s"}
    whole, part = _whole_and_part(tmp_path, settings)
    assert part.duration == pytest.approx(whole.duration, rel=0.03)


def _whole_and_part(folder: Path, settings: dict[str, str], sample: str = "15000") -> tuple[Result, Result]:
    profile = folder / "copy.toml"
    profile.write_text(COPY)
    whole = simulate(load(str(profile), Scenario, settings).scenario)
    part = simulate(load(str(profile), Scenario, settings | {"workload.sample": sample}).scenario)
    assert not any("stand for the rest" in warning for warning in whole.warnings)
    assert any("stand for the rest" in warning for warning in part.warnings)
    return whole, part


def test_a_published_network_gives_the_documented_957_s_only_if_the_upload_moved_nothing() -> None:
    """At 0.8 Gbit/s, 86.5 GB take 865 s one way, and twice that if they go on to HDFS."""
    other = load("copy-hdfs-cli-sequential-published-network", Scenario, {"workload.tool.staging.uploads": "true"})
    assert seconds("copy-hdfs-cli-sequential-published-network") == pytest.approx(957, rel=0.1)
    assert simulate(other.scenario).duration > 2 * 865
