"""From the phases of a workload that sends requests to a result: the same answer as any other run gives."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from importlib.metadata import version

import numpy as np

from models.build import build
from models.hardware.server import EXPONENT
from models.jobs.lakehouse_plan import READING_RATE, LakehousePlan, Pause
from models.jobs.object_load_plan import ObjectLoadPlan
from models.requests import Closed, Open, RequestRun
from models.scenario import Scenario
from models.work import Metrics
from simulator.asked import Asked
from simulator.events import Progress, StageFinished, StageStarted
from simulator.faults import missed
from simulator.limits import THINKING, worst
from simulator.requests.damage import measured_damage, with_damage
from simulator.requests.limits import CARRIERS, held_up
from simulator.requests.report import (
    COUNTS,
    counts_of,
    leading_of,
    load_of,
    measured_kinds,
    metrics_of,
    requests_in,
    requests_of,
    warnings_of,
)
from simulator.requests.run import RequestResult, StationUse, of_all, run_requests
from simulator.result import (
    Bottleneck,
    FailuresResult,
    GroupResult,
    RequestsResult,
    ResourceResult,
    Result,
    StageResult,
)

RequestPlan = LakehousePlan | ObjectLoadPlan


@dataclass(slots=True)
class _Ledger:
    """What the phases so far used: seconds busy and bytes of each copy of a station, and the seconds of each limit.

    Each copy is one of so many that are `alike`.
    """

    alike: int = 1

    uses: dict[str, StationUse] = field(default_factory=dict)
    busy: dict[str, float] = field(default_factory=dict)
    peak: dict[str, float] = field(default_factory=dict)
    bytes: dict[str, float] = field(default_factory=dict)
    limits: dict[str, float] = field(default_factory=dict)
    stages: list[StageResult] = field(default_factory=list)
    metrics: Metrics = field(default_factory=dict)
    requests: list[RequestsResult] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    now: float = 0.0

    def book(self, run: RequestRun, result: RequestResult) -> None:
        """Take the result of a phase in."""
        shares = held_up(run, result, self.alike)
        scale = result.duration / result.simulated
        for use in result.stations:
            self.uses[use.name] = use
            self.busy[use.name] = self.busy.get(use.name, 0.0) + use.utilization * result.duration
            self.peak[use.name] = max(self.peak.get(use.name, 0.0), use.utilization)
            if use.station.kind in CARRIERS:
                self.bytes[use.name] = self.bytes.get(use.name, 0.0) + use.bytes * scale
        self._add(run.name, requests_in(run, result), result.duration, shares)
        self.requests += requests_of(result)
        self.metrics |= {name: value for request in self.requests for name, value in metrics_of(request)}
        self.warnings += warnings_of(run, result, self.alike)

    def pause(self, pause: Pause, tasks: int) -> None:
        """Let time pass in which no request is sent."""
        for name, use in self.uses.items():
            group = use.station.name
            self.busy[name] += pause.busy.get(group, 0.0)
            if pause.seconds > 0:  # what limits it is busy for as long
                self.peak[name] = max(self.peak[name], pause.limits.get(group, 0.0) / pause.seconds)
        self._add(pause.name, tasks, pause.seconds, dict(pause.limits) or {pause.name: 1.0})

    def _add(self, name: str, count: int, seconds: float, shares: dict[str, float]) -> None:
        total = sum(shares.values()) or 1.0
        for limit, share in shares.items():
            self.limits[limit] = self.limits.get(limit, 0.0) + seconds * share / total
        self.stages.append(StageResult(name, self.now, self.now + seconds, count, worst(shares)))
        self.now += seconds


def simulate_requests(scenario: Scenario, plan: RequestPlan, asked: Asked) -> Result:
    """Return how the phases of a workload go, one after the other.

    Raises:
        ValueError: the requests cannot be run.
        Cancelled: who asked wants it no more.
    """
    ledger, runs = _Ledger(plan.alike if isinstance(plan, ObjectLoadPlan) else 1), plan.runs()
    measured: Metrics = {}
    load = None
    for at, run in enumerate(runs):
        whole = replace(run, count=plan.count) if isinstance(plan, ObjectLoadPlan) else run
        asked.on_event(StageStarted(run.name, whole.count, ledger.now, are_requests=True))
        result = of_all(run_requests(run, seed=asked.seed, should_stop=asked.should_stop), ledger.alike)
        ledger.book(whole, result)
        if isinstance(plan, ObjectLoadPlan):
            measured, load = _load_metrics(whole, result, ledger.alike), load_of(whole, result)
        asked.on_event(StageFinished(run.name, ledger.now))
        asked.on_event(Progress((at + 1) / len(runs), ledger.now))
    if isinstance(plan, LakehousePlan):
        for pause in plan.outside(ledger.stages[-1].end - ledger.stages[-1].start):
            ledger.pause(pause, plan.job.queries)
        measured = plan.metrics({stage.name: stage.end - stage.start for stage in ledger.stages})
    answer = _result(scenario, ledger, measured, asked)
    if load is not None:
        answer = replace(answer, load=load, leading=leading_of(load, answer.requests))
    if not isinstance(plan, ObjectLoadPlan) or plan.damage is None:
        return answer
    assert scenario.failures is not None  # it is what does the damage
    struck = scenario.failures.before(answer.duration)
    warnings = missed(fault for fault in scenario.failures.faults if fault not in struck.faults)
    if not struck.faults:
        nothing = FailuresResult(answer.duration, (), 0, 0.0, 0)
        return replace(answer, failures=nothing, warnings=(*answer.warnings, *warnings))
    damaged_plan = build(scenario.model_copy(update={"failures": struck}), plan.ends.salt)
    assert isinstance(damaged_plan, ObjectLoadPlan)  # the workload is the same
    damaged = [
        (run, run_requests(run, seed=asked.seed, should_stop=asked.should_stop)) for run in damaged_plan.damaged()
    ]
    answer = with_damage(answer, damaged_plan, struck, damaged)
    return replace(answer, warnings=(*answer.warnings, *warnings))


def _result(scenario: Scenario, ledger: _Ledger, measured: Metrics, asked: Asked) -> Result:
    resources = tuple(_resource(ledger, use) for use in ledger.uses.values() if use.station.kind != "delay")
    groups = tuple(_groups(ledger, resources))
    bottleneck = worst(ledger.limits) or Bottleneck("nothing", 0.0)
    others = [group for group in groups if group.group != bottleneck.resource]
    second = max(others, key=lambda group: group.bound, default=None)
    return Result(
        profile=asked.profile,
        seed=asked.seed,
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
        requests=tuple(ledger.requests),
        leading={"duration": (ledger.now,)},
    )


def measured_requests(plan: RequestPlan) -> dict[str, str]:
    """Return the names of the metrics that requests have, with their units; nothing is run."""
    units = {name: unit for run in plan.runs() for name, unit in measured_kinds(run)}
    if isinstance(plan, LakehousePlan):
        return {**units, READING_RATE: "1/s"} | {name: unit for name, (_, unit) in plan.charged().items()}
    units |= {"throughput": "B/s", "request rate": "1/s"} | dict.fromkeys(COUNTS, "1")
    units |= dict.fromkeys((name for run in plan.runs() for name in _offered(run)), "1/s")
    units |= {THINKING: "1"} if any(run.has_pauses for run in plan.runs()) else {}
    return units if plan.damage is None else {**units, **measured_damage(plan)}


def _offered(run: RequestRun) -> Metrics:
    """Return the requests a second that an open loop sends, whether they are carried or not."""
    return {"offered rate": (run.loop.rate, "1/s")} if isinstance(run.loop, Open) else {}


def _load_metrics(run: RequestRun, result: RequestResult, alike: int) -> Metrics:
    """Return what is measured of a load as a whole, of which so many parts are alike."""
    return {
        "throughput": (sum(bandwidth.value for bandwidth in result.bandwidths.values()), "B/s"),
        "request rate": (sum(rate.value for rate in result.rates.values()), "1/s"),
        **_offered(run),
        **_thinking(run, result, alike),
        **{name: (count, "1") for name, count in counts_of(result).items()},
    }


def _thinking(run: RequestRun, result: RequestResult, alike: int) -> Metrics:
    """Return the mean part of the clients that have no request under way, where they do something in between.

    Those under way are rate times latency, in the steady state, or of all the run where some that fail have none.
    """
    if not (isinstance(run.loop, Closed) and run.has_pauses):
        return {}
    under_way = result.little[0] if result.failed else result.throughput.value * result.latency.mean.value
    return {THINKING: (1 - under_way / (run.loop.clients * alike), "1")}


def _resource(ledger: _Ledger, use: StationUse) -> ResourceResult:
    mean = ledger.busy[use.name] / ledger.now
    return ResourceResult(
        name=use.name,
        kind=use.station.kind,
        group=use.station.name,
        utilization_mean=mean,
        utilization_peak=max(ledger.peak[use.name], mean),
        bytes=ledger.bytes.get(use.name, 0.0),
        utilization=np.array([mean]),
    )


def _groups(ledger: _Ledger, resources: tuple[ResourceResult, ...]) -> Iterator[GroupResult]:
    members: dict[str, list[ResourceResult]] = {}
    for resource in resources:
        members.setdefault(resource.group, []).append(resource)
    for group, group_members in members.items():
        mean = float(np.mean([resource.utilization_mean for resource in group_members]))
        yield GroupResult(
            group=group,
            kind=group_members[0].kind,
            count=len(group_members) * ledger.alike,
            utilization_mean=mean,
            utilization_peak=float(np.mean([resource.utilization_peak for resource in group_members])),
            bytes=sum(resource.bytes for resource in group_members) * ledger.alike,
            bound=mean * ledger.now,
            swollen_mean=float(np.mean([resource.utilization_mean**EXPONENT for resource in group_members])),
        )
