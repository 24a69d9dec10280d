"""One run of a profile, with all that its report says beside the result."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from app.planning.loading import Chosen, refusals
from models.planning.bounds import nameplate

if TYPE_CHECKING:
    from app.planning.effort import Effort
    from app.reports.prediction_report import Prediction
    from app.reports.run.run_report import RunReport, SourceLine
    from models.planning.cost import Cost
    from models.planning.power import Power
    from models.scenario import Scenario
    from profiles.loading.loader import Loaded
    from simulator.events import Event
    from simulator.result import Result


OUTCOMES = ("outcome", "further_outcomes")
"""Keys of a profile that name what was documented of it."""


def run(
    chosen: Chosen,
    *,
    seed: int,
    replications: int,
    on_event: Callable[[Event], None] | None,
    tolerance: float | None = None,
    interval: Effort = "none",
) -> RunReport:
    """Simulate a profile, and say how sure the answer is as `interval` asks.

    Imports the simulator when called, so that a mistake in a profile is told before.

    Raises:
        ProblemError: a model refuses the scenario.
    """
    from simulator.run import simulate

    with refusals(chosen.profile):
        result = simulate(
            chosen.scenario,
            profile=chosen.profile,
            seed=seed,
            replications=replications,
            on_event=on_event,
            tolerance=tolerance,
        )
    options = f"--seed {seed} --replications {replications} --interval {interval}"
    return replace(
        reported(chosen, result),
        options=options if tolerance is None else f"{options} --tolerance {tolerance:g}",
        prediction=_predicted(chosen, result, interval, is_rough=bool(tolerance)),
    )


def _predicted(chosen: Chosen, result: Result, interval: Effort, *, is_rough: bool) -> Prediction | None:
    """Return how sure a result is; many runs, and long ones, go to further processes."""
    if interval == "none":
        return None
    from app.planning.drawing import MANY
    from app.planning.predicting import predict
    from simulator.studies.points import Answer
    from simulator.studies.runner import Runner

    is_long = interval == "full" or result.works > MANY
    with Runner(workers=None if is_long else 1) as runner:
        return predict(chosen, Answer.of(result), seed=result.seed, effort=interval, run=runner.run, is_rough=is_rough)


def reported(chosen: Chosen, result: Result) -> RunReport:
    """Return a result beside what its profile says."""
    from app.reports.held_up import settings
    from app.reports.run.run_report import RunReport

    loaded = chosen.loaded
    cost, power = _priced(loaded.scenario, result)
    return RunReport(
        result=result,
        title=loaded.scenario.profile.title,
        settings=chosen.settings,
        outcomes=chosen.outcomes,
        sources=source_lines(loaded),
        unsourced=loaded.unsourced,
        settled=loaded.settled,
        resolved=loaded.resolved,
        printed=partial(_text, loaded.resolved, is_changed=chosen.is_changed),
        nameplate=nameplate(loaded.scenario),
        is_edited=chosen.is_edited,
        cost=cost,
        power=power,
        limiting=tuple(settings(loaded.scenario, result).values()),
    )


def _text(resolved: Mapping[str, Any], *, is_changed: bool) -> str:
    """Return a profile as TOML whose lines fit a page; one that was changed is not what the outcomes are of."""
    from app.reports.document import COLUMNS
    from profiles.text.dump import printed

    if is_changed:
        about = {key: value for key, value in resolved.get("profile", {}).items() if key not in OUTCOMES}
        resolved = {**resolved, "profile": about}
    return printed(resolved, COLUMNS)


def _priced(scenario: Scenario, result: Result) -> tuple[Cost | None, Power | None]:
    """Return what a scenario costs and draws, whose models are imported where there is a price list that knows it."""
    if scenario.prices is None:
        return None, None
    from models.planning.bill import bill
    from models.planning.power import power

    return bill(scenario, result.metrics), power(scenario, {group.group: group for group in result.groups})


def source_lines(loaded: Loaded[Scenario]) -> tuple[SourceLine, ...]:
    """Return what each number of a profile rests on."""
    from app.reports.run.run_report import SourceLine
    from app.reports.words import as_stated

    return tuple(
        SourceLine(key, source.kind, source.text, as_stated(loaded.values[key]))
        for key, source in loaded.sources.items()
    )
