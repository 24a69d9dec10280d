"""Profiles of queries of Apache Impala: the text of PROFILE, or `/query_profile_json` of its web pages.

Both are a tree of nodes with counters. An instance of a fragment is as many tasks as threads kept busy: CPU time of its
threads, bytes that its scans read, exchanges receive and send, spills, and what it writes. All fragments begin together
and are pipelined: what one waited for another is not part of the work, so that only whole queries are compared, without
the time for which the client let the answer wait.

Text has numbers rounded and, in brackets, exact; sizes count by 1024.
Source: Apache Impala, runtime-profile.cc (PrettyPrint, ToJson), fragment-instance-state.cc.
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
from profiles.imports.observed_stages import NUMBERS, Stage, busy_workers, placed, state
from profiles.imports.opening import Source

NAME = "Impala profile"
PIECES = True

_TEXT = re.compile(r"^\s*Query \(id=[0-9a-f]+:[0-9a-f]+\)", re.MULTILINE)
_JSON = re.compile(r'"profile_name"\s*:\s*"Query \(id=')
_FRAGMENT, _INSTANCE = re.compile(r"(?:Coordinator )?Fragment (F\d+)"), re.compile(r"Instance \S+ \(host=([^):]+)")
_TIME = re.compile(r"(\d+(?:\.\d+)?)(ns|us|ms|h|m|s)")
_SECONDS = {"ns": 1e-9, "us": 1e-6, "ms": 1e-3, "s": 1.0, "m": 60.0, "h": 3600.0}
_SIZE = re.compile(r"(\d+(?:\.\d+)?) (B|KB|MB|GB|TB)$")
_POWERS = {unit: 1024.0**power for power, unit in enumerate(("B", "KB", "MB", "GB", "TB"))}
_CPU = ("TotalThreadsUserTime", "TotalThreadsSysTime")
_BYTES = {
    "BytesRead": "input",
    "BytesReceived": "fetched",
    "TotalBytesReceived": "fetched",
    "BytesSent": "handed_on",
    "TotalBytesSent": "handed_on",
    "ScratchBytesWritten": "spilled",
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
    """A node of a profile: what it says in words, its counters in seconds and bytes, its events, those below."""

    name: str
    said: dict[str, str] = field(default_factory=dict)
    counters: dict[str, float] = field(default_factory=dict)
    events: dict[str, float] = field(default_factory=dict)
    below: list[_Node] = field(default_factory=list)

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
    if text.lstrip().startswith("{"):
        trees = [(line, _of_json(data.get("contents") or data)) for line, data in objects(text, finding)]
    else:
        trees = list(_of_text(finding.lines(text)))
    stages: list[Stage] = []
    begun: dict[str, float] = {}
    seconds: list[tuple[str, float, int]] = []
    hosts: set[str] = set()
    for line, tree in trees:
        name = f"{len(begun) + 1}"
        began, took, ready = _times(tree)
        found = list(_stages(tree, name, began + ready, line, hosts))
        if found:
            stages += found
            begun[name] = began
            seconds += [(f"query {name}", took, line)] if took > 0 else []
    if not stages:
        finding.complain(None, "no fragment in it did anything: expected the PROFILE of a query that ran")
        return
    busy_workers(stages, max(len(hosts), 1), finding)
    work = finding.work("observed", stages[0].line)
    state(work, placed(stages, {name: began for name, began in begun.items() if began > 0}))
    work.outcomes.clear()  # fragments that are pipelined wait for each other
    for about, took, line in seconds:
        work.outcome(about, "duration", took, line)


def _times(tree: _Node) -> tuple[float, float, float]:
    """Return when a query began, its seconds, and those until its fragments could begin."""
    nodes = list(tree.all())
    said = {key: text for node in nodes for key, text in node.said.items()}
    events = {key: value for node in nodes for key, value in node.events.items()}
    began, ended = (_moment(said.get(key, "")) for key in ("Start Time", "End Time"))
    waited = max((node.counters.get(_CLIENT, 0.0) for node in nodes), default=0.0)
    ready = max((value for key, value in events.items() if _READY.search(key)), default=0.0)
    return began, max(ended - began - waited, 0.0), ready


def _moment(text: str) -> float:
    try:
        return datetime.fromisoformat(text.strip()[:_LETTERS]).replace(tzinfo=UTC).timestamp()
    except ValueError:
        return 0.0


def _stages(tree: _Node, query: str, begin: float, line: int, hosts: set[str]) -> Iterator[Stage]:
    """Yield the stage of each fragment that has instances."""
    for node in tree.all():
        match = _FRAGMENT.match(node.name)
        instances = [(each, at[1]) for each in node.below if (at := _INSTANCE.match(each.name))] if match else []
        if not match or not instances:
            continue
        stage = Stage(f"{query}.{match[1]}", query, line=line)
        for each, host in instances:
            hosts.add(host)
            _add(stage, each, begin)
        stage.count = stage.tasks.count
        stage.submitted, stage.ended = stage.launched, stage.finished
        yield stage


def _add(stage: Stage, instance: _Node, begin: float) -> None:
    """Count an instance as the tasks that its threads are."""
    numbers = dict.fromkeys(NUMBERS, 0.0)
    span = instance.counters.get("Total", 0.0)
    cpu = sum(instance.counters.get(name, 0.0) for name in _CPU)
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
    stage.tasks.add(begin, span, tuple(value / threads for value in numbers.values()), threads)


def _of_json(said: Mapping[str, Any]) -> _Node:
    """Return the tree of a profile in JSON."""
    node = _Node(str(said.get("profile_name", "")))
    node.said = {str(each["key"]): str(each["value"]) for each in said.get("info_strings") or ()}
    waiting = list(said.get("counters") or ())
    while waiting:
        each = waiting.pop()
        scale = 1e-9 if each.get("unit") in {"TIME_NS", "CPU_TICKS"} else 1.0
        node.counters[_counter(each["counter_name"])] = float(each.get("value", 0)) * scale
        waiting += each.get("child_counters") or ()
    for sequence in said.get("event_sequences") or ():
        node.events.update({str(each["label"]): each["timestamp"] * 1e-9 for each in sequence.get("events") or ()})
    node.counters.setdefault("Total", node.counters.get("TotalTime", 0.0))
    node.below = [_of_json(each) for each in said.get("child_profiles") or ()]
    return node


def _of_text(lines: Iterator[tuple[int, str]]) -> Iterator[tuple[int, _Node]]:
    """Yield the trees of profiles in a text, with their lines. Deeper nodes and counters are indented further."""
    path: list[tuple[int, _Node]] = []
    found: tuple[int, _Node] | None = None
    for number, line in lines:
        text = line.strip()
        depth = len(line) - len(line.lstrip())
        if _TEXT.match(line):
            if found:
                yield found
            found = number, _Node(text.rstrip(":"))
            path = [(depth, found[1])]
        elif not found or not text:
            continue
        elif text.startswith("- "):
            _count(text[2:], next((node for at, node in reversed(path) if at < depth), found[1]))
        else:
            while len(path) > 1 and path[-1][0] >= depth:
                path.pop()
            _word(text, depth, path)
    if found:
        yield found


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
    """Return a time in seconds, a size in bytes, or a number; what is exact stands in brackets."""
    shown, _, exact = text.strip().partition(" (")
    if exact[:-1].isdigit() and not _TIME.match(shown):
        return float(exact[:-1])
    if match := _SIZE.match(shown):
        return float(match[1]) * _POWERS[match[2]]
    return sum(float(value) * _SECONDS[unit] for value, unit in _TIME.findall(shown))
