"""Instances of a cloud: servers made of the rows of one table."""

from __future__ import annotations

from itertools import pairwise

import pytest

from models.hardware.server import Server
from models.problem import ProblemError
from models.scenario import Scenario
from models.units import parse
from profiles.loading.catalog import SHIPPED
from profiles.loading.instances import TABLE, names
from profiles.loading.loader import Loaded, load, load_text

FILES = [path.name.removesuffix(".toml") for path in (SHIPPED.root / "hardware/servers").glob("*.toml")]


def instance(name: str) -> Loaded[Server]:
    return load(name, Server, folders=["hardware/servers"])


def test_a_server_is_described_once_by_a_file_or_by_a_row() -> None:
    assert not set(FILES) & set(names(SHIPPED.root))


def test_a_row_becomes_a_server_with_its_sources_and_its_line() -> None:
    loaded = instance("m5d.4xlarge")
    made = loaded.scenario
    assert (made.model, made.cpu.cores, made.cpu.threads) == ("m5d.4xlarge", 8, 16)
    assert made.memory.size == parse("64 GiB", "B")
    gbit = parse("1 Gbit/s", "B/s")
    assert [made.nic.baseline, made.nic.bandwidth, made.nic.flow_bandwidth] == [5 * gbit, 10 * gbit, 5 * gbit]
    assert made.volume_link.baseline == made.volume_link.bandwidth == 4.75 * gbit
    assert (made.bays["data"].count, made.bays["data"].drive.capacity) == (2, 300e9)
    assert loaded.sources["nic.baseline"].text.startswith("EC2 DescribeInstanceTypes, August 2026")
    file, line = loaded.origin["nic.baseline"]
    assert file == TABLE
    assert line is not None
    assert (SHIPPED.root / TABLE).read_text(encoding="utf-8").splitlines()[line - 1].startswith('"m5d.4xlarge"')


def test_a_drive_of_an_instance_may_have_a_file_of_its_own() -> None:
    known = load("i3en.24xlarge", Server, folders=["hardware/servers"]).scenario.bays["data"]
    assert instance("i3en.6xlarge").scenario.bays["data"].drive == known.drive


def test_a_vcpu_is_a_thread_of_two_or_a_core_of_its_own() -> None:
    two, one = instance("c6i.8xlarge").scenario.cpu, instance("c6g.8xlarge").scenario.cpu
    assert (two.cores, two.threads) == (16, 32)
    assert (one.cores, one.threads) == (32, 32)


def test_sizes_of_a_family_are_parts_of_one_machine() -> None:
    families: dict[str, list[Server]] = {}
    for name in names(SHIPPED.root):
        families.setdefault(name.split(".")[0], []).append(instance(name).scenario)
    assert len(families) == 64
    for family in families.values():
        sizes = sorted(family, key=lambda server: server.memory.size)
        for small, large in pairwise(sizes):
            assert small.cpu.threads < large.cpu.threads or small.cpu.threads == 2  # small ones that burst share two
            assert small.memory.size < large.memory.size
            assert small.nic.sustained <= large.nic.sustained


def test_an_instance_is_named_wherever_a_server_is() -> None:
    text = 'extends = "hdfs-terasort"\n[cluster.groups.workers.server]\nuse = "d2.8xlarge"\nmemory.size = "200 GiB"\n'
    used = load_text(text, Scenario).scenario.cluster.groups["workers"].server
    assert (used.model, used.memory.size) == ("d2.8xlarge", parse("200 GiB", "B"))
    changed = load("hdfs-terasort", Scenario, {"cluster.groups.workers.server": "d3.8xlarge"})
    assert changed.scenario.cluster.groups["workers"].server.model == "d3.8xlarge"


def test_a_misspelt_instance_is_told_with_what_it_may_have_meant() -> None:
    with pytest.raises(ProblemError, match=r"nothing is named 'm5\.5xlarge'.*did you mean 'm5\.xlarge'"):
        load("hdfs-terasort", Scenario, {"cluster.groups.workers.server": "m5.5xlarge"})
