"""Room for data: what servers hold when the pieces of an object must lie on servers that differ."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

from models.values import value

FS_BLOCK = 4096
"""Bytes in which a file system gives out space. Source: mkfs.xfs(8) and mke2fs(8), default block size."""


@value()
class Room:
    """Equal servers with `bytes` on each that may be filled; `batch` counts the purchases of a group, from 0."""

    servers: int
    bytes: float
    batch: int = 0

    @property
    def total(self) -> float:
        """Bytes on all of them."""
        return self.servers * self.bytes


def on_distinct_servers(rooms: Sequence[Room], pieces: int, data: int = 1) -> float:
    """Return the most data (B) whose objects have `pieces` pieces of 1/`data` of their bytes, each on its own server.

    A server holds at most one piece of each object, so it takes at most P of the largest P for which
    `sum(min(room, P)) >= pieces * P`; the data is `data * P`. Equal servers give `data / pieces` of their room.
    """
    if sum(room.servers for room in rooms) < pieces:
        return 0.0
    left = sorted(rooms, key=lambda room: room.bytes, reverse=True)
    for whole in range(pieces):
        shared = without_first(left, whole)
        largest = math.fsum(room.total for room in shared) / (pieces - whole)
        if shared[0].bytes <= largest * (1 + 1e-12):
            return data * largest
    return 0.0


def with_places(rooms: Sequence[Room], places: Sequence[int]) -> list[Room]:
    """Return rooms in whose servers pieces may lie side by side, in so many places by batch: each place is a room."""
    return [Room(room.servers * places[room.batch], room.bytes / places[room.batch], room.batch) for room in rooms]


def without_first(rooms: Sequence[Room], servers: int) -> list[Room]:
    """Return rooms without the first `servers` of them."""
    left = []
    for room in rooms:
        gone = min(servers, room.servers)
        servers -= gone
        if gone < room.servers:
            left.append(replace(room, servers=room.servers - gone))
    return left


def in_blocks(size: float) -> float:
    """Return the bytes that a file of `size` bytes takes of its file system."""
    return math.ceil(size / FS_BLOCK) * float(FS_BLOCK)
