"""One run of a profile, with all that its report says beside the result."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from app.planning.loading import Chosen, refusals
from app.reports.document import COLUMNS
from models.planning.bill import bill
from models.planning.bounds import nameplate
from profiles.dump import printed

if TYPE_CHECKING:
    from app.reports.run_report import RunReport
    from simulator.events import Event
    from simulator.result import Result


def run(
    chosen: Chosen,
    *,
    seed: int,
    replications: int,
    on_event: Callable[[Event], None] | None,
    tolerance: float = 0.0,
) -> RunReport:
    """Simulate a profile; imports the simulator when called, so that a mistake in a profile is told before.

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
    return reported(chosen, result)


def reported(chosen: Chosen, result: Result) -> RunReport:
    """Return a result beside what its profile says."""
    from app.reports.run_report import RunReport, SourceLine

    loaded = chosen.loaded
    return RunReport(
        result=result,
        title=loaded.scenario.profile.title,
        settings=chosen.settings,
        outcomes=chosen.outcomes,
        sources=tuple(
            SourceLine(key, source.kind, source.text, _shown(loaded.values[key]))
            for key, source in loaded.sources.items()
        ),
        unsourced=loaded.unsourced,
        settled=loaded.settled,
        resolved=loaded.resolved,
        toml=printed(loaded.resolved, COLUMNS),
        nameplate=nameplate(loaded.scenario),
        is_edited=chosen.is_edited,
        cost=bill(loaded.scenario, result.metrics),
    )


def _shown(value: object) -> str:
    """Return a value as a profile states it."""
    return f"{value}".lower() if isinstance(value, bool) else f"{value}"
