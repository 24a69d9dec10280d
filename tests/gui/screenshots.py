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
STUDY = "hdfs-against-minio"
COUNT = "cluster.groups.workers.count"
SIZE = (1360, 860)
COLOURS = 255  # of a picture's palette: letters and lines keep their edges, and a file is a third as large
PATIENCE = 900_000  # milliseconds for one study; on two cores none takes two minutes


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
    from app.gui import theme
    from app.gui.application import create
    from app.gui.main_window import MainWindow
    from app.gui.pages import PAGES
    from app.gui.session import Session
    from app.gui.settings import Settings
    from app.gui.worker import Worker

    settings = Settings(home / "window.ini")
    application = create(settings)
    window = MainWindow(Session(Worker()), settings)
    window.resize(*SIZE)
    window.show()
    _fill(window, home)
    for name in THEMES:
        theme.apply(name)
        for title in (*(entry.title for entry in PAGES), "Playback"):
            _show(window, title)
            for _ in range(5):
                application.processEvents()
            file = folder / f"{title.lower()}-{name}-{percent}.png"
            window.grab().save(str(file))
            _shrink(file)
    window.session.document.stack.setClean()
    window.close()


def _fill(window: Any, home: Path) -> None:
    """Open the study, double the servers, and run, keep, compare, sweep, size, validate and report."""
    session = window.session
    window.open_study(STUDY)
    session.set_value(COUNT, "24")
    session.check()
    _until(session.run_finished, window.run_action.trigger, session.run_failed)
    window.keep_action.trigger()
    compare, sweep, size, validate, report = (
        window.show_page(title) for title in ("Compare", "Sweep", "Size", "Validate", "Report")
    )
    _show(window, "Compare")
    _until(compare.study.finished, compare.run_study, compare.study.failed)
    window.replications.setValue(1)
    _show(window, "Sweep")
    sweep.axes.add(COUNT, "6..48:6")
    sweep.axes.add("storage.replication", "2,3")
    _until(sweep._study.finished, sweep.start, sweep._study.failed)
    sweep.table.selectRow(0)
    _show(window, "Size")
    size.targets.add("duration", "<=", "8 min")
    size.targets.add("usable", ">=", "100 TB")
    size.axes.add(COUNT, "12..48:4")
    _until(size._study.finished, size.start, size._study.failed)
    _validate(validate, home / "validated")
    _show(window, "Report")
    _until(report.study.finished, report.build, report.study.failed)
    session.select_key(COUNT)


def _validate(page: Any, kept: Path) -> None:
    """Run all documented outcomes, or take what another process has found."""
    if kept.exists():
        page._on_finished(pickle.loads(kept.read_bytes()))
        return
    found = _until(page.study.finished, page.run, page.study.failed)
    kept.write_bytes(pickle.dumps(found))


def _until(finished: Any, begin: Callable[[], object], failed: Any) -> object:
    """Begin something and return what it ends with."""
    from PySide6.QtCore import QEventLoop, QTimer

    loop, ends = QEventLoop(), []
    for signal in (finished, failed):
        signal.connect(lambda end: (ends.append(end), loop.quit()))
    QTimer.singleShot(PATIENCE, loop.quit)
    begin()
    loop.exec()
    return ends[0]


def _show(window: Any, title: str) -> None:
    """Show a page, or for "Playback" the view of a run."""
    page = window.show_page("Run" if title == "Playback" else title)
    if title in {"Run", "Playback"}:
        page.views.setCurrentIndex(int(title == "Playback"))


def _shrink(file: Path) -> None:
    """Give a picture a palette."""
    from PIL import Image

    with Image.open(file) as image:
        small = image.convert("RGB").quantize(COLOURS, method=Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE)
    small.save(file, optimize=True)


if __name__ == "__main__":
    if sys.argv[1] == "--one":
        take(Path(sys.argv[2]), int(sys.argv[3]), Path(sys.argv[4]))
    else:
        main(Path(sys.argv[1]), tuple(map(int, sys.argv[2:])) or PERCENTS)
