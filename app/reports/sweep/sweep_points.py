"""The points of a sweep as plain data: what its charts are drawn from, by the window and by reports."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from app.reports import words
from models.planning.grid import Axis, Values, short_names

if TYPE_CHECKING:
    from simulator.studies.sweep import Row


@dataclass(frozen=True, slots=True)
class VariedKey:
    """A varied key: its short name, its values as texts, and as numbers in `unit` if all are numbers."""

    key: str
    name: str
    values: tuple[str, ...]
    unit: str
    numbers: tuple[float, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class SweptPoint:
    """The result of one point; `index` counts the points of the request, `reason` says why it cannot be run.

    `duration` in seconds; `measures` are (value, unit, whether more is better); the one that leads lies likely between
    its `ends`, None where that is not known.
    """

    index: int
    values: Values
    duration: float | None
    limit: str
    measures: dict[str, tuple[float, str, bool]]
    reason: str = ""
    ends: tuple[float, float] | None = None
    amount: str = ""


@dataclass(frozen=True, slots=True)
class SurePoints:
    """Between what the measure that leads lies in `level` of the cases at each point, by its index, and why so."""

    measure: str
    level: float
    ends: Mapping[int, tuple[float, float]]
    why: tuple[str, ...]


def plain(index: int, row: Row, ends: tuple[float, float] | None = None) -> SweptPoint:
    """Return a row as plain data."""
    limit = row.answer.bottleneck if row.answer else None
    return SweptPoint(
        index=index,
        values=row.values,
        duration=row.answer.duration if row.answer else None,
        limit=f"{limit.resource} ({words.percent(limit.share)})" if limit else "cannot be run",
        measures={
            name: (measure.value, measure.unit, measure.is_more_better) for name, measure in row.measures.items()
        },
        reason=row.reason,
        ends=ends,
        amount=row.amount,
    )


def varied(axes: Sequence[Axis]) -> tuple[VariedKey, ...]:
    """Return what varies, with numbers where all values are numbers."""
    from app.reports.sweep.sweep_report import numbers  # which knows of studies

    keys = []
    for axis, name in zip(axes, short_names([axis.key for axis in axes]), strict=True):
        unit, values = numbers(axis) or ("", [])
        keys.append(VariedKey(axis.key, name, axis.values, "" if unit == "1" else unit, tuple(values)))
    return tuple(keys)
