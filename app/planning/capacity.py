"""What a cluster holds: closed forms, nothing is simulated."""

from __future__ import annotations

from app.planning.loading import Chosen, refusals
from app.reports.capacity_report import CapacityReport
from models.planning.capacity import capacity, ceilings, keeping, servers_needed
from models.planning.growth import grow


def study(chosen: Chosen) -> CapacityReport:
    """Return what a profile's cluster holds.

    Raises:
        ProblemError: its growth cannot be followed.
    """
    scenario = chosen.scenario
    batches = scenario.storage.batches(scenario.cluster)
    with refusals(chosen.profile):
        growth = grow(scenario) if scenario.growth else None
        return CapacityReport(
            profile=chosen.profile,
            title=scenario.profile.title,
            plan=capacity(scenario),
            ceilings=ceilings(scenario),
            servers=sum(batch.servers for batch in batches) if batches else None,
            servers_needed=servers_needed(keeping(scenario, growth.months[-1].stored) if growth else scenario),
            growth=growth,
            settings=chosen.settings,
        )
