"""Which bytes sorting and merging take through local drives: spills of maps, merges of reduces, passes over files.

A map fills its sort buffer, spills it, and merges several spills into one file. A reduce gathers fetched segments in
memory: each time they fill `merge_percent` of it, all are merged into a file; a segment above `segment_limit` of it
goes to a file at once. Before the reduce function begins, what lies in memory beyond `reduce_memory` is written, too.
While it fetches, a thread of its own merges the `sort_factor` smallest files into one as often as one less than twice
as many lie there. Of what is left, more than `sort_factor` files are merged in passes, the smallest first, and the last
merge is read on the way.

Source: Apache Hadoop, MergeManagerImpl (reserve, closeInMemoryFile, closeOnDiskFile, OnDiskMerger, finalMerge),
MergeThread and Merger (getPassFactor). Fetchers wait for a merge from memory before they turn to another server
(waitForResource), not for one of files. Not covered: combiners, merges of segments that went to files at once, which
all come after the last.
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Iterable

from models.values import value

MOST_FILES = 32
"""Files as which segments that go to files at once are told at most, each on the next drive. Assumption: detail of the
model only; as many fall evenly on the drives of most servers."""


@value()
class Merge:
    """What a reduce takes through its drives: `files` of so many bytes each as it fetches, in this order.

    While it does, files are merged into one: `behind` has how many there were then, and the bytes of each merge. Of
    `passes` each merges so many bytes once more before the last; `kept` bytes never leave memory.
    """

    files: tuple[float, ...]
    behind: tuple[tuple[int, float], ...]
    passes: tuple[float, ...]
    kept: float

    @property
    def merged(self) -> float:
        """Bytes that are merged into other files."""
        return sum(self.passes) + sum(size for _, size in self.behind)


def reduce_merge(
    amount: float, segments: int, memory: float, *, merge_percent: float, limit: float, kept: float, factor: int
) -> Merge:
    """Return what a reduce that fetches `amount` bytes in so many segments writes, with `memory` bytes for them.

    `limit` is the part of its memory that a segment may have, `kept` the part that may stay there during the reduce.
    """
    segment = amount / segments
    if segment > limit * memory:
        again = segment * merged_again(segments, factor)
        files = min(segments, MOST_FILES)
        return Merge((amount / files,) * files, (), (again,) if again else (), 0.0)
    fill = max(merge_percent * memory, segment)
    fills = math.floor(amount / fill + 1e-9)
    left = max(amount - fills * fill, 0.0)
    stays = min(left, kept * memory)
    last = (left - stays,) if left > stays else ()
    behind, there = _merged_behind(fill, fills, factor)
    return Merge((fill,) * fills + last, behind, tuple(merges([*there, *last], factor)), stays)


def _merged_behind(fill: float, fills: int, factor: int) -> tuple[tuple[tuple[int, float], ...], list[float]]:
    """Return after how many files of so many bytes which merges begin while more come, and what files they leave."""
    behind: list[tuple[int, float]] = []
    heap: list[float] = []
    for count in range(1, fills + 1):
        heapq.heappush(heap, fill)
        if len(heap) >= 2 * factor - 1:
            behind.append((count, sum(heapq.heappop(heap) for _ in range(factor))))
            heapq.heappush(heap, behind[-1][1])
    return tuple(behind), heap


def merges(files: Iterable[float], factor: int) -> list[float]:
    """Return the bytes of each merge of files into others, before the last takes at most `factor` of them."""
    heap = sorted(files)
    made: list[float] = []
    width = (len(heap) - 1) % (factor - 1) + 1
    width = width if width > 1 else factor  # the first pass leaves as many files as full passes need
    while len(heap) > factor:
        made.append(sum(heapq.heappop(heap) for _ in range(width)))
        heapq.heappush(heap, made[-1])
        width = factor
    return made


def merged_again(files: int, factor: int) -> int:
    """Return the bytes of such merges of files of one byte each, however many.

    The smallest first, with a first pass that leaves as many as full ones need, is Huffman's tree of `factor` branches,
    whose leaves, all of one weight, lie on two levels. Source: D. Huffman, A method for the construction of
    minimum-redundancy codes, 1952.
    """
    if files <= factor:
        return 0
    levels, full = 1, factor  # above the upper one of the two, and what that has room for
    while full * factor <= files:
        levels, full = levels + 1, full * factor
    parted = -((full - files) // (factor - 1))  # its places that hold a merge of files, and no file
    return files * (levels - 1) + files - full + parted
