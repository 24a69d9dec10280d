"""A load of requests on a store of which components have failed: while they are gone, and while they are filled again.

Each state is a run of its own, of the same clients. In the repair, background workers rebuild object after object
at the throttle of the store, and what they and the requests do to each other at drives, cards and processors is
simulated. It is measured at its begin, when nothing is rebuilt and reads are slowest, and at later moments where
`failures.moments` asks for them; its whole length follows from the bytes that were lost and the rate at which the
workers rebuild beside the load at its begin.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from models.failures import Failures
from models.jobs.object_load_damage import Damage
from models.jobs.object_load_plan import ObjectLoadPlan
from models.problem import Problem, ProblemError, refusal
from models.requests import RequestRun
from models.storage.object_routes import REBUILT
from models.work import Metrics
from simulator.requests.report import measured_kinds, metrics_of, requests_of, warnings_of
from simulator.requests.run import RequestResult, run_requests
from simulator.result import FailuresResult, FaultResult, Result, StateResult

ENOUGH = 20
"""Objects rebuilt in a run before their rate is believed. Assumption: the ends of fewer weigh more than 5 %."""

LONGER = 6
"""Times that a load is made four times as long, until enough objects are rebuilt. Assumption: a thousand times
suffice."""


def with_damage(
    healthy: Result, plan: ObjectLoadPlan, failures: Failures, damaged: Sequence[tuple[RequestRun, RequestResult]]
) -> Result:
    """Return the result of a load on a whole store with what its runs on a damaged one add: states, times and metrics.

    Raises:
        ProblemError: the run is too short to see the rebuild.
    """
    assert plan.damage is not None  # the caller has asked
    begin = damaged[1][1]
    rate = rebuild_rate(plan, begin)
    if rate is None:
        raise ProblemError([Problem(healthy.profile, None, "workload.duration", _too_few(begin))])
    states = tuple(StateResult(run.name, tuple(requests_of(result))) for run, result in damaged)
    damage = FailuresResult(healthy.duration, _rebuilt_of(plan, plan.damage, failures, rate), 0, 0.0, 0, states)
    healthy_after = max(fault.healthy_at - fault.at for fault in damage.faults)
    metrics: Metrics = {"time to healthy": (healthy_after, "s"), "heal rate": (rate, "B/s")}
    for state in states:
        for request in state.requests:
            metrics |= {f"{name} {state.name}": value for name, value in metrics_of(request)}
    warnings = [line for run, result in damaged for line in warnings_of(run, result)]
    return replace(
        healthy,
        failures=damage,
        metrics={**healthy.metrics, **metrics},
        warnings=(*healthy.warnings, *warnings),
    )


def measured_damage(plan: ObjectLoadPlan) -> dict[str, str]:
    """Return the names of the metrics that `with_damage` adds, with their units."""
    units = {"time to healthy": "s", "heal rate": "B/s"}
    for run in plan.damaged():
        units |= {f"{name} {run.name}": unit for name, unit in measured_kinds(run)}
    return units


def measured_repair(plan: ObjectLoadPlan, seed: int = 0) -> float:
    """Return the bytes made safe again a second beside a load, which lasts until enough objects are rebuilt.

    Raises:
        RefusalError: hardly any are.
    """
    run = plan.repair()
    for _ in range(LONGER):
        result = run_requests(run, seed=seed)
        rate = rebuild_rate(plan, result)
        if rate is not None:
            return rate
        run = replace(run, count=4 * run.count, duration=4 * run.duration, precision=0.0)
    raise refusal("workload", _too_few(result))


def time_to_healthy(plan: ObjectLoadPlan, rate: float) -> float:
    """Return the time (s) from the failures until all bytes are safe again that are rebuilt at a rate (B/s)."""
    assert plan.damage is not None  # the caller has asked
    return plan.damage.wait + sum(plan.damage.lost) / rate


def rebuild_rate(plan: ObjectLoadPlan, result: RequestResult) -> float | None:
    """Return the bytes made safe again a second; None if too few objects were rebuilt to tell."""
    rebuilt = _rebuilt(result)
    return rebuilt * plan.rebuilt_at_a_time / result.simulated if rebuilt >= ENOUGH else None


def _rebuilt(result: RequestResult) -> int:
    return sum(use.visits for use in result.stations if use.station.name == REBUILT)


def _too_few(result: RequestResult) -> str:
    few = f"{_rebuilt(result)} objects rebuilt in {result.simulated:.3g} s"
    return f"{few}, too few to say how long a repair takes; make the load longer"


def _rebuilt_of(plan: ObjectLoadPlan, damage: Damage, failures: Failures, rate: float) -> tuple[FaultResult, ...]:
    """Return what each fault came to; all are rebuilt side by side and are healthy together."""
    lasts = time_to_healthy(plan, rate)
    return tuple(
        FaultResult(fault.component, fault.at, lost, fault.at + lasts)
        for fault, lost in zip(failures.faults, damage.lost, strict=True)
    )
