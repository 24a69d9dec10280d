"""Room in a pool, first come first served."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable

from models.work import Pool


class Room:
    """What is left of a pool, and who waits for how much of it."""

    __slots__ = ("_holders", "_is_granting", "backs", "free", "pool", "waiting")

    def __init__(self, pool: Pool) -> None:
        if not pool.capacity > 0:
            raise ValueError(f"capacity of the pool {pool.name!r} must be > 0 (got {pool.capacity})")
        self.pool = pool
        self.free = pool.capacity
        self.waiting: deque[tuple[float, Callable[[], object]]] = deque()
        self.backs: dict[float, Callable[[], None]] = {}  # what gives an amount back, made once
        self._holders = 0
        self._is_granting = False

    def take(self, amount: float) -> bool:
        """Take an amount if there is room and nobody waits; return whether that was so."""
        if not amount >= 0:
            raise ValueError(f"amount of the pool {self.pool.name!r} must be >= 0 (got {amount})")
        if self.waiting or amount > self.free:
            return False
        self.free -= amount
        self._holders += 1
        return True

    def wait(self, amount: float, granted: Callable[[], object]) -> None:
        """Wait in line for an amount until `granted` is called."""
        self.waiting.append((amount, granted))

    def give_back(self, amount: float) -> None:
        """Give an amount back, and let in those at the head of the line who now find room."""
        self._holders -= 1
        self.free = self.free + amount if self._holders else self.pool.capacity  # no rounding is left in an empty pool
        if self._is_granting:  # the loop below goes on with what this gives back
            return
        self._is_granting = True
        while self.waiting and self.waiting[0][0] <= self.free:
            amount, granted = self.waiting.popleft()
            self.free -= amount
            self._holders += 1
            granted()
        self._is_granting = False

    def waits(self) -> str:
        """Return in words who waits."""
        amount = self.waiting[0][0]
        return f"{len(self.waiting)} wait for room in {self.pool.name!r}: {amount} of which {self.free} is free"
