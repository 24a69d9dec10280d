"""`simulate --profile`: the answer as text, JSON and CSV, and its reports."""

from __future__ import annotations

import csv
import io
import json
import math
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from app.reports.contracts.run import Cost
from app.reports.run.findings import requests_row
from models import footprint
from models.units import parse
from simulator.result import RequestsResult, Span
from tests.app.conftest import Type

CONTRACT: dict[str, type | tuple[type, ...]] = {
    "schema": str,
    "profile": str,
    "seed": int,
    "version": str,
    "duration_s": float,
    "interval_s": (list, type(None)),
    "prediction": (dict, type(None)),
    "bottleneck": dict,
    "next_bottleneck": (dict, type(None)),
    "documented": (dict, type(None)),
    "further_documented": list,
    "stages": list,
    "slowest_tasks": list,
    "resources": list,
    "metrics": dict,
    "requests": list,
    "load": type(None),
    "capacity": dict,
    "cost": dict,
    "sources": list,
    "warnings": list,
    "resolved": dict,
}


ERROR = ("documented", "error")


Ask = Callable[..., dict[str, Any]]


@pytest.fixture
def answer(type_: Type, small: tuple[str, ...]) -> Ask:
    """Return the JSON of a small run, with further options."""

    def ask(*more: str) -> dict[str, Any]:
        ended = type_(*small, "--format", "json", *more)
        assert (ended.status, ended.err) == (0, "")
        data: dict[str, Any] = json.loads(ended.out)
        return data

    return ask


def test_json_has_exactly_the_keys_of_the_contract(answer: Ask) -> None:
    data = answer()
    assert list(data) == list(CONTRACT)
    for key, kind in CONTRACT.items():
        assert isinstance(data[key], kind), key
    assert data["schema"] == "headroom.run/1"
    assert data["cost"] == {}


def test_json_has_the_bill_where_the_profile_names_prices(answer: Ask) -> None:
    cost = answer("--set", "prices=aws-on-demand-2019")["cost"]
    assert list(cost) == list(Cost.__annotations__)
    assert cost["per_year"] == pytest.approx(sum(item["per_year"] for item in cost["items"]))
    assert cost["unpriced"] == []


def test_json_rows_have_the_keys_of_the_contract(answer: Ask) -> None:
    data = answer()
    assert set(data["bottleneck"]) == {"resource", "share"}
    assert set(data["documented"]) == {"id", "value", "unit", "error"}
    assert {frozenset(row) for row in data["stages"]} == {
        frozenset(["name", "tasks", "start_s", "end_s", "bottleneck"])
    }
    assert {frozenset(row) for row in data["resources"]} == {
        frozenset(["name", "kind", "group", "utilization_mean", "utilization_peak", "bytes"])
    }
    assert {frozenset(row) for row in data["metrics"].values()} == {frozenset(["value", "unit"])}
    assert {frozenset(row) for row in data["sources"]} == {frozenset(["key", "kind", "text"])}


def test_the_bottleneck_is_a_group_of_the_resources_or_a_limit_of_the_tasks(answer: Ask) -> None:
    data = answer()
    assert data["next_bottleneck"]["resource"] in {row["group"] for row in data["resources"]}


def test_every_number_of_the_resolved_profile_names_its_source_and_set_ones_the_command_line(answer: Ask) -> None:
    sources = {row["key"]: row for row in answer()["sources"]}
    assert sources["workload.input"] == {"key": "workload.input", "kind": "assumed", "text": "set on the command line"}
    assert sources["cluster.groups.workers.server.bays.data.drive.read_bandwidth"]["kind"] == "measured"


def test_a_changed_profile_shows_the_documented_value_without_an_error(answer: Ask) -> None:
    documented = answer()["documented"]
    assert (documented["id"], documented["value"], documented["unit"]) == ("mapreduce/hdfs/terasort", 1005, "s")
    assert documented["error"] is None


def test_the_resolved_profile_runs_again_with_the_same_answer(answer: Ask, type_: Type, tmp_path: Path) -> None:
    from profiles.text.dump import dump

    first = answer()
    path = tmp_path / "again.toml"
    path.write_text(dump(first["resolved"]), encoding="utf-8")
    again = json.loads(type_("--profile", str(path), "--format", "json").out)
    same = {"stages", "resources", "duration_s", "bottleneck", "capacity", "metrics", "resolved"}
    assert {key: again[key] for key in same} == {key: first[key] for key in same}


def test_replications_give_their_mean_and_its_interval(answer: Ask) -> None:
    single, many = answer(), answer("--replications", "3")
    assert single["interval_s"] is None
    low, high = many["interval_s"]
    assert low <= many["duration_s"] <= high
    assert many["stages"] == single["stages"]
    assert many["metrics"]["duration"]["value"] == many["duration_s"]


def test_a_run_with_a_tolerance_says_so(type_: Type, small: tuple[str, ...]) -> None:
    ended = type_(*small, "--tolerance", "0.1 %")
    assert re.search(
        r"not exact: a step of a task counts as done when 0\.1% of it or less is left and another ends",
        " ".join(ended.out.split()),
    )


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("1 %", "must be from 0 to 0.1% (got 1 %)"),
        ("-0.01", "must be from 0 to 0.1% (got -0.01)"),
        ("little", "expected a number or a percentage such as '0.3' or '30 %' (got 'little')"),
    ],
)
def test_a_tolerance_that_cannot_be_is_refused(type_: Type, small: tuple[str, ...], text: str, message: str) -> None:
    ended = type_(*small, "--tolerance", text)
    assert ended.status == 2
    assert message in ended.err


def test_the_same_seed_gives_the_same_bytes_and_another_seed_other_chances(type_: Type, small: tuple[str, ...]) -> None:
    words = (*small, "--format", "json")
    first, second, other = type_(*words).out, type_(*words).out, type_(*words, "--seed", "1").out
    assert first == second
    assert json.loads(first)["duration_s"] != json.loads(other)["duration_s"]


def test_text_answers_first_and_fits_a_terminal(type_: Type, small: tuple[str, ...]) -> None:
    ended = type_(*small)
    lines = ended.out.splitlines()
    assert lines[0] == "TeraSort 1 TB on HDFS, 3 replicas, 12 h1.16xlarge, changed"
    labels = [line[:12].strip() for line in lines[2:8]]
    assert labels == ["Duration", "Limited by", "Next limit", "Documented", "Changed", ""]
    assert lines[5] == "Documented  1,005 s (mapreduce/hdfs/terasort), for the profile without the changes"
    assert lines[6] == "Changed     workload.input = 10 GB"
    assert max(map(len, lines)) <= 100
    assert "\x1b" not in ended.out


def test_what_is_moved_in_bulk_is_told_as_a_rate_of_all_and_of_one_process(type_: Type) -> None:
    lines = type_("--profile", "published-io500-beegfs-10-write", "--interval", "none").out.splitlines()
    assert lines[2].startswith("Duration")
    assert re.match(r"Carries +[\d.]+ GB/s, [\d.]+ MB/s a process$", lines[3])


@pytest.mark.parametrize(("half", "told"), [(1e-10, "±0 %"), (0.3, "±0.3 %"), (12.0, "±12 %"), (math.inf, "±-")])
def test_chance_of_a_rate_that_rounding_alone_leaves_is_none(half: float, told: str) -> None:
    rate = Span(100.0, 100.0 - half, 100.0 + half)
    assert requests_row(RequestsResult("GET", rate, rate, {}, {}))[1] == f"100 {told}"


LOAD = ("--profile", "small-ranges-storagegrid", "--set", "workload.duration=1 s")


def test_a_load_of_requests_is_answered_by_what_it_carries_and_not_by_how_long_it_was_simulated(type_: Type) -> None:
    lines = type_(*LOAD).out.splitlines()
    assert re.match(r"Carries +[\d,]+ ±[\d.]+ % requests/s, [\d.]+ MB/s$", lines[2])
    assert re.match(r"GET +p50 [\d.]+ ms, p90 [\d.]+ ms, p99 [\d.]+ ms, p99.9 -$", lines[3])
    assert not any(line.startswith("Duration") for line in lines)
    load = json.loads(type_(*LOAD, "--format", "json").out)["load"]
    low, high = load["requests_per_s"]["interval"]
    assert low < load["requests_per_s"]["value"] < high
    assert (load["offered_per_s"], load["is_overloaded"]) == (None, False)


def test_text_leaves_out_groups_of_resources_that_were_never_used(
    type_: Type, small: tuple[str, ...], answer: Ask
) -> None:
    moved = {row["group"]: 0.0 for row in answer()["resources"]}
    for row in answer()["resources"]:
        moved[row["group"]] += row["utilization_peak"] + row["bytes"]
    assert 0.0 in moved.values()
    tables = type_(*small).out.split("\n\n")
    (table,) = [table for table in tables if table.startswith("utilization of")]
    shown = [line.split("  ")[0] for line in table.splitlines()[1:]]
    assert shown == [group for group, amount in moved.items() if amount]


def test_text_tells_the_error_against_the_documented_value(type_: Type) -> None:
    assert (
        "Documented  294 s (mapreduce/hdfs/terasort-gen); the simulation is " in type_("--profile", "hdfs-teragen").out
    )


def test_every_documented_outcome_of_a_run_stands_beside_it_with_its_error(type_: Type) -> None:
    words = ("--profile", "hepix-gpfs-20")
    shown = [line for line in type_(*words).out.splitlines() if line.startswith("Documented")]
    assert [line.split("; ")[0] for line in shown] == [
        "Documented  168,381 (hepix/gpfs/20/events)",
        "Documented  171 MB/s (hepix/gpfs/20/read-rate)",
    ]
    data = json.loads(type_(*words, "--format", "json").out)
    (further,) = data["further_documented"]
    assert (data["documented"]["id"], further["id"]) == ("hepix/gpfs/20/events", "hepix/gpfs/20/read-rate")
    assert further["error"] == pytest.approx(data["metrics"]["read rate"]["value"] / 171e6 - 1)
    rows = list(csv.reader(io.StringIO(type_(*words, "--format", "csv").out)))
    errors = {name: float(value) for section, name, metric, value, _ in rows if (section, metric) == ERROR}
    assert errors == {outcome["id"]: outcome["error"] for outcome in (data["documented"], further)}


def test_a_documented_metric_that_the_run_lacks_has_no_error(type_: Type, tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    text = 'extends = "hdfs-terasort"\n[profile]\ntitle = "Mine"\noutcome = "hepix/gpfs/20/events"\n'
    path.write_text(text + '[workload]\ninput = "10 GB"\nsource = "assumed: small"\n')
    assert "168,381 (hepix/gpfs/20/events); this run has no events\n" in type_("--profile", str(path)).out


def test_csv_is_tidy_and_holds_the_numbers_of_the_json(type_: Type, small: tuple[str, ...], answer: Ask) -> None:
    rows = list(csv.DictReader(io.StringIO(type_(*small, "--format", "csv").out)))
    assert list(rows[0]) == ["section", "name", "metric", "value", "unit"]
    assert [row["section"] for row in rows if row["metric"] == "duration"] == ["run"]
    assert float(rows[0]["value"]) == answer()["duration_s"]
    assert {row["section"] for row in rows} == {"run", "documented", "stage", "resource", "metric", "capacity"}
    assert len({(row["section"], row["name"], row["metric"]) for row in rows}) == len(rows)


def test_a_number_without_a_source_is_a_warning(type_: Type, tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text('extends = "hdfs-terasort"\n[profile]\ntitle = "Mine"\n[workload]\ninput = "10 GB"\n')
    data = json.loads(type_("--profile", str(path), "--format", "json").out)
    assert data["warnings"] == ["numbers without a source: workload.input"]
    assert data["documented"] is None


def test_of_many_numbers_without_a_source_a_warning_names_the_first_few(type_: Type, tmp_path: Path) -> None:
    changed = 'extends = "hdfs-terasort"\n[profile]\ntitle = "Mine"\n[workload]\ninput = "10 GB"\nreduces = 40\n'
    path = tmp_path / "mine.toml"
    path.write_text(
        changed + "[cluster.groups.workers]\ncount = 4\n"
        '[cluster.groups.workers.server]\nmemory = { size = "128 GiB" }\nnic = { bandwidth = "10 Gbit/s" }\n'
        "cpu = { cores = 16, threads = 32 }\n"
    )
    (warning,) = json.loads(type_("--profile", str(path), "--format", "json").out)["warnings"]
    assert warning.count(",") == 4
    assert warning.endswith(" and 2 more")


def test_output_takes_the_answer_from_the_terminal_and_reports_come_on_top(
    type_: Type, small: tuple[str, ...], tmp_path: Path
) -> None:
    names = [str(tmp_path / name) for name in ("answer.json", "page.md", "table.csv", "text.txt", "data.JSON")]
    output, *reports = names
    flags = [word for name in reports for word in ("--report", name)]
    ended = type_(*small, "--format", "json", "--output", output, *flags)
    assert (ended.status, ended.out, ended.err) == (0, "", "")
    first = {name: Path(name).read_text(encoding="utf-8").split("\n", 1)[0] for name in names}
    title = "TeraSort 1 TB on HDFS, 3 replicas, 12 h1.16xlarge, changed"
    assert list(first.values()) == ["{", f"# {title}", "section,name,metric,value,unit", title, "{"]
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "answer.json",
        "data.JSON",
        "page.md",
        "table.csv",
        "text.txt",
    ]


@pytest.mark.parametrize("suffix", [".html", ".pdf", ".xlsx", ".md"])
def test_a_report_is_written_in_the_form_of_its_suffix_with_the_same_bytes_each_time(
    suffix: str, type_: Type, small: tuple[str, ...], tmp_path: Path
) -> None:
    first, second = tmp_path / f"a{suffix}", tmp_path / f"b{suffix}"
    ended = type_(*small, "--report", str(first), "--report", str(second))
    assert (ended.status, ended.err) == (0, "")
    assert first.read_bytes() == second.read_bytes()


def test_a_report_holds_the_profile_with_which_the_run_can_be_repeated(
    type_: Type, small: tuple[str, ...], tmp_path: Path
) -> None:
    page = tmp_path / "a.md"
    type_(*small, "--report", str(page))
    profile = page.read_text().split("```")[1].strip()
    again = tmp_path / "again.toml"
    again.write_text(profile)
    first, second = (json.loads(type_(*args, "--format", "json").out) for args in (small, ["--profile", str(again)]))
    assert first["duration_s"] == second["duration_s"]


def test_the_waterfall_of_a_report_only_ever_falls(type_: Type, small: tuple[str, ...], tmp_path: Path) -> None:
    page = tmp_path / "a.md"
    type_(*small, "--report", str(page))
    lines = page.read_text().split("**From nameplate to delivered**")[1].splitlines()[4:]
    rates = [parse(row.split("|")[2].strip(), "B/s") for row in lines[: lines.index("")]]
    assert len(rates) >= 3
    assert rates == sorted(rates, reverse=True)


def test_a_run_says_that_its_document_contradicts_itself_and_names_the_other_reading(type_: Type) -> None:
    text = " ".join(type_("--profile", "copy-hdfs-cli-sequential").out.split())
    assert "Note copy/hdfs-cli-sequential: the document contradicts itself" in text
    assert "the profile copy-hdfs-cli-sequential-published-network" in text


def test_much_memory_is_told_before_the_run(
    type_: Type, small: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(footprint, "MUCH", 1e6)
    ended = type_(*small)
    assert ended.status == 0
    assert re.match(r"This run may take \d+\.?\d* MB of memory; with a --tolerance it takes less\.\n", ended.err)


def test_very_long_times_are_told_in_years_and_not_in_seconds(type_: Type, small: tuple[str, ...]) -> None:
    text = type_(*small, "--set", "workload.framework.container_start=100 y").out
    assert re.search(r"^Duration +[\d,]+ years$", text, re.MULTILINE)
    assert re.search(r"^map +\d+ +[\d.]+ s +[\d,]+ years +[\d,]+ years ", text, re.MULTILINE)


def test_a_setting_that_limits_runs_is_told_once_with_the_way_out_wherever_they_are_simulated(type_: Type) -> None:
    delay, none = "workload.framework.locality_delay", ("--interval", "none")
    job = ("--profile", "s3a-tuning", "--set", "workload.input=8 GB", "--set", "client.fs.s3a.block.size=32 MiB")
    told = {
        "run": type_(*job, "--set", f"{delay}=40"),
        "sweep": type_("sweep", *job, "--vary", f"{delay}=0,40", *none),
        "size": type_("size", *job, "--vary", f"{delay}=40,41", "--target", "duration <= 20 s", *none),
    }
    texts = {name: " ".join(ended.out.split()) for name, ended in told.items()}
    for text in texts.values():
        assert text.count("(containers that heartbeats bring): YARN lets a map wait") == 1
        assert text.count(f"= 0 lets free containers begin at once ({delay}).") == 1
    assert f"{delay} = 40: limited by a setting, not by hardware, for" in texts["sweep"]
