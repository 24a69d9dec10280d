"""How busy each resource of a run was over time, small enough to be kept and to lie in a project. Knows no Qt.

A utilization is rounded to one of 256 levels, steps of 0.4 %: as many as the picture has shades. Packed, names and
levels are compressed; a run on a thousand servers takes well below a MB where floats took 33 MB. A project may come
from anybody, so packed bytes are opened piece by piece, and no further than what they say they hold, which is bounded.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from app.gui.jobs.steps import FEW, Steps, finished
from simulator.result import ResourceResult

LEVELS = 256
MOST = 16_000_000
"""Bytes of a packed run that are kept. Assumption: what six runs may take of a window's 400 MB; more is not played."""
MOST_NAMES = 32_000_000
"""Bytes of the names and sums of all resources, 90 a resource. Assumption, as the next two."""
MOST_RESOURCES = 350_000
"""Each takes some microseconds to be read, in the window."""
MOST_LEVELS = 128_000_000
"""Levels of all resources: 100,000 resources in a thousand bins are 100 million."""
MOST_MOVED = 1e30
"""Bytes that pass a resource in a run, of which its other numbers stay far below: what data may grow to at all."""
PIECE = 1_000_000
LONGEST = 1000
"""Letters of a name. Assumption: nobody reads more, and to lay out as many as a text may have takes the window long."""
EMPTY = np.zeros(0)


@dataclass(frozen=True, slots=True)
class Series:
    """The resources of a run without their own series, and `levels`, 0 to `LEVELS` - 1, of shape (resources, bins)."""

    resources: tuple[ResourceResult, ...]
    levels: NDArray[np.uint8]

    @classmethod
    def of(cls, resources: Sequence[ResourceResult]) -> Series:
        """Return the series of a result's resources."""
        bins = max((len(resource.utilization) for resource in resources), default=0)
        levels = np.zeros((len(resources), bins), dtype=np.uint8)
        for row, resource in enumerate(resources):
            scaled = np.clip(resource.utilization, 0, 1) * (LEVELS - 1)
            levels[row, : len(resource.utilization)] = np.rint(scaled).astype(np.uint8)
        return cls(tuple(replace(resource, utilization=EMPTY) for resource in resources), levels)

    def packed(self) -> bytes:
        """Return the series as bytes, b"" if they are too many to be kept."""
        columns = [
            (
                resource.name,
                resource.kind,
                resource.group,
                resource.utilization_mean,
                resource.utilization_peak,
                resource.bytes,
            )
            for resource in self.resources
        ]
        text = json.dumps([self.levels.shape[1], *columns], separators=(",", ":")).encode()
        are_few = 0 < len(self.resources) <= MOST_RESOURCES and self.levels.size <= MOST_LEVELS
        if not are_few or len(text) > MOST_NAMES or not all(map(_is_played, columns)):
            return b""
        packed = zlib.compress(text + b"\n" + self.levels.tobytes(), 6)
        return packed if len(packed) <= MOST else b""

    @classmethod
    def unpacked(cls, packed: bytes) -> Series:
        """Return the series of what `packed` returned.

        Raises:
            ValueError: these are other bytes, or open into more than they may.
        """
        return finished(cls.opening(packed))

    @classmethod
    def opening(cls, packed: bytes) -> Steps[Series]:
        """Return the series as `unpacked` does, in pieces."""
        if not packed:
            return cls.of(())
        try:
            stream = _Stream(packed)
            text = yield from stream.line(MOST_NAMES)
            if text.count(b"[") + text.count(b"{") > MOST_RESOURCES + 1:
                raise ValueError(f"expected at most {MOST_RESOURCES} resources")
            bins, resources = yield from _columns(text.decode())
            packed_levels = yield from stream.rest(_size(len(resources), bins))
            levels = np.frombuffer(packed_levels, dtype=np.uint8)
        except (zlib.error, ValueError, TypeError, RecursionError) as error:
            raise ValueError(f"series of a run cannot be read: {error}") from None
        return cls(resources, levels.reshape(len(resources), bins))


def opens_within(packed: bytes, size: int) -> bool:
    """Tell whether packed series open into at most so many bytes; damaged ones do, which their reader tells."""
    inflate = zlib.decompressobj()
    try:
        inflate.decompress(packed, size)
    except zlib.error:
        return True
    return not inflate.unconsumed_tail


def _columns(text: str) -> Steps[tuple[int, tuple[ResourceResult, ...]]]:
    """Return the number of bins, and the resources that follow it in a list.

    Raises:
        ValueError: it is none.
    """
    read, results, bins, at = json.JSONDecoder().raw_decode, list[ResourceResult](), None, 1
    if text[:1] != "[":
        raise ValueError("expected a list")
    while True:
        entry, at = read(text, at)
        if bins is None:
            bins = entry
        else:
            if not _is_played(entry):
                raise ValueError("expected names and numbers")
            name, kind, group, mean, peak, moved = entry
            results.append(ResourceResult(name, kind, group, mean, peak, moved, EMPTY))
        if text[at : at + 1] != ",":
            break
        at += 1
        if len(results) % FEW == 0:
            yield
    if text[at:] != "]":
        raise ValueError("expected the end of a list")
    return bins, tuple(results)


def _is_played(entry: Sequence[object]) -> bool:
    """Tell whether this is a resource as it is kept: three names and three numbers."""
    if len(entry) != 6:
        return False
    if not all(isinstance(name, str) and len(name) <= LONGEST for name in entry[:3]):
        return False
    # not NaN, nor a whole number that no float holds
    return all(isinstance(number, (float, int)) and 0 <= number <= MOST_MOVED for number in entry[3:])


def _size(resources: int, bins: object) -> int:
    """Return how many levels there are.

    Raises:
        ValueError: these are no numbers of resources and bins, or too many.
    """
    if type(bins) is not int or bins < 0 or resources * bins > MOST_LEVELS:
        raise ValueError(f"expected at most {MOST_LEVELS} levels")
    return resources * bins


class _Stream:
    """Opens compressed bytes a piece at a time."""

    def __init__(self, packed: bytes) -> None:
        self._inflate = zlib.decompressobj()
        self._left = packed

    def _piece(self, most: int) -> bytes:
        data = self._inflate.decompress(self._left, most)
        self._left = self._inflate.unconsumed_tail
        return data

    def line(self, most: int) -> Steps[bytes]:
        """Return what stands before the first line end.

        Raises:
            ValueError: it is longer than `most` bytes.
        """
        head = bytearray()
        while (end := head.find(b"\n", max(len(head) - PIECE, 0))) < 0:
            piece = self._piece(PIECE)
            if not piece or len(head) > most:
                raise ValueError(f"expected at most {most} bytes of names")
            head += piece
            yield
        self._begun = bytes(head[end + 1 :])
        return bytes(head[:end])

    def rest(self, size: int) -> Steps[bytes]:
        """Return what follows the line.

        Raises:
            ValueError: it is not of this size.
        """
        data = bytearray(self._begun)
        while len(data) <= size and (piece := self._piece(min(size + 1 - len(data), PIECE))):
            data += piece
            yield
        if len(data) != size or not self._inflate.eof:
            raise ValueError(f"expected {size} bytes of levels")
        return bytes(data)
