"""A report in which no line ends between a number and its unit. Lines to be copied stay as they are."""

from __future__ import annotations

from dataclasses import replace

from app.reports import media
from app.reports.document import Block, Document, Facts, Paragraph, Table


def bound(document: Document) -> Document:
    """Return a report as it stands on a page."""
    sections = [replace(section, blocks=[_block(block) for block in section.blocks]) for section in document.sections]
    return replace(document, sections=sections)


def _block(block: Block) -> Block:
    """Charts keep their words: a label of one is on one line."""
    if not isinstance(block, Paragraph | Facts | Table):
        return block
    made = media.mapped(block, media.bound)
    if isinstance(made, Table):
        return replace(made, columns=[replace(column, is_bound=True) for column in made.columns])
    return made
