"""Many jobs as a stream: classes of alike jobs, each with one that stands for it and the times at which they came.

Alike are jobs of a shape, such as those that shuffle, within a factor of a hundred in size. A class that holds less
than a hundredth of all jobs and of their sizes joins the next larger one of its shape. A few jobs keep the times at
which they came; of many each class comes at random at its mean rate, for as long as brings `MOST_RUNS` of all.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from models import units
from models.units import HOUR
from profiles.imports.finding import Finding, Workload

MOST_RUNS = 100
"""Jobs that a profile runs. Assumption: enough for their mean, and simulated within minutes."""
MOST_ALONE = 8
"""Histories of jobs of which each becomes a profile; more are a stream. Assumption: nobody looks at more."""
MOST_KEPT = 64
"""Jobs of a class among which the one that stands for it is chosen. Assumption."""
SMALL = 0.01
"""Part of all jobs and of their sizes below which a class joins the next. Assumption."""
CLASS = 100.0
"""Sizes of a class within this factor. Assumption: jobs of a trace span ten powers of ten."""
ALONE = "alone"


@dataclass(slots=True)
class JobClass:
    """Alike jobs: their number, sizes, sums of their numbers, seconds and first arrivals; `kept` are some of them."""

    shape: str
    count: int = 0
    size: float = 0.0
    sums: list[float] = field(default_factory=list)
    seconds: float = 0.0
    ended: int = 0
    line: int | None = None
    arrivals: list[float] = field(default_factory=list)
    kept: list[tuple[float, Any]] = field(default_factory=list)

    @property
    def means(self) -> list[float]:
        """Means of the numbers of a job."""
        return [value / self.count for value in self.sums]

    @property
    def member(self) -> Any:
        """The job that is nearest to the mean size, of those that were kept."""
        mean = self.size / self.count
        return min(self.kept, key=lambda entry: abs(entry[0] - mean))[1]

    def join(self, other: JobClass) -> None:
        """Take in another class."""
        self.count, self.size = self.count + other.count, self.size + other.size
        self.sums = [a + b for a, b in zip(self.sums, other.sums, strict=True)]
        self.seconds, self.ended = self.seconds + other.seconds, self.ended + other.ended
        self.arrivals += other.arrivals
        self.kept += other.kept


@dataclass(slots=True)
class Stream:
    """Jobs by class. `unit` is that of their sizes, for names.

    Their seconds are those since they came, or `ALONE`, without those in which they waited for others.
    """

    unit: str
    measured: str = "duration"
    classes: dict[tuple[str, int], JobClass] = field(default_factory=dict)
    count: int = 0
    first: float = math.inf
    last: float = -math.inf
    hours: Counter[int] = field(default_factory=Counter)

    def add(
        self,
        shape: str,
        size: float,
        numbers: Sequence[float],
        at: float,
        *,
        seconds: float | None = None,
        member: Any = None,
        line: int | None = None,
    ) -> None:
        """Count a job of a shape and size that came then (s) and took so long (s), if that is known."""
        key = shape, int(math.log(max(size, 1.0), CLASS))
        known = self.classes.get(key)
        if known is None:
            known = self.classes[key] = JobClass(shape, sums=[0.0] * len(numbers), line=line)
        known.count, known.size = known.count + 1, known.size + size
        known.sums = [a + b for a, b in zip(known.sums, numbers, strict=True)]
        if seconds is not None:
            known.seconds, known.ended = known.seconds + seconds, known.ended + 1
        if self.count < MOST_RUNS:
            known.arrivals.append(at)
        if len(known.kept) < MOST_KEPT:
            known.kept.append((size, member))
        self.count += 1
        self.first, self.last = min(self.first, at), max(self.last, at)
        self.hours[int(at // HOUR)] += 1

    def tell(self, finding: Finding, kind: str, fill: Callable[[Workload, JobClass], None]) -> None:
        """State a workload of a kind for each class, which `fill` completes, and how busy the busiest hour was."""
        span = max(self.last - self.first, 1.0)
        for name, job_class in self._named():
            work = finding.entry(kind, job_class.line)
            work.put("name", name, line=job_class.line)
            if self.count <= MOST_RUNS:
                work.put("arrivals", [units.format(at - self.first, "s", 6) for at in sorted(job_class.arrivals)])
            else:
                work.put("arrival_rate", job_class.count / span, "1/s", job_class.line)
                work.put("until", span * MOST_RUNS / self.count, "s", job_class.line)
            fill(work, job_class)
            work.outcomes.clear()  # those of the one job that stands for all
            if job_class.ended:
                work.outcome(f"{name}.{self.measured}", "duration", job_class.seconds / job_class.ended, job_class.line)
        self._tell_rate(span, finding)

    def _tell_rate(self, span: float, finding: Finding) -> None:
        text = f"{self.count:,} jobs in {units.format_duration(span)}, {_few(self.count * HOUR / span)} an hour"
        busiest = max(self.hours.values()) / (self.count * min(HOUR / span, 1.0))
        if span > HOUR and busiest > 1:
            text += f"; in the busiest hour {_few(busiest)} times as many"
        if self.count > MOST_RUNS:
            text += f"; the profile runs about {MOST_RUNS} of them, at the mean rates: larger jobs come by chance"
        finding.warn(None, text)

    def _named(self) -> Iterator[tuple[str, JobClass]]:
        total = sum(job_class.size for job_class in self.classes.values())
        names: Counter[str] = Counter()
        for shape in dict.fromkeys(shape for shape, _ in self.classes):
            mine = (self.classes[key] for key in sorted(self.classes) if key[0] == shape)
            for job_class in _joined(mine, self.count, total):
                name = f"{shape}-{units.format(job_class.size / job_class.count, self.unit, 2)}".replace(
                    " ", "-"
                ).replace(".", "_")
                names[name] += 1
                yield name if names[name] == 1 else f"{name}-{names[name]}", job_class


def _joined(classes: Iterable[JobClass], count: int, size: float) -> Iterator[JobClass]:
    """Yield classes of growing size, each large enough to matter."""
    waiting: JobClass | None = None
    for job_class in classes:
        if waiting:
            job_class.join(waiting)
        waiting = job_class
        if job_class.count >= SMALL * count or job_class.size >= SMALL * size > 0:
            yield job_class
            waiting = None
    if waiting:
        yield waiting


def _few(value: float) -> str:
    """Return a number in three digits, not as a power of ten: "0.000239", "16,700"."""
    return units.format(value, "1", 3) if value < 1 else f"{float(f'{value:.3g}'):,.12g}"
