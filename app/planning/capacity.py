"""What a cluster holds, by closed forms, and how long it meets targets while it grows, simulated."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import date

from app.planning.asking import Asked
from app.planning.effort import Effort
from app.planning.loading import Chosen, choose, rated, refusals
from app.planning.outlook import outlook
from app.planning.predicting import predict
from app.planning.progress import Counted
from app.reports.capacity_report import CapacityReport
from app.reports.prediction_report import Prediction
from app.reports.rules import rules
from models.planning.capacity import capacity, ceilings, keeping, servers_needed
from models.planning.growth import grow
from models.planning.study import Growth
from models.scenario import Scenario
from models.target import Target, plain
from simulator.studies.growth import Finished, Held, hold, moved
from simulator.studies.measures import miss
from simulator.studies.points import Answer, Point
from simulator.studies.runner import Runner


def study(chosen: Chosen, seed: int = 0, interval: Effort = "none") -> CapacityReport:
    """Return what a profile's cluster holds, and how sure that is; the seed is that of the runs that targets need.

    Raises:
        ProblemError: its growth cannot be followed.
    """
    scenario = chosen.scenario
    batches = scenario.storage.batches(scenario.cluster)
    with refusals(chosen.profile):
        growth = grow(scenario) if scenario.growth else None
        return CapacityReport(
            **chosen.told(seed),
            plan=capacity(scenario),
            ceilings=ceilings(scenario),
            servers=sum(batch.servers for batch in batches) if batches else None,
            servers_needed=servers_needed(keeping(scenario, growth.months[-1].stored) if growth else scenario),
            growth=growth,
            idle=list(moved(scenario)) if growth else (),
            outlook=outlook(chosen) if interval != "none" else None,
            rules=rules(scenario, chosen.loaded.usual),
        )


def answered(
    asked: Asked[Growth], workers: int | None, counted: Counted, interval: Effort, *, is_titled: bool
) -> CapacityReport:
    """Return what a study asks of a cluster; under the study's own title, where it has one.

    Raises:
        ProblemError: its growth cannot be followed, or a target names what nothing is measured by.
    """
    growth = asked.study
    chosen = choose(growth.profile, growth.set)
    report = study(chosen, growth.seed, interval)
    lasting = _held(chosen, growth, asked.targets, workers, counted, interval) if asked.targets else None
    return replace(report, held=lasting, title=growth.title if is_titled else report.title)


def _held(
    chosen: Chosen, asked: Growth, targets: Sequence[Target], workers: int | None, counted: Counted, interval: Effort
) -> Held:
    """Return how long the targets are met, and how long even where an answer errs as far as it likely does."""
    growing = rated(chosen.scenario)

    def point(scenario: Scenario) -> Point:
        return Point(scenario=scenario, profile=asked.profile, seed=asked.seed, replications=asked.replications)

    with counted("Simulating") as on_done, Runner(workers=workers) as runner:
        answers: list[Answer] = []

        def run(points: Sequence[Point]) -> Sequence[Finished]:
            finished = runner.run(points, on_done)
            answers.extend(answer for answer in finished if isinstance(answer, Answer))
            return finished

        with refusals(asked.profile):
            lasting = hold(growing, targets, point, run)
        if not answers:
            return lasting
        sure = predict(chosen, answers[0], seed=asked.seed, effort=interval, run=runner.run)
        return replace(lasting, early=early(lasting, sure)) if sure else lasting


def early(lasting: Held, sure: Prediction) -> date | None:
    """Return the first day on which a target is missed if the run errs towards it as far as it likely does.

    How far that is, as a part of the answer, is taken from the first day.
    """
    for day in lasting.checked:
        for target in lasting.targets:
            measure = day.measures.get(target.measure)
            if measure is not None and target.measure == plain(sure.measure):
                end = (sure.high if target.sense == "<=" else sure.low) / sure.value
                if miss(target, replace(measure, value=measure.value * end)):
                    return day.day
    return lasting.missed.day if lasting.missed else None
