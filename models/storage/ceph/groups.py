"""Placement groups on the OSDs of a layout: which drives hold the pieces of an object, the primary first.

CRUSH draws hosts, or racks, that differ, and the balancer makes the groups of OSDs nearly as many: here primaries are
dealt to all hosts in turn, further pieces drawn, and the drives of a host taken in turn.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence as Series

import numpy as np

from models.hardware.cluster import Node
from models.storage.described import Piece
from models.storage.placement import SpreadPlacement, mix


class PlacementGroups:
    """So many groups of pieces on hosts that differ; with `by_rack` in racks that differ."""

    def __init__(self, nodes: Series[Node], bay: str, shape: tuple[int, int], salt: int) -> None:
        count, pieces = shape
        self._salt = salt
        hosts = SpreadPlacement([node.rack for node in nodes]).table(count, pieces, salt)
        order = np.argsort(hosts, axis=None, kind="stable")
        held = np.bincount(hosts.ravel(), minlength=len(nodes))
        turns = np.empty(hosts.size, dtype=np.int64)
        turns[order] = np.arange(hosts.size) - np.repeat(np.cumsum(held) - held, held)
        drives = [node.bays[bay] for node in nodes]
        self.groups: list[list[Piece]] = [
            [(nodes[host], drives[host][turn % len(drives[host])]) for host, turn in row]
            for row in np.stack((hosts, turns.reshape(hosts.shape)), axis=2).tolist()
        ]

    def order(self, name: int, first: Node | None = None) -> Iterator[Piece]:
        """Yield the pieces of an object; its group alone says where they lie."""
        yield from self.groups[mix(self._salt, name) % len(self.groups)]
