"""Random streams named by what they decide.

Each stream depends on the seed and its own name only: not on which others were asked for, nor in what order, nor on
the process. So two scenarios with the same seed share the luck of every stream that both have (common random numbers).
"""

from __future__ import annotations

import hashlib

import numpy as np

PLACEMENT = "placement"
"""Stream of the places of a workload that has no others beside it."""


class Streams:
    """The random streams of one run."""

    def __init__(self, seed: int) -> None:
        self.seed = seed

    def generator(self, name: str) -> np.random.Generator:
        """Return a new generator at the start of a stream, named like a path: "hdfs/placement"."""
        digest = hashlib.blake2b(f"{self.seed}/{name}".encode(), digest_size=16).digest()
        return np.random.Generator(np.random.PCG64(int.from_bytes(digest, "little")))

    def salt(self, name: str) -> int:
        """Return a number from a stream of its own, which chooses places: 62 bits."""
        return int(self.generator(name).integers(2**62))
