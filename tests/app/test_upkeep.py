"""`simulate upkeep`: repair policies and maintenance of a profile."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.app.conftest import Type
from tests.contracts import check

STORE = """storage = { use = "minio", servers = "data" }
prices = "on-premises-2024"
failures = { use = "hdd", fill = 0.0001 }
[profile]
title = "A store"
[cluster.groups.data]
server = "hdd-25gbe"
count = 4
[workload]
kind = "storing"
data = "10 TB"
"""


@pytest.fixture
def store(tmp_path: Path) -> str:
    """Return a store of four servers, as a file."""
    path = tmp_path / "store.toml"
    path.write_text(STORE, encoding="utf-8")
    return f"{path}"


def test_policies_tell_what_a_sooner_technician_costs_and_gains(type_: Type, store: str) -> None:
    words = ("--contract", "soon = 4 h, 300 USD", "--contract", "late = 48 h", "--nines", "1")
    ended = type_("upkeep", store, *words, "--workers", "1", "--format", "json")
    check(ended.out)
    data = json.loads(ended.out)
    soon, late = data["policies"]
    assert soon["object_nines"] > late["object_nines"]
    assert late["repair_s"]["drive"] - soon["repair_s"]["drive"] == pytest.approx(44 * 3600)
    assert soon["cost_per_year"] - late["cost_per_year"] == pytest.approx(4 * 300)
    assert data["best"] == "late"
    assert [calendar["together"] for calendar in data["calendars"]] == [1]


def test_what_cannot_be_read_is_told_with_the_option(type_: Type, store: str) -> None:
    ended = type_("upkeep", store, "--contract", "soon", "--maintenance", "now and then")
    assert ended.status == 2
    assert "--contract: expected NAME = TIME, PRICE" in ended.err
    assert "--maintenance: expected NAME = TIMES A YEAR" in ended.err


@pytest.mark.parametrize(
    ("store", "setting", "message"),
    [
        ("minio", "storage.parity=0", "storage.parity: EC 16+0: what fails is lost, and nothing heals it"),
        ("hdfs", "storage.replication=1", "storage.replication: 1 replica: what fails is lost, and nothing heals it"),
    ],
)
def test_a_store_without_redundancy_is_told_that_nothing_heals_it(
    type_: Type, tmp_path: Path, store: str, setting: str, message: str
) -> None:
    path = tmp_path / "bare.toml"
    path.write_text(STORE.replace('"minio"', f'"{store}"'), encoding="utf-8")
    ended = type_("upkeep", f"{path}", "--set", setting)
    assert ended.status == 2
    assert message in ended.err
    assert ended.err.rstrip().endswith("store with redundancy; simulate durability tells what is lost")


def test_a_server_that_takes_all_data_with_it_is_no_fault_of_the_program(type_: Type, tmp_path: Path) -> None:
    path = tmp_path / "one.toml"
    path.write_text(ALONE, encoding="utf-8")
    ended = type_("upkeep", f"{path}")
    assert ended.status == 2
    assert "repair times must be > 0 s" in ended.err
    assert "more servers" in ended.err


ALONE = """
storage = { use = "minio", servers = "servers", bay = "data" }
failures = "hdd"
[profile]
title = "One server"
[cluster.groups.servers]
server = "hdd-25gbe"
count = 1
[workload]
kind = "requests"
clients = "servers"
rate = "100 1/s"
count = 2000
mix = { GET = { action = "get", size = "64 KiB" } }
"""
