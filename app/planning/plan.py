"""The planning report: everything that its sections need, run for one profile."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from app.planning import capacity
from app.planning.cases import chosen_families, validated
from app.planning.comparing import Plan as Comparison, Side, compared, side_name
from app.planning.loading import Chosen, load_profile
from app.planning.materials import materials
from app.planning.predicting import unlike
from app.planning.progress import Counted
from app.planning.running import run
from app.reports.document import Section
from app.reports.durability_report import document
from app.reports.parts import Part
from app.reports.plan.plan_document import PlanReport
from models.planning.bill import bill, traffic
from models.planning.lint import lint
from models.planning.materials import BillOfMaterials
from models.scenario import Scenario
from profiles.loading.catalog import SHIPPED
from simulator.studies.measures import is_durable
from simulator.studies.points import Answer

if TYPE_CHECKING:
    from app.planning.effort import Effort
    from app.reports.compare_document import CompareReport
    from app.reports.run.run_report import RunReport
    from app.reports.sensitivity_document import SensitivityReport
    from models.outcome import Family
    from simulator.events import Event


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What is planned with: a profile, the sections that are wanted, the profiles that it is compared with."""

    chosen: Chosen
    sections: Sequence[str]
    against: Sequence[str] = ()
    seed: int = 0
    replications: int = 5
    interval: Effort = "none"


def run_of(plan: Plan, on_event: Callable[[Event], None] | None = None) -> RunReport:
    """Simulate the profile of a plan.

    Raises:
        ProblemError: a model refuses the scenario.
    """
    return run(plan.chosen, seed=plan.seed, replications=plan.replications, on_event=on_event, interval=plan.interval)


def build(plan: Plan, run: RunReport, workers: int | None, counted: Counted) -> PlanReport:
    """Run everything else that the sections need.

    Raises:
        ProblemError: a profile is wrong or cannot be run.
    """
    scenario, sections = plan.chosen.scenario, plan.sections
    priced, result = bill(scenario, run.result.metrics), run.result
    job = traffic(scenario, result.metrics, result.duration) if result.duration else None
    has_sensitivity = "sensitivity" in sections and run.result.duration
    alike = _alike(scenario) if "validation" in sections else ()
    beyond = unlike(scenario, Answer.of(result)) if alike else ()
    judging = () if beyond else alike  # beyond what was validated no benchmark is shown
    return PlanReport(
        run=run,
        comparison=_comparison(plan, workers, counted) if "comparison" in sections and plan.against else None,
        sensitivity=_sensitivity(plan, workers, counted) if has_sensitivity else None,
        capacity=capacity.study(plan.chosen, interval=plan.interval),
        cost=priced if "cost" in sections else None,
        materials=_materials(scenario) if "materials" in sections else None,
        job_cost=0.0 if priced is None or job is None else priced.per_job(result.duration, job),
        advice=lint(scenario),
        validation=validated(judging, workers, counted, "Validating", is_short=True) if judging else None,
        unlike=beyond,
        further=[
            *(_failures(plan) if "failures" in sections else ()),
            *(_upkeep(plan, counted) if "upkeep" in sections else ()),
        ],
    )


def _materials(scenario: Scenario) -> BillOfMaterials | None:
    """Return what has to be bought; None without a price list, or where nothing is."""
    if scenario.prices is None:
        return None
    built = materials(scenario)
    return built if built.racks else None


def _comparison(plan: Plan, workers: int | None, counted: Counted) -> CompareReport:
    chosen = plan.chosen
    first = Side(side_name(chosen.profile), chosen.profile, dict(chosen.settings))
    sides = [first, *(Side(side_name(other), other) for other in plan.against)]
    title = " against ".join(side.name for side in sides)
    return compared(Comparison(title, sides, plan.seed, plan.replications, plan.interval), workers, counted)


def _sensitivity(plan: Plan, workers: int | None, counted: Counted) -> SensitivityReport:
    from app.planning import sensitivity

    asked = sensitivity.Plan(
        title=plan.chosen.profile,
        chosen=plan.chosen,
        inputs=(),
        choices={},
        measure="duration",
        samples=0,
        sobol=0,
        seed=plan.seed,
    )
    return sensitivity.study(asked, workers, counted)


def _failures(plan: Plan) -> list[Section]:
    """Return the section on durability, none where the profile states no failure rates or the store has no model."""
    from app.planning import durability

    scenario = plan.chosen.scenario
    if not is_durable(scenario):
        return []
    parts = document(durability.study(plan.chosen, seed=plan.seed)).sections
    return [Part.FAILURES.section([block for part in parts for block in part.blocks])]


def _upkeep(plan: Plan, counted: Counted) -> list[Section]:
    """Return the section on repairs and maintenance, none where the profile states no failure rates."""
    from app.planning import upkeep
    from app.reports.upkeep_document import section

    if not is_durable(plan.chosen.scenario):
        return []
    return [section(upkeep.study(upkeep.usual(plan.chosen, plan.seed), 1, counted))]


def _alike(scenario: Scenario) -> tuple[Family, ...]:
    """Return the families whose benchmarks are of this kind."""
    known = {family.name: family for family in chosen_families(None)}
    benchmarks = (entry for entry in SHIPPED.describe(("benchmarks",)) if entry.family in known)
    alike = dict.fromkeys(
        entry.family
        for entry in benchmarks
        if load_profile(entry.name)[0].scenario.workload.kind == scenario.workload.kind
    )
    return tuple(known[name] for name in alike)
