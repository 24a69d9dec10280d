"""What requests for objects of all names take of each resource on average, without a flow for each name.

A hundred servers have thousands of names, and each request for one of them draws its own gateways. So each stage of an
operation asks once who plays its roles in all requests, and once what it takes of each of these who are different. What
the client plays no part in is the same for all clients, and who plays a role is the same for requests of any size.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Iterable, Sequence as Series
from typing import TYPE_CHECKING, Any, NamedTuple

from models.columns import Columns
from models.hardware.cluster import Node
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
    """Of each request, or the same of all."""

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


@value()
class Asked:
    """Requests of a client for the objects of a crowd: what they take `once`, and what their `bytes` take."""

    crowd: Crowd
    client: Node
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

    def sum(self, met: Series[Met], taken: Callable[[int], Taken], resources: int) -> NDArray[np.float64]:
        """Return what all requests use of each resource together that meet companies: its cost, and the bytes."""
        import numpy as np

        rows = self.find(np.concatenate([of.companies for of in met]), taken)
        often = np.bincount(rows, np.concatenate([of.often for of in met]), len(self.rates))
        return np.array([np.bincount(self._indices, used, resources) for used in often[self._owners] * self._uses])

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
    """What the requests of a client to a crowd take in the stages of one of its operations, all of them together."""

    def __init__(self, asked: Asked, fluid: Fluid, resources: Resources, *, is_once: bool) -> None:
        self._crowd, self._client, self._fluid = asked.crowd, asked.client, fluid
        self._resources, self._is_once, self._notes = resources, is_once, asked.crowd.notes
        key = "leaves", fluid, is_once
        if key not in self._notes:
            self._notes[key] = self._known()
        self._leaves: dict[Leaf, _Place] = self._notes[key]

    def uses(self) -> NDArray[np.float64]:
        """Return the cost, and the bytes, of each resource."""
        own = [leaf for leaf, place in self._leaves.items() if place.is_own]
        others = [leaf for leaf, place in self._leaves.items() if not place.is_own]
        return self._summed(own, self._client.index) + self._summed(others, None)

    def slowness(self) -> float:
        """Return the seconds that a byte of a lone request takes, of all requests together."""
        import numpy as np

        key = "slowest", self._fluid
        if key not in self._notes:
            others = (leaf for leaf in self._fluid.leaves_of_bytes if not self._is_own(leaf))
            self._notes[key] = self._slowest(others)
        own = self._slowest(filter(self._is_own, self._fluid.leaves_of_bytes))
        if not isinstance(own, float):
            return float(np.sum(_larger(self._notes[key], own)))
        alike = "slowness", self._fluid, own  # the same of clients that are alike
        if alike not in self._notes:
            seconds = _larger(self._notes[key], own)
            self._notes[alike] = float(np.sum(np.broadcast_to(seconds, self._crowd.many)))
        together: float = self._notes[alike]
        return together

    def _is_own(self, leaf: Leaf | InTurn) -> bool:
        """Tell whether the client plays a part."""
        return any(self._leaves[of].is_own for of in _flat([leaf]))

    def _slowest(self, leaves: Iterable[Leaf | InTurn]) -> Rates:
        """Return the seconds that a byte of a lone request takes in the slowest of some stages, by request."""
        slowest: Rates = 0.0
        for leaf in leaves:
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
        """Return the seconds of a byte in a stage."""
        table, place = self._table(leaf), self._leaves[leaf]

        def seconds(met: Met) -> NDArray[np.float64]:
            of: NDArray[np.float64] = 1 / table.rates[table.find(met.companies, self._taken(leaf))]
            return of

        return self._by_request("second", place, place.at, seconds)

    def _shared(self, leaf: Leaf) -> Rates:
        """Return the seconds of a byte on a card that all lanes pass."""
        import numpy as np

        place = self._leaves[leaf]
        if not place.ends:
            return 0.0

        def seconds(met: Met) -> NDArray[np.float64]:
            companies = (self._crowd.company(number, len(place.ends)) for number in met.companies.tolist())
            return np.array([shared_card(leaf, company) for company in companies])

        return self._by_request("shared", place, place.ends, seconds)

    def _by_request(
        self, what: str, place: _Place, at: Series[Any], seconds: Callable[[Met], NDArray[np.float64]]
    ) -> Rates:
        """Return the seconds of companies that are met, by request, worked out once for those alike."""
        met, key = self._crowd.met(self._client, at), (what, place.number, self._client.index if place.is_own else None)
        if key not in self._notes:
            self._notes[key] = _alike(seconds(met))
        of: Rates = self._notes[key]
        return of if isinstance(of, float) else of[met.which]

    def _summed(self, leaves: Series[Leaf], client: int | None) -> NDArray[np.float64]:
        """Return what some leaves take, added up once for those alike: only few depend on the size of a request."""
        import numpy as np

        key = ("sum", client, *(self._leaves[leaf].number for leaf in leaves))
        if key not in self._notes:
            kinds: dict[Hashable, list[Leaf]] = {}
            for leaf in leaves:
                kinds.setdefault(self._kind(leaf), []).append(leaf)
            self._notes[key] = np.zeros((2, len(self._resources)))
            for lanes in kinds.values():
                met = [self._crowd.met(self._client, self._leaves[leaf].at) for leaf in lanes]
                self._notes[key] += self._table(lanes[0]).sum(met, self._taken(lanes[0]), len(self._resources))
        return _widened(self._notes[key], len(self._resources))

    def _table(self, leaf: Leaf) -> _Table:
        table: _Table = self._notes.setdefault(("table", self._kind(leaf)), _Table())
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
        known: dict[Hashable, int] = self._notes.setdefault("known", {})
        places: dict[Leaf, _Place] = {}
        for leaf in _flat(self._fluid.leaves_once if self._is_once else self._fluid.leaves_of_bytes):
            at = (self._fluid.who_once if self._is_once else self._fluid.who).at(leaf.seats)
            ends = at[PAIR:] if isinstance(leaf.stage, Move) else ()
            number = known.setdefault((self._kind(leaf), at), len(known))
            places[leaf] = _Place(number, at[: len(at) - len(ends)], ends, any(map(is_client, at)))
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

    total, slowness = np.zeros((2, len(resources))), 0.0
    for one in asked:
        once = _Mean(one, one.once, resources, is_once=True).uses()
        of_bytes, seconds = _of_bytes(one, resources)
        once, of_bytes, total = (_widened(uses, len(resources)) for uses in (once, of_bytes, total))
        total += (of_bytes + once / size) / one.crowd.times
        slowness += seconds / one.crowd.times
    costs, moved = total / names
    used = np.flatnonzero(costs > 0)
    uses = Columns(resources, np.array([used, costs[used], moved[used]]))
    return uses, names / slowness if slowness > 0 else math.inf


def _of_bytes(asked: Asked, resources: Resources) -> tuple[NDArray[np.float64], float]:
    """Return what bytes take, and their seconds over all requests: of the operation that was asked last it is kept."""
    notes, key = asked.crowd.notes, ("bytes", asked.client.index)
    last, known = notes.get(key, (None, None))
    if last is not asked.bytes:
        mean = _Mean(asked, asked.bytes, resources, is_once=False)
        known = mean.uses(), mean.slowness()
        notes[key] = asked.bytes, known
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
