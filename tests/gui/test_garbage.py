"""Cyclic garbage of the window is collected in the window's thread alone, whoever makes it, and all of it goes."""

from __future__ import annotations

import gc
import threading
import weakref
from collections.abc import Iterator

import pytest
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from app.gui import garbage
from app.gui.application import create
from app.gui.garbage import Collector
from app.gui.session.settings import Settings

LOOKS_UNTIL_ALL = 200
"""More looks than it takes until the oldest generation is due, by CPython's thresholds of 10 and 10."""


class Cyclic(QWidget):
    """A widget that only a collection of garbage destroys."""

    def __init__(self) -> None:
        super().__init__()
        self.itself = self


@pytest.fixture
def collector(qtbot: QtBot) -> Iterator[Collector]:
    made = Collector()
    made.start()
    yield made
    made.stop()


def busy(over: threading.Event) -> None:
    """Make, again and again, many more objects than those after which Python collects."""
    while not over.is_set():
        [[] for _ in range(20_000)]


def test_widgets_are_destroyed_in_the_windows_thread_although_another_one_makes_objects(
    collector: Collector, qtbot: QtBot
) -> None:
    destroyed_in: list[threading.Thread] = []
    over = threading.Event()
    thread = threading.Thread(target=busy, args=[over])
    thread.start()
    try:
        for _ in range(50):
            weakref.finalize(Cyclic(), lambda: destroyed_in.append(threading.current_thread()))
            qtbot.wait(1)
        qtbot.waitUntil(lambda: len(destroyed_in) == 50, timeout=60_000)
    finally:
        over.set()
        thread.join()
    assert set(destroyed_in) == {threading.main_thread()}


def test_garbage_that_was_in_use_for_long_goes_as_well(collector: Collector, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(garbage, "YOUNG", -1)
    widget = Cyclic()
    left = weakref.ref(widget)
    gc.collect()
    del widget
    for _ in range(LOOKS_UNTIL_ALL):
        collector.collect()
    assert left() is None


def test_what_is_kept_is_looked_through_again_only_when_a_quarter_has_come_to_it(
    collector: Collector, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(garbage, "YOUNG", -1)
    looks: list[int] = []

    def count(phase: str, told: dict[str, int]) -> None:
        if phase == "start" and told["generation"] == 2:
            looks.append(1)

    gc.callbacks.append(count)
    try:
        for _ in range(3 * LOOKS_UNTIL_ALL):
            collector.collect()
        assert len(looks) == 1
        kept = [[number] for number in range(len(gc.get_objects(generation=2)))]
        for _ in range(LOOKS_UNTIL_ALL):
            collector.collect()
        assert len(looks) == 2, f"of {len(kept)} objects more"
    finally:
        gc.callbacks.remove(count)


def test_the_application_has_one_collector_however_often_it_is_made(qapp: QApplication, settings: Settings) -> None:
    create(settings)
    assert create(settings) is qapp
    assert len(qapp.findChildren(Collector)) == 1
    assert not gc.isenabled()
