"""Options that commands share, each declared once: what they are called and what they mean is the same everywhere."""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce
from typing import Any, TypeVar

import click
from click.core import ParameterSource

from app.cli.values import OneOf, Whole
from app.planning.effort import RUNS, USUAL, VARIABLE, Effort
from models.problem import Problem, ProblemError

F = TypeVar("F", bound=Callable[..., Any])
V = TypeVar("V")
Decorator = Callable[[F], F]

PROFILE = "headroom.profile"  # where the option keeps what it was given for the argument
FORMS = ".html, .pdf, .xlsx, .pptx, .md, .zip, .json, .csv, .txt"


def refuse_given(plan: str, *names: str) -> None:
    """Refuse options of the running command that say what a plan says itself.

    Raises:
        ProblemError: with every one that is given.
    """
    context = click.get_current_context()
    given = [name for name in names if context.get_parameter_source(name) is ParameterSource.COMMANDLINE]
    if given:
        flags = {option.name: option.opts[0] for option in context.command.params}
        message = f"the plan '{plan}' says it itself: change it in that file, or leave this out"
        raise ProblemError([Problem("", None, flags[name], message) for name in given])


def _keep(context: click.Context, _: click.Parameter, value: str | tuple[str, ...] | None) -> None:
    context.meta[PROFILE] = value


def given_twice(word: str, named: str, context: click.Context) -> click.UsageError:
    """Return the refusal of a profile that is a word and follows `--profile` as well."""
    return click.UsageError(f"the profile is given twice, as '{word}' and as --profile '{named}'", context)


def _either(context: click.Context, parameter: click.Parameter, value: str | None) -> str | None:
    """Return the profile, from where it was given.

    Raises:
        UsageError: it was given twice, or not at all where no study can stand for it.
    """
    other = context.meta[PROFILE]
    if value is not None and other is not None:
        raise given_twice(value, other, context)
    return _needed(context, parameter, value if other is None else other)


def _all(context: click.Context, parameter: click.Parameter, words: tuple[str, ...]) -> tuple[str, ...]:
    """Return the profiles, from where they were given; in which order they stand would be unclear from both.

    Raises:
        UsageError: they were given both ways, or not at all where no study can stand for them.
    """
    named = context.meta[PROFILE]
    if words and named:
        raise click.UsageError("give the profiles either all as words or each after --profile", context)
    return _needed(context, parameter, words or named)


def _before_files(context: click.Context, parameter: click.Parameter, words: tuple[str, ...]) -> tuple[str, ...]:
    """Return the profile and the files after it; where it follows `--profile`, all words are files.

    Raises:
        UsageError: the profile or the files were not given.
    """
    named = context.meta[PROFILE]
    names = words if named is None else (named, *words)
    if len(names) == 1:
        text = f"missing: a FILE after '{names[0]}', whose suffix chooses the form, such as report.pdf"
        raise click.UsageError(text, context)
    return _needed(context, parameter, names if len(names) > 1 else ())


def _needed(context: click.Context, parameter: click.Parameter, value: V) -> V:
    if not value and not any(option.name == "study" for option in context.command.params):
        raise click.MissingParameter(ctx=context, param=parameter)
    return value


def several(*options: Decorator[Any]) -> Decorator[Any]:
    """Return one decorator for several options, which help lists in this order."""
    return lambda command: reduce(lambda done, option: option(done), reversed(options), command)


def _as_option(*, is_several: bool = False) -> Decorator[Any]:
    return click.option(
        "--profile",
        "_",
        metavar="NAME|PATH",
        multiple=is_several,
        is_eager=True,
        expose_value=False,
        callback=_keep,
        help=f"The PROFILE, as an option: a shipped name, a file, PLAN#CANDIDATE{'; repeatable' * is_several}.",
    )


profile: Decorator[Any] = several(click.argument("profile", required=False, callback=_either), _as_option())
profiles: Decorator[Any] = several(
    click.argument("profiles", nargs=-1, metavar="PROFILE...", callback=_all), _as_option(is_several=True)
)
profile_and_files: Decorator[Any] = several(
    click.argument("words", nargs=-1, metavar="PROFILE FILE...", callback=_before_files), _as_option()
)
study = click.option("--study", metavar="NAME|PATH", help="A study that ships, or a file, instead of the options here.")
changes = click.option(
    "--set", "settings", metavar="KEY=VALUE", multiple=True, help="Change one value or part of the profile; repeatable."
)
varied = click.option(
    "--vary", metavar="KEY=VALUES", multiple=True, help="Values of one key: 4,8,12 or 4..64:4 or 1..1000:log7."
)
workers = click.option("--workers", type=Whole(min=1), help="Processes; default: one per core.")
seed = click.option("--seed", type=Whole(min=0), help="Seed of all random numbers; default: 0, or as the study says.")
format_ = click.option(
    "--format",
    "format_",
    type=OneOf(["text", "json", "csv"]),
    default="text",
    show_default=True,
    help="Form of the answer.",
)
output = click.option("--output", metavar="FILE", help="Write the answer to a file instead of the terminal.")
reports = click.option(
    "--report", "reports", metavar="FILE", multiple=True, help=f"Also write a report: {FORMS}; repeatable."
)


def interval(default: Effort = USUAL) -> Decorator[Any]:
    """Return the option for how much is run to say how sure an answer is."""
    return click.option(
        "--interval",
        type=OneOf(list(RUNS)),
        default=default,
        envvar=VARIABLE,
        show_default=True,
        help=f"How sure each answer is: not said, from at most {RUNS['fast']} runs more, or from {RUNS['full']}.",
    )


def replications(default: int) -> Decorator[F]:
    """Return the option for the number of runs."""
    return click.option(
        "--replications",
        type=Whole(min=1),
        help=f"Runs, each with its own random numbers; default: {default}, or as the study says.",
    )


def target(what: str) -> Decorator[F]:
    """Return the option for what has to be met."""
    return click.option("--target", "targets", metavar="TARGET", multiple=True, help=f"{what}; repeatable.")


locale = click.option(
    "--locale",
    default="en",
    show_default=True,
    help="How reports write numbers: de, de-CH, fr; their words are English.",
)
answered: Decorator[Any] = several(format_, output, reports, locale)
"""In which form and where to a command answers."""
