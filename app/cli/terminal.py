"""What a command prints: nothing in it is carried out by a terminal, whoever wrote it."""

from __future__ import annotations

from contextlib import nullcontext, suppress
from typing import TYPE_CHECKING

import click

from app.reports.media import shown

if TYPE_CHECKING:
    from app.reports.document import Document


def say(document: Document, *, err: bool = False) -> None:
    """Print a report as text on stdout or stderr."""
    from app.reports.forms import document_text

    put(document_text.render(document), err=err)


def mention(text: str, *, err: bool = False) -> None:
    """Print an answer of one line."""
    from app.reports.document import Document

    say(Document(text, []), err=err)


def put(text: str, *, err: bool = False) -> None:
    """Print a text as it is; where stderr takes nothing, there is nobody to be told."""
    with suppress(OSError) if err else nullcontext():
        click.echo(shown(text), err=err, nl=False)
