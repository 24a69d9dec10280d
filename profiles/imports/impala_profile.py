"""Profiles of queries of Apache Impala: the text of PROFILE, `/query_profile_json`, or what impala-profile-tool prints.

All are a tree of nodes with counters. An instance of a fragment is as many tasks as threads kept busy: CPU time of its
threads, bytes that its scans read, exchanges receive and send, spills, and what it writes. All fragments begin together
and are pipelined: what one waited for another is not part of the work, so that only whole queries are compared, without
the time for which the client let the answer wait. Aggregated profiles tell the means over the instances of a fragment:
these are taken as alike.

Text has numbers rounded and, in brackets, exact; sizes count by 1024.
Source: Apache Impala, runtime-profile.cc (PrettyPrint, ToJson, AveragedCounter), fragment-instance-state.cc,
coordinator-backend-state.cc (CPU Info), and the profiles of versions 4 and 5 in testdata/impala-profiles.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from profiles.imports.finding import Finding
from profiles.imports.objects import objects
from profiles.imports.observed_stages import NUMBERS, Query, Stage, servers_of, state_queries
from profiles.imports.opening import Source

NAME = "Impala profile"
PIECES = True

_TEXT = re.compile(r"^[^\S\n]*Query \(id=[0-9a-f]+:[0-9a-f]+\)", re.MULTILINE)
_JSON = re.compile(r'"profile_name"\s*:\s*"Query \(id=')
_FRAGMENT = re.compile(r"(?:Coordinator )?Fragment (F\d+)")
_INSTANCE = re.compile(r"(?:\[\d+\] )?Instance \S+ \(host=([^):]+)")
_HOSTS, _CORES = "Per Node Profiles", re.compile(r"\((\d+) cores\)$")
_HEADINGS = ("Instances:", "Event Timeline:", "Event Timeline Summary :")
"""Ends of lines above what an aggregated fragment lists; they are no nodes, whatever their indentation."""
_TIME = re.compile(r"(?<!\d)(\d+(?:\.\d+)?)(ns|us|ms|h|m|s)")
_SECONDS = {"ns": 1e-9, "us": 1e-6, "ms": 1e-3, "s": 1.0, "m": 60.0, "h": 3600.0}
_SIZE = re.compile(r"(\d+(?:\.\d+)?) (B|KB|MB|GB|TB)$")
_POWERS = {unit: 1024.0**power for power, unit in enumerate(("B", "KB", "MB", "GB", "TB"))}
_CPU = ("TotalThreadsUserTime", "TotalThreadsSysTime")
_LIFE, _PHASES = "Fragment Instance Lifecycle Timings", ("PrepareTime", "OpenTime", "ExecTime")
_BYTES = {
    "BytesRead": "input",
    "BytesReceived": "fetched",
    "TotalBytesReceived": "fetched",
    "BytesSent": "handed_on",
    "TotalBytesSent": "handed_on",
    "WriteIoBytes": "spilled",
    "BytesWritten": "output",
}
"""Counters of the nodes of an instance, and what they are of a task."""
_WAITED = "TotalStorageWaitTime"
_READY = re.compile(r"Ready to start|execution backends .* started")
_CLIENT = "ClientFetchWaitTimer"
_LETTERS = 26
"""Letters of a moment to its microseconds; Impala writes nanoseconds."""


@dataclass(slots=True)
class _Node:
    """A node of a profile: what it says in words, its counters in seconds and bytes, its events, those below.

    Counters of a node of an aggregated profile are means over `count` instances.
    """

    name: str
    said: dict[str, str] = field(default_factory=dict)
    counters: dict[str, float] = field(default_factory=dict)
    events: dict[str, float] = field(default_factory=dict)
    below: list[_Node] = field(default_factory=list)
    count: int = 1

    def all(self) -> Iterator[_Node]:
        """Yield it and all below it."""
        yield self
        for node in self.below:
            yield from node.all()


def recognises(head: str) -> bool:
    """Tell whether a file holds the profile of a query."""
    return _TEXT.search(head) is not None or _JSON.search(head) is not None


def read(source: Source, finding: Finding) -> None:
    """Add the fragments of queries, how long these took, and the servers to a finding.

    Raises:
        KeyError, TypeError, ValueError: a profile is not as Impala writes it.
    """
    text = source.text()
    if text.lstrip().startswith(("{", "[")):
        profiles = (
            (line, profile)
            for line, data in objects(text, finding)
            for profile in (data if isinstance(data, list) else [data])
        )
        trees = [(line, _of_json(profile.get("contents") or profile)) for line, profile in profiles]
    else:
        trees = list(_of_text(finding.lines(text)))
    queries: list[Query] = []
    hosts: dict[str, int] = {}
    for line, tree in trees:
        name = f"{len(queries) + 1}"
        began, took, ready = _times(tree)
        stages = list(_stages(tree, name, began + ready, line, hosts))
        if stages:
            hosts |= _hosts(tree)
            queries.append(Query(name, line, began, took if took > 0 else None, stages))
    if not queries:
        finding.complain(None, "no fragment in it did anything: expected the PROFILE of a query that ran")
        return
    servers_of(hosts, [stage for query in queries for stage in query.stages], finding)
    state_queries(queries, finding)


def _times(tree: _Node) -> tuple[float, float, float]:
    """Return when a query began, its seconds, and those until its fragments could begin."""
    nodes = list(tree.all())
    fields = {key: text for node in nodes for key, text in node.said.items()}
    events = {key: value for node in nodes for key, value in node.events.items()}
    began, ended = (_moment(fields.get(key, "")) for key in ("Start Time", "End Time"))
    waited = max((node.counters.get(_CLIENT, 0.0) for node in nodes), default=0.0)
    ready = max((value for key, value in events.items() if _READY.search(key)), default=0.0)
    return began, max(ended - began - waited, 0.0), ready


def _moment(text: str) -> float:
    try:
        return datetime.fromisoformat(text.strip()[:_LETTERS]).replace(tzinfo=UTC).timestamp()
    except ValueError:
        return 0.0


def _hosts(tree: _Node) -> dict[str, int]:
    """Return the hosts that are told of by themselves, and their cores, 0 where those are not told."""
    nodes = [host for node in tree.all() if node.name == _HOSTS for host in node.below]
    cores = {node.name.rpartition(":")[0]: _CORES.search(node.said.get("CPU Info", "")) for node in nodes}
    return {host: int(match[1]) if match else 0 for host, match in cores.items()}


def _stages(tree: _Node, query: str, begin: float, line: int, hosts: dict[str, int]) -> Iterator[Stage]:
    """Yield the stage of each fragment that has instances."""
    for node in tree.all():
        match = _FRAGMENT.match(node.name)
        instances = (
            [(instance, at[1]) for instance in node.below if (at := _INSTANCE.match(instance.name))] if match else []
        )
        is_aggregated = bool(match and _cpu(node))
        if not match or not (instances or is_aggregated):
            continue
        for _, host in instances:
            hosts.setdefault(host, 0)
        stage = Stage(f"{query}.{match[1]}", query, line=line)
        if is_aggregated:
            _add(stage, node, begin, max(len(instances), node.count))
        else:
            for instance, _ in instances:
                _add(stage, instance, begin)
        stage.count = stage.tasks.count
        stage.submitted, stage.ended = stage.launched, stage.finished
        yield stage


def _cpu(instance: _Node) -> float:
    return sum(instance.counters.get(name, 0.0) for name in _CPU)


def _span(instance: _Node) -> float:
    """Return for how long an instance was there; aggregated ones have no total of their own."""
    phases = [
        node.counters.get(name, 0.0) for node in instance.below if node.name.startswith(_LIFE) for name in _PHASES
    ]
    return instance.counters.get("Total") or instance.counters.get("TotalTime") or sum(phases)


def _add(stage: Stage, instance: _Node, begin: float, count: int = 1) -> None:
    """Count so many instances, each as the tasks that its threads are."""
    numbers = dict.fromkeys(NUMBERS, 0.0)
    span, cpu = _span(instance), _cpu(instance)
    threads = max(math.ceil(cpu / span - 1e-9), 1) if span > 0 else 1
    for node in instance.all():
        for name, what in _BYTES.items():
            numbers[what] += node.counters.get(name, 0.0)
    if numbers["input"] + numbers["output"] > 0:
        numbers["stalled"] = min(instance.counters.get(_WAITED, 0.0), max(span - cpu / threads, 0.0)) * threads
    numbers["cpu"] = cpu
    last = begin + max(span, cpu / threads)
    stage.launched = begin
    stage.finished = max(stage.finished or begin, last)
    stage.last_launched = begin
    stage.tasks.add(begin, span, tuple(value / threads for value in numbers.values()), threads * count)


def _of_json(data: Mapping[str, Any]) -> _Node:
    """Return the tree of a profile in JSON."""
    node = _Node(str(data.get("profile_name", "")))
    node.said = {str(info["key"]): str(info.get("value", "")) for info in data.get("info_strings") or ()}
    waiting = list(data.get("counters") or ())
    while waiting:
        counter = waiting.pop()
        scale = 1e-9 if counter.get("unit") in {"TIME_NS", "CPU_TICKS"} else 1.0
        value = next((counter[key] for key in ("value", "mean", "min") if key in counter), 0)  # all alike: no mean
        node.counters[_counter(counter["counter_name"])] = float(value) * scale
        node.count = max(node.count, int(counter.get("count", 1)))
        waiting += counter.get("child_counters") or ()
    for sequence in data.get("event_sequences") or ():
        events = [
            event for event in sequence.get("events") or () if "timestamp" in event
        ]  # others are of several nodes
        node.events.update({str(event["label"]): event["timestamp"] * 1e-9 for event in events})
    node.below = [_of_json(child) for child in data.get("child_profiles") or ()]
    return node


def _of_text(lines: Iterator[tuple[int, str]]) -> Iterator[tuple[int, _Node]]:
    """Yield the trees of profiles in a text, with their lines. Deeper nodes and counters are indented further."""
    path: list[tuple[int, _Node]] = []
    open_node: tuple[int, _Node] | None = None
    is_counter = is_list = False  # of instances one by one, below a counter: [1.165ms, 1.717ms,
    for number, line in lines:
        text = line.strip()
        is_list = is_list or (is_counter and text.startswith("["))
        is_counter = text.startswith("- ")
        if is_list:
            is_list = not text.endswith("]")
            continue
        depth = len(line) - len(line.lstrip())
        if _TEXT.match(line):
            if open_node:
                yield open_node
            open_node = number, _Node(text.rstrip(":"))
            path = [(depth, open_node[1])]
        elif not open_node or not text or text.endswith(_HEADINGS):
            continue
        elif text.startswith("- "):
            _count(text[2:], next((node for at, node in reversed(path) if at < depth), open_node[1]))
        else:
            while len(path) > 1 and path[-1][0] >= depth:
                path.pop()
            _word(text, depth, path)
    if open_node:
        yield open_node


def _word(text: str, depth: int, path: list[tuple[int, _Node]]) -> None:
    """Take what a line says: of the node in which it stands, or a node of its own."""
    key, _, value = text.partition(": ")
    name, _, total = text.partition(":(Total: ")
    if value and not total:
        path[-1][1].said.setdefault(key, value)
        return
    node = _Node(name.rstrip(":"))
    if total:
        node.counters["Total"] = _number(total.partition(",")[0])
    path[-1][1].below.append(node)
    if not name.startswith("["):  # those of an aggregated fragment only tell where they were
        path.append((depth, node))


def _count(text: str, node: _Node) -> None:
    """Take a counter, `BytesRead: 16.71 KB (17111)`, or an event, `Planning finished: 5s061ms (5s061ms)`."""
    name, _, value = text.partition(": ")
    number = _number(value)
    node.counters[_counter(name)] = number
    node.events[name] = number


def _counter(name: str) -> str:
    """Return the name of a counter without the mark of those that several threads add to."""
    return name.removesuffix("(*)")


def _number(text: str) -> float:
    """Return a time in seconds, a size in bytes, or a number; what is exact stands in brackets.

    Of several instances their mean comes first: `mean=2.16 KB (2207) min=2.04 KB (2088) max=2.21 KB (2263)`.
    """
    text = text.removeprefix("mean=").partition(" min=")[0]
    shown, _, exact = text.strip().partition(" (")
    if exact[:-1].isdigit() and not _TIME.match(shown):
        return float(exact[:-1])
    if match := _SIZE.match(shown):
        return float(match[1]) * _POWERS[match[2]]
    return sum(float(value) * _SECONDS[unit] for value, unit in _TIME.findall(shown))
