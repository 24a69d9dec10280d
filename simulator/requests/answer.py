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
from models.requests import Admission, Closed, Open, RequestRun, Route, Visit, parts_of
from models.scenario import Scenario
from models.work import Metrics
from simulator.asked import Asked
from simulator.events import Progress, StageFinished, StageStarted
from simulator.faults import missed
from simulator.limits import THINKING, one_a_request, queue_at, worst
from simulator.requests.damage import measured_damage, with_damage
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
    BUSY,
    Bottleneck,
    FailuresResult,
    GroupResult,
    RequestsResult,
    ResourceResult,
    Result,
    StageResult,
)

RequestPlan = LakehousePlan | ObjectLoadPlan

CARRIERS = ("drive", "controller", "nic-in", "nic-out")
"""Kinds of stations that the bytes of a request pass."""
SATURATED = 0.85
"""Mean utilization from which a group limits a run. Assumption: chance leaves few stations busier than that."""


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
        slots = run.loop.slots if isinstance(run.loop, Closed) else ""
        shares = _saturated(run, result, self.alike) or _limits(result, slots) | _thought(run, result, self.alike)
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


def _thought(run: RequestRun, result: RequestResult, alike: int) -> dict[str, float]:
    """Return the seconds, summed over requests, that clients thought before them, in one of so many parts."""
    means: dict[str, float] = {}
    for name, count in result.counts.items():
        kinds = [kind for kind in run.kinds if kind.name == name]
        weight = sum(kind.weight for kind in kinds)
        means[name] = count / alike * sum(kind.think.mean * kind.weight for kind in kinds) / weight
    thought = sum(means.values())
    return {THINKING: thought} if thought > 0 else {}


def _saturated(run: RequestRun, result: RequestResult, alike: int) -> dict[str, float]:
    """Return what is busy nearly all of the time, with that share, and what is left; or nothing.

    It is a group of stations, or a limit on the rate of requests that refuses some of them. Requests may spend more
    time elsewhere, but there is no more throughput than this allows. Where objects belong to groups, and the copies of
    a station have more of them or fewer, all wait for the busiest.
    """
    uneven = {step.station.name for kind in run.kinds for step in _visits(kind.route) if step.pick and step.pick.places}
    busy: dict[str, list[float]] = {}
    for use in result.stations:
        if use.station.kind in (*CARRIERS, "cpu"):
            busy.setdefault(use.station.name, []).append(use.utilization)
    means = {name: float(np.max(parts) if name in uneven else np.mean(parts)) for name, parts in busy.items()}
    means |= _admitted(run, result, alike)
    name = max(means, key=lambda key: means[key], default=None)
    if name is None or means[name] < SATURATED:
        return {}
    return {name: min(means[name], 1.0), "elsewhere": max(1 - means[name], 0.0)}


def _visits(route: Route) -> Iterator[Visit]:
    """Yield all visits of a route."""
    for step in route:
        if isinstance(step, Visit):
            yield step
        for part in parts_of(step):
            yield from _visits(part)


def _admitted(run: RequestRun, result: RequestResult, alike: int) -> dict[str, float]:
    """Return the part of each limited rate that requests have, where some are refused, in one of so many parts."""
    used: dict[str, float] = {}
    routes = {kind.name: kind.route for kind in run.kinds} if result.refused else {}
    for name, route in routes.items():
        for limit in route:
            if isinstance(limit, Admission):
                rate = result.counts[name] / result.simulated / alike
                used[limit.name] = used.get(limit.name, 0.0) + rate / (limit.rate * limit.prefixes)
    return used


def _limits(result: RequestResult, slots: str = "") -> dict[str, float]:
    """Return the seconds, summed over requests, that each limit took.

    Those at a busy group are the group's. Elsewhere a request waits in a queue, though others of the group are idle, or
    it takes its own time there: more of the group would change nothing. More `slots` would, where clients are some, by
    as much of the time as the busiest group is idle.
    """
    groups: dict[str, list[StationUse]] = {}
    for use in result.stations:
        groups.setdefault(use.station.name, []).append(use)
    shares, serial, busiest = dict[str, float](), dict[str, float](), 0.0
    for name, uses in groups.items():
        waited, served = sum(use.waited for use in uses), sum(use.served for use in uses)
        busy = float(np.mean([use.utilization for use in uses]))
        kind = uses[0].station.kind
        busiest = max(busiest, busy) if kind in (*CARRIERS, "cpu") else busiest
        queue = name if busy >= BUSY else queue_at(name)
        table, own = (shares, name) if busy >= BUSY else (serial, one_a_request(kind, name))
        shares[queue] = shares.get(queue, 0.0) + waited
        table[own] = table.get(own, 0.0) + served
    alone = sum(serial.values())
    spare = min((1 - busiest) * (alone + sum(shares.values())), alone) if slots else 0.0
    for name, seconds in serial.items():
        shares[name] = shares.get(name, 0.0) + seconds * (1 - spare / alone if alone else 1.0)
    return shares | ({slots: spare} if slots else {})


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
