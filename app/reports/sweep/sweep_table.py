"""A sweep as one flat table, a row a point, for spreadsheets and programs: CSV and Parquet.

Columns: the varied keys (numbers in base units where all values are numbers, else the texts), then `status`,
`reason`, `bottleneck`, low and high of what leads, and every measure. Units stand in brackets behind the names.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence

from app.reports import media
from app.reports.sweep.sweep_report import SweepReport, numbers
from models.planning.grid import Axis
from simulator.studies.sweep import Row, best

Cell = str | float | int | None


def render_csv(report: SweepReport) -> str:
    """Return the table as CSV."""
    file = io.StringIO()
    writer = csv.writer(file, lineterminator="\n")
    columns = flat(report)
    writer.writerow(media.cells(list(columns)))
    writer.writerows(map(media.cells, zip(*columns.values(), strict=True)))
    return file.getvalue()


def render_parquet(report: SweepReport) -> bytes:
    """Return the table as Parquet.

    Raises:
        ImportError: pyarrow is not installed.
    """
    import pyarrow
    from pyarrow import parquet

    file = pyarrow.BufferOutputStream()
    parquet.write_table(pyarrow.table(flat(report)), file)
    return bytes(file.getvalue().to_pybytes())


def flat(report: SweepReport) -> dict[str, list[Cell]]:
    """Return the columns by name, each with one cell a point."""
    columns: dict[str, list[Cell]] = {}
    for i, axis in enumerate(report.axes):
        name, known = _values(axis)
        columns[name] = [known[row.values[i][1]] for row in report.rows]
    columns["status"] = ["run" if row.answer else "refused" for row in report.rows]
    columns["reason"] = [row.reason for row in report.rows]
    columns["bottleneck"] = [row.answer.bottleneck.resource if row.answer else None for row in report.rows]
    sure = report.prediction(best(report.rows))
    if sure:
        for end in ("low", "high"):
            cells: list[Cell] = [getattr(prediction, end) if prediction else None for prediction in report.predictions]
            columns[_titled(f"{sure.measure} {end}", sure.unit)] = cells
    for name, unit in report.metrics().items():
        columns[_titled(name, unit)] = _measured(report.rows, name)
    return columns


def _values(axis: Axis) -> tuple[str, dict[str, Cell]]:
    """Return the title of an axis, and the cell of each of its values."""
    numeric = numbers(axis)
    if numeric is None:
        return axis.key, {value: value for value in axis.values}
    unit, values = numeric
    is_count = unit == "1" and all(value.is_integer() for value in values)
    return _titled(axis.key, unit), {
        text: int(value) if is_count else value for text, value in zip(axis.values, values, strict=True)
    }


def _measured(rows: Sequence[Row], name: str) -> list[Cell]:
    return [row.measures[name].value if name in row.measures else None for row in rows]


def _titled(name: str, unit: str) -> str:
    return name if unit == "1" else f"{name} ({unit})"
