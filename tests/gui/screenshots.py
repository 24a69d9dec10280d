"""Pictures of every page: `python tests/gui/screenshots.py FOLDER [PERCENT ...]`, light and dark, at 100 and at 200 %.

Each scale is a process of its own, since Qt reads it at the start. The window is driven as a user does: a study is
opened, a value changed, and everything run; what one process has simulated, the next one takes from the same folder.
"""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

PERCENTS = (100, 200)
THEMES = ("light", "dark")
STUDY, PLAN = "hdfs-against-minio", "hdfs-or-minio"
ASKED, CHOSEN = "hdfs-outgrown", "mapreduce/hdfs/terasort"
FAMILY = CHOSEN.partition("/")[0]
COUNT = "cluster.groups.workers.count"
MEASURED = Path(__file__).parents[2] / "profiles" / "library" / "measurements" / "examples"
MANY_POINTS, RUNS = ("Sweep", "Size"), 5  # pages whose points are run once: five times took as many minutes
SIZE = (1360, 860)
COLOURS, EXACT = 256, 160  # of a picture's palette, which makes a file a third as large
SETTLES = 150  # milliseconds in which a page is laid out and drawn
PATIENCE = 1_800_000  # milliseconds for one study; on two quiet cores none takes three minutes


def main(folder: Path, percents: tuple[int, ...]) -> None:
    """Take all pictures, each scale in a process of its own."""
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as home:
        for percent in percents:
            of_its_own = dict.fromkeys(("XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME"), home)
            scale = {"QT_SCALE_FACTOR": f"{percent / 100}", "QT_QPA_PLATFORM": "offscreen"}
            arguments = [sys.executable, __file__, "--one", str(folder), f"{percent}", home]
            subprocess.run(arguments, env=os.environ | of_its_own | scale, check=True)


def take(folder: Path, percent: int, home: Path) -> None:
    """Fill all pages, and grab each in every theme."""
    from PySide6.QtTest import QTest

    from app.gui.application import create
    from app.gui.jobs.worker import Worker
    from app.gui.look import theme
    from app.gui.pages import PAGES
    from app.gui.session.session import Session
    from app.gui.session.settings import Settings
    from app.gui.shell.window import MainWindow

    settings = Settings(home / "window.ini")
    create(settings)
    window = MainWindow(Session(Worker()), settings)
    window.resize(*SIZE)
    window.show()
    _fill(window, home)
    for name in THEMES:
        theme.apply(name)
        for title in (*(entry.title for entry in PAGES), "Playback"):
            _show(window, title)
            QTest.qWait(SETTLES)
            while title == "Run" and not window.pages[title].is_filled:
                QTest.qWait(SETTLES)
            _settle(window.session)
            file = folder / f"{title.lower()}-{name}-{percent}.png"
            window.grab().save(str(file))
            _shrink(file)
    window.session.document.stack.setClean()
    window.close()


def _fill(window: Any, home: Path) -> None:
    """Open the study, double the servers, and run, keep, sweep, size, ask, validate, report, import, plan, compare."""
    session = window.session
    window.open_study(STUDY)
    session.set_value(COUNT, "24")
    session.check()
    _until(session.run_finished, window.actions_.run.trigger, session.run_failed)
    window.actions_.keep.trigger()
    sweep = _show(window, "Sweep")
    sweep.axes.add(COUNT, "6..48:6")
    sweep.axes.add("workload.input", "500 GB,1 TB")
    _until(sweep.study.finished, sweep.start, sweep.study.failed)
    size = _show(window, "Size")
    size.targets.add("duration", "<=", "8 min")
    size.targets.add("usable", ">=", "100 TB")
    size.axes.add(COUNT, "12..48:12")
    _until(size.study.finished, size.start, size.study.failed)
    study = _show(window, "Study")
    study.source.setCurrentIndex(study.source.findData(ASKED))
    _until(study.study.finished, study.run, study.study.failed)
    _validate(_show(window, "Validate"), home / "validated")
    report = _show(window, "Report")
    _until(report.study.finished, report.build, report.study.failed)
    importing = _show(window, "Import")
    _until(importing.study.finished, lambda: importing.add([str(MEASURED)]), importing.study.failed)
    window.open(PLAN)
    plan = _show(window, "Plan")
    _until(plan.study.finished, plan.run, plan.study.failed)
    compare = _show(window, "Compare")
    _until(compare.study.finished, compare.run_study, compare.study.failed)
    _settle(session)
    session.document.stack.setClean()


def _settle(session: Any) -> None:
    """Wait for what pages begin by themselves, as how sure a comparison is: a window with work does not just close."""
    while session.studies.running:
        _until(session.studies.ended, lambda: None, session.studies.ended)


def _validate(page: Any, kept: Path) -> None:
    """Run the documented outcomes of a family, or take what another process has found: all take over a minute."""
    page.family.setCurrentIndex(page.family.findData(FAMILY))
    if kept.exists():
        page.take(pickle.loads(kept.read_bytes()))
    else:
        kept.write_bytes(pickle.dumps(_until(page.study.finished, page.run, page.study.failed)))
    page.choose(next(outcome for outcome in page.model.outcomes if outcome.id == CHOSEN))


def _until(finished: Any, begin: Callable[[], object], failed: Any) -> object:
    """Begin something and return what it ends with."""
    from PySide6.QtCore import QEventLoop, QTimer

    loop, ends = QEventLoop(), []
    for signal in (finished, failed):
        signal.connect(lambda *end: (ends.extend(end or [None]), loop.quit()))
    QTimer.singleShot(PATIENCE, loop.quit)
    begin()
    loop.exec()
    return ends[0]


def _show(window: Any, title: str) -> Any:
    """Show a page, or for "Playback" the view of a run in its middle, and return the page."""
    window.replications.setValue(1 if title in MANY_POINTS else RUNS)
    page = window.show_page("Run" if title == "Playback" else title)
    if title in {"Run", "Playback"}:
        page.views.setCurrentWidget(page.playback if title == "Playback" else page.body)
        page.playback.scrubber.setValue((page.playback.scrubber.maximum() * 2) // 5)
    if title == "Cluster":
        window.session.select_key("")
        window.session.select_key(COUNT)
    return page


def _shrink(file: Path) -> None:
    """Give a picture a palette: series and frequent colours as they are, for edges of letters such as are near."""
    import numpy as np
    from PIL import Image
    from PySide6.QtGui import QColor

    from app.gui.look import theme

    with Image.open(file) as image:
        pixels = np.asarray(image.convert("RGB"))
    packed = pixels.astype(np.uint32) @ np.array([1 << 16, 1 << 8, 1], dtype=np.uint32)
    unique, at, counts = np.unique(packed, return_inverse=True, return_counts=True)
    colours = np.stack([unique >> 16, unique >> 8 & 255, unique & 255], axis=1).astype(np.uint8)
    series = dict.fromkeys((*theme.LIGHT_SERIES, *theme.DARK_SERIES))
    marks = np.array([QColor(name).getRgb()[:3] for name in series], dtype=np.uint8)
    order = np.argsort(-counts, kind="stable")
    palette = np.concatenate([marks, colours[order[: EXACT - len(marks)]]])
    rest = colours[order[EXACT - len(marks) :]]
    if len(rest):
        few = Image.fromarray(rest[None]).quantize(COLOURS - EXACT, method=Image.Quantize.MEDIANCUT).getpalette()
        palette = np.concatenate([palette, np.array(few, dtype=np.uint8).reshape(-1, 3)[: COLOURS - EXACT]])
    nearest = [int(np.argmin(((palette.astype(int) - colour) ** 2).sum(axis=1))) for colour in colours.astype(int)]
    small = Image.fromarray(np.array(nearest, dtype=np.uint8)[at.reshape(pixels.shape[:2])], mode="P")
    small.putpalette(palette.tobytes())
    small.save(file, optimize=True)


if __name__ == "__main__":
    if sys.argv[1] == "--one":
        take(Path(sys.argv[2]), int(sys.argv[3]), Path(sys.argv[4]))
    else:
        main(Path(sys.argv[1]), tuple(map(int, sys.argv[2:])) or PERCENTS)
