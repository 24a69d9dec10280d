"""warp's summary: `.json.zst` since version 1.1, and what `warp analyze --json` prints, before as well.

Times of several clients are sums, with the number of what they sum; what warp calls average_bps is bytes a second.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from profiles.imports.finding import Finding, Measure, Workload
from profiles.imports.kit_marks import kit_mark
from profiles.imports.loads import COUNT, MOVES
from profiles.imports.objects import objects
from profiles.imports.opening import Source
from profiles.imports.warp import ACTIONS

NAME = "warp summary"

_TIMES: dict[str, Measure] = {
    "dur_avg_millis": "mean",
    "dur_median_millis": "p50",
    "dur_90_millis": "p90",
    "dur_99_millis": "p99",
}


@dataclass(frozen=True, slots=True)
class _Summary:
    """One kind of requests: objects a second, bytes a second, size (B), threads, clients, and times (s)."""

    name: str
    rate: float
    throughput: float
    size: float
    threads: int
    clients: int
    count: int
    times: Mapping[Measure, float]
    ends: tuple[str, str]


def recognises(head: str) -> bool:
    """Tell whether a file holds a summary of warp."""
    is_new = '"by_op_type"' in head or re.search(r'"commandline"\s*:\s*"[^"]*warp', head) is not None
    return is_new or (re.search(r'"mixed"\s*:\s*(true|false)', head) is not None and '"operations"' in head)


def read(source: Source, finding: Finding) -> None:
    """Add workloads to a finding: one for all kinds of requests at the same time, else one for each.

    Raises:
        KeyError, TypeError, ValueError: an object is not as warp writes it.
    """
    text = source.text()
    finding.kit = kit_mark(text)
    for line, data in objects(text, finding):
        if data.get("final") is False:
            finding.warn(line, "warp had not ended when it wrote this")
        summaries = list(_new(data["by_op_type"]) if "by_op_type" in data else _old(data["operations"]))
        known = [summary for summary in summaries if summary.name in ACTIONS and summary.rate > 0]
        for summary in summaries:
            if summary not in known:
                finding.leave_out(line, summary.name, "a load has no such request, or none ended")
        together = data["mixed"] if "mixed" in data else _overlap(known)
        for group in [known] if together and known else [[summary] for summary in known]:
            _state(group, line, finding)


def _overlap(summaries: Sequence[_Summary]) -> bool:
    """Tell whether kinds of requests ran at the same time; times in RFC 3339 of one zone sort as text."""
    return len(summaries) > 1 and max(summary.ends[0] for summary in summaries) < min(
        summary.ends[1] for summary in summaries
    )


def _new(by_type: Mapping[str, Mapping[str, Any]]) -> Iterator[_Summary]:
    for name, data in by_type.items():
        through = data["throughput"]
        seconds = through["measure_duration_millis"] / 1000
        count = max(data["total_requests"] - data.get("total_errors", 0), 0)
        parts = [part for parts in (data.get("requests_by_client") or {}).values() for part in parts]
        yield _Summary(
            name=name,
            rate=through["ops"] / seconds if seconds else 0.0,
            throughput=through["bytes"] / seconds if seconds else 0.0,
            size=data["total_bytes"] / max(data["total_objects"], 1),
            threads=data["concurrency"],
            clients=max(len(data.get("clients") or []), 1),
            count=count,
            times=_times([part["single_sized_requests"] for part in parts if part.get("single_sized_requests")]),
            ends=(data["start_time"], data["end_time"]),
        )


def _old(operations: Sequence[Mapping[str, Any]]) -> Iterator[_Summary]:
    for data in operations:
        if data.get("skipped"):
            continue
        single, many = data.get("single_sized_requests"), data.get("multi_sized_requests")
        through, sized = data["throughput"], single or many or {}
        yield _Summary(
            name=data["type"],
            rate=through["average_ops"] / max(data.get("objects_per_operation", 1), 1),
            throughput=through["average_bps"],
            size=float(sized.get("obj_size", sized.get("avg_obj_size", 0))),
            threads=data["concurrency"],
            clients=max(data.get("clients", 1), 1),
            count=sized.get("requests", COUNT),
            times=_times([single] if single else []),
            ends=(data["start_time"], data["end_time"]),
        )


def _times(parts: Sequence[Mapping[str, Any]]) -> dict[Measure, float]:
    """Return mean and percentiles (s), those of several parts weighed by their requests.

    Percentiles of parts cannot be joined; their mean is what warp itself prints.
    """
    used = [part for part in parts if not part.get("skipped")]
    total = sum(part.get("merged_entries") or 1 for part in used)
    if not total:
        return {}
    return {
        measure: sum(part[key] for part in used) / total / 1000 for key, measure in _TIMES.items() if key in used[0]
    }


def _state(group: Sequence[_Summary], line: int, finding: Finding) -> Workload:
    work = finding.work("requests", line=line)
    first = group[0]
    work.put("threads", max(round(max(summary.threads for summary in group) / first.clients), 1), line=line)
    work.put("count", min(max(sum(summary.count for summary in group), 1), COUNT), line=line)
    work.clients = first.clients
    for summary in group:
        action = ACTIONS[summary.name]
        work.put(f"mix.{summary.name}.action", action, line=line)
        work.put(f"mix.{summary.name}.weight", round(summary.rate / sum(one.rate for one in group), 6), line=line)
        work.outcome(summary.name, "rate", summary.rate, line)
        if action in MOVES:
            work.put(f"mix.{summary.name}.size", summary.size, "B", line=line)
            work.outcome(summary.name, "throughput", summary.throughput, line)
        for measure, seconds in summary.times.items():
            work.outcome(summary.name, measure, seconds, line)
    return work
