"""Run, from the key to the answer: what it says, how it is cancelled, and what a killed process leaves."""

from __future__ import annotations

import os
import signal
import time
from itertools import pairwise

from PySide6.QtCore import Qt, QTimer
from pytestqt.qtbot import QtBot

from app.gui.main_window import MainWindow

PATIENCE = 60_000  # milliseconds; a run takes a second, a busy machine makes it many


def press_run(window: MainWindow, qtbot: QtBot) -> None:
    qtbot.keyClick(window, Qt.Key.Key_R, Qt.KeyboardModifier.ControlModifier)


def test_ctrl_r_simulates_and_shows_duration_and_limit(window: MainWindow, qtbot: QtBot) -> None:
    with qtbot.waitSignal(window.session.run_finished, timeout=PATIENCE):
        press_run(window, qtbot)
    page = window.pages["Run"]
    assert window.page == "Run"
    assert page.answer.headline.text() == "29.6 s"
    assert "workers/cpu, for 99 % of the tasks" in page.answer.details.text()
    assert [page.stage_table.rows.value(row, 0) for row in range(2)] == ["map", "reduce"]
    assert page.resources.rows.value(0, 0) == "workers/cpu"


def test_escape_cancels_a_run_and_the_next_one_goes_through(window: MainWindow, qtbot: QtBot) -> None:
    session = window.session
    session.open_text(session.document.text.replace("5 GB", "1 TB"), "large")
    with qtbot.waitSignal(session.run_progressed, timeout=PATIENCE):
        press_run(window, qtbot)
    with qtbot.waitSignal(session.run_cancelled, timeout=PATIENCE):
        qtbot.keyClick(window, Qt.Key.Key_Escape)
    assert not session.is_running
    session.open_text(session.document.text.replace("1 TB", "5 GB"), "small")
    with qtbot.waitSignal(session.run_finished, timeout=PATIENCE):
        press_run(window, qtbot)


def test_a_killed_process_is_told_and_the_profile_stays(window: MainWindow, qtbot: QtBot) -> None:
    session = window.session
    session.open_text(session.document.text.replace("5 GB", "1 TB"), "large")
    with qtbot.waitSignal(session.run_progressed, timeout=PATIENCE):
        press_run(window, qtbot)
    with qtbot.waitSignal(session.run_failed, timeout=PATIENCE) as failed:
        os.kill(session.worker.process_id, signal.SIGKILL)
    assert "the simulation process was ended from outside" in failed.args[0]
    assert session.is_valid
    assert window.run_action.isEnabled()


def test_a_broken_profile_cannot_be_run(window: MainWindow) -> None:
    window.session.set_text("cluster = ")
    window.session.check()
    assert not window.run_action.isEnabled()
    assert not window.session.is_running


def test_the_window_goes_on_while_a_run_does(window: MainWindow, qtbot: QtBot) -> None:
    session = window.session
    session.open_text(session.document.text.replace("5 GB", "1 TB"), "large")
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


def test_requests_answer_with_rates_and_latencies_and_show_when_they_are_done(window: MainWindow, qtbot: QtBot) -> None:
    window.open("get-minio-nvme")
    window.session.set_value("workload.count", "2000")
    with qtbot.waitSignal(window.session.run_finished, timeout=PATIENCE):
        press_run(window, qtbot)
    page = window.pages["Run"]
    assert page.answer.headline.text().startswith("GET ")
    assert "p99" in page.answer.headline.text()
    assert page.latency.isVisible()
    assert not page.stages.isVisible()


def test_what_is_only_kept_has_an_answer_and_no_empty_chart(window: MainWindow, qtbot: QtBot) -> None:
    window.open("sizing-hdfs-10pb")
    with qtbot.waitSignal(window.session.run_finished, timeout=PATIENCE):
        press_run(window, qtbot)
    page = window.pages["Run"]
    assert page.answer.headline.text() == "Room: raw needed 30 PB, usable 400 TB, raw 1.248 PB"
    assert not any(chart.isVisible() for chart in (page.stages, page.latency, page.utilisation, page.waterfall))
    assert page.documented.rows.rowCount() == 4


def test_several_runs_give_an_interval(window: MainWindow, qtbot: QtBot) -> None:
    window.replications.setValue(2)
    with qtbot.waitSignal(window.session.run_finished, timeout=PATIENCE):
        press_run(window, qtbot)
    assert "mean of 2 runs, 95 % interval" in window.pages["Run"].answer.headline.text()


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
