"""Who waits while others hold what it waits for: booked for all at once, it is what each pair had."""

from __future__ import annotations

import numpy as np
import pytest

from simulator.jobs.waits import Waits

TOTAL = 7.0


def test_each_row_waited_for_each_other_as_long_as_booked_one_by_one() -> None:
    rng, waits, pairs = np.random.default_rng(3), Waits(), dict[tuple[int, int], float]()
    rows = [waits.enter() for _ in range(5)]
    assert len(set(rows)) == 5
    for _ in range(200):
        held, waiting, seconds = rng.random(5), rng.random(5) < 0.5, float(rng.random())
        for row in rows:
            waits.hold(row, float(held[row]))
            waits.wait(row, is_waiting=bool(waiting[row]))
        waits.book(seconds, TOTAL)
        for row in rows:
            for other in rows if waiting[row] else ():
                pairs[row, other] = pairs.get((row, other), 0.0) + seconds * float(held[other]) / TOTAL
    assert {(row, other): waits.of(row, other) for row in rows for other in rows} == pytest.approx(pairs)


def test_a_row_that_was_left_is_taken_again_and_begins_with_nothing() -> None:
    waits = Waits()
    first, second = waits.enter(), waits.enter()
    waits.hold(first, 1.0)
    waits.wait(second, is_waiting=True)
    waits.book(2.0, 1.0)
    assert waits.of(second, first) == 2.0
    waits.leave(first)
    again = waits.enter()
    waits.book(2.0, 1.0)
    assert (again, waits.of(second, again), waits.of(again, second)) == (first, 0.0, 0.0)
