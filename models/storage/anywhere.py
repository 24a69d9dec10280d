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
from models.storage.crowd import Crowd, Met, is_client
from models.storage.fluid import Fluid, shared_card
from models.storage.leaves import InTurn, Leaf, Passed, SideBySide, Taken
from models.storage.stages import Held, Limit, Move, Seek
from models.values import value
from models.work import Resources, Use, Work

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Rates = NDArray[np.float64] | float
    """Of each request, or the same of all."""


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
        """Return what some leaves take, added up once for those alike."""
        import numpy as np

        key = ("sum", client, *(self._leaves[leaf].number for leaf in leaves))
        if key not in self._notes:
            kinds: dict[Hashable, list[Leaf]] = {}
            for leaf in leaves:
                kinds.setdefault(self._kind(leaf), []).append(leaf)
            together = np.zeros((2, len(self._resources)))
            for lanes in kinds.values():
                uses = self._of_kind(lanes, client)
                together = _widened(together, len(self._resources)) + _widened(uses, len(self._resources))
            self._notes[key] = together
        return _widened(self._notes[key], len(self._resources))

    def _of_kind(self, lanes: Series[Leaf], client: int | None) -> NDArray[np.float64]:
        """Return what leaves of one kind take, looked up where no client does: few depend on the size of a request."""
        key = ("kind", *(self._leaves[leaf].number for leaf in lanes))
        if client is None and key in self._notes:
            return _widened(self._notes[key], len(self._resources))
        met = [self._crowd.met(self._client, self._leaves[leaf].at) for leaf in lanes]
        uses = self._table(lanes[0]).sum(met, self._taken(lanes[0]), len(self._resources))
        if client is None:
            self._notes[key] = uses
        return uses

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
        size = self._fluid.size if isinstance(leaf.stage, (Seek, Limit, Held)) else 0.0
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
