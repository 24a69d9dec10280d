"""The memory bus of a server: what all reads and writes of its memory share, and how often a byte crosses it.

A card or a drive writes to memory, or reads from it, what it moves: each byte crosses once. Where processors touch it
besides (a copy reads it, and allocates and writes back what it writes), it crosses as often as caches miss it.
Assumptions: caches hold the same part of whatever is touched; half of what a kernel gains by cache injection is lost
with many connections. Not covered: memory of another socket, and what engines compute on, at 10 ns a byte and more.
"""

from __future__ import annotations

from models.quantity import Model, Quantity, quantity, setting

MEMORY = "memory bandwidth"
"""What it is called as a resource of a group of servers."""
COPIED = 3.0
"""Bytes that a copy of one touches: read, allocated, written back. Source: Intel 64 and IA-32 Architectures Software
Developer's Manual, volume 3A, 12.3: a write to write-back memory that misses the cache fills the line first."""
MADE = 2.0
"""Bytes that one which is computed touches: allocated, written back. Source: as that of a copy."""
BESIDE, SUMMED = 1.5, 2.0
"""Bytes that stages of stores touch at most for each byte of a card, beside what a connection's end does, and of a
drive. Assumption, which tests hold for all systems: RBD in three replicas touches 6 for 5 that cards carry."""


class MemoryBus(Model):
    """What all reads and writes of a server's memory share."""

    bandwidth: Quantity | None = quantity(
        "B/s",
        "What reads and writes of memory reach together, as STREAM measures it; default: `efficiency` of what the"
        " processors' data sheets state, and no limit where that is not known.",
        default=None,
        gt=0,
    )
    efficiency: float = setting(
        "Part of the stated rate of memory that reads and writes reach.",
        default=0.74,
        source="prior: SpareCores, sc-inspector-data@804d3c7, bw_mem on 14 whole instances of EC2, over the rate of"
        " their modules: median; Netflix, EuroBSDCon 2021: 150 of 204.8 GB/s",
        between=(0.54, 0.92),
        gt=0,
        le=1,
    )
    misses: float = setting(
        "Part of the bytes that processors touch in buffers and that no cache holds.",
        default=0.75,
        source="prior: half of the copies of one connection of 100 Gbit/s (Cai et al., SIGCOMM 2021), all in servers of"
        " many that memory limits (Netflix, EuroBSDCon 2021)",
        between=(0.5, 1),
        ge=0,
        le=1,
    )

    def acts(self, key: str) -> bool:
        """Tell whether a key does anything: a rate that was measured needs no efficiency."""
        return super().acts(key) and (key != "efficiency" or self.bandwidth is None)

    def crossings(self, touched: float) -> float:
        """Return how often a byte of a device crosses that processors touch so many times besides."""
        return 1 + touched * self.misses
