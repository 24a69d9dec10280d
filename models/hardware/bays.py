"""The bays of a group whose servers are of several kinds, and which of them lack what their drives share."""

from __future__ import annotations

import math
from collections.abc import Callable

from models.hardware.cluster import Cluster
from models.hardware.drive import Drive
from models.hardware.server import Bay, Server
from models.units import format
from models.values import value


def bay_capacity(cluster: Cluster, group: str, bay: str) -> float:
    """Return bytes of the drives in a bay over all servers of a group."""
    return sum(batch.capacity for batch in bay_batches(cluster, group, bay))


def with_drives(cluster: Cluster, group: str, bay: str, change: Callable[[Drive], Drive]) -> Cluster:
    """Return a cluster with the drives in a bay of a group changed."""

    def changed(server: Server) -> Server:
        other = server.bays[bay].model_copy(update={"drive": change(server.bays[bay].drive)})
        return server.model_copy(update={"bays": {**server.bays, bay: other}})

    holding = cluster.groups[group]
    later = tuple(batch.model_copy(update={"server": changed(batch.server)}) for batch in holding.later)
    holding = holding.model_copy(update={"server": changed(holding.server), "later": later})
    return cluster.model_copy(update={"groups": {**cluster.groups, group: holding}})


@value()
class BayBatch:
    """A bay of equal servers."""

    server: Server
    servers: int
    bay: Bay

    @property
    def drives(self) -> int:
        """Drives in the bay over all of them."""
        return self.servers * self.bay.count

    @property
    def capacity(self) -> float:
        """Bytes of those drives."""
        return self.drives * self.bay.drive.capacity


def bay_batches(cluster: Cluster, group: str, bay: str) -> list[BayBatch]:
    """Return a bay of the servers of a group, by kind."""
    batches = cluster.groups[group].batches()
    return [BayBatch(batch.server, batch.count, batch.server.bays[bay]) for batch in batches]


def unlinked(cluster: Cluster) -> tuple[str, ...]:
    """Return in words whose drives are behind a link to volumes that nobody states: as if it carried all at once."""
    return tuple(
        f"cluster.groups.{name}.server.volume_link: not stated, so {drives} volumes of a server move"
        f" {format(rate, 'B/s')} together; state its bandwidth, on EC2 that of the instance to EBS"
        for name, group in cluster.groups.items()
        for batch in group.batches()
        for drives, rate in [_unlinked(batch.server)]
        if drives
    )


def _unlinked(server: Server) -> tuple[int, float]:
    """Return how many drives of a server, which read so much (B/s), share nothing that is stated."""
    bays = [bay for bay in server.bays.values() if math.isinf(server.shared_rates(bay.drive)["read"])]
    behind = [bay for bay in bays if bay.drive.is_volume]
    return sum(bay.count for bay in behind), sum(bay.count * bay.drive.read_bandwidth for bay in behind)
