"""warp's list of requests (`.csv.zst`, tab-separated): every request with its time.

Each thread counts for as long as it runs, so that its last request holds up nothing. What was done one after the other,
such as uploads before the downloads, is a workload each.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime

from profiles.imports.finding import Finding
from profiles.imports.kit_marks import kit_mark
from profiles.imports.loads import Load, closed
from profiles.imports.objects import note_bad_lines
from profiles.imports.opening import Source

NAME = "warp"

ACTIONS = {"GET": "get", "PUT": "put", "STAT": "head", "DELETE": "delete", "LIST": "list", "MULTIPART": "put"}
"""Operations of warp, and what a load asks for."""
_HEADER = re.compile(r"^idx\tthread\top\t")


@dataclass(slots=True)
class _Phase:
    """Requests of one kind, their clients, and when each thread began and ended."""

    load: Load = field(default_factory=Load)
    begun: dict[str, float] = field(default_factory=dict)
    ended: dict[str, float] = field(default_factory=dict)
    clients: set[str] = field(default_factory=set)

    @property
    def spans(self) -> list[float]:
        """How long each thread runs (s)."""
        return [self.ended[thread] - begin for thread, begin in self.begun.items()]


def recognises(head: str) -> bool:
    """Tell whether a file is warp's list of requests."""
    return _HEADER.match(head) is not None


def read(source: Source, finding: Finding) -> None:
    """Add workloads to a finding, one for each phase.

    Raises:
        KeyError, ValueError: the header lacks a column.
    """
    phases: dict[str, _Phase] = {}
    skipped: Counter[str] = Counter()
    bad: list[int] = []
    places: dict[str, int] = {}
    for number, line in source.lines():
        cells = line.split("\t")
        if number == 1:
            places = {name: place for place, name in enumerate(cells)}
        elif line.startswith("#"):
            finding.kit = finding.kit or kit_mark(line)
        elif line:
            try:
                _take(cells, places, number, phases, skipped)
            except (IndexError, ValueError):
                bad.append(number)
    note_bad_lines(bad, finding)
    for name, count in skipped.items():
        finding.leave_out(None, f"{count:,} requests", name)
    for together in _together(phases):
        _state(together, finding)


def _take(
    cells: list[str], places: dict[str, int], number: int, phases: dict[str, _Phase], skipped: Counter[str]
) -> None:
    name = cells[places["op"]]
    if cells[places["error"]]:
        skipped["they failed"] += 1
        return
    if name not in ACTIONS:
        skipped[f"{name} is no request that a load knows"] += 1
        return
    size, duration = float(cells[places["bytes"]]), int(cells[places["duration_ns"]]) / 1e9
    start = datetime.fromisoformat(cells[places["start"]]).timestamp()
    client = cells[places["client_id"]] if "client_id" in places else ""
    thread = f"{client}/{cells[places['thread']]}"
    phase = phases.setdefault(name, _Phase())
    phase.clients.add(client)
    phase.load.add(ACTIONS[name], size, size, start, duration, number)
    phase.begun.setdefault(thread, start)
    phase.ended[thread] = start + duration


def _together(phases: dict[str, _Phase]) -> Iterator[list[_Phase]]:
    """Yield phases that run at the same time."""
    left = sorted(phases.values(), key=lambda phase: phase.load.first)
    while left:
        first, *rest = left
        beside = [
            phase for phase in rest if _overlap(first.load, phase.load) > 0.5
        ]  # Assumption: most of the shorter one
        yield [first, *beside]
        left = [phase for phase in rest if phase not in beside]


def _overlap(one: Load, other: Load) -> float:
    """Return the part of the shorter load in which both run."""
    shared = min(one.last, other.last) - max(one.first, other.first)
    return shared / max(min(one.window, other.window), 1e-9)


def _state(phases: list[_Phase], finding: Finding) -> None:
    whole = Load()
    for phase in phases:
        whole.kinds |= phase.load.kinds
        whole.first, whole.last = min(whole.first, phase.load.first), max(whole.last, phase.load.last)
    threads = len({thread for phase in phases for thread in phase.begun})
    clients = len(set().union(*(phase.clients for phase in phases)))
    spans = [span for phase in phases for span in phase.spans]
    window = sum(spans) / len(spans)
    under_way = sum(phase.load.busy for phase in phases) / window  # where uploads go by the name of one thread
    closed(whole, finding, threads=max(threads, round(under_way)), clients=clients, window=window)
