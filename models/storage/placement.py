"""Where bytes lie: reproducible choices of nodes and drives, independent of the order in which they are asked for."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import TYPE_CHECKING

from models.problem import refusal

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_MASK = (1 << 64) - 1
_STEP, _FIRST, _SECOND = 0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9, 0x94D049BB133111EB

TRIES = 16
"""Random tries before all nodes are listed. Assumption: enough for clusters of ordinary shape."""


def mix(*values: int) -> int:
    """Return a 64-bit hash of whole numbers: equal for equal input in every process.

    Source: splitmix64 finaliser, Steele, Lea and Flood, "Fast splittable pseudorandom number generators", 2014.
    """
    state = 0
    for value in values:
        state = (state + value + _STEP) & _MASK
        state = ((state ^ (state >> 30)) * _FIRST) & _MASK
        state = ((state ^ (state >> 27)) * _SECOND) & _MASK
        state ^= state >> 31
    return state


def mixed(salt: int, count: int, *last: int) -> NDArray[np.uint64]:
    """Return `mix(salt, i, *last)` of each whole number i below `count`, at once."""
    import numpy as np

    state = _stirred(np.arange(count, dtype=np.uint64) + np.uint64((mix(salt) + _STEP) & _MASK))
    for value in last:
        state = _stirred(state + np.uint64((value + _STEP) & _MASK))
    return state


def _stirred(state: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Return what one step of `mix` makes of each state."""
    import numpy as np

    state = (state ^ (state >> np.uint64(30))) * np.uint64(_FIRST)
    state = (state ^ (state >> np.uint64(27))) * np.uint64(_SECOND)
    return state ^ (state >> np.uint64(31))


class ServerChoice(ABC):
    """Which servers hold the pieces of a block: drawn one by one, each by the pieces before it.

    `racks[i]` is the rack of server i.
    """

    def __init__(self, racks: Sequence[int]) -> None:
        self._racks = racks
        self._is_one_rack = len(set(racks)) == 1
        self._members: dict[int, list[int]] = {}
        for server, rack in enumerate(racks):
            self._members.setdefault(rack, []).append(server)

    def replicas(self, count: int, first: int | None, salt: int) -> tuple[int, ...]:
        """Return the positions of `count` distinct servers; `first` is the writer's own, if it has one.

        Raises:
            RefusalError: there are fewer servers than replicas.
        """
        if count > len(self._racks):
            raise refusal("replication", f"there are only {len(self._racks)} servers to hold replicas", value=count)
        chosen = [mix(salt, 0) % len(self._racks) if first is None else first]
        while len(chosen) < count:
            chosen.append(self._draw(chosen, count, mix(salt, len(chosen))))
        return tuple(chosen)

    def table(self, blocks: int, count: int, salt: int) -> NDArray[np.int64]:
        """Return the positions of the replicas of many blocks at once, of shape (blocks, count).

        The first replicas lie evenly on all servers, as evenly spread writers leave them.

        Raises:
            RefusalError: there are fewer servers than replicas.
        """
        import numpy as np

        chosen = np.empty((blocks, count), dtype=np.int64)
        chosen[:, 0] = np.arange(blocks) % len(self._racks)
        rng = np.random.Generator(np.random.PCG64(salt))
        for position in range(1, count):
            rows = np.arange(blocks)
            for _ in range(TRIES):
                taken = chosen[rows, :position]
                drawn = self._draw_many(taken, rng)
                fits = (taken != drawn[:, None]).all(axis=1) & self._fit_many(drawn, taken, count)
                chosen[rows[fits], position] = drawn[fits]
                rows = rows[~fits]
            for row in rows:
                chosen[row, position] = self._draw(
                    chosen[row, :position].tolist(), count, mix(salt, int(row), position)
                )
        return chosen

    def _draw(self, taken: list[int], count: int, salt: int) -> int:
        """Return a server that is not taken and lies as it should: by trial, so that the cost does not grow."""
        among = self._candidates(taken)
        for attempt in range(TRIES):
            server = among[mix(salt, attempt) % len(among)]
            if server not in taken and self._fits(server, taken, count):
                return server
        free = [server for server in range(len(self._racks)) if server not in taken]
        fitting = [server for server in free if self._fits(server, taken, count)] or free
        return fitting[mix(salt, TRIES) % len(fitting)]

    def _candidates(self, taken: list[int]) -> Sequence[int]:
        """Return the servers among which the next one is drawn: all."""
        return range(len(self._racks))

    def _draw_many(self, taken: NDArray[np.int64], rng: np.random.Generator) -> NDArray[np.int64]:
        """Return a candidate for each row of servers that are taken."""
        return rng.integers(len(self._racks), size=len(taken))

    @abstractmethod
    def _fits(self, server: int, taken: list[int], count: int) -> bool:
        """Tell whether a server may be the next of `count`, as to its rack."""

    @abstractmethod
    def _fit_many(self, drawn: NDArray[np.int64], taken: NDArray[np.int64], count: int) -> NDArray[np.bool_]:
        """Tell of each row whether the server that is drawn may be its next."""


class ReplicaPlacement(ServerChoice):
    """Which servers hold the replicas of a block, as HDFS's default policy chooses them.

    The first lies on the writer's server or anywhere; the second in another rack, the third in the rack of the
    second, further ones anywhere. With one rack all but the first lie anywhere.

    Source: Apache HDFS Architecture, "Replica Placement".
    """

    def _draw_many(self, taken: NDArray[np.int64], rng: np.random.Generator) -> NDArray[np.int64]:
        """Return a candidate for each row: in the rack of the second replica for the third, anywhere for others."""
        import numpy as np

        if self._is_one_rack or taken.shape[1] != 2:
            return super()._draw_many(taken, rng)
        racks = np.asarray(self._racks)[taken[:, 1]]
        order = np.array([server for rack in sorted(self._members) for server in self._members[rack]])
        sizes = np.array([len(self._members.get(rack, ())) for rack in range(max(self._members) + 1)])
        starts = np.cumsum(sizes) - sizes
        servers: NDArray[np.int64] = order[
            starts[racks] + np.floor(rng.random(len(taken)) * sizes[racks]).astype(np.int64)
        ]
        return servers

    def _candidates(self, taken: list[int]) -> Sequence[int]:
        if self._is_one_rack or len(taken) != 2:
            return super()._candidates(taken)
        return self._members[self._racks[taken[1]]]

    def _fits(self, server: int, taken: list[int], count: int) -> bool:
        if self._is_one_rack or len(taken) > 2:
            return True
        if len(taken) == 1:
            return self._racks[server] != self._racks[taken[0]]
        return self._racks[server] == self._racks[taken[1]]

    def _fit_many(self, drawn: NDArray[np.int64], taken: NDArray[np.int64], count: int) -> NDArray[np.bool_]:
        import numpy as np

        if self._is_one_rack or taken.shape[1] != 1:
            return np.ones(len(drawn), dtype=np.bool_)
        racks = np.asarray(self._racks)
        apart: NDArray[np.bool_] = racks[drawn] != racks[taken[:, 0]]
        return apart


class SpreadPlacement(ServerChoice):
    """Which servers hold the pieces of a group: in as many racks as there are, in each as few as can be.

    Source: Apache Hadoop, BlockPlacementPolicyRackFaultTolerant.
    """

    def _fits(self, server: int, taken: list[int], count: int) -> bool:
        if self._is_one_rack:
            return True
        rack = self._racks[server]
        return sum(self._racks[i] == rack for i in taken) < math.ceil(count / len(self._members))

    def _fit_many(self, drawn: NDArray[np.int64], taken: NDArray[np.int64], count: int) -> NDArray[np.bool_]:
        import numpy as np

        racks = np.asarray(self._racks)
        held = (racks[taken] == racks[drawn][:, None]).sum(axis=1)
        fits: NDArray[np.bool_] = held < math.ceil(count / len(self._members))
        return fits
