"""Requests, one by one or summed up, as a workload: kinds with sizes as they were, their rate, and how long they took.

Sizes are taken together in classes, each with its own mean, so that a mix of small and large objects stays one. Times
are counted in classes of 2.5 %: the memory that this takes does not grow with the requests.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from models import units
from models.units import DAY
from profiles.imports.dates import day_at
from profiles.imports.finding import Finding, Measure, Workload

PERCENTILES: dict[Measure, float] = {"p50": 0.5, "p90": 0.9, "p99": 0.99, "p99.9": 0.999}
LEAST = {"p50": 2, "p90": 10, "p99": 100, "p99.9": 1000}
"""Requests from which a percentile is told."""
FINENESS = 40.0
"""Classes of times within a factor of e."""
CLASS = 3
"""Binary digits of a class of sizes: 1 to 8 KiB, to 64 KiB, and so on. Assumption."""
SMALL = 0.01
"""Part of all requests and bytes below which a class joins the next. Assumption."""
COUNT = 5_000
"""Requests of a run, at most. Assumption: enough to know the slowest hundredth."""
BIN = 300.0
"""Seconds over which a busiest rate is told. Assumption: five minutes, as in most monitoring."""
MOST_DAYS = 4000
"""Days of a log. Assumption: nobody keeps one for eleven years; a time is wrong then."""
_SMALLER = {"PB": "TB", "TB": "GB", "GB": "MB", "MB": "kB", "kB": "B"}
MOVES = ("get", "put")


@dataclass(slots=True)
class Kind:
    """Requests of one action and class of sizes: their number, sizes, bytes that moved, and times by class."""

    action: str
    is_range: bool = False
    count: int = 0
    size: float = 0.0
    moved: float = 0.0
    line: int | None = None
    times: Counter[int] = field(default_factory=Counter)

    def join(self, other: Kind) -> None:
        """Take in another class."""
        self.count += other.count
        self.size += other.size
        self.moved += other.moved
        self.times.update(other.times)

    @property
    def mean_size(self) -> float:
        """Mean size of the objects (B)."""
        return self.size / self.count

    def percentile(self, share: float) -> float:
        """Return the time (s) within which a share of the requests ended."""
        wanted, seen = share * sum(self.times.values()), 0
        for place in sorted(self.times):
            seen += self.times[place]
            if seen >= wanted:
                return math.exp((place + 0.5) / FINENESS)
        return 0.0


@dataclass(slots=True)
class Load:
    """Requests between two times (s); `bins` counts them over the time, `ingested` the bytes of uploads by day."""

    kinds: dict[tuple[str, int, bool], Kind] = field(default_factory=dict)
    first: float = math.inf
    last: float = -math.inf
    busy: float = 0.0
    bins: Counter[int] = field(default_factory=Counter)
    ingested: Counter[int] = field(default_factory=Counter)

    def add(self, action: str, size: float, moved: float, start: float, duration: float, line: int) -> None:
        """Count a request of an object of a size (B), of which so many bytes moved, for so long (s)."""
        is_range = action == "get" and 0 < moved < size
        place = int(size).bit_length() // CLASS if action in MOVES else 0
        kind = self.kinds.get((action, place, is_range))
        if kind is None:
            kind = self.kinds[action, place, is_range] = Kind(action, is_range, line=line)
        kind.count += 1
        kind.size += size
        kind.moved += moved
        if duration > 0:
            kind.times[int(math.log(duration) * FINENESS // 1)] += 1
            self.busy += duration
        self.bins[int(start // BIN)] += 1
        if action == "put":
            self.ingested[int(start // DAY)] += int(moved)
        self.first = min(self.first, start)
        self.last = max(self.last, start + duration)

    @property
    def count(self) -> int:
        """Number of all requests."""
        return sum(kind.count for kind in self.kinds.values())

    @property
    def window(self) -> float:
        """Seconds from the first request to the end of the last."""
        return max(self.last - self.first, 0.0)

    def named(self) -> Mapping[str, Kind]:
        """Return the kinds by name, small classes joined with the next larger."""
        total, moved = self.count, sum(kind.moved for kind in self.kinds.values())
        kinds: dict[str, Kind] = {}
        for action, is_range in dict.fromkeys((key[0], key[2]) for key in self.kinds):
            mine = [self.kinds[key] for key in sorted(self.kinds) if (key[0], key[2]) == (action, is_range)]
            classes = list(_joined((kind for kind in mine if kind.size or action not in MOVES), total, moved))
            for kind in classes:
                kinds[_name(kind, len(classes))] = kind
        return kinds


def _joined(kinds: Iterable[Kind], total: int, moved: float) -> Iterator[Kind]:
    """Yield kinds of growing size, each large enough to matter."""
    waiting: Kind | None = None
    for kind in kinds:
        if waiting:
            waiting.join(kind)
        else:
            waiting = Kind(
                kind.action, kind.is_range, kind.count, kind.size, kind.moved, kind.line, Counter(kind.times)
            )
        if waiting.count >= SMALL * total or waiting.moved >= SMALL * moved > 0:
            yield waiting
            waiting = None
    if waiting:
        yield waiting


def _name(kind: Kind, classes: int) -> str:
    name = f"{kind.action.upper()}{' range' if kind.is_range else ''}"
    return name if classes == 1 else f"{name} {_whole(kind.mean_size)}"


def _whole(size: float) -> str:
    """Return a size to three digits without a point, which would part a key: 6.28 MB is "6280 kB"."""
    text = units.format(size, "B", 3)
    number, _, unit = text.partition(" ")
    if "." not in number:
        return text
    return f"{float(number) * 1000:.0f} {_SMALLER[unit]}" if unit in _SMALLER else f"{float(number):.0f} {unit}"


def closed(load: Load, finding: Finding, *, threads: int, clients: int = 1, window: float | None = None) -> Workload:
    """State a load of threads that each wait for their last request, as benchmarks send it, over a `window` (s)."""
    work = _stated(load, finding, window or load.window)
    work.put("threads", max(round(threads / clients), 1), line=work.values["kind"].line)
    work.clients = clients
    return work


def open_(load: Load, finding: Finding) -> Workload:
    """State a load as it came, at the mean rate, and tell the busiest time."""
    work = _stated(load, finding, load.window)
    rate = load.count / load.window
    work.put("rate", rate, "1/s", line=work.values["kind"].line)
    _days(load, finding)
    busiest = max(load.bins.values()) / min(BIN, load.window)
    if busiest > rate:
        ratio = busiest / rate
        finding.warn(
            None,
            f"{load.count:,} requests in {units.format_duration(load.window)}, {rate:.4g} a second; in the busiest five"
            f" minutes {busiest:.4g} a second, {ratio:.3g} times as many: try --set 'workload.rate={busiest:.4g} 1/s'",
        )
    return work


def _days(load: Load, finding: Finding) -> None:
    """State the requests and the uploads a second of each whole day; of less than that, of the time that there is."""
    first, last = math.ceil(load.first / DAY), math.floor(load.last / DAY)
    counts: Counter[int] = Counter()
    for place, count in load.bins.items():
        counts[int(place * BIN // DAY)] += count
    whole = range(first, last) if last > first else []
    if len(whole) > MOST_DAYS:
        finding.warn(None, f"its times span {len(whole):,} days: one of them is wrong, so that its days are left out")
        return
    for day in whole:
        finding.sample("rate", day_at(day * DAY), counts[day] / DAY)
        finding.sample("ingest", day_at(day * DAY), load.ingested[day] / DAY)
    if not whole:
        finding.sample("rate", day_at(load.first), load.count / load.window)
        finding.sample("ingest", day_at(load.first), sum(load.ingested.values()) / load.window)


def _stated(load: Load, finding: Finding, window: float) -> Workload:
    named = load.named()
    first = min((kind.line for kind in named.values() if kind.line), default=None)
    work = finding.work("requests", line=first)
    work.put("count", min(load.count, COUNT), line=first)
    total = sum(kind.count for kind in named.values())
    for name, kind in named.items():
        work.put(f"mix.{name}.action", kind.action, line=kind.line)
        work.put(f"mix.{name}.weight", round(kind.count / total, 6), line=kind.line)
        if kind.action in MOVES:
            work.put(f"mix.{name}.size", kind.mean_size, "B", line=kind.line)
        if kind.is_range:
            work.put(f"mix.{name}.range", kind.moved / kind.count, "B", line=kind.line)
        if window > 0:
            work.outcome(name, "rate", kind.count / window, kind.line)
            if kind.action in MOVES:
                work.outcome(name, "throughput", kind.moved / window, kind.line)
        for measure, share in PERCENTILES.items():
            if sum(kind.times.values()) >= LEAST[measure]:
                work.outcome(name, measure, kind.percentile(share), kind.line)
    return work
