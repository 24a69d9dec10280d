"""`simulate replay`: observed work on the cluster where it was observed, and on others."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.app.conftest import Type

PROFILE = """
[profile]
title = "A history of two stages"
[cluster.groups.workers]
count = 2
[cluster.groups.workers.server]
use = "nvme-25gbe"
cpu = { cores = 4, threads = 4, speed = 1.0, smt_yield = 1.0 }
[storage]
use = "amazon-s3"
"""
WORK = """
[workload]
kind = "observed"
[workload.framework]
use = "spark"
servers = "workers"
[[workload.stages]]
name = "0"
query = "sql 1"
tasks = [{ count = 16, cpu = "3 s" }]
[[workload.stages]]
name = "1"
query = "sql 2"
after = ["0"]
tasks = [{ count = 8, cpu = "1 s", wait = "2 s" }]
"""
STORING = '[workload]\nkind = "storing"\ndata = "1 TB"\n'


@pytest.fixture
def mine(tmp_path: Path) -> str:
    """Return a folder as an import writes it."""
    folder = tmp_path / "my-cluster"
    folder.mkdir()
    (folder / "profile.toml").write_text(PROFILE + WORK)
    return str(folder)


@pytest.fixture
def faster(tmp_path: Path) -> str:
    """Return a candidate of half as many servers with four times the cores of twice the speed, and no work."""
    text = PROFILE.replace("cores = 4, threads = 4, speed = 1.0", "cores = 16, threads = 16, speed = 2.0")
    path = tmp_path / "faster.toml"
    path.write_text(text.replace("count = 2", "count = 1").replace("workers", "machines") + STORING)
    return str(path)


def test_core_seconds_scale_with_the_processor_and_executors_fill_its_cores_while_waits_stay(
    type_: Type, mine: str, faster: str
) -> None:
    ended = type_("replay", mine, "--on", faster, "--workers", "1", "--format", "json")
    assert (ended.status, ended.err) == (0, "")
    data = json.loads(ended.out)
    assert data["schema"] == "headroom.replay/1"
    assert [(cluster["name"], cluster["servers"], cluster["slots"]) for cluster in data["clusters"]] == [
        ("my-cluster", 2, 8),
        ("faster", 1, 16),
    ]
    assert [cluster["duration_s"] for cluster in data["clusters"]] == pytest.approx([6 + 3, 1.5 + 2.5])
    assert {query["name"]: query["seconds"] for query in data["queries"]} == {
        "sql 1": pytest.approx([6, 1.5]),
        "sql 2": pytest.approx([3, 2.5]),
    }
    assert [stage["seconds"] for stage in data["stages"]] == [pytest.approx([6, 1.5]), pytest.approx([3, 2.5])]
    assert data["unchanged"] == pytest.approx(16 / (48 + 8 + 16))


def test_bounds_of_its_own_cluster_do_not_count_on_others(type_: Type, mine: str, faster: str) -> None:
    path = Path(mine) / "profile.toml"
    path.write_text(path.read_text().replace('name = "0"', 'name = "0"\nwidth = 2'))
    data = json.loads(type_("replay", mine, "--on", faster, "--workers", "1", "--format", "json").out)
    assert [cluster["duration_s"] for cluster in data["clusters"]] == pytest.approx([24 + 3, 1.5 + 2.5])


STREAM = """
[[workloads]]
name = "short"
kind = "observed"
arrivals = ["0 s", "100 s"]
framework = { use = "spark", servers = "workers" }
stages = [{ name = "0", tasks = [{ count = 16, cpu = "3 s", late = "9 s" }] }]
[[workloads]]
name = "waits"
kind = "observed"
arrivals = ["200 s"]
framework = { use = "spark", servers = "workers" }
stages = [{ name = "0", tasks = [{ count = 8, cpu = "1 s", wait = "2 s" }] }]
"""


def test_jobs_of_a_stream_come_when_they_came_and_take_the_time_of_the_candidate(
    type_: Type, mine: str, faster: str
) -> None:
    (Path(mine) / "profile.toml").write_text(PROFILE + STREAM)
    data = json.loads(type_("replay", mine, "--on", faster, "--workers", "1", "--format", "json").out)
    assert {query["name"]: query["seconds"] for query in data["queries"]} == {
        "short": pytest.approx([24, 1.5]),
        "waits": pytest.approx([3, 2.5]),
    }
    assert data["stages"] == []
    assert [cluster["duration_s"] for cluster in data["clusters"]] == pytest.approx([203, 202.5])
    text = " ".join(type_("replay", mine, "--on", faster, "--workers", "1").out.split())
    assert "On faster a job takes 1.8 s in the mean, in place of 17.0 s (-89.2 %)" in text
    assert "Kinds of jobs, before and after" in text


SORTS = """
[[workloads]]
name = "sort"
use = "terasort"
input = "1 GB"
arrivals = ["0 s"]
framework.use = "yarn"
framework.servers = "workers"
framework.containers = 2
framework.locality_delay = 0
framework.container_start = "0 s"
framework.container_spread = "0 s"
framework.am_memory = "0 B"
"""


def test_a_setting_that_limits_work_on_a_cluster_is_told_with_the_way_out(type_: Type, mine: str, faster: str) -> None:
    (Path(mine) / "profile.toml").write_text(PROFILE + SORTS)
    data = json.loads(type_("replay", mine, "--on", faster, "--workers", "1", "--format", "json").out)
    assert [cluster["slots"] for cluster in data["clusters"]] == [2 * 2, 1 * 2]
    told = ["2 at a time on a server with 4 hardware threads: ", "2 at a time on a server with 16 hardware threads: "]
    for cluster, text in zip(data["clusters"], told, strict=True):
        warning = cluster["warnings"][0]
        assert warning.startswith("limited by a setting, not by hardware, for ")
        assert f"{text}more of them use the others (workloads.sort.framework.containers)." in warning
    text = " ".join(type_("replay", mine, "--on", faster, "--workers", "1").out.split())
    assert "limited by a setting, not by hardware, for " in text.partition("The clusters")[0]


def test_a_stream_of_requests_is_no_work_to_be_replayed(type_: Type, mine: str, faster: str) -> None:
    load = '[[workloads]]\nname = "load"\nkind = "storing"\ndata = "1 TB"\n'
    (Path(mine) / "profile.toml").write_text(PROFILE + STREAM + load)
    ended = type_("replay", mine, "--on", faster)
    assert (ended.status, "expected stages as they were observed" in ended.err) == (2, True)


def test_storage_is_simulated_on_both_sides(type_: Type, mine: str, faster: str) -> None:
    path = Path(mine) / "profile.toml"
    path.write_text(path.read_text().replace('wait = "2 s"', 'wait = "2 s", input = "1 MB", stalled = "5 s"'))
    data = json.loads(type_("replay", mine, "--on", faster, "--workers", "1", "--format", "json").out)
    assert [cluster["duration_s"] for cluster in data["clusters"]] == pytest.approx([6 + 3, 1.5 + 2.5], abs=0.2)
    text = " ".join(type_("replay", mine, "--on", faster, "--workers", "1").out.split())
    assert "36 % of the seconds of tasks were waits for the storage system" in text  # 40 s of 40 + 48 + 8 + 16


def test_a_candidate_whose_processors_others_use_computes_for_longer(
    type_: Type, mine: str, faster: str, tmp_path: Path
) -> None:
    busy = tmp_path / "busy.toml"
    busy.write_text(
        Path(faster).read_text().replace('use = "nvme-25gbe"', 'use = "nvme-25gbe"\nbackground.cpu = [0.5]')
    )
    ended = type_("replay", mine, "--on", faster, str(busy), "--workers", "1", "--format", "json")
    alone, beside = (cluster["duration_s"] for cluster in json.loads(ended.out)["clusters"][1:])
    assert (alone, beside) == pytest.approx((1.5 + 2.5, 3 + 3))


def test_the_answer_says_before_and_after_of_each_query_and_stage(type_: Type, mine: str, faster: str) -> None:
    text = " ".join(type_("replay", mine, "--on", faster, "--workers", "1").out.split())
    assert "On faster the work takes 4.0 s in place of 9.0 s (-55.6 %)" in text
    assert "What holds it up most is" in text
    assert "no hardware changes them" in text
    assert "sql 2" in text


def test_work_that_was_not_observed_is_refused_with_the_way_out(type_: Type, faster: str) -> None:
    ended = type_("replay", faster, "--on", "hdfs-terasort")
    assert ended.status == 2
    assert "workload.kind: expected stages as they were observed" in ended.err
    assert "simulate compare" in ended.err
