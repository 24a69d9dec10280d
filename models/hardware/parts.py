"""The parts of a cluster by name: "rack-2", "workers-3" for a server, "workers-3/data-2" for one of its drives.

Names are those of the layout. They are read, not looked up among all, so that nothing grows with the drives.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

import numpy as np
from numpy.typing import NDArray

from models.hardware.bays import bay_batches
from models.hardware.cluster import Cluster, Group
from models.hardware.server import Server
from models.values import value


def exists(cluster: Cluster, name: str) -> bool:
    """Tell whether a rack, server or drive of a cluster has a name."""
    whole, is_drive, drive = name.partition("/")
    group, place = _numbered(whole)
    if not is_drive and group == "rack" and 0 < place <= cluster.network.racks:
        return True
    server = _server(cluster.groups[group], place) if group in cluster.groups else None
    if server is None or not is_drive:
        return server is not None
    bay, number = _numbered(drive)
    return bay in server.bays and 0 < number <= server.bays[bay].count


def names(cluster: Cluster) -> Iterator[str]:
    """Yield the names of all racks, servers and drives of a cluster."""
    yield from (f"rack-{rack + 1}" for rack in range(cluster.network.racks))
    for group, servers in cluster.groups.items():
        kinds = (batch.server for batch in servers.batches() for _ in range(batch.count))
        for i, server in enumerate(kinds):
            yield f"{group}-{i + 1}"
            for bay, drives in server.bays.items():
                yield from (f"{group}-{i + 1}/{bay}-{d + 1}" for d in range(drives.count))


def servers_of(cluster: Cluster, group: str, name: str) -> range:
    """Return the servers of a group that are the part of that name, or stand in it, by their places from 0."""
    count, racks = cluster.groups[group].count, cluster.network.racks
    kind, place = _numbered(name)
    if kind == group and 0 < place <= count:
        return range(place - 1, place)
    return range(place - 1, count, racks) if kind == "rack" and 0 < place <= racks else range(0)


@value()
class Down:
    """What is down of a bay of a group: whole servers by their places, and further drives as (server, drive), from 0.

    `taken` are the bytes of the drives that each part took, but for those that were down already.
    """

    servers: NDArray[np.bool_]
    drives: frozenset[tuple[int, int]]
    taken: tuple[float, ...]

    @property
    def whole(self) -> int:
        """Number of servers whose drives are all down."""
        return int(self.servers.sum())


def down(cluster: Cluster, group: str, bay: str, parts: Iterable[str]) -> Down:
    """Return what is down of a bay once parts of a cluster, given by their names, have failed one after the other."""
    batches = bay_batches(cluster, group, bay)
    counts = np.repeat([batch.bay.count for batch in batches], [batch.servers for batch in batches])
    capacity = np.repeat([batch.bay.drive.capacity for batch in batches], [batch.servers for batch in batches])
    left = counts.copy()  # drives of each server that are up
    gone, drives, taken = np.zeros(len(counts), dtype=np.bool_), set[tuple[int, int]](), []
    for name in parts:
        before = left.copy()
        whole, is_drive, drive = name.partition("/")
        places, (kind, number) = servers_of(cluster, group, whole), _numbered(drive)
        if not is_drive:
            left[places] = 0
        elif kind == bay and places and number <= counts[places[0]]:
            place = places[0]
            left[place] -= (place, number - 1) not in drives and left[place] > 0
            drives.add((place, number - 1))
        gone = left == 0
        taken.append(float(((before - left) * capacity).sum()))
    return Down(gone, frozenset(lost for lost in drives if not gone[lost[0]]), tuple(taken))


def _numbered(name: str) -> tuple[str, int]:
    """Return what stands before the number at the end of a name, and the number; 0 for none."""
    match = re.fullmatch(r"(.+)-([1-9][0-9]{0,8})", name)
    return (match[1], int(match[2])) if match else (name, 0)


def _server(group: Group, place: int) -> Server | None:
    """Return the server at a place of a group, counted from 1; None if there is none."""
    for batch in group.batches():
        if 0 < place <= batch.count:
            return batch.server
        place -= batch.count
    return None
