"""How the servers of a group stand in racks."""

from __future__ import annotations

from itertools import accumulate, pairwise

from models.hardware.cluster import Group
from models.values import value


@value()
class RackKind:
    """So many `racks` that hold as many `servers` of each batch of a group, in the order of the batches."""

    racks: int
    servers: tuple[int, ...]


def rack_kinds(group: Group, racks: int) -> list[RackKind]:
    """Return the racks that hold servers of a group, those together that hold as many of each batch."""
    ends = list(accumulate((batch.count for batch in group.batches()), initial=0))
    kinds = []
    for first, end in pairwise(sorted({0, racks, *(stop % racks for stop in ends)})):
        before = [max(-(-(stop - first) // racks), 0) for stop in ends]  # servers up to each end, in rack `first`
        held = tuple(after - there for there, after in pairwise(before))
        if any(held):
            kinds.append(RackKind(end - first, held))
    return kinds
