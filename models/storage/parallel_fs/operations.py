"""What a parallel file system does for a request about a file: what its metadata servers and its targets are asked.

Opening, a stat and a removal are one operation of a metadata server, creating two. The bytes of a file lie on targets
one after the other; a target is a drive or a RAID group, whose drives read and write a stripe side by side.

What fills no row of a RAID group has old chunks read first, so that its parity can be made: those that are written and
the parity, or those of the row that are not written, whichever are fewer.

Assumptions: a page of a directory takes as long as ten operations of a metadata server; the drives of a group stand
anywhere. Not covered: locks, what clients cache, what a controller gathers in its memory until rows are full, raidz,
which writes rows of any length and reads nothing, rebuilds beside a load.

Source: Linux, drivers/md/raid5.c, handle_stripe_dirtying.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping

from models.hardware.cluster import Layout
from models.hardware.drive import Drive
from models.hardware.memory_bus import COPIED
from models.storage.described import Anyone, ByteRange, Description, Role, Sources, Targets
from models.storage.operation import Operation
from models.storage.parallel_fs.system import Metadata, ParallelFs
from models.storage.stages import (
    LIST_PAGE,
    Compute,
    FirstByte,
    Lanes,
    Move,
    Process,
    Read,
    Seek,
    Service,
    Stage,
    Stream,
    Write,
)

PAGE = 10
"""Operations of a metadata server for a page of a directory. Assumption: a hundred names each."""


class ParallelFsOperations(Description):
    """The operations of a parallel file system on a layout."""

    def __init__(self, spec: ParallelFs, layout: Layout) -> None:
        self._spec, self._targets = spec, spec.targets(layout.cluster)
        self._metadata, self._stream = spec.metadata or Metadata(), spec.stream
        server = layout.groups[spec.servers][0].server
        self._card, self._taken = server.nic.sustained, self._stream.served_write_cpu / server.cpu.speed
        drive = server.bays[spec.bay].drive
        self._passes = spec.bytes_passed > 1 and isinstance(drive, Drive) and drive.technology == "hdd"
        self.home, self.pieces = (spec.servers, spec.bay), (1, 1)
        asked = Anyone(self._metadata.servers or spec.servers)
        self.roles: Mapping[str, Role] = {"metadata": asked, "source": Sources(), "target": Targets()}

    def get(self, part: ByteRange) -> Operation:
        """Return how a file, or a part of it, is opened and read."""
        bay, segment, (count, *_) = self._spec.bay, self._spec.segment, self._shape(part.size)
        drives, passed = self._read_from(part.size / count)
        seek = Seek("source", bay, reads=part.size / count / drives, segment=segment)
        sought = Lanes((Lanes((seek,), drives),), count)
        served = Compute("source", per_byte=self._stream.served_read_cpu)
        lane = (
            Lanes((Read("source", bay, segment=segment, passed=passed),), drives, 1 / drives),
            FirstByte(),
            self._served("source"),
            served,
        )
        taken = Compute("client", per_byte=self._stream.read_cpu, touched=COPIED)
        out: tuple[Stage, ...] = Lanes((self._moved("source", "client", count),), count, 1 / count), taken
        if not self._stream.reads_ahead and self._spec.asked_at_once(count) == 1:
            out = (self._one_by_one(*out),)
        bytes_out = Stream((Lanes(lane, count, 1 / count), *out, self._received()))
        return Operation((self._asked(part.opens), sought, bytes_out), part.size)

    def put(self, size: float, missing: int = 0) -> Operation:
        """Return how a file is created and written."""
        bay, segment, (count, drives, parity) = self._spec.bay, self._spec.segment, self._shape(size)
        written = drives + parity
        seek = Seek("target", bay, writes=size / count / drives, segment=segment)
        sought = Lanes((Lanes((seek,), written),), count)
        given = self._received(), Compute("client", per_byte=self._stream.write_cpu, touched=COPIED)
        served = Compute("target", per_byte=self._stream.served_write_cpu)
        taken = self._moved("client", "target", count), served
        sent = taken if self._stream.reads_ahead else (self._one_by_one(*taken),)
        lane = *sent, self._served("target"), Lanes((Write("target", bay, segment=segment),), written, 1 / drives)
        bytes_in = Stream((*given, Lanes(lane, count, 1 / count)))
        return Operation((self._asked(2), *self._read_before(size, count), sought, bytes_in), size)

    def head(self, *, exists: bool = True) -> Operation:
        """Return a stat."""
        return Operation((self._asked(1),))

    def list_page(self, names: float = LIST_PAGE) -> Operation:
        """Return names of a directory."""
        return Operation((self._asked(math.ceil(PAGE * names / LIST_PAGE)),))

    def delete(self) -> Operation:
        """Return the removal of a file: its targets are told later."""
        return Operation((self._asked(1),))

    def _moved(self, source: str, target: str, count: int) -> Move:
        """Return how bytes move between a client and one of so many targets."""
        taken = self._taken if target == "target" else 0.0
        return Move(source, target, self._spec.window_rate(count, self._card, taken), "RPCs in flight")

    def _one_by_one(self, *stages: Stage) -> Stream:
        """Return stages of which each call passes one after the other."""
        return Stream(stages, self._stream.request_size, in_turn=True, cap="one call after the other")

    def _read_before(self, size: float, count: int) -> Iterator[Stage]:
        """Yield the read of the chunks that the last row of each of so many targets needs before it is written."""
        code, row = self._spec.target, self._spec.target.data * self._spec.target.chunk
        rest = 0.0 if math.isinf(size) else size / count % row
        chunks = self._spread(rest, code.data)
        reads = min(chunks + code.parity, code.data - chunks)
        if not (code.parity and rest and reads):
            return
        read, bay, segment = rest / chunks, self._spec.bay, self._spec.segment
        yield Lanes((Lanes((Seek("target", bay, reads=read, segment=segment),), reads),), count)
        old = Lanes((Read("target", bay, segment=segment),), reads, read * count / size)
        yield Stream((Lanes((old,), count, 1 / count),))

    def _shape(self, size: float) -> tuple[int, int, int]:
        """Return the targets of so many bytes, the drives of each that hold data of them, and the parity."""
        target, count = self._spec.target, self._spec.stripes(size, self._targets)
        return count, self._spread(size / count, target.data), target.parity

    def _read_from(self, size: float) -> tuple[int, float]:
        """Return how many drives of a target read so many bytes, and how many bytes pass each for one that it reads.

        Hard drives all read what is longer than a row, and pass their chunks of parity. Assumption: flash, that passes
        nothing, is held to as many drives as have data of a row.
        """
        target = self._spec.target
        drives = self._spread(size, target.drives if self._passes else target.data)
        return drives, max(drives / target.data, 1.0)

    def _asked(self, times: float) -> Stage:
        """Return so many operations of a metadata server, which serves as many at a time as it has in a second."""
        slots = max(round(self._metadata.rate * self._metadata.time), 1)
        return Service("metadata", "metadata operations", slots, seconds=slots / self._metadata.rate * times)

    def _served(self, at: str) -> Stage:
        return Process(at, "file server", self._spec.process_bandwidth)

    def _received(self) -> Stage:
        return Process("client", "file client", self._spec.client_bandwidth)

    def _spread(self, size: float, drives: int) -> int:
        """Return over how many of some drives the chunks of so many bytes lie."""
        return drives if math.isinf(size) else max(min(math.ceil(size / self._spec.target.chunk), drives), 1)
