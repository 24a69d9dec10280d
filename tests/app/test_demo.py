"""`simulate demo NAME`: what single changes make of a study, and a name that does not ship."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from app.cli.demo import run_cell
from app.reports.forms import document_text
from app.reports.grid_report import Cell, Kept, as_json, document
from profiles.shipped.comparisons import Grid, comparison
from simulator.result import Bottleneck
from tests.app.conftest import Type
from tests.narrow import as_a, some

README = (Path(__file__).parents[2] / "README.md").read_text(encoding="utf-8")
CHANGE = 35  # columns of the longest change


def percentages(line: str) -> list[float]:
    return [float(number.replace(",", "")) for number in re.findall(r"[+-][\d.,]+(?= %)", line)]


@pytest.mark.slow
def test_a_study_shows_what_each_change_makes_of_time_requests_and_capacity(type_: Type) -> None:
    ended = type_("demo", "s3a-tuning", "--workers", "1")
    assert (ended.status, ended.err) == (0, "")
    title, _, table, _, reasons = ended.out.split("\n\n")
    header, baseline, *rows = table.splitlines()
    assert title.startswith("Sort of 192 GB on StorageGRID through S3A")
    assert header.split() == ["change", "duration", "requests", "capacity", "limited", "by"]
    assert baseline.startswith("baseline ")
    assert len(rows) == sum(not line.startswith(" ") for line in reasons.splitlines()) == 14
    assert max(map(len, ended.out.splitlines())) <= 125
    shown = {row[:CHANGE].strip(): percentages(row) for row in rows}
    section = README.partition("`simulate demo s3a-tuning`")[2].partition("\n## ")[0]
    lines = [line.split("|") for line in section.splitlines() if line.startswith("| ")]
    gains = {line[1].strip(): percentages("|".join(line[2:4])) for line in lines[1:]}
    assert len(gains) == 6
    for what, values in gains.items():
        assert values == pytest.approx(shown[what], abs=1.5, rel=0.01), what


def test_a_comparison_that_does_not_ship_is_refused_with_the_nearest(type_: Type) -> None:
    ended = type_("demo", "s3a-tunings")
    assert (ended.status, ended.out) == (2, "")
    assert ended.err == "demo: no such comparison: 's3a-tunings'; did you mean 's3a-tuning'?\n"


def test_the_table_of_storages_has_five_works_on_eight_systems() -> None:
    table = comparison("storages")
    assert isinstance(table, Grid)
    assert (len(table.works), len(table.systems)) == (5, 8)


@pytest.mark.parametrize(
    ("work", "system"),
    [
        ("copy in", "MinIO EC:4"),
        ("copy in", "Lustre"),
        ("requests", "Ceph 3x"),
        ("copy in", "Ceph 4+2"),
        ("taxi scan", "HDFS 3x"),
    ],
)
def test_a_cell_of_the_table_is_a_run_of_the_work_on_the_system(work: str, system: str) -> None:
    table = as_a(Grid, comparison("storages"))
    chosen = next(row for row in table.works if row.name == work)
    cell = run_cell((chosen, next(row for row in table.systems if row.name == system), table.cluster))
    assert (cell.workload, cell.storage, cell.refused) == (work, system, None)
    assert some(cell.rate if chosen.rate else cell.duration) > 0
    assert some(cell.bottleneck).resource


def test_the_table_says_what_each_work_takes_what_limits_it_and_why_it_does_not_run() -> None:
    cells = [
        Cell("sort", "A", duration=12.5, bottleneck=Bottleneck("drives", 0.9)),
        Cell("sort", "B", refused="no such thing"),
        Cell("requests", "A", rate=250.0, unit="1/s", bottleneck=Bottleneck("cards", 0.8)),
        Cell("requests", "B", rate=100.0, unit="1/s", bottleneck=Bottleneck("cpu", 0.8)),
    ]
    kept = [Kept("A", 3.0, 2, 1), Kept("B", 1.0, None, None)]
    notes = {"sort": "small"}
    shown = document("Works by systems", cells, kept, notes)
    title, _, table, _, limits, _, reasons, _, text = document_text.render(shown).split("\n\n")
    assert title == "Works by systems"
    assert [line.split() for line in table.splitlines()[1:]] == [
        ["A", "12.5", "s", "250", "1/s", "3", "2", "drives,", "1", "server"],
        ["B", "–", "100", "1/s", "1", "–"],
    ]
    assert [line.split() for line in limits.splitlines()[1:]] == [["A", "drives", "cards"], ["B", "–", "cpu"]]
    assert (reasons, text) == ("sort on B  no such thing", "sort  small\n")
    data = shown.data
    assert data == as_json("Works by systems", cells, kept, notes)
    assert data["schema"] == "headroom.storages/1"
    assert data["cells"][0] == {
        "workload": "sort",
        "storage": "A",
        "duration_s": 12.5,
        "bottleneck": {"resource": "drives", "share": 0.9},
    }
    assert data["cells"][1] == {"workload": "sort", "storage": "B", "refused": "no such thing"}
    assert data["cells"][2]["rate"] == 250.0
    assert data["notes"] == notes
    assert [row["survives"] for row in data["storages"]] == [{"drives": 2, "servers": 1}, None]
