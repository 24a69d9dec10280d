"""Queries of Trino and Presto as their coordinators tell them: `/v1/query/ID` as JSON, a file for each query.

A stage is the drivers of its tasks, one task a worker: CPU time, bytes that scans read, exchanges fetch and hand on,
spills and output. Stages are pipelined: those that ran side by side do so again, and what a driver waited for another
stage is not part of the work. Queries of a folder are one record, in the order in which they were created.

Sizes and times are text, rounded to three digits; units of sizes count by 1024. Newer Presto gives those of tasks and
operators as numbers, with the unit at the end of their names: `totalCpuTimeInNanos`.
Source: Trino, QueryInfo.java, QueryStats.java, StageStats.java, TaskStats.java; Presto, TaskStats.java,
StageExecutionStats.java, OperatorStats.java, TaskInfo.java; airlift, DataSize.java, Duration.java.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from typing import Any
from urllib.parse import urlsplit

from profiles.imports.finding import Finding
from profiles.imports.objects import objects
from profiles.imports.observed_stages import NUMBERS, Query, Stage, busy_workers, state_queries
from profiles.imports.opening import Source

NAME = "Trino query"
PIECES = True

_TOLD = ('"queryId"', '"session"', '"queryStats"', '"outputStage"', '"memoryPool"')
_ENOUGH = 3
"""Keys of a query that a beginning holds at least. Assumption: its plan may stand before its numbers."""
_SIZE = re.compile(r"(\d+(?:\.\d+)?)(B|kB|MB|GB|TB|PB)")
_TIME = re.compile(r"(\d+(?:\.\d+)?)(ns|us|ms|s|m|h|d)")
_BYTES = {unit: 1024.0**power for power, unit in enumerate(("B", "kB", "MB", "GB", "TB", "PB"))}
_SECONDS = {"ns": 1e-9, "us": 1e-6, "ms": 1e-3, "s": 1.0, "m": 60.0, "h": 3600.0, "d": 86400.0}
_UNITS = {"InBytes": 1.0, "InNanos": 1e-9, "InMillis": 1e-3}
"""Ends of names of numbers, and bytes or seconds in one."""
_READ = ("physicalInputDataSize", "rawInputDataSize")
_FETCHED, _MADE, _WRITTEN = "internalNetworkInputDataSize", "outputDataSize", "physicalWrittenDataSize"
_SCAN = re.compile(r"Scan|TableFinish")


def recognises(head: str) -> bool:
    """Tell whether a file holds what a coordinator tells of a query."""
    return head.lstrip().startswith(("{", "[")) and sum(key in head for key in _TOLD) >= _ENOUGH


def read(source: Source, finding: Finding) -> None:
    """Add the stages of queries, how long these took, and the workers to a finding.

    Raises:
        KeyError, TypeError, ValueError: an object is not as Trino writes it.
    """
    queries: list[Query] = []
    workers: set[str] = set()
    for line, data in objects(source.text(), finding):
        for record in data if isinstance(data, list) else [data]:
            queries.append(_query(record, f"{len(queries) + 1}", line, workers))
    done = sorted((query for query in queries if query.stages), key=lambda query: query.begun)
    if not done:
        finding.complain(None, "no stage in it did anything: ask for /v1/query/ID, not for the list /v1/query")
        return
    busy_workers([stage for query in done for stage in query.stages], max(len(workers), 1), finding)
    state_queries(done, finding)


def _query(data: Mapping[str, Any], name: str, line: int, workers: set[str]) -> Query:
    stats = data["queryStats"]
    begun, queued = _moment(stats.get("createTime")), _seconds(stats.get("queuedTime"))
    query = Query(name, line, begun + queued if begun else 0.0)
    if "elapsedTime" in stats:
        query.seconds = max(_seconds(stats["elapsedTime"]) - queued, 0.0)
    operators = [_named(operator) for operator in stats.get("operatorSummaries") or ()]
    spilled = {str(operator.get("stageId")): 0.0 for operator in operators}
    for told in operators:
        spilled[str(told.get("stageId"))] += _size(told.get("spilledDataSize"))
    for number, info in enumerate(_stages(data)):
        stage = _stage(info, f"{name}.{number}", query, workers, is_last=number == 0)
        _spill(stage, spilled.get(str(info.get("stageId", "")).rpartition(".")[2], 0.0))
        if stage.tasks.count:
            query.stages.append(stage)
    return query


def _stages(data: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """Yield the stages, that which gives the answer first: a tree in Presto and older Trino, a list in newer."""
    graph = data.get("stages")
    if isinstance(graph, Mapping):
        yield from sorted(graph["stages"], key=lambda other: other["stageId"] != graph.get("outputStageId"))
        return
    waiting = [data["outputStage"]] if data.get("outputStage") else []
    while waiting:
        yield (stage := waiting.pop(0))
        waiting += stage.get("subStages") or ()


def _stage(info: Mapping[str, Any], name: str, query: Query, workers: set[str], *, is_last: bool) -> Stage:
    """Return a stage with the drivers of its tasks; the last one hands nothing on to another."""
    info = info.get("latestAttemptExecutionInfo") or info
    whole = info.get("stageStats") or info.get("stats") or {}
    stage = Stage(name, query.name, line=query.line)
    tasks = info.get("tasks") or ()
    scans = _scans([whole, *(task["stats"] for task in tasks)])
    for task in tasks:
        status = task.get("taskStatus") or task
        place = urlsplit(str(status.get("self", ""))).netloc
        workers.add(str(status.get("nodeId") or task.get("nodeId") or place))
        _add(stage, _named(task["stats"]), is_last=is_last, scans=scans)
    if not stage.tasks.count and whole:
        _add(stage, _named(whole), is_last=is_last, scans=scans)
    stage.count = stage.tasks.count
    if stage.finished is not None and stage.launched is not None and stage.launched > 0:
        stage.submitted, stage.ended = stage.launched, stage.finished
    return stage


def _named(stats: Mapping[str, Any]) -> dict[str, Any]:
    """Return statistics with their numbers in bytes and seconds under the names of those that are text."""
    numbers = {
        key.removesuffix(end): value * scale
        for key, value in stats.items()
        for end, scale in _UNITS.items()
        if key.endswith(end) and isinstance(value, int)
    }
    return {**numbers, **stats}


def _add(stage: Stage, stats: Mapping[str, Any], *, is_last: bool, scans: bool) -> None:
    """Count the drivers of a task, or of a whole stage, as alike."""
    drivers = int(stats.get("totalDrivers", 0))
    if drivers <= 0:
        return
    begin, end = _moment(stats.get("firstStartTime") or stats.get("createTime")), _moment(stats.get("endTime"))
    cpu = _seconds(stats.get("totalCpuTime")) / drivers
    fetched = _size(stats.get(_FETCHED))
    read = next((_size(stats[key]) for key in _READ if key in stats), 0.0)
    written = _size(stats.get(_WRITTEN))
    made = 0.0 if is_last or written else _size(stats.get(_MADE))
    if _FETCHED not in stats and not scans:
        read, fetched = 0.0, read  # before the network was told apart
    moved = {"input": read, "fetched": fetched, "handed_on": made, "output": written}
    first, last = min(begin, stage.launched or begin), max(end, begin, stage.finished or 0.0)
    stage.launched, stage.finished, stage.last_launched = first, last, max(begin, stage.last_launched)
    numbers = dict.fromkeys(NUMBERS, 0.0) | {"cpu": cpu} | {name: size / drivers for name, size in moved.items()}
    stage.tasks.add(begin, cpu, tuple(numbers.values()), drivers)


def _scans(parts: Iterable[Mapping[str, Any]]) -> bool:
    """Tell whether tasks read tables, as far as operators are told of them or of their stage."""
    operators = [
        operator
        for stats in parts
        for part in (stats, *(stats.get("pipelines") or ()))
        for operator in part.get("operatorSummaries") or ()
    ]
    return not operators or any(_SCAN.search(str(operator.get("operatorType"))) for operator in operators)


def _spill(stage: Stage, size: float) -> None:
    """Lay what operators spilled on the drivers of a stage alike."""
    count = stage.tasks.count
    for group in stage.tasks.groups:
        group[-len(NUMBERS) + NUMBERS.index("spilled")] += size * group[1] / count


def _size(text: object) -> float:
    """Return a size such as "1.23GB", or a number of bytes."""
    if isinstance(text, (int, float)):
        return float(text)
    match = _SIZE.fullmatch(text) if isinstance(text, str) else None
    return float(match[1]) * _BYTES[match[2]] if match else 0.0


def _seconds(text: object) -> float:
    """Return a time such as "4.53m" in seconds, or a number of them."""
    if isinstance(text, (int, float)):
        return float(text)
    match = _TIME.fullmatch(text) if isinstance(text, str) else None
    return float(match[1]) * _SECONDS[match[2]] if match else 0.0


def _moment(text: object) -> float:
    """Return a moment such as "2026-11-02T10:00:00.123Z", or a number, in seconds since 1970; 0 where there is none."""
    if isinstance(text, (int, float)):
        return float(text)
    return datetime.fromisoformat(text).timestamp() if isinstance(text, str) and text else 0.0
