"""Settings of a shuffle that keep drives busy with more than its bytes are told of the drives that hold it."""

from __future__ import annotations

import pytest

from models.planning.settings import behind
from models.scenario import Scenario
from profiles.loading.loader import load

DRIVES = "workers/data drives"
REDUCES, HEAP, SPLITS = "workload.reduces", "workload.framework.heap", "workload.split_minsize"
SPARK = {"workload.engine": "spark-3", "workload.framework": "yarn", "workload.input": "1 TB"}


def told(changes: dict[str, str], limit: str = DRIVES) -> dict[str, str]:
    """Return what is told of a limit of a sort on twelve servers of hard drives, by key."""
    scenario = load("hdfs-terasort", Scenario, changes).scenario
    return {advice.key: advice.message for advice in behind(scenario, limit)}


def test_spark_as_shipped_has_as_many_reduces_as_maps_and_blocks_of_a_few_kilobytes() -> None:
    """1 TB in 7,451 splits of which 0.555 are left: 1e12 x 0.555 / 7451 / 7451."""
    message = told(SPARK)[REDUCES]
    assert "7,451 maps and 7,451 reduces make blocks of 9.997 kB, each read apart" in message
    assert HEAP not in told(SPARK)


def test_reduces_that_their_memory_does_not_hold_are_told_to_spill() -> None:
    """Of a heap of 1 GiB a task has 0.6 without 300 MiB, and a record of 100 B takes 166 of it."""
    few = told(SPARK | {REDUCES: "384"})
    memory = 0.6 * (2**30 - 300 * 2**20) / 1.66
    assert list(few) == [HEAP]
    assert f"its memory holds {memory / 1e6:.1f} MB" in few[HEAP]
    assert "95% is spilled" in told(SPARK | {REDUCES: "192"})[HEAP]


def test_more_memory_leaves_larger_splits_as_the_way_out_and_both_leave_none() -> None:
    roomy = SPARK | {REDUCES: "2000", HEAP: "220 GiB"}
    assert list(told(roomy | {SPLITS: "512 MiB"})) == [REDUCES]
    assert list(told(SPARK | {REDUCES: "3000"})) == [SPLITS, HEAP]
    assert not told(SPARK | {REDUCES: "768", HEAP: "230 GiB", "workload.input": "400 GB", SPLITS: "4 GiB"})


@pytest.mark.parametrize("limit", ["workers/root drives", "storage/data drives", "workers/network in"])
def test_other_hardware_names_no_setting_of_the_shuffle(limit: str) -> None:
    assert not told(SPARK, limit)


def test_hadoop_is_told_of_more_reduces_than_run_at_a_time_and_of_no_memory() -> None:
    assert not told({})
    assert list(told({REDUCES: "8000"})) == [REDUCES]


SUITE = {
    "cluster.groups.compute.server": "hdd-25gbe",
    "workload.framework.local_dirs": "data",
    "workload.framework.shuffle_partitions": "20000",
}


def told_of_suite(changes: dict[str, str]) -> dict[str, str]:
    """Return what is told of the drives that hold the exchanges of TPC-H."""
    scenario = load("tpch-minio-nvme", Scenario, SUITE | changes).scenario
    return {advice.key: advice.message for advice in behind(scenario, "compute/data drives")}


def test_a_suite_of_many_more_partitions_than_slots_is_told_how_small_its_blocks_are() -> None:
    message = told_of_suite({})["workload.framework.shuffle_partitions"]
    assert "20,000 tasks behind an exchange get blocks of " in message
    assert "kB at most, each read apart" in message


def test_a_suite_whose_partitions_run_at_once_or_stay_in_memory_is_told_nothing() -> None:
    assert not told_of_suite({"workload.framework.shuffle_partitions": "500"})
    assert not told_of_suite({"workload.engine.exchanges": "memory"})
