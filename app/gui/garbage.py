"""Cyclic garbage of the window, which is looked for in the window's thread alone.

Python looks for it in whichever thread happens to make an object. Where that is not the window's thread, widgets are
destroyed there: Qt then holds a lock and waits for the interpreter's, while the window's thread, which has that one,
may wait for Qt's, for ever.
"""

from __future__ import annotations

import gc

from PySide6.QtCore import QObject, QTimer

EVERY = 100
"""Milliseconds between two looks at how much there is. Assumption: no thread makes so much in less that it is felt."""
YOUNG = 10_000
"""Objects more until garbage is looked for. Assumption: to look through them takes some 5 ms, which nobody feels."""
GROWN = 5 / 4
"""How much more is kept until all of it is looked through again. Source: CPython, Modules/gcmodule.c, 25 %."""


class Collector(QObject):
    """Collects the garbage of this process in the thread that made this, instead of Python in any thread.

    Which generation it looks through is what Python would choose: the oldest that is due, and all of them only where a
    quarter more is kept than after the last time, so that what stays is not looked through again and again.
    """

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._kept = 0
        self._timer = QTimer(self, interval=EVERY)
        self._timer.timeout.connect(self.collect)

    def start(self) -> None:
        """Take over from Python, until `stop`; may be asked again."""
        gc.disable()
        self._timer.start()

    def stop(self) -> None:
        """Let Python collect again."""
        self._timer.stop()
        gc.enable()

    def collect(self) -> None:
        """Look for garbage where there may be some."""
        young, middle, old = gc.get_count()
        _, most_middle, most_old = gc.get_threshold()
        if young <= YOUNG:
            return
        if old > most_old and len(gc.get_objects(generation=2)) > GROWN * self._kept:
            gc.collect()
            self._kept = len(gc.get_objects(generation=2))
        else:
            gc.collect(1 if middle > most_middle else 0)
