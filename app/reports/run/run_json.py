"""One run as JSON: the contract `headroom.run/1`, described in docs/json.md. Equal runs give equal bytes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.reports.json_text import dumps, value
from app.reports.prediction_report import prediction_json
from app.reports.run import workloads
from app.reports.run.requests_json import requests_json, span_json
from app.reports.run.run_report import RunReport
from models.outcome import Outcome
from simulator.result import (
    Bottleneck,
    FailuresResult,
    FaultResult,
    LoadResult,
    ResourceResult,
    Result,
    StageResult,
    StateResult,
    TaskResult,
)

if TYPE_CHECKING:
    from app.reports.contracts import common, run
    from models.planning.cost import Cost
    from models.planning.power import Power


def render(report: RunReport) -> str:
    """Return the report as JSON text."""
    return dumps(contract(report))


def contract(report: RunReport) -> run.Run:
    """Return the report as JSON data. Times in seconds, sizes in bytes, shares and errors as fractions."""
    result = report.result
    documented = [_documented(report, outcome) for outcome in report.outcomes]
    return {
        "schema": "headroom.run/1",
        "profile": result.profile,
        "seed": result.seed,
        "version": result.version,
        "duration_s": result.duration,
        "interval_s": list(result.interval) if result.interval else None,
        "prediction": prediction_json(report.prediction),
        "bottleneck": _bottleneck(result.bottleneck),
        "next_bottleneck": _bottleneck(result.next_bottleneck) if result.next_bottleneck else None,
        "documented": documented[0] if documented else None,
        "further_documented": documented[1:],
        "stages": [_stage(stage) for stage in result.stages],
        "slowest_tasks": [_task(task) for task in result.tasks],
        "resources": [_resource(resource) for resource in result.resources],
        "metrics": {name: {"value": value, "unit": unit} for name, (value, unit) in result.metrics.items()},
        "requests": [requests_json(request) for request in result.requests],
        "load": _load(result.load),
        "capacity": dict(result.capacity),
        "cost": _cost(report.cost, report.power, result.duration) if report.cost else {},
        **_failed(result.failures),
        **_many(result),
        "sources": [{"key": line.key, "kind": line.kind, "text": line.text} for line in report.sources],
        "warnings": [*report.warnings, *report.limiting],
        "resolved": dict(report.resolved),
    }


def _cost(cost: Cost, power: Power | None, duration: float) -> run.Cost:
    """Return a bill; without a price for everything there is no sum."""
    is_whole = not cost.unpriced
    return {
        "date": cost.date,
        "currency": cost.currency,
        "per_year": cost.per_year if is_whole else None,
        "years": cost.told,
        "over_years": cost.over(cost.told) if is_whole else None,
        "present_over_years": cost.present(cost.told) if is_whole else None,
        "mean_power_w": power.mean if power else None,
        "energy_kwh": power.energy(duration) if power else None,
        "carbon_kg": power.emitted(duration) if power else None,
        "items": [{"name": item.name, "per_year": item.per_year} for item in cost.items],
        "unpriced": list(cost.unpriced),
    }


def _bottleneck(bottleneck: Bottleneck) -> common.Bottleneck:
    return {"resource": bottleneck.resource, "share": bottleneck.share}


def _documented(report: RunReport, outcome: Outcome) -> common.Documented:
    return {"id": outcome.id, "value": value(outcome.value), "unit": outcome.unit, "error": report.error(outcome)}


def _stage(stage: StageResult) -> run.Stage:
    return {
        "name": stage.name,
        "tasks": stage.tasks,
        "start_s": stage.start,
        "end_s": stage.end,
        "bottleneck": _bottleneck(stage.bottleneck) if stage.bottleneck else None,
    }


def _task(task: TaskResult) -> run.Task:
    return {
        "stage": task.stage,
        "number": task.number,
        "server": task.server,
        "start_s": task.start,
        "end_s": task.end,
        "busiest": task.busiest,
        "utilization": task.utilization,
    }


def _failed(failures: FailuresResult | None) -> run.Failed:
    if failures is None:
        return {}
    record: run.Failures = {
        "healthy_duration": failures.healthy_duration,
        "faults": [_fault(fault) for fault in failures.faults],
        "redone_tasks": failures.redone_tasks,
        "lost": failures.lost,
        "refused": failures.refused,
    }
    if failures.states:
        record["states"] = [_state(state) for state in failures.states]
    return {"failures": record}


def _many(result: Result) -> run.Many:
    if not result.workloads:
        return {}
    return {"workloads": [workloads.contract(workload, result.bin_width) for workload in result.workloads]}


def _fault(fault: FaultResult) -> run.Fault:
    return {
        "component": fault.component,
        "at": fault.at,
        "healed": fault.healed,
        "healthy_at": fault.healthy_at,
    }


def _state(state: StateResult) -> run.State:
    return {"name": state.name, "requests": [requests_json(kind) for kind in state.requests]}


def _load(load: LoadResult | None) -> run.Load | None:
    if load is None:
        return None
    return {
        "requests_per_s": span_json(load.rate),
        "bytes_per_s": load.throughput,
        "offered_per_s": load.offered,
        "is_overloaded": load.is_overloaded,
    }


def _resource(resource: ResourceResult) -> run.Resource:
    return {
        "name": resource.name,
        "kind": resource.kind,
        "group": resource.group,
        "utilization_mean": resource.utilization_mean,
        "utilization_peak": resource.utilization_peak,
        "bytes": resource.bytes,
    }
