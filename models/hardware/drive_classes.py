"""What small accesses take by class of drive: how it is attached says what it is.

Sources, all priors: data sheets of read-intensive drives of 3.8 to 7.7 TB: Intel S4510 and Samsung PM883 (sata), PM1643
(sas), Intel P4510 and PM983 (pcie-3), Intel P5510, PM9A3 and Micron 7450 (pcie-4), CD8P, CM7, PM1743 and Micron 9550
(pcie-5). Writes a second are sustained ones: those of a drive that is full and collects.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Literal, NamedTuple

Interface = Literal["sata", "sas", "pcie-3", "pcie-4", "pcie-5"]
RPM = 7200
"""Turns a minute of a hard drive that states none. Source: data sheets of all nearline drives."""
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
    """What small operations of flash take: seconds of a lone one, and how many end in a second at most."""

    read_latency: float
    write_latency: float
    read_iops: float
    write_iops: float

    def of(self, direction: Literal["read", "write"]) -> tuple[float, float]:
        """Return the latency (s) and the operations a second of reads or writes."""
        if direction == "read":
            return self.read_latency, self.read_iops
        return self.write_latency, self.write_iops


FLASH: Mapping[Interface, FlashClass] = MappingProxyType(
    {
        "sata": FlashClass(130e-6, 50e-6, 95e3, 30e3),
        "sas": FlashClass(130e-6, 40e-6, 375e3, 70e3),
        "pcie-3": FlashClass(90e-6, 20e-6, 600e3, 90e3),
        "pcie-4": FlashClass(80e-6, 16e-6, 1e6, 170e3),
        "pcie-5": FlashClass(65e-6, 10e-6, 2.5e6, 320e3),
    }
)
"""The usual drive of each class. Between drives of a class latencies lie within 0.75 and 1.25 times, reads a second
within 0.9 and 1.3, writes a second within 0.5 and 1.5."""


def interface_of(technology: str, read_bandwidth: float) -> Interface:
    """Return how a drive is attached that does not say it: by the slowest link that carries what it reads (B/s)."""
    if technology == "hdd":
        return "sata"
    names: tuple[Interface, ...] = ("sata", "sas") if technology == "ssd" else ("pcie-3", "pcie-4", "pcie-5")
    return next((name for name in names if read_bandwidth <= LINKS.get(name, 0.0)), names[-1])
