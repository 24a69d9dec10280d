"""Who waits while others hold what it waits for: a row each, so that a moment is booked for all of them at once."""

from __future__ import annotations

import numpy as np


class Waits:
    """What each row holds, whether it waits, and the seconds of each that waited, by the row of who held something."""

    def __init__(self) -> None:
        self._held = np.zeros(0)
        self._is_waiting = np.zeros(0, np.bool_)
        self._waited = np.zeros((0, 0))
        self._free: list[int] = []

    def enter(self) -> int:
        """Return a row that is free; there are twice as many once all are taken."""
        if not self._free:
            many = len(self._held)
            more = many + 1
            self._held, self._is_waiting = np.pad(self._held, (0, more)), np.pad(self._is_waiting, (0, more))
            self._waited = np.pad(self._waited, (0, more))
            self._free = [*range(many + more - 1, many - 1, -1)]
        return self._free.pop()

    def hold(self, row: int, held: float) -> None:
        """Let a row hold so much."""
        self._held[row] = held

    def wait(self, row: int, *, is_waiting: bool) -> None:
        """Let a row wait, or wait no more."""
        self._is_waiting[row] = is_waiting

    def book(self, seconds: float, total: float) -> None:
        """Book a time on all that held a part of the total, for each that waited."""
        self._waited += np.multiply.outer(self._is_waiting, seconds * self._held / total)

    def of(self, row: int, other: int) -> float:
        """Return the seconds in which a row waited, times the part of all that the other held meanwhile."""
        return float(self._waited[row, other])

    def leave(self, row: int) -> None:
        """Forget a row, which is free then."""
        self._waited[row] = self._waited[:, row] = self._held[row] = self._is_waiting[row] = 0
        self._free.append(row)
