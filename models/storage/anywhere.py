"""What requests for objects of all names take of each resource on average, without a flow for each name.

A hundred servers have thousands of names, and every client draws its own gateways for them. So each stage of an
operation asks once who plays its roles in all of them, and once what it takes of each of these who are different. What
no client draws for itself is the same for all clients, and who plays a role is the same for requests of any size.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Container, Hashable, Iterable, Sequence as Series
from typing import TYPE_CHECKING, Any, NamedTuple

from models.columns import Columns
from models.hardware.drive import Access
from models.storage.fluid import Fluid, shared_card
from models.storage.leaves import InTurn, Leaf, Passed, SideBySide, Taken
from models.storage.site import ACCESS, MISSING
from models.storage.stages import Limit, Move, Seek
from models.values import value
from models.work import Resources, Use, Work

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Rates = NDArray[np.float64] | float
    """Of each name, or the same of all."""


@value(eq=False)
class Drawn:
    """Players of whom each name has the one `at` a place among them."""

    players: Series[Any]
    at: NDArray[np.int64]


Find = Callable[[str, str | None, int], Series[Any] | Drawn]
"""Answers who plays a role in a lane, or its drive in a bay, by name."""


BITS = 20
"""Bits of the number of a player. Assumption: fewer than a million play in all; and companies are of three."""


class Crowd:
    """Who plays the roles when a client asks for objects of `many` names, as `find` answers.

    It draws the players of its `own` roles itself; all others are the same for all clients, who share `common` notes.
    All are read with the same `access`, and of each the part `missing` is to be computed, by name.
    """

    def __init__(
        self,
        many: int,
        find: Find,
        own: Container[str],
        common: dict[Hashable, Any],
        access: Access,
        missing: Series[float],
    ) -> None:
        self.many, self.common, self.notes = many, common, dict[Hashable, Any]()
        self._find, self._own, self._access, self._missing = find, own, access, missing
        self._numbers: dict[Any, int] = common.setdefault("numbers", {})
        self._players: list[Any] = common.setdefault("players", [])

    def is_own(self, places: Iterable[Any]) -> bool:
        """Tell whether any of some places is played by whom the client draws."""
        return any(isinstance(place, tuple) and place[0] in self._own for place in places)

    def met(self, places: Series[Any]) -> NDArray[np.int64]:
        """Return the number of the company that is met at some places, by name."""
        import numpy as np  # keeps numpy out of commands that only read profiles

        company = np.zeros(self.many, np.int64)
        for place in places:
            company = (company << BITS) + self._column(place)
        return company

    def company(self, number: int, many: int) -> Any:
        """Return the players of a company of so many; one alone is none, but itself."""
        mask = (1 << BITS) - 1
        if many == 1:
            return self._players[number]
        return tuple(self._players[number >> BITS * (many - 1 - i) & mask] for i in range(many))

    def _column(self, place: Any) -> NDArray[np.int64]:
        """Return the numbers of those who play somewhere, by name."""
        notes, key = self.notes if self.is_own([place]) else self.common, ("column", place)
        if key not in notes:
            played = self._played(place)
            same = "played", id(played)  # by one server in all lanes, as most roles that a client draws
            if same not in notes:
                notes[same] = played, self._numbered(played)
            notes[key] = notes[same][1]
        column: NDArray[np.int64] = notes[key]
        return column

    def _numbered(self, played: Series[Any] | Drawn) -> NDArray[np.int64]:
        """Return the numbers of players, given to each in the order in which names meet them."""
        import numpy as np

        if not isinstance(played, Drawn):
            return np.array(list(map(self._number, played)), np.int64)
        places, firsts, which = np.unique(played.at, return_index=True, return_inverse=True)
        for place in places[firsts.argsort()].tolist():
            self._number(played.players[place])
        return np.array([self._number(played.players[place]) for place in places.tolist()], np.int64)[which]

    def _played(self, place: Any) -> Series[Any] | Drawn:
        if place == ACCESS:
            return [self._access] * self.many
        return self._missing if place == MISSING else self._find(*place)

    def _number(self, player: Any) -> int:
        number = self._numbers.get(player)
        if number is None:
            number = self._numbers[player] = len(self._players)
            self._players.append(player)
        return number


@value()
class Asked:
    """Requests for objects of the names of a crowd: what they take `once`, and what their `bytes` take."""

    crowd: Crowd
    once: Fluid
    bytes: Fluid


class _Table:
    """What a stage takes of each company that it has met, with the rows of what that uses one after the other."""

    def __init__(self) -> None:
        import numpy as np

        self._companies = np.zeros(0, np.int64)  # in order
        self._rows = np.zeros(0, np.intp)  # of each of them
        self.rates = np.zeros(0)  # by row
        self._owners, self._indices = np.zeros(0, np.intp), np.zeros(0, np.intp)
        self._uses = np.zeros((2, 0))  # cost and bytes

    def find(self, companies: NDArray[np.int64], taken: Callable[[int], Taken]) -> NDArray[np.intp]:
        """Return the rows of some companies; what is `taken` of those that are new is asked first."""
        import numpy as np

        at = np.searchsorted(self._companies, companies)
        is_new = self._companies[np.minimum(at, len(self._companies) - 1)] != companies if len(self.rates) else at >= 0
        if is_new.any():
            new = sorted(set(companies[is_new].tolist()))  # several times as fast as what numpy has for it
            self._add(np.array(new, np.int64), [taken(company) for company in new])
            at = np.searchsorted(self._companies, companies)
        return self._rows[at]

    def sum(self, companies: NDArray[np.int64], taken: Callable[[int], Taken], resources: int) -> NDArray[np.float64]:
        """Return what all of some companies use of each resource together: its cost, and the bytes."""
        import numpy as np

        rows = self.find(np.sort(companies), taken)  # in order they are found three times as fast
        uses = np.bincount(rows, minlength=len(self.rates))[self._owners] * self._uses
        return np.array([np.bincount(self._indices, used, minlength=resources) for used in uses])

    def _add(self, new: NDArray[np.int64], taken: Series[Taken]) -> None:
        import numpy as np

        first = len(self.rates)
        uses = [
            (row, use.resource.index, use.cost, use.bytes) for row, of in enumerate(taken, first) for use in of.uses
        ]
        columns = np.array(uses, np.float64).reshape(-1, 4).T
        self._owners = np.concatenate([self._owners, columns[0].astype(np.intp)])
        self._indices = np.concatenate([self._indices, columns[1].astype(np.intp)])
        self._uses = np.concatenate([self._uses, columns[2:]], axis=1)
        self.rates = np.concatenate([self.rates, [of.rate for of in taken]])
        companies = np.concatenate([self._companies, new])
        order = companies.argsort()
        self._companies = companies[order]
        self._rows = np.concatenate([self._rows, np.arange(first, first + len(new))])[order]


PAIR = 2
"""Places that say what bytes take which move; those behind them say which card all lanes share."""


class _Place(NamedTuple):
    """Where a leaf is: the places that say `at` whom it takes what, and the `ends` of the card that all lanes pass."""

    number: int
    at: Series[Any]
    ends: Series[Any]
    is_own: bool


class _Mean:
    """What the requests of a crowd take in the stages of one of its operations, of all names together."""

    def __init__(self, crowd: Crowd, fluid: Fluid, resources: Resources, *, is_once: bool) -> None:
        self._crowd, self._fluid, self._resources, self._is_once = crowd, fluid, resources, is_once
        key = "leaves", fluid, is_once
        if key not in crowd.common:
            crowd.common[key] = self._known()
        self._leaves: dict[Leaf, _Place] = crowd.common[key]

    def uses(self) -> NDArray[np.float64]:
        """Return the cost, and the bytes, of each resource."""
        own = [leaf for leaf, place in self._leaves.items() if place.is_own]
        others = [leaf for leaf, place in self._leaves.items() if not place.is_own]
        return self._summed(own, self._crowd.notes) + self._summed(others, self._crowd.common)

    def slowness(self) -> Rates:
        """Return the seconds that a byte of a lone request takes, by name."""
        slowest: Rates = 0.0
        for leaf in self._fluid.leaves_of_bytes:
            slowest = _larger(slowest, self._pace(leaf.passed) if isinstance(leaf, InTurn) else self._second(leaf))
        return slowest

    def _pace(self, passed: Passed) -> Rates:
        seconds: Rates = 0.0
        for part in passed.parts:
            if isinstance(part, Leaf):
                seconds = seconds + _larger(self._second(part), self._shared(part))
            elif isinstance(part, Passed):
                seconds = seconds + self._pace(part)
            else:
                slowest: Rates = 0.0
                for lane in part.lanes:
                    slowest = _larger(slowest, self._pace(lane))
                seconds = seconds + slowest
        return seconds

    def _second(self, leaf: Leaf) -> Rates:
        """Return the seconds of a byte in a stage, worked out once for those alike."""
        place = self._leaves[leaf]
        notes, key = self._notes(place), ("second", place.number)
        if key not in notes:
            table = self._table(leaf)
            notes[key] = _alike(1 / table.rates[table.find(self._crowd.met(place.at), self._taken(leaf))])
        seconds: Rates = notes[key]
        return seconds

    def _shared(self, leaf: Leaf) -> Rates:
        """Return the seconds of a byte on a card that all lanes pass."""
        import numpy as np

        place = self._leaves[leaf]
        if not place.ends:
            return 0.0
        notes, key = self._notes(place), ("shared", place.number)
        if key not in notes:
            numbers, which = np.unique(self._crowd.met(place.ends), return_inverse=True)
            companies = (self._crowd.company(number, len(place.ends)) for number in numbers.tolist())
            notes[key] = _alike(np.array([shared_card(leaf, company) for company in companies])[which])
        seconds: Rates = notes[key]
        return seconds

    def _summed(self, leaves: Series[Leaf], notes: dict[Hashable, Any]) -> NDArray[np.float64]:
        """Return what some leaves take, added up once for those alike: only few depend on the size of a request."""
        import numpy as np

        key = ("sum", *(self._leaves[leaf].number for leaf in leaves))
        if key not in notes:
            kinds: dict[Hashable, list[Leaf]] = {}
            for leaf in leaves:
                kinds.setdefault(self._kind(leaf), []).append(leaf)
            notes[key] = np.zeros((2, len(self._resources)))
            for lanes in kinds.values():
                met = np.concatenate([self._crowd.met(self._leaves[leaf].at) for leaf in lanes])
                notes[key] += self._table(lanes[0]).sum(met, self._taken(lanes[0]), len(self._resources))
        return _widened(notes[key], len(self._resources))

    def _notes(self, place: _Place) -> dict[Hashable, Any]:
        """Return the notes of the client where it draws who plays there, else those that all clients share."""
        return self._crowd.notes if place.is_own else self._crowd.common

    def _table(self, leaf: Leaf) -> _Table:
        table: _Table = self._crowd.common.setdefault(("table", self._kind(leaf)), _Table())
        return table

    def _taken(self, leaf: Leaf) -> Callable[[int], Taken]:
        """Return how to ask what a stage takes of a company."""
        many = len(self._leaves[leaf].at)

        def taken(number: int) -> Taken:
            company = self._crowd.company(number, many)
            if not self._is_once:
                return self._fluid.of_a_byte(leaf, company)
            step = self._fluid.taken_once(leaf, company)
            if not isinstance(step, Work):
                return Taken()
            return Taken([Use(use.resource, use.cost * step.amount) for use in step.demand.uses])

        return taken

    def _known(self) -> dict[Leaf, _Place]:
        """Return where the leaves are, each with a number that those of other operations have which take the same."""
        known: dict[Hashable, int] = self._crowd.common.setdefault("known", {})
        places: dict[Leaf, _Place] = {}
        for leaf in _flat(self._fluid.leaves_once if self._is_once else self._fluid.leaves_of_bytes):
            at = (self._fluid.who_once if self._is_once else self._fluid.who).at(leaf.seats)
            ends = at[PAIR:] if isinstance(leaf.stage, Move) else ()
            number = known.setdefault((self._kind(leaf), at), len(known))
            places[leaf] = _Place(number, at[: len(at) - len(ends)], ends, self._crowd.is_own(at))
        return places

    def _kind(self, leaf: Leaf) -> Hashable:
        """Return what tells what a stage takes of a company from what others do."""
        size = self._fluid.size if isinstance(leaf.stage, (Seek, Limit)) else 0.0
        return self._is_once, leaf.stage, leaf.part, leaf.lanes, size


def anywhere(asked: Series[Asked], names: int, size: float, resources: Resources) -> tuple[Columns, float]:
    """Return what a byte uses, and the rate of a stream, on average over so many names of ranges of `size` bytes (B).

    What each of them takes once is spread over its bytes. Nothing is read of names that no crowd has.
    """
    import numpy as np

    total, slowness = np.zeros((2, 0)), 0.0
    for one in asked:
        once = _Mean(one.crowd, one.once, resources, is_once=True).uses()
        of_bytes, seconds = _of_bytes(one, resources)
        once, of_bytes, total = (_widened(uses, len(resources)) for uses in (once, of_bytes, total))
        total, slowness = total + of_bytes + once / size, slowness + seconds
    costs, moved = total / names
    used = np.flatnonzero(costs > 0)
    uses = Columns(resources, np.array([used, costs[used], moved[used]]))
    return uses, names / slowness if slowness > 0 else math.inf


def _of_bytes(asked: Asked, resources: Resources) -> tuple[NDArray[np.float64], float]:
    """Return what bytes take, and their seconds over all names: of the operation that was asked last it is kept."""
    import numpy as np

    crowd = asked.crowd
    last, known = crowd.notes.get("bytes", (None, None))
    if last is not asked.bytes:
        mean = _Mean(crowd, asked.bytes, resources, is_once=False)
        known = mean.uses(), float(np.sum(np.broadcast_to(mean.slowness(), crowd.many)))
        crowd.notes["bytes"] = asked.bytes, known
    mean_of: tuple[NDArray[np.float64], float] = known
    return mean_of


def _flat(leaves: Iterable[Leaf | InTurn | SideBySide | Passed | Any]) -> list[Leaf]:
    """Return all leaves, however they lie in each other."""
    flat: list[Leaf] = []
    for leaf in leaves:
        match leaf:
            case Leaf():
                flat.append(leaf)
            case InTurn(passed):
                flat += _flat(passed.parts)
            case _:
                flat += _flat(leaf[0])
    return flat


def _alike(rates: NDArray[np.float64]) -> Rates:
    """Return what is known by name; a number where it is the same of all."""
    first = float(rates[0])
    return first if (rates == first).all() else rates


def _widened(uses: NDArray[np.float64], resources: int) -> NDArray[np.float64]:
    """Return uses with rows for resources that were made since."""
    import numpy as np

    return uses if uses.shape[1] == resources else np.pad(uses, ((0, 0), (0, resources - uses.shape[1])))


def _larger(one: Rates, other: Rates) -> Rates:
    if isinstance(one, float) and isinstance(other, float):
        return max(one, other)
    import numpy as np

    return np.maximum(one, other)
