"""Worker processes: Ctrl+C ends them, at whatever instant it comes."""

from __future__ import annotations

import signal
from concurrent.futures import _base

import pytest

from simulator.studies.pool import Pool


def test_ctrl_c_while_futures_are_locked_ends_the_workers(monkeypatch: pytest.MonkeyPatch) -> None:
    lock = _base._AcquireFutures.__enter__

    def lock_and_meet(futures: _base._AcquireFutures) -> None:
        lock(futures)
        signal.raise_signal(signal.SIGINT)

    monkeypatch.setattr(_base._AcquireFutures, "__enter__", lock_and_meet)
    with pytest.raises(KeyboardInterrupt), Pool(2) as pool:
        list(pool.each(abs, range(100)))
