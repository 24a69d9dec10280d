"""How durable data is: a repair simulated, a Markov chain made of it and, if asked for, losses simulated as well."""

from __future__ import annotations

from app.planning.loading import Chosen, rated, refusals, usual_rates
from app.reports.durability_report import DurabilityReport
from app.reports.promise_report import PromiseReport
from models.planning.durability import check_rates, durability
from models.planning.survival import survives
from models.problem import refusal
from models.quantity import MOST

MOST_PATHS = MOST


def promise(chosen: Chosen) -> PromiseReport | None:
    """Return what the provider of a profile's store says of its durability; None for a store that shows its servers."""
    scenario = chosen.scenario
    nines = scenario.storage.published_nines
    if nines is None:
        return None
    return PromiseReport(
        **chosen.told(),
        nines=nines,
        source=scenario.storage.nines_source,
        warnings=tuple(
            piece.message for piece in scenario.storage.advice(scenario.cluster) if piece.severity == "warning"
        ),
    )


def study(chosen: Chosen, paths: int | None = None, seed: int = 0) -> DurabilityReport:
    """Return how durable the data of a profile is; `paths` of losses are simulated where a number is given.

    Raises:
        ProblemError: its storage system or its failure rates are not known. Where it states no rates, the usual ones of
            its drives are taken.
    """
    scenario = rated(chosen.scenario)
    with refusals(chosen.profile):
        if paths is not None and paths > MOST_PATHS:
            raise refusal("paths", f"at most {MOST_PATHS:,} are simulated", "ask for fewer", value=paths)
        survival, failures = survives(scenario), check_rates(scenario)
        from simulator.studies.rare_events import simulate_losses  # imported late: a mistake is told at once
        from simulator.studies.rebuild import known_repair_time

        answer = durability(scenario, known_repair_time(scenario))
        check = simulate_losses(scenario, answer.repair, paths=paths, seed=seed) if paths else None
    sources = {key: f"{source}" for key, source in chosen.loaded.sources.items() if key.startswith("failures.")}
    if scenario is not chosen.scenario:
        sources = {**usual_rates(scenario), **sources}
    return DurabilityReport(
        **chosen.told(seed),
        failures=failures,
        sources=sources,
        survival=survival,
        durability=answer,
        check=check,
    )
