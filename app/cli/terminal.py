"""What a command prints: nothing in it is carried out by a terminal, whoever wrote it."""

from __future__ import annotations

from contextlib import nullcontext, suppress

import click

from app.reports.media import shown


def say(text: str = "", *, err: bool = False, nl: bool = True) -> None:
    """Print a text on stdout or stderr; where stderr takes nothing, there is nobody to be told."""
    with suppress(OSError) if err else nullcontext():
        click.echo(shown(text), err=err, nl=nl)
