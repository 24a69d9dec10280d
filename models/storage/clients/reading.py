"""What jobs tell their client, and what it makes of what an engine reads: how many requests, and of what size."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Literal

from models.values import value

Policy = Literal["normal", "sequential", "random"]
"""How a client of Hadoop expects an object to be read."""
Algorithm = Literal[1, 2]
"""Versions of Hadoop's FileOutputCommitter: 1 renames files by the task, and once more as the job commits; 2 renames
them by the task to their place."""
SHIPPED: Algorithm = 2
"""What Hadoop ships. Source: mapred-default.xml of 3.0 and later."""


@value()
class Wishes:
    """What a job and its engine tell a client of Hadoop: a version of the committer, and how they read; None: nothing.

    Source: Apache Hadoop, mapreduce.fileoutputcommitter.algorithm.version; FileSystem.openFile.
    """

    algorithm: Algorithm | None = None
    declared: Policy | None = None


@value()
class Columns:
    """Columns of a split that an engine reads: so many of `size` bytes each, in reads of at most `buffer` bytes.

    They lie evenly over the `split` bytes of an object of `length` bytes. Where they are read `apart`, no stream has
    read the object's end before; `vectored` ones are asked for together. `declared` is what the engine says of how it
    reads as it opens an object, None where it says nothing. Assumption: nothing tells where columns lie.
    """

    count: int
    size: float
    split: float
    length: float
    buffer: float
    apart: bool = False
    vectored: bool = False
    declared: Policy | None = None

    @property
    def places(self) -> tuple[float, ...]:
        """Where each column begins."""
        return tuple(number * max(self.split / self.count, self.size) for number in range(self.count))

    @property
    def reads(self) -> int:
        """In how many reads each column comes, all as long."""
        return math.ceil(self.size / self.buffer)


@value()
class Fetched:
    """What reading columns takes: so many GETs of `size` bytes each on average, `rounds` of them one after the other.

    The connections of so many `left` are given up before they have brought what they were asked for.
    """

    gets: int
    size: float
    rounds: int
    left: int = 0


Fetch = Callable[[Columns], Fetched]
"""What a client makes of columns that an engine reads."""


def as_asked(columns: Columns) -> Fetched:
    """Return what a client does that sends a request for each read."""
    reads = columns.count * columns.reads
    return Fetched(reads, columns.size / columns.reads, reads)
