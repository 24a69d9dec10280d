"""Many workloads in the window: the table, the charts that share their colours and their time, and the project."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from pytestqt.qtbot import QtBot

from app.gui.charts.workload_colours import WorkloadColours
from app.gui.jobs.run import Ran, RunRequest, run_profile
from app.gui.jobs.series import Series
from app.gui.jobs.steps import finished
from app.gui.look import theme
from app.gui.playback.model import Playback
from app.gui.playback.view import PlaybackView
from app.gui.run.page import RunPage
from app.gui.run.workloads_view import WorkloadsView
from app.gui.session.project_file import Project, kept, read, run_of, write
from app.gui.session.runs import Run
from app.gui.session.session import Session
from app.reports.media import bound
from app.reports.run.workload_series import REBUILD, contested, edges_of, highest, lanes, means, step_of, users
from models.scenario import Scenario
from profiles.loading.loader import load_text
from simulator.result import LATENCY, RATE
from tests.profiles.many import SHORT_DAY

pytestmark = pytest.mark.usefixtures("few_requests")


@pytest.fixture(scope="module")
def run() -> Run:
    """Return a run of two jobs and a load on a store that loses a drive."""
    scenario = load_text(SHORT_DAY, Scenario).scenario
    request = RunRequest(name="day", title="short day", text=SHORT_DAY, scenario=scenario)
    ran = run_profile(lambda fraction, doing: None, request)
    assert isinstance(ran, Ran)
    return Run(1, request, ran, 0)


@pytest.fixture
def view(run: Run, qtbot: QtBot) -> WorkloadsView:
    workloads_view = WorkloadsView()
    qtbot.addWidget(workloads_view)
    for fill in workloads_view.fills(run).values():
        fill()
    workloads_view.show()
    return workloads_view


def test_the_table_says_how_each_workload_fared(view: WorkloadsView, run: Run) -> None:
    rows = [[view.table.rows.value(row, column) for column in range(8)] for row in range(3)]
    assert [(name, runs) for name, runs, *_ in rows] == [("night", 1), ("count", 2), ("tenant", None)]
    assert rows[2][2].startswith("p99 ")
    assert rows[2][4] == run.result.workloads[2].slowdown
    assert "night" in rows[2][7]


def test_a_workload_has_one_colour_in_the_table_and_in_the_charts(view: WorkloadsView, run: Run) -> None:
    colours = WorkloadColours.of(run.result)
    for row, workload in enumerate(run.result.workloads):
        index = view.table.rows.index(row, 0)
        assert view.table.rows.data(index, 1) == colours.colour(workload.name) == theme.series_colour(row)
    assert colours.colour(REBUILD).name() == theme.current().muted.lower()


def test_what_all_use_of_a_group_is_all_that_was_used_of_it(run: Run) -> None:
    whole = dict(run.ran.utilization)
    for group in contested(run.result):
        used = sum(series for _, series in users(run.result, group, whole[group]))
        assert used == pytest.approx(whole[group], abs=0.01)


def test_who_uses_a_group_is_drawn_for_the_one_that_is_chosen(view: WorkloadsView) -> None:
    groups = [view.users.group.itemText(row) for row in range(view.users.group.count())]
    assert groups[0] == "storage/data drives"  # what the requests waited for
    legend = view.users.legend.text()
    assert "tenant" in legend
    view.users.group.setCurrentText("compute/cpu")
    assert view.users.legend.text() != legend
    assert "rebuild" not in view.users.legend.text()
    assert "night" in view.users.said_at(10.0)


def test_the_schedule_shows_runs_loads_and_what_had_failed(view: WorkloadsView, run: Run) -> None:
    by_name = {lane.name: lane for lane in lanes(run.result)}
    assert list(by_name) == ["night", "count", "tenant", REBUILD]
    assert [len(by_name[name].spans) for name in ("night", "count")] == [1, 2]
    assert by_name["night"].due == (600.0,)
    assert by_name["tenant"].spans[-1][1] == pytest.approx(60.0, abs=run.result.bin_width)
    assert by_name[REBUILD].spans[0][0] == 5.0
    assert view.schedule.said_at(10.0, 0.0).startswith("night: 0.0 s to ")
    assert view.schedule.said_at(10.0, 0.0).endswith("due by 600.0 s")
    assert "nothing at that time" in view.schedule.said_at(100.0, 2.0)


def test_rates_and_latencies_say_their_values_at_a_time(view: WorkloadsView) -> None:
    assert "tenant 4" in view.rates.said_at(10.0)  # of 40 requests a second
    assert " ms" in view.tails.said_at(10.0)
    assert view.tails.said_at(-1.0) == ""


def test_a_playback_shows_what_one_workload_uses_of_each_resource(run: Run) -> None:
    playback = finished(Playback.made(run.result, run.scenario.cluster, Series.unpacked(run.ran.playback)))
    time = 20.0
    parts = [playback.levels(time, name).astype(float) for name in (*playback.users.names, REBUILD)]
    assert sum(parts) == pytest.approx(playback.levels(time), abs=len(parts) / 2 + 2)
    assert playback.stage_at(time) == "night, count, tenant"
    drives = dict(playback.using("storage/data drives", time))
    assert drives["tenant"] > 0
    assert sum(drives.values()) <= dict(playback.busiest(time, 99))["storage/data drives"] + 0.02
    assert not playback.levels(time, "nobody").any()


def test_the_playback_offers_the_workloads_and_draws_when_each_ran(session: Session, qtbot: QtBot, run: Run) -> None:
    view = PlaybackView(session)
    qtbot.addWidget(view)
    view.show()
    view.show_runs(run)
    qtbot.waitUntil(lambda: view.panes[0].picture.is_laid_out)
    view.go_to(20.0)
    assert [view.workload.itemText(row) for row in range(view.workload.count())] == ["all", "night", "count", "tenant"]
    assert view.strip.sizeHint().height() > 4 * 14  # a lane a workload, and one of the rebuild
    assert view.names.sizeHint().height() == view.strip.sizeHint().height()
    assert view.names.accessibleName() == "night, count, tenant"
    assert "(tenant " in view.panes[0].busy.text() or "tenant" in view.panes[0].busy.toolTip()
    before = view.panes[0].picture.grab().toImage()
    view.workload.setCurrentText("count")
    assert view.panes[0].picture.grab().toImage() != before


def test_only_a_run_with_many_workloads_offers_their_view(session: Session, qtbot: QtBot, run: Run) -> None:
    page = RunPage(session)
    qtbot.addWidget(page)
    place = page.views.indexOf(page.workloads)
    assert not page.views.isTabVisible(place)
    session.run_finished.emit(run)
    assert page.views.isTabVisible(place)
    assert page.views.currentWidget() is page.workloads
    session.last_run = run
    page.answer.refresh()
    assert page.answer.headline.text() == bound("Objectives: met by 1 of 2 workloads, missed by tenant")
    assert "as alone" not in page.answer.details.text()  # the table says it


def test_a_project_keeps_how_workloads_fared(run: Run, tmp_path: Path) -> None:
    write(tmp_path / "day.headroom", Project(runs=(kept(run),)))
    (again,) = map(run_of, read(tmp_path / "day.headroom").runs)
    for before, after in zip(run.result.workloads, again.result.workloads, strict=True):
        assert kept(again).result.workloads == kept(run).result.workloads
        assert before.series.keys() == after.series.keys()
        assert all(np.array_equal(before.series[name], after.series[name]) for name in before.series)
    assert {LATENCY, RATE} <= again.result.workloads[2].series.keys()


def test_a_day_is_summed_up_by_the_hour() -> None:
    assert step_of(86_400.0) == 3600.0
    assert step_of(25.0) == 1.0
    assert step_of(40 * 86_400.0) == 2 * 86_400.0
    edges = edges_of(9_000.0)
    assert edges[:3].tolist() == [0.0, 300.0, 600.0]
    series = np.arange(9_000.0 / 100)
    assert means(series, 100.0, edges)[:2].tolist() == [1.0, 4.0]
    assert highest(series, 100.0, edges)[:2].tolist() == [2.0, 5.0]
    assert means(series, 100.0, np.array([0.0, 50.0, 150.0])).tolist() == [0.0, 0.5]
