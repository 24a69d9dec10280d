"""One drive as the operating system sees it: what a byte costs in device time.

A drive is a shared capacity of one device-second per second. A byte read in chunks of c bytes costs
`1/s + t/c` device-seconds, where s is the sequential rate and t the seek: so n interleaved streams share
`c / (c/s + t)`. A lone stream does not seek; `capacity` gives it back the seeks that its cost contains.
Not covered: zones of the platter, queue depth, wear, first-touch penalties.

Source: dd, iozone and SATA measurements in agreement with c / (c/s + t); see docs/models.md.
"""

from __future__ import annotations

import math
from typing import Literal

from pydantic import model_validator

from models.problem import refusal
from models.quantity import Model, Quantity, quantity, setting

Access = Literal["direct", "buffered", "mixed"]
CHUNKS = ("read_chunk", "write_chunk", "writeback_chunk", "mixed_chunk")


class Drive(Model):
    """One drive of a server."""

    technology: Literal["hdd", "ssd", "nvme"] = setting("What moves: platters (hdd) or nothing (ssd, nvme).")
    capacity: Quantity = quantity("B", "Size of the drive.", gt=0)
    read_bandwidth: Quantity = quantity("B/s", "Sequential read rate of a lone stream.", gt=0)
    write_bandwidth: Quantity = quantity("B/s", "Sequential write rate of a lone stream.", gt=0)
    seek_time: Quantity = quantity(
        "s", "Mean time to turn from one stream to another; a hard drive must state it.", default=0.0, ge=0
    )
    read_chunk: Quantity = quantity("B", "Bytes between two seeks when several streams read.", default=math.inf, gt=0)
    write_chunk: Quantity = quantity(
        "B", "Bytes between two seeks when several streams write directly.", default=math.inf, gt=0
    )
    writeback_chunk: Quantity = quantity(
        "B", "Bytes between two seeks when the page cache writes several files.", default=math.inf, gt=0
    )
    mixed_chunk: Quantity = quantity(
        "B", "Bytes between two seeks when reads and writes of a job meet on the drive.", default=math.inf, gt=0
    )

    @property
    def usual_failures(self) -> str:
        """The part with the usual failure rates of such drives, where a profile states none."""
        return "hdd" if self.technology == "hdd" else "nvme"

    @model_validator(mode="after")
    def _seeks_are_stated(self) -> Drive:
        if "seek_time" in self.model_fields_set:
            return self
        if self.technology == "hdd":
            raise refusal(
                "seek_time",
                "missing: a hard drive seeks between streams",
                'for example seek_time = "8.5 ms" (7200 rpm), with read_chunk and write_chunk, the bytes '
                "between two seeks",
            )
        for key in CHUNKS:
            if key in self.model_fields_set:
                raise refusal(key, "acts only with a seek_time", f"state that, too, or remove {key}")
        return self

    def read_cost(self, access: Access = "direct", segment: float = math.inf) -> float:
        """Return device-seconds per byte read; `segment` bounds the bytes (B) that lie together."""
        chunk = self.mixed_chunk if access == "mixed" else self.read_chunk
        return 1 / self.read_bandwidth + self.seek_time / min(chunk, segment)

    def write_cost(self, access: Access = "direct") -> float:
        """Return device-seconds per byte written."""
        chunks = {"direct": self.write_chunk, "buffered": self.writeback_chunk, "mixed": self.mixed_chunk}
        return 1 / self.write_bandwidth + self.seek_time / chunks[access]

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
