"""What is said of a command line that is not understood: one line, as of a wrong value, and where to read on."""

from __future__ import annotations

import re

import click
from click.exceptions import BadOptionUsage, MissingParameter, NoSuchCommand, NoSuchOption

from models.units import either

_EXTRA = re.compile(r"Got unexpected extra arguments? \((.*)\)", re.DOTALL)


def misunderstood(error: click.UsageError) -> str:
    """Return what was not understood, what was expected, and which help says more."""
    path = error.ctx.command_path if error.ctx else "simulate"
    return f"{_what(error)}; see: {path} --help"


def _what(error: click.UsageError) -> str:
    if isinstance(error, NoSuchOption):
        return f"{error.option_name}: no such option{_near(error.possibilities)}"
    if isinstance(error, NoSuchCommand):
        return f"{error.message}{_near(error.possibilities)}"
    if isinstance(error, MissingParameter) and error.param is not None:
        return f"{error.param.human_readable_name}: missing"
    if isinstance(error, BadOptionUsage):
        return (
            f"{error.option_name}: {'takes no value' if 'does not take' in error.message else 'its value is missing'}"
        )
    if extra := _EXTRA.match(error.message):
        return f"expected no further words (got '{extra[1]}')"
    return error.message.rstrip(".")


def _near(names: list[str] | None) -> str:
    return f"; did you mean {either(names)}?" if names else ""
