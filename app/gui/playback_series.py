"""How busy each resource of a run was over time, small enough to be kept and to lie in a project. Knows no Qt.

A utilization is rounded to one of 256 levels, steps of 0.4 %: as many as the picture has shades. Packed, names and
levels are compressed; a run on a thousand servers takes well below a MB where floats took 33 MB.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from simulator.result import ResourceResult

LEVELS = 256
MOST = 16_000_000
"""Bytes of a packed run that are kept. Assumption: what six runs may take of a window's 400 MB; more is not played."""
EMPTY = np.zeros(0)


@dataclass(frozen=True, slots=True)
class Series:
    """The resources of a run without their own series, and `levels`, 0 to `LEVELS` - 1, of shape (resources, bins)."""

    resources: tuple[ResourceResult, ...]
    levels: NDArray[np.uint8]

    @classmethod
    def of(cls, resources: Sequence[ResourceResult]) -> Series:
        """Return the series of a result's resources."""
        bins = max((len(each.utilization) for each in resources), default=0)
        levels = np.zeros((len(resources), bins), dtype=np.uint8)
        for row, each in enumerate(resources):
            found = np.clip(each.utilization, 0, 1) * (LEVELS - 1)
            levels[row, : len(each.utilization)] = np.rint(found).astype(np.uint8)
        return cls(tuple(map(_without_series, resources)), levels)

    def packed(self) -> bytes:
        """Return the series as bytes, b"" if they are too many to be kept."""
        columns = [
            (each.name, each.kind, each.group, each.utilization_mean, each.utilization_peak, each.bytes)
            for each in self.resources
        ]
        text = json.dumps([self.levels.shape[1], *columns], separators=(",", ":")).encode()
        found = zlib.compress(text + b"\n" + self.levels.tobytes(), 6)
        return found if self.resources and len(found) <= MOST else b""

    @classmethod
    def unpacked(cls, packed: bytes) -> Series:
        """Return the series of what `packed` returned.

        Raises:
            ValueError: these are other bytes.
        """
        if not packed:
            return cls.of(())
        try:
            text, _, raw = zlib.decompress(packed).partition(b"\n")
        except zlib.error as error:
            raise ValueError(f"series of a run cannot be read: {error}") from None
        bins, *columns = json.loads(text)
        resources = tuple(
            ResourceResult(name, kind, group, mean, peak, moved, EMPTY)
            for name, kind, group, mean, peak, moved in columns
        )
        return cls(resources, np.frombuffer(raw, dtype=np.uint8).reshape(len(resources), bins))


def _without_series(resource: ResourceResult) -> ResourceResult:
    return ResourceResult(
        resource.name,
        resource.kind,
        resource.group,
        resource.utilization_mean,
        resource.utilization_peak,
        resource.bytes,
        EMPTY,
    )
