"""One drive as the operating system sees it: what a byte costs in device time.

A drive is a shared capacity of one device-second per second. A byte read in chunks of c bytes costs
`1/s + t/c` device-seconds, where s is the sequential rate and t the seek: so n interleaved streams share
`c / (c/s + t)`. A lone stream does not seek; `stream_capacity` gives it back the seeks that its cost contains.

An access at a random place costs device time beside its bytes: of a hard drive a seek and half a turn, of flash its
part of the operations a second that the drive does. Flash works on many accesses at once, so a lone one takes longer
than its part: the latency. Of q accesses under way all the time so many end a second: min(q / latency, IOPS, queue
depth / latency). A hard drive takes those that wait in the order in which they cost least: q of them take 1/q^0.276 of
the time each. Sources: `models.hardware.drive_classes`.

Some drives take writes faster than they keep them: consumer flash into cells of one bit, shingled (SMR) hard drives
into a part of the platters. What is in this `write_cache` moves on at the sustained rate s, also while more comes in:
with C bytes of it, writes at rate w go on for C / (w - s) seconds, then at s. Loads of requests go on for ever: at s.
Not covered: wear, first-touch penalties, memory of the drive that caches writes, reads that wait for what moves on,
shingled drives that keep what is sequential at once.

Source: dd, iozone and SATA measurements in agreement with c / (c/s + t); see docs/models.md.
"""

from __future__ import annotations

import math
from typing import Literal

from pydantic import model_validator

from models.bucket import Bucket
from models.hardware.drive_classes import (
    FLASH,
    QUEUE_DEPTH,
    READ_CHUNK,
    RPM,
    SETTLE,
    SORTED,
    WRITE_CHUNK,
    WRITEBACK_CHUNK,
    FlashClass,
    Interface,
    bandwidth,
    chunk,
    interface_of,
    seek,
    spared,
)
from models.problem import Reason, RefusalError, refusal
from models.quantity import Model, Quantity, quantity, setting

Access = Literal["direct", "buffered", "mixed", "whole"]
Direction = Literal["read", "write"]
CHUNKS = ("read_chunk", "write_chunk", "writeback_chunk", "mixed_chunk")
OF_FLASH = ("read_latency", "write_latency", "read_iops", "write_iops")
OF_PLATTERS = ("rpm", "stroke")


class Drive(Model):
    """One drive of a server."""

    model: str = setting("Model, by which a price list finds the drive; empty: by its technology.", default="")
    technology: Literal["hdd", "ssd", "nvme"] = setting("What moves: platters (hdd) or nothing (ssd, nvme).")
    capacity: Quantity = quantity("B", "Size of the drive.", gt=0)
    rpm: float | None = setting(
        "Turns of the platters a minute; default: 7200 of a hard drive.", default=None, gt=0, examples=[7200]
    )
    stroke: float = setting(
        "Part of the platters over which data is spread, the outermost: where it is less, seeks are shorter, and rates "
        "that follow from the class higher, which otherwise are those of a drive that is half full.",
        default=1.0,
        gt=0,
        le=1,
    )
    interface: Interface | None = setting(
        "How the drive is attached, which with its technology makes its class; default: sata, or by read_bandwidth the "
        "slowest link of an SSD (sata, sas) or of an NVMe drive (pcie-3, pcie-4, pcie-5) that carries it.",
        default=None,
    )
    is_volume: bool = setting(
        "Whether the server reaches it over a network, as a volume of EBS: what it moves then passes the server's "
        "volume_link, beside the controller.",
        default=False,
    )
    read_bandwidth: Quantity = quantity(
        "B/s",
        "Sequential read rate of a lone stream.",
        by=lambda stated: bandwidth(stated, "read"),
        source="prior: data sheets of its class, of hard drives by rpm and capacity: models/hardware/drive_classes.py",
        between=("0.8 x", "1.15 x"),
        gt=0,
    )
    write_bandwidth: Quantity = quantity(
        "B/s",
        "Sequential write rate of a lone stream.",
        by=lambda stated: bandwidth(stated, "write"),
        source="prior: data sheets of its class, of hard drives by rpm and capacity: models/hardware/drive_classes.py",
        between=("0.7 x", "1.2 x"),
        gt=0,
    )
    sustained_write: Quantity | None = quantity(
        "B/s",
        "Rate at which a drive writes whose write cache is full; default: it has none, as drives for servers, of which "
        "data sheets state what they sustain.",
        default=None,
        gt=0,
    )
    write_cache: Quantity | None = quantity(
        "B",
        "Bytes that the drive takes at write_bandwidth first: cells used as of one bit, the media cache of shingled "
        "platters.",
        default=None,
        gt=0,
    )
    seek_time: Quantity = quantity(
        "s",
        "Average seek of a hard drive. It comes between streams, and with half a turn before an access at random.",
        by=seek,
        source="prior: data sheets of drives of as many rpm",
        between=("0.85 x", "1.15 x"),
        ge=0,
    )
    read_chunk: Quantity = quantity(
        "B",
        "Bytes between two seeks of a hard drive when several streams read.",
        by=lambda stated: chunk(stated, READ_CHUNK),
        source="prior: 4 MiB, as a DataNode reads ahead",
        between=("1 MB", "8 MB"),
        gt=0,
    )
    write_chunk: Quantity = quantity(
        "B",
        "Bytes between two seeks of a hard drive when several streams write directly.",
        by=lambda stated: chunk(stated, WRITE_CHUNK),
        source="prior: 1.7 MB, measured of one kind of drive",
        between=("0.5 MB", "4 MB"),
        gt=0,
    )
    writeback_chunk: Quantity = quantity(
        "B",
        "Bytes between two seeks of a hard drive when the page cache writes several files.",
        by=lambda stated: chunk(stated, WRITEBACK_CHUNK),
        source="prior: 4 MiB, the least that Linux writes of a file (MIN_WRITEBACK_PAGES); at most half a second",
        between=("4 MiB", "68 MB"),
        gt=0,
    )
    mixed_chunk: Quantity = quantity(
        "B",
        "Bytes between two seeks of a hard drive when reads and writes of a job meet on it.",
        by=lambda stated: chunk(stated, WRITE_CHUNK),
        source="prior: 1.7 MB, as of writers; both together then get 0.3 to 0.65 of the rate",
        between=("0.7 MB", "4 MiB"),
        gt=0,
    )
    read_latency: Quantity | None = quantity(
        "s", "Time of a lone small read of flash; default: by class.", default=None, gt=0
    )
    write_latency: Quantity | None = quantity(
        "s", "Time of a lone small write of flash; default: by class.", default=None, gt=0
    )
    read_iops: Quantity | None = quantity(
        "IOPS", "Small reads that flash does at most; default: by class.", default=None, gt=0
    )
    write_iops: Quantity | None = quantity(
        "IOPS",
        "Small writes that flash sustains; default: by class, on PCIe twice as many of 0.4, 0.8, 1.6, 3.2, 6.4 or "
        "12.8 TB, which are drives for mixed use.",
        default=None,
        gt=0,
    )
    queue_depth: int | None = setting(
        "Accesses that the drive takes at once; default: 32 by SATA, 256 by SAS, 1024 by PCIe.", default=None, ge=1
    )

    @property
    def usual_failures(self) -> str:
        """The part with the usual failure rates of such drives, where a profile states none."""
        return "hdd" if self.technology == "hdd" else "nvme"

    @property
    def flash(self) -> FlashClass | None:
        """What operations of flash take, by class where the drive does not state it; None of a hard drive."""
        if self.technology == "hdd":
            return None
        usual = FLASH[self.attached]
        return FlashClass(
            read_latency=self.read_latency or usual.read_latency,
            write_latency=self.write_latency or usual.write_latency,
            read_iops=self.read_iops or usual.read_iops,
            write_iops=self.write_iops or usual.write_iops * spared(self.attached, self.capacity),
            read_bandwidth=self.read_bandwidth,
            write_bandwidth=self.write_bandwidth,
        )

    @property
    def attached(self) -> Interface:
        """How the drive is attached, as stated or as its class is."""
        return self.interface or interface_of(self.technology, self.read_bandwidth)

    @property
    def depth(self) -> int:
        """Accesses that the drive takes at once."""
        return self.queue_depth or QUEUE_DEPTH[self.attached]

    @property
    def sorts(self) -> int:
        """Accesses of which the drive takes first what costs least, at most."""
        return min(self.depth, SORTED)

    @property
    def turn(self) -> float:
        """Seconds of a turn of the platters; 0 of flash."""
        return 60 / (self.rpm or RPM) if self.technology == "hdd" else 0.0

    @property
    def random_seek(self) -> float:
        """Mean seconds of a seek within the part of the platters that holds data."""
        return self.settled + (self.seek_time - self.settled) * math.sqrt(self.stroke)

    @property
    def settled(self) -> float:
        """Seconds of a seek that do not depend on its way."""
        return min(SETTLE, self.seek_time)

    @property
    def sustained(self) -> float:
        """Bytes a second that the drive writes for ever."""
        return self.write_bandwidth if self.sustained_write is None else self.sustained_write

    @property
    def bucket(self) -> Bucket | None:
        """The room of the write cache as credits, None for a drive without."""
        return None if self.write_cache is None else Bucket(self.sustained, self.write_cache)

    @model_validator(mode="after")
    def _caches_are_faster(self) -> Drive:
        if (self.sustained_write is None) != (self.write_cache is None):
            key = "sustained_write" if self.write_cache is None else "write_cache"
            raise refusal(key, "acts only with the other", "state both sustained_write and write_cache")
        if self.sustained >= self.write_bandwidth and self.write_cache is not None:
            most = f"a cache is faster than the drive behind it, write_bandwidth = {self.write_bandwidth / 1e6:g} MB/s"
            raise refusal("sustained_write", most, "lower it, or remove both", value=self.sustained)
        return self

    @model_validator(mode="after")
    def _rates_are_known(self) -> Drive:
        for key in ("read_bandwidth", "write_bandwidth"):
            if math.isnan(getattr(self, key)):
                known = ", ".join(name for name in FLASH if name.startswith("pcie"))
                raise refusal(key, "missing", f"state it, or the interface, for what its class does: {known}")
        return self

    @model_validator(mode="after")
    def _seeks_are_stated(self) -> Drive:
        if self.technology == "hdd" or "seek_time" in self.model_fields_set:
            return self
        for key in CHUNKS:
            if key in self.model_fields_set:
                raise refusal(key, "acts only with a seek_time", f"state that, too, or remove {key}")
        return self

    @model_validator(mode="after")
    def _keys_suit_the_technology(self) -> Drive:
        is_hard = self.technology == "hdd"
        what = "a hard drive: seek_time and rpm say how fast it is" if is_hard else "flash, which does not turn"
        fields = type(self).model_fields
        stated = [key for key in (OF_FLASH if is_hard else OF_PLATTERS) if getattr(self, key) != fields[key].default]
        if stated:
            raise RefusalError(*(Reason(key, f"does not act on {what}", "remove it") for key in stated))
        return self

    def slowed(self, part: float) -> Drive:
        """Return the drive of whose time a part is left: bytes, seeks, turns and operations take so much longer."""
        changed: dict[str, object] = {key: getattr(self, key) * part for key in ("read_bandwidth", "write_bandwidth")}
        changed |= {"seek_time": self.seek_time / part, "interface": self.attached}
        if self.sustained_write is not None:
            changed["sustained_write"] = self.sustained_write * part
        if (flash := self.flash) is None:
            changed["rpm"] = (self.rpm or RPM) * part
        else:
            changed |= {"read_iops": flash.read_iops * part, "write_iops": flash.write_iops * part}
            changed |= {"read_latency": flash.read_latency, "write_latency": flash.write_latency}
        return self.model_copy(update=changed)

    def of_group(self, strip: float, *, reads: tuple[float, int], writes: tuple[float, int]) -> Drive:
        """Return the drive as one of a RAID group, each of which has strips (B) of a file in turn.

        Between two seeks a group as a whole moves of a file what a lone drive would, or what reaches it together, if
        that is more: so many bytes, over so many drives. Each of them has its part of that, a strip at least, and no
        more than it would have alone.
        """
        if self.technology != "hdd":
            return self

        def part(chunk: float, together: float, drives: int) -> float:
            whole = max(chunk, together)
            return min(chunk, max(whole / drives, min(strip, whole)))

        mixed = min(reads[0], writes[0]), max(reads[1], writes[1])
        own = {"read_chunk": reads, "write_chunk": writes, "writeback_chunk": writes, "mixed_chunk": mixed}
        return self.model_copy(update={key: part(getattr(self, key), *shared) for key, shared in own.items()})

    def access_time(self, direction: Direction = "read") -> float:
        """Return the mean device-seconds of an access at a random place, beside its bytes."""
        flash = self.flash
        if flash is None:
            return self.random_seek + self.turn / 2
        latency, iops = flash.of(direction)
        return max(1 / iops, latency / self.depth)

    def access_delay(self, direction: Direction = "read") -> float:
        """Return the mean seconds that a lone access takes beyond its device-seconds."""
        flash = self.flash
        return 0.0 if flash is None else max(flash.of(direction)[0] - self.access_time(direction), 0.0)

    def contained(self, direction: Direction, bytes: float, segment: float = math.inf) -> float:
        """Return the device-seconds of an access that the cost of its bytes (B) contains, in segments (B) or chunks.

        Of a hard drive that are the seeks between chunks, of flash, whose operations contain their bytes, all of them.
        """
        if self.flash is None:
            chunk = min(self.read_chunk if direction == "read" else self.write_chunk, segment)
            return self.seek_time * bytes / chunk if math.isfinite(chunk) else 0.0
        return bytes / (self.read_bandwidth if direction == "read" else self.write_bandwidth)

    def read_cost(
        self, access: Access = "direct", segment: float = math.inf, met: float = 1.0, passed: float = 1.0
    ) -> float:
        """Return device-seconds per byte read; `segment` bounds the bytes (B) that lie together.

        It seeks between streams where one meets another, which has the chance `met`. For each byte so many have
        `passed` the heads of a hard drive, as what lies between takes as long as if it were read.
        """
        if (flash := self.flash) is not None and segment < math.inf:
            return max(1 / self.read_bandwidth, 1 / flash.read_iops / segment)
        chunk = self.mixed_chunk if access == "mixed" else self.read_chunk
        return (passed if flash is None else 1.0) / self.read_bandwidth + self._sought(chunk, segment, met)

    def read_turn(self, access: Access, segment: float) -> float:
        """Return what a stream of segments (B) reads at a turn, as a part of what others read at theirs, 0 to 1.

        Streams on a drive have turns, and each has the bytes between two seeks at its own.
        """
        chunk = self.mixed_chunk if access == "mixed" else self.read_chunk
        return min(segment / chunk, 1.0) if self.seek_time and chunk < math.inf else 1.0

    def write_cost(
        self, access: Access = "direct", segment: float = math.inf, *, lasting: bool = False, met: float = 1.0
    ) -> float:
        """Return device-seconds per byte written; `segment` bounds the bytes (B) that lie together.

        With `lasting` it writes for ever, so without what a write cache gives; `met` is as of a read.
        """
        rate = self.sustained if lasting else self.write_bandwidth
        if (flash := self.flash) is not None and segment < math.inf:
            return max(1 / rate, 1 / flash.write_iops / segment)
        chunks = {"direct": self.write_chunk, "buffered": self.writeback_chunk, "mixed": self.mixed_chunk}
        chunks["whole"] = math.inf  # each segment at once, whoever else writes
        return 1 / rate + self._sought(chunks[access], segment, met)

    def _sought(self, chunk: float, segment: float, met: float) -> float:
        """Return the seconds of seeks per byte: one behind each segment, or each chunk where streams meet."""
        return self.seek_time / min(chunk / met if met > 0 else math.inf, segment)

    def stream_capacity(self) -> tuple[float, ...]:
        """Return device-seconds per second for one stream, and for two or more.

        The first entry is above 1 because costs contain the seeks between streams, which a lone stream
        does not make; works cap their own rate at the sequential bandwidth.
        """
        if self.seek_time == 0:
            return (1.0,)
        costs = [self.read_cost(access) * self.read_bandwidth for access in ("direct", "mixed")]
        costs += [self.write_cost(access) * self.write_bandwidth for access in ("direct", "buffered", "mixed")]
        return (max(costs), 1.0)


def interleaved_rate(bandwidth: float, seek_time: float, chunk: float) -> float:
    """Return the total rate (B/s) of interleaved streams: c / (c/s + t)."""
    return 1 / (1 / bandwidth + seek_time / chunk)


def chunk_from_rates(bandwidth: float, interleaved: float, seek_time: float) -> float:
    """Return the chunk (B) that explains an interleaved rate: the inverse of `interleaved_rate`.

    Raises:
        RefusalError: the interleaved rate is not below the sequential one, so no seek explains it.
    """
    if not interleaved < bandwidth:
        raise refusal("", f"interleaved rate {interleaved:g} B/s must be below the sequential rate {bandwidth:g} B/s")
    return seek_time / (1 / interleaved - 1 / bandwidth)
