"""What a storage system survives: how many drives, servers or racks may fail at once, whichever they are.

Follows from where shards and replicas may lie: an object in a set of k + m drives is read with any k of them and
written with k + 1 (MinIO's quorum); of r replicas on r servers, in two racks if there are two, any r - 1 may be gone.
Says nothing about the load that is left to the others, nor whether the bytes find room there.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from models.hardware.cluster import Device, Layout, Node
from models.planning.durability import KNOWN
from models.storage.hdfs import Hdfs
from models.storage.minio import Minio, MinioStore
from models.storage.storagegrid import StorageGrid

if TYPE_CHECKING:
    from models.scenario import Scenario


@dataclass(frozen=True, slots=True)
class Tolerance:
    """How many of a kind may fail, whichever: with all data still readable, and with it and writes still possible."""

    readable: int
    writable: int


@dataclass(frozen=True, slots=True)
class Survival:
    """What may fail at once, each kind by itself."""

    drives: Tolerance
    servers: Tolerance
    racks: Tolerance


def survives(scenario: Scenario) -> Survival:
    """Return how many drives, servers and racks may fail at once, whichever they are.

    Raises:
        ValueError: the storage system is not covered.
    """
    if isinstance(scenario.storage, Minio):
        return _sets(scenario.storage, Layout(scenario.cluster))
    if isinstance(scenario.storage, Hdfs):
        return _replicas(scenario.storage, Layout(scenario.cluster))
    if isinstance(scenario.storage, StorageGrid):
        return _nodes(scenario.storage, Layout(scenario.cluster))
    raise ValueError(f"storage.system = {scenario.storage.system!r}: what survives is known of {KNOWN} only")


def _sets(spec: Minio, layout: Layout) -> Survival:
    store = MinioStore(spec, layout, 0)
    sets, spare = store.sets, store.size - store.data - spec.failed_drives

    def tolerance(domain: Callable[[tuple[Node, Device]], int]) -> Tolerance:
        largest = [sorted(Counter(map(domain, each)).values(), reverse=True) for each in sets]
        return Tolerance(*(min(_fitting(sizes, room) for sizes in largest) for room in (spare, spare - 1)))

    return Survival(
        drives=tolerance(lambda drive: drive[1].resource.index),
        servers=tolerance(lambda drive: drive[0].index),
        racks=tolerance(lambda drive: drive[0].rack),
    )


def _fitting(sizes: list[int], room: int) -> int:
    """Return how many of the sizes, the largest first, fit into the room together."""
    count = 0
    while count < len(sizes) and sizes[count] <= room:
        room -= sizes[count]
        count += 1
    return count


def _replicas(spec: Hdfs, layout: Layout) -> Survival:
    nodes = layout.groups[spec.servers]
    racks = len({node.rack for node in nodes})
    readable = spec.replication - 1
    in_racks = min(readable, 1) if racks > 1 else 0
    writable = min(readable, len(nodes) - spec.replication_min)
    smallest = sorted(Counter(node.rack for node in nodes).values(), reverse=True)[in_racks:]
    return Survival(
        drives=Tolerance(readable, writable),
        servers=Tolerance(readable, writable),
        racks=Tolerance(in_racks, in_racks if sum(smallest) >= spec.replication_min else 0),
    )


def _nodes(spec: StorageGrid, layout: Layout) -> Survival:
    """Return what a grid survives: any nodes that an object can spare, and in each as many drives as its array can.

    With two nodes of a site down requests that ask several copies of the metadata fail, so that one may be for writes.
    Source: NetApp, StorageGRID documentation, S3 REST API, "Consistency".
    """
    pieces, data = spec.pieces()
    readable = pieces - data
    writable, in_node = min(readable, 1), spec.array_parity + 1
    racks = sorted(Counter(node.rack for node in layout.groups[spec.servers]).values(), reverse=True)
    return Survival(
        drives=Tolerance((readable + 1) * in_node - 1, (writable + 1) * in_node - 1),
        servers=Tolerance(readable, writable),
        racks=Tolerance(_fitting(racks, readable), _fitting(racks, writable)),
    )
