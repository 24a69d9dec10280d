"""The answer for loads of requests beside other workloads: rates and latencies, together and alone."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from models.requests import Open, RequestRun
from models.target import Target, plain
from models.work import Metrics
from simulator.limits import one_a_request, queue_at, queued_at, worst
from simulator.requests.estimates import PERCENTILES, Estimate
from simulator.requests.report import COUNTS, counts_of
from simulator.result import BUSY, LATENCY, RATE, Bottleneck, ObjectiveResult, RequestsResult, Span, WorkloadResult
from simulator.together.loads import Load, Stop, bundled
from simulator.together.merged import Merged, merged
from simulator.together.reading import Reading
from simulator.together.run import Together
from simulator.together.windows import DEGRADED, Window, alone, windows

Found = dict[str, tuple[list[Window], list[Window]]]
"""The windows of each load, beside the others and alone."""


def load_windows(together: Together, reading: Reading, seed: int, should_stop: Stop) -> Found:
    """Simulate all loads in the times in which they meet the same, and each of them alone."""
    ground = reading.background()

    def run(load: Load, state: str) -> RequestRun:
        return load.plan.degraded() if state == DEGRADED and load.plan.damage is not None else load.run

    by_load: Found = {}
    for bundle in bundled(together.loads):
        others = [load for load in together.loads if load not in bundle]
        beside = windows(bundle, others, ground, run, seed, should_stop)
        for load in bundle:
            by_load[load.entry.name] = beside, alone(load, ground)
    return by_load


def load_results(together: Together, reading: Reading, by_load: Found) -> dict[str, WorkloadResult]:
    """Return how each load fared."""
    return {load.entry.name: _result(load, reading, *by_load[load.entry.name]) for load in together.loads}


def carried(load: Load, reading: Reading, stretches: Sequence[Window]) -> list[tuple[float, float]]:
    """Return the requests a second that a load carried beside the others, by the ends of times (s)."""
    width, rates = reading.books.bin_width, dict[int, float]()
    for window in stretches:
        for at in window.bins.tolist():
            rates[at] = rates.get(at, 0.0) + window.part * _rate(load, window)
    return [((at + 1) * width, rate) for at, rate in sorted(rates.items())]


def _rate(load: Load, window: Window) -> float:
    """Return the requests of a load a second in a window."""
    prefix = f"{load.entry.name}/"
    return sum(rate.value for name, rate in window.result.rates.items() if name.startswith(prefix))


def _result(load: Load, reading: Reading, beside: list[Window], quiet: list[Window]) -> WorkloadResult:
    ground = reading.background()
    all_of_it, without = merged(beside, load, ground), merged(quiet, load, ground)
    metrics, metrics_alone = _metrics(load, all_of_it, beside), _metrics(load, without, quiet)
    tails = metrics.get("latency p99", (math.nan, "s"))[0], metrics_alone.get("latency p99", (math.nan, "s"))[0]
    slowdown = tails[0] / tails[1] if tails[1] > 0 and math.isfinite(tails[0]) else 1.0
    objectives = tuple(_objective(target, metrics, load, beside) for target in load.entry.targets())
    met = min((objective.met for objective in objectives), default=None)
    metrics |= {"slowdown": (slowdown, "1"), "objectives met": (1.0 if met is None else met, "1")}
    blame = _blame(beside, reading)
    waited_for = _waited_for(blame, reading)
    weights = _weights(beside, reading)
    return WorkloadResult(
        name=load.entry.name,
        kind=load.entry.kind,
        passes=(),
        metrics=metrics,
        alone=metrics_alone,
        slowdown=slowdown,
        objectives=objectives,
        met=met,
        bottleneck=worst(blame),
        waited_for=waited_for,
        taken_by=() if waited_for is None else reading.taken_by(waited_for.resource, weights),
        requests=tuple(_requests(name, kind, load.alike) for name, kind in all_of_it.items() if name),
        series={**reading.series(load.entry.name), **_over_time(load, beside, reading)},
    )


def _metrics(load: Load, kinds: Mapping[str, Merged], of: Sequence[Window]) -> Metrics:
    """Return what a load is measured by, of each kind of its requests and of all of them."""
    metrics: Metrics = {}
    for name, kind in kinds.items():
        label = f"{name} " if name else ""
        metrics |= {f"{label}latency {p}": (known.value, "s") for p, known in kind.latency.items()}
        if name:
            metrics |= {f"{label}first byte {p}": (known.value, "s") for p, known in kind.first_byte.items()}
        metrics[f"{label}request rate"] = kind.rate.value * load.alike, "1/s"
        if kind.throughput.value > 0:
            metrics[f"{label}throughput"] = kind.throughput.value * load.alike, "B/s"
    if isinstance(load.run.loop, Open):
        lasted = sum(end - start for start, end in load.spans)
        middles = np.array([window.seconds.sum() for window in of])
        offered = [load.run.loop.rate * load.alike * _mean_factor(load, window) for window in of]
        metrics["offered rate"] = float(np.dot(middles, offered)) / lasted, "1/s"
    for name in COUNTS:
        counted = sum(counts_of(w.result)[name] / w.result.simulated * float(w.seconds.sum()) for w in of)
        metrics[name] = float(counted) * load.alike, "1"
    return metrics


def _mean_factor(load: Load, window: Window) -> float:
    return float(np.mean([load.factor(time) for time in window.times]))


def _requests(name: str, kind: Merged, alike: int) -> RequestsResult:
    return RequestsResult(
        name,
        _span(kind.rate.times(alike)),
        _span(kind.throughput.times(alike)),
        {p: _span(known) for p, known in kind.latency.items()},
        {p: _span(known) for p, known in kind.first_byte.items()},
    )


def _span(known: Estimate) -> Span:
    return Span(known.value, known.low, known.high)


def named_as(target: Target, metrics: Mapping[str, object]) -> str | None:
    """Return the metric that a target means; "p99" is that of all requests together."""
    known = {plain(name): name for name in metrics}
    return known.get(target.measure) or known.get(f"latency_{target.measure}")


def _objective(target: Target, metrics: Metrics, load: Load, stretches: Sequence[Window]) -> ObjectiveResult:
    """Return what became of an objective: the part of requests that came while it was met."""
    name = named_as(target, metrics)
    if name is None:
        return ObjectiveResult(f"{target}", math.nan, "1", 0.0)
    value, unit = metrics[name]
    if " p" not in f" {name}" or "latency" not in name:
        return ObjectiveResult(f"{target}", value, unit, float(target.is_met(value, unit)))
    kind, _, percentile = name.rpartition("latency ")
    met = total = 0.0
    for window in stretches:
        times = _times(load, kind.strip(), window)
        came = float(window.seconds.sum()) * window.result.throughput.value
        if len(times) and came > 0:
            reached = float(np.quantile(times, PERCENTILES[percentile], method="higher"))
            met, total = met + came * target.is_met(reached, unit), total + came
    return ObjectiveResult(f"{target}", value, unit, met / total if total else 0.0)


def _times(load: Load, kind: str, window: Window) -> NDArray[np.float64]:
    """Return the latencies of a kind of requests of a load in a window; of all for ""."""
    prefix = f"{load.entry.name}/{kind}"
    parts = [
        times
        for name, (times, _) in window.result.samples.items()
        if name == prefix or (not kind and name.startswith(prefix))
    ]
    return np.concatenate(parts) if parts else np.zeros(0)


def _over_time(load: Load, stretches: Sequence[Window], reading: Reading) -> dict[str, NDArray[np.float64]]:
    """Return how many requests of a load were answered a second, and the 99th percentile of latencies (s).

    That is the percentile of the largest part of them.
    """
    rates, tails = np.zeros(reading.bins), np.zeros(reading.bins)
    for window in stretches:
        rates[window.bins] += window.part * load.alike * _rate(load, window)
        times = _times(load, "", window)
        if len(times):
            tails[window.bins] = float(np.quantile(times, 0.99, method="higher"))
    return {RATE: rates, LATENCY: tails}


def _weights(stretches: Sequence[Window], reading: Reading) -> NDArray[np.float64]:
    """Return the seconds that the requests of each bin took in all: who slows them in the bins that are slow counts."""
    weights = np.zeros(reading.bins)
    for window in stretches:
        mean = window.result.latency.mean.value
        weights[window.bins] += window.seconds * window.result.throughput.value * (mean if math.isfinite(mean) else 1.0)
    return weights


def _blame(stretches: Sequence[Window], reading: Reading) -> dict[str, float]:
    """Return the seconds, summed over requests, that each limit took: all at a group, while that is busy."""
    blame: dict[str, float] = {}
    for window in stretches:
        came = float(window.seconds.sum()) * window.result.throughput.value / max(window.result.done, 1)
        for use in window.result.stations:
            group = use.station.name
            is_busy = group in reading.members and reading.used(group)[window.bins].mean() >= BUSY
            queue, own = (group, group) if is_busy else (queue_at(group), one_a_request(use.station.kind, group))
            blame[queue] = blame.get(queue, 0.0) + use.waited * came
            blame[own] = blame.get(own, 0.0) + use.served * came
    return blame


def _waited_for(blame: Mapping[str, float], reading: Reading) -> Bottleneck | None:
    """Return the group of resources that requests waited for longest, with its part of all of their seconds."""
    waits = {limit: seconds for limit, seconds in blame.items() if seconds and queued_at(limit) in reading.members}
    if not waits:
        return None
    longest = max(waits, key=lambda limit: waits[limit])
    return Bottleneck(queued_at(longest), waits[longest] / sum(blame.values()))
