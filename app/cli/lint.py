"""`simulate lint`: advice on designs, without running them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from app.cli import options as shared
from models.problem import Problem, ProblemError

if TYPE_CHECKING:
    from models.advice import Advice

Found = Sequence[tuple[str, Sequence["Advice"]]]


@click.command("lint")
@shared.profiles
@click.option("--set", "settings", metavar="KEY=VALUE", multiple=True, help="Change a value in all profiles.")
@click.option("--format", "format_", type=click.Choice(["text", "json"]), default="text", show_default=True)
def command(profiles: tuple[str, ...], settings: tuple[str, ...], format_: str) -> int:
    """Say what is unwise in a design, who warns of it, and the way out.

    Exit status 1 if there is a warning; hints alone do not count.
    """
    from app.cli.output import write
    from app.cli.reporting import pairs

    found = _advice(profiles, pairs(settings))
    write(None, _json(found) if format_ == "json" else _text(found))
    return int(any(advice.severity == "warning" for _, advices in found for advice in advices))


def _advice(profiles: Sequence[str], settings: dict[str, str]) -> Found:
    from app.planning.loading import load_profile
    from models.planning.lint import lint

    found: list[tuple[str, Sequence[Advice]]] = []
    problems: list[Problem] = []
    for profile in profiles:
        try:
            found.append((profile, lint(load_profile(profile, settings)[0].scenario)))
        except ProblemError as error:
            problems += error.problems
    if problems:
        raise ProblemError(problems)
    return found


def _text(found: Found) -> str:
    import textwrap

    lines = []
    for profile, advices in found:
        lines.append(f"{profile}: no warning and no hint" if not advices else f"{profile}:")
        for advice in advices:
            line = f"{advice.severity}: {advice.key}: {advice.message}"
            lines += textwrap.wrap(line, 100, initial_indent="  ", subsequent_indent="    ", break_on_hyphens=False)
            lines += textwrap.wrap(f"source: {advice.source}", 100, initial_indent="    ", subsequent_indent="    ")
    return "\n".join(lines) + "\n"


def _json(found: Found) -> str:
    from dataclasses import asdict

    from app.reports.json_text import dumps

    profiles = [{"profile": profile, "advice": [asdict(each) for each in advices]} for profile, advices in found]
    return dumps({"schema": "headroom.lint/1", "profiles": profiles})
