"""Where bytes lie: reproducible choices of nodes and drives, independent of the order in which they are asked for."""

from __future__ import annotations

from collections.abc import Sequence

_MASK = (1 << 64) - 1

TRIES = 16
"""Random tries before all nodes are listed. Assumption: enough for clusters of ordinary shape."""


def mix(*values: int) -> int:
    """Return a 64-bit hash of whole numbers: equal for equal input in every process.

    Source: splitmix64 finaliser, Steele, Lea and Flood, "Fast splittable pseudorandom number generators", 2014.
    """
    state = 0
    for value in values:
        state = (state + value + 0x9E3779B97F4A7C15) & _MASK
        state = ((state ^ (state >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
        state = ((state ^ (state >> 27)) * 0x94D049BB133111EB) & _MASK
        state ^= state >> 31
    return state


class ReplicaPlacement:
    """Which servers hold the replicas of a block, as HDFS's default policy chooses them.

    The first lies on the writer's server or anywhere; the second in another rack, the third in the rack of the
    second, further ones anywhere. With one rack all but the first lie anywhere. `racks[i]` is the rack of server i.

    Source: Apache HDFS Architecture, "Replica Placement".
    """

    def __init__(self, racks: Sequence[int]) -> None:
        self._racks = racks
        self._is_one_rack = len(set(racks)) == 1

    def replicas(self, count: int, first: int | None, salt: int) -> tuple[int, ...]:
        """Return the positions of `count` distinct servers; `first` is the writer's own, if it has one.

        Raises:
            ValueError: there are fewer servers than replicas.
        """
        if count > len(self._racks):
            raise ValueError(f"replication = {count}: there are only {len(self._racks)} servers to hold replicas")
        chosen = [mix(salt, 0) % len(self._racks) if first is None else first]
        while len(chosen) < count:
            chosen.append(self._draw(chosen, mix(salt, len(chosen))))
        return tuple(chosen)

    def _draw(self, taken: list[int], salt: int) -> int:
        """Return a server that is not taken and lies as it should: by trial, so that the cost does not grow."""
        for attempt in range(TRIES):
            server = mix(salt, attempt) % len(self._racks)
            if server not in taken and self._fits(server, taken):
                return server
        free = [server for server in range(len(self._racks)) if server not in taken]
        fitting = [server for server in free if self._fits(server, taken)] or free
        return fitting[mix(salt, TRIES) % len(fitting)]

    def _fits(self, server: int, taken: list[int]) -> bool:
        if self._is_one_rack or len(taken) > 2:
            return True
        if len(taken) == 1:
            return self._racks[server] != self._racks[taken[0]]
        return self._racks[server] == self._racks[taken[1]]
