"""`simulate report`: the planning report of a profile, in every form that is asked for."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

from models.problem import Problem, ProblemError, did_you_mean
from models.units import either

if TYPE_CHECKING:
    from app.reports.compare_document import CompareReport
    from app.reports.document import Section
    from app.reports.plan_document import PlanReport
    from app.reports.validation_report import ValidationReport
    from models.scenario import Scenario


@click.command("report")
@click.argument("profile")
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@click.option("--against", metavar="PROFILE", multiple=True, help="A profile to compare with; repeatable.")
@click.option("--set", "settings", metavar="KEY=VALUE", multiple=True, help="Change a value of the profile.")
@click.option("--seed", type=click.IntRange(min=0), default=0, show_default=True, help="Seed of all chances.")
@click.option("--replications", type=click.IntRange(min=1), default=5, show_default=True, help="Runs of each profile.")
@click.option("--without", "left_out", metavar="SECTION", multiple=True, help="Leave a section out; repeatable.")
@click.option("--workers", type=click.IntRange(min=1), help="Processes; default: one a core.")
def command(profile: str, files: tuple[str, ...], **options: Any) -> None:
    """Write the planning report of a PROFILE into FILEs: .html, .pdf, .xlsx, .md, .json, .csv or .txt.

    From the question and the answer over alternatives, limits, levers, growth, cost, failures and advice to the source
    of every number, the record of validation, and the profile with which it can be run again.
    """
    from app.cli.output import check_writable
    from app.cli.reporting import check_forms, pairs, write_reports
    from app.reports.plan_document import SECTIONS, document

    _check_sections(options["left_out"], SECTIONS)
    check_forms(files)
    check_writable([("FILE", name) for name in files])
    kept = [section for section in SECTIONS if section not in options["left_out"]]
    found = build(profile, kept, options | {"settings": pairs(options["settings"])})
    write_reports(document(found).only(kept), files)


def build(profile: str, sections: Sequence[str], options: dict[str, Any]) -> PlanReport:
    """Run everything that the sections need.

    Raises:
        ProblemError: a profile is wrong or cannot be run.
    """
    from app.cli.run import Request, answer
    from app.reports.plan_document import PlanReport
    from models.planning.lint import lint
    from simulator.studies.measures import bill

    settings = options["settings"]
    run = answer(
        Request(
            profile=profile,
            settings=settings,
            seed=options["seed"],
            replications=options["replications"],
            format="text",
            output=None,
            reports=(),
        )
    )
    scenario = _scenario(profile, settings)
    return PlanReport(
        run=run,
        comparison=_comparison(profile, options) if "comparison" in sections and options["against"] else None,
        sensitivity=_sensitivity(profile, options) if "sensitivity" in sections and run.result.duration else None,
        capacity=_capacity(profile, settings),
        cost=bill(scenario) if "cost" in sections else None,
        advice=lint(scenario),
        validation=_validation(scenario, options["workers"]) if "validation" in sections else None,
        further=_failures(profile, scenario, options) if "failures" in sections else (),
    )


def _check_sections(names: Sequence[str], known: Sequence[str]) -> None:
    problems = [
        Problem(
            "", None, "--without", f"there is no section '{name}'{did_you_mean(name, known)}; there are {either(known)}"
        )
        for name in names
        if name not in known
    ]
    if problems:
        raise ProblemError(problems)


def _scenario(profile: str, settings: dict[str, str]) -> Scenario:
    from app.cli.loading import load_profile

    return load_profile(profile, settings)[0].scenario


def _comparison(profile: str, options: dict[str, Any]) -> CompareReport:
    from app.cli.compare import Plan, Side, compared, side_name

    first = Side(side_name(profile), profile, options["settings"])
    sides = [first, *(Side(side_name(other), other) for other in options["against"])]
    title = " against ".join(side.name for side in sides)
    return compared(Plan(title, sides, options["seed"], options["replications"]), options["workers"])


def _sensitivity(profile: str, options: dict[str, Any]) -> Any:
    from app.cli.sensitivity import Plan, study

    plan = Plan(
        title=profile,
        profile=profile,
        settings=options["settings"],
        inputs=(),
        choices={},
        measure="duration",
        samples=0,
        sobol=0,
        seed=options["seed"],
    )
    return study(plan, options["workers"])


def _capacity(profile: str, settings: dict[str, str]) -> Any:
    from app.cli.capacity import study

    return study(profile, settings)


def _failures(profile: str, scenario: Scenario, options: dict[str, Any]) -> list[Section]:
    """Return the section on durability, none where the profile states no failure rates or the store has no model."""
    from app.cli.durability import study
    from app.reports.document import Section
    from app.reports.durability_report import document
    from models.storage.hdfs import Hdfs
    from models.storage.minio import Minio

    has_rates = scenario.failures is not None and scenario.failures.drive_failures_per_year
    if not has_rates or not isinstance(scenario.storage, (Hdfs, Minio)):
        return []
    parts = document(study(profile, options["settings"], seed=options["seed"])).sections
    return [Section("failures", "Failures and durability", [block for part in parts for block in part.blocks])]


def _validation(scenario: Scenario, workers: int | None) -> ValidationReport | None:
    """Return the validation of the families whose benchmarks are of this kind; None if there are none."""
    from app.cli.cases import cases_of, chosen_families
    from app.cli.loading import load_profile
    from app.cli.progress import counted
    from app.reports.validation_report import ValidationReport
    from profiles.catalog import describe
    from simulator.studies.pool import cores
    from simulator.studies.validate import validate

    known = {family.name: family for family in chosen_families(None)}
    alike = dict.fromkeys(
        entry.family
        for entry in describe()
        if entry.family in known and load_profile(entry.name)[0].scenario.workload.kind == scenario.workload.kind
    )
    families = tuple(known[name] for name in alike)
    if not families:
        return None
    with counted("Validating") as on_done:
        found = validate(cases_of(families), families, workers=workers or cores(), on_done=on_done)
    return ValidationReport(validation=found, families=families)
