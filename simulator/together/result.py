"""The answer for many workloads: each one's duration alone and together, what held it up, and who took that."""

from __future__ import annotations

import math
from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from importlib.metadata import version

import numpy as np

from models.hardware.bays import unlinked
from models.jobs.together import seen_as
from models.problem import RefusalError, refusal
from models.scenario import Scenario
from models.symmetry import likeness
from models.target import Target, unknown
from models.work import Metrics
from simulator.asked import Asked
from simulator.jobs.containers import kept_out
from simulator.jobs.preemption import preempted
from simulator.jobs.slowest import Slowest, slowest_tasks
from simulator.jobs.speculation import copies
from simulator.jobs.stages import decided
from simulator.limits import added, worst
from simulator.readings import OwnAccount, asked_of, metrics_of, next_of
from simulator.rebalance import MEASURED
from simulator.requests.estimates import PERCENTILES
from simulator.result import Bottleneck, ObjectiveResult, PassResult, Result, StageResult, WorkloadResult
from simulator.together.load_result import Found, carried, load_results, load_windows, named_as
from simulator.together.loads import MOST, Known, Load, bundled
from simulator.together.reading import CONTAINERS, Reading, ranked
from simulator.together.run import Beside, Pass, Together

OF_PASSES = ("worst duration", "slowdown", "runs", "objectives met")
"""What is measured of a workload beside what a run of it is measured by."""


def beside(scenario: Scenario, asked: Asked, alone: Container[str] = ()) -> tuple[Together, Reading, Found]:
    """Return the simulation of many workloads, its books, and the windows of its loads; some follow it `alone`.

    Closed loops come at the rate that they have alone first, and then once more at the one that they had beside others.
    """
    together = Together(scenario, asked, alone=alone)
    together.run()
    reading = Reading(together)
    loads = load_windows(together, reading, asked.seed, asked.should_stop)
    closed = [load for load in together.loads if not load.is_open]
    if not closed or len(together.loads) + len(together.workloads) == 1:
        return together, reading, loads
    known = {load.entry.name: Known(carried(load, reading, loads[load.entry.name][0]), load.samples) for load in closed}
    together = Together(scenario, asked, known, alone)
    together.run()
    reading = Reading(together)
    if together.workloads or len(bundled(together.loads)) > 1:
        loads = load_windows(together, reading, asked.seed, asked.should_stop)
    return together, reading, loads


def answered(together: Together, reading: Reading, alone: Mapping[str, Result], loads: Found, asked: Asked) -> Result:
    """Return the answer for workloads of which `alone` has the answers without the others.

    One that is not among these was not compared. `loads` has the windows of loads of requests.
    """
    scenario = together.scenario
    books = reading.books
    own = {
        workload.entry.name: _workload(workload, reading, alone.get(workload.entry.name))
        for workload in together.workloads
    }
    own |= load_results(together, reading, loads)
    results = tuple(own[entry.name] for entry in scenario.workloads)
    stages = tuple(stage for run in together.passes() for stage in _stages(run, reading))
    bottleneck = worst(added([reading.decided(run) for run in together.passes()])) or _of_loads(results)
    metrics: Metrics = {
        "duration": (books.time, "s"),
        **_of_all(together, reading, results),
        **(together.rebalancing.metrics() if scenario.rebalance is not None else {}),
        **{f"{result.name}.{key}": value for result in results for key, value in result.metrics.items()},
    }
    return Result(
        profile=asked.profile,
        seed=asked.seed,
        version=version("headroom"),
        duration=books.time,
        interval=None,
        bottleneck=bottleneck or Bottleneck("nothing", 0.0),
        next_bottleneck=next_of(reading.groups, bottleneck, books.time),
        stages=stages,
        resources=reading.resources,
        groups=reading.groups,
        bin_width=books.bin_width,
        metrics=metrics,
        capacity=scenario.capacity(),
        warnings=(
            *unlinked(together.layout.whole),
            *likeness(together.layout),
            *_strikes(together),
            *(warning for load in together.loads for warning in _overloads(load, together)),
            *copies(stage.watch for run in together.passes() for stage in run.run.stages),
            *preempted(run.run.preempted for run in together.passes()),
            *kept_out(together.containers.kept_out),
        ),
        leading=_leading(metrics, books.time <= together.set_end),
        workloads=results,
        works=together.engine.activities.ended,
        tasks=slowest_tasks(_slowest(together), together.layout, books),
    )


def _slowest(together: Together) -> Iterator[Slowest]:
    for workload in together.workloads:
        yield from workload.slowest.values()


def _of_all(together: Together, reading: Reading, results: Sequence[WorkloadResult]) -> Metrics:
    """Return what is measured of all workloads: the time that runs take in all, and the requests that loads carry."""
    metrics: Metrics = {}
    if together.workloads:
        metrics["run time"] = sum(reading.end(run) - run.start for run in together.passes()), "s"
    if together.loads:
        metrics["request rate"] = sum(result.metrics.get("request rate", (0.0, "1/s"))[0] for result in results), "1/s"
    return metrics


def _of_loads(results: Sequence[WorkloadResult]) -> Bottleneck | None:
    """Return what limits loads of requests that no jobs are beside: the largest part of the time of any of them."""
    limits = [result.bottleneck for result in results if result.bottleneck is not None]
    return max(limits, key=lambda bottleneck: bottleneck.share, default=None)


def _leading(metrics: Metrics, is_set: bool) -> dict[str, tuple[float, ...]]:
    """Return what is read first: the time of all workloads, then of each its duration or 99th percentile.

    Where a load of requests sets the end of all, the time of the runs comes first, or the requests that are carried.
    """
    first = "duration" if not is_set else "run time" if "run time" in metrics else "request rate"
    names = [name for name in metrics if name.endswith((".duration", ".latency p99"))]
    return {name: (metrics[name][0],) for name in (first, *names)}


def measured_together(scenario: Scenario, measured: Callable[[Scenario], dict[str, str]]) -> dict[str, str]:
    """Return the names of the metrics of many workloads with their units, by those of each alone.

    Raises:
        RefusalError: an objective names what nothing is measured by, or one of them cannot be run.
    """
    all_units = {"duration": "s", **(MEASURED if scenario.rebalance is not None else {})}
    for entry in scenario.workloads:
        try:
            own = measured(scenario.alone(entry.name))
        except RefusalError as error:
            raise seen_as(error, entry.name) from None
        all_units |= {"request rate": "1/s"} if "request rate" in own else {"run time": "s"}
        for i, target in enumerate(entry.targets()):
            if named_as(target, own) is None and not target.measure.removeprefix("latency_").startswith("p"):
                raise refusal(f"workloads.{entry.name}.objectives.{i}", unknown(target.measure, own), value=f"{target}")
        units = {"worst duration": "s", "slowdown": "1", "runs": "1", "objectives met": "1"}
        if "request rate" in own:
            units = {f"latency {name}": "s" for name in PERCENTILES} | {"slowdown": "1", "objectives met": "1"}
            del own["duration"]  # it lasts as long as it was asked to
        all_units |= {f"{entry.name}.{name}": unit for name, unit in (own | units).items()}
    return all_units


def _strikes(together: Together) -> Iterator[str]:
    """Yield in words whom failures strike where servers stand for others."""
    alike = together.layout.parts
    if alike > 1 and together.faults is not None:
        yield (
            f"not exact: what fails is met by one of {alike} such parts of the requests, by jobs as if each part had it"
        )


def _overloads(load: Load, together: Together) -> Iterator[str]:
    """Yield in words where a load and others of its kind leave nothing to works; closed ones share alone."""
    full = [time for time in load.changes() if together.parts(time).max(initial=0.0) >= MOST]
    if full and (load.is_open or any(workload.starts for workload in together.workloads)):
        less = "lower its rate" if load.is_open else "let fewer clients send at once"
        yield (
            f"{load.entry.name}: from {full[0]:g} s on requests take all of a resource; others get"
            f" {1 - MOST:.0%} of it, and latencies grow; {less}, or add servers"
        )


def _workload(workload: Beside, reading: Reading, alone: Result | None) -> WorkloadResult:
    entry, runs = workload.entry, workload.passes
    own = [_measured(run, reading) for run in runs]
    objectives = tuple(_objective(target, own) for target in entry.targets())
    passes = tuple(
        PassResult(run.start, reading.end(run), run.due, _is_met(run, values, reading))
        for run, values in zip(runs, own, strict=True)
    )
    expects = bool(objectives) or entry.finish_by is not None
    met = float(np.mean([result.is_met for result in passes])) if expects and passes else None
    metrics = _means(own)
    slowdown = metrics["duration"][0] / alone.duration if alone is not None and runs and alone.duration else 1.0
    if runs:
        longest = max(result.end - result.start for result in passes)
        values = (longest, slowdown, float(len(runs)), 1.0 if met is None else met)
        metrics |= dict(zip(OF_PASSES, zip(values, ("s", "1", "1", "1"), strict=True), strict=True))
    if alone is None:
        metrics.pop("slowdown", None)
    elif runs:  # its data says what it asks, whoever is beside
        metrics |= {name: alone.metrics[name] for name in asked_of(workload.plan) if name in alone.metrics}
    blame = _blame(runs, reading)
    bottleneck = worst(blame)
    return WorkloadResult(
        name=entry.name,
        kind=workload.scenario.workload.kind,
        passes=passes,
        metrics=metrics,
        alone=dict(alone.metrics) if alone is not None else {},
        slowdown=slowdown,
        objectives=objectives,
        met=met,
        bottleneck=bottleneck,
        taken_by=_taken_by(bottleneck, runs, reading),
        series=reading.series(entry.name),
    )


def _blame(runs: Sequence[Pass], reading: Reading) -> dict[str, float]:
    """Return the seconds of some runs by what held them up: containers that others held, or what their tasks used."""
    blamed: dict[str, float] = {}
    for run in runs:
        waited = sum(run.claim.waited.values()) if run.claim else 0.0
        if waited:
            blamed[CONTAINERS] = blamed.get(CONTAINERS, 0.0) + waited
        blame = {limit: seconds for limit, seconds in reading.decided(run).items() if limit != CONTAINERS}
        left = max(reading.end(run) - run.start - waited, 0.0) / (sum(blame.values()) or 1.0)
        for limit, seconds in blame.items():
            blamed[limit] = blamed.get(limit, 0.0) + seconds * left
    return blamed


def _taken_by(bottleneck: Bottleneck | None, runs: Sequence[Pass], reading: Reading) -> tuple[tuple[str, float], ...]:
    if bottleneck is None:
        return ()
    if bottleneck.resource == CONTAINERS:
        waited: dict[str, float] = {}
        for run in runs:
            for name, seconds in (run.claim.waited if run.claim else {}).items():
                waited[name] = waited.get(name, 0.0) + seconds
        return ranked(waited)
    return reading.taken_by(bottleneck.resource, reading.while_running([(run.start, reading.end(run)) for run in runs]))


def _measured(run: Pass, reading: Reading) -> Metrics:
    """Return what one run is measured by: its duration, and those of its plan's metrics that rest on it alone."""
    lasted = reading.end(run) - run.start
    ends = {stage.stage.name: stage.ended_by(reading.books.time) - run.start for stage in run.run.stages}
    account = OwnAccount(lasted, ends, {stage.stage.name: stage.times for stage in run.run.stages})
    metrics: Metrics = {"duration": (lasted, "s")}
    for name, metric in metrics_of(run.plan).items():
        try:
            metrics[name] = metric.of(account), metric.unit
        except OwnAccount.Shared:
            continue
    return metrics


def _means(values: Sequence[Metrics]) -> Metrics:
    """Return the mean of each metric over the runs."""
    return {
        name: (float(np.mean([value[name][0] for value in values])), unit)
        for name, (_, unit) in (values[0] if values else {}).items()
    }


def _objective(target: Target, values: Sequence[Metrics]) -> ObjectiveResult:
    pairs = [value[name] for value in values if (name := named_as(target, value)) is not None]
    if not pairs:
        return ObjectiveResult(f"{target}", math.nan, "1", 0.0)
    unit = pairs[0][1]
    met = float(np.mean([target.is_met(value, unit) for value, _ in pairs]))
    return ObjectiveResult(f"{target}", float(np.mean([value for value, _ in pairs])), unit, met)


def _is_met(run: Pass, values: Metrics, reading: Reading) -> bool:
    """Tell whether a run met all that was expected of it."""
    on_time = reading.end(run) <= run.due
    names = ((target, named_as(target, values)) for target in run.entry.targets())
    return on_time and all(name is not None and target.is_met(*values[name]) for target, name in names)


def _stages(run: Pass, reading: Reading) -> Iterator[StageResult]:
    stages = run.run.stages
    for stage, blame, decides in zip(stages, reading.held_up(run), decided(stages, reading.end(run)), strict=True):
        tasks = stage.stage.stands_for or stage.stage.tasks
        end = min(stage.ended_by(reading.books.time), reading.end(run))
        yield StageResult(f"{run.name}/{stage.stage.name}", stage.start, end, tasks, worst(blame), decides)
