"""Every rule speaks up where it should, and only there."""

from __future__ import annotations

import pytest

from models.advice import Advice
from models.planning.lint import RULES, lint
from models.scenario import Scenario
from profiles.loading.catalog import SHIPPED
from profiles.loading.loader import load

COUNT, SERVER = "cluster.groups.workers.count", "cluster.groups.workers.server"
TO_OBJECTS = {"storage": "amazon-s3"}

CASES = {
    "card-slower-than-drives": ("hdfs-terasort", {f"{SERVER}.nic.bandwidth": "10 Gbit/s"}),
    "unusual-scale": (
        "hdfs-terasort",
        {f"{SERVER}.nic.bandwidth": "5 B/s", "workload.framework.container_start": "100 y"},
    ),
    "card-idle": ("hdfs-terasort", {SERVER: "hdd-100gbe", f"{SERVER}.bays.data.count": "2"}),
    "memory-unknown": ("hdfs-terasort", {SERVER: "hdd-100gbe", f"{SERVER}.nic.bandwidth": "400 Gbit/s"}),
    "node-too-large": ("hdfs-terasort", {SERVER: "hdd-25gbe"}),
    "uneven-racks": ("hdfs-terasort", {"cluster.network.racks": "5"}),
    "one-rack": ("hdfs-terasort", {}),
    "uplink-slower-than-drives": (
        "hdfs-terasort",
        {"cluster.network.racks": "3", "cluster.network.oversubscription": "8"},
    ),
    "nowhere-to-rebuild": ("hdfs-terasort", {COUNT: "3", "workload.input": "1 TB"}),
    "no-room-to-rebuild": ("hdfs-terasort", {COUNT: "4", "workload.input": "15 TB"}),
    "server-takes-data": ("hdfs-terasort", {"storage.replication": "1", "storage.replication_min": "1"}),
    "server-stops-writes": ("minio-terasort", {"cluster.groups.storage.count": "4"}),
    "calls-on-top": ("speedtest-minio-nvme", {"storage.request_cpu": "1 ms"}),
    "two-replicas": ("hdfs-terasort", {"storage.replication": "2", "storage.replication_min": "1"}),
    "staging-on-root": ("minio-terasort", {}),
    "small-parts": ("minio-terasort", {"client.fs.s3a.block.size": "32 MiB"}),
    "renaming-committer": ("minio-terasort", {"client.fs.s3a.committer.name": "file"}),
    "renaming-tool": ("copy-distcp-11-node", TO_OBJECTS),
    "late-containers": ("s3a-tuning", {"workload.framework.locality_delay": "40"}),
    "store-side-compression": ("tpcds-dremio", {"storage.compression": "true"}),
    "many-listings": ("tpcds-hive", {}),
    "too-many-containers": ("hdfs-terasort", {"workload.framework.containers": "80"}),
    "heap-above-memory": ("hdfs-terasort", {"workload.framework.heap": "300 GiB"}),
    "unequal-reduces": ("hdfs-terasort", {"workload.sampled_keys": "2000"}),
    "fewer-keys-than-reduces": ("hdfs-terasort", {"workload.sampled_keys": "700"}),
    "few-shuffle-partitions": ("tpch-minio-nvme", {}),
    "last-shuffle-wave": ("tpch-minio-nvme", {"workload.framework.shuffle_partitions": "600"}),
    "costless-operator": ("tpch-minio-nvme", {"workload.engine.join_cpu": "0 ns"}),
    "nearly-full": ("hdfs-terasort", {COUNT: "4", "workload.input": "15 TB"}),
    "all-reserved": ("hdfs-terasort", {f"{SERVER}.bays.data.drive.capacity": "80 GB", "workload.input": "10 GB"}),
    "fetched-for-nothing": ("copy-distcp-11-node", {"workload.line.rate": "10 Gbit/s", "prices": "on-premises-2024"}),
}
FIXED = {
    "card-slower-than-drives": ("hdfs-terasort", {}),
    "unusual-scale": ("hdfs-terasort", {}),
    "memory-unknown": (
        "hdfs-terasort",
        {
            SERVER: "hdd-100gbe",
            f"{SERVER}.nic.bandwidth": "400 Gbit/s",
            f"{SERVER}.memory_bus.bandwidth": "300 GB/s",
        },
    ),
    "card-idle": ("hdfs-terasort", {}),
    "node-too-large": ("hdfs-terasort", {}),
    "uneven-racks": ("hdfs-terasort", {"cluster.network.racks": "4"}),
    "one-rack": ("hdfs-terasort", {"cluster.network.racks": "4"}),
    "uplink-slower-than-drives": ("hdfs-terasort", {"cluster.network.racks": "3"}),
    "nowhere-to-rebuild": ("hdfs-terasort", {COUNT: "4"}),
    "no-room-to-rebuild": ("hdfs-terasort", {COUNT: "4"}),
    "server-takes-data": ("hdfs-terasort", {}),
    "server-stops-writes": ("minio-terasort", {}),
    "calls-on-top": ("speedtest-minio-nvme", {"storage.request_cpu": "1 ms", "storage.call_cpu": "0 s"}),
    "two-replicas": ("hdfs-terasort", {}),
    "staging-on-root": ("minio-terasort", {"client.fs.s3a.buffer.dir": "nvme"}),
    "small-parts": ("minio-terasort", {}),
    "renaming-committer": ("minio-terasort", {"client.fs.s3a.committer.name": "magic"}),
    "renaming-tool": ("copy-distcp-11-node", TO_OBJECTS | {"workload.tool.direct": "true"}),
    "late-containers": ("s3a-tuning", {}),
    "store-side-compression": ("tpcds-dremio", {}),
    "many-listings": ("tpcds-delta", {}),
    "too-many-containers": ("hdfs-terasort", {}),
    "heap-above-memory": ("hdfs-terasort", {}),
    "unequal-reduces": ("hdfs-terasort", {}),
    "fewer-keys-than-reduces": ("hdfs-terasort", {"workload.sampled_keys": "0"}),
    "few-shuffle-partitions": ("tpch-minio-nvme", {"workload.framework.shuffle_partitions": "600"}),
    "last-shuffle-wave": ("tpch-minio-nvme", {"workload.framework.shuffle_partitions": "576"}),
    "costless-operator": ("tpch-minio-nvme", {}),
    "nearly-full": ("hdfs-terasort", {}),
    "all-reserved": (
        "hdfs-terasort",
        {
            f"{SERVER}.bays.data.drive.capacity": "80 GB",
            "workload.input": "10 GB",
            "planning.reserved_per_drive": "10 GB",
        },
    ),
    "fetched-for-nothing": ("copy-distcp-11-node", {"prices": "on-premises-2024"}),
}


def advice(profile: str, settings: dict[str, str]) -> dict[str, Advice]:
    return {piece.rule: piece for piece in lint(load(profile, Scenario, settings).scenario)}


def test_the_usual_client_of_an_object_store_is_advised_on_as_one_that_is_named() -> None:
    assert "renaming-committer" in advice("hdfs-terasort", {"storage": "ceph"})
    assert "renaming-committer" not in advice("hdfs-terasort", {})


def test_advice_on_one_of_many_workloads_names_it() -> None:
    piece = advice("shared-day", {"workloads.night.framework.heap": "4 TB"})["heap-above-memory"]
    assert piece.key == "workloads.night.framework.heap"


@pytest.mark.parametrize("rule", CASES)
def test_a_rule_speaks_up_and_names_its_source(rule: str) -> None:
    piece = advice(*CASES[rule])[rule]
    assert piece.source
    assert piece.message
    assert piece.key


@pytest.mark.parametrize("rule", FIXED)
def test_a_rule_is_silent_once_its_advice_is_taken(rule: str) -> None:
    assert rule not in advice(*FIXED[rule])


def test_there_is_a_case_for_every_rule() -> None:
    """Some functions hold two rules of the same parts."""
    assert CASES.keys() == FIXED.keys()
    assert len(CASES) >= len(RULES)


@pytest.mark.parametrize("name", SHIPPED.names("benchmarks"))
def test_every_shipped_benchmark_can_be_advised_on(name: str) -> None:
    lint(load(name, Scenario).scenario)


def test_a_last_wave_of_a_few_tasks_is_told_with_the_partitions_that_need_none() -> None:
    piece = advice(*CASES["last-shuffle-wave"])["last-shuffle-wave"]
    assert piece.message == "600 for 576 slots: one more wave, of 24 tasks; 576 need none"
    full = {"workload.framework.shuffle_partitions": "1100"}
    assert "last-shuffle-wave" not in advice("tpch-minio-nvme", full)  # 524 of 576 slots are no waste


def test_warnings_come_before_hints() -> None:
    severities = [piece.severity for piece in lint(load("minio-terasort", Scenario).scenario)]
    assert severities == sorted(severities, reverse=True)
    assert set(severities) == {"warning", "hint"}


def test_a_slow_card_is_told_with_both_rates_and_the_way_out() -> None:
    piece = advice(*CASES["card-slower-than-drives"])["card-slower-than-drives"]
    assert piece.message == "1.25 GB/s for drives of 1.26 GB/s together: the drives wait; take a faster card"
