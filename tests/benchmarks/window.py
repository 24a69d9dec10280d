"""Measure the window: `python tests/benchmarks/window.py [THING...]`, one JSON line a figure, of all without a name.

    start      s from the start of the program until the window is painted and answers, alone and with a profile open
    estimate   ms from a keystroke until the estimate that follows it is painted
    run        ms by which the window answers late during runs, their charts included
    sweep      the same during a sweep
    playback   the same while a thousand servers are played back; frames a second, and how many could be drawn
    cancel     s from Cancel until the process of a run, or of a sweep with its own processes, has ended
    memory     MB of the window that keeps six runs, one of them on a thousand servers, and of its processes

A line has the median of several runs, the worst of them, and the most, or for rates the least, that is aimed at. Each
run is a window of its own, without a screen unless QT_QPA_PLATFORM says so, on settings of its own; `load` is how many
processes wanted a core when the line was begun. Lateness is that of a timer that is due every 5 ms.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

sys.path.insert(0, str(Path(__file__).parents[2]))

if TYPE_CHECKING:
    from PySide6.QtCore import SignalInstance

    from app.gui.shell.window import MainWindow

Figures = dict[str, float]
PROFILE = "hdfs-terasort"
LARGE = "terasort-100tb-1000-nodes"
MANY_STAGES = "tpch-minio-nvme"
MANY_WORKLOADS = "shared-day"
KEPT = (LARGE, PROFILE, MANY_STAGES, "get-minio-nvme", "tpcds-hive", "terasort-server-failure")
SIZE = (1360, 860)
TICK = 5  # milliseconds between two looks at the event loop
KEYSTROKES = 30
FRAMES = 200
PLAYED = 8.0  # seconds
SHORT = ("start", "cancel")
RUNS = 5  # of what is short; the rest runs three times
TARGETS = {
    "start": 2.0,
    "estimate": 50.0,
    "late p99": 50.0,
    "cancel": 1.0,
    "memory of the window": 400.0,
    "frames": 30.0,
}
"""What is aimed at. A figure is known by the name that it begins with."""


def start() -> Figures:
    """Start the program twice and return how long it took, s."""
    return {"start": _started(), f"start with {PROFILE}": _started(PROFILE)}


def estimate() -> Figures:
    """Type into profiles and return the median and the longest time until the estimate is painted, ms."""
    figures: Figures = {}
    for name in (PROFILE, MANY_STAGES, LARGE):
        with window_with(name) as window:
            times = [_keystroke(window, 2 + number) for number in range(KEYSTROKES)]
        figures |= {f"estimate, {name}": statistics.median(times), f"worst estimate, {name}": max(times)}
    return figures


def run() -> Figures:
    """Run profiles and return how late the window answers, ms."""
    figures: Figures = {}
    for name in (PROFILE, MANY_STAGES, MANY_WORKLOADS, LARGE):
        with window_with(name) as window:
            _simulate(window)  # the first run makes the page
            with _lateness() as ticks:
                _simulate(window)
        figures |= _late(ticks, f"run of {name}")
    return figures


def sweep() -> Figures:
    """Sweep a key and return how late the window answers, ms."""
    with window_with(PROFILE) as window, _lateness() as ticks:
        page = _sweep(window)
        _wait(page.study.finished, page.study.failed)
    return _late(ticks, "sweep of 24 points")


def playback() -> Figures:
    """Play a thousand servers back: lateness (ms), frames shown a second, frames that could be drawn a second."""
    with window_with(LARGE) as window:
        _simulate(window)
        page: Any = window.show_page("Run")
        page.views.setCurrentWidget(page.playback)
        _settle()
        picture = page.playback.panes[0].picture
        with _counted(picture) as shown, _lateness() as ticks:
            page.playback.play()
            _idle(PLAYED)
            frames = len(shown) / PLAYED
        page.playback.pause()
        began = time.perf_counter()
        for number in range(FRAMES):
            page.playback.go_to(page.playback._length * number / FRAMES)
            page.playback.repaint()
        drawn = FRAMES / (time.perf_counter() - began)
    return {**_late(ticks, "playback"), "frames a second": frames, "frames that could be drawn a second": drawn}


def cancel() -> Figures:
    """Cancel a run and a sweep and return when their processes have ended, s."""
    figures = {}
    with window_with(LARGE) as window:
        window.run_action.trigger()
        _wait(window.session.run_progressed)
        process = window.session.worker.process_id
        assert process is not None
        figures["cancel of a run"] = _ended(process, window.session.cancel)
    with window_with(PROFILE) as window:
        page = _sweep(window)
        _wait(page.study.told)
        figures["cancel of a sweep"] = _ended(page.study.process_id, page.cancel)
    return figures


def memory() -> Figures:
    """Keep six runs, show each and play each, and return MB: resident, its highest, and of processes beside it."""
    with window_with(PROFILE) as window:
        _idle(3.0)  # until its process is ready
        alone, alone_beside = _resident(os.getpid()), sum(map(_resident, _children()))
        for name in KEPT:
            window.open(name)
            _simulate(window)
            window.keep_action.trigger()
            page: Any = window.show_page("Run")
            page.views.setCurrentWidget(page.playback)
            _settle()
            page.views.setCurrentWidget(page.body)
        _idle(3.0)
        kept = len(window.session.runs)
        figures = {
            "memory of the window with one profile": alone,
            "of its process before a run": alone_beside,
            f"memory of the window with {kept} runs kept": _resident(os.getpid()),
            "highest": _resident(os.getpid(), "VmHWM"),
            "of its process after the runs": sum(map(_resident, _children())),
        }
    return figures


# The window


@contextmanager
def window_with(profile: str) -> Iterator[MainWindow]:
    """Yield a window with a profile, as the program opens it."""
    from app.gui.application import create
    from app.gui.jobs.worker import Worker
    from app.gui.session.session import Session
    from app.gui.session.settings import Settings
    from app.gui.shell.window import MainWindow

    with tempfile.TemporaryDirectory() as folder:
        os.environ["XDG_DATA_HOME"] = folder  # where points of a sweep are kept: none is known from before
        settings = Settings(Path(folder) / "window.ini")
        create(settings)
        window = MainWindow(Session(Worker()), settings)
        window.resize(*SIZE)
        window.show()
        window.session.worker.warm()
        window.open(profile)
        _settle()
        yield window
        window.session.document.stack.setClean()
        window.close()
        window.deleteLater()
        _settle()


def _simulate(window: MainWindow) -> None:
    window.run_action.trigger()
    _wait(window.session.run_finished, window.session.run_failed)
    page: Any = window.show_page("Run")
    while not page.is_filled:
        _settle()
    _settle()


def _sweep(window: MainWindow) -> Any:
    """Start a sweep of 24 points."""
    window.session.set_value("workload.input", "100 GB")
    window.session.check()
    page: Any = window.show_page("Sweep")
    row = page.axes.add("cluster.groups.workers.count")
    page.axes.setData(page.axes.index(row, 1), "4..50:2")
    _settle()
    assert page.start_button.isEnabled(), page.summary.text()
    page.start_button.click()
    return page


def _keystroke(window: MainWindow, number: int) -> float:
    """Type another number into the text of the profile and return the milliseconds until all is painted."""
    session, began = window.session, time.perf_counter()
    assert session.loaded is not None
    session.set_value(next(key for key in session.loaded.values if key.endswith(".count")), str(number))
    _wait(session.estimate_changed)
    _settle()
    return 1e3 * (time.perf_counter() - began)


def _started(*arguments: str) -> float:
    with tempfile.TemporaryDirectory() as folder:
        environment = {**os.environ, "XDG_CONFIG_HOME": folder, "XDG_DATA_HOME": folder}
        command = [sys.executable, __file__, "--program", *arguments]
        began = time.time()
        ended = subprocess.run(command, env=environment, check=True, capture_output=True, text=True)
    return float(ended.stdout.split()[-1]) - began


def program(arguments: list[str]) -> int:
    """Be `headroom`, and end it, saying when, as soon as its window is painted and has nothing left to do."""
    from PySide6.QtCore import QTimer
    from PySide6.QtWidgets import QApplication

    from app.gui.main import main

    def look() -> None:
        made = QApplication.instance()
        if isinstance(made, QApplication) and any(
            window.isVisible() and window.windowTitle().startswith(tuple(arguments or ["Headroom"]))
            for window in made.topLevelWidgets()
        ):
            _settle()
            print(time.time(), flush=True)
            made.closeAllWindows()
        else:
            QTimer.singleShot(10, look)

    from app.gui import application

    create = application.create

    def created(settings: Any) -> QApplication:
        made = create(settings)
        QTimer.singleShot(0, look)
        return made

    application.create = created
    sys.argv = ["headroom", *arguments]
    return main()


def _wait(*signals: SignalInstance) -> None:
    """Deal with events until one of the signals comes."""
    from PySide6.QtCore import QEventLoop

    loop = QEventLoop()
    for signal in signals:
        signal.connect(lambda *_: loop.quit())
    loop.exec()


def _settle() -> None:
    """Deal with what there is to do at once, painting included."""
    from PySide6.QtWidgets import QApplication

    for _ in range(3):
        QApplication.processEvents()


def _idle(seconds: float) -> None:
    from PySide6.QtCore import QEventLoop, QTimer

    loop = QEventLoop()
    QTimer.singleShot(round(1e3 * seconds), loop.quit)
    loop.exec()


# What is measured


@contextmanager
def _lateness() -> Iterator[list[float]]:
    """Yield the list of the moments (s) at which a timer comes, as long as the block lasts."""
    from PySide6.QtCore import Qt, QTimer

    ticks: list[float] = []
    timer = QTimer(interval=TICK, timerType=Qt.TimerType.PreciseTimer)
    timer.timeout.connect(lambda: ticks.append(time.perf_counter()))
    timer.start()
    yield ticks
    timer.stop()


def _late(ticks: list[float], during: str) -> Figures:
    delays = sorted(max(1e3 * (later - earlier) - TICK, 0.0) for earlier, later in pairwise(ticks))
    return {f"late p99, {during}": delays[int(0.99 * (len(delays) - 1))], f"late worst, {during}": delays[-1]}


@contextmanager
def _counted(widget: Any) -> Iterator[list[float]]:
    """Yield the list of the moments (s) at which a widget is painted."""
    from PySide6.QtCore import QEvent, QObject

    class Painted(QObject):
        def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802
            if event.type() == QEvent.Type.Paint:
                moments.append(time.perf_counter())
            return False

    moments: list[float] = []
    filter = Painted()
    widget.installEventFilter(filter)
    yield moments
    widget.removeEventFilter(filter)


def _ended(process: int, cancel: Callable[[], object]) -> float:
    """Cancel something and return how long (s) its process and those below it live on."""
    from PySide6.QtWidgets import QApplication

    there = [process, *_children(process)]
    began = time.perf_counter()
    cancel()
    while any(map(_lives, there)):
        QApplication.processEvents()
        time.sleep(0.001)
    return time.perf_counter() - began


def _children(process: int | None = None) -> list[int]:
    """Return the processes below one, at any depth."""
    own = process or os.getpid()
    listed = Path(f"/proc/{own}/task").glob("*/children")
    direct = [int(child) for file in listed for child in file.read_text().split()]
    return [descendant for child in direct for descendant in (child, *_children(child))]


def _lives(process: int) -> bool:
    status = Path(f"/proc/{process}/status")
    try:
        return "State:\tZ" not in status.read_text()
    except OSError:
        return False


def _resident(process: int, line: str = "VmRSS") -> float:
    """Return the memory of a process in MB."""
    lines = Path(f"/proc/{process}/status").read_text().splitlines()
    return next((int(text.split()[1]) * 1024 / 1e6 for text in lines if text.startswith(line)), 0.0)


# What is printed

THINGS: dict[str, Callable[[], Figures]] = {
    function.__name__: function for function in (start, estimate, run, sweep, playback, cancel, memory)
}


def measured(thing: str, runs: int) -> None:
    """Measure a thing several times, each in a process of its own, and print a line a figure."""
    load = os.getloadavg()[0]
    environment = {"QT_QPA_PLATFORM": "offscreen", **os.environ}
    command = [sys.executable, __file__, "--once", thing]
    passes = [
        json.loads(subprocess.run(command, env=environment, check=True, stdout=subprocess.PIPE).stdout)
        for _ in range(runs)
    ]
    for figure in passes[0]:
        values = [figured[figure] for figured in passes]
        target = next((value for name, value in TARGETS.items() if figure.startswith(name)), None)
        is_rate = figure.startswith("frames")
        line = {"figure": figure, "median": _round(statistics.median(values))}
        line |= {"worst": _round(min(values) if is_rate else max(values)), "target": target, "runs": runs}
        print(json.dumps({**line, "load": round(load, 2)}), flush=True)


def _round(value: float) -> float:
    return float(f"{value:.3g}")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("things", nargs="*", choices=[*THINGS, []], metavar="THING")
    parser.add_argument("--runs", type=int)
    parser.add_argument("--once", choices=THINGS, help=argparse.SUPPRESS)
    parser.add_argument("--program", nargs="*", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.program is not None:
        return program(options.program)
    if options.once:
        print(json.dumps(THINGS[options.once]()))
        return 0
    for thing in options.things or THINGS:
        measured(thing, options.runs or (RUNS if thing in SHORT else 3))
    return 0


if __name__ == "__main__":
    sys.exit(main())
