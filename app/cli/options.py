"""Options that commands share, each declared once: what they are called and what they mean is the same everywhere."""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce
from typing import Any, TypeVar

import click

F = TypeVar("F", bound=Callable[..., Any])
Decorator = Callable[[F], F]

PROFILE = "headroom.profile"  # where the option keeps what it was given for the argument
FORMS = ".html, .pdf, .md, .xlsx, .json, .csv, .txt"


def _keep(context: click.Context, _: click.Parameter, value: str | None) -> None:
    context.meta[PROFILE] = value


def _either(context: click.Context, parameter: click.Parameter, value: str | None) -> str | None:
    """Return the profile, from where it was given.

    Raises:
        UsageError: it was given twice, or not at all where no study can stand for it.
    """
    other = context.meta[PROFILE]
    if value is not None and other is not None:
        raise click.UsageError(f"the profile is given twice, as '{value}' and as --profile '{other}'", context)
    if value is None and other is None and not any(option.name == "study" for option in context.command.params):
        raise click.MissingParameter(ctx=context, param=parameter)
    return value if other is None else other


def several(*options: Decorator[Any]) -> Decorator[Any]:
    """Return one decorator for several options, which help lists in this order."""
    return lambda command: reduce(lambda done, option: option(done), reversed(options), command)


profile: Decorator[Any] = several(
    click.argument("profile", required=False, callback=_either),
    click.option(
        "--profile",
        "_",
        metavar="NAME|PATH",
        is_eager=True,
        expose_value=False,
        callback=_keep,
        help="The PROFILE, as an option: a shipped name or a TOML file.",
    ),
)
study = click.option("--study", metavar="NAME|PATH", help="A study that ships, or a file, instead of the options here.")
changes = click.option(
    "--set", "settings", metavar="KEY=VALUE", multiple=True, help="Change one value or part of the profile; repeatable."
)
varied = click.option(
    "--vary", metavar="KEY=VALUES", multiple=True, help="Values of one key: 4,8,12 or 4..64:4 or 1..1000:log7."
)
workers = click.option("--workers", type=click.IntRange(min=1), help="Processes; default: one per core.")
seed = click.option(
    "--seed", type=click.IntRange(min=0), help="Seed of all random numbers; default: 0, or as the study says."
)
format_ = click.option(
    "--format",
    "format_",
    type=click.Choice(["text", "json", "csv"]),
    default="text",
    show_default=True,
    help="Form of the answer.",
)
output = click.option("--output", metavar="FILE", help="Write the answer to a file instead of the terminal.")
reports = click.option(
    "--report", "reports", metavar="FILE", multiple=True, help=f"Write a report as well: {FORMS}; repeatable."
)


def replications(default: int) -> Decorator[F]:
    """Return the option for the number of runs."""
    return click.option(
        "--replications",
        type=click.IntRange(min=1),
        help=f"Runs, each with its own random numbers; default: {default}, or as the study says.",
    )


def target(what: str) -> Decorator[F]:
    """Return the option for what has to be met."""
    return click.option("--target", "targets", metavar="TARGET", multiple=True, help=f"{what}; repeatable.")


answered: Decorator[Any] = several(format_, output, reports)
"""In which form and where to a command answers."""
