"""The bays and volumes that others name: whether the servers of a group have them."""

from __future__ import annotations

from models.hardware.cluster import Cluster
from models.problem import refusal


def check_bay(cluster: Cluster, group: str, bay: str) -> None:
    """Refuse a bay that the servers of a storage group do not have.

    Raises:
        RefusalError: they do not.
    """
    for batch in cluster.groups[group].batches():
        if bay not in (bays := batch.server.bays):
            known = ", ".join(bays) or "none"
            is_volume = bay in batch.server.volumes
            way_out = "a volume holds no blocks: make it a bay, with drive = 'ebs-gp3' and so many" if is_volume else ""
            raise refusal("storage.bay", f"the servers have no such bay (they have: {known})", way_out, value=bay)


def check_place(cluster: Cluster, group: str, place: str, key: str) -> None:
    """Refuse a place that is neither a bay nor a volume of the servers of a group.

    Raises:
        RefusalError: it is neither.
    """
    for server in (batch.server for batch in cluster.groups[group].batches()):
        if place not in server.bays and place not in server.volumes:
            known = ", ".join([*server.bays, *server.volumes]) or "none"
            raise refusal(key, f"the servers have no such bay or volume (they have: {known})", value=place)
