"""What requests for objects of all names take of each resource on average, without a flow for each name.

A hundred servers have thousands of names, and every client draws its own gateways for them. So each stage of an
operation asks once who plays its roles in all of them, and once what it takes of each of these who are different. What
no client draws for itself is the same for all clients, and who plays a role is the same for requests of any size.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Container, Hashable, Iterable, Sequence as Series
from typing import TYPE_CHECKING, Any, NamedTuple

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

Find = Callable[[str, str | None, int], Series[Any]]
"""Answers who plays a role in a lane, or its drive in a bay, by name."""


class Met(NamedTuple):
    """Who is met together in requests: each such company once, and which of them it is by name."""

    companies: Series[Any]
    which: NDArray[np.intp]


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
        self._met: dict[Hashable, Any] = {}

    def is_own(self, places: Iterable[Any]) -> bool:
        """Tell whether any of some places is played by whom the client draws."""
        return any(isinstance(place, tuple) and place[0] in self._own for place in places)

    def met(self, places: Series[Any]) -> Met:
        """Return who is met at some places."""
        notes, key = self._met if self.is_own(places) else self.common, ("met", *places)
        if key not in notes:
            notes[key] = self._meet(places)
        met: Met = notes[key]
        return met

    def forget(self) -> None:
        """Forget whom the client has drawn: that of a hundred clients would take half a gigabyte."""
        self._met.clear()

    def _meet(self, places: Series[Any]) -> Met:
        import numpy as np  # keeps numpy out of commands that only read profiles

        columns = [self._column(place) for place in places]
        rows: Iterable[Any] = columns[0] if len(columns) == 1 else zip(*columns, strict=True)
        numbers: dict[Any, int] = {}
        which = [numbers.setdefault(row, len(numbers)) for row in (rows if columns else [()] * self.many)]
        return Met(tuple(numbers), np.array(which, np.intp))

    def _column(self, place: Any) -> Series[Any]:
        if place == ACCESS:
            return [self._access] * self.many
        if place == MISSING:
            return self._missing
        notes = self._met if place[0] in self._own else self.common
        if place not in notes:
            notes[place] = self._find(*place)
        column: Series[Any] = notes[place]
        return column


@value()
class Asked:
    """Requests for objects of the names of a crowd: what they take `once`, and what their `bytes` take."""

    crowd: Crowd
    once: Fluid
    bytes: Fluid


class _Table:
    """What a stage takes of each company that it has met, with the rows of what that uses one after the other."""

    def __init__(self) -> None:
        self.rows: dict[Any, int] = {}
        self.rates: list[float] = []
        self._owners: list[int] = []
        self._indices: list[int] = []
        self._costs: list[float] = []
        self._moved: list[float] = []

    def add(self, company: Any, taken: Taken) -> None:
        """Take down what it takes of a company."""
        row = self.rows[company] = len(self.rates)
        self.rates.append(taken.rate)
        for resource, cost, moved in taken.uses:
            self._owners.append(row)
            self._indices.append(resource.index)
            self._costs.append(cost)
            self._moved.append(moved)

    def sum(self, counts: NDArray[np.float64], resources: int) -> NDArray[np.float64]:
        """Return what as many of each company use of each resource: its cost, and the bytes."""
        import numpy as np

        owners, indices = np.array(self._owners, np.intp), np.array(self._indices, np.intp)
        many = counts[owners]
        return np.array(
            [np.bincount(indices, many * np.array(of), minlength=resources) for of in (self._costs, self._moved)]
        )


PAIR = 2
"""Places that say what bytes take which move; those behind them say which card all lanes share."""


class _Mean:
    """What the requests of a crowd take in the stages of one of its operations, of all names together."""

    def __init__(self, crowd: Crowd, fluid: Fluid, resources: Resources, *, is_once: bool) -> None:
        self._crowd, self._fluid, self._resources, self._is_once = crowd, fluid, resources, is_once
        key = "numbers", fluid, is_once
        if key not in crowd.common:
            crowd.common[key] = self._numbered()
        self._numbers: dict[Leaf, int] = crowd.common[key]

    def uses(self) -> NDArray[np.float64]:
        """Return the cost, and the bytes, of each resource."""
        key = "shared out", self._fluid, self._is_once
        if key not in self._crowd.common:
            own = [leaf for leaf in self._numbers if self._crowd.is_own(self._places(leaf)[0])]
            others = [leaf for leaf in self._numbers if not self._crowd.is_own(self._places(leaf)[0])]
            self._crowd.common[key] = own, others
        own, others = self._crowd.common[key]
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
        import numpy as np

        places, _ = self._places(leaf)
        notes, key = self._notes(places), ("second", self._numbers[leaf])
        if key not in notes:
            table, rows, met = self._met(leaf)
            notes[key] = _by_name(1 / np.array(table.rates)[rows], met)
        seconds: Rates = notes[key]
        return seconds

    def _shared(self, leaf: Leaf) -> Rates:
        """Return the seconds of a byte on a card that all lanes pass."""
        import numpy as np

        _, ends = self._places(leaf)
        if not ends:
            return 0.0
        met = self._crowd.met(ends)
        return _by_name(np.array([shared_card(leaf, company) for company in met.companies]), met)

    def _summed(self, leaves: Series[Leaf], notes: dict[Hashable, Any]) -> NDArray[np.float64]:
        """Return what some leaves take, added up once for those alike: only few depend on the size of a request."""
        import numpy as np

        key = ("sum", *map(self._numbers.__getitem__, leaves))
        if key not in notes:
            total = np.zeros((2, len(self._resources)))
            for leaf in leaves:
                table, rows, met = self._met(leaf)
                counts = np.zeros(len(table.rates))
                counts[rows] = np.bincount(met.which, minlength=len(rows))
                total += table.sum(counts, len(self._resources))
            notes[key] = total
        known: NDArray[np.float64] = notes[key]
        return _widened(known, len(self._resources))

    def _met(self, leaf: Leaf) -> tuple[_Table, NDArray[np.intp], Met]:
        """Return what a stage takes of whom it has met, the rows of those whom it meets, and these."""
        import numpy as np

        met = self._crowd.met(self._places(leaf)[0])
        table: _Table = self._crowd.common.setdefault(("table", self._kind(leaf)), _Table())
        for company in met.companies:
            if company not in table.rows:
                table.add(company, self._taken(leaf, company))
        return table, np.fromiter(map(table.rows.__getitem__, met.companies), np.intp, len(met.companies)), met

    def _taken(self, leaf: Leaf, company: Any) -> Taken:
        if not self._is_once:
            return self._fluid.of_a_byte(leaf, company)
        step = self._fluid.taken_once(leaf, company)
        if not isinstance(step, Work):
            return Taken()
        return Taken([Use(use.resource, use.cost * step.amount) for use in step.demand.uses])

    def _numbered(self) -> dict[Leaf, int]:
        """Return the leaves, each with a number that those of other operations have which take the same."""
        known: dict[Hashable, int] = self._crowd.common.setdefault("known", {})
        leaves = _flat(self._fluid.leaves_once if self._is_once else self._fluid.leaves_of_bytes)
        return {leaf: known.setdefault((self._kind(leaf), self._places(leaf)[0]), len(known)) for leaf in leaves}

    def _kind(self, leaf: Leaf) -> Hashable:
        """Return what tells what a stage takes of a company from what others do."""
        size = self._fluid.size if isinstance(leaf.stage, (Seek, Limit)) else 0.0
        return self._is_once, leaf.stage, leaf.part, leaf.lanes, size

    def _notes(self, places: Series[Any]) -> dict[Hashable, Any]:
        return self._crowd.notes if self._crowd.is_own(places) else self._crowd.common

    def _places(self, leaf: Leaf) -> tuple[Series[Any], Series[Any]]:
        """Return the places that say what a stage takes, and of what moves those of the ends of lanes."""
        places = (self._fluid.who_once if self._is_once else self._fluid.who).at(leaf.seats)
        return (places[:PAIR], places[PAIR:]) if isinstance(leaf.stage, Move) else (places, ())


def anywhere(asked: Series[Asked], names: int, size: float, resources: Resources) -> tuple[tuple[Use, ...], float]:
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
        one.crowd.forget()
    costs, moved = total / names
    indices = np.flatnonzero(costs > 0)
    columns = map(resources.__getitem__, indices.tolist()), costs[indices].tolist(), moved[indices].tolist()
    return tuple(map(Use, *columns)), names / slowness if slowness > 0 else math.inf


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


def _by_name(of_companies: NDArray[np.float64], met: Met) -> Rates:
    """Return what is known of companies by name; a number where it is the same of all."""
    first = float(of_companies[0])
    return first if (of_companies == first).all() else of_companies[met.which]


def _widened(uses: NDArray[np.float64], resources: int) -> NDArray[np.float64]:
    """Return uses with rows for resources that were made since."""
    import numpy as np

    return uses if uses.shape[1] == resources else np.pad(uses, ((0, 0), (0, resources - uses.shape[1])))


def _larger(one: Rates, other: Rates) -> Rates:
    if isinstance(one, float) and isinstance(other, float):
        return max(one, other)
    import numpy as np

    return np.maximum(one, other)
