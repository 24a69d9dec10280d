"""Room for data: what servers hold when the pieces of an object must lie on servers that differ."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

FS_BLOCK = 4096
"""Bytes in which a file system gives out space. Source: mkfs.xfs(8) and mke2fs(8), default block size."""


@dataclass(frozen=True, slots=True)
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
    sizes = sorted((room.bytes for room in rooms for _ in range(room.servers)), reverse=True)
    for whole in range(min(pieces, len(sizes))):
        largest = math.fsum(sizes[whole:]) / (pieces - whole)
        if len(sizes) >= pieces and sizes[whole] <= largest * (1 + 1e-12):
            return data * largest
    return 0.0


def in_blocks(size: float) -> float:
    """Return the bytes that a file of `size` bytes takes of its file system."""
    return math.ceil(size / FS_BLOCK) * float(FS_BLOCK)
