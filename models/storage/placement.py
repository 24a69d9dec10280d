"""Where bytes lie: reproducible choices of nodes and drives, independent of the order in which they are asked for."""

from __future__ import annotations

from collections.abc import Sequence

_MASK = (1 << 64) - 1


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


def replica_nodes(replicas: int, racks: Sequence[int], first: int | None, salt: int) -> tuple[int, ...]:
    """Return distinct node positions for the replicas of one block, as HDFS's default policy chooses them.

    The first lies on the writer's node (`first`) or anywhere; the second in another rack, the third in the rack
    of the second, further ones anywhere. With one rack all but the first lie anywhere.

    Raises:
        ValueError: there are fewer nodes than replicas.

    Source: Apache HDFS Architecture, "Replica Placement".
    """
    if replicas > len(racks):
        raise ValueError(f"replication = {replicas}: there are only {len(racks)} servers to hold replicas")
    chosen = [mix(salt, 0) % len(racks) if first is None else first]
    while len(chosen) < replicas:
        wanted = _rack_rule(len(chosen), [racks[node] for node in chosen])
        free = [node for node in range(len(racks)) if node not in chosen]
        fitting = [node for node in free if wanted is None or (racks[node] == wanted[0]) == wanted[1]] or free
        chosen.append(fitting[mix(salt, len(chosen)) % len(fitting)])
    return tuple(chosen)


def _rack_rule(position: int, racks: list[int]) -> tuple[int, bool] | None:
    """Return (rack, inside) that the next replica should be in or outside of, or None."""
    if position == 1:
        return racks[0], False
    if position == 2:
        return racks[1], True
    return None
