"""`simulate lint`: advice on designs."""

from __future__ import annotations

import json
from pathlib import Path

from app.planning.linting import advice
from tests.app.conftest import Type


def test_a_warning_is_told_with_key_way_out_and_source_and_is_exit_status_1(type_: Type) -> None:
    ended = type_("lint", "minio-terasort")
    assert (ended.status, ended.err) == (1, "")
    text = " ".join(ended.out.split())
    assert text.startswith("Advice on minio-terasort: 1 warning and 1 hint")
    assert "warning client.fs.s3a.buffer.dir: 'root' carries 134.2 MB/s for a card of" in text
    assert "stage on 'nvme'" in text
    assert "source both documented generation times" in text


def test_hints_alone_are_exit_status_0(type_: Type) -> None:
    ended = type_("lint", "hdfs-terasort")
    assert (ended.status, ended.err) == (0, "")
    assert "hint    cluster.network.racks: all servers stand in one rack" in ended.out


def test_servers_that_fill_more_racks_than_the_one_stated_are_told_how_many(type_: Type) -> None:
    workers = ("--set", "cluster.groups.workers.server=hdd-25gbe", "--set", "cluster.groups.workers.count=60")
    text = " ".join(type_("lint", "hdfs-terasort", *workers, "--set", "prices=on-premises-2024").out.split())
    assert "all servers are taken to stand in one rack" in text
    assert "they fill 3: state 3 racks" in text  # 60 servers of 2 units, and switches, in racks of 42


def test_a_key_of_an_engine_that_does_nothing_for_the_kind_of_workload_is_told() -> None:
    changes = {"workload.engine.overlap": "0.5", "workload.engine.query_time": "2 s"}
    [(_, advised)] = advice(["tpch-minio-nvme"], changes)
    idle = [one for one in advised if one.rule == "key-without-effect"]
    assert [one.key for one in idle] == ["workload.engine.overlap"]
    assert "kind = 'spark' takes of its engine nothing but aggregate_cpu" in idle[0].message


def test_keys_beside_a_measured_processor_time_are_told_to_do_nothing() -> None:
    changes = {"workload.cpu": "10 ns/B", "workload.function_cpu": "1 ns/B"}
    [(_, advised)] = advice(["hdfs-terasort"], changes)
    assert [one.key for one in advised if one.rule == "key-without-effect"] == ["workload.function_cpu"]
    [(_, advised)] = advice(["published-terasort-2008"], {"workload.map_share": "0.5"})
    assert [one.key for one in advised if one.rule == "key-without-effect"] == ["workload.map_share"]


def test_a_design_without_fault_is_said_to_be_so(type_: Type) -> None:
    ended = type_("lint", "hdfs-terasort", "--set", "cluster.network.racks=4")
    assert ended.out == "Advice on hdfs-terasort: no warning and no hint\n"


def test_of_several_designs_that_without_fault_is_told_beside_the_others(type_: Type) -> None:
    ended = type_("lint", "hdfs-terasort", "presto-s3-q1")
    assert ended.out.splitlines()[0] == "Advice on 2 profiles: no warning and 1 hint"
    assert ended.out.endswith("\npresto-s3-q1\n------------\n\nNo warning and no hint.\n")


def test_advice_is_written_as_a_report_in_which_each_piece_is_a_row(type_: Type, tmp_path: Path) -> None:
    page, sheet = tmp_path / "advice.html", tmp_path / "advice.csv"
    assert type_("lint", "minio-terasort", "--report", str(page), "--report", str(sheet)).status == 1
    assert "<td>client.fs.s3a.buffer.dir</td>" in page.read_text(encoding="utf-8")
    assert sheet.read_text(encoding="utf-8").splitlines()[1] == "severity,key,advice,source"


def test_json_has_the_advice_of_each_profile(type_: Type) -> None:
    data = json.loads(type_("lint", "hdfs-terasort", "minio-terasort", "--format", "json").out)
    assert data["schema"] == "headroom.lint/1"
    assert [profile["profile"] for profile in data["profiles"]] == ["hdfs-terasort", "minio-terasort"]
    assert set(data["profiles"][0]["advice"][0]) == {"rule", "severity", "key", "message", "source"}


def test_all_profiles_that_are_wrong_are_told_at_once(type_: Type) -> None:
    ended = type_("lint", "hdfs-srt", "minio-srt")
    assert ended.status == 2
    assert "hdfs-srt" in ended.err
    assert "minio-srt" in ended.err


def test_a_card_in_bytes_is_told_that_bits_may_be_meant_and_one_in_bits_is_not(type_: Type) -> None:
    rate = "cluster.groups.workers.server.nic.bandwidth"
    text = " ".join(type_("lint", "hdfs-terasort", "--set", f"{rate}=25 GB/s").out.split())
    assert f"hint {rate}: 25 GB/s are 200 Gbit/s, and cards are sold by bits: write 25 Gbit/s if that is meant" in text
    assert "sold by bits" not in " ".join(type_("lint", "hdfs-terasort", "--set", f"{rate}=200 Gbit/s").out.split())
