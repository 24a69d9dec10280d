"""`simulate compare`: profiles side by side, what differs between them first."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

from app.cli import options as shared
from app.cli.options import several
from models.problem import Problem, ProblemError

if TYPE_CHECKING:
    from app.planning.comparing import Plan, Side

FEWEST, MOST = 2, 6
SHOWN = 20  # keys that the terminal shows; reports and JSON have all


@click.command("compare")
@several(
    shared.profiles, shared.study, shared.changes, shared.seed, shared.replications(5), shared.answered, shared.workers
)
def command(profiles: tuple[str, ...], **options: Any) -> None:
    """Put two to six profiles side by side.

    All meet the same chances, so that small differences show; the first is what the others are measured against.
    """
    from app.cli.progress import counted
    from app.cli.reporting import check_files, tell
    from app.planning.comparing import compared
    from app.reports.compare_document import brief, document, sheet

    check_files(options)
    report = compared(_plan(options | {"profiles": profiles}), options["workers"], counted)
    tell(options, document(report), text=brief(report, SHOWN), sheet=sheet(report))


def _plan(options: dict[str, Any]) -> Plan:
    from app.cli.reporting import pairs
    from app.planning.comparing import Plan, Side, side_name

    if options["study"] is not None:
        return _from_study(options)
    settings = pairs(options["settings"])
    sides = [Side(side_name(profile), profile, settings) for profile in options["profiles"]]
    _check_count(sides, "compare")
    title = " against ".join(side.name for side in sides)
    return Plan(title, sides, options["seed"] or 0, options["replications"] or 5)


def _from_study(options: dict[str, Any]) -> Plan:
    from app.cli.asking import Flag, from_file
    from app.cli.reporting import pairs
    from app.planning.comparing import Plan, Side
    from models.planning.study import Compare

    found = from_file(Compare, options, {"profiles": Flag("PROFILE")})
    settings = pairs(options["settings"])
    sides = [Side(name, it.profile, {**found.set, **it.set, **settings}) for name, it in found.scenarios.items()]
    _check_count(sides, f"{options['study']}: scenarios")
    return Plan(found.title, sides, found.seed, found.replications)


def _check_count(sides: Sequence[Side], key: str) -> None:
    if not FEWEST <= len(sides) <= MOST:
        message = f"expected two to six profiles to compare (got {len(sides)}); see: simulate profiles"
        raise ProblemError([Problem("", None, key, message)])
