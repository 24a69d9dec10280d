"""Playback from the click to the picture: time goes on, the scrubber and its keys, a second run, failures, numbers."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QApplication, QScrollArea
from pytestqt.qtbot import QtBot

from app.gui.jobs.run import Ran, RunRequest
from app.gui.look import theme
from app.gui.look.icons import icon
from app.gui.playback import pieces
from app.gui.playback.picture import LOWEST
from app.gui.playback.view import LAYS_OUT, PlaybackView
from app.gui.session.runs import Run
from app.gui.session.session import Session
from app.gui.shell.window import MainWindow
from models.hardware.cluster import Layout
from simulator.result import Bottleneck, FailuresResult, FaultResult, ResourceResult, Result, StageResult, TaskResult

BINS = 10


def run_of(session: Session, number: int = 1, duration: float = 20.0, busy: float = 0.0) -> Run:
    """Return a run of the open profile, as if it had been simulated; all drives are busy alike."""
    scenario = session.scenario
    assert scenario is not None
    known = Layout(scenario.cluster).resources
    resources = tuple(
        ResourceResult(
            known[i].name,
            known[i].kind,
            known[i].group,
            busy,
            busy,
            0.0,
            np.full(BINS, busy * (known[i].kind == "drive")),
        )
        for i in range(len(known))
    )
    result = Result(
        profile="small",
        seed=0,
        version="0",
        duration=duration,
        interval=None,
        bottleneck=Bottleneck("workers/cpu", 1.0),
        next_bottleneck=None,
        stages=(StageResult("map", 0, duration, 4, None),),
        resources=resources,
        groups=(),
        bin_width=duration / BINS,
        metrics={},
        capacity={},
    )
    request = RunRequest(name="small", title="Small", text=session.document.text, scenario=scenario)
    return Run(number=number, request=request, ran=Ran(result=result, answer=(), waterfall=(), measures={}), colour=0)


def with_fault(run: Run, fault: FaultResult) -> Run:
    failures = FailuresResult(run.result.duration, (fault,), 0, 0.0, 0)
    return replace(run, ran=replace(run.ran, result=replace(run.result, failures=failures)))


@pytest.fixture
def view(qtbot: QtBot, session: Session) -> PlaybackView:
    playback_view = PlaybackView(session)
    qtbot.addWidget(playback_view)
    playback_view.resize(900, 600)
    playback_view.show()
    playback_view.activateWindow()
    qtbot.waitUntil(playback_view.isActiveWindow)
    return playback_view


def colour_at(view: PlaybackView, component: str, pane: int = 0) -> QColor:
    picture = view.panes[pane].picture
    image = picture.grab().toImage()
    return QColor(image.pixel(picture.centre_of(component).toPoint() * image.devicePixelRatio()))


def test_a_small_window_scrolls_and_leaves_the_picture_its_room(
    view: PlaybackView, session: Session, qtbot: QtBot
) -> None:
    view.resize(600, 240)
    view.show_runs(run_of(session))
    qtbot.waitUntil(view.panes[0].picture.isVisible)
    assert view.height() == 240
    assert view.panes[0].picture.height() >= LOWEST


def test_a_window_of_usual_size_shows_the_controls_below_the_picture(
    view: PlaybackView, session: Session, qtbot: QtBot
) -> None:
    view.resize(900, 520)
    view.show_runs(run_of(session))
    qtbot.waitUntil(view.panes[0].picture.isVisible)
    (scroll,) = view.findChildren(QScrollArea)
    qtbot.waitUntil(lambda: scroll.verticalScrollBar().maximum() == 0)
    assert view.panes[0].picture.height() > LOWEST


def test_a_large_cluster_is_laid_out_a_turn_at_a_time(
    view: PlaybackView, session: Session, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pieces, "TURN", 0.0)  # a step is a turn
    view.show_runs(run_of(session))
    assert view.empty.text() == LAYS_OUT
    assert view.simulate_button.isHidden()
    qtbot.waitUntil(lambda: view.servers.list.count() > 1)
    picture = view.panes[0].picture
    qtbot.waitUntil(lambda: picture.is_laid_out)
    assert picture.centre_of("workers-1") is not None


def test_without_a_run_it_says_what_to_do(view: PlaybackView) -> None:
    assert view.empty.isVisible()
    assert "Ctrl+R" in view.empty.text()
    assert not view.play_action.isEnabled()


def test_space_lets_time_go_on_to_the_end_and_space_begins_anew(
    view: PlaybackView, session: Session, qtbot: QtBot
) -> None:
    view.show_runs(run_of(session))
    view.speed.setCurrentIndex(4)
    view.go_to(19.0)
    view.scrubber.setFocus()
    qtbot.keyClick(view.scrubber, Qt.Key.Key_Space)
    qtbot.waitUntil(lambda: view.time == 20.0 and not view.is_playing)
    qtbot.keyClick(view.scrubber, Qt.Key.Key_Space)
    assert view.is_playing
    assert view.time < 19.0
    view.hide()
    assert not view.is_playing


def test_keys_of_the_scrubber_go_by_bins(view: PlaybackView, session: Session, qtbot: QtBot) -> None:
    view.show_runs(run_of(session))
    for key, time in ((Qt.Key.Key_Right, 2.0), (Qt.Key.Key_Right, 4.0), (Qt.Key.Key_End, 20.0), (Qt.Key.Key_Home, 0.0)):
        qtbot.keyClick(view.scrubber, key)
        assert view.time == pytest.approx(time)


def test_a_click_on_the_stages_goes_there(view: PlaybackView, session: Session, qtbot: QtBot) -> None:
    view.show_runs(run_of(session))
    qtbot.mouseClick(view.strip, Qt.MouseButton.LeftButton, pos=QPoint(view.strip.width() // 2, 5))
    assert view.time == pytest.approx(10.0, rel=0.02)
    assert view.clock.text() == f"{view.time:.1f} s of 20.0 s"


def test_a_drive_is_as_bright_as_it_is_busy(view: PlaybackView, session: Session) -> None:
    view.show_runs(run_of(session, busy=1.0))
    busy = colour_at(view, "workers-3/data-2")
    idle = colour_at(view, "workers-3/cpu")
    assert busy.lightness() > idle.lightness() + 80
    view.scale.setCurrentText("viridis")
    assert colour_at(view, "workers-3/data-2") != busy


def test_pointing_at_a_drive_tells_its_name_and_number(view: PlaybackView, session: Session) -> None:
    view.show_runs(run_of(session, busy=0.42))
    picture = view.panes[0].picture
    picture.grab()
    number = picture.resource_at(picture.centre_of("workers-3/data-2"))
    assert number is not None
    assert picture.said_of(number).startswith("workers-3/data-2: 42 % busy now")


def test_a_second_run_stands_beside_it_at_the_same_time(view: PlaybackView, session: Session, qtbot: QtBot) -> None:
    first, second = run_of(session), replace(run_of(session, 2, duration=40.0, busy=1.0), title="Twice as long")
    session.runs = (second,)
    session.runs_changed.emit()
    view.show_runs(first)
    assert not view.panes[1].isVisible()
    qtbot.keyClick(view.other, Qt.Key.Key_Down)
    assert view.panes[1].isVisible()
    view.go_to(30.0)
    assert "done" in view.panes[0].name.text()
    assert "Twice as long" in view.panes[1].name.text()
    assert [pane.picture.time for pane in view.panes] == [30.0, 30.0]


def test_a_failed_drive_is_crossed_out_until_its_data_is_safe_again(view: PlaybackView, session: Session) -> None:
    run = with_fault(run_of(session), FaultResult("workers-3/data-2", 4.0, 1e9, 12.0))
    view.show_runs(run)
    label = view.panes[0].faults
    shown = {}
    for time in (2.0, 6.0, 14.0):
        view.go_to(time)
        shown[label.text()] = colour_at(view, "workers-3/data-2").name()
    before, failed, safe = shown.values()
    assert before == safe
    assert failed != before
    assert list(shown) == [
        "nothing has failed yet",
        "▼ workers-3/data-2 failed at 4.0 s, safe again at 12.0 s",
        "▲ workers-3/data-2 failed at 4.0 s, safe again since 12.0 s",
    ]


def test_a_run_without_series_says_why_there_is_no_picture(view: PlaybackView, session: Session) -> None:
    run = run_of(session)
    view.show_runs(replace(run, ran=replace(run.ran, result=replace(run.result, resources=()))))
    assert view.empty.isVisible()
    assert "Simulate it again" in view.empty.text()
    assert view.simulate_button.isEnabled()


def test_the_button_of_an_empty_playback_simulates_and_plays(window: MainWindow, qtbot: QtBot) -> None:
    page = window.show_page("Run")
    page.views.show()
    page.views.setCurrentWidget(page.playback)
    with qtbot.waitSignal(window.session.run_finished, timeout=60_000):
        qtbot.mouseClick(page.playback.simulate_button, Qt.MouseButton.LeftButton)
    assert page.playback.strip.isVisible()


def test_a_simulated_run_plays_on_the_run_page(window: MainWindow, qtbot: QtBot) -> None:
    with qtbot.waitSignal(window.session.run_finished, timeout=60_000):
        qtbot.keyClick(window, Qt.Key.Key_R, Qt.KeyboardModifier.ControlModifier)
    qtbot.keyClick(window, Qt.Key.Key_P, Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier)
    page = window.pages["Run"]
    assert page.playback.strip.isVisible()
    page.playback.go_to(10.0)
    assert "workers/cpu" in page.playback.panes[0].busy.text()


def test_a_run_has_its_colour_in_every_theme(window: MainWindow, qtbot: QtBot) -> None:
    with qtbot.waitSignal(window.session.run_finished, timeout=60_000):
        window.session.run()
    window.play_back()
    name = window.pages["Run"].playback.panes[0].name
    for scheme in ("dark", "light"):
        theme.apply(scheme)
        QApplication.processEvents()
        assert theme.series_colour(0).name() in name.text()


def test_a_click_on_a_server_shows_its_time_line_and_the_list_has_the_busiest_first(
    view: PlaybackView, session: Session, qtbot: QtBot
) -> None:
    view.show_runs(run_of(session, busy=0.5))
    view.panes[0].picture.grab()
    qtbot.waitUntil(lambda: view.panes[0].picture.is_laid_out)  # a turn at a time, which a busy machine has more of
    place = view.panes[0].picture.centre_of("workers-7/cpu").toPoint()
    qtbot.mouseClick(view.panes[0].picture, Qt.MouseButton.LeftButton, pos=place)
    assert view.servers.chosen == "workers-7"
    assert view.servers.chart.values_at(0.0)[2] == "drives 45 %"  # eight of nine, one of which is for the system
    view.go_to(10.0)
    assert view.servers.chart._cross.value() == 10.0
    assert "drives 45 % busy" in view.servers.list.itemText(1)


def test_a_slow_task_leads_to_its_server_and_to_when_it_began(
    view: PlaybackView, session: Session, qtbot: QtBot
) -> None:
    run = run_of(session, busy=0.5)
    slow = (
        TaskResult("map", 3, "workers-7", 4.0, 16.0, "workers-7/data-2", 0.98),
        TaskResult("map", 1, "workers-2", 0.0, 9.0, "workers-2/cpu", 0.1),
    )
    stages = (StageResult("map", 0.0, 20.0, 4, Bottleneck("rack uplinks", 1.0)),)
    result = replace(run.ran.result, tasks=slow, stages=stages)
    view.show_runs(replace(run, ran=replace(run.ran, result=result)))
    view.servers.tasks.setFocus()
    qtbot.keyClick(view.servers.tasks, Qt.Key.Key_Down)
    assert view.servers.tasks.currentText() == "map 3: 12.0 s on workers-7, data-2 98 % busy"
    assert (view.servers.chosen, view.time) == ("workers-7", 4.0)
    assert view.servers.task == slow[0]
    assert view.servers.tasks.itemText(2) == "map 1: 9.0 s on workers-2, waits for rack uplinks"
    view.servers.choose("workers-1")
    assert view.servers.task is None


def test_a_gap_says_why_nothing_runs(view: PlaybackView, session: Session) -> None:
    run = run_of(session)
    late = replace(run.ran.result, stages=(StageResult("map", 5.0, 20.0, 4, None),))
    view.show_runs(replace(run, ran=replace(run.ran, result=late)))
    view.go_to(1.0)
    assert "the job is being set up, until 5.0 s" in view.panes[0].name.text()


def test_the_button_is_of_the_theme_though_nothing_is_played_back_yet(view: PlaybackView, qtbot: QtBot) -> None:
    drawn = {}
    try:
        for name in ("dark", "light"):
            theme.apply(name)
            QApplication.processEvents()
            drawn[name] = view.play_action.icon().pixmap(32, 32).toImage()
            assert drawn[name] == icon("run").pixmap(32, 32).toImage()
    finally:
        theme.apply("light")
    assert drawn["dark"] != drawn["light"]
