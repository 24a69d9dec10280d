"""What a cluster holds, by closed forms, and how long it meets targets while it grows, simulated."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.metadata import version

from app.planning.effort import Effort
from app.planning.loading import Chosen, load_profile, rated, refusals
from app.planning.outlook import outlook
from app.planning.progress import Counted
from app.reports.capacity_report import CapacityReport
from app.reports.rules import rules
from models.planning.capacity import capacity, ceilings, keeping, servers_needed
from models.planning.growth import grow
from models.planning.study import Growth
from models.scenario import Scenario
from models.target import Target
from simulator.studies.growth import Finished, Held, hold
from simulator.studies.points import Point
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
            profile=chosen.profile,
            title=chosen.title,
            plan=capacity(scenario),
            ceilings=ceilings(scenario),
            servers=sum(batch.servers for batch in batches) if batches else None,
            servers_needed=servers_needed(keeping(scenario, growth.months[-1].stored) if growth else scenario),
            growth=growth,
            outlook=outlook(chosen) if interval != "none" else None,
            rules=rules(scenario, chosen.loaded.usual),
            settings=chosen.settings,
            seed=seed,
            version=version("headroom"),
            resolved=chosen.loaded.resolved,
        )


def held(asked: Growth, targets: Sequence[Target], workers: int | None, counted: Counted) -> Held:
    """Return how long the targets are met.

    Raises:
        ProblemError: the profile states no growth, or a target names what nothing is measured by.
    """
    growing = rated(load_profile(asked.profile, asked.set)[0].scenario)

    def point(scenario: Scenario) -> Point:
        return Point(scenario=scenario, profile=asked.profile, seed=asked.seed, replications=asked.replications)

    with counted("Simulating") as on_done, Runner(workers=workers) as runner:

        def run(points: Sequence[Point]) -> Sequence[Finished]:
            return runner.run(points, on_done)

        with refusals(asked.profile):
            return hold(growing, targets, point, run)
