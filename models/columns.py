"""What one unit of a work takes of thousands of resources: columns in place of uses that are handled one by one."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import field
from typing import TYPE_CHECKING, Any, Protocol

from models.values import value

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


KEPT = 64
"""Sums with a few others that columns keep. Assumption: streams of a client go on to no more drives and cores."""


class Resource(Protocol):
    """A resource, which has a number."""

    @property
    def index(self) -> int:
        """Its number."""
        ...


class Use(Protocol):
    """What a unit takes of a resource."""

    @property
    def resource(self) -> Resource:
        """Of which."""
        ...

    @property
    def cost(self) -> float:
        """Of its capacity."""
        ...

    @property
    def bytes(self) -> float:
        """Moved there."""
        ...


class Resources(Protocol):
    """Resources by their numbers."""

    def use(self, index: int, cost: float, bytes: float) -> Any:
        """Return a use of a resource."""
        ...


@value(eq=False)
class Columns:
    """Uses of many resources, each of which comes once, in the order of their numbers.

    `table` has a row for the numbers, one for the costs and one for the bytes. What a client takes of all drives of
    a hundred servers are thousands of uses, and those of each size are others.
    """

    resources: Resources
    table: NDArray[np.float64]
    _sums: dict[tuple[Use, ...], Columns] = field(default_factory=dict, init=False, repr=False)

    def __len__(self) -> int:
        return int(self.table.shape[1])

    def __iter__(self) -> Iterator[Any]:
        for number, cost, moved in self.table.T.tolist():
            yield self.resources.use(int(number), cost, moved)

    def __add__(self, others: Iterable[Use]) -> Columns:
        """Return these with others behind them, added to those of the same resource: once for the same few others."""
        import numpy as np

        few = others if isinstance(others, tuple) else ()
        if few not in self._sums:
            whole = Columns(self.resources, _added_up(np.hstack((self.table, _rows(others)))))
            if not few:
                return whole
            if len(self._sums) == KEPT:
                self._sums.clear()
            self._sums[few] = whole
        return self._sums[few]

    def __radd__(self, others: Iterable[Use]) -> Columns:
        """Return these with others before them."""
        import numpy as np

        return Columns(self.resources, _added_up(np.hstack((_rows(others), self.table))))

    @property
    def end(self) -> int:
        """The number behind that of the last resource."""
        return int(self.table[0, -1]) + 1 if len(self) else 0

    @property
    def are_positive(self) -> bool:
        """Whether each costs something, and is finite."""
        return bool(((self.table[1] > 0) & (self.table[1] < math.inf)).all())


def columns(uses: Iterable[Use], resources: Resources) -> Columns:
    """Return uses as columns."""
    return Columns(resources, _added_up(_rows(uses)))


def _rows(uses: Iterable[Use]) -> NDArray[np.float64]:
    import numpy as np  # keeps numpy out of commands that only read profiles

    rows = [(use.resource.index, use.cost, use.bytes) for use in uses if use.cost > 0]
    return np.array(rows, np.float64).reshape(-1, 3).T


def _added_up(table: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return one column of each resource, in the order of their numbers."""
    import numpy as np

    table = table[:, table[0].argsort(kind="stable")]
    is_first = np.diff(table[0], prepend=-1.0) > 0
    if is_first.all():
        return table
    firsts = np.flatnonzero(is_first)
    return np.vstack((table[0, firsts], np.add.reduceat(table[1:], firsts, axis=1)))
