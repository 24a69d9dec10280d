"""simulate(): one scenario in, one result out. The same for a terminal, a window, a sweep and a validation."""

from __future__ import annotations

import gc
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from models.build import build, intakes, kept, rebuilds_drives
from models.hardware.bays import unlinked
from models.jobs.schedule import Scheduled, as_entry
from models.plan import Plan
from models.problem import refusal
from models.quantity import LIFE, MOST_RUNS
from models.scenario import Scenario
from models.storage.kept import Kept
from models.streams import PLACEMENT, Streams
from models.symmetry import Detail, layout_of, likeness
from models.units import format
from models.work import LOOSEST, Metrics
from simulator.asked import Asked
from simulator.engine import Engine, StuckError
from simulator.events import Event, OnEvent, Progress
from simulator.faults import Faults, party
from simulator.jobs.answer import result_of_job
from simulator.jobs.run import JobRun
from simulator.readings import metrics_of
from simulator.rebalance import MEASURED, Rebalancing
from simulator.result import FailuresResult, Result

if TYPE_CHECKING:
    from simulator.together.run import Together

ENDLESS = (
    "this takes longer than hardware lives (30 years): mostly a rate or a size whose unit is another than was meant;"
    " simulate lint names unusual ones"
)


def simulate(
    scenario: Scenario,
    *,
    profile: str = "",
    seed: int = 0,
    replications: int = 1,
    on_event: OnEvent | None = None,
    should_stop: Callable[[], bool] | None = None,
    tolerance: float | None = None,
    is_compared: bool = True,
) -> Result:
    """Return how a scenario goes.

    `seed` chooses placements and start times; replication i uses the streams of seed + i, so that two scenarios with
    the same seed meet the same chances. `Result` says what is a mean over all and what is of the first.

    `tolerance` is the part of a work that may be left undone when another one ends at that instant, at most
    `LOOSEST`: a large run has fewer instants to solve then, shares resources roughly between them, and the result
    says what part of them ended so. Of many servers that are alike some are then simulated, each of which stands for
    several; of very many also where none is given. With 0 it is exact. Where it `is_compared`, each of many workloads
    is simulated alone as well, to tell how much slower it is beside the others; on a rented store always, to tell
    what each asks of it.

    Raises:
        ValueError: the scenario cannot be run, replications is below 1, or the tolerance too large.
        Cancelled: `should_stop` said so.
    """
    if replications < 1:
        raise ValueError(f"replications must be >= 1 (got {replications})")
    if replications > MOST_RUNS:
        raise refusal("replications", f"a scenario is run at most {MOST_RUNS:,} times; lower it", value=replications)
    if tolerance is not None and not 0.0 <= tolerance <= LOOSEST:
        raise ValueError(f"tolerance must be from 0 to {LOOSEST} (got {tolerance})")
    detail = Detail.of(tolerance, scenario)
    asked = [
        Asked(seed + i, on_event or _ignore, should_stop, tolerance or 0.0, detail, profile, is_compared)
        for i in range(replications)
    ]
    results = [_run(scenario, asked[0])]
    for wish in asked[1:]:
        gc.collect(1)  # what the run before has left: Python has looked for no garbage meanwhile, so it is young
        results.append(_run(scenario, wish))
    durations = tuple(result.duration for result in results)
    endless = (ENDLESS,) if max(durations) > LIFE else ()
    return replace(
        results[0],
        duration=_mean(durations),
        durations=durations,
        warnings=(*results[0].warnings, *endless),
        interval=interval_of_mean(durations),
        metrics=_mean_metrics([result.metrics for result in results]),
        leading=_leading([result.leading for result in results]),
    )


def measured(scenario: Scenario) -> dict[str, str]:
    """Return the names of the metrics that a run of a scenario has, with their units; nothing is run.

    It is planned in as much detail as a run usually is: names are the same in any.

    Raises:
        ValueError: the scenario cannot be run.
    """
    if scenario.workloads:
        from simulator.together.result import measured_together  # imported late: few scenarios have many workloads

        return measured_together(scenario, measured)
    plan = build(scenario, 0, layout_of(scenario, Detail.of(None, scenario)))
    moving = MEASURED if scenario.rebalance is not None else {}
    if not isinstance(plan, Plan):
        from simulator.requests.answer import (
            measured_requests,  # imported late, as below: only loads of requests need it
        )

        return {"duration": "s", **measured_requests(plan), **moving}
    names = {name: metric.unit for name, metric in metrics_of(plan).items()}
    return {"duration": "s", **names, **moving}


def _ignore(event: Event) -> None:
    """Take no notice."""


def _run(scenario: Scenario, asked: Asked) -> Result:
    if scenario.workloads:
        return _together(scenario, asked)
    if scenario.rebalance is not None and scenario.workload.is_divided_beside:
        return _requests_beside(scenario, asked)
    layout = layout_of(scenario, asked.detail)
    plan = build(scenario, _salt(asked.seed), layout)
    if not isinstance(plan, Plan):
        if scenario.rebalance is not None:
            raise refusal("rebalance", "is not simulated beside such requests", "leave it out")
        from simulator.requests.answer import simulate_requests

        answer = simulate_requests(scenario, plan, asked)
        return replace(answer, warnings=(*unlinked(layout.whole), *likeness(layout, is_of_load=True), *answer.warnings))
    taken_in = intakes(scenario, plan.layout, _salt(asked.seed))
    rest = kept(scenario, plan.layout) if plan.outage.may_fail else None  # it may have resources of its own
    engine = Engine(plan.layout.resources, should_stop=asked.should_stop, tolerance=asked.tolerance)
    rebalancing = Rebalancing(engine, taken_in)
    rebalancing.start()
    run = JobRun(engine, plan.job, asked.on_event, may_fail=plan.outage.may_fail)
    faults = _scheduled(scenario, asked, plan, engine, run, rest) if plan.outage.may_fail else None
    run.start()
    try:
        engine.run(run.done if plan.horizon is None else run.done | engine.env.timeout(plan.horizon))
    except StuckError as error:
        if faults is None:
            raise
        lines = f"the job cannot end, no server is left to run its tasks ({error})"
        raise refusal("failures", lines) from error
    result = result_of_job(scenario, asked, plan, engine, run)
    if scenario.rebalance is not None:
        result = replace(result, metrics=result.metrics | rebalancing.metrics())
    return result if faults is None else _with_failures(result, scenario, asked, faults)


def _together(scenario: Scenario, asked: Asked) -> Result:
    """Return how many workloads go beside each other, and each of them alone."""
    from simulator.together.result import answered, beside

    measured(scenario)  # which refuses objectives that nothing is measured by
    bare = scenario.model_copy(update={"failures": None})
    is_rented = scenario.storage.home is None
    alike = _alike(bare) if asked.is_compared or is_rented else {}
    side_by_side, reading, loads = beside(scenario, asked, set(alike.values()))
    alone = _alone(bare, alike, side_by_side, asked)
    result = answered(side_by_side, reading, alone, loads, asked)
    if side_by_side.faults is None:
        return result
    return _after_faults(result, scenario, _healthy(bare, asked, side_by_side), side_by_side.faults)


def _alike(scenario: Scenario) -> dict[str, str]:
    """Return for each of many workloads the first of those that do the same."""
    owns = {entry.name: _own(scenario, entry) for entry in scenario.workloads}
    return {name: next(first for first, other in owns.items() if other == own) for name, own in owns.items()}


def _own(scenario: Scenario, entry: Scheduled) -> Scenario:
    """Return one of many workloads as the only one, whenever it runs."""
    return scenario.alone(entry.name).model_copy(update={"workload": entry.once()})


def _alone(scenario: Scenario, alike: Mapping[str, str], together: Together, asked: Asked) -> dict[str, Result]:
    """Return how those of many workloads go alone that have first ones of their kind, which are simulated."""
    alone, ended = dict[str, Result](), together.own_tasks
    entries = {entry.name: entry for entry in scenario.workloads}
    for workload in together.workloads if alike else ():
        name = workload.entry.name
        if alike[name] == name:
            hear = partial(_tell_as_a_part, asked.on_event, ended, workload.tasks, together.tasks)
            alone[name] = _run(_own(scenario, entries[name]), replace(asked, on_event=hear))
            ended += workload.tasks
        else:
            alone[name] = alone[alike[name]]
    return alone


def _tell_as_a_part(on_event: OnEvent, before: int, tasks: int, of: int, event: Event) -> None:
    """Tell how far a run is whose tasks are some of many, behind others: these show how long each takes."""
    if isinstance(event, Progress):
        on_event(Progress((before + event.fraction * tasks) / of, event.time))


def _requests_beside(scenario: Scenario, asked: Asked) -> Result:
    """Return how a load of requests goes while data moves onto servers that have just come."""
    name = "requests"
    result = _together(scenario.with_entries((as_entry(scenario.workload, name),)), asked)
    own = {key.removeprefix(f"{name}."): value for key, value in result.metrics.items()}
    return replace(result, metrics=own)


def _healthy(bare: Scenario, asked: Asked, side_by_side: Together) -> float:
    """Return how long many workloads take without faults (s).

    No work takes longer without them, so that what ends with a load of requests in spite of them does so without.
    """
    if side_by_side.engine.now <= side_by_side.set_end:
        return side_by_side.engine.now
    from simulator.together.run import Together

    healthy = Together(bare, replace(asked, on_event=_ignore))
    healthy.run()
    return healthy.engine.now


def _scheduled(scenario: Scenario, asked: Asked, plan: Plan, engine: Engine, run: JobRun, rest: Kept | None) -> Faults:
    """Return the faults of a scenario, which are to come in its run."""
    assert scenario.failures is not None  # something may fail
    faults = Faults(engine, plan.layout, scenario.failures, rest)
    faults.join(party(run, plan))
    faults.schedule(Streams(asked.seed).generator("failures"))
    return faults


def _with_failures(result: Result, scenario: Scenario, asked: Asked, faults: Faults) -> Result:
    """Return a result with what its faults came to, beside the same run without them."""
    healthy = _run(scenario.model_copy(update={"failures": None}), replace(asked, on_event=_ignore))
    return _after_faults(result, scenario, healthy.duration, faults)


def _after_faults(result: Result, scenario: Scenario, healthy: float, faults: Faults) -> Result:
    """Return a result with what its faults came to, which takes `healthy` seconds without them."""
    failures = FailuresResult(healthy, faults.follow(), faults.redone, faults.lost, faults.refused)
    warnings = (*result.warnings, *_losses(failures), *_left_out(scenario, failures), *faults.missed())
    return replace(result, failures=failures, warnings=warnings)


def _left_out(scenario: Scenario, failures: FailuresResult) -> Iterator[str]:
    """Yield that what lay beside the data of jobs is not made anew, where nobody says how full the drives were."""
    is_told = scenario.failures is None or scenario.failures.fill is not None
    if not is_told and any(fault.healed for fault in failures.faults) and not rebuilds_drives(scenario.storage):
        yield "only what jobs keep is rebuilt: failures.fill says how full drives were, and has all of it made anew"


def _losses(failures: FailuresResult) -> Iterator[str]:
    if failures.lost:
        yield f"data lost: {format(failures.lost, 'B')} have no replica or too few shards left; a real job would fail"
    if failures.refused:
        yield f"{failures.refused} writes found no quorum; a real job would fail"


def _salt(seed: int) -> int:
    return Streams(seed).salt(PLACEMENT)


def _mean(values: Sequence[float]) -> float:
    return float(np.mean(values))


def _leading(runs: Sequence[dict[str, tuple[float, ...]]]) -> dict[str, tuple[float, ...]]:
    """Return the values of each leading metric that all runs have."""
    common = [name for name in runs[0] if all(name in run for run in runs)]
    return {name: tuple(value for run in runs for value in run[name]) for name in common}


def _mean_metrics(runs: Sequence[Metrics]) -> Metrics:
    """Return the mean of each metric over the runs that have it."""
    units = {name: unit for metrics in runs for name, (_, unit) in metrics.items()}
    values = {name: [metrics[name][0] for metrics in runs if name in metrics] for name in units}
    return {name: (_mean(values[name]), unit) for name, unit in units.items()}


def interval_of_mean(values: Sequence[float]) -> tuple[float, float] | None:
    """Return the 95 % confidence interval of the mean by Student's distribution, None for a single value."""
    count = len(values)
    if count < 2:
        return None
    from scipy.special import stdtrit  # imported late: a single run needs no interval

    quantile = float(stdtrit(count - 1, 0.975))
    mean, half = _mean(values), quantile * float(np.std(values, ddof=1)) / math.sqrt(count)
    return mean - half, mean + half
