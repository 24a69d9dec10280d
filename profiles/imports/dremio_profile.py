"""Profiles of queries of Dremio and Apache Drill: `profile_attempt_0.json` of Dremio's download, `/profiles/ID.json`.

The `header.json` of a download tells no work, and is left out.

A phase (major fragment) is a stage of its threads (minor fragments): set-up and processing of their operators are CPU
time, waits of scans and writers are waits for the storage. Phases are pipelined: those that ran side by side do so
again, and what a thread waited for another phase is not part of the work, so that only whole queries are compared.

Times of fragments and queries are in ms, of operators in ns. Metrics have names in newer profiles of Dremio only: else
bytes that scans read are those of the records that they gave, as are those of text, which tells none.
Source: Dremio, UserBitShared.proto, OperatorMetricRegistry.java, and profiles of version 21 in tests of
rsvihladremio/dqd; Apache Drill, UserBitShared.proto, and its page on system tables.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from profiles.imports.finding import Finding
from profiles.imports.objects import objects
from profiles.imports.observed_stages import NUMBERS, Query, Stage, servers_of, state_queries
from profiles.imports.opening import Source

NAME = "Dremio profile"
PIECES = True

_BEGIN = re.compile(r'\A\s*\{\s*("id"\s*:\s*\{\s*"part1"\s*:|"clusterInfo"\s*:\s*\{\s*"identity"\s*:)')
_MS, _NS = 1e-3, 1e-9
_BYTES = {
    "TOTAL_BYTES_READ": "input",
    "BYTES_RECEIVED": "fetched",
    "BYTES_SENT": "handed_on",
    "TOTAL_SPILLED_DATA_SIZE": "spilled",
    "BYTES_WRITTEN": "output",
}
"""Metrics of operators, and what they are of a task."""
_SCREEN = 13
"""Operator that hands the answer to the client. Source: CoreOperatorType."""
_SCANS = frozenset({21, 22, 23, 24, 26, 28, 29, 30, 33, 36, 37, 38, 41, 42, 47, 52, 53, 54})
"""Operators that read tables. Source: CoreOperatorType."""
_WRITERS = frozenset({25, 27, 43, 44})
"""Operators that write them."""
_FILES, _FILE_SIZE = "NUM_FILES_WRITTEN", "AVG_FILE_SIZE"
"""What writers of Parquet tell in place of bytes."""


def recognises(head: str) -> bool:
    """Tell whether a file holds the profile of a query."""
    return _BEGIN.match(head) is not None


def read(source: Source, finding: Finding) -> None:
    """Add the phases of queries, how long these took, and the executors to a finding.

    Raises:
        KeyError, TypeError, ValueError: an object is not as Dremio or Drill writes it.
    """
    queries: list[Query] = []
    hosts: dict[str, int] = {}
    for line, data in objects(source.text(), finding):
        if "fragmentProfile" not in data:
            finding.leave_out(line, "JSON", "it is no profile of a query that ran")
            continue
        queries.append(_query(data, f"{len(queries) + 1}", line, hosts))
    done = sorted((query for query in queries if query.stages), key=lambda query: query.begun)
    if not done:
        finding.complain(None, "no phase in it did anything: expected the profile of a query that ran, not of its plan")
        return
    stages = [stage for query in done for stage in query.stages]
    servers_of(hosts, stages, finding)
    if not any(stage.tasks.total("input") for stage in stages):
        finding.warn(None, "no scan tells bytes that it read: reading does not change with the storage")
    state_queries(done, finding)


def _query(data: Mapping[str, Any], name: str, line: int, hosts: dict[str, int]) -> Query:
    begun, end = data.get("start", 0) * _MS, data.get("end", 0) * _MS
    query = Query(name, line, begun, end - begun if end > begun > 0 else None)
    metrics = [
        {metric["id"]: metric["name"] for metric in known.get("metricDef") or ()}
        for known in (data.get("operatorTypeMetricsMap") or {}).get("metricsDef") or ()
    ]
    for phase in data["fragmentProfile"]:
        stage = Stage(f"{name}.{phase.get('majorFragmentId', 0)}", name, line=line)
        for thread in phase.get("minorFragmentProfile") or ():
            _add(stage, thread, metrics)
            point = thread.get("endpoint") or {}
            hosts[str(point.get("address", ""))] = int(point.get("availableCores", 0))
        stage.count = stage.tasks.count
        stage.submitted, stage.ended = stage.launched, stage.finished
        if stage.tasks.count:
            query.stages.append(stage)
    return query


def _add(stage: Stage, thread: Mapping[str, Any], metrics: list[dict[int, str]]) -> None:
    """Count a thread of a phase."""
    numbers = dict.fromkeys(NUMBERS, 0.0)
    records = 0.0
    for operator in thread.get("operatorProfile") or ():
        kind = operator.get("operatorType", -1)
        numbers["cpu"] += (operator.get("setupNanos", 0) + operator.get("processNanos", 0)) * _NS
        if kind in _SCANS or kind in _WRITERS:
            numbers["stalled"] += operator.get("waitNanos", 0) * _NS
        names = metrics[kind] if 0 <= kind < len(metrics) else {}
        told = {
            names.get(metric["metricId"], ""): float(metric.get("longValue", 0))
            for metric in operator.get("metric") or ()
        }
        for name, what in _BYTES.items():
            if not (kind == _SCREEN and what == "handed_on"):
                numbers[what] += told.get(name, 0.0)
        numbers["output"] += told.get(_FILES, 0.0) * told.get(_FILE_SIZE, 0.0)
        if kind in _SCANS:
            records += sum(float(part.get("size", 0)) for part in operator.get("inputProfile") or ())
    numbers["input"] = numbers["input"] or records
    if not numbers["input"] + numbers["output"]:
        numbers["wait"], numbers["stalled"] = numbers["stalled"], 0.0
    begin = thread.get("startTime", 0) * _MS
    stage.add(begin, max(thread.get("endTime", 0) * _MS, begin), tuple(numbers.values()))
