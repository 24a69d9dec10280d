"""`simulate capacity` and the sizing profiles, as a user types them."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from tests.app.conftest import Type

NAMED = """\
storage = "hdfs"

[profile]
title = "Named"

[cluster.groups."a\\"b\\\\c\\n\\u007f"]
server = "h1.16xlarge"
count = 4

[workload]
use = "terasort"
framework = "yarn-h1"
input = "1 GB"
"""
SIZING = ["sizing-emr-5-core", "sizing-hdfs-10pb", "sizing-minio-servers"]


def test_capacity_answers_first_and_then_goes_from_raw_to_effective_and_through_the_years(type_: Type) -> None:
    ended = type_("capacity", "growth-hdfs")
    assert (ended.status, ended.err) == (0, "")
    lines = ended.out.splitlines()
    assert lines[5:8] == [
        "Holds         594.4 TB of data, limited by: room to rebuild 1 server",
        "The workload  keeps 4 TB, which takes 8 TB of raw bytes: it fits",
        "Full          on 2031-03-16, limited by: room to rebuild 1 server",
    ]
    assert "fillable              1.831 PB    79 %  fill limit 80 %" in lines
    assert "2028-07-01       18  1.054 PB  518.6 TB   49 %" in lines
    assert "Rebalance     6 servers on 2028-07-01: 9 d 21 h on an idle cluster" in lines
    assert max(map(len, lines)) <= 100


def test_json_holds_bytes_dates_and_every_month(type_: Type) -> None:
    data = json.loads(type_("capacity", "growth-hdfs", "--format", "json").out)
    assert data["schema"] == "headroom.capacity/1"
    assert data["raw"] == 2304e12
    assert [step["name"] for step in data["steps"]] == [
        *("raw", "formatted", "fillable", "with room to rebuild", "usable", "effective")
    ]
    assert data["growth"]["full"] == {"date": "2031-03-16", "cause": "room to rebuild 1 server"}
    (rebalance,) = data["growth"]["rebalances"]
    assert (rebalance["date"], rebalance["servers"], rebalance["beside_s"]) == ("2028-07-01", 6, None)
    assert 9 < rebalance["idle_s"] / 86400 < 10
    months = data["growth"]["months"]
    assert (len(months), months[0]["date"], months[-1]["date"]) == (61, "2027-01-01", "2032-01-01")


def test_a_store_without_a_limit_is_told_in_words_and_as_null(type_: Type) -> None:
    text = type_("capacity", "presto-s3-q1").out
    assert "Holds         any amount of data, limited by: the service has no limit" in text
    assert "inf" not in text
    data = json.loads(type_("capacity", "presto-s3-q1", "--format", "json").out)
    assert (data["raw"], data["effective"], data["servers_needed"], data["growth"]) == (None, None, None, None)


def test_a_run_on_a_store_without_a_limit_is_told_in_words_and_as_null(type_: Type) -> None:
    text = type_("--profile", "presto-s3-q1").out
    assert "Capacity    needs 86.5 GB, of unlimited room" in text
    data = json.loads(type_("--profile", "presto-s3-q1", "--format", "json").out)
    assert data["capacity"] == {"raw": None, "usable": None, "needed": 86.5e9}


def test_a_growing_cluster_that_is_never_full_says_how_full_it_gets(type_: Type) -> None:
    text = type_("capacity", "growth-hdfs", "--set", "growth.annual_growth=1 %").out
    assert "Full          not before 2032-01-01, when 367.9 TB, 35 % of what it holds, are stored" in text
    assert "Changed       growth.annual_growth = 1 %" in text


def test_the_data_in_a_store_without_a_limit_grows_without_a_day_of_full(type_: Type) -> None:
    text = type_("capacity", "presto-s3-q1", "--set", "growth.start=2027-01-01", "--set", "growth.ingest=1 TB/d").out
    assert "Full          not before 2032-01-01, when 1.826 PB are stored" in text
    assert "2028-01-01        –      –  365.1 TB     –" in text


def test_a_rule_that_too_few_servers_can_keep_leaves_no_room(type_: Type) -> None:
    text = " ".join(type_("capacity", "growth-hdfs", "--set", "planning.rebuild_servers=10").out.split())
    assert (
        "Holds 0 B of data, limited by: after the loss of 10 servers too few servers are left to rebuild onto" in text
    )


@pytest.mark.parametrize(
    ("words", "rules"),
    [
        (("hdfs-terasort",), "filled to 80 %, .* \\(hdfs-usual, the usual ones of 'hdfs': the profile states none\\)"),
        (("minio-terasort",), "filled to 80 % \\(minio-usual, the usual ones of 'minio': the profile states none\\)"),
        (("terasort-lustre",), "filled to 80 % \\(parallel-fs-usual, the usual ones of 'parallel-fs': "),
        (
            ("hdfs-terasort", "--set", "planning.fill_limit=70 %"),
            "filled to 70 %, room to rebuild 1 server .*hdfs-usual",
        ),
        (("hdfs-terasort", "--set", "planning=minio-usual"), "filled to 80 %$"),
        (("growth-hdfs",), "filled to 80 %, room to rebuild 1 server up to 85 %, 100 GB of each drive reserved$"),
    ],
)
def test_a_profile_without_rules_takes_the_usual_ones_of_its_storage_system_and_says_so(
    type_: Type, words: tuple[str, ...], rules: str
) -> None:
    data = json.loads(type_("capacity", *words, "--format", "json").out)
    assert re.search(rules, data["rules"])


def test_a_rule_that_means_nothing_to_a_store_is_told(type_: Type) -> None:
    text = type_("capacity", "minio-terasort", "--set", "planning.rebuild_servers=1").out
    assert "Note          no room is kept to rebuild 1 server: the store rebuilds onto what replaces them" in text


def test_a_date_without_quotes_is_a_date_too(type_: Type, tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text('extends = "growth-hdfs"\n[profile]\ntitle = "Mine"\n[growth]\nstart = 2027-06-01\n')
    ended = type_("capacity", str(path))
    assert "2027-06-01       12  594.4 TB    350 TB   59 %" in ended.out
    shown = type_("profiles", str(path), "--format", "json")
    assert json.loads(shown.out)["resolved"]["growth"]["start"] == "2027-06-01"


@pytest.mark.parametrize("suffix", ["html", "md", "csv", "json", "txt"])
def test_a_report_is_written_with_the_months_and_the_same_bytes_each_time(
    type_: Type, tmp_path: Path, suffix: str
) -> None:
    first, again = tmp_path / f"first.{suffix}", tmp_path / f"again.{suffix}"
    assert type_("capacity", "growth-hdfs", "--report", str(first), "--report", str(again)).status == 0
    assert first.read_bytes() == again.read_bytes()
    assert "2029-11-01" in first.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("settings", "problems"),
    [
        (
            ["growth.start=1.1.2027", "growth.months=0"],
            [
                "--set: growth.months: must be at least 1 (got 0)",
                "--set: growth.start: expected a date such as '2027-01-31' (got '1.1.2027')",
            ],
        ),
        (
            ["planning.fill_limit=90 %"],
            [
                "planning/hdfs-usual.toml:6: planning.rebuilt_fill: is reached after a failure, so it cannot be below"
                " fill_limit = 0.9 (got 0.85)"
            ],
        ),
        (
            ["growth.expansions.0.group=wokers"],
            ["--set: growth.expansions.0.group: the cluster has no such group (it has: workers) (got 'wokers')"],
        ),
        (
            ["planning=hdfs-usaul"],
            ["--set: planning: nothing is named 'hdfs-usaul' in 'planning'; did you mean 'hdfs-usual'?"],
        ),
    ],
)
def test_rules_and_growth_that_cannot_be_are_told_with_a_way_out(
    type_: Type, settings: list[str], problems: list[str]
) -> None:
    ended = type_("capacity", "growth-hdfs", *(word for setting in settings for word in ("--set", setting)))
    assert (ended.status, ended.out) == (2, "")
    assert ended.err.splitlines() == problems


@pytest.mark.parametrize("name", SIZING)
def test_sizing_arithmetic_comes_out_of_a_profile_that_anybody_can_run(type_: Type, name: str) -> None:
    ended = type_("--profile", name, "--format", "json")
    data = json.loads(ended.out)
    documented = [data["documented"], *data["further_documented"]]
    assert [abs(outcome["error"]) < 0.001 for outcome in documented] == [True] * len(documented)
    assert data["duration_s"] == 0


def test_the_five_answers_are_validated_under_their_role(type_: Type) -> None:
    data = json.loads(type_("validate", "--family", "sizing", "--format", "json").out)
    answers = {row["id"]: (row["documented"], round(row["simulated"], 1), row["unit"]) for row in data["outcomes"]}
    assert answers == {
        "sizing/minio/server-max-throughput": (15.12, 15.1, "GB/s"),
        "sizing/hdfs/10PB-raw": (30, 30, "PB"),
        "sizing/hdfs/10PB-nodes": (300, 300, "1"),
        "sizing/emr-5-core/hdfs-capacity": (344.75, 344.7, "GiB"),
        "sizing/taxi/3x-on-disk": (258, 258, "GB"),
    }
    assert {row["role"] for row in data["outcomes"]} == {"answer"}
    assert data["families"]["sizing"]["within_targets"]
    assert data["families"]["sizing"]["fitted"] == 1  # a reading that was chosen


@pytest.mark.parametrize(
    ("setting", "servers"),
    [("planning.server_limit=200 TB", 289), ("storage.replication=2", 200), ("planning.fill_limit=75 %", 400)],
)
def test_the_answer_of_a_sizing_profile_follows_its_inputs(type_: Type, setting: str, servers: int) -> None:
    """10 PB in three copies on servers of 13 x 8 TB: 30 PB over 104 TB are 288.5."""
    data = json.loads(type_("capacity", "sizing-hdfs-10pb", "--set", setting, "--format", "json").out)
    assert data["servers_needed"] == servers


GROWING = ("capacity", "growth-hdfs", "--set", "workload.input=5 GB", "--set", "growth.months=3", "--workers", "1")


def test_targets_are_simulated_from_month_to_month_and_the_first_that_is_missed_is_told(
    type_: Type, tmp_path: Path
) -> None:
    page = tmp_path / "page.html"
    ended = type_(*GROWING, "--target", "duration <= 1 h", "--target", "servers <= 12", "--report", str(page))
    assert (ended.status, ended.err) == (0, "")
    assert "First missed  none of these up to 2027-04-01: duration at most 1 h, servers at most 12" in ended.out
    assert "4 days were checked" in ended.out
    assert "Duration and target" in page.read_text()
    targets = json.loads(type_(*GROWING, "--target", "duration <= 1 s", "--format", "json").out)["targets"]
    assert targets["asked"] == ["duration <= 1 s"]
    assert targets["missed"]["date"] == "2027-01-01"
    (first,) = targets["days"]
    assert first["cause"] == targets["missed"]["cause"]
    assert f"limited by: {first['bottleneck']['resource']} (" in first["cause"]
    assert first["measures"]["duration"]["value"] > 1


def test_a_setting_that_limits_the_day_on_which_a_target_is_missed_is_told_with_the_way_out(
    type_: Type, tmp_path: Path
) -> None:
    delay, profile = "workload.framework.locality_delay", tmp_path / "late.toml"
    profile.write_text(
        'extends = "s3a-tuning"\n[workload]\ninput = "1 GB"\nframework.locality_delay = 40\n'
        '[client.fs.s3a]\nblock.size = "32 MiB"\n'
        '[growth]\nstart = "2027-01-01"\nstored = "10 GB"\nmonths = 1\n'
    )
    asked = ("capacity", str(profile), "--target", "duration <= 60 s")
    text = " ".join(type_(*asked, "--interval", "none").out.split())
    assert "First missed on 2027-01-01: takes 1 min" in text
    assert text.count("limited by a setting, not by hardware, for") == 1
    assert "Setting 2027-01-01: limited by a setting" in text
    assert "30 maps at 0.8 a second take 37.5 s to begin" in text
    assert f"node-locality-delay = 0 lets free containers begin at once ({delay})." in text
    (told,) = json.loads(type_(*asked, "--interval", "none", "--format", "json").out)["targets"]["warnings"]
    assert told in text


def test_targets_of_parts_are_told_without_a_run_and_with_what_stands_in_the_way(type_: Type) -> None:
    ended = type_("capacity", "growth-hdfs", "--target", "usable >= 600 TB")
    assert (
        "First missed on 2027-01-01: usable 594.4 TB, 5.639 TB short of 600 TB; limited by: room to rebuild 1 server"
        in " ".join(ended.out.split())
    )
    assert "none had to be simulated" in ended.out


def test_a_study_of_growth_has_its_own_title_and_its_changes_are_told(type_: Type, tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(
        'kind = "growth"\ntitle = "Mine"\nprofile = "growth-hdfs"\ntargets = ["servers <= 12"]\n'
        'set = { "growth.annual_growth" = "1 %" }\n'
    )
    text = type_("capacity", "--study", str(path)).out
    assert text.startswith("Mine\n")
    assert "First missed  on 2028-07-01: servers 18, 6 above 12" in text
    assert "Changed       growth.annual_growth = 1 %" in text


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ([], "PROFILE: missing: name a shipped profile or a TOML file, or a --study"),
        (["growth-hdfs", "--target", "faster"], "--target: expected a target such as 'duration <= 900 s'"),
        (["hdfs-terasort", "--target", "usable >= 1 TB"], "hdfs-terasort: growth: missing; add a [growth] table"),
        (["growth-hdfs", "--study", "hdfs-outgrown"], "--study: states profile itself; remove these options"),
        (["growth-hdfs", "--target", "usable >= 1 s"], "expected a size such as '64 MiB' or '2 TB' (got '1 s')"),
    ],
)
def test_targets_that_cannot_be_are_told_with_a_way_out(type_: Type, words: list[str], message: str) -> None:
    ended = type_("capacity", *words)
    assert (ended.status, ended.out) == (2, "")
    assert message in ended.err


def test_a_group_may_have_any_name_that_toml_may_quote(type_: Type, tmp_path: Path) -> None:
    path = tmp_path / "named.toml"
    path.write_text(NAMED, encoding="utf-8")
    ended = type_("capacity", str(path))
    assert (ended.status, ended.err) == (0, "")


def test_a_range_of_what_does_not_matter_moves_nothing_of_what_a_cluster_likely_holds(
    tmp_path: Path, type_: Type
) -> None:
    wider = tmp_path / "wider.toml"
    wider.write_text(
        'extends = "growth-hdfs"\n[workload]\ninput = "4 TB"\n'
        'ranges.input = ["0.1 x", "9 x"]\nsource = "assumed: wide"\n'
    )
    told = [
        json.loads(type_("capacity", name, "--interval", "fast", "--format", "json").out)["prediction"]
        for name in ("growth-hdfs", str(wider))
    ]
    first, other = ({key: prediction[key] for key in ("low", "high", "full")} for prediction in told)
    assert first == other
    assert len(told[1]["assumptions"]) == len(told[0]["assumptions"]) + 1


def test_rules_that_are_assumed_and_leave_no_room_are_part_of_what_a_cluster_likely_holds(type_: Type) -> None:
    """Four servers lose two by the end of a range of `rebuild_servers`: two cannot hold three replicas."""
    words = ["growth-hdfs", "--set", "cluster.groups.workers.count=4", "--interval", "fast"]
    text = " ".join(type_("capacity", *words).out.split())
    assert ", likely 0 B to " in text
    assert "of them nothing fits: after the loss of 2 servers too few servers are left to rebuild onto" in text
    assert "nothing fits" not in type_("capacity", *words, "--set", "planning.rebuild_servers=1").out
