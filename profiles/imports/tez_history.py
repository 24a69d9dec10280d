"""Histories of Apache Tez, and so of Hive on it: YARN's timeline server, what Tez UI packs of it, and simple logs.

Entities of DAGs, vertices and attempts at tasks, one or a list of them in each JSON document. What is said of one may
stand in several places, as the plan of a DAG does, and the simple log has a record for each event. Keys are written
`otherinfo` up to Hadoop 3.4 and `otherInfo` from 3.5 and in simple logs. A vertex is a stage of
the attempts that won: CPU time of their processes, bytes of the storage system, of exchanges and of spills. A task that
fetches counts from the end of the vertices before its own: what it fetched sooner ran beside them. Without attempts the
tasks of a vertex are alike.

Source: Apache Tez, ATSConstants.java, HistoryEventTimelineConversion.java, HistoryEventJsonConversion.java,
ATSImportTool.java, SimpleHistoryParser.java, tez-ui serializers/timeline.js, TaskCounter.java, FileSystemCounter.java.
No history of a real cluster was found in public.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from profiles.imports.finding import Finding
from profiles.imports.objects import objects
from profiles.imports.observed_stages import Stage, divided, equal_servers, one_server, placed, state
from profiles.imports.opening import Source
from profiles.imports.schemes import storage_of

NAME = "Tez history"
PIECES = True

_DAG, _VERTEX, _ATTEMPT = "TEZ_DAG_ID", "TEZ_VERTEX_ID", "TEZ_TASK_ATTEMPT_ID"
_MORE = "TEZ_DAG_EXTRA_INFO"
"""Entity with the plan of the DAG of the same name."""
_HEAD = re.compile(r'"otherinfo"', re.IGNORECASE)
_LISTS = ("entities", "dag", "dags", "vertices", "task_attempts", "taskattempts")
"""Keys of documents that hold more than one entity, or one of a kind."""
_COUNTERS = ("org.apache.tez.common.counters.TaskCounter", "org.apache.tez.common.counters.FileSystemCounter")
"""Groups of a task as a whole; those of its edges tell the same again."""
_MS = 1e-3


@dataclass(slots=True)
class _Entity:
    """What all records say of an entity."""

    line: int
    said: dict[str, Any] = field(default_factory=dict)
    filters: dict[str, Any] = field(default_factory=dict)


@dataclass(slots=True)
class _Attempt:
    """An attempt that won."""

    start: float
    finish: float
    counters: Mapping[str, float]
    host: str


@dataclass(slots=True)
class _Vertex:
    """A vertex on its way; `before` are the names of those whose output it takes."""

    name: str
    line: int
    dag: str
    said: Mapping[str, Any]
    before: tuple[str, ...] = ()
    attempts: list[_Attempt] = field(default_factory=list)

    @property
    def end(self) -> float:
        """When its last attempt ended, as far as the history tells."""
        return max((attempt.finish for attempt in self.attempts), default=self.said.get("endTime", 0) * _MS)


def recognises(head: str) -> bool:
    """Tell whether a file holds entities of Tez."""
    return head.lstrip().startswith(("{", "[")) and _HEAD.search(head) is not None and '"TEZ_' in head


def read(source: Source, finding: Finding) -> None:
    """Add the vertices of DAGs, how long these took, and the servers to a finding.

    Raises:
        KeyError, TypeError, ValueError: an entity is not as Tez writes it.
    """
    known: dict[tuple[str, str], _Entity] = {}
    for line, data in objects(source.text(), finding):
        for record in _entities(data):
            _gather(record, line, known)
    dags = {name: (entity.line, entity.said) for (kind, name), entity in known.items() if kind == _DAG}
    vertices = {
        name: _Vertex(str(entity.said.get("vertexName", name)), entity.line, _above(name, entity, _DAG), entity.said)
        for (kind, name), entity in known.items()
        if kind == _VERTEX
    }
    lost: Counter[str] = Counter()
    for (kind, name), entity in known.items():
        if kind != _ATTEMPT:
            continue
        status = str(entity.said.get("status", "unfinished"))
        above = _above(name, entity, _VERTEX)
        if status != "SUCCEEDED":
            lost[status.lower()] += 1
        elif above in vertices:
            vertices[above].attempts.append(_attempt(entity.said))
    _join(dags, vertices.values())
    _tell(dags, list(vertices.values()), finding)
    for why, count in lost.items():
        finding.leave_out(None, f"{count} {why} attempts at tasks", "what they took is not part of the work")


def _entities(data: Any) -> Iterator[Mapping[str, Any]]:
    """Yield the entities of a document, with their keys in small letters."""
    if isinstance(data, list):
        for part in data:
            yield from _entities(part)
        return
    entity = {key.lower(): value for key, value in data.items()}
    if "entitytype" in entity:
        yield entity
    else:
        for key in _LISTS:
            yield from _entities(entity[key]) if key in entity else ()


def _gather(record: Mapping[str, Any], line: int, known: dict[tuple[str, str], _Entity]) -> None:
    """Add what a record says of an entity to what others say of it."""
    kind, name = str(record["entitytype"]), str(record.get("entity") or record["entityid"])
    entity = known.setdefault((_DAG if kind == _MORE else kind, name), _Entity(line))
    entity.said.update(record.get("otherinfo") or {})
    entity.filters.update(record.get("primaryfilters") or {})
    related = record.get("relatedentities")
    for other in related if isinstance(related, list) else ():  # in simple logs
        if other.get("entityType", other.get("entitytype")) == "nodeId":
            entity.said.setdefault("nodeId", other.get("entityId", other.get("entity")))


def _above(name: str, entity: _Entity, kind: str) -> str:
    """Return the entity of a kind to which another belongs; vertices and attempts have its number in their own name."""
    known = entity.filters.get(kind)
    if known:
        return str(known[0])
    word, rest = ("dag", 3) if kind == _DAG else ("vertex", 4)
    return "_".join([word, *name.split("_")[1 : rest + 1]])


def _attempt(record: Mapping[str, Any]) -> _Attempt:
    start = record["startTime"] * _MS
    host = str(record.get("nodeId", "")).partition(":")[0]
    return _Attempt(start, max(record["endTime"] * _MS, start), _counters(record), host)


def _counters(record: Mapping[str, Any]) -> dict[str, float]:
    groups = (record.get("counters") or {}).get("counterGroups") or ()
    return {
        counter["counterName"]: float(counter["counterValue"])
        for group in groups
        if group["counterGroupName"] in _COUNTERS
        for counter in group["counters"]
    }


def _join(dags: Mapping[str, tuple[int, Mapping[str, Any]]], vertices: Iterable[_Vertex]) -> None:
    """Lay the edges of plans between their vertices."""
    edges: dict[tuple[str, str], list[str]] = {}
    for name, (_, dag) in dags.items():
        for edge in (dag.get("dagPlan") or {}).get("edges") or ():
            edges.setdefault((name, edge["outputVertexName"]), []).append(edge["inputVertexName"])
    for vertex in vertices:
        vertex.before = tuple(edges.get((vertex.dag, vertex.name), ()))


def _tell(dags: Mapping[str, tuple[int, Mapping[str, Any]]], vertices: list[_Vertex], finding: Finding) -> None:
    ends = {(vertex.dag, vertex.name): vertex.end for vertex in vertices}
    order = sorted({vertex.dag for vertex in vertices}, key=lambda name: _begun(dags, name))
    moved: Counter[str] = Counter()
    stages: list[Stage] = []
    for vertex in vertices:
        query = f"{order.index(vertex.dag) + 1}"
        number = sum(stage.query == query for stage in stages)
        ready = max((ends.get((vertex.dag, name), 0.0) for name in vertex.before), default=0.0)
        stage = _stage(vertex, Stage(f"{query}.{number}", query, line=vertex.line), ready, moved)
        if stage.tasks.count:
            stages.append(stage)
    if not stages:
        finding.complain(
            None, "no task has ended in it: import the vertices and the attempts at tasks of a DAG as well"
        )
        return
    slots = _slots(vertices)
    if slots:
        cores = math.ceil(sum(slots.values()) / len(slots))
        equal_servers(len(slots), cores, finding)
        finding.warn(None, f"{cores} cores a server are the most tasks that ran at a time; add lscpu -J of a server")
    else:
        one_server(stages, finding)
    if moved and (kind := storage_of(moved.most_common(1)[0][0])):
        finding.part("storage").put("kind", kind)
    work = finding.work("observed", stages[0].line)
    begun = {f"{number}": _begun(dags, name) for number, name in enumerate(order, 1) if name in dags}
    state(work, placed(stages, begun), sum(slots.values()))
    if not slots:
        work.outcomes.clear()  # of tasks that are taken as alike
    for number, name in enumerate(order, 1):
        line, dag = dags.get(name, (0, {}))
        if "startTime" in dag and "endTime" in dag:
            work.outcome(f"query {number}", "duration", (dag["endTime"] - dag["startTime"]) * _MS, line)


def _begun(dags: Mapping[str, tuple[int, Mapping[str, Any]]], name: str) -> float:
    return float(dags[name][1].get("startTime", 0)) * _MS if name in dags else 0.0


def _stage(vertex: _Vertex, stage: Stage, ready: float, moved: Counter[str]) -> Stage:
    """Return the stage of a vertex, whose input is ready then; `moved` are bytes by the scheme of their system."""
    for attempt in vertex.attempts:
        start = min(max(attempt.start, ready), attempt.finish)
        fetching = max(attempt.counters.get("SHUFFLE_PHASE_TIME", 0.0) * _MS - (start - attempt.start), 0.0)
        stage.add(start, attempt.finish, _numbers(attempt.finish - start, fetching, attempt.counters, moved))
    count, counters = int(vertex.said.get("numTasks", 0)), _counters(vertex.said)
    if not vertex.attempts and count > 0 and counters:
        begin = vertex.said.get("firstTaskStartTime") or vertex.said.get("startTime", 0)
        alike = {name: value / count for name, value in counters.items()}
        seconds = counters.get("CPU_MILLISECONDS", 0.0) * _MS / count
        stage.launched, stage.finished = begin * _MS, vertex.said.get("endTime", begin) * _MS
        stage.tasks.add(begin * _MS, seconds, _numbers(seconds, 0.0, alike, moved), count)
    stage.count = stage.tasks.count
    stage.submitted, stage.ended = stage.launched, stage.finished
    return stage


def _numbers(seconds: float, fetching: float, counters: Mapping[str, float], moved: Counter[str]) -> tuple[float, ...]:
    """Return what a task did, in the order of NUMBERS."""
    cpu = counters["CPU_MILLISECONDS"] * _MS if "CPU_MILLISECONDS" in counters else seconds
    collection = min(counters.get("GC_TIME_MILLIS", 0.0) * _MS, cpu)
    stored = {"READ": 0.0, "WRITTEN": 0.0}
    for name, value in counters.items():
        scheme, _, way = name.partition("_BYTES_")
        if way in stored and scheme != "FILE":
            stored[way] += value
            moved[scheme] += int(value)
    bytes = (
        stored["READ"],
        counters.get("SHUFFLE_BYTES", 0.0),
        counters.get("OUTPUT_BYTES_PHYSICAL", counters.get("OUTPUT_BYTES", 0.0)),
        counters.get("ADDITIONAL_SPILLS_BYTES_READ", 0.0),
        stored["WRITTEN"],
    )
    return divided(seconds, seconds, cpu - collection, collection, fetching, bytes)[0]


def _slots(vertices: Iterable[_Vertex]) -> dict[str, int]:
    """Return the most tasks that ran at a time on each host."""
    spans = [attempt for vertex in vertices for attempt in vertex.attempts]
    changes = [(span.finish, -1, span.host) for span in spans] + [(span.start, 1, span.host) for span in spans]
    running: Counter[str] = Counter()
    most: dict[str, int] = {}
    for _, change, host in sorted(changes):
        running[host] += change
        most[host] = max(most.get(host, 0), running[host])
    return most
