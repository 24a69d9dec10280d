"""A report with its numbers as a locale writes them.

What programs read, lines to be copied, and names and versions on the cover stay as they are.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from app.reports.document import (
    Axis,
    Bars,
    Block,
    Cell,
    Column,
    Document,
    Drawing,
    Facts,
    Lines,
    Paragraph,
    Ranges,
    Section,
    Table,
    Verbatim,
    Waterfall,
)
from app.reports.locales import ENGLISH, Locale
from app.reports.pictures import Field, HeatMap


def localized(document: Document, locale: Locale) -> Document:
    """Return a report as it is read in a locale."""
    if locale == ENGLISH:
        return document
    return replace(
        document,
        title=locale.localized(document.title),
        sections=[_section(section, locale) for section in document.sections],
    )


def _section(section: Section, locale: Locale) -> Section:
    return replace(
        section, title=locale.localized(section.title), blocks=[_block(block, locale) for block in section.blocks]
    )


def _block(block: Block, locale: Locale) -> Block:
    if isinstance(block, Verbatim):
        return block
    if isinstance(block, Paragraph):
        return replace(block, text=locale.localized(block.text))
    if isinstance(block, Facts):
        return Facts(_pairs(block.rows, locale))
    if isinstance(block, Table):
        return _table(block, locale)
    return _chart(block, locale)


def _table(table: Table, locale: Locale) -> Table:
    columns = [_column(column, locale) for column in table.columns]
    rows = [_cells(row, locale) for row in table.rows]
    return replace(
        table, name=locale.localized(table.name), columns=columns, rows=rows, total=_cells(table.total, locale)
    )


def _column(column: Column, locale: Locale) -> Column:
    return replace(column, title=locale.localized(column.title), locale=locale)


def _cells(row: Sequence[Cell], locale: Locale) -> list[Cell]:
    return [locale.localized(cell) if isinstance(cell, str) else cell for cell in row]


def _chart(chart: Drawing, locale: Locale) -> Drawing:
    def said(texts: Sequence[str]) -> list[str]:
        return [locale.localized(text) for text in texts]

    name = locale.localized(chart.name)
    if isinstance(chart, HeatMap):
        cells = [[(number, locale.localized(text)) for number, text in row] for row in chart.cells]
        return replace(chart, name=name, columns=said(chart.columns), rows=said(chart.rows), cells=cells)
    if isinstance(chart, Field):
        return replace(
            chart, name=name, columns=said(chart.columns), rows=said(chart.rows), axis=_axis(chart.axis, locale)
        )
    if isinstance(chart, Lines):
        series = [replace(drawn, note=locale.localized(drawn.note)) for drawn in chart.series]
        return replace(chart, name=name, x=_axis(chart.x, locale), y=_axis(chart.y, locale), series=series)
    if isinstance(chart, Bars):
        return replace(chart, name=name, axis=_axis(chart.axis, locale), labels=said(chart.labels))
    if isinstance(chart, Ranges):
        return replace(chart, name=name, axis=_axis(chart.axis, locale), notes=said(chart.notes))
    if isinstance(chart, Waterfall):
        steps = [(locale.localized(label), value) for label, value in chart.steps]
        return replace(chart, name=name, axis=_axis(chart.axis, locale), steps=steps)
    return chart


def _axis(axis: Axis, locale: Locale) -> Axis:
    named = {at: locale.localized(text) for at, text in axis.named.items()}
    return replace(axis, label=locale.localized(axis.label), locale=locale, named=named)


def _pairs(rows: Sequence[tuple[str, str]], locale: Locale) -> list[tuple[str, str]]:
    return [(locale.localized(label), locale.localized(text)) for label, text in rows]
