"""How S3A reads: which GETs it sends for the reads of a stream, by its input policy, and for ranges in a vector.

A stream has one GET at a time. Where the next read does not follow on, the GET is kept if that lies less than
`readahead.range` further on and within it, and what lies between is read over. Else it is closed: what is left of it
is read to its end if that is at most `readahead.range`, or the connection is aborted, and the next GET opens another.
`sequential` asks up to the end of the object, `random` for what is read but `readahead.range` at least, and `normal`
is sequential until the stream goes back for the first time, and random from then on. Ranges in a vector are merged,
and fetched side by side, so many of a stream at a time. Not covered: what waits in the buffers of a connection and is
read over for nothing, prefetching and analytics streams (off as shipped), the size of a process's pool of threads.

Source: Hadoop, S3AInputStream (seekInStream, calculateRequestLimit, closeStream, readVectored), CombinedFileRange.
"""

from __future__ import annotations

import math
from collections.abc import Iterable

from models.quantity import Model, Quantity, quantity, setting
from models.storage.clients.reading import Columns, Fetched, Policy
from models.values import value

SLIVER = 1e-3
"""Bytes that rounding may leave of a read. Assumption: detail of the model only."""
Range = tuple[float, float]
"""Offset and length of a read (B)."""


class Input(Model):
    """fs.s3a.experimental.input."""

    fadvise: Policy = setting(
        "How objects are read (fs.s3a.experimental.input.fadvise): in order up to their end, at random, or as the "
        "first step back of a stream tells. An engine may declare it by itself.",
        default="normal",
        source="published: Apache Hadoop, S3A's Constants and S3AInputPolicy",
    )


class Experimental(Model):
    """fs.s3a.experimental."""

    input: Input = setting("Input policy.", default=Input())


class Readahead(Model):
    """fs.s3a.readahead."""

    range: Quantity = quantity(
        "B",
        "Gap that is read over rather than asked anew, most that is read of a GET to keep its connection, and least "
        "that is asked for at random (fs.s3a.readahead.range).",
        default=65536.0,
        source="published: core-default.xml of Hadoop 3.3.2, 3.3.4 and 3.4.1",
        ge=0,
    )


class Seek(Model):
    """fs.s3a.vectored.read.min.seek."""

    size: Quantity = quantity(
        "B",
        "Gap from which ranges of a vector are not merged (fs.s3a.vectored.read.min.seek.size); default: of `release`.",
        default=4896.0,
        ge=0,
    )


class Least(Model):
    """fs.s3a.vectored.read.min."""

    seek: Seek = setting("Least seek.", default=Seek())


class Merged(Model):
    """fs.s3a.vectored.read.max.merged."""

    size: Quantity = quantity(
        "B",
        "Most bytes of merged ranges of a vector (fs.s3a.vectored.read.max.merged.size); default: of `release`.",
        default=1253376.0,
        ge=0,
    )


class Most(Model):
    """fs.s3a.vectored.read.max."""

    merged: Merged = setting("Largest merged range.", default=Merged())


class VectorRead(Model):
    """fs.s3a.vectored.read."""

    min: Least = setting("Least seek.", default=Least())
    max: Most = setting("Largest merged range.", default=Most())


class Ranged(Model):
    """fs.s3a.vectored.active.ranged."""

    reads: int = setting(
        "Ranges of a vector that a stream fetches at a time (fs.s3a.vectored.active.ranged.reads).", default=4, ge=1
    )


class ActiveRanges(Model):
    """fs.s3a.vectored.active."""

    ranged: Ranged = setting("Ranges at a time.", default=Ranged())


class Vectored(Model):
    """fs.s3a.vectored."""

    read: VectorRead = setting("Merging of ranges.", default=VectorRead())
    active: ActiveRanges = setting("Ranges at a time.", default=ActiveRanges())


@value()
class Get:
    """A GET of an object: where it begins, the bytes that it brings, and whether its connection is given up."""

    offset: float
    size: float
    is_left: bool = False


class _Stream:
    """An input stream of an object of so many bytes."""

    def __init__(self, length: float, policy: Policy, readahead: float) -> None:
        self.sent: list[Get] = []
        self._length, self._policy, self._readahead = length, policy, readahead
        self._begin = self._end = self._at = math.nan
        self._is_open = False

    def read(self, offset: float, size: float) -> None:
        """Read so many bytes from a place on."""
        self._seek(offset)
        while size > SLIVER:
            if not self._is_open:
                asked = max(size, self._readahead) if self._policy == "random" else math.inf
                self._begin = self._at = offset
                self._end, self._is_open = min(offset + asked, self._length), True
            taken = min(size, self._end - self._at)
            self._at, offset, size = self._at + taken, offset + taken, size - taken
            if size > SLIVER:
                self.close()

    def close(self) -> None:
        """End the GET: read to its end what is left of it, or give up its connection."""
        if not self._is_open:
            return
        left = self._end - self._at
        is_left = left > self._readahead
        self.sent.append(Get(self._begin, self._at - self._begin + (0.0 if is_left else left), is_left))
        self._is_open = False

    def _seek(self, offset: float) -> None:
        if not self._is_open:
            return
        gap, left = offset - self._at, self._end - self._at
        if gap < 0 and self._policy == "normal":
            self._policy = "random"
        if 0 < gap < min(self._readahead, left):
            self._at = offset
        elif gap or not left:
            self.close()


def gets(reads: Iterable[Range], length: float, policy: Policy, readahead: float) -> tuple[Get, ...]:
    """Return the GETs of a stream of an object of `length` bytes that is read so, one after the other, and closed."""
    stream = _Stream(length, policy, readahead)
    for offset, size in reads:
        stream.read(offset, size)
    stream.close()
    return tuple(stream.sent)


def merged(ranges: Iterable[Range], gap: float, largest: float) -> tuple[Get, ...]:
    """Return the GETs of ranges in a vector, in the order of their places, between which less than `gap` is read over.

    None of those that are merged is larger than `largest`.
    """
    sent: list[Get] = []
    for offset, size in sorted(ranges):
        last = sent[-1] if sent else None
        if last and offset - last.offset - last.size < gap and offset + size - last.offset <= largest:
            sent[-1] = Get(last.offset, max(last.size, offset + size - last.offset))
        else:
            sent.append(Get(offset, size))
    return tuple(sent)


def fetched(columns: Columns, policy: Policy, readahead: float, vectored: Vectored | None) -> Fetched:
    """Return what S3A sends for the columns of a split; None where it knows no vectors: then each read is its own.

    A stream that has read the end of the object before goes back for its first column.
    """
    if columns.vectored and vectored is not None:
        ranges = ((place, columns.size) for place in columns.places)
        sent = merged(ranges, vectored.read.min.seek.size, vectored.read.max.merged.size)
        rounds = math.ceil(len(sent) / vectored.active.ranged.reads)
    else:
        goes_back = policy == "normal" and not columns.apart
        sent = gets(_reads(columns), columns.length, "random" if goes_back else policy, readahead)
        rounds = len(sent)
    size = sum(get.size for get in sent) / len(sent)
    return Fetched(len(sent), size, rounds, sum(get.is_left for get in sent))


def _reads(columns: Columns) -> Iterable[Range]:
    size = columns.size / columns.reads
    return ((place + read * size, size) for place in columns.places for read in range(columns.reads))
