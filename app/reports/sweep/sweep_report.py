"""A sweep before it is put into any form: its rows, and what of them is worth a column."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from app.reports.held_up import of_each
from app.reports.prediction_report import Prediction
from models import units
from models.planning.grid import Axis
from models.problem import RefusalError
from simulator.studies.sweep import OBJECTIVES, Row, leading_of

BASE_UNITS = ("1", "B", "B/s", "s", "1/s", "Hz", "rpm", "W", *units.CURRENCIES)
HEADLINES = re.compile(r"throughput|rate|per second|mean of|p99")
"""Names of metrics that stand for a whole run: a suite of queries also has one metric per query."""
OF_A_WORKLOAD = re.compile(r"[\w-]+\.")
"""How names of metrics of one of many workloads begin, of which those are told that lead."""
MET = ".objectives met"


@dataclass(frozen=True, slots=True, kw_only=True)
class SweepReport:
    """The rows of a sweep beside what was asked; `settings` hold for all points.

    `predictions` say how sure each row is, and are empty where that was not asked.
    """

    title: str
    profile: str
    axes: Sequence[Axis]
    rows: Sequence[Row]
    seed: int
    replications: int
    version: str
    settings: Mapping[str, str] = field(default_factory=dict)
    predictions: Sequence[Prediction | None] = ()

    def prediction(self, number: int | None) -> Prediction | None:
        """Return how sure a row is, None where nothing is known of that."""
        return self.predictions[number] if self.predictions and number is not None else None

    def metrics(self) -> dict[str, str]:
        """Return names and units of all measures that a row has, in order."""
        return metrics_of(self.rows)

    def shown(self) -> dict[str, str]:
        """Return names and units of what is worth a column."""
        return shown_of(self.rows)


def said_of(row: Row) -> str:
    """Return what a row varies in words."""
    return ", ".join(f"{key} = {value}" for key, value in row.values)


def limiting(rows: Sequence[Row]) -> list[str]:
    """Return in a sentence each setting that limits rows, of the row that it limits longest."""
    return list(of_each((said_of(row), row.scenario, row.answer) for row in rows if row.scenario and row.answer))


def metrics_of(rows: Sequence[Row]) -> dict[str, str]:
    """Return names and units of all measures that a row has, in order."""
    return {name: measure.unit for row in rows for name, measure in row.measures.items()}


def shown_of(rows: Sequence[Row]) -> dict[str, str]:
    """Return names and units of what is worth a column: what leads, headlines, space and objectives that vary."""
    metrics = metrics_of(rows)
    known = {"duration": "s"} | metrics
    is_one_of_many = {name: OF_A_WORKLOAD.match(name) is not None for name in known}
    rest = (n for n in metrics if (HEADLINES.search(n) and not is_one_of_many[n]) or _varies(n, rows))
    return {name: known[name] for name in [*leading_of(rows), *rest]}


def _varies(name: str, rows: Sequence[Row]) -> bool:
    values = {row.measures[name].value for row in rows if name in row.measures}
    is_told = name == "usable" or name.endswith(MET) or OBJECTIVES.fullmatch(name) is not None
    return is_told and len(values) > 1


def numbers(axis: Axis) -> tuple[str, list[float]] | None:
    """Return unit and numbers of an axis, None where its values are words."""
    for unit in BASE_UNITS:
        try:
            return unit, [units.parse(value, unit) for value in axis.values]
        except RefusalError:
            continue
    return None
