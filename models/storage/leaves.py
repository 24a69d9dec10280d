"""The leaves of an operation: its stages that hold no others, each with what is known of who plays its roles."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence as Series
from operator import itemgetter
from typing import Any, NamedTuple

from models.storage.stages import Stage
from models.work import Use


class Taken(NamedTuple):
    """What a byte uses in a stage, the most bytes a second of a lone request (`rate`), and in words why (`cap`).

    Where that is one of many lanes, all pass a card that takes `shared` seconds for their bytes.
    """

    uses: Series[Use] = ()
    rate: float = math.inf
    cap: str = ""
    shared: float = 0.0


NOTHING = Taken()
KNOWN = 32768
"""Servers and drives of which a stage keeps in mind what it takes of them, in all lanes. Assumption: some 10 MB."""


class Leaf:
    """A stage that holds no others, in one of `lanes`; `part` is its share of the bytes, or its chance of what is once.

    `seats` are the numbers of the players that count for it. What is `known` of players it may share with leaves of the
    same stage in other lanes.
    """

    def __init__(
        self, stage: Stage, part: float, seats: Series[int], lanes: int, known: dict[object, Any] | None = None
    ) -> None:
        self.stage, self.part, self.lanes, self.seats = stage, part, lanes, seats
        self._pick: Callable[[Series[Any]], Any] = itemgetter(*seats) if seats else _nobody
        self._known: dict[object, Any] = {} if known is None else known

    def taken(self, players: Series[Any], make: Callable[[Leaf, Any], Any]) -> Any:
        """Return what `make` makes of the leaf and the players that count, now or before."""
        picked = self._pick(players)
        try:
            return self._known[picked]
        except KeyError:
            if len(self._known) >= KNOWN:
                self._known.clear()
            made = self._known[picked] = make(self, picked)
            return made

    def alone(self, player: object, make: Callable[[], Taken]) -> Taken:
        """Return what a byte takes of one of the players, whoever the others are, now or before."""
        if player not in self._known:
            self._known[player] = make()
        taken: Taken = self._known[player]
        return taken


def _nobody(players: Series[Any]) -> tuple[()]:
    return ()


class Passed(NamedTuple):
    """Leaves of the bytes of a lone stream, which pass them one after the other."""

    parts: Series[Leaf | Passed | Slowest]


class Slowest(NamedTuple):
    """Lanes of which a lone stream waits for the slowest."""

    lanes: Series[Passed]


class InTurn(NamedTuple):
    """A stream that is as slow as all of its stages together, for the reason `cap`."""

    passed: Passed
    cap: str


class SideBySide(NamedTuple):
    """Leaves of what is taken once in several lanes, at the same time."""

    leaves: Series[Leaf | SideBySide]
