"""Settings that hold for all tests."""

from __future__ import annotations

import gc
import os
import signal
from collections.abc import Generator, Iterator
from pathlib import Path

import pytest
from hypothesis import settings

from app.reports import json_text
from tests.contracts import held

# The same examples on every machine, and none judged by how long it took: a busy machine proves nothing.
settings.register_profile("headroom", deadline=None, derandomize=True)
settings.load_profile("headroom")

# Objects more until garbage is looked for: at Python's 700 it took an eighth of the time of tests that simulate.
YOUNG = 500_000

# What works in the background of a shell ignores Ctrl+C, and all that it starts: tests of Ctrl+C would never end.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Look for no garbage while tests are collected, which took a fifth of the time, nor later among what that made.

    Each further replication begins with a collection of garbage, which would go through all tests again.
    """
    gc.disable()
    try:
        return (yield)
    finally:
        gc.collect()
        gc.freeze()
        gc.set_threshold(YOUNG, *gc.get_threshold()[1:])
        gc.enable()


@pytest.fixture(autouse=True, scope="session")
def contracts_kept() -> Iterator[None]:
    """Hold every JSON text that the program makes in a test against the schema that it ships for it."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(json_text, "plain", held(json_text.plain))
        yield


@pytest.fixture(autouse=True, scope="session")
def no_interval_unless_asked() -> Iterator[None]:
    """Run what a test asks for once, not again and again under other assumptions."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HEADROOM_INTERVAL", "none")
        yield


@pytest.fixture(scope="module")
def one_process_unless_asked() -> Iterator[None]:
    """Simulate in the process of a test unless it asks for more of them: each takes seconds to start."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "sched_getaffinity", lambda process: {0}, raising=False)
        yield


@pytest.fixture(scope="module")
def few_requests() -> Iterator[None]:
    """Simulate a quarter of the requests that tell how a load beside others fares, for tests that need no more."""
    from simulator.together import loads  # imported late: few tests need it

    with pytest.MonkeyPatch.context() as patch:
        for name in ("SAMPLE", "WHOLE"):
            patch.setattr(loads, name, getattr(loads, name) // 4)
        yield


@pytest.fixture(autouse=True, scope="session")
def points_apart(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Keep the points that tests simulate, and the faults that they provoke, apart from the user's."""
    home = tmp_path_factory.mktemp("data")
    with pytest.MonkeyPatch.context() as patch:
        for name in ("XDG_DATA_HOME", "XDG_STATE_HOME", "LOCALAPPDATA"):
            patch.setenv(name, str(home))
        yield home
