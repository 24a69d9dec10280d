"""Who plays the roles in requests for objects of all names, whoever the client is.

Servers that are drawn for each request come in turn, so that few requests stand for all.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Sequence as Series
from typing import TYPE_CHECKING, Any

from models.hardware.cluster import Node
from models.hardware.drive import Access
from models.storage.site import ACCESS, MISSING
from models.values import value

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

MOST = 1 << 17
"""Requests that are told apart, unless there are more names. Assumption: as many meet all alike on a thousand servers,
and take some MB."""


def dealt(names: int, sizes: Series[int]) -> tuple[int, list[NDArray[np.int64]]]:
    """Return how many requests for each name are told apart, and whom of each group of `sizes` each of them draws.

    A server is drawn anew, and evenly, for each request. So all of them come in turn, each as often: for each name all
    combinations, or as many as keep the requests few.
    """
    import numpy as np  # keeps numpy out of commands that only read profiles

    times = min(math.prod(sizes), max(MOST // names, 1))
    turn, drawn = np.arange(names * times), list[Any]()
    for size in sizes:
        turn, place = np.divmod(turn, size)
        drawn.append(place)
    return times, drawn


@value(eq=False)
class Drawn:
    """Players of whom each request has the one `at` a place among them."""

    players: Series[Any]
    at: NDArray[np.int64]


@value(eq=False)
class Met:
    """Companies that requests meet, in order, how `often` each is met, and `which` of them by each request."""

    companies: NDArray[np.int64]
    often: NDArray[np.int64]
    which: NDArray[np.int64]


Find = Callable[[str, str | None, int], Drawn]
"""Answers who plays a role in a lane, or its drive in a bay, by request."""


BITS = 20
"""Bits of the number of a player. Assumption: fewer than a million play in all; and companies are of three."""


class Crowd:
    """Who plays the roles when any client asks for objects, `times` for each of some names, as `find` answers.

    All are read with the same `access`, and of each name the part `missing` is to be computed.
    """

    def __init__(self, times: int, find: Find, access: Access, missing: Series[float]) -> None:
        import numpy as np

        self.times, self.many, self.notes = times, times * len(missing), dict[Hashable, Any]()
        self._find = find
        self._known: dict[Any, Callable[[], Drawn]] = {
            ACCESS: lambda: Drawn([access], np.zeros(self.many, np.int64)),
            MISSING: lambda: Drawn(missing, np.repeat(np.arange(len(missing)), times)),
        }
        self._numbers: dict[Any, int] = {}
        self._players: list[Any] = []

    def met(self, client: Node, places: Series[Any]) -> Met:
        """Return the numbers of the companies that requests of a client meet at some places."""
        import numpy as np

        others = tuple(place for place in places if not is_client(place))
        met = self._met(others)
        if len(others) == len(places):
            return met
        number, behind, companies = self._number(client), len(others), np.zeros_like(met.companies)
        for place in places:
            if not is_client(place):
                behind -= 1
            player = number if is_client(place) else met.companies >> BITS * behind & _MASK
            companies = (companies << BITS) + player
        return Met(companies, met.often, met.which)

    def company(self, number: int, many: int) -> Any:
        """Return the players of a company of so many; one alone is none, but itself."""
        if many == 1:
            return self._players[number]
        return tuple(self._players[number >> BITS * (many - 1 - i) & _MASK] for i in range(many))

    def _met(self, places: tuple[Any, ...]) -> Met:
        import numpy as np

        key = "met", places
        if key not in self.notes:
            company = np.zeros(self.many, np.int64)
            for place in places:
                company = (company << BITS) + self._column(place)
            companies, which, often = np.unique(company, return_inverse=True, return_counts=True)
            self.notes[key] = Met(companies, often, which)
        met: Met = self.notes[key]
        return met

    def _column(self, place: Any) -> NDArray[np.int64]:
        """Return the numbers of those who play somewhere, by request."""
        key = "column", place
        if key not in self.notes:
            played = self._known[place]() if place in self._known else self._find(*place)
            same = "played", id(played)  # by one server in all lanes, as most roles that are drawn
            if same not in self.notes:
                self.notes[same] = played, self._numbered(played)
            self.notes[key] = self.notes[same][1]
        column: NDArray[np.int64] = self.notes[key]
        return column

    def _numbered(self, played: Drawn) -> NDArray[np.int64]:
        """Return the numbers of players, given to each in the order in which requests meet them."""
        import numpy as np

        places, firsts, which = np.unique(played.at, return_index=True, return_inverse=True)
        for place in places[firsts.argsort()].tolist():
            self._number(played.players[place])
        return np.array([self._number(played.players[place]) for place in places.tolist()], np.int64)[which]

    def _number(self, player: Any) -> int:
        number = self._numbers.get(player)
        if number is None:
            number = self._numbers[player] = len(self._players)
            self._players.append(player)
        return number


_MASK = (1 << BITS) - 1


def is_client(place: Any) -> bool:
    """Tell whether it is the client who is at a place."""
    return isinstance(place, tuple) and place[0] == "client"
