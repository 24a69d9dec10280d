"""What a storage system survives: how many drives, servers or racks may fail at once, whichever they are.

Reading: after that many failures every byte can still be read. Writing: it can, and new data can still be written with
the quorum of the system. Follows from where shards and replicas may lie: an object in a set of k + m drives is read
with any k of them and written by the rules of MinIO's release; of r replicas on r servers, in two racks if there are
two, any r - 1 may be gone, and a block is written while `replication_min` servers take it.

Servers that are alike count as one kind, so that nothing here grows with their number. Says nothing about the load
that is left to the others, nor whether the bytes find room there.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from models.hardware.cluster import Cluster, RackKind, rack_kinds
from models.planning.durability import KNOWN
from models.problem import refusal
from models.storage.hdfs.system import Hdfs
from models.storage.minio.rules import Code
from models.storage.minio.sets import pool_sets
from models.storage.minio.system import Minio
from models.storage.storagegrid.operations import INTERIM_COPIES
from models.storage.storagegrid.system import StorageGrid

if TYPE_CHECKING:
    from models.scenario import Scenario


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

    def measures(self) -> Iterator[tuple[str, int]]:
        """Yield what may fail by the names of measures: survives_reading_drives, survives_writing_drives and so on."""
        for part, tolerance in self:
            yield f"survives_reading_{part}", tolerance.reading
            yield f"survives_writing_{part}", tolerance.writing


def survives(scenario: Scenario) -> Survival:
    """Return how many drives, servers and racks may fail at once, whichever they are.

    Raises:
        RefusalError: the storage system is not covered.
    """
    if isinstance(scenario.storage, Minio):
        return _sets(scenario.storage, scenario.cluster)
    if isinstance(scenario.storage, Hdfs):
        return _replicas(scenario.storage, scenario.cluster)
    if isinstance(scenario.storage, StorageGrid):
        return _nodes(scenario.storage, scenario.cluster)
    raise refusal("storage.system", f"what survives is modelled for {KNOWN} only", found=scenario.storage.system)


def _sets(spec: Minio, cluster: Cluster) -> Survival:
    sets = [(pool.code, servers) for pool in pool_sets(spec, cluster) for servers in pool.servers()]
    racks = cluster.network.racks

    def tolerance(shares: Callable[[tuple[int, ...]], Iterable[int]]) -> Tolerance:
        found = []
        for code, servers in sets:
            held = [(size, 1) for size in sorted(shares(servers), reverse=True)]
            reading = _fitting(held, code.parity - spec.failed_drives)
            found.append((reading, min(reading, _fitting(held, _spare_of_writes(code) - spec.failed_drives))))
        return Tolerance(min(reading for reading, _ in found), min(writing for _, writing in found))

    return Survival(
        drives=tolerance(lambda servers: [1] * len(servers)),
        servers=tolerance(lambda servers: Counter(servers).values()),
        racks=tolerance(lambda servers: Counter(server % racks for server in servers).values()),
    )


def _spare_of_writes(code: Code) -> int:
    """Return how many drives of a set may be offline while it takes writes."""
    return max(offline for offline in range(code.drives) if code.takes_writes(offline))


def _fitting(sizes: Iterable[tuple[int, int]], room: int) -> int:
    """Return how many of some sizes, given as (size, how many of it) with the largest first, fit into room together."""
    count = 0
    for size, many in sizes:
        fit = min(many, room // size)
        count, room = count + fit, room - fit * size
        if fit < many:
            break
    return count


def _replicas(spec: Hdfs, cluster: Cluster) -> Survival:
    group = cluster.groups[spec.servers]
    racks = _rack_sizes(rack_kinds(group, cluster.network.racks))
    reading = spec.replication - 1
    in_racks = min(reading, 1) if sum(many for _, many in racks) > 1 else 0
    writing = min(reading, max(group.count - spec.replication_min, 0))
    left = group.count - in_racks * racks[0][0]
    return Survival(
        drives=Tolerance(reading, writing),
        servers=Tolerance(reading, writing),
        racks=Tolerance(in_racks, in_racks if left >= spec.replication_min else 0),
    )


def _rack_sizes(racks: Iterable[RackKind]) -> list[tuple[int, int]]:
    """Return the servers of racks and how many racks have as many, the largest first."""
    sizes = Counter[int]()
    for rack in racks:
        sizes[sum(rack.servers)] += rack.racks
    return sorted(sizes.items(), reverse=True)


def _nodes(spec: StorageGrid, cluster: Cluster) -> Survival:
    """Return what a grid survives: any nodes that an object can spare, and in each as many drives as its array can.

    With two nodes of a site down requests that ask several copies of the metadata fail, so that one may be for writes.
    Source: NetApp, StorageGRID documentation, S3 REST API, "Consistency". An ingest that cannot place all pieces as
    the rule asks makes two interim copies and goes on (ingest behaviour "balanced"), which takes two nodes.
    """
    group = cluster.groups[spec.servers]
    pieces, data = spec.pieces()
    reading = pieces - data
    writing, in_node = min(reading, 1, max(group.count - INTERIM_COPIES, 0)), spec.array_parity + 1
    racks = _rack_sizes(rack_kinds(group, cluster.network.racks))
    return Survival(
        drives=Tolerance((reading + 1) * in_node - 1, (writing + 1) * in_node - 1),
        servers=Tolerance(reading, writing),
        racks=Tolerance(_fitting(racks, reading), _fitting(racks, writing)),
    )
