"""A page cache by hand: a burst that fits is free, and then the device sets the pace."""

from __future__ import annotations

import pytest

from models.work import Pool, Resources, Use, Work, WriteBehind, demand
from simulator.engine import Engine

RATE = 10.0


class Cached:
    """A drive of 10 B/s behind a pool of dirty bytes."""

    def __init__(self, dirty: float) -> None:
        resources = Resources()
        drive = resources.add("drive", kind="drive", group="drive", unit="B", capacity=RATE)
        self.engine = Engine(resources)
        self.pool = Pool("dirty", dirty)
        self.wanted = demand([Use(drive, 1.0, 1.0)])

    def write(self, amount: float, done: list[float]) -> None:
        step = WriteBehind(self.pool, amount, Work(amount, self.wanted))
        self.engine.execute(step, lambda: done.append(self.engine.now))


def test_a_burst_that_fits_is_done_at_once_and_drains_at_the_rate_of_the_device() -> None:
    cached, done = Cached(30.0), list[float]()
    cached.write(30.0, done)
    cached.engine.run()
    assert done == [0.0]
    assert cached.engine.now == 3.0


def test_a_write_that_does_not_fit_waits_for_a_drain() -> None:
    cached, done = Cached(30.0), list[float]()
    for amount in (20.0, 10.0, 10.0):
        cached.write(amount, done)
    cached.engine.run()
    # two drains at 5 B/s: the 10 is out at 2, which lets the third in; the rest, 10 + 10, takes until 4
    assert done == [0.0, 0.0, 2.0]
    assert cached.engine.now == 4.0


def test_an_amount_above_the_pool_takes_all_of_it() -> None:
    cached, done = Cached(30.0), list[float]()
    for amount in (90.0, 10.0):
        cached.write(amount, done)
    cached.engine.run()
    assert done == [0.0, 9.0]
    assert cached.engine.now == 10.0


@pytest.mark.parametrize("pieces", [1, 10, 40])
def test_in_the_long_run_writes_are_done_at_the_rate_of_the_device(pieces: int) -> None:
    """One writer of pieces of 10 in a row: three drain at a time, and end together every 3 s."""
    cached, done = Cached(30.0), list[float]()

    def next_write() -> None:
        if len(done) < pieces:
            step = WriteBehind(cached.pool, 10.0, Work(10.0, cached.wanted))
            cached.engine.execute(step, written)

    def written() -> None:
        done.append(cached.engine.now)
        next_write()

    next_write()
    cached.engine.run()
    assert done == pytest.approx([3.0 * (piece // 3) for piece in range(pieces)])
    assert cached.engine.now == pytest.approx(pieces * 10 / RATE)
