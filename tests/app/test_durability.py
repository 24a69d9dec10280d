"""`simulate durability` end to end, and how a run with failures reads."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from app.cli.main import execute
from app.planning.durability import study
from app.planning.loading import choose, rated
from models.units import YEAR
from simulator.studies.rebuild import known_repair_time

FAILING = """
extends = "hdfs-terasort"
[workload]
use = "terasort"
framework = "yarn-h1"
input = "60 GB"
source = "assumed: a test"
[failures]
source = "assumed: a test"
[[failures.faults]]
at = "20 s"
component = "workers-3/data-2"
"""


@pytest.mark.parametrize(("name", "drive_hours"), [("durability-hdfs", 0.52), ("durability-minio", 24 + 10.2)])
def test_the_repair_of_a_drive_is_measured_under_the_throttles(name: str, drive_hours: float) -> None:
    # 2 TB at 2 * 12 blocks of 128 MiB every 3 s; on MinIO object by object, once the drive has been replaced
    assert study(choose(name)).durability.repair.drive / 3600 == pytest.approx(drive_hours, rel=0.02)


def test_the_answer_comes_first_with_what_survives_and_the_sources(capfd: pytest.CaptureFixture[str]) -> None:
    assert execute(["durability", "durability-minio"]) == 0
    out = capfd.readouterr().out
    assert out.startswith("Durability of MinIO EC:4 on 12 h1.16xlarge\n")
    assert "Survives      reading: any 4 drives, any 2 servers, no rack" in out
    assert "              writing: any 3 drives, any server, no rack" in out
    assert "Backblaze Drive Stats for 2024, 2025-02-11" in out


def test_a_grid_is_as_durable_as_its_nodes(capfd: pytest.CaptureFixture[str]) -> None:
    assert execute(["durability", "durability-storagegrid", "--check", "2000", "--format", "json"]) == 0
    data = json.loads(capfd.readouterr().out)
    assert data["survives_reading"] == {"drives": 5, "servers": 1, "racks": 0}
    fails, repaired = data["failures"]["server_failures_per_year"] / YEAR, 1 / data["repair_s"]["server"]
    # either of two nodes, then the other before the first is back: Angus, the mean of a pair that is repaired
    assert data["object_mttdl_s"] == pytest.approx((3 * fails + repaired) / (2 * fails**2), rel=0.01)
    assert data["mttdl_s"] == pytest.approx((5 * fails + repaired) / (6 * fails**2), rel=0.01)  # any two of three
    assert data["simulated"]["low"] < data["mttdl_s"] < data["simulated"]["high"]


def test_json_is_a_contract_and_the_same_each_time(capfd: pytest.CaptureFixture[str]) -> None:
    assert execute(["durability", "durability-hdfs", "--check", "500", "--format", "json"]) == 0
    text = capfd.readouterr().out
    data = json.loads(text)
    assert data["schema"] == "headroom.durability/1"
    assert data["simulated"]["low"] < data["simulated"]["mttdl"] < data["simulated"]["high"]
    assert data["survives_reading"] == data["survives_writing"] == {"drives": 2, "servers": 2, "racks": 0}
    assert data["object_nines"] > data["nines"] > 5
    execute(["durability", "durability-hdfs", "--check", "500", "--format", "json"])
    assert capfd.readouterr().out == text


def test_a_changed_rate_is_said_and_acts(capfd: pytest.CaptureFixture[str]) -> None:
    rate = "failures.drive_failures_per_year=5 %/y"
    assert execute(["durability", "durability-hdfs", "--set", rate]) == 0
    out = capfd.readouterr().out
    assert f"Changed       {rate.replace('=', ' = ')}" in out
    assert "5.00 % of the drives a year" in out


def test_a_report_is_written(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    page = tmp_path / "durability.md"
    assert execute(["durability", "durability-hdfs", "--report", str(page)]) == 0
    assert "Mean time to data loss" in page.read_text(encoding="utf-8")


def test_a_profile_without_rates_takes_the_usual_ones_of_its_drives(capfd: pytest.CaptureFixture[str]) -> None:
    answers = []
    for profile in ("hdfs-terasort", "durability-hdfs"):
        assert execute(["durability", profile, "--format", "json"]) == 0
        answers.append(json.loads(capfd.readouterr().out))
    without, stated = answers
    assert "drive_failures_per_year" in " ".join(without["sources"])
    assert without["failures"] == stated["failures"]
    assert without["mttdl_s"] == stated["mttdl_s"]


def test_of_a_rented_store_it_is_told_what_its_provider_says(capfd: pytest.CaptureFixture[str]) -> None:
    assert execute(["durability", "tpch-amazon-s3"]) == 0
    out = capfd.readouterr().out
    assert "11 nines a year, as its provider says: 1 in 100 billion objects is lost in a year" in out
    assert "Amazon S3 User Guide" in out
    assert "Warning" not in out


def test_losses_of_a_rented_store_are_not_simulated(capfd: pytest.CaptureFixture[str]) -> None:
    assert execute(["durability", "tpch-amazon-s3", "--check", "100"]) == 2
    assert "--check: losses of a rented store are not simulated" in capfd.readouterr().err


def test_a_class_in_one_zone_is_warned_of(capfd: pytest.CaptureFixture[str]) -> None:
    zone = "storage.storage_class=one-zone-ia"
    assert execute(["durability", "tpch-amazon-s3", "--set", zone, "--format", "json"]) == 0
    data = json.loads(capfd.readouterr().out)
    assert (data["schema"], data["object_nines"]) == ("headroom.promise/1", 11.0)
    assert data["object_annual_loss"] == pytest.approx(1e-11)
    assert "lost with its zone" in data["warnings"][0]


def test_a_run_with_failures_says_what_they_cost(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "failing.toml"
    path.write_text(FAILING, encoding="utf-8")
    assert execute(["--profile", str(path)]) == 0
    out = capfd.readouterr().out
    assert " without them; " in out
    assert "workers-3/data-2 at 20.0 s; " in out
    assert execute(["--profile", str(path), "--format", "json"]) == 0
    data = json.loads(capfd.readouterr().out)["failures"]
    assert data["healthy_duration"] > 0
    assert data["faults"][0]["component"] == "workers-3/data-2"


def test_a_load_with_failures_says_how_requests_fare_in_each_state(capfd: pytest.CaptureFixture[str]) -> None:
    load = ["--profile", "get-minio-nvme-drive-failure", "--set", "workload.count=2000"]
    assert execute(load) == 0
    out = capfd.readouterr().out
    assert re.search(r"^Repair +GET p99 ", out, re.MULTILINE)
    assert "\nPUT, degraded " in out
    assert "storage-3/data-2 at 0.0 s; 7.5 TB rebuilt by " in out
    assert execute([*load, "--format", "json"]) == 0
    data = json.loads(capfd.readouterr().out)
    assert [state["name"] for state in data["failures"]["states"]] == ["degraded", "during repair"]
    kinds = data["failures"]["states"][1]["requests"]
    assert kinds[0]["latency_s"]["p99"]["value"] == data["metrics"]["GET latency p99 during repair"]["value"]


def test_a_report_of_a_load_has_the_latencies_of_each_state(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    page = tmp_path / "load.md"
    load = ["--profile", "get-minio-nvme-drive-failure", "--set", "workload.count=2000"]
    assert execute([*load, "--report", str(page)]) == 0
    text = page.read_text(encoding="utf-8")
    assert "| requests | rate | throughput | p50, ms | p90, ms | p99, ms | p99.9, ms |" in text
    assert "| GET, during repair | " in text


def test_the_repair_is_simulated_once_for_all_that_ask_for_it() -> None:
    chosen = choose("durability-minio", {})
    assert study(chosen).durability.repair is known_repair_time(rated(chosen.scenario))
