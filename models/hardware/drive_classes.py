"""What a drive does that states no more than its class: hard drives by capacity and turns, flash by how it is attached.

Sources of flash, all priors: data sheets of read-intensive drives of 3.8 to 7.7 TB: Intel S4510 and Samsung PM883
(sata), PM1643 (sas), Intel P4510 and PM983 (pcie-3), Intel P5510, PM9A3 and Micron 7450 (pcie-4), CD8P, CM7, PM1743 and
Micron 9550 (pcie-5). Writes a second are sustained ones: those of a drive that is full and collects.

Sources of hard drives, priors, too: data sheets of drives for servers. Those of 7200 rpm give 105 MB/s with 1 TB
(ES.2), 140 with 2 (Constellation ES), 171 to 175 with 4 (Ultrastar 7K4000, ES.3), 205 to 249 with 8 (He8, Exos 7E8),
261 to 274 with 16 (Exos X16, MG08), 285 with 20 to 24: 110 MB/s times the cube root of the capacity (TB) within 12 %,
as bits along a track are one of three ways in which platters hold more. In the same way 95 MB/s at 5400 rpm (WD Red of
2 to 8 TB: 147 to 178), 210 at 10,000 (Savvio and Exos 10E of 0.6 to 2.4 TB: 168 to 266), 270 at 15,000 (0.6 to 0.9 TB:
204 to 315). A file system on a drive that is half full gets 0.88 of it (0.8 to 0.95): rates fall towards the inner
tracks, which turn as fast and have half the radius. On less of the platters, the outermost part of them, it gets more.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Literal, NamedTuple

Interface = Literal["sata", "sas", "pcie-3", "pcie-4", "pcie-5"]
RPM = 7200
"""Turns a minute of a hard drive that states none. Source: data sheets of all nearline drives."""
OUTER_RATES = {5400: 95e6, 7200: 110e6, 10_000: 210e6, 15_000: 270e6}
"""Bytes a second that a hard drive of 1 TB sustains on its outer tracks, by turns a minute. Sources: as above."""
FILLED = 0.88
"""Part of it that files get where a drive is half full. Source: as above."""
INNER = 0.5
"""Rate of the inner tracks as a part of that of the outer ones. Prior, 0.45 to 0.6: Van Meter, Observing the effects of
multi-zone disks, USENIX 1997; reviews of drives for servers since: 260 MB/s outside, 120 to 130 inside."""
SEEKS = {5400: 11e-3, 7200: 8.5e-3, 10_000: 4e-3, 15_000: 2.9e-3}
"""Seconds of an average seek by turns a minute. Source: data sheets: 7.5 to 9.5 ms at 7200 rpm (ES.2, 7K4000, Exos), 4
and 2.9 ms of drives of 2.5 inch; at 5400 rpm prior, 10 to 12 ms."""
READ_CHUNK = 4 * 2.0**20
"""Bytes between two seeks of several readers. Source: Apache Hadoop, dfs.datanode.readahead.bytes, which all who read
large files ask for in some way; prior: 1 to 8 MB by what reads; 5.8 MB measured of h1.16xlarge."""
WRITE_CHUNK = 1.7e6
"""Bytes between two seeks of several direct writers, or of readers and writers that meet. Prior: measured of
h1.16xlarge, 1.7 MB; both together get 0.3 to 0.65 of the rate."""
WRITEBACK_CHUNK = 4 * 2.0**20
"""Bytes that the page cache writes of a file between two seeks. Source: Linux, fs/fs-writeback.c,
MIN_WRITEBACK_PAGES, the least."""
SETTLE = 1.5e-3
"""Seconds of a seek that do not shrink with its way. Source: Ruemmler and Wilkes, An introduction to disk drive
modeling, IEEE Computer, 1994: a seek is a constant and the square root of its way; 1.5 ms and 7 ms for a third of the
platters."""
QUEUE_GAIN = 0.276
"""Of n random accesses that wait on a hard drive, n^0.276 as many end in a time as of a lone one. Prior, as data sheets
have it: 170 a second of 16 (Exos X16 and X18), 2.15 times 79, and about 205 to 218 of 32 (Ultrastar), 2.6 to 2.75
times; n^0.25 to n^0.3 holds both."""
SORTED = 32
"""Most accesses that a hard drive gains from. Source: as above; of longer queues nothing is stated."""
LINKS: Mapping[Interface, float] = MappingProxyType({"sata": 0.56e9, "sas": 2.4e9, "pcie-3": 3.6e9, "pcie-4": 7.2e9})
"""Most payload (B/s) of a link. Source: SATA Rev. 3.0, SAS-3 with two ports, PCI Express 3 and 4 with four lanes; no
data sheet has more."""
QUEUE_DEPTH: Mapping[Interface, int] = MappingProxyType(
    {"sata": 32, "sas": 256, "pcie-3": 1024, "pcie-4": 1024, "pcie-5": 1024}
)
"""Accesses that a drive takes at once. Source: SATA, native command queuing: 32; Linux, nvme: io_queue_depth = 1024;
prior for SAS: 254 of the SCSI layer."""


class FlashClass(NamedTuple):
    """What operations of flash take: seconds of a lone small one, how many a second end at most, and bytes a second."""

    read_latency: float
    write_latency: float
    read_iops: float
    write_iops: float
    read_bandwidth: float
    write_bandwidth: float

    def of(self, direction: Literal["read", "write"]) -> tuple[float, float]:
        """Return the latency (s) and the operations a second of reads or writes."""
        if direction == "read":
            return self.read_latency, self.read_iops
        return self.write_latency, self.write_iops


FLASH: Mapping[Interface, FlashClass] = MappingProxyType(
    {
        "sata": FlashClass(130e-6, 50e-6, 95e3, 30e3, 0.55e9, 0.51e9),
        "sas": FlashClass(130e-6, 40e-6, 375e3, 70e3, 2.1e9, 1.9e9),
        "pcie-3": FlashClass(90e-6, 20e-6, 600e3, 90e3, 3.0e9, 2.2e9),
        "pcie-4": FlashClass(80e-6, 16e-6, 1e6, 170e3, 6.7e9, 4.0e9),
        "pcie-5": FlashClass(65e-6, 10e-6, 2.5e6, 320e3, 14e9, 7e9),
    }
)
"""The usual drive of each class. Between drives of a class latencies lie within 0.75 and 1.25 times, reads a second
within 0.9 and 1.3, writes a second within 0.5 and 1.5, bandwidths within 0.85 and 1.05 read, 0.7 and 1.4 written."""


MIXED_USE = 2.0
"""Times as many writes a second as of a drive for reading that flash on PCIe sustains of which more is left unused, for
mixed use. Source: Intel, June 2020: D7-P5500 and P5600 of the same flash: 130,000 and 260,000 writes a second, as many
reads, and the same rates. Prior for others, 1.6 to 2.2."""
MIXED_USE_UNIT = 4e11
"""Bytes of the smallest of them; the others hold twice as many each: 0.4, 0.8, 1.6, 3.2, 6.4, 12.8 TB, where those for
reading hold 0.48, 0.96, 1.92, 3.84, 7.68, 15.36 TB of as much flash. Source: as above, data sheets of all makers."""


def spared(interface: Interface, capacity: float) -> float:
    """Return how many times as many writes a second a drive sustains that leaves so much of its flash unused.

    It is told by its capacity (B); of links other than PCIe capacities do not tell it.
    """
    doublings = math.log2(capacity / MIXED_USE_UNIT)
    is_mixed = doublings > -0.02 and abs(doublings - round(doublings)) < 0.02
    return MIXED_USE if is_mixed and interface.startswith("pcie") else 1.0


def interface_of(technology: str, read_bandwidth: float) -> Interface:
    """Return how a drive is attached that does not say it: by the slowest link that carries what it reads (B/s)."""
    if technology == "hdd":
        return "sata"
    names: tuple[Interface, ...] = ("sata", "sas") if technology == "ssd" else ("pcie-3", "pcie-4", "pcie-5")
    return next((name for name in names if read_bandwidth <= LINKS.get(name, 0.0)), names[-1])


def bandwidth(stated: dict[str, Any], direction: Literal["read", "write"]) -> float:
    """Return the sequential rate (B/s) of a class, of a drive of which so much is stated; NaN where it has no class."""
    if "technology" not in stated or "capacity" not in stated:
        return math.nan
    if stated["technology"] == "hdd":
        held = FILLED * outermost(min(stated.get("stroke", 1.0), 0.5)) / outermost(0.5)
        return held * OUTER_RATES[_nearest(stated)] * math.cbrt(stated["capacity"] / 1e12)
    interface: Interface | None = stated.get("interface") or ("sata" if stated["technology"] == "ssd" else None)
    if interface is None:
        return math.nan
    return FLASH[interface].read_bandwidth if direction == "read" else FLASH[interface].write_bandwidth


def outermost(part: float) -> float:
    """Return the mean rate of the outermost part (fraction of its bytes) of a drive, over that of its outer tracks.

    A track holds bytes by its length. So the rate at the inner edge of the part is the square root of the area within
    it, as a part of all of the disk, and the mean over all bytes lies halfway between there and the outer tracks.
    """
    return (1 + math.sqrt(1 - part * (1 - INNER**2))) / 2


def seek(stated: dict[str, Any]) -> float:
    """Return the average seek (s) of a drive of which so much is stated; 0 of flash."""
    return SEEKS[_nearest(stated)] if stated.get("technology") == "hdd" else 0.0


def chunk(stated: dict[str, Any], size: float) -> float:
    """Return the bytes between two seeks of a hard drive, so many by its class; without end of flash."""
    return size if stated.get("technology") == "hdd" else math.inf


def _nearest(stated: dict[str, Any]) -> int:
    """Return the turns a minute of the class to which a hard drive belongs."""
    turns = stated.get("rpm") or RPM
    return min(OUTER_RATES, key=lambda known: abs(math.log(known / turns)))
