"""Many workloads in text, CSV and reports: who took what is said in a sentence, and a colour stands for a workload."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from app.reports.charts import svg
from app.reports.colours import COLOURS, GREY
from app.reports.document import OTHER, Document, Facts, Lines, Ranges, Section, Table
from app.reports.forms import document_text
from app.reports.run import run_csv
from app.reports.run.run_report import RunReport
from app.reports.run.workloads import blame, expected, fared, takers, verdict, workload_cells, workload_row
from app.reports.run.workloads_section import blocks
from simulator.result import (
    LATENCY,
    RATE,
    Bottleneck,
    FailuresResult,
    FaultResult,
    GroupResult,
    ObjectiveResult,
    PassResult,
    ResourceResult,
    Result,
    WorkloadResult,
)
from tests.narrow import as_a

DRIVES = "storage/data drives"
HOURS = 24
NIGHT = WorkloadResult(
    name="night",
    kind="mapreduce",
    passes=(PassResult(3600.0, 7200.0, 9000.0, True), PassResult(36000.0, 46000.0, 41400.0, False)),
    metrics={"duration": (6800.0, "s")},
    alone={"duration": (3400.0, "s")},
    slowdown=2.0,
    objectives=(),
    met=0.5,
    bottleneck=Bottleneck(DRIVES, 0.8),
    taken_by=(("night", 0.6), ("web", 0.392), ("rebuild", 0.008)),
    series={DRIVES: np.linspace(0.0, 0.4, HOURS)},
)
WEB = WorkloadResult(
    name="web",
    kind="requests",
    passes=(),
    metrics={"latency p99": (0.2, "s")},
    alone={"latency p99": (0.1, "s")},
    slowdown=2.0,
    objectives=(ObjectiveResult("p99 <= 300 ms", 0.2, "s", 1.0),),
    met=1.0,
    bottleneck=Bottleneck("one drive a request", 0.5),
    taken_by=(("night", 0.41), ("web", 0.59)),
    series={DRIVES: np.full(HOURS, 0.2), RATE: np.full(HOURS, 40.0), LATENCY: np.full(HOURS, 0.2)},
    waited_for=Bottleneck(DRIVES, 0.3),
)
DAY = Result(
    profile="day",
    seed=0,
    version="0",
    duration=HOURS * 3600.0,
    interval=None,
    bottleneck=Bottleneck(DRIVES, 0.8),
    next_bottleneck=None,
    stages=(),
    resources=(ResourceResult("storage-1/data-1", "drive", DRIVES, 0.5, 0.7, 1e9, np.linspace(0.2, 0.7, HOURS)),),
    groups=(GroupResult(DRIVES, "drive", 1, 0.5, 0.7, 1e9, 100.0),),
    bin_width=3600.0,
    metrics={"duration": (HOURS * 3600.0, "s")},
    capacity={},
    failures=FailuresResult(86_400.0, (FaultResult("storage-1/data-1", 43_200.0, 1e9, 50_000.0),), 0, 0.0, 0),
    workloads=(NIGHT, WEB),
)


def test_who_took_what_others_waited_for_is_said_in_a_sentence() -> None:
    assert list(blame(WEB)) == [f"night took 41 % of what it waited for: {DRIVES}, 30 % of its time"]
    assert list(blame(NIGHT)) == [f"web took 39 % of what it waited for: {DRIVES}, 80 % of its time"]
    assert not list(blame(replace(WEB, taken_by=(("web", 1.0),))))


def test_takers_below_one_in_a_hundred_are_left_to_the_json() -> None:
    assert takers(NIGHT) == "itself 60 %, web 39 %"


def test_a_cell_says_of_what_others_took_where_that_is_not_the_limit() -> None:
    assert workload_cells(WEB)[-1] == f"night 41 %, itself 59 % of {DRIVES}"
    assert workload_cells(NIGHT)[-1] == "itself 60 %, web 39 %"


def test_a_row_has_what_leads_together_and_alone() -> None:
    assert workload_row(NIGHT)[:6] == ["night", "2", "1 h 53 min", "56 min 40 s", "2.00", "50 %"]
    assert workload_row(WEB)[:6] == ["web", "-", "p99 200 ms", "p99 100 ms", "2.00", "100 %"]


def test_what_was_expected_says_of_how_many_it_was_met() -> None:
    assert list(expected(NIGHT)) == ["1 of 2 late"]
    assert list(expected(WEB)) == ["p99 <= 300 ms: 200 ms, met by 100 % of requests"]
    assert fared(WEB).startswith("p99 200 ms, 2.00 x as alone; p99 <= 300 ms")


@pytest.mark.parametrize(
    ("met", "text"),
    [
        ((1.0, 1.0), "met by all 2 workloads"),
        ((1.0, None), "met"),
        ((0.5, 1.0), "met by 1 of 2 workloads, in part by night (50 %)"),
        ((0.5, 0.0), "met by 0 of 2 workloads, in part by night (50 %), missed by web"),
        ((None, None), ""),
    ],
)
def test_the_verdict_names_who_missed_objectives(met: tuple[float | None, float | None], text: str) -> None:
    assert verdict([replace(NIGHT, met=met[0]), replace(WEB, met=met[1])]) == text


def test_a_report_shows_each_workload_in_a_colour_of_its_own() -> None:
    table, measures, schedule, users, rates, tails = blocks(DAY)
    assert isinstance(table, Table)
    assert isinstance(measures, Table)
    assert measures.for_sheets
    assert isinstance(schedule, Ranges)
    assert schedule.labels == ["night", "web", "rebuild"]
    assert ("web", 0.0, 24.0) in schedule.rows
    assert schedule.colours == {"night": 0, "web": 1, "rebuild": OTHER}
    for chart in (users, rates, tails):
        assert isinstance(chart, Lines)
        assert {series.colour for series in chart.series if series.name == "web"} == {1}
        assert len(chart.table().rows) == HOURS
    drawn = svg(as_a(Lines, users)).lower()
    assert COLOURS[0].lower() in drawn
    assert GREY in svg(schedule)


def test_stacked_parts_add_up_to_all_that_was_used() -> None:
    users = list(blocks(DAY))[3]
    assert isinstance(users, Lines)
    top = np.sum([series.y for series in users.series], axis=0)
    assert top == pytest.approx(DAY.resources[0].utilization, abs=0.01)


def test_csv_has_each_number_of_a_workload_with_its_unit() -> None:
    rows = [line.split(",") for line in run_csv.render(RunReport(result=DAY, title="day")).splitlines()]
    values = {(name, metric): (value, unit) for section, name, metric, value, unit in rows if section == "workload"}
    assert values["night", "run 2 due"] == ("41400.0", "s")
    assert values["web", "p99 <= 300 ms"] == ("0.2", "s")
    assert values["web", "waited for"] == (DRIVES, "")
    assert values["web", "taken by night"] == ("0.41", "1")


def test_a_name_longer_than_its_column_does_not_run_into_what_is_said_of_it() -> None:
    name = "a night of " + "very " * 20 + "many jobs"
    facts = Facts([("job-1572259-s", "13 h 46 min"), ("Duration", "1 s"), (name, "2 s")])
    shown = document_text.render(Document("Jobs", [Section("answer", "", [facts])]))
    below = f"{' ' * (document_text.WIDTH // 2)}2 s"
    assert [line.rstrip() for line in shown.splitlines()[2:]] == [
        f"job-1572259-s{' ' * (document_text.WIDTH // 2 - 13)}13 h 46 min",
        f"Duration{' ' * (document_text.WIDTH // 2 - 8)}1 s",
        name,
        below,
    ]
