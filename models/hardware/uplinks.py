"""The uplinks of racks, where the network between them carries less than the cards in them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from models.hardware.network import Network
from models.hardware.server import Server
from models.work import Resource, Resources


def uplinks(
    resources: Resources, groups: Iterable[Sequence[Server]], network: Network
) -> list[tuple[Resource, Resource]]:
    """Return the way in and out of each rack, over which servers of each group are spread; none that never limits."""
    racks, ratio = network.racks, network.oversubscription
    if racks == 1 or ratio == 1:
        return []
    total = [0.0] * racks
    for servers in groups:
        for i, server in enumerate(servers):
            total[i % racks] += server.nic.rate
    return [
        (_way(resources, r, "in", total[r] / ratio), _way(resources, r, "out", total[r] / ratio)) for r in range(racks)
    ]


def _way(resources: Resources, rack: int, direction: str, rate: float) -> Resource:
    kind = f"uplink-{direction}"
    return resources.add(
        f"rack-{rack + 1}/{kind}", kind=kind, group=f"racks/uplink {direction}", unit="B", capacity=rate
    )
