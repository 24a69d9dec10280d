"""Fitted numbers before and after a fit, for a terminal."""

from __future__ import annotations

from collections.abc import Sequence

from app.reports import words
from app.reports.tables import text_table
from models.units import format
from simulator.studies.fit import FittedValue

HEADER = ("fitted number", ">in the profile", ">fitted again", ">change", "fitted to")


def render(fitted: Sequence[FittedValue]) -> str:
    """Return a table with a row a number."""
    return "\n".join(text_table(HEADER, [_row(value) for value in fitted])) + "\n"


def _row(value: FittedValue) -> list[str]:
    parameter = value.parameter
    before, after = (format(number, parameter.unit) for number in (value.before, value.after))
    ids = ", ".join(id.removeprefix(f"{parameter.family}/") for id in parameter.fitted_to)
    return [parameter.name, before, after, words.signed_percent(value.after / value.before - 1), ids]
