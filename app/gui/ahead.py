"""What pages need when they are first shown, done ahead in steps that nobody feels: imports, what is read once, pages.

Each step comes in a turn of the event loop of its own, between which what the user does is heard.
"""

from __future__ import annotations

import gc
import time
from collections.abc import Callable, Iterable, Iterator
from importlib import import_module
from threading import Thread
from typing import get_args

from pydantic import BaseModel
from PySide6 import QtCore, QtGui, QtWidgets
from PySide6.QtCore import QObject, QTimer

from app.gui.pages import PAGES
from app.planning.kinds import part_folders
from models.jobs.kinds import Workload
from models.jobs.schedule import scheduled
from profiles.loading import catalog
from profiles.loading.catalog import PROFILES
from profiles.loading.reader import read_ahead
from profiles.shipped.outcomes import documented

MODULES = (
    "html",
    "numpy.ma",
    "models.storage.operation_routes",
    "models.storage.described_routes",
    "models.storage.fluid",
)
"""What pages and profiles import late, and what they need when they are first used."""
TURN = 0.010
"""Seconds after which a turn ends, if a step does not take longer. Assumption: nobody feels 10 ms."""
PAUSE = 50
"""Milliseconds between two turns, so that all is done 3 s after the start. Assumption: nobody looks further by then."""


class Ahead(QObject):
    """Takes steps in turns of the event loop until there are none left."""

    def __init__(self, steps: Iterator[object], parent: QObject) -> None:
        super().__init__(parent)
        self._steps = steps
        self._timer = QTimer(self, interval=PAUSE)
        self._timer.timeout.connect(self._take_turn)
        self._timer.start()

    def _take_turn(self) -> None:
        end = time.perf_counter() + TURN
        while time.perf_counter() < end:
            if next(self._steps, self) is self:
                self._timer.stop()
                return


def steps(make: Callable[[str], object]) -> Iterator[object]:
    """Do all that is done ahead; `make` makes the page of a title where there is none.

    PySide makes what a name stands for when the name is first asked for, and pyqtgraph asks for all at once. The
    validator of a part of profiles is made when one is first read, and ten kinds of workloads when many share a day.
    """
    for module in (QtCore, QtGui, QtWidgets):
        yield from (getattr(module, name) for name in dir(module))
    yield from _beside([*MODULES, *(page.module for page in PAGES)])
    yield from (scheduled(kind) for kind in get_args(get_args(Workload)[0]))
    yield from (model.model_rebuild(raise_errors=False) for model in _below(BaseModel))
    yield from (catalog.entry(folder, name) for folder in PROFILES for name in catalog.names(folder))
    yield from read_ahead(catalog.SHIPPED, part_folders())
    yield documented()
    for page in PAGES:
        yield make(page.title)
    gc.freeze()  # what lives as long as the window: to look through it takes a fifth of a second each time


def _beside(modules: Iterable[str]) -> Iterator[object]:
    """Import modules in a thread of their own, beside which the window goes on; who needs one meanwhile waits for it.

    None of them makes an object that belongs to a thread of Qt when it is imported, only classes of such.
    """
    thread = Thread(target=lambda: [import_module(module) for module in modules])
    thread.start()
    while thread.is_alive():
        thread.join(TURN)
        yield None


def _below(kind: type[BaseModel]) -> Iterable[type[BaseModel]]:
    """Return the models whose validators are not made yet, those that others are made of first."""
    for below in kind.__subclasses__():
        yield from _below(below)
        if not below.__pydantic_complete__:
            yield below
