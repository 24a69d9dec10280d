"""The page cache of a server: what of it may be dirty, how that drains, and what it still holds when it is read again.

Writers and the kernel's flushers share the dirty room as Linux does since 3.2: above the middle between the background
and the dirty threshold writers are paused page by page, so that they settle at three quarters of the dirty ratio and a
quarter of the background ratio; each device has the part of the room that its rate has among those of its place; below
that middle nobody is paused, whatever device he writes to; and each device has one flusher, which takes files in turn,
half a second of the device at a time.

Source: Linux mm/page-writeback.c (domain_dirty_limits, wb_position_ratio, __wb_calc_thresh) and fs/fs-writeback.c
(writeback_chunk_size). Not covered: the expiry of dirty pages, limits of control groups, and dirty pages that are
deleted before they are written.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence as Series
from dataclasses import field
from functools import partial
from typing import Protocol

from models.hardware.drive import Access
from models.hardware.server import Memory
from models.values import value
from models.work import AT_ONCE, Deferred, Hold, Pieces, Pool, Resource, Sequence, Step, Use, Work, WriteBehind, demand

PAGE = 4096.0
"""Bytes of a page, which the kernel reads as a whole: others find their segments of it. Source: Linux, x86 and Arm."""

CHUNK_TIME = 0.5
"""Seconds of a device that its flusher spends on a file before it takes the next one. Source: Linux, fs/fs-writeback.c,
writeback_chunk_size: half of what the device writes in a second."""

LEAST_CHUNK = 4 * 2.0**20
"""Bytes that the flusher takes of a file at least. Source: Linux, fs/fs-writeback.c, MIN_WRITEBACK_PAGES."""

ROOM_CHUNKS = 8
"""Chunks that fit at least into the room of a device. Source: Linux, fs/fs-writeback.c, DIRTY_SCOPE."""

MOST_CHUNKS = 64
"""Chunks into which a write is cut at most. Assumption: detail of the model only."""

FILES = 2.0
"""Files between which a flusher goes to and fro. Assumption: detail of the model only; two seek as often as more do."""

READS_A_WRITE = 2.0
"""Batches of reads that a device serves before it serves one of writes, where both wait. Source: Linux,
block/mq-deadline.c, writes_starved."""


class Device(Protocol):
    """A drive or volume of one server as something to write to; `peers` are the drives of its bay."""

    @property
    def resource(self) -> Resource:
        """What writing uses."""
        ...

    @property
    def peers(self) -> int:
        """The drives of its bay, itself included."""
        ...

    def write(self, access: Access = "direct", bytes: float = 1.0) -> list[Use]:
        """Return what writing `bytes` per unit uses."""
        ...

    def write_rate(self) -> float:
        """Return the rate (B/s) of a lone writer."""
        ...


@value(eq=False)
class PageCache:
    """What the memory of a server that no process holds does for files: `size` bytes of it, of which some may be dirty.

    `name` tells it from others, `readers` is how many tasks of the server read beside the flushers, and `precedence`
    multiplies the share of what drains. `grain` chunks that a flusher takes of a file are told as one. What it
    `holds` before anybody writes is a part of what may be dirty of a device: that is filled once somebody writes to it.
    """

    name: str
    memory: Memory
    size: float
    readers: float = 0.0
    precedence: float = 1.0
    grain: float = 1.0
    holds: float = 0.0
    _rooms: dict[int, Pool] = field(default_factory=dict, init=False, repr=False)
    _full: dict[str, tuple[float, Series[Use]]] = field(default_factory=dict, init=False, repr=False)
    _ways: dict[tuple[int, Access], tuple[float, Sequence]] = field(default_factory=dict, init=False, repr=False)

    def kept(self, through: float) -> float:
        """Return the part that is still held of what was written or read, `through` bytes having gone by since.

        The bytes that were the latest at any moment stay: those that are read again at random, as by many tasks, are
        found in proportion.
        """
        return min(self.size / through, 1.0) if through > 0 else 1.0

    def room(self, device: Device) -> Pool:
        """Return the bytes of a device that may be dirty, made once."""
        room = self._rooms.get(device.resource.index)
        if room is None:
            name, part = f"{self.name}/{device.resource.name}/dirty", self.memory.dirty_share / device.peers
            room = self._rooms[device.resource.index] = Pool(name, part * self.size, self._free_run(), is_cache=True)
        return room

    def _free_run(self) -> Pool | None:
        """Return the bytes of all devices that may be dirty before anybody is paused."""
        capacity = self.memory.free_run_share * self.size
        return Pool(f"{self.name}/dirty", capacity) if capacity > 0 else None

    def write(self, device: Device, amount: float, access: Access = "buffered") -> Step:
        """Return the step of writing `amount` bytes: chunk by chunk, each done once there is room for it.

        Without room each chunk waits for its turn on the device.
        """
        key = device.resource.index, access
        way = self._ways.get(key)
        if way is None:
            way = self._ways[key] = self._way(device, access)
        chunk, byte = way
        chunks = min(max(math.ceil(amount / chunk - 1e-9), 1), MOST_CHUNKS)
        written = Pieces(byte, amount / chunks, chunks)
        if not self.holds or self._is_full(self.room(device)):
            return written
        return Sequence((Deferred(partial(self._filled, device, access, way)), written))

    def earlier(self, held: Mapping[str, float]) -> Iterator[tuple[int, float]]:
        """Yield the bytes that each resource moved of what filled rooms at first, more than is held of these at last.

        As much as is held of a room came later, and would have been moved in place of it.
        """
        for name, (filled, uses) in self._full.items():
            drained = max(filled - held[name], 0.0)
            yield from ((use.resource.index, drained * use.bytes) for use in uses)

    def _is_full(self, room: Pool) -> bool:
        """Tell whether the room of a device was filled already, or is none."""
        return not room.capacity or room.name in self._full

    def _filled(self, device: Device, access: Access, way: tuple[float, Sequence]) -> Step:
        """Return what fills a part of the room of a device beside whoever writes to it first, nothing afterwards.

        A chunk is free: else all that write wait until the first one has drained, and go on in step.
        """
        (chunk, byte), room = way, self.room(device)
        if self._is_full(room):
            return AT_ONCE
        filled = min(self.holds * room.capacity, room.capacity - chunk)
        self._full[room.name] = filled, device.write(access)
        chunks = math.ceil(filled / chunk)
        first = Pool(f"{room.name}/first", 1.0, is_cache=True)
        return WriteBehind(first, 1.0, Pieces(byte, filled / chunks, chunks))

    def _way(self, device: Device, access: Access) -> tuple[float, Sequence]:
        """Return the bytes of a chunk that goes to a device, and the steps of writing one of them, made once."""
        room = self.room(device)
        chunk = self.grain * max(device.write_rate() * CHUNK_TIME, LEAST_CHUNK)
        if room.capacity > 0:
            chunk = min(chunk, room.capacity / ROOM_CHUNKS)
        flusher = Pool(f"{self.name}/{device.resource.name}/flusher", FILES)
        drain = Hold(flusher, 1.0, self._drain(device, access))
        return chunk, Sequence((WriteBehind(room, 1.0, drain) if room.capacity > 0 else drain,))

    def _drain(self, device: Device, access: Access) -> Work:
        """Return the work of a flusher on one of the files between which it seeks; without room a lone writer does."""
        uses = device.write(access)
        rate = device.write_rate() if self.room(device).capacity > 0 else 1 / uses[0].cost
        weight = max(self.readers / device.peers / READS_A_WRITE, 1.0) / FILES * self.precedence
        return Work(1.0, demand(uses, max_rate=rate, weight=weight, cap="one drive stream"))
