"""`simulate track`: dated measurements of a running cluster beside what its profile plans."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from tests.app.conftest import Type
from tests.profiles.imports.fixtures import FIXTURES

PLAN = """
[profile]
title = "Three servers"
[cluster.groups.servers]
server = "hdd-25gbe"
count = 3
[storage]
use = "hdfs"
servers = "servers"
[planning]
fill_limit = "80 %"
[workload]
kind = "storing"
data = "100 TB"
[growth]
start = "2027-01-01"
annual_growth = "10 %"
months = 60
"""
LOAD = PLAN.replace(
    'kind = "storing"\ndata = "100 TB"', 'kind = "requests"\nclients = "servers"\nrate = "5 1/s"'
).replace('use = "hdfs"', 'use = "minio"')
MIX = '\ncount = 200\ndata = "100 TB"\nmix = { GET = { action = "get", size = "1 MiB" } }\n[growth]'


def ceph(stored: float, used: float) -> str:
    pools = [{"name": "secret-bucket", "stats": {"stored": stored, "bytes_used": used}}]
    return json.dumps({"stats": {"total_used_raw_bytes": used}, "pools": pools})


def fsck(stored: float, replicas: float = 3.0) -> str:
    return f" Total size:\t{stored:.0f} B\n Average block replication:\t{replicas}\nFSCK ended at now\n"


Track = Callable[..., tuple[int, Any]]


@pytest.fixture
def track(type_: Type, tmp_path: Path) -> Track:
    """Return a function that tracks a plan by files of given names."""

    def tracked(files: dict[str, str], *words: str, plan: str = PLAN) -> tuple[int, Any]:
        (tmp_path / "plan.toml").write_text(plan)
        (tmp_path / "in").mkdir()
        for name, text in files.items():
            (tmp_path / "in" / name).write_text(text)
        ended = type_("track", str(tmp_path / "plan.toml"), str(tmp_path / "in"), "--format", "json", *words)
        return ended.status, json.loads(ended.out) if ended.out else ended.err

    return tracked


def of(data: dict[str, Any], name: str) -> dict[str, Any]:
    return next(assumption for assumption in data["assumptions"] if assumption["name"] == name)


def test_growth_as_planned_breaks_nothing_and_moves_no_day(track: Track) -> None:
    days = {"2027-01-01": 100e12, "2027-07-02": 100e12 * 1.1 ** (182 / 365), "2028-01-01": 110e12}
    status, data = track({f"fsck-{day}": fsck(stored) for day, stored in days.items()})
    assert (status, data["schema"], data["problems"]) == (0, "headroom.track/1", [])
    assert data["verdict"][-1] == "No assumption broke of those that were measured."
    assert (of(data, "growth rate")["measured"], of(data, "growth rate")["planned"]) == pytest.approx((0.1, 0.1))
    planned, ahead = (datetime.fromisoformat(data["full"][key]) for key in ("planned", "forecast"))
    assert abs((planned - ahead).days) <= 2


def test_faster_growth_is_told_with_the_new_day_and_its_interval(track: Track) -> None:
    files = {"fsck-2027-01-01": fsck(100e12), "fsck-2027-07-02": fsck(119e12), "fsck-2028-01-01": fsck(140e12)}
    status, data = track(files)
    assert status == 1
    assert of(data, "growth rate")["is_broken"]
    full = data["full"]
    assert full["early"] <= full["forecast"] <= full["late"] < full["planned"]
    assert [day["planned"] for day in data["days"]] == pytest.approx([100e12, 100e12 * 1.1 ** (182 / 365), 110e12])
    assert any(sentence.startswith("The assumed growth rate broke: +40") for sentence in data["verdict"])
    assert any(sentence.startswith("Full on 20") for sentence in data["verdict"])


def test_more_raw_bytes_than_planned_fill_the_cluster_earlier(track: Track) -> None:
    days = ("2027-01-01", "2027-07-02", "2028-01-01")
    files = {f"df-{day}": ceph(stored, 4 * stored) for day, stored in zip(days, (100e12, 105e12, 110e12), strict=True)}
    _, data = track(files)
    assert (
        of(data, "overhead in raw bytes a byte")["planned"],
        of(data, "overhead in raw bytes a byte")["measured"],
    ) == (3, 4)
    assert of(data, "overhead in raw bytes a byte")["is_broken"]
    assert data["full"]["forecast"] < data["full"]["planned"]


def test_another_replication_factor_is_told(track: Track) -> None:
    status, data = track({"fsck-2027-01-01": fsck(100e12, replicas=2.0)})
    assert (status, of(data, "replication factor")["is_broken"]) == (1, True)
    assert "one day was measured: the growth is taken as planned" in data["notes"][0]


def test_a_report_of_hdfs_tells_its_day_and_raw_bytes_count_as_planned(track: Track) -> None:
    status, data = track({"report": FIXTURES["hdfs dfsadmin"].replace("2026", "2027")})
    assert [(day["date"], day["stored"]) for day in data["days"]] == [("2027-11-02", pytest.approx(63e12))]
    assert of(data, "data")["is_broken"]
    assert status == 1


def test_ranges_of_prometheus_are_a_history(track: Track) -> None:
    start = datetime(2027, 1, 1, tzinfo=UTC).timestamp()
    values = [[start + 86400 * day, f"{100e12 * 1.2 ** (day / 365)}"] for day in range(0, 360, 30)]
    series = {"metric": {"__name__": "minio_cluster_usage_total_bytes"}, "values": values}
    text = json.dumps({"status": "success", "data": {"resultType": "matrix", "result": [series]}})
    _, data = track({"range": text})
    assert len(data["days"]) == 12
    assert of(data, "growth rate")["measured"] == pytest.approx(0.2)


def test_requests_and_utilisation_stand_beside_the_plan(track: Track) -> None:
    plan = LOAD.replace("\n[growth]", MIX)
    _, data = track({"log": FIXTURES["S3 access log"], "sadf": FIXTURES["sysstat"]}, plan=plan)
    assert of(data, "request rate")["planned"] == 5
    assert of(data, "request rate")["measured"] > 0
    busy = {resource["of"]: resource for resource in data["utilization"]}
    assert 0 < busy["cpu"]["measured"] <= 1
    assert 0 <= busy["cpu"]["simulated"] <= 1


def test_the_first_day_on_which_a_target_is_missed_moves_with_the_data(track: Track) -> None:
    files = {"fsck-2027-01-01": fsck(100e12), "fsck-2027-07-02": fsck(119e12), "fsck-2028-01-01": fsck(140e12)}
    plan = PLAN.replace('[storage]\nuse = "hdfs"', '[storage]\nuse = "hdfs"\nreplication = 2')
    _, data = track(files, "--target", "usable >= 1 TB", "--workers", "1", plan=plan)
    assert data["missed"] == {"planned": None, "forecast": None, "early": None, "late": None}
    assert any(
        sentence.startswith("Meets usable >= 1 TB for as long as it is not full") for sentence in data["verdict"]
    )


@pytest.mark.parametrize(
    ("files", "text"),
    [
        ({}, "no file"),
        ({"note": "hello\n"}, "not known"),
        ({"df": ceph(1e12, 3e12)}, "tells no day: name the file after the day on which it was written"),
        ({"fsck-2027-01-01": "FSCK started by hdfs for path /\n"}, "no total size in it: run hdfs fsck / to its end"),
    ],
)
def test_files_that_tell_nothing_are_refused_with_the_way_out(track: Track, files: dict[str, str], text: str) -> None:
    status, err = track(files)
    assert status == 2
    assert text in " ".join(err.split())


def test_a_list_of_other_servers_asks_whether_it_is_this_cluster(track: Track) -> None:
    plan = PLAN.replace("count = 3", "count = 5")
    _, data = track({"report": FIXTURES["hdfs dfsadmin"].replace("2026", "2027")}, plan=plan)
    assert any(
        "tells of 3 servers, the plan has 5: is this the cluster of the profile?" in note for note in data["notes"]
    )


def test_the_rest_is_used_beside_a_file_that_tells_no_day(track: Track) -> None:
    status, data = track({"fsck-2027-01-01": fsck(100e12), "df": ceph(1e12, 3e12)})
    assert (status, len(data["days"])) == (1, 1)
    assert "tells no day" in data["problems"][0]


def test_a_profile_without_growth_is_forecast_from_what_was_measured(track: Track) -> None:
    plan = PLAN[: PLAN.index("[growth]")]
    status, data = track({"fsck-2027-01-01": fsck(100e12), "fsck-2028-01-01": fsck(140e12)}, plan=plan)
    assert (status, data["full"]["planned"]) == (0, None)
    assert data["full"]["forecast"] > "2028-01-01"
    assert "two days were measured" in data["notes"][0]
