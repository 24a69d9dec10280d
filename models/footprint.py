"""The memory that a simulation takes, told before it begins and bounded."""

from __future__ import annotations

from models.hardware.cluster import Cluster
from models.problem import refusal
from models.units import format

PROCESS, SERVER, DRIVE = 85e6, 100e3, 40e3
"""Bytes that a run takes at most, for itself and by server and drive simulated. Measured: documented runs on a dozen or
two servers took 70 to 92 MB; TeraSorts on 120 and 500 servers of eight drives took 370 and 410 kB a server beyond."""
MUCH = 2e9
"""Assumption: bytes of which a planner at a laptop wants to know before."""
MOST = 64e9
"""Assumption: bytes that no machine has at which people plan."""


def footprint(cluster: Cluster) -> float:
    """Return the bytes of memory that a run on a cluster takes at most, all of its servers simulated one by one."""
    batches = (batch for group in cluster.groups.values() for batch in group.batches())
    drives = ((batch.count, sum(bay.count for bay in batch.server.bays.values())) for batch in batches)
    return PROCESS + sum(count * (SERVER + DRIVE * per_server) for count, per_server in drives)


def bounded(cluster: Cluster) -> Cluster:
    """Return a cluster, of which a run has a chance to end.

    Raises:
        RefusalError: it would take more memory than any planner's machine has.
    """
    taken = footprint(cluster)
    if taken > MOST:
        text = f"its servers and drives take some {format(taken, 'B')} of memory, expected at most {format(MOST, 'B')}"
        raise refusal("cluster", text, "allow a --tolerance, or state fewer servers or drives")
    return cluster
