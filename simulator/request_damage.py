"""A load of requests on a store of which components have failed: while they are gone, and while they are filled again.

Each state is a run of its own, of the same clients. In the repair, workers in the background heal object after object
at the throttle of the store, and what they and the requests do to each other at drives, cards and processors is
simulated. Nothing is healed yet when it is measured, so that reads are as slow as in the first instant of the repair;
its whole length follows from the bytes that were lost and the rate at which the workers heal beside the load.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from models.jobs.object_load_plan import Damage, ObjectLoadPlan
from models.jobs.requests import RequestRun
from models.planning.failures import Failures
from models.problem import Problem, ProblemError
from models.storage.object_routes import HEALED
from models.work import Metrics
from simulator.request_report import given_up, measured_kinds, metrics_of, requests_of
from simulator.requests import RequestResult
from simulator.result import FailuresResult, FaultResult, Result, StateResult

ENOUGH = 20
"""Objects that heal in a run before their rate is believed. Assumption: the ends of fewer weigh more than 5 %."""


def with_damage(
    healthy: Result, plan: ObjectLoadPlan, failures: Failures, hurt: Sequence[tuple[RequestRun, RequestResult]]
) -> Result:
    """Return the result of a load on a whole store with what its runs on a hurt one add: states, times and metrics.

    Raises:
        ProblemError: the run is too short to see healing.
    """
    assert plan.damage is not None  # the caller has asked
    rate = _heal_rate(healthy.profile, plan, hurt[-1][1])
    states = tuple(StateResult(run.name, tuple(requests_of(result))) for run, result in hurt)
    found = FailuresResult(healthy.duration, _healed(plan.damage, failures, rate), 0, 0.0, 0, states)
    healthy_after = max(each.healthy_at - each.at for each in found.faults)
    metrics: Metrics = {"time to healthy": (healthy_after, "s"), "heal rate": (rate, "B/s")}
    for state in states:
        for each in state.requests:
            metrics |= {f"{name} {state.name}": value for name, value in metrics_of(each)}
    warnings = [line for run, result in hurt for line in given_up(run, result)]
    return replace(
        healthy,
        failures=found,
        metrics={**healthy.metrics, **metrics},
        warnings=(*healthy.warnings, *warnings),
    )


def measured_damage(plan: ObjectLoadPlan) -> dict[str, str]:
    """Return the names of the metrics that `with_damage` adds, with their units."""
    found = {"time to healthy": "s", "heal rate": "B/s"}
    for run in (plan.degraded(), plan.repair()):
        found |= {f"{name} {run.name}": unit for name, unit in measured_kinds(run)}
    return found


def _heal_rate(profile: str, plan: ObjectLoadPlan, result: RequestResult) -> float:
    """Return the bytes made safe again a second."""
    healed = sum(use.visits for use in result.stations if use.station.name == HEALED)
    if healed < ENOUGH:
        said = f"{healed} objects healed in {result.simulated:.3g} s, too few to tell how long a repair takes"
        raise ProblemError([Problem(profile, None, "workload.duration", f"{said}; let the load last longer")])
    return healed * plan.healed_at_a_time / result.simulated


def _healed(damage: Damage, failures: Failures, rate: float) -> tuple[FaultResult, ...]:
    """Return what each fault came to; all heal side by side and are healthy together."""
    lasts = damage.wait + sum(damage.lost) / rate
    return tuple(
        FaultResult(fault.component, fault.at, lost, fault.at + lasts)
        for fault, lost in zip(failures.faults, damage.lost, strict=True)
    )
