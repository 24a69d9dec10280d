"""What a storage system survives: how many drives, servers or racks may fail at once, whichever they are.

Reading: after that many failures every byte can still be read. Writing: it can, and new data can still be written with
the quorum of the system. Follows from the failure domains that the storage system states (`models.storage.domains`):
an object in a set of k + m drives is read with any k of them; of n pieces on servers that differ as many may be gone as
the redundancy spares, and a write waits for those that it needs, or goes to servers that are up; where pieces may
share a server, those that lie together count together.

Servers that are alike count as one kind, so that nothing here grows with their number. Says nothing about the load
that is left to the others, nor whether the bytes find room there.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from models.hardware.cluster import Group
from models.hardware.racks import RackKind, rack_kinds
from models.planning.durability import known_placement
from models.storage.domains import Arrays, Scattered, Sets
from models.storage.redundancy import spare

if TYPE_CHECKING:
    from models.scenario import Scenario


MEASURES = tuple(
    f"survives_{what}_{part}" for part in ("drives", "servers", "racks") for what in ("reading", "writing")
)


@dataclass(frozen=True, slots=True)
class Tolerance:
    """How many of a kind may fail, whichever: `reading` with all data readable, `writing` with writes going on too."""

    reading: int
    writing: int


@dataclass(frozen=True, slots=True)
class Survival:
    """What may fail at once, each kind by itself."""

    drives: Tolerance
    servers: Tolerance
    racks: Tolerance

    def __iter__(self) -> Iterator[tuple[str, Tolerance]]:
        """Yield the kinds of parts with what may fail of each."""
        yield from (("drives", self.drives), ("servers", self.servers), ("racks", self.racks))

    @property
    def reading(self) -> str:
        """What may fail with all data readable, in words."""
        return ", ".join(_lost(parts, tolerance.reading) for parts, tolerance in self)

    @property
    def writing(self) -> str:
        """What may fail with writes going on too, in words."""
        return ", ".join(_lost(parts, tolerance.writing) for parts, tolerance in self)

    def measures(self) -> Iterator[tuple[str, int]]:
        """Yield what may fail by the names of measures: survives_reading_drives, survives_writing_drives and so on."""
        counts = (count for _, tolerance in self for count in (tolerance.reading, tolerance.writing))
        yield from zip(MEASURES, counts, strict=True)


def _lost(parts: str, count: int) -> str:
    """Return so many parts, whichever they are: "any 2 servers", "any rack", "no rack"."""
    return f"any {count} {parts}" if count > 1 else f"{'any' if count else 'no'} {parts.removesuffix('s')}"


def survives(scenario: Scenario) -> Survival:
    """Return how many drives, servers and racks may fail at once, whichever they are.

    Raises:
        RefusalError: nothing is known of where the bytes lie.
    """
    home, placement = known_placement(scenario, "what survives")
    group, racks = scenario.cluster.groups[home[0]], scenario.cluster.network.racks
    match placement:
        case Sets():
            return _sets(placement, racks)
        case Scattered():
            return _scattered(placement, group, racks)
        case Arrays():
            return _arrays(placement, group, racks)


def _sets(sets: Sets, racks: int) -> Survival:
    def tolerance(shares: Callable[[tuple[int, ...]], Iterable[int]]) -> Tolerance:
        pairs = []
        for kind in sets.kinds:
            held = [(size, 1) for size in sorted(shares(kind.servers), reverse=True)]
            reading = _fitting(held, kind.reading)
            pairs.append((reading, min(reading, _fitting(held, kind.writing))))
        return Tolerance(min(reading for reading, _ in pairs), min(writing for _, writing in pairs))

    return Survival(
        drives=tolerance(lambda servers: [1] * len(servers)),
        servers=tolerance(lambda servers: Counter(servers).values()),
        racks=tolerance(lambda servers: Counter(server % racks for server in servers).values()),
    )


def _fitting(sizes: Iterable[tuple[int, int]], room: int) -> int:
    """Return how many of some sizes, given as (size, how many of it) with the largest first, fit into room together."""
    count = 0
    for size, many in sizes:
        fit = min(many, room // size)
        count, room = count + fit, room - fit * size
        if fit < many:
            break
    return count


def _scattered(placement: Scattered, group: Group, racks: int) -> Survival:
    reading, held = spare(placement.redundancy), placement.on_server
    sizes = [(size * held, many) for size, many in _rack_sizes(rack_kinds(group, racks))]
    least = placement.least
    writing = min(reading, max((group.count if placement.chooses else placement.redundancy.pieces) - least, 0))
    match placement.racks:
        case "two":
            in_racks = min(reading, 1) if sum(many for _, many in sizes) > 1 else 0
        case "distinct":
            in_racks = reading
        case "even":
            in_racks = _fitting(_evenly(sizes, placement.redundancy.pieces), reading)
        case "any":
            in_racks = _fitting(sizes, reading)
    if placement.chooses:
        writing_racks = in_racks if group.count - in_racks * sizes[0][0] >= least else 0
    else:
        writing_racks = min(in_racks, writing if placement.racks == "distinct" else _fitting(sizes, writing))
    drives, servers = (Tolerance(reading // lost, writing // lost) for lost in (placement.on_drive, held))
    return Survival(drives, servers, Tolerance(in_racks, writing_racks))


def _evenly(sizes: Sequence[tuple[int, int]], pieces: int) -> list[tuple[int, int]]:
    """Return how many pieces racks hold at most, where they are spread over as many as there are, the fullest first.

    Source: Apache Hadoop, BlockPlacementPolicyRackFaultTolerant.
    """
    share = math.ceil(pieces / sum(many for _, many in sizes))
    return [(min(size, share), many) for size, many in sizes]


def _rack_sizes(racks: Iterable[RackKind]) -> list[tuple[int, int]]:
    """Return the servers of racks and how many racks have as many, the largest first."""
    sizes = Counter[int]()
    for rack in racks:
        sizes[sum(rack.servers)] += rack.racks
    return sorted(sizes.items(), reverse=True)


def _arrays(placement: Arrays, group: Group, racks: int) -> Survival:
    """Return what nodes with arrays survive: any nodes that an object can spare, and in each what its array can."""
    reading, writing, in_node = placement.spare, placement.writing, placement.parity + 1
    sizes = _rack_sizes(rack_kinds(group, racks))
    return Survival(
        drives=Tolerance((reading + 1) * in_node - 1, (writing + 1) * in_node - 1),
        servers=Tolerance(reading, writing),
        racks=Tolerance(_fitting(sizes, reading), _fitting(sizes, writing)),
    )
