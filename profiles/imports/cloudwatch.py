"""`aws cloudwatch get-metric-data`: request metrics and daily storage metrics of buckets of Amazon S3, as JSON.

A metric is told by its label, which has to hold its name; counts and bytes have to be sums.
Source: AWS, Amazon S3 User Guide, Metrics and dimensions; CloudWatch API Reference, GetMetricData.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from itertools import pairwise
from typing import Any

from profiles.imports.finding import Finding
from profiles.imports.loads import COUNT
from profiles.imports.objects import objects
from profiles.imports.opening import Source

NAME = "CloudWatch"
PRODUCT = "Amazon S3"

_ACTIONS = {
    "GetRequests": "get",
    "PutRequests": "put",
    "HeadRequests": "head",
    "ListRequests": "list",
    "DeleteRequests": "delete",
}
_BYTES = {"get": "BytesDownloaded", "put": "BytesUploaded"}
_STORED, _LATENCY = "BucketSizeBytes", "TotalRequestLatency"
_NAMES = re.compile("|".join((*_ACTIONS, *_BYTES.values(), _STORED, _LATENCY)))


@dataclass(frozen=True, slots=True)
class _Metric:
    """Values by ascending time (s since 1970), and the seconds between two of them."""

    values: list[tuple[float, float]]
    period: float
    line: int

    @property
    def total(self) -> float:
        return sum(value for _, value in self.values)


def recognises(head: str) -> bool:
    """Tell whether a file holds metrics."""
    return '"MetricDataResults"' in head


def read(source: Source, finding: Finding) -> None:
    """Add a load, or what is stored, to a finding.

    Raises:
        KeyError, TypeError, ValueError: an object is not as CloudWatch writes it.
    """
    metrics: dict[str, _Metric] = {}
    for line, data in objects(source.text(), finding):
        for result in data["MetricDataResults"]:
            name = _NAMES.search(f"{result.get('Label', '')} {result.get('Id', '')}")
            metric = _metric(result, line) if name else None
            if name and metric:
                metrics.setdefault(name[0], metric)
    if not metrics:
        finding.complain(None, f"no label names a metric of a bucket, such as {', '.join(list(_ACTIONS)[:2])}")
        return
    finding.part("storage").put("product", PRODUCT)
    if _STORED in metrics:
        finding.part("stored").put("data", metrics[_STORED].values[-1][1], "B", line=metrics[_STORED].line)
    _tell_load(metrics, finding)


def _metric(result: Mapping[str, Any], line: int) -> _Metric | None:
    """Return a metric with at least two values, which tell its period; of what is stored one is enough."""
    times = [datetime.fromisoformat(text).timestamp() for text in result["Timestamps"]]
    values = sorted(zip(times, map(float, result["Values"]), strict=True))
    steps = [later - earlier for (earlier, _), (later, _) in pairwise(values) if later > earlier]
    return _Metric(values, min(steps, default=0.0), line) if values else None


def _tell_load(metrics: Mapping[str, _Metric], finding: Finding) -> None:
    counts = {action: metrics[name] for name, action in _ACTIONS.items() if name in metrics and metrics[name].total > 0}
    counts = {action: metric for action, metric in counts.items() if metric.period > 0 and _is_sized(action, metrics)}
    if not counts:
        return
    times = [time for metric in counts.values() for time, _ in metric.values]
    period = max(metric.period for metric in counts.values())
    window, total = max(times) - min(times) + period, sum(metric.total for metric in counts.values())
    work = finding.work("requests", next(iter(counts.values())).line)
    work.put("count", max(min(int(total), COUNT), 1))
    work.put("rate", total / window, "1/s")
    for action, metric in counts.items():
        key = f"mix.{action.upper()}"
        work.put(f"{key}.action", action, line=metric.line)
        work.put(f"{key}.weight", round(metric.total / total, 6), line=metric.line)
        work.outcome(action.upper(), "rate", metric.total / window, metric.line)
        if action in _BYTES:
            work.put(f"{key}.size", max(metrics[_BYTES[action]].total / metric.total, 1.0), "B", metric.line)
    if _LATENCY in metrics:
        latency = metrics[_LATENCY]
        finding.warn(None, f"all requests took {latency.total / len(latency.values):.4g} ms in the mean of the periods")
    busiest: dict[float, float] = {}
    for metric in counts.values():
        for time, value in metric.values:
            busiest[time] = busiest.get(time, 0.0) + value / metric.period
    ratio = max(busiest.values()) * window / total
    finding.warn(None, f"{total / window:.4g} requests a second; in the busiest period {ratio:.3g} times as many")


def _is_sized(action: str, metrics: Mapping[str, _Metric]) -> bool:
    return action not in _BYTES or _BYTES[action] in metrics
