"""The documented outcomes that shipped profiles reproduce, as cases for validation and fits."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from importlib.metadata import version
from typing import TYPE_CHECKING

from app.planning.loading import load_profile
from app.planning.progress import Counted
from models.outcome import Choice, Errors, Family, LeftOut
from models.problem import Problem, ProblemError, did_you_mean
from profiles.loading.catalog import describe
from profiles.shipped.outcomes import families, family, left_out
from simulator.studies.validate import Alternative, Case

if TYPE_CHECKING:
    from app.reports.validation.validation_report import ValidationReport


def chosen_families(name: str | None) -> tuple[Family, ...]:
    """Return one family, or all for None.

    Raises:
        ProblemError: no such family.
    """
    known = families()
    if name is not None and name not in known:
        way_out = did_you_mean(name, known) or f"; there are {', '.join(known)}"
        message = f"no such family: '{name}'{way_out}"
        raise ProblemError([Problem("", None, "--family", message)])
    return tuple(family(family_name) for family_name in ([name] if name else known))


def cases_of(chosen: Sequence[Family]) -> list[Case]:
    """Return one case for each documented outcome that the shipped profiles of the families name.

    A ratio is over another profile of its family.
    """
    wanted = {kind.name for kind in chosen}
    names = [entry.name for entry in describe() if entry.family in wanted]
    loaded = [(name, *load_profile(name)) for name in names]
    scenarios = {name: profile.scenario for name, profile, _ in loaded}
    return [
        Case(outcome, name, scenarios[name], scenarios[outcome.over] if outcome.over else None)
        for name, _, outcomes in loaded
        for outcome in outcomes
    ]


def alternatives_of(chosen: Sequence[Family]) -> list[Alternative]:
    """Return what else could stand in place of what was chosen, for the choices that name it."""
    profiles = {id: entry.name for entry in describe() for id in entry.documented}
    choices = [choice for kind in chosen for choice in kind.choices if choice.otherwise]
    return [Alternative(choice, _otherwise(choice, profiles[choice.shown])) for choice in choices]


def _otherwise(choice: Choice, name: str) -> Case:
    profile, outcomes = load_profile(name, choice.otherwise)
    outcome = next(other for other in outcomes if other.id == choice.shown)
    return Case(outcome, name, profile.scenario)


def validated(
    families: tuple[Family, ...],
    workers: int | None,
    counted: Counted,
    doing: str = "Simulating",
    *,
    is_short: bool = False,
) -> ValidationReport:
    """Run the documented outcomes of some families, in as many processes as there are cores if nothing else is said.

    A short one does without what else could stand in place of what was chosen.
    """
    from app.reports.validation.validation_report import ValidationReport
    from simulator.studies.pool import cores
    from simulator.studies.validate import validate

    with counted(doing) as on_done:
        cases, alternatives = cases_of(families), [] if is_short else alternatives_of(families)
        validation = validate(cases, families, alternatives, workers=workers or cores(), on_done=on_done)
    return ValidationReport(validation=validation, families=families, left_out=left_out())


def with_left_out(report: ValidationReport, workers: int | None, counted: Counted) -> ValidationReport:
    """Return a validation with outcomes also predicted by numbers that were fitted without them.

    Each is left out in turn, and each group that its family leaves out as a whole. A family to which nothing is fitted
    keeps its errors.
    """
    from app.reports.validation.validation_report import errors_of
    from simulator.studies.left_out import each_alone, leave_groups_out
    from simulator.studies.pool import cores

    errors: dict[str, float | None] = {}
    together: dict[str, dict[str, Errors | None]] = {}
    ranges: dict[str, tuple[float, float]] = {}
    for kind in report.families:
        if not kind.parameters:
            errors |= {outcome.id: outcome.error for outcome in report.numbers(kind)}
            continue
        cases, names = cases_of([kind]), kind.left_out_together
        groups = [kind.left_out_with(name, (case.outcome.id for case in cases)) for name in names]
        alone = each_alone(cases)
        with counted(f"Fitting without outcomes of {kind.name}") as on_done:
            rows = leave_groups_out(
                cases,
                kind.parameters,
                [*alone, *groups],
                kind.mean_target,
                workers=workers or cores(),
                on_done=on_done,
            )
        single = {id: told for row in rows[: len(alone)] for id, told in row.items()}
        errors |= {id: told.result.error if told.is_testable else None for id, told in single.items()}
        ranges |= {id: (told.low, told.high) for id, told in single.items() if not told.is_testable}
        together[kind.name] = {
            name: errors_of(told.result for told in group.values() if told.is_testable)
            for name, group in zip(names, rows[len(alone) :], strict=True)
        }
    return replace(report, left_out=LeftOut(version("headroom"), errors, together, ranges))
