"""The answer for many workloads: each one's duration alone and together, what held it up, and who took that."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from importlib.metadata import version

import numpy as np
from numpy.typing import NDArray

from models.problem import refusal
from models.scenario import Scenario
from models.target import Target, plain, unknown
from models.work import Metrics
from simulator.limits import added, limits, named, queued_at, worst
from simulator.readings import (
    OwnAccount,
    busy_in,
    groups_of,
    members_of,
    metrics_of,
    next_of,
    resources_of,
    shared_of,
)
from simulator.result import Bottleneck, ObjectiveResult, PassResult, Result, StageResult, WorkloadResult
from simulator.together import Beside, Pass, Together

CONTAINERS = "containers"
"""What limits a workload while others hold the containers that it waits for."""
OF_PASSES = ("worst duration", "slowdown", "runs", "objectives met")
"""What is measured of a workload beside what a run of it is measured by."""


class Reading:
    """What the books of a simulation of many workloads say."""

    def __init__(self, together: Together) -> None:
        self._together = together
        self.books = books = together.engine.close()
        known = together.layout.resources
        self.resources = resources_of(known, books)
        self.groups = groups_of(known, books, self.resources)
        self._series = shared_of(known, books)
        self._members = members_of(known)
        self.bins = books.utilization.shape[1]
        self._shares = together.usage.shares(self.bins)

    def held_up(self, run: Pass) -> list[dict[str, float]]:
        """Return the seconds of each limit of each stage of a run."""
        waited, found = self._together.engine.waited, []
        for stage in run.run.stages:
            busy = busy_in(self._series, self.books.bin_width, (stage.start, stage.ended_by(self.books.time)))
            found.append(named(limits(self.books, waited, stage.tag), busy))
        return found

    def used(self, group: str) -> NDArray[np.float64]:
        """Return the mean utilization of a group of resources over time."""
        return np.asarray(self.books.utilization[self._members[group]].mean(axis=0))

    def share(self, group: str, owner: int) -> NDArray[np.float64]:
        """Return the part of what is used of a group that an owner takes, over time."""
        return np.asarray(self._shares[owner, list(self._members).index(group)])

    def series(self, owner: int) -> dict[str, NDArray[np.float64]]:
        """Return the part of each group of resources that an owner uses over time, of those that it uses."""
        found = {group: self.used(group) * self.share(group, owner) for group in self._members}
        return {group: used for group, used in found.items() if used.any()}

    def taken_by(self, limit: str, runs: Sequence[Pass]) -> tuple[tuple[str, float], ...]:
        """Return who used a group of resources while some runs went on, the one that used most first."""
        group = queued_at(limit)
        if group not in self._members:
            return ()
        weights = np.zeros(self.bins)
        edges = np.arange(self.bins + 1) * self.books.bin_width
        for run in runs:
            end = self.books.time if run.end is None else run.end
            weights += np.clip(np.minimum(edges[1:], end) - np.maximum(edges[:-1], run.start), 0.0, None)
        weights *= self.used(group)
        owners = self._together.owners
        return _ranked({name: float((weights * self.share(group, i)).sum()) for i, name in enumerate(owners)})


def answered(together: Together, alone: Mapping[str, Result], profile: str, seed: int) -> Result:
    """Return the answer for workloads of which `alone` has the answers without the others."""
    scenario, reading = together.scenario, Reading(together)
    books = reading.books
    found = tuple(_workload(each, i + 1, reading, alone[each.entry.name]) for i, each in enumerate(together.workloads))
    stages = tuple(stage for run in together.passes() for stage in _stages(run, reading))
    bottleneck = worst(added([blame for run in together.passes() for blame in reading.held_up(run)]))
    return Result(
        profile=profile,
        seed=seed,
        version=version("headroom"),
        duration=books.time,
        interval=None,
        bottleneck=bottleneck or Bottleneck("nothing", 0.0),
        next_bottleneck=next_of(reading.groups, bottleneck, books.time),
        stages=stages,
        resources=reading.resources,
        groups=reading.groups,
        bin_width=books.bin_width,
        metrics={
            "duration": (books.time, "s"),
            **{f"{each.name}.{key}": value for each in found for key, value in each.metrics.items()},
        },
        capacity=scenario.capacity(),
        leading={f"{each.name}.duration": (each.metrics["duration"][0],) for each in found if each.passes}
        or {"duration": (books.time,)},
        workloads=found,
    )


def measured_together(scenario: Scenario, measured: Callable[[Scenario], dict[str, str]]) -> dict[str, str]:
    """Return the names of the metrics of many workloads with their units, by those of each alone.

    Raises:
        RefusalError: an objective names what nothing is measured by.
    """
    found = {"duration": "s"}
    for entry in scenario.workloads:
        own = measured(scenario.alone(entry.name))
        for i, target in enumerate(entry.targets()):
            if _named_as(target, own) is None:
                raise refusal(f"workloads.{entry.name}.objectives.{i}", unknown(target.measure, own), found=f"{target}")
        units = {"worst duration": "s", "slowdown": "1", "runs": "1", "objectives met": "1"}
        found |= {f"{entry.name}.{name}": unit for name, unit in (own | units).items()}
    return found


def _workload(each: Beside, owner: int, reading: Reading, alone: Result) -> WorkloadResult:
    entry, runs = each.entry, each.passes
    own = [_measured(run, reading) for run in runs]
    objectives = tuple(_objective(target, own) for target in entry.targets())
    passes = tuple(
        PassResult(run.start, _end(run, reading), run.due, _is_met(run, values, reading))
        for run, values in zip(runs, own, strict=True)
    )
    expects = bool(objectives) or entry.finish_by is not None
    met = float(np.mean([each.is_met for each in passes])) if expects and passes else None
    metrics = _means(own)
    slowdown = metrics["duration"][0] / alone.duration if runs and alone.duration else 1.0
    if runs:
        longest = max(each.end - each.start for each in passes)
        values = (longest, slowdown, float(len(runs)), 1.0 if met is None else met)
        metrics |= dict(zip(OF_PASSES, zip(values, ("s", "1", "1", "1"), strict=True), strict=True))
    blame = _blame(runs, reading)
    bottleneck = worst(blame)
    return WorkloadResult(
        name=entry.name,
        kind=each.scenario.workload.kind,
        passes=passes,
        metrics=metrics,
        alone=dict(alone.metrics),
        slowdown=slowdown,
        objectives=objectives,
        met=met,
        bottleneck=bottleneck,
        taken_by=_taken_by(bottleneck, runs, reading),
        series=reading.series(owner),
    )


def _blame(runs: Sequence[Pass], reading: Reading) -> dict[str, float]:
    """Return the seconds of some runs by what held them up: containers that others held, or what their tasks used."""
    found: dict[str, float] = {}
    for run in runs:
        waited = sum(run.claim.waited.values()) if run.claim else 0.0
        if waited:
            found[CONTAINERS] = found.get(CONTAINERS, 0.0) + waited
        blame = added(reading.held_up(run))
        left = max(_end(run, reading) - run.start - waited, 0.0) / (sum(blame.values()) or 1.0)
        for limit, seconds in blame.items():
            found[limit] = found.get(limit, 0.0) + seconds * left
    return found


def _taken_by(bottleneck: Bottleneck | None, runs: Sequence[Pass], reading: Reading) -> tuple[tuple[str, float], ...]:
    if bottleneck is None:
        return ()
    if bottleneck.resource == CONTAINERS:
        waited: dict[str, float] = {}
        for run in runs:
            for name, seconds in (run.claim.waited if run.claim else {}).items():
                waited[name] = waited.get(name, 0.0) + seconds
        return _ranked(waited)
    return reading.taken_by(bottleneck.resource, runs)


def _ranked(amounts: Mapping[str, float]) -> tuple[tuple[str, float], ...]:
    """Return the parts of those that have any, the largest first."""
    total = sum(amounts.values())
    parts = [(name, amount / total) for name, amount in amounts.items() if amount > 0]
    return tuple(sorted(parts, key=lambda found: -found[1]))


def _end(run: Pass, reading: Reading) -> float:
    return reading.books.time if run.end is None else run.end


def _measured(run: Pass, reading: Reading) -> Metrics:
    """Return what one run is measured by: its duration, and those of its plan's metrics that rest on it alone."""
    lasted = _end(run, reading) - run.start
    ends = {stage.stage.name: stage.ended_by(reading.books.time) - run.start for stage in run.run.stages}
    account = OwnAccount(lasted, ends, {stage.stage.name: stage.times for stage in run.run.stages})
    found: Metrics = {"duration": (lasted, "s")}
    for name, metric in metrics_of(run.plan).items():
        try:
            found[name] = metric.of(account), metric.unit
        except OwnAccount.Shared:
            continue
    return found


def _means(values: Sequence[Metrics]) -> Metrics:
    """Return the mean of each metric over the runs."""
    return {
        name: (float(np.mean([each[name][0] for each in values])), unit)
        for name, (_, unit) in (values[0] if values else {}).items()
    }


def _named_as(target: Target, metrics: Mapping[str, object]) -> str | None:
    """Return the metric that a target means; "p99" is that of all requests together."""
    known = {plain(name): name for name in metrics}
    return known.get(target.measure) or known.get(f"latency_{target.measure}")


def _objective(target: Target, values: Sequence[Metrics]) -> ObjectiveResult:
    found = [each[name] for each in values if (name := _named_as(target, each)) is not None]
    if not found:
        return ObjectiveResult(f"{target}", math.nan, "1", 0.0)
    unit = found[0][1]
    met = float(np.mean([target.is_met(value, unit) for value, _ in found]))
    return ObjectiveResult(f"{target}", float(np.mean([value for value, _ in found])), unit, met)


def _is_met(run: Pass, values: Metrics, reading: Reading) -> bool:
    """Tell whether a run met all that was expected of it."""
    on_time = _end(run, reading) <= run.due
    names = ((target, _named_as(target, values)) for target in run.entry.targets())
    return on_time and all(name is not None and target.is_met(*values[name]) for target, name in names)


def _stages(run: Pass, reading: Reading) -> Iterator[StageResult]:
    for stage, blame in zip(run.run.stages, reading.held_up(run), strict=True):
        tasks = stage.stage.stands_for or stage.stage.tasks
        end = min(stage.ended_by(reading.books.time), _end(run, reading))
        yield StageResult(f"{run.name}/{stage.stage.name}", stage.start, end, tasks, worst(blame))
