"""Placement groups on the OSDs of a layout: which drives hold the pieces of an object, the primary first.

CRUSH draws hosts, or racks, that differ, and the balancer makes the groups of OSDs nearly as many: here primaries are
dealt to all hosts in turn, further pieces drawn, and the drives of a host taken in turn.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence as Series
from functools import cached_property

import numpy as np

from models.hardware.cluster import Node
from models.storage.described import Piece
from models.storage.placement import SpreadPlacement, mix


class PlacementGroups:
    """So many groups of pieces on hosts that differ; with `by_rack` in racks that differ."""

    def __init__(self, nodes: Series[Node], bay: str, shape: tuple[int, int], salt: int) -> None:
        self._count, pieces = shape
        self._salt, self._nodes, self._drives = salt, nodes, [node.bays[bay] for node in nodes]
        self._hosts = hosts = SpreadPlacement([node.rack for node in nodes]).table(self._count, pieces, salt)
        order = np.argsort(hosts, axis=None, kind="stable")
        held = np.bincount(hosts.ravel(), minlength=len(nodes))
        turns = np.empty(hosts.size, dtype=np.int64)
        turns[order] = np.arange(hosts.size) - np.repeat(np.cumsum(held) - held, held)
        self._turns = turns.reshape(hosts.shape)
        self._made: dict[int, list[Piece]] = {}

    def order(self, name: int, first: Node | None = None) -> Iterator[Piece]:
        """Yield the pieces of an object; its group alone says where they lie."""
        yield from self._group(mix(self._salt, name) % self._count)

    @cached_property
    def groups(self) -> list[list[Piece]]:
        """The pieces of all groups: where one is moved, its objects are there."""
        return [self._group(number) for number in range(self._count)]

    def _group(self, number: int) -> list[Piece]:
        """Return the pieces of a group, made when somebody asks for it: few do of large clusters."""
        group = self._made.get(number)
        if group is None:
            places = zip(self._hosts[number].tolist(), self._turns[number].tolist(), strict=True)
            group = self._made[number] = [
                (self._nodes[host], self._drives[host][turn % len(self._drives[host])]) for host, turn in places
            ]
        return group
