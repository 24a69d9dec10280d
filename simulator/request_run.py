"""From the phases of a workload that sends requests to a result: the same answer as any other run gives."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from importlib.metadata import version

import numpy as np

from models.jobs.lakehouse_plan import LakehousePlan
from models.jobs.requests import RequestRun, Route, Visit
from models.scenario import Scenario
from models.work import Metrics
from simulator.events import OnEvent, Progress, StageFinished, StageStarted
from simulator.requests import RequestResult, StationUse, run_requests
from simulator.result import Bottleneck, GroupResult, ResourceResult, Result, StageResult

CARRIERS = ("drive", "controller", "nic-in", "nic-out")
"""Kinds of stations that the bytes of a request pass."""


@dataclass(slots=True)
class _Ledger:
    """What the phases so far used: seconds busy and bytes of each copy of a station, and the seconds of each limit."""

    uses: dict[str, StationUse] = field(default_factory=dict)
    busy: dict[str, float] = field(default_factory=dict)
    peak: dict[str, float] = field(default_factory=dict)
    bytes: dict[str, float] = field(default_factory=dict)
    limits: dict[str, float] = field(default_factory=dict)
    stages: list[StageResult] = field(default_factory=list)
    metrics: Metrics = field(default_factory=dict)
    warnings: list[str] = field(default_factory=list)
    now: float = 0.0

    def book(self, run: RequestRun, result: RequestResult) -> None:
        """Take the result of a phase in."""
        found = _limits(result)
        scale = result.duration / result.simulated
        for use in result.stations:
            self.uses[use.name] = use
            self.busy[use.name] = self.busy.get(use.name, 0.0) + use.utilization * result.duration
            self.peak[use.name] = max(self.peak.get(use.name, 0.0), use.utilization)
        for name, amount in _bytes(run, result):
            self.bytes[name] = self.bytes.get(name, 0.0) + amount * scale
        self._add(run.name, run.count, result.duration, found)
        for name, latency in result.latencies.items():
            for percentile in ("p50", "p99"):
                self.metrics[f"{name} latency {percentile}"] = (latency.percentiles[percentile].value, "s")
        if result.stopped_early:
            width = 100 * result.throughput.half_width
            said = f"{result.done:,} of {run.count:,} requests simulated, their rate is known to ±{width:.2g} %"
            self.warnings.append(f"{run.name}: {said}")

    def pause(self, name: str, seconds: float, tasks: int) -> None:
        """Let time pass that no station is asked in."""
        self._add(name, tasks, seconds, {name: 1.0})

    def _add(self, name: str, count: int, seconds: float, found: dict[str, float]) -> None:
        total = sum(found.values())
        for limit, share in found.items():
            self.limits[limit] = self.limits.get(limit, 0.0) + seconds * share / total
        self.stages.append(StageResult(name, self.now, self.now + seconds, count, _worst(found)))
        self.now += seconds


def simulate_requests(
    scenario: Scenario,
    plan: LakehousePlan,
    *,
    profile: str,
    seed: int,
    on_event: OnEvent,
    should_stop: Callable[[], bool] | None,
) -> Result:
    """Return how the phases of a workload go, one after the other.

    Raises:
        ValueError: the requests cannot be run.
        Cancelled: `should_stop` said so.
    """
    ledger, runs = _Ledger(), plan.runs()
    for at, run in enumerate(runs):
        on_event(StageStarted(run.name, run.count, ledger.now))
        ledger.book(run, run_requests(run, seed=seed, should_stop=should_stop))
        on_event(StageFinished(run.name, ledger.now))
        on_event(Progress((at + 1) / len(runs), ledger.now))
    name, seconds = plan.outside()
    ledger.pause(name, seconds, plan.job.queries)
    measured = plan.metrics({stage.name: stage.end - stage.start for stage in ledger.stages})
    return _result(scenario, ledger, measured, profile, seed)


def _result(scenario: Scenario, ledger: _Ledger, measured: Metrics, profile: str, seed: int) -> Result:
    resources = tuple(_resource(ledger, use) for use in ledger.uses.values())
    groups = tuple(_groups(ledger, resources))
    bottleneck = _worst(ledger.limits) or Bottleneck("nothing", 0.0)
    others = [group for group in groups if group.group != bottleneck.resource]
    second = max(others, key=lambda group: group.bound, default=None)
    return Result(
        profile=profile,
        seed=seed,
        version=version("headroom"),
        duration=ledger.now,
        interval=None,
        bottleneck=bottleneck,
        next_bottleneck=None if second is None else Bottleneck(second.group, second.bound / ledger.now),
        stages=tuple(ledger.stages),
        resources=resources,
        groups=groups,
        bin_width=ledger.now,
        metrics={"duration": (ledger.now, "s"), **measured, **ledger.metrics},
        capacity=scenario.capacity(),
        warnings=tuple(ledger.warnings),
    )


def _limits(result: RequestResult) -> dict[str, float]:
    """Return the seconds, summed over requests, that each group of stations took, waiting included."""
    found: dict[str, float] = {}
    for use in result.stations:
        found[use.station.name] = found.get(use.station.name, 0.0) + use.waited + use.served
    return found


def _worst(found: dict[str, float]) -> Bottleneck | None:
    total = sum(found.values())
    if not total:
        return None
    limit = max(found, key=lambda name: found[name])
    return Bottleneck(limit, found[limit] / total)


def _bytes(run: RequestRun, result: RequestResult) -> Iterator[tuple[str, float]]:
    """Yield the bytes that each copy of a station carried, dealt by its visits."""
    carried: dict[str, float] = {}
    for kind in run.kinds:
        names = [visit.station.name for visit in _visits(kind.route) if visit.station.kind in CARRIERS]
        for name in names:  # the fragments of a coded object share its bytes
            share = result.counts[kind.name] * kind.size.mean / names.count(name)
            carried[name] = carried.get(name, 0.0) + share
    visits: dict[str, int] = {}
    for use in result.stations:
        visits[use.station.name] = visits.get(use.station.name, 0) + use.visits
    for use in result.stations:
        if use.station.name in carried:
            yield use.name, carried[use.station.name] * use.visits / visits[use.station.name]


def _visits(route: Route) -> Iterator[Visit]:
    for step in route:
        if isinstance(step, Visit):
            yield step
            yield from _visits(step.inside)


def _resource(ledger: _Ledger, use: StationUse) -> ResourceResult:
    mean = ledger.busy[use.name] / ledger.now
    return ResourceResult(
        name=use.name,
        kind=use.station.kind,
        group=use.station.name,
        utilization_mean=mean,
        utilization_peak=ledger.peak[use.name],
        bytes=ledger.bytes.get(use.name, 0.0),
        utilization=np.array([mean]),
    )


def _groups(ledger: _Ledger, resources: tuple[ResourceResult, ...]) -> Iterator[GroupResult]:
    members: dict[str, list[ResourceResult]] = {}
    for resource in resources:
        members.setdefault(resource.group, []).append(resource)
    for group, found in members.items():
        mean = float(np.mean([resource.utilization_mean for resource in found]))
        yield GroupResult(
            group=group,
            kind=found[0].kind,
            count=len(found),
            utilization_mean=mean,
            utilization_peak=float(np.mean([resource.utilization_peak for resource in found])),
            bytes=sum(resource.bytes for resource in found),
            bound=mean * ledger.now,
        )
