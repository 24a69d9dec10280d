"""Which laws a drawn profile breaks, in words: those of any run, of work beside other work, with faults, and alone."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from statistics import fmean, stdev

import numpy as np
from pydantic import ValidationError

from models.problem import RefusalError
from models.scenario import Scenario
from simulator.result import Result
from simulator.run import simulate
from simulator.together.loads import MOST
from tests.laws.drawn.profiles import failing, scenario
from tests.laws.lone_jobs import MORE, SEEDS, Lone
from tests.laws.test_reproducibility import digest

ROUNDING = 1e-9
GAIN = 0.04
"""Part of a duration that a run may gain by chance while something fails: what goes elsewhere may meet fewer others."""
SHARED = 0.02
"""Part by which a workload may be faster beside others than alone, by other chances of placement, and by which what
workloads use of a group may be more than it gives, as a load of requests is known window by window."""


@dataclass
class Held:
    """What became of a drawn profile: why it was refused, or the laws that it breaks, and hashes of its results."""

    number: int
    about: str = ""
    refused: str = ""
    broken: list[str] = field(default_factory=list)
    digests: list[str] = field(default_factory=list)


def hold(number: int) -> Held:
    """Return which laws the profile of a number breaks."""
    held = Held(number)
    try:
        asked = scenario(number)
        result = simulate(asked)
    except RefusalError as error:
        held.refused = f"{error}"
        if not held.refused.strip():
            held.broken.append("is refused without a word")
        return held
    held.about = _about(asked, result)
    held.digests.append(digest(result))
    held.broken += _of_any(result)
    held.broken += _of_faults(number, asked, result, held.digests)
    if asked.workloads:
        held.broken += _of_many(asked, result)
    elif asked.failures is None:
        held.broken += _of_one(Lone(asked), result)
    return held


def digests(numbers: Iterable[int]) -> Iterator[list[str]]:
    """Yield the hashes of the results of profiles, which are the same in any process."""
    for number in numbers:
        kept: list[str] = []
        with suppress(RefusalError):
            asked = scenario(number)
            result = simulate(asked)
            kept.append(digest(result))
            _with_fault(number, asked, result, kept)
        yield kept


def _with_fault(number: int, asked: Scenario, healthy: Result, kept: list[str]) -> Result | None:
    """Return the result with what fails in a profile, if anything does and its workload can meet that."""
    fault = failing(number)
    if fault is None or asked.failures is not None:
        return None
    try:
        result = simulate(fault.in_(asked, healthy.duration))
    except (RefusalError, ValidationError) as error:
        kept.append(f"{error}")
        return None
    kept.append(digest(result))
    return result


def _about(asked: Scenario, result: Result) -> str:
    kinds = " + ".join(entry.kind for entry in asked.workloads) or asked.workload.kind
    limit = result.bottleneck
    return f"{kinds} on {asked.storage.system}, {result.duration:.3g} s, {limit.resource} {limit.share:.0%}"


def _of_any(result: Result) -> Iterator[str]:
    """Yield what is out of the world in the result of a run."""
    numbers = {name: value for name, (value, _) in result.metrics.items()}
    numbers |= {f"bound of {group.group}": group.bound for group in result.groups}
    numbers |= {f"bytes of {group.group}": group.bytes for group in result.groups}
    numbers |= {f"start of {stage.name}": stage.start for stage in result.stages}
    for name, value in {"duration": result.duration, **numbers}.items():
        if math.isnan(value) or value < 0 or (math.isinf(value) and name == "duration"):
            yield f"{name} is {value}"
    for resource in result.resources:
        if not np.isfinite(resource.utilization).all():
            yield f"{resource.name} is used without a number"
        elif resource.utilization.max() > 1 + ROUNDING or resource.utilization.min() < -ROUNDING:
            yield f"{resource.name} gives more than it has, or less than nothing"
    for group in result.groups:
        if group.bound > result.duration * (1 + ROUNDING):
            yield f"the run is shorter than {group.group} needs"
    for stage in result.stages:
        if not 0 <= stage.start <= stage.end <= result.duration * (1 + ROUNDING):
            yield f"stage {stage.name} lies outside of the run"
    if not 0 <= result.bottleneck.share <= 1 + ROUNDING:
        yield f"its limit has a share of {result.bottleneck.share}"


def _of_faults(number: int, asked: Scenario, healthy: Result, kept: list[str]) -> Iterator[str]:
    result = _with_fault(number, asked, healthy, kept)
    if result is None or result.failures is None:
        return
    for law in _of_any(result):
        yield f"while something fails: {law}"
    is_whole = result.failures.lost == 0 and result.failures.refused == 0
    if is_whole and not asked.workloads and result.load is None and result.duration < healthy.duration * (1 - GAIN):
        yield f"is faster while something fails: {result.duration:.4g} s, {healthy.duration:.4g} without"


def _of_many(asked: Scenario, result: Result) -> Iterator[str]:
    """Yield what is wrong with work beside other work; the mean over several chances decides who gains by that."""
    many = [result] + [simulate(asked, seed=seed) for seed in range(1, SEEDS) if _gaining(result)]
    for gaining in _gaining(result):
        slowdowns = [one.slowdown for other in many for one in other.workloads if one.name == gaining]
        if fmean(slowdowns) + 2 * stdev(slowdowns) / math.sqrt(SEEDS) < 1 - SHARED:
            yield f"{gaining} is faster beside others: {fmean(slowdowns):.3f} times as long"
    edges = np.minimum(np.arange(len(result.resources[0].utilization) + 1) * result.bin_width, result.duration)
    for group in result.groups:
        parts = [workload.series[group.group] for workload in result.workloads if group.group in workload.series]
        taken = float(sum(part @ np.diff(edges) for part in parts)) / result.duration
        if taken * MOST > group.utilization_mean * (1 + SHARED) + ROUNDING:
            yield f"workloads use {taken:.4f} of {group.group}, which gives {group.utilization_mean:.4f}"


def _gaining(result: Result) -> list[str]:
    return [workload.name for workload in result.workloads if workload.slowdown < 1 - SHARED]


def _of_one(lone: Lone, result: Result) -> Iterator[str]:
    lone.__dict__["result"] = result
    limit = f"{result.bottleneck.resource} ({result.bottleneck.share:.0%})"
    laws: dict[str, Callable[[], bool]] = {
        f"is never slower with {name}": partial(lone.is_no_slower, changes) for name, changes in MORE.items()
    }
    if result.load is None and result.stages:
        laws |= {
            "changes by little or a wave with a hundredth more input": lone.grows_by_little,
            "changes by little or a wave with a reduce less": lone.shrinks_by_little,
            f"is near its bound, or names what is serial, not {limit}": lone.is_near_its_bound,
            f"gains by cores only what {limit} allows": lone.gains_of_cores_as_it_says,
        }
    laws[f"is limited by {limit}"] = lone.is_limited_as_it_says
    for law, holds in laws.items():
        with suppress(RefusalError, ValidationError):  # of a change that cannot be: twice the drives of a full set
            if not holds():
                yield law
