"""Pictures of every page: `python tests/gui/screenshots.py FOLDER`, light and dark, at 100 and at 200 %.

Each scale is a process of its own, since Qt reads it at the start.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

SCALES = (1, 2)
THEMES = ("light", "dark")
PROFILE = "hdfs-terasort"
SIZE = (1360, 860)


def main(folder: Path) -> None:
    """Take all pictures, or those of one scale when asked by a process of this script."""
    folder.mkdir(parents=True, exist_ok=True)
    if "QT_SCALE_FACTOR" in os.environ:
        take(folder, int(os.environ["QT_SCALE_FACTOR"]))
        return
    for scale in SCALES:
        environment = os.environ | {"QT_SCALE_FACTOR": f"{scale}", "QT_QPA_PLATFORM": "offscreen"}
        subprocess.run([sys.executable, __file__, str(folder)], env=environment, check=True)


def take(folder: Path, scale: int) -> None:
    """Open a profile, simulate it, and grab every page in every theme."""
    import tempfile

    from PySide6.QtCore import QEventLoop

    from app.gui import theme
    from app.gui.application import create
    from app.gui.main_window import MainWindow
    from app.gui.pages import PAGES
    from app.gui.session import Session
    from app.gui.settings import Settings
    from app.gui.worker import Worker

    settings = Settings(Path(tempfile.mkdtemp()) / "window.ini")
    application = create(settings)
    window = MainWindow(Session(Worker()), settings)
    window.resize(*SIZE)
    window.show()
    window.open(PROFILE)
    done = QEventLoop()
    window.session.run_finished.connect(lambda _: done.quit())
    window.session.run_failed.connect(lambda _: done.quit())
    window.run_action.trigger()
    done.exec()
    window.session.set_value("cluster.groups.workers.count", "24")
    window.session.select_key("cluster.groups.workers.count")
    for name in THEMES:
        theme.apply(name)
        for entry in PAGES:
            window.show_page(entry.title)
            for _ in range(5):
                application.processEvents()
            window.grab().save(str(folder / f"{entry.title.lower()}-{name}-{100 * scale}.png"))
    window.session.document.stack.setClean()
    window.close()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
