"""sysstat as JSON, `sadf -j` and `iostat -o JSON -x`: how busy processors, drives and cards of a server were.

Waiting for drives is idle time of a processor. What iostat prints first is the mean since the server started. A busy
drive of flash is not a full one: it may take more at the same time.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from profiles.imports.finding import Finding
from profiles.imports.objects import objects
from profiles.imports.opening import Source

NAME = "sysstat"

_WHOLE = re.compile(r"(sd[a-z]+|vd[a-z]+|xvd[a-z]+|hd[a-z]+|nvme\d+n\d+|dev\d+-\d+)$")
"""Whole drives as the kernel names them: no partitions, volumes or loops."""
_LOCAL = {"lo"}
HOURS = 24
USED = {"cpu": "cpu", "disk": "drives", "network": "network"}
"""What a background calls what is busy."""
FULLEST = 0.95
"""Part of a resource that others use at most: they give way to work that asks. Assumption."""


@dataclass(slots=True)
class Busy:
    """How busy a kind of resource was: seconds, seconds busy, and the busiest share over one sample."""

    seconds: float = 0.0
    busy: float = 0.0
    peak: float = 0.0
    hours: dict[int, list[float]] = field(default_factory=dict)

    def add(self, share: float, seconds: float, hour: int | None = None) -> None:
        """Take in the mean share over so many seconds; a drive may be told as busier than it can be."""
        share = min(max(share, 0.0), 1.0)
        self.seconds += seconds
        self.busy += share * seconds
        self.peak = max(self.peak, share)
        if hour is not None:
            known = self.hours.setdefault(hour, [0.0, 0.0])
            known[0] += share * seconds
            known[1] += seconds

    @property
    def mean(self) -> float:
        """Mean share of the time."""
        return self.busy / self.seconds

    def by_hour(self) -> list[float]:
        """Return the mean share of each hour of the day, that of all where an hour was not seen; one for too few."""
        seen = {hour: busy / seconds for hour, (busy, seconds) in self.hours.items() if seconds > 0}
        hours = range(HOURS) if len(seen) > 1 else [0]
        return [round(min(seen.get(hour, self.mean), FULLEST), 4) for hour in hours]


@dataclass(slots=True)
class Usage:
    """How busy a server was, by what is busy: "cpu", "disk", "network"."""

    kinds: dict[str, Busy] = field(default_factory=dict)

    def add(self, about: str, share: float, seconds: float, hour: int | None = None) -> None:
        """Take in the mean share of a resource over so many seconds, at an hour of the day if that is told."""
        self.kinds.setdefault(about, Busy()).add(share, seconds, hour)

    def state(self, finding: Finding, line: int) -> None:
        """State the mean of each kind, and tell its peak."""
        part = finding.part("background")
        for about, busy in self.kinds.items():
            if busy.seconds > 0:
                finding.outcome(about, "utilisation", busy.mean, line)
                part.put(USED[about], busy.by_hour(), line=line)
                finding.warn(line, f"{about} was at most {busy.peak:.0%} busy, over the interval of a sample")
        if not any(busy.seconds > 0 for busy in self.kinds.values()):
            finding.leave_out(line, "the counters", "they tell nothing of processors, drives or cards")


def recognises(head: str) -> bool:
    """Tell whether a file holds JSON of sysstat."""
    return re.search(r'\{\s*"sysstat"\s*:\s*\{', head) is not None


def read(source: Source, finding: Finding) -> None:
    """Add the utilisation of servers to a finding.

    Raises:
        KeyError, TypeError, ValueError: an object is not as sysstat writes it.
    """
    usage, line = Usage(), 1
    for line, data in objects(source.text(), finding):
        for host in data["sysstat"]["hosts"]:
            if threads := host.get("number-of-cpus"):
                finding.part("server").put("cpu.threads", int(threads), line=line)
            _samples(host["statistics"], usage)
    usage.state(finding, line)


def _samples(samples: list[Mapping[str, Any]], usage: Usage) -> None:
    is_iostat = any("avg-cpu" in sample for sample in samples)
    for sample in samples[1:] if is_iostat and len(samples) > 1 else samples:
        seconds = float(sample.get("timestamp", {}).get("interval", 1)) if not is_iostat else 1.0
        hour = _hour(sample)
        for idle in _idle(sample):
            usage.add("cpu", 1 - idle, seconds, hour)
        for name, share in _drives(sample.get("disk", [])):
            if _WHOLE.match(name):
                usage.add("disk", share, seconds, hour)
        for card in sample.get("network", {}).get("net-dev", []):
            if card["iface"] not in _LOCAL and float(card.get("ifutil-percent", 0)) > 0:
                usage.add("network", float(card["ifutil-percent"]) / 100, seconds, hour)


def _hour(sample: Mapping[str, Any]) -> int | None:
    """Return the hour of the day as it was printed, None where there is no time."""
    stamp = sample.get("timestamp", {})
    match = re.search(r"(\d\d):\d\d", f"{stamp.get('time', '') if isinstance(stamp, Mapping) else stamp}")
    return int(match[1]) % HOURS if match else None


def _idle(sample: Mapping[str, Any]) -> Iterator[float]:
    """Yield the idle share of all processors of a sample."""
    loads = [sample["avg-cpu"]] if "avg-cpu" in sample else sample.get("cpu-load-all", sample.get("cpu-load", []))
    for load in loads:
        if load.get("cpu", "all") in ("all", -1):
            yield (float(load["idle"]) + float(load.get("iowait", 0))) / 100


def _drives(disks: list[Mapping[str, Any]]) -> Iterator[tuple[str, float]]:
    for disk in disks:
        share = disk.get("util-percent", disk.get("util"))
        if share is not None:
            yield disk.get("disk-device") or disk["disk_device"], float(share) / 100
