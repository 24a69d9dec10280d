"""Placement groups on the OSDs of a layout: which drives hold the pieces of an object, the primary first."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence as Series
from functools import cached_property

import numpy as np

from models.hardware.cluster import Node
from models.requests import Places
from models.storage.ceph.crush import Hosts, Numbers, hosts, placed
from models.storage.ceph.placed import FailureDomain
from models.storage.described import Piece
from models.storage.placement import mix, mixed
from models.values import value

OBJECTS = 16
"""Objects a group among which each mostly has one. By arithmetic: of n groups, n / e^16 have none."""


@value()
class Rule:
    """How groups are placed: each drive has so many OSDs, and pieces share no `domain`.

    Each server is one of so many that are `alike`. Pieces stay where they are drawn unless a balancer moves them.
    """

    osds_per_drive: int = 1
    domain: FailureDomain = "host"
    alike: int = 1
    balancer: bool = True

    def hosts(self, nodes: Series[Node], bay: str, held: Series[int]) -> Hosts:
        """Return servers as CRUSH sees them, weighted by the capacity of so many drives of each."""
        drives = [node.bays[bay][:count] for node, count in zip(nodes, held, strict=True)]
        weights = [sum(getattr(device.drive, "capacity", 0.0) for device in devices) for devices in drives]
        osds = [self.osds_per_drive * count for count in held]
        racks, domain = [node.rack for node in nodes], self.domain
        return hosts(osds, weights, racks, by_rack=domain == "rack", by_osd=domain == "osd")

    def apart(self, servers: int, osds: int, pieces: int) -> float:
        """Return the chance that one of some pieces lies on another server than the first: 1 where all must."""
        if self.domain != "osd" or pieces < 2:
            return min(pieces - 1.0, 1.0)
        beside = (max(osds / servers - taken, 0.0) / (osds - taken) for taken in range(1, min(pieces, osds)))
        return 1 - math.prod(beside)

    def placed(self, among: Hosts, groups: int, pieces: int, salt: int) -> tuple[Numbers, Numbers]:
        """Return the numbers of the servers of the pieces of each group, and those of their drives there."""
        return self.drives(among, placed(among, groups, pieces, salt, self.alike, balancer=self.balancer))

    def drives(self, among: Hosts, osds: Numbers) -> tuple[Numbers, Numbers]:
        """Return the number of the server of each of some OSDs, and that of its drive there."""
        host = among.of_osds[osds]
        return host, (osds - among.firsts[host]) // self.osds_per_drive


DEFAULT = Rule()


class PlacementGroups:
    """So many groups of so many pieces, placed by a rule."""

    def __init__(self, nodes: Series[Node], bay: str, shape: tuple[int, int], salt: int, rule: Rule = DEFAULT) -> None:
        self._count, pieces = shape
        self._salt, self._nodes, self._drives = salt, nodes, [node.bays[bay] for node in nodes]
        among = rule.hosts(nodes, bay, [len(drives) for drives in self._drives])
        self._places = rule.placed(among, self._count, pieces, salt)
        self._made: dict[int, list[Piece]] = {}

    def order(self, name: int, first: Node | None = None) -> Iterator[Piece]:
        """Return the pieces of an object; its group alone says where they lie."""
        return iter(self._group(mix(self._salt, name) % self._count))

    @cached_property
    def groups(self) -> list[list[Piece]]:
        """The pieces of all groups: where one is moved, its objects are there."""
        return [self._group(number) for number in range(self._count)]

    @cached_property
    def numbers(self) -> list[int]:
        """The number of an object in each group."""
        names = OBJECTS * self._count
        while True:
            groups, firsts = np.unique(mixed(self._salt, names) % np.uint64(self._count), return_index=True)
            if len(groups) == self._count:
                return list(map(int, firsts))
            names *= 2

    def _group(self, number: int) -> list[Piece]:
        """Return the pieces of a group, made when somebody asks for it: few do of large clusters."""
        group = self._made.get(number)
        if group is None:
            places = zip(*(numbers[number].tolist() for numbers in self._places), strict=True)
            group = self._made[number] = [(self._nodes[host], self._drives[host][drive]) for host, drive in places]
        return group


@value()
class Numbered:
    """The first `drives` drives of some servers, numbered by their first ones, `stride` of them, then the second."""

    drives: int
    stride: int

    def held(self, servers: int) -> list[int]:
        """Return how many drives each of so many servers has, for those that have one."""
        return [len(range(at, self.drives, self.stride)) for at in range(min(servers, self.drives))]


def places_of(
    nodes: Series[Node],
    bay: str,
    shape: tuple[int, int],
    salt: int,
    rule: Rule,
    numbered: Numbered,
) -> Places:
    """Return the numbers of the drives on which the groups lie; each has as many pieces as there is room for."""
    held = numbered.held(len(nodes))
    among = rule.hosts(nodes[: len(held)], bay, held)
    pieces = min(shape[1], len(among.parted.osds))
    host, drive = rule.placed(among, shape[0], pieces, salt)
    return Places(drive * numbered.stride + host)
