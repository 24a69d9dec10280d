"""`simulate sweep` as its own process and in this one: forms, mistakes, Ctrl+C, and `kill -9` in the middle."""

from __future__ import annotations

import csv
import io
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from simulator.studies.store import Store
from tests.app.conftest import Type
from tests.app.plans import HEAD

ROOT = Path(__file__).parent.parent.parent
COUNT, INPUT = "cluster.groups.workers.count", "workload.input"
SMALL = ("sweep", "--profile", "hdfs-terasort", "--set", f"{INPUT}=10 GB", "--workers", "1")


def start(*words: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "app", *words]
    return subprocess.Popen(
        command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
    )


def stored(path: Path) -> int:
    if not path.exists() or not path.stat().st_size:
        return 0
    with Store(path) as store:
        return len(store)


def wait_for(path: Path, count: int, process: subprocess.Popen[str]) -> None:
    while stored(path) < count:
        assert process.poll() is None, process.communicate()
        time.sleep(0.05)


def test_the_table_has_a_row_a_point_and_marks_the_best(type_: Type) -> None:
    ended = type_(*SMALL, "--vary", f"{COUNT}=4,8")
    assert (ended.status, ended.err) == (0, "")
    rows = [line.split() for line in ended.out.splitlines() if line.startswith(("   4", "*  8"))]
    assert [row[:2] for row in rows] == [["4", rows[0][1]], ["*", "8"]]
    assert f"Best     {COUNT} = 8: " in ended.out


def test_where_nothing_runs_no_point_is_the_best_and_cheaper_ones_are_marked(type_: Type, tmp_path: Path) -> None:
    plan = tmp_path / "plan.toml"
    text = f'{HEAD}stored = "100 TB"\n[candidates.A]\nstorage = "hdfs"\nservers = "hdd-25gbe"\ncount = "6,8"\n'
    plan.write_text(text)
    ended = type_("sweep", f"{plan}#A", "--workers", "1")
    assert (ended.status, ended.err) == (0, "")
    assert "Best    none: there is nothing to run, data is only kept" in ended.out
    rows = [line.split() for line in ended.out.splitlines() if line.startswith(("   8", "+  6"))]
    assert [row[0] for row in rows] == ["+", "8"]
    assert "the shortest duration" not in ended.out


def test_what_does_not_fit_is_a_row_with_its_reason(type_: Type) -> None:
    ended = type_(*SMALL[:3], "--vary", f"{INPUT}=1 GB,1 PB", "--workers", "1")
    assert ended.status == 0
    assert "1 of 2 points cannot be run:" in ended.out
    assert f"{INPUT} = 1 PB  workload: the data needs 4 PB" in ended.out


def test_status_is_1_if_no_point_can_be_run(type_: Type) -> None:
    ended = type_("sweep", "--profile", "hdfs-terasort", "--vary", f"{INPUT}=1 PB,2 PB")
    assert ended.status == 1
    assert "none: no point can be run" in ended.out


def test_every_mistake_is_told_before_anything_runs(type_: Type, tmp_path: Path) -> None:
    store = tmp_path / "points"
    ended = type_(*SMALL[:3], "--vary", f"{COUNT}=4,0", "--vary", f"{INPUT}=1 TB,1 s", "--store", str(store))
    assert (ended.status, ended.out, store.exists()) == (2, "", False)
    assert ended.err.splitlines() == [
        "--vary: cluster.groups.workers.count: must be at least 1 (got 0)",
        "--vary: workload.input: expected a size such as '64 MiB' or '2 TB' (got '1 s'): 's' is a time",
    ]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ((), "--profile: missing: "),
        (("--profile", "hdfs-terasort"), "--vary: missing: expected KEY=VALUES such as "),
        (("--profile", "hdfs-terasort", "--vary", "count"), "--vary: expected KEY=VALUES such as "),
        (("--profile", "hdfs-terasort", "--vary", f"{COUNT}=4..8"), f"--vary: {COUNT}: expected a range such as "),
        (("--study", "x", "--zip"), "no study is named 'x'"),
        (("--study", "terasort-servers", "--zip"), "--study: states zip itself; remove these options"),
        (("--output", "points.doc"), "--output: the suffix chooses the form, expected '.html', '.pdf', '.md'"),
        (("--profile", "hdfs-terasort", "--vary", f"{COUNT}=4", "--store", "/dev/null/x"), "cannot be used as a store"),
    ],
)
def test_a_wrong_option_is_told_with_what_fits(type_: Type, words: tuple[str, ...], message: str) -> None:
    ended = type_("sweep", *words)
    assert ended.status == 2
    assert message in ended.err


def test_a_wrong_value_of_a_study_is_told_at_its_line(type_: Type, tmp_path: Path) -> None:
    file = tmp_path / "study.toml"
    varied = f'[vary]\n"{COUNT}" = "4,0"\n"{INPUT}" = "1 TB,2 TBs"\n'
    file.write_text(f'kind = "sweep"\ntitle = "Two"\nprofile = "hdfs-terasort"\n{varied}')
    first, second = type_("sweep", "--study", str(file)).err.splitlines()
    assert first == f"{file}:5: vary.{COUNT}: must be at least 1 (got 0)"
    assert second.startswith(f"{file}:6: vary.{INPUT}: expected a size such as ")


def test_points_lead_those_of_the_same_input(type_: Type) -> None:
    ended = type_(*SMALL[:3], "--vary", f"{COUNT}=4,8", "--vary", f"{INPUT}=1 GB,2 GB", "--workers", "1")
    best = [line.split(": ")[0].split("  ")[-1].strip() for line in ended.out.splitlines() if line.startswith("Best")]
    assert [point.partition(", ")[2] for point in best] == [f"{INPUT} = 1 GB", f"{INPUT} = 2 GB"]
    assert sum(line.startswith("*  ") for line in ended.out.splitlines()) == 2
    assert "* the shortest duration of those with as much to do" in ended.out
    alone = type_(*SMALL[:3], "--vary", f"{INPUT}=1 GB,2 GB", "--workers", "1")
    assert "Best    none: each point has another amount of work to do" in alone.out


def test_equal_sweeps_give_equal_bytes_whether_points_are_stored_or_run(type_: Type, tmp_path: Path) -> None:
    words = (*SMALL, "--vary", f"{COUNT}=4,8", "--format", "json")
    first, again = type_(*words), type_(*words)
    elsewhere = type_(*words, "--store", str(tmp_path / "other"), "--workers", "2")
    assert first.status == 0
    assert first.out == again.out == elsewhere.out


def test_json_holds_every_point_in_order(type_: Type) -> None:
    data = json.loads(type_(*SMALL, "--vary", f"{COUNT}=8,4", "--seed", "3", "--format", "json").out)
    assert (data["schema"], data["seed"], data["best"]) == ("headroom.sweep/1", 3, 0)
    assert [point["values"] for point in data["points"]] == [{COUNT: "8"}, {COUNT: "4"}]
    assert all(point["measures"]["duration"]["value"] == point["duration_s"] for point in data["points"])


def test_zipped_values_make_one_point_a_row(type_: Type) -> None:
    words = ("--vary", f"{COUNT}=4,8", "--vary", "storage.replication=2,3", "--zip", "--format", "csv")
    rows = list(csv.DictReader(io.StringIO(type_(*SMALL, *words).out)))
    assert [(row[COUNT], row["storage.replication"]) for row in rows] == [("4", "2"), ("8", "3")]


def test_csv_parquet_and_workbook_hold_the_same_numbers(type_: Type, tmp_path: Path) -> None:
    from openpyxl import load_workbook
    from pyarrow import parquet

    for suffix in (".csv", ".parquet", ".xlsx", ".json", ".html"):
        ended = type_(*SMALL, "--vary", f"{COUNT}=4,8", "--output", str(tmp_path / f"points{suffix}"))
        assert (ended.status, ended.out, ended.err) == (0, "", "")
    rows = list(csv.DictReader(io.StringIO((tmp_path / "points.csv").read_text())))
    table = parquet.read_table(tmp_path / "points.parquet").to_pylist()
    durations = [point["duration_s"] for point in json.loads((tmp_path / "points.json").read_text())["points"]]
    assert [float(row["duration (s)"]) for row in rows] == [row["duration (s)"] for row in table] == durations
    assert [row[COUNT] for row in table] == [4, 8]
    book = load_workbook(tmp_path / "points.xlsx")
    assert [row[2].value for row in list(book["points"].rows)[1:]] == pytest.approx(durations)
    assert [len(sheet._charts) for sheet in book] == [0, 0, 1]


def test_a_sweep_that_is_killed_goes_on_where_it_was(tmp_path: Path) -> None:
    store = tmp_path / "points"
    words = ("sweep", "--profile", "hdfs-terasort", "--vary", f"{INPUT}=1 GB..8 GB:1 GB", "--format", "csv")
    killed = start(*words, "--store", str(store), "--workers", "2")
    wait_for(store, 2, killed)
    os.killpg(killed.pid, signal.SIGKILL)
    out, _ = killed.communicate()
    kept = stored(store)
    assert (out, killed.returncode) == ("", -signal.SIGKILL)
    assert 2 <= kept < 8
    with Store(store) as before:
        rows = list(before._file.execute("SELECT rowid, key, answer FROM points ORDER BY rowid"))
    resumed = start(*words, "--store", str(store), "--workers", "2")
    whole = start(*words, "--store", str(tmp_path / "other"), "--workers", "1")
    assert resumed.communicate()[0] == whole.communicate()[0]
    with Store(store) as after:
        assert list(after._file.execute("SELECT rowid, key, answer FROM points ORDER BY rowid"))[:kept] == rows
        assert len(after) == 8


def test_two_sweeps_at_once_fill_one_store(tmp_path: Path) -> None:
    store = tmp_path / "points"
    words = ("sweep", "--profile", "hdfs-terasort", "--store", str(store), "--workers", "1", "--format", "csv")
    both = [start(*words, "--vary", f"{INPUT}={sizes}") for sizes in ("1 GB..6 GB:1 GB", "3 GB..8 GB:1 GB")]
    assert [process.communicate()[1] for process in both] == ["", ""]
    assert stored(store) == 8


@pytest.mark.parametrize("workers", ["1", "2"])
def test_ctrl_c_keeps_what_has_finished_and_says_so(tmp_path: Path, workers: str) -> None:
    store = tmp_path / "points"
    words = ("sweep", "--profile", "hdfs-terasort", "--vary", f"{INPUT}=1 GB..99 GB:1 GB", "--store", str(store))
    process = start(*words, "--workers", workers)
    wait_for(store, 1, process)
    os.killpg(process.pid, signal.SIGINT)
    out, err = process.communicate()
    assert (process.returncode, out) == (130, "")
    kept = f"Points that finished and are kept: {stored(store)}. The same command goes on from there."
    assert err.splitlines() == [kept, "Cancelled."]


def test_an_absent_scheduler_is_told_and_nothing_is_lost(type_: Type, tmp_path: Path) -> None:
    store = str(tmp_path / "points")
    assert type_(*SMALL, "--vary", f"{COUNT}=4", "--store", store).status == 0
    ended = type_(*SMALL, "--vary", f"{COUNT}=4,8", "--store", store, "--scheduler", "tcp://127.0.0.1:1")
    assert ended.status == 2
    assert "tcp://127.0.0.1:1: no Dask scheduler answers within 3 s" in ended.err
    assert stored(Path(store)) == 1


def test_a_sweep_of_a_load_ranks_by_the_request_rate_and_draws_it(type_: Type, tmp_path: Path) -> None:
    page, data = tmp_path / "sweep.md", tmp_path / "sweep.json"
    words: tuple[str, ...] = (
        "sweep",
        "get-minio-nvme-drive-failure",
        "--vary",
        "workload.threads=4,16",
        "--workers",
        "1",
    )
    words += ("--set", "workload.count=1000")
    ended = type_(*words)
    assert ended.status == 0, ended.err
    assert "Best     workload.threads = 16: " in ended.out
    assert " requests/s" in ended.out
    assert "* the highest request rate" in ended.out
    header = next(line for line in ended.out.splitlines() if "limited by" in line)
    assert header.split()[:3] == ["threads", "request", "rate"]
    assert "duration" not in header
    for file in (page, data):
        assert type_(*words, "--output", str(file)).status == 0
    assert "Request rate over" in page.read_text()
    answer = json.loads(data.read_text())
    assert answer["leading"][:2] == ["request rate", "throughput"]
    rates = [point["measures"]["request rate"]["value"] for point in answer["points"]]
    assert (answer["best"], rates[1] > rates[0]) == (1, True)
