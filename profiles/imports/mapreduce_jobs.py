"""Jobs of MapReduce as their histories tell them: the attempts that won, as a stage of maps and one of reduces.

CPU time of a task is that of its process, in which garbage collection and sorting are contained. What a task read back
from local files it had spilled before. A reduce counts from the end of the last map: what it fetched before ran beside
the maps. Committing the output, and telling the client, is a stage of one task that waits.

Source: Apache Hadoop, TaskCounter, FileSystemCounter and JobCounter; Events.avpr.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Literal

from profiles.imports.finding import Finding, Workload
from profiles.imports.observed_stages import NUMBERS, Stage, divided, placed, state
from profiles.imports.schemes import storage_of
from profiles.imports.streams import MOST_ALONE, Stream

MS = 1e-3
TaskKind = Literal["map", "reduce"]
KINDS: dict[str, TaskKind] = {"MAP": "map", "REDUCE": "reduce"}
"""Tasks that move data; those of set-up and clean-up do not."""
QUERY = "job"
_LOCAL = "FILE_BYTES_"


@dataclass(slots=True)
class MapReduceJob:
    """One job on its way: times in seconds since 1970, attempts by their name until they end."""

    submitted: float | None = None
    launched: float | None = None
    finished: float | None = None
    line: int | None = None
    maps: Stage = field(default_factory=lambda: Stage("map", QUERY))
    reduces: Stage = field(default_factory=lambda: Stage("reduce", QUERY))
    lost: Counter[str] = field(default_factory=Counter)
    begun: dict[str, float] = field(default_factory=dict)
    spans: list[tuple[float, float, str, TaskKind]] = field(default_factory=list)
    moved: Counter[str] = field(default_factory=Counter)
    """Bytes by the scheme of their file system."""

    @property
    def count(self) -> int:
        """Tasks that have ended."""
        return self.maps.tasks.count + self.reduces.tasks.count

    def end(
        self,
        kind: TaskKind,
        span: tuple[float, float],
        counters: Mapping[str, float],
        *,
        host: str = "",
        shuffled: float = 0.0,
        line: int | None = None,
    ) -> None:
        """Count a task from its start to its end; a reduce had `shuffled` when it held the output of all maps."""
        stage, (start, finish) = (self.maps if kind == "map" else self.reduces), span
        self.spans.append((start, finish, host, kind))
        if kind == "reduce" and self.maps.finished is not None:
            start = min(max(start, self.maps.finished), finish)
        for name, value in counters.items():
            scheme, _, rest = name.partition("_BYTES_")
            if rest in {"READ", "WRITTEN"} and not name.startswith(_LOCAL):
                self.moved[scheme] += int(value)
        stage.add(start, finish, _numbers(kind, finish - start, max(shuffled - start, 0.0), counters))
        stage.line = line

    @property
    def begin(self) -> float:
        """When it was submitted, as far as the history tells."""
        known = [time for time in (self.submitted, self.launched, self.maps.launched) if time is not None]
        return known[0] if known else 0.0

    def fill(self, work: Workload) -> None:
        """State the work of the job."""
        slots = slots_by_host([self])
        if slots:
            work.put("framework.executors", math.ceil(sum(slots.values()) / len(slots)))
            work.put("framework.cores", 1)
        begun = {} if self.submitted is None else {QUERY: self.submitted}
        state(work, placed(self._stages(), begun))

    def tell(self, finding: Finding) -> None:
        """State the work of the job by itself, and how long it took."""
        work = finding.work("observed")
        self.fill(work)
        if self.submitted is not None and self.finished is not None:
            work.outcome("", "duration", self.finished - self.submitted, self.line)

    def _stages(self) -> list[Stage]:
        """Return the stages that did something: maps, reduces behind them, and what came after the last task."""
        stages = [stage for stage in (self.maps, self.reduces) if stage.tasks.count]
        for stage in stages:
            stage.count = stage.tasks.count
            stage.ended = stage.finished
        if self.maps.tasks.count and self.launched is not None:
            self.maps.submitted = min(self.launched, self.maps.launched or math.inf)
        if self.reduces.tasks.count and self.maps.finished is not None:
            self.reduces.submitted = self.maps.finished
        last = max((stage.end for stage in stages), default=0.0)
        if stages and self.finished is not None and self.finished > last:
            commit = Stage("commit", QUERY, submitted=last, ended=self.finished, line=self.line)
            commit.add(last, self.finished, [self.finished - last if name == "wait" else 0.0 for name in NUMBERS])
            stages.append(commit)
        return stages


def _numbers(kind: TaskKind, seconds: float, fetching: float, counters: Mapping[str, float]) -> tuple[float, ...]:
    """Return what a task did, in the order of NUMBERS; CPU time is not told before Hadoop 0.21: the whole run is."""
    cpu = counters["CPU_MILLISECONDS"] * MS if "CPU_MILLISECONDS" in counters else seconds
    collection = min(counters.get("GC_TIME_MILLIS", 0.0) * MS, cpu)
    stored = {
        way: sum(value for name, value in counters.items() if name.endswith(way) and not name.startswith(_LOCAL))
        for way in ("_BYTES_READ", "_BYTES_WRITTEN")
    }
    made = counters.get("MAP_OUTPUT_MATERIALIZED_BYTES", counters.get("MAP_OUTPUT_BYTES", 0.0))
    moved = (
        stored["_BYTES_READ"],
        counters.get("REDUCE_SHUFFLE_BYTES", 0.0) if kind == "reduce" else 0.0,
        made if kind == "map" else 0.0,
        counters.get("FILE_BYTES_READ", 0.0),
        stored["_BYTES_WRITTEN"],
    )
    return divided(seconds, seconds, cpu - collection, collection, fetching, moved)[0]


def slots_by_host(jobs: Iterable[MapReduceJob]) -> dict[str, int]:
    """Return the most maps, or reduces if these were more, that ran at a time on each host.

    Reduces that begin early hold slots while they wait for maps, so that both together are no measure.
    """
    changes = sorted(
        change
        for job in jobs
        for start, end, host, kind in job.spans
        for change in ((end, -1, host, kind), (start, 1, host, kind))
    )
    running: Counter[tuple[str, str]] = Counter()
    most: dict[str, int] = {}
    for _, change, host, kind in changes:
        running[host, kind] += change
        if host:
            most[host] = max(most.get(host, 0), running[host, kind])
    return most


def tell_jobs(jobs: Iterable[MapReduceJob], finding: Finding) -> None:
    """State the work of jobs, the servers on which their tasks ran, and the storage system that they read and wrote."""
    done = [job for job in jobs if job.count]
    if not done:
        finding.complain(None, "no task has ended in it: expected the history of a job that did some work")
        return
    slots = slots_by_host(done)
    cores = math.ceil(sum(slots.values()) / max(len(slots), 1))
    for host in slots:
        server = finding.part("server", host=host, is_listed=True)
        server.put("cpu.cores", cores)
        server.put("cpu.threads", cores)
    if slots:
        finding.warn(None, f"{cores} cores a server are the most tasks that ran at a time; add lscpu -J of a server")
    moved = sum((job.moved for job in done), Counter[str]())
    if moved and (kind := storage_of(moved.most_common(1)[0][0])):
        finding.part("storage").put("kind", kind)
    if len(done) <= MOST_ALONE:
        for job in done:
            job.tell(finding)
    else:
        _tell_stream(done, finding)
    for why, count in sum((job.lost for job in done), Counter[str]()).items():
        finding.leave_out(None, f"{count} {why} attempts at tasks", "what they took is not part of the work")


def _tell_stream(jobs: Iterable[MapReduceJob], finding: Finding) -> None:
    stream = Stream("s")
    for job in jobs:
        spent = job.maps.tasks.seconds + job.reduces.tasks.seconds
        seconds = None if job.finished is None else job.finished - job.begin
        stream.add("job", spent, (), job.begin, seconds=seconds, member=job, line=job.line)
    stream.tell(finding, "observed", lambda work, job_class: job_class.member.fill(work))
