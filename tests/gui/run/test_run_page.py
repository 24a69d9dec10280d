"""Run, from the key to the answer: what it says, how it is cancelled, and what a killed process leaves."""

from __future__ import annotations

import os
import signal
import time
from dataclasses import replace
from itertools import pairwise

import pyqtgraph as pg
import pytest
from PySide6.QtCore import Qt, QTimer
from pytestqt.qtbot import QtBot

from app.gui.charts.chart import SIGNS
from app.gui.look.curtain import Curtain
from app.gui.run.page import RunPage
from app.gui.shell.window import MainWindow
from app.reports.media import bound
from app.reports.run import findings, run_charts
from simulator.result import Bottleneck, StageResult

PATIENCE = 60_000  # milliseconds; a run takes a second, a busy machine makes it many


def press_run(window: MainWindow, qtbot: QtBot) -> None:
    qtbot.keyClick(window, Qt.Key.Key_R, Qt.KeyboardModifier.ControlModifier)


def simulated(window: MainWindow, qtbot: QtBot) -> RunPage:
    """Simulate and return the page once all that is in sight shows the run."""
    with qtbot.waitSignal(window.session.run_finished, timeout=PATIENCE):
        press_run(window, qtbot)
    page: RunPage = window.pages["Run"]
    qtbot.waitUntil(lambda: page.is_filled)
    return page


def test_ctrl_r_simulates_and_shows_duration_and_limit(window: MainWindow, qtbot: QtBot) -> None:
    page = simulated(window, qtbot)
    assert window.page == "Run"
    assert page.answer.headline.text() == "23.1 s"
    assert window.session.last_run is not None
    limit = window.session.last_run.result.bottleneck
    assert findings.limit(limit) in page.answer.details.text()
    assert page.resources.rows.value(0, 0) == "workers/cpu"
    page.tables.setCurrentWidget(page.stage_table)
    assert [page.stage_table.rows.value(row, 0) for row in range(2)] == ["map", "reduce"]


def test_an_empty_page_has_the_button_that_fills_it(window: MainWindow, qtbot: QtBot) -> None:
    answer = window.show_page("Run").answer
    assert (answer.headline.text(), answer.start.isVisible()) == ("Not simulated yet", True)
    with qtbot.waitSignal(window.session.run_finished, timeout=PATIENCE):
        qtbot.mouseClick(answer.start, Qt.MouseButton.LeftButton)
    assert (answer.headline.text(), answer.start.isVisible()) == ("23.1 s", False)


def test_how_sure_a_run_is_follows_it_and_is_remembered(
    window: MainWindow, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HEADROOM_INTERVAL", "fast")
    window.session.set_value("workload.reduces", "48")  # of 767, each of which is simulated for every draw
    certainties = window.session.certainties
    with qtbot.waitSignal(certainties.found, timeout=PATIENCE):
        page = simulated(window, qtbot)
    text = page.answer.details.text()
    assert "<b>Likely</b>" in text
    assert "(80 %)" in text
    assert page.tables.isTabVisible(page.tables.indexOf(page.assumptions))
    assert "container_start" in " ".join(
        page.assumptions.table.rows.value(row, 0) for row in range(page.assumptions.table.rows.rowCount())
    )
    run = window.session.last_run
    assert run is not None
    known = certainties.of(run)
    certainties.ask(run)
    assert certainties.of(run) is known
    certainties.close()


def test_what_a_tab_or_another_page_hides_is_filled_when_it_is_shown(window: MainWindow, qtbot: QtBot) -> None:
    page = simulated(window, qtbot)
    assert page.stage_table.rows.rowCount() == 0
    qtbot.mouseClick(page.tables.tabBar(), Qt.MouseButton.LeftButton, pos=page.tables.tabBar().tabRect(1).center())
    assert page.stage_table.rows.rowCount() == 2
    window.session.set_value("workload.input", "10 GB")
    with qtbot.waitSignal(window.session.run_finished, timeout=PATIENCE):
        window.session.run()
        window.show_page("Cluster")
    curtain = page.utilization.findChild(Curtain)
    window.show_page("Run")
    assert curtain.isVisible()  # neither the run before nor the page before is seen
    assert curtain.size() == page.utilization.size()
    qtbot.waitUntil(lambda: curtain.isHidden() and page.is_filled)
    ends = page.utilization.plot.getViewBox().viewRange()[0][1]
    assert ends > 0.9 * window.session.last_run.result.duration


def test_what_is_said_of_a_run_follows_it_while_there_is_no_answer(window: MainWindow, qtbot: QtBot) -> None:
    answer = window.show_page("Run").answer
    assert (answer.headline.text(), answer.start.isVisible()) == ("Not simulated yet", True)
    press_run(window, qtbot)
    assert (answer.headline.text(), answer.details.text()) == ("Simulating", "Esc ends it.")
    progress = window.pages["Run"].progress
    window.session.run_progressed.emit(0.01, 2.0)
    assert progress.text() == "1.0 % – Esc cancels"
    window.session.run_progressed.emit(0.5, 75.0)  # what is left may go faster or slower
    assert progress.text() == "50 %, 1 min 15 s so far – Esc cancels"
    window.cancel_action.trigger()
    assert answer.headline.text() == "Not simulated yet"


def test_escape_cancels_a_run_and_the_next_one_goes_through(window: MainWindow, qtbot: QtBot) -> None:
    session = window.session
    session.open_text(session.document.text.replace("5 GB", "2 TB"), "large")
    with qtbot.waitSignal(session.run_progressed, timeout=PATIENCE):
        press_run(window, qtbot)
    with qtbot.waitSignal(session.run_cancelled, timeout=PATIENCE):
        qtbot.keyClick(window, Qt.Key.Key_Escape)
    assert not session.is_running
    session.open_text(session.document.text.replace("20 TB", "5 GB"), "small")
    with qtbot.waitSignal(session.run_finished, timeout=PATIENCE):
        press_run(window, qtbot)


def test_a_killed_process_is_told_and_the_profile_stays(window: MainWindow, qtbot: QtBot) -> None:
    session = window.session
    session.open_text(session.document.text.replace("5 GB", "20 TB"), "large")
    with qtbot.waitSignal(session.run_progressed, timeout=PATIENCE):
        press_run(window, qtbot)
    with qtbot.waitSignal(session.run_failed, timeout=PATIENCE) as failed:
        os.kill(session.worker.process_id, signal.SIGKILL)
    assert "the simulation process was ended from outside" in failed.args[0]
    assert window.pages["Run"].answer.details.text().startswith("The simulation process was ended from outside")
    assert window.statusBar().currentMessage().startswith("The simulation process was ended from outside")
    assert session.is_valid
    assert window.run_action.isEnabled()


def test_a_process_killed_while_it_waits_is_not_missed(window: MainWindow, qtbot: QtBot) -> None:
    worker = window.session.worker
    for _ in range(2):
        with qtbot.waitSignal(window.session.run_finished, timeout=PATIENCE):
            press_run(window, qtbot)
        os.kill(worker.process_id, signal.SIGKILL)
        qtbot.waitUntil(lambda: worker.process_id is None, timeout=PATIENCE)


def test_a_broken_profile_cannot_be_run(window: MainWindow) -> None:
    window.session.set_text("cluster = ")
    window.session.check()
    assert not window.run_action.isEnabled()
    assert not window.session.is_running


def test_the_window_goes_on_while_a_run_does(window: MainWindow, qtbot: QtBot) -> None:
    session = window.session
    session.open_text(session.document.text.replace("5 GB", "5 TB"), "large")
    ticks: list[float] = []
    timer = QTimer(window, interval=10, timerType=Qt.TimerType.PreciseTimer)
    timer.timeout.connect(lambda: ticks.append(time.perf_counter()))
    with qtbot.waitSignal(session.run_progressed, timeout=PATIENCE):
        press_run(window, qtbot)
    timer.start()
    with qtbot.waitSignal(session.run_finished, timeout=PATIENCE):
        pass
    delays = sorted(later - earlier - 0.01 for earlier, later in pairwise(ticks))
    assert len(delays) > 10
    assert delays[len(delays) // 2] < 0.25  # a machine with other work delays some; a window that waits delays all


def test_requests_answer_with_rates_that_fall_from_nameplate_and_show_when_they_are_done(
    window: MainWindow, qtbot: QtBot
) -> None:
    window.open("get-minio-nvme")
    window.session.set_value("workload.count", "2000")
    page = simulated(window, qtbot)
    rate, kind = page.answer.headline.text().splitlines()
    assert "requests/s" in rate
    assert "GB/s" in rate
    assert kind.startswith("GET p50 ")
    assert "Duration" not in page.answer.details.text()
    assert page.latency.isVisible()
    assert not page.stages.isVisible()
    assert window.session.last_run is not None
    ran = window.session.last_run.ran
    rates = [rate for _, rate in ran.waterfall]
    assert rates == sorted(rates, reverse=True)
    assert rates[-1] == ran.measures["throughput"][0]
    assert page.waterfall.plot.isVisible()


def test_what_is_only_kept_has_an_answer_and_no_empty_chart(window: MainWindow, qtbot: QtBot) -> None:
    window.open("sizing-hdfs-10pb")
    page = simulated(window, qtbot)
    assert page.answer.headline.text() == bound("Room: raw needed 30 PB, usable 400 TB, raw 1.248 PB")
    assert not any(chart.isVisible() for chart in (page.stages, page.latency, page.utilization, page.waterfall))
    page.tables.setCurrentWidget(page.documented)
    assert page.documented.rows.rowCount() == 4


def test_several_runs_give_an_interval(window: MainWindow, qtbot: QtBot) -> None:
    window.replications.setValue(2)
    with qtbot.waitSignal(window.session.run_finished, timeout=PATIENCE):
        press_run(window, qtbot)
    assert bound("mean of 2 runs, 95 % interval") in window.pages["Run"].answer.headline.text()


def test_a_run_is_kept_as_a_scenario_with_a_colour_of_its_own(window: MainWindow, qtbot: QtBot) -> None:
    for _ in range(2):
        with qtbot.waitSignal(window.session.run_finished, timeout=PATIENCE):
            press_run(window, qtbot)
        qtbot.keyClick(window, Qt.Key.Key_D, Qt.KeyboardModifier.ControlModifier)
    first, second = window.session.runs
    assert (first.label, second.label) == ("small #1", "small #2")
    assert first.colour != second.colour
    window.session.forget(first)
    assert window.session.runs == (second,)


def test_many_stages_are_one_item_and_each_is_told_where_it_is_pointed_at(window: MainWindow, qtbot: QtBot) -> None:
    page = simulated(window, qtbot)
    many = tuple(StageResult(f"q{i}", i, i + 1, 4, Bottleneck("workers/cpu", 0.5)) for i in range(100))
    chart = page.stages
    chart.show_drawing(run_charts.stages(replace(window.session.last_run.result, stages=many)))
    bars = [item for item in chart.plot.getPlotItem().items if isinstance(item, pg.BarGraphItem)]
    assert [len(item.opts["x0"]) for item in bars] == [100]
    assert chart.said_at(0.0, 41.8) == "q42: 42.0 s to 43.0 s, workers/cpu 50 %"
    assert chart.said_at(0.0, 101.0) == ""


def test_each_line_has_a_marker_of_its_own_and_the_legend_shows_it(window: MainWindow, qtbot: QtBot) -> None:
    chart = simulated(window, qtbot).utilization
    marked = {item.opts["symbol"] for item in chart.plot.listDataItems() if item.opts["symbol"]}
    assert len(marked) == 4
    assert all(SIGNS[symbol] in chart.legend.text() for symbol in marked)


def test_where_no_rate_only_falls_the_chart_says_why(window: MainWindow, qtbot: QtBot) -> None:
    window.open("presto-s3-q1")
    chart = simulated(window, qtbot).waterfall
    assert not chart.plot.isVisible()
    assert "the drives of this store are not visible" in chart.legend.text()


def test_one_run_says_how_to_get_an_interval_and_what_to_do_for_a_cost(window: MainWindow, qtbot: QtBot) -> None:
    with qtbot.waitSignal(window.session.run_finished, timeout=PATIENCE):
        press_run(window, qtbot)
    text = window.pages["Run"].answer.details.text()
    assert "none from one run (seed 0): set Runs above to 5" in text
    assert "no price list: choose one on the card Prices of the page Cluster" in text


def test_a_line_of_prices_gives_the_cost(window: MainWindow, qtbot: QtBot) -> None:
    window.session.set_text('prices = "aws-on-demand-2019"\n' + window.session.document.text)
    with qtbot.waitSignal(window.session.run_finished, timeout=PATIENCE):
        press_run(window, qtbot)
    assert "USD a job" in window.pages["Run"].answer.details.text()
