"""Fitted numbers before and after a fit, as a report."""

from __future__ import annotations

from collections.abc import Sequence

from app.reports.document import Cell, Column, Document, Section, Table
from models.units import format
from simulator.studies.fit import FittedValue

COLUMNS = (
    Column("fitted number"),
    Column("in the profile", "1"),
    Column("fitted again", "1"),
    Column("change", "change"),
    Column("fitted to"),
)
"""Of numbers that have units of their own, which the cells say."""


def document(fitted: Sequence[FittedValue]) -> Document:
    """Return the report of a fit: a row a number."""
    table = Table("Fitted numbers", COLUMNS, [_row(value) for value in fitted])
    return Document("Numbers fitted again to documented outcomes", [Section("fitted", "", [table])])


def _row(value: FittedValue) -> Sequence[Cell]:
    parameter = value.parameter
    before, after = (format(number, parameter.unit) for number in (value.before, value.after))
    ids = ", ".join(id.removeprefix(f"{parameter.family}/") for id in parameter.fitted_to)
    return parameter.name, before, after, value.after / value.before - 1, ids
