"""`simulate compare`: profiles side by side."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest

from tests.app.conftest import Type

INPUT = ("--set", "workload.input=2 GB", "--replications", "2", "--workers", "1")
SMALL = ("--set", "workload.reduces=48", *INPUT)


@pytest.fixture
def study(tmp_path: Path) -> str:
    """Return a comparison of twelve servers with 24, as a file."""
    path = tmp_path / "more-servers.toml"
    path.write_text(
        """kind = "compare"
title = "TeraSort on twelve servers and on more"
replications = 2
[set]
"workload.input" = "2 GB"
"workload.reduces" = "48"
prices = "aws-on-demand-2019"
[scenarios.twelve]
profile = "hdfs-terasort"
[scenarios.more]
profile = "hdfs-terasort"
set = { "cluster.groups.workers.count" = "24" }
"""
    )
    return str(path)


def test_a_study_shows_what_differs_and_the_results(type_: Type, study: str) -> None:
    ended = type_("compare", "--workers", "1", "--study", study)
    assert (ended.status, ended.err) == (0, "")
    text = " ".join(ended.out.split())
    assert text.startswith("TeraSort on twelve servers and on more The answer")
    assert "cluster.groups.workers 12 × h1.16xlarge 24 × h1.16xlarge" in text
    assert "usable 47.35 TB 97.23 TB (+105 %)" in text
    assert "95 % interval" in text


def test_less_by_next_to_nothing_is_nothing_without_a_sign_of_its_own(type_: Type, tmp_path: Path) -> None:
    less = tmp_path / "less.toml"
    less.write_text('extends = "hdfs-teragen"\n[profile]\ntitle = "less"\n[workload]\ngenerated = "1.99999 GB"\n')
    base = tmp_path / "base.toml"
    base.write_text('extends = "hdfs-teragen"\n[profile]\ntitle = "base"\n[workload]\ngenerated = "2 GB"\n')
    told = type_("compare", str(base), str(less), "--replications", "1", "--workers", "1").out
    assert "(under 0.1 %)" in told
    assert "+0" not in told
    assert "-0" not in told


def test_json_has_the_keys_of_the_contract_and_every_input_that_differs(type_: Type, study: str) -> None:
    data = json.loads(type_("compare", "--workers", "1", "--study", study, "--format", "json").out)
    assert list(data) == ["schema", "title", "seed", "version", "inputs", "scenarios", "explained"]
    assert data["schema"] == "headroom.compare/1"
    assert data["inputs"] == {"cluster.groups.workers.count": ["12", "24"]}
    twelve, more = data["scenarios"]
    assert twelve["difference"] is None
    gap = more["difference"]
    assert gap["seconds"] == pytest.approx(more["duration_s"] - twelve["duration_s"])
    assert gap["interval_s"][0] <= gap["seconds"] <= gap["interval_s"][1]
    assert more["measures"]["cost_per_year"]["value"] == pytest.approx(24 * 3.744 * 8760)


def test_json_inputs_name_each_key_though_the_table_tells_a_part_in_one_line(type_: Type) -> None:
    words = ("compare", "hdfs-terasort", "minio-terasort", *INPUT)
    inputs = json.loads(type_(*words, "--format", "json").out)["inputs"]
    assert inputs["cluster.groups.compute.count"] == [None, "12"]
    assert inputs["storage.system"] == ["hdfs", "minio"]
    text = type_(*words).out
    assert "cluster.groups.compute – 12 × c5d.18xlarge" in " ".join(text.split())
    assert "cluster.groups.compute.server" not in text


def test_a_profile_beside_itself_has_no_difference_beyond_noise(type_: Type, study: str) -> None:
    text = type_("compare", "hdfs-terasort", "hdfs-terasort", *SMALL).out
    assert "no difference to hdfs-terasort beyond noise" in " ".join(text.split())


def test_clusters_that_only_keep_data_are_compared_without_a_change_of_their_duration(type_: Type) -> None:
    words = ("compare", "sizing-hdfs-10pb", "sizing-emr-5-core", "--workers", "1")
    gap = json.loads(type_(*words, "--format", "json").out)["scenarios"][1]["difference"]
    assert (gap["seconds"], gap["change"]) == (0, None)
    answer = type_(*words, "--replications", "1").out.partition("What differs")[0]
    assert "sizing-hdfs-10pb has nothing to run; 400 TB are usable." in answer
    assert "takes" not in answer
    assert "as long as" not in answer


def test_csv_has_one_row_a_scenario_with_bare_numbers(type_: Type, study: str) -> None:
    rows = list(csv.reader(io.StringIO(type_("compare", "--workers", "1", "--study", study, "--format", "csv").out)))
    header = rows[1]
    assert header[:2] == ["scenario", "duration (s)"]
    assert [row[0] for row in rows[2:]] == ["twelve", "more"]
    assert float(rows[2][1]) > 0


def test_a_report_of_a_comparison_holds_both_profiles_whole(type_: Type, study: str, tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    assert type_("compare", "--workers", "1", "--study", study, "--report", str(page)).status == 0
    profiles = [part for part in page.read_text().split("```") if "[cluster.groups.workers]" in part]
    assert len(profiles) == 2
    assert "count = 24" in profiles[1]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["hdfs-sort"], "compare: expected two to six profiles to compare (got 1); see: simulate profiles"),
        (["hdfs-sort", "hdfs-srt"], "'hdfs-srt'"),
        (["hdfs-sort", "--study", "hdfs-against-minio"], "--study: states profiles itself; remove these options"),
        (["hdfs-sort", "hdfs-sort", "--set", "x"], "--set: expected KEY=VALUE such as"),
        (["hdfs-sort", "hdfs-sort", "--report", "a.doc"], "--report: the suffix chooses the form, expected '.html'"),
    ],
)
def test_a_mistake_is_told_before_anything_runs(type_: Type, words: list[str], message: str) -> None:
    ended = type_("compare", *words)
    assert (ended.status, ended.out) == (2, "")
    assert message in ended.err


LOAD = ("--set", "workload.count=1000", "--workers", "1", "--replications", "3")


def test_loads_are_compared_by_what_they_carry_in_sentences_table_and_data(type_: Type, tmp_path: Path) -> None:
    slow = tmp_path / "slow.toml"
    slow.write_text('extends = "get-minio-nvme-drive-failure"\n[workload]\nthreads = 4\n')
    words = ("compare", "get-minio-nvme-drive-failure", str(slow), *LOAD)
    text = " ".join(type_(*words).out.split())
    first, other = text.split("The answer")[1].split("What differs")[0].split("slow carries", 1)
    assert "carries" in first
    assert "requests/s" in first
    assert "takes" not in first
    assert "less than get-minio-nvme-drive-failure" in other
    table = text.split("Results")[1]
    assert table.index("request rate") < table.index("throughput") < table.index("duration")


def test_a_job_leads_by_its_duration_in_the_data_of_a_comparison(type_: Type, study: str) -> None:
    data = json.loads(type_("compare", "--workers", "1", "--study", study, "--format", "json").out)
    for scenario in data["scenarios"]:
        assert (scenario["leading"]["measure"], scenario["leading"]["unit"]) == ("duration", "s")
        assert scenario["leading"]["values"] == scenario["durations_s"]


def test_what_a_rented_store_holds_and_survives_is_told_in_words(type_: Type) -> None:
    words = ("presto-hdfs-q1", "presto-s3-q1", "--replications", "1", "--interval", "none", "--workers", "1")
    out = type_("compare", *words).out
    lines = [line.split()[-1] for line in out.splitlines() if line.startswith(("usable", "survives reading servers"))]
    assert lines == ["unlimited", "unlimited"]
    assert " inf" not in out
