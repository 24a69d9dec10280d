"""Worker processes: Ctrl+C ends them, at whatever instant it comes, and a search gives them nothing ahead."""

from __future__ import annotations

import signal
from concurrent.futures import _base
from contextlib import closing
from pathlib import Path

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


def test_a_search_that_ends_at_its_first_answer_has_begun_no_more_than_there_are_workers(tmp_path: Path) -> None:
    with Pool(2) as pool, closing(pool.each(Path.touch, [tmp_path / f"{i}" for i in range(6)], is_search=True)) as told:
        next(told)
    assert {path.name for path in tmp_path.iterdir()} <= {"0", "1"}
