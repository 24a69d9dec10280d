"""Event logs of Apache Spark 2 to 4: rolling or in one file, in progress or broken off, of any distribution.

Every line is an event. What a stage did comes from the ends of its tasks: winners only, so that failed, killed and
overtaken attempts count as lost work and are told of. Executors tell the cluster, the environment the settings. Events
are taken in any order, as the pieces of a rolled log come in the order of their names.

Of names nothing is kept: a query is "sql" and its number, a stage its number and, from the second on, its attempt.
Source: Apache Spark, JsonProtocol.scala, EventLoggingListener.scala, and logs of 2.2 to 3.4.
"""

from __future__ import annotations

import json
import math
import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from itertools import accumulate
from typing import Any, cast

from profiles.imports.finding import Finding, Workload
from profiles.imports.observed_stages import Stage, divided, one_server, placed, state
from profiles.imports.opening import Source
from profiles.imports.schemes import schemes_in, storage_of
from profiles.imports.streams import MOST_ALONE, Stream

NAME = "Spark event log"
PIECES = True

_EVENT = re.compile(r'^\{"Event":"(?:[\w.]*\.)?(SparkListener|DBCEventLogging)\w+"', re.MULTILINE)
_BEGIN = '{"Event":"'
_ACCUMULATED = '"Accumulables":['
_EXECUTION = re.compile(r'"executionId":(\d+)')
_TIME = re.compile(r'"time":(\d{12,14})')
_END = 4096
"""Letters at the end of a line among which a time stands. Assumption: after the plan, which may be of any length."""
_PLAN = 2**20
"""Letters of a plan in which paths are looked for. Assumption: tables stand in its first description."""
_MS, _NS = 1e-3, 1e-9
_SAID = (
    ("spark.executor.memory", "memory", "MiB"),
    ("spark.sql.files.maxPartitionBytes", "split_size", "B"),
)
"""Sizes among the settings, with the unit of a number without one. Source: Apache Spark, configuration."""
_NUMBERS = (
    ("spark.memory.fraction", "memory_fraction", float),
    ("spark.sql.shuffle.partitions", "shuffle_partitions", int),
)
_FILE_SYSTEM = "fs.defaultFS"
_SIZE = re.compile(r"(\d+)\s*([kmgtp]?)(?:i?b)?", re.IGNORECASE)
UNEXPLAINED = 0.25
"""Part of the time of tasks that is neither computing, nor collecting garbage, nor fetching, from which on it is told.
Assumption."""


def recognises(head: str) -> bool:
    """Tell whether a file is an event log, or a piece of one."""
    return _EVENT.search(head) is not None


def read(source: Source, finding: Finding) -> None:
    """Add the work, its outcome, the servers and the settings of an event log to a finding.

    Raises:
        KeyError, TypeError, ValueError: an event is not as Spark writes it.
    """
    logs = [_Log()]
    bad: list[int] = []
    for number, line in source.lines():
        name = _name(line)
        if name == "SparkListenerLogStart" and logs[-1].is_begun:
            logs.append(_Log())
        logs[-1].is_begun |= name == "SparkListenerLogStart"
        take = _TAKEN.get(name)
        if take is None:
            continue
        try:
            take(logs[-1], _event(name, line), number)
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
            bad.append(number)
    if bad:
        lost = f"{len(bad)} events cannot be read, this is the first" if len(bad) > 1 else "this event cannot be read"
        finding.warn(bad[0], f"{lost}: left out")
    done = [log for log in logs if log.seconds > 0]
    if not done:
        finding.complain(None, "no task has ended in it: expected the log of an application that did some work")
        return
    largest = max(done, key=lambda log: log.seconds)
    largest.tell_servers(finding)
    largest.tell_storage(finding)
    if len(done) <= MOST_ALONE:
        for log in done:
            log.tell(finding)
    else:
        _tell_stream(done, finding)


def _tell_stream(logs: Iterable[_Log], finding: Finding) -> None:
    """State applications as kinds of jobs that come one after the other."""
    stream = Stream("s")
    for log in logs:
        begin, end = log.span
        stream.add("application", log.seconds, (), begin, seconds=end - begin, member=log)
    stream.tell(finding, "observed", lambda work, job_class: job_class.member.fill(work))


def _name(line: str) -> str:
    """Return the name of the event of a line, without its package, "" where it has none."""
    if not line.startswith(_BEGIN):
        return ""
    return line[len(_BEGIN) : line.find('"', len(_BEGIN))].rpartition(".")[2]


def _event(name: str, line: str) -> Mapping[str, Any]:
    """Return an event, without what is long and not needed: the plan of a query, and accumulators of a task."""
    if name == "SparkListenerSQLExecutionStart":
        return _start_of_query(line)
    begin = line.find(_ACCUMULATED) + len(_ACCUMULATED) if name == "SparkListenerTaskEnd" else 0
    if begin >= len(_ACCUMULATED):
        try:
            return cast(Mapping[str, Any], json.loads(line[:begin] + line[line.find("]}", begin) :]))
        except ValueError:  # a value of one of them is a list
            pass
    return cast(Mapping[str, Any], json.loads(line))


def _start_of_query(line: str) -> dict[str, Any]:
    """Return number, time and schemes of paths of a query; its plan between them may have a hundred million letters."""
    execution, times = _EXECUTION.search(line[:_END]), _TIME.findall(line[-_END:])
    if execution is None or not times:
        raise ValueError
    return {"executionId": int(execution[1]), "time": int(times[-1]), "schemes": schemes_in(line[:_PLAN])}


@dataclass(slots=True)
class _Log:
    """One application."""

    is_begun: bool = False
    stages: dict[tuple[int, int], Stage] = field(default_factory=dict)
    queries: dict[int, str] = field(default_factory=dict)
    begun: dict[str, float] = field(default_factory=dict)
    changes: list[tuple[float, str, int, str]] = field(default_factory=list)  # time, host, cores, executor
    executors: dict[str, tuple[str, int]] = field(default_factory=dict)
    came: dict[str, float] = field(default_factory=dict)
    idle: Counter[str] = field(default_factory=Counter)  # slots of an executor that have not had a task
    settings: dict[str, str] = field(default_factory=dict)
    lost: Counter[str] = field(default_factory=Counter)
    schemes: Counter[str] = field(default_factory=Counter)
    file_systems: list[str] = field(default_factory=list)
    unexplained: float = 0.0

    @property
    def seconds(self) -> float:
        """Seconds of all its tasks."""
        return sum(stage.tasks.seconds for stage in self.stages.values())

    def stage(self, number: int, attempt: int) -> Stage:
        """Return a stage by its number and attempt."""
        known = self.stages.get((number, attempt))
        if known is None:
            name = f"{number}.{attempt}" if attempt else f"{number}"
            known = self.stages[number, attempt] = Stage(name)
        return known

    def on_start_of_query(self, event: Mapping[str, Any], line: int) -> None:
        self.begun[f"sql {event['executionId']}"] = event["time"] * _MS
        self.schemes.update(event["schemes"])

    def on_job(self, event: Mapping[str, Any], line: int) -> None:
        execution = (event.get("Properties") or {}).get("spark.sql.execution.id")
        query = f"job {event['Job ID']}" if execution is None else f"sql {int(execution)}"
        if execution is None:
            self.begun[query] = event["Submission Time"] * _MS
        for number in event["Stage IDs"]:
            self.queries[int(number)] = query

    def on_stage(self, event: Mapping[str, Any], line: int) -> None:
        info = event["Stage Info"]
        stage = self.stage(int(info["Stage ID"]), int(info.get("Stage Attempt ID", 0)))
        stage.count = int(info["Number of Tasks"])
        stage.submitted = _time(info.get("Submission Time")) or stage.submitted
        ended = _time(info.get("Completion Time"))
        if ended is not None:
            stage.ended, stage.line = ended, line
            stage.tasks.settle()

    def on_start_of_task(self, event: Mapping[str, Any], line: int) -> None:
        stage = self.stage(int(event["Stage ID"]), int(event.get("Stage Attempt ID", 0)))
        stage.running += 1
        stage.most = max(stage.most or 0, stage.running)
        launched = float(event["Task Info"]["Launch Time"]) * _MS
        stage.launched = launched if stage.launched is None else min(stage.launched, launched)

    def on_task(self, event: Mapping[str, Any], line: int) -> None:
        info = event["Task Info"]
        self.stage(int(event["Stage ID"]), int(event.get("Stage Attempt ID", 0))).running -= 1
        reason = event.get("Task End Reason", {}).get("Reason", "Success")
        if reason != "Success" or info.get("Failed") or info.get("Killed"):
            self.lost["killed" if info.get("Killed") or reason == "TaskKilled" else "failed"] += 1
            return
        launched, finished = info["Launch Time"] * _MS, info["Finish Time"] * _MS
        numbers, unexplained = _numbers(finished - launched, event.get("Task Metrics") or {})
        self.unexplained += unexplained
        stage = self.stage(int(event["Stage ID"]), int(event.get("Stage Attempt ID", 0)))
        late = self._late(str(info.get("Executor ID", "")), launched, stage)
        stage.add(launched, max(finished, launched), numbers, late)

    def _late(self, executor: str, launched: float, stage: Stage) -> float:
        """Return how long after the first task of a stage a task had its slot, where it was the first of a new one."""
        stage.executors.add(executor)
        is_first, first = self.idle[executor] > 0, stage.launched
        self.idle[executor] -= 1
        return max(launched - first, 0.0) if is_first and first is not None and self.came[executor] > first else 0.0

    def on_executor(self, event: Mapping[str, Any], line: int) -> None:
        name, info = str(event["Executor ID"]), event["Executor Info"]
        self.executors[name] = str(info["Host"]), int(info["Total Cores"])
        self.came[name], self.idle[name] = float(event["Timestamp"]) * _MS, int(info["Total Cores"])
        self.changes.append((float(event["Timestamp"]), str(info["Host"]), int(info["Total Cores"]), name))

    def on_removed_executor(self, event: Mapping[str, Any], line: int) -> None:
        host, cores = self.executors.get(str(event["Executor ID"]), ("", 0))
        self.changes.append((float(event["Timestamp"]), host, -cores, str(event["Executor ID"])))

    def on_environment(self, event: Mapping[str, Any], line: int) -> None:
        self.settings.update({key: str(value) for key, value in event["Spark Properties"].items()})
        system = (event.get("Hadoop Properties") or {}).get(_FILE_SYSTEM) or self.settings.get(
            f"spark.hadoop.{_FILE_SYSTEM}"
        )
        self.file_systems = schemes_in(f"{system}")

    def tell(self, finding: Finding) -> None:
        """State the work by itself, and its outcome."""
        work = finding.work("observed")
        self.fill(work)
        self._tell_queries(self._done(), work)
        self._tell_what_is_missing(self._done(), finding)

    def fill(self, work: Workload) -> None:
        """State the work, and how its executors were set up."""
        for (number, _), stage in self.stages.items():
            stage.query = self.queries.get(number, "job")
        self._tell_settings(work)
        hosts = self._most_cores()
        slots = sum(cores for cores, _ in hosts.values())
        for stage in self._done():
            used = sum(self.executors[name][1] for name in stage.executors if name in self.executors)
            stage.most = min(stage.most, used) if stage.most and used else stage.most
        state(work, placed(self._done(), self.begun, self._scarce()), slots)

    def _done(self) -> list[Stage]:
        return [stage for stage in self.stages.values() if stage.tasks.count]

    @property
    def span(self) -> tuple[float, float]:
        """When its first query or stage began, and its last stage ended."""
        begin = min([stage.begin for stage in self._done()] + list(self.begun.values()))
        return begin, max(stage.end for stage in self._done())

    def _scarce(self) -> Callable[[float], bool]:
        """Return what tells whether at a moment fewer cores were alive than ever."""
        changes = sorted(self.changes)
        alive = list(accumulate(change for _, _, change, _ in changes))
        times = [time * _MS for time, *_ in changes]

        def is_scarce(time: float) -> bool:
            place = bisect_right(times, time)
            return bool(alive) and (alive[place - 1] if place else 0) < max(alive)

        return is_scarce

    def _tell_queries(self, done: list[Stage], work: Workload) -> None:
        """State how long each query took: to the end of its last stage."""
        for query in dict.fromkeys(stage.query for stage in done):
            mine = [stage for stage in done if stage.query == query]
            if all(stage.ended is not None for stage in mine):
                last = max(mine, key=lambda stage: stage.end)
                begun = self.begun.get(query, min(stage.begin for stage in mine))
                work.outcome(f"query {query}", "duration", last.end - begun, last.line)

    def _tell_what_is_missing(self, done: list[Stage], finding: Finding) -> None:
        if open_ones := sum(stage.ended is None for stage in done):
            finding.warn(None, f"{open_ones} stages had not ended: taken with the tasks that had")
        for why, count in self.lost.items():
            finding.leave_out(None, f"{count} {why} attempts at tasks", "what they took is not part of the work")
        share = self.unexplained / max(self.seconds, 1e-9)
        if share > UNEXPLAINED:
            text = f"{100 * share:.0f} % of the time of tasks is neither CPU time, garbage collection nor fetching"
            finding.warn(None, f"{text} (native code, Python, waits): it stays as it is on other hardware")
        if not any(stage.tasks.total("input") for stage in done):
            finding.warn(None, "no task tells bytes of input: reading does not change with the storage")

    def _tell_settings(self, work: Workload) -> None:
        """State how executors were set up, as far as the log says."""
        most = self._most_cores()
        if most:
            common, _ = Counter(cores for _, cores in self.executors.values()).most_common(1)[0]
            work.put("framework.cores", common)
            work.put("framework.executors", max(sum(cores for cores, _ in most.values()) // len(most) // common, 1))
        for key, name, unit in _SAID:
            if (size := _bytes(self.settings.get(key, ""), unit)) is not None:
                work.put(f"framework.{name}", size, "B")
        for key, name, kind in _NUMBERS:
            if (text := self.settings.get(key)) is not None:
                work.put(f"framework.{name}", kind(text))

    def tell_storage(self, finding: Finding) -> None:
        """State the kind of storage system behind most paths of its queries, else behind the default file system."""
        known = [scheme for scheme, _ in self.schemes.most_common(1)] or self.file_systems
        if known and (kind := storage_of(known[0])):
            finding.part("storage").put("kind", kind)

    def tell_servers(self, finding: Finding) -> None:
        """State the servers by the cores of the executors that were alive at once."""
        hosts = self._most_cores()
        most = [cores for cores, _ in hosts.values()]
        if not most:
            one_server(self.stages.values(), finding)
            return
        if min(most) < max(most):
            text = f"its {len(most)} hosts had {min(most)} to {max(most)} cores in executors"
            finding.warn(None, f"{text}: taken as equal")
        for host in hosts:
            server = finding.part("server", host=host, is_listed=True)
            server.put("cpu.cores", math.ceil(sum(most) / len(most)))
            server.put("cpu.threads", math.ceil(sum(most) / len(most)))

    def _most_cores(self) -> dict[str, tuple[int, int]]:
        """Return the most cores and executors that were alive at once on each host."""
        cores: Counter[str] = Counter()
        executors: Counter[str] = Counter()
        most: dict[str, tuple[int, int]] = {}
        for _, host, change, _ in sorted(self.changes):
            if not host or not change:
                continue
            cores[host] += change
            executors[host] += 1 if change > 0 else -1
            known = most.get(host, (0, 0))
            most[host] = max(known[0], cores[host]), max(known[1], executors[host])
        return most


def _time(value: object) -> float | None:
    return float(value) * _MS if isinstance(value, (int, float)) and value > 0 else None


def _bytes(text: str, unit: str) -> float | None:
    """Return the bytes of a setting such as 8g, None where it is none."""
    match = _SIZE.fullmatch(text.strip())
    if match is None:
        return None
    powers = {"": {"B": 0, "MiB": 2}[unit], "k": 1, "m": 2, "g": 3, "t": 4, "p": 5}
    return float(match[1]) * 1024.0 ** powers[match[2].lower()]


def _numbers(seconds: float, metrics: Mapping[str, Any]) -> tuple[tuple[float, ...], float]:
    """Return what a task did, in the order of NUMBERS, and the seconds that nothing explains.

    CPU time is not told before Spark 2.1, where the whole of a run is taken for it.
    """
    read, written = metrics.get("Shuffle Read Metrics") or {}, metrics.get("Shuffle Write Metrics") or {}
    run = metrics.get("Executor Run Time", 0) * _MS
    cpu = metrics.get("Executor CPU Time", 0) * _NS if "Executor CPU Time" in metrics else run
    moved = [
        float(bytes)
        for bytes in (
            (metrics.get("Input Metrics") or {}).get("Bytes Read", 0),
            read.get("Remote Bytes Read", 0) + read.get("Local Bytes Read", 0),
            written.get("Shuffle Bytes Written", 0),
            metrics.get("Disk Bytes Spilled", 0),
            (metrics.get("Output Metrics") or {}).get("Bytes Written", 0),
        )
    ]
    cpu += metrics.get("Executor Deserialize CPU Time", 0) * _NS
    collection, fetching = metrics.get("JVM GC Time", 0) * _MS, read.get("Fetch Wait Time", 0) * _MS
    return divided(seconds, run, cpu, collection, fetching, moved)


_TAKEN: dict[str, Callable[[_Log, Mapping[str, Any], int], None]] = {
    "SparkListenerSQLExecutionStart": _Log.on_start_of_query,
    "SparkListenerJobStart": _Log.on_job,
    "SparkListenerStageSubmitted": _Log.on_stage,
    "SparkListenerStageCompleted": _Log.on_stage,
    "SparkListenerTaskStart": _Log.on_start_of_task,
    "SparkListenerTaskEnd": _Log.on_task,
    "SparkListenerExecutorAdded": _Log.on_executor,
    "SparkListenerExecutorRemoved": _Log.on_removed_executor,
    "SparkListenerEnvironmentUpdate": _Log.on_environment,
}
"""What is taken of a log, by the name of the event."""
