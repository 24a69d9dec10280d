"""Charts of a run are described once, for the window and for reports."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from app.reports.charts import svg
from app.reports.colours import colour_at
from app.reports.document import OTHER, Lines, Table
from app.reports.run import run_charts
from app.reports.run.findings import answer
from app.reports.run.run_charts import _told_apart
from app.reports.run.run_report import RunReport
from models.scenario import Scenario
from profiles.loading.loader import load_text
from simulator.result import Bottleneck, Result
from simulator.run import simulate
from tests.narrow import some
from tests.profiles.many import SHORT_DAY

pytestmark = pytest.mark.usefixtures("few_requests")

SORT = 'extends = "hdfs-terasort"\n[workload]\ninput = "10 GB"\n'
GETS = 'extends = "get-minio-nvme"\n[workload]\ncount = 20000\n'


def ran(text: str) -> Result:
    return simulate(load_text(text, Scenario).scenario)


@pytest.fixture(scope="module")
def sort() -> Result:
    return ran(SORT)


@pytest.fixture(scope="module")
def day() -> Result:
    return ran(SHORT_DAY)


def test_a_stage_has_the_colour_of_the_group_that_limits_it(sort: Result) -> None:
    chart = run_charts.stages(sort)
    order = [group.group for group in run_charts.groups(sort)]
    limits = [some(stage.bottleneck).resource for stage in sort.stages]
    assert all(hue == order.index(limit) for hue, limit in zip(chart.hues, limits, strict=True) if limit in order)
    assert list(chart.hues) == [chart.names[limit] for limit in limits]
    assert set(chart.names) == set(limits)
    drawn = run_charts.utilization(sort, run_charts.whole_of(sort), run_charts.Steps.few_of(sort))
    assert [series.name for series in drawn.series] == order[: run_charts.LINES]


def test_what_limits_stages_and_is_no_group_has_a_colour_of_its_own(sort: Result) -> None:
    waits = ("container starts", "job setup", run_charts.groups(sort)[0].group)
    held = tuple(replace(sort.stages[0], bottleneck=Bottleneck(wait, 0.5)) for wait in waits)
    names = run_charts.stages(replace(sort, stages=held)).names
    assert (names["container starts"], names[waits[2]]) == (OTHER, 0)
    assert len(set(names.values())) == 3


def test_few_steps_have_the_mean_of_all_bins(sort: Result) -> None:
    whole = run_charts.whole_of(sort)
    for group, series in whole.items():
        few, bins = run_charts.Steps.few_of(sort), run_charts.Steps.all_of(sort, len(series))
        for steps in (few, bins):
            drawn = next(s for s in run_charts.utilization(sort, whole, steps).series if s.name == group)
            taken = float(np.sum(np.asarray(drawn.y) * np.diff(steps.edges)))
            mean = next(g.utilization_mean for g in sort.groups if g.group == group)
            assert taken / sort.duration == pytest.approx(mean, rel=0.02, abs=0.002)
    assert len(run_charts.Steps.few_of(sort).edges) <= 32


def test_percentiles_of_which_the_sample_says_too_little_are_left_out() -> None:
    result = ran(GETS)
    (series,) = run_charts.latencies(result).series
    known = {name for name, span in result.requests[0].latency.items() if math.isfinite(span.high - span.low)}
    assert {f"p{part:g}" for part in series.y} == known


def test_a_load_without_requests_has_no_latency_and_its_objective_is_a_line(day: Result) -> None:
    chart = run_charts.tails(day, run_charts.Steps.few_of(day))
    (series,) = chart.series
    assert any(map(math.isnan, series.y))
    assert [mark.at for mark in chart.marks if mark.name == "objective"] == [1000.0, 1.0]
    assert None in [row[1] for row in chart.table().rows]


def test_failures_are_lines_in_every_chart_over_the_day(day: Result) -> None:
    steps = run_charts.Steps.few_of(day)
    for chart in (run_charts.schedule(day), run_charts.rates(day, steps), run_charts.tails(day, steps)):
        assert [mark.name for mark in chart.marks if mark.is_upright] == ["failure", "whole again"]


def test_bars_of_one_row_that_touch_are_one_row_of_the_table(day: Result) -> None:
    chart = run_charts.schedule(day)
    rows = [row for row in chart.table().rows if row[0] == "tenant"]
    assert len(rows) == 1
    assert len([bar for bar in chart.rows if bar[0] == "tenant"]) > 1


def test_the_numbers_of_a_logarithmic_axis_are_read_as_numbers(day: Result) -> None:
    text = svg(run_charts.tails(day, run_charts.Steps.few_of(day)))
    assert "mathdefault" not in text
    assert ">100<" in text


def test_tables_behind_charts_have_a_row_for_each_step(day: Result) -> None:
    steps = run_charts.Steps.few_of(day)
    chart = run_charts.rates(day, steps)
    assert isinstance(chart, Lines)
    table: Table = chart.table()
    assert len(table.rows) == len(steps.edges) - 1


def test_two_groups_that_limit_stages_have_two_colours_however_many_groups_there_are() -> None:
    known = {name: number for number, name in enumerate("abcdefgh")}
    numbers = _told_apart(["a", "g", "queue", "starts"], known)
    told = [numbers[name] for name in ("a", "g", "queue", "starts")]
    assert numbers["a"] == known["a"]
    assert len({colour_at(number) for number in told}) == len(told)
    assert numbers["queue"] == OTHER


def test_a_limit_of_a_day_is_told_of_the_time_in_which_jobs_ran(day: Result) -> None:
    assert day.stages
    limited = dict(answer(RunReport(result=day, title="a day")))["Limited by"]
    assert limited.endswith(" of the time in which jobs ran")
