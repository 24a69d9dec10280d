"""Ctrl+C is heard, though a library clears what it raised or tells it as another error."""

from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Iterator
from types import FrameType
from typing import Any, NoReturn

import numpy as np
import pytest

from models.scenario import Scenario
from simulator import interrupts
from simulator.compiled import _words
from simulator.result import Result
from simulator.run import simulate
from simulator.studies import points as studied
from simulator.studies.points import Point, answer
from simulator.studies.runner import run_points
from tests.models.machines import GB
from tests.simulator.small import sort

DROPPED = """
import signal, sys, time
from simulator.interrupts import meet, meet_dropped
class Last:
    def __del__(self):
        signal.raise_signal(signal.SIGINT)
signal.signal(signal.SIGINT, meet)
sys.unraisablehook = meet_dropped
try:
    Last()
    time.sleep(60)
except KeyboardInterrupt:
    print("met")
"""
POINTS = [Point(scenario=sort(input=size * GB)) for size in (1, 2, 3)]


@pytest.fixture(autouse=True)
def is_met_as_by_a_command(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(interrupts, "_met", [])
    before = signal.signal(signal.SIGINT, interrupts.meet)
    yield
    signal.signal(signal.SIGINT, before)


def press_ctrl_c() -> None:
    with pytest.raises(KeyboardInterrupt):
        signal.raise_signal(signal.SIGINT)


def test_a_ctrl_c_that_a_library_cleared_ends_a_study_before_its_next_point(monkeypatch: pytest.MonkeyPatch) -> None:
    done: list[int] = []

    def cleared(*args: Any, **kwargs: Any) -> Result:
        press_ctrl_c()
        return simulate(*args, **kwargs)

    monkeypatch.setattr(studied, "simulate", cleared)
    with pytest.raises(KeyboardInterrupt):
        run_points(POINTS, workers=1, on_done=lambda finished, total: done.append(finished))
    assert done == [0, 1]


def test_a_ctrl_c_that_a_library_tells_as_an_error_is_no_fault_of_a_point(monkeypatch: pytest.MonkeyPatch) -> None:
    def renamed(*args: Any, **kwargs: Any) -> NoReturn:
        press_ctrl_c()
        raise ValueError("Error serializing to JSON: KeyboardInterrupt")

    monkeypatch.setattr(studied, "simulate", renamed)
    with pytest.raises(KeyboardInterrupt):
        answer(POINTS[0])


def test_a_ctrl_c_that_was_lost_before_a_study_began_ends_it_before_its_first_point() -> None:
    press_ctrl_c()
    with pytest.raises(KeyboardInterrupt):
        run_points(POINTS, workers=1)


def test_a_ctrl_c_while_tables_are_laid_out_is_not_cleared() -> None:
    def press(frame: FrameType, event: str, arg: object) -> None:
        if event == "call" and "numpy" in frame.f_code.co_filename:
            raise KeyboardInterrupt

    sys.setprofile(press)
    try:
        with pytest.raises(KeyboardInterrupt):
            _words(np.zeros(2, np.dtype([("first", float), ("second", int)])))
    finally:
        sys.setprofile(None)


def test_the_name_of_a_point_is_made_whole_before_ctrl_c_is_met(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = []
    dump = type(POINTS[0].scenario).model_dump_json

    def pressed(self: Scenario, **kwargs: Any) -> str:
        signal.raise_signal(signal.SIGINT)
        whole.append(dump(self, **kwargs))
        return whole[-1]

    monkeypatch.setattr(type(POINTS[0].scenario), "model_dump_json", pressed)
    with pytest.raises(KeyboardInterrupt):
        _ = POINTS[0].key
    assert len(whole) == 1


def test_a_ctrl_c_that_comes_in_a_finalizer_is_met_after_it() -> None:
    ended = subprocess.run([sys.executable, "-c", DROPPED], capture_output=True, text=True, check=True, timeout=50)
    assert (ended.stdout, ended.stderr) == ("met\n", "")
