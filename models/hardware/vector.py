"""Vector instructions of processors, which set the pace of erasure coding.

Costs of coding are stated for AVX2, with which most were published. Not by it go MD5, whose rounds wait for each other
and which takes 4.9 cycles a byte anywhere, and HighwayHash of bitrot checksums, for which AVX2 is the widest.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Literal

Vector = Literal["none", "ssse3", "neon", "avx2", "avx-512", "gfni"]

CODING: Mapping[Vector, float] = MappingProxyType(
    {"none": 0.1, "ssse3": 0.5, "neon": 0.45, "avx2": 1.0, "avx-512": 1.0, "gfni": 1.5}
)
"""Pace of Reed-Solomon of a core over that of one as fast otherwise with AVX2: 7 GB/s of data with 4 parities. Priors:
plain C or Java 0.1 (0.05 to 0.15), 0.3 to 1 GB/s; SSSE3, half the width, 0.5 (0.4 to 0.6); NEON 0.45 (0.35 to 0.6),
12.5 GB/s a row of parity on Graviton2 (klauspost/reedsolomon, README); AVX-512 without GFNI 1 (0.9 to 1.3), as the
clock drops; with GFNI 1.5 (1.1 to 2.3), as measured from memory, where 8 GB/s are the most for 8 and more pieces."""
