"""Which bytes sorting and merging take through local drives: spills of maps, merges of reduces, passes over files.

A map fills its sort buffer, spills it, and merges several spills into one file. A reduce gathers fetched segments in
memory: each time they fill `merge_percent` of it, all are merged into a file; a segment above `segment_limit` of it
goes to a file at once. Before the reduce function begins, what lies in memory beyond `reduce_memory` is written, too.
More than `sort_factor` files are merged in passes, the smallest first, and the last merge is read on the way.

Source: Apache Hadoop, MergeManagerImpl (reserve, closeInMemoryFile, closeOnDiskFile, finalMerge) and Merger
(getPassFactor). Not covered: combiners.
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Merge:
    """What a reduce takes through its drives: `files` of so many bytes each as it fetches, in this order.

    So many bytes are `merged` once more before the last pass; `kept` bytes never leave memory.
    """

    files: tuple[float, ...]
    merged: float
    kept: float


def reduce_merge(
    amount: float, segments: int, memory: float, *, merge_percent: float, limit: float, kept: float, factor: int
) -> Merge:
    """Return what a reduce that fetches `amount` bytes in so many segments writes, with `memory` bytes for them.

    `limit` is the part of its memory that a segment may have, `kept` the part that may stay there during the reduce.
    """
    segment = amount / segments
    if segment > limit * memory:
        return Merge((amount,), merged([segment] * segments, factor), 0.0)
    fill = max(merge_percent * memory, segment)
    fills = math.floor(amount / fill + 1e-9)
    left = max(amount - fills * fill, 0.0)
    stays = min(left, kept * memory)
    files = (fill,) * fills + ((left - stays,) if left > stays else ())
    return Merge(files, merged(files, factor), stays)


def merged(files: Iterable[float], factor: int) -> float:
    """Return the bytes of files that are merged into others before the last merge takes at most `factor` of them."""
    heap = sorted(files)
    total = 0.0
    width = (len(heap) - 1) % (factor - 1) + 1
    width = width if width > 1 else factor  # the first pass leaves as many files as full passes need
    while len(heap) > factor:
        made = sum(heapq.heappop(heap) for _ in range(width))
        heapq.heappush(heap, made)
        total += made
        width = factor
    return total
