"""A sweep as JSON: the contract `headroom.sweep/1`, described in docs/json.md."""

from __future__ import annotations

from app.reports.contracts import common, sweep
from app.reports.contracts.filling import filled
from app.reports.json_text import dumps
from app.reports.prediction_report import Prediction, prediction_json
from app.reports.sweep.sweep_report import SweepReport, limiting
from simulator.result import Bottleneck
from simulator.studies.sweep import Row, best, firsts, leading_of, unbeaten


def render(report: SweepReport) -> str:
    """Return the report as JSON text."""
    return dumps(contract(report))


def contract(report: SweepReport) -> sweep.Sweep:
    """Return the report as JSON data. Times in seconds, sizes in bytes, shares as fractions."""
    front = unbeaten(report.rows)
    return filled(
        sweep.Sweep,
        report,
        vary={axis.key: list(axis.values) for axis in report.axes},
        leading=leading_of(report.rows),
        best=best(report.rows),
        firsts=firsts(report.rows),
        points=[_row(row, report.prediction(i), i in front) for i, row in enumerate(report.rows)],
        warnings=limiting(report.rows),
    )


def _row(row: Row, sure: Prediction | None, is_unbeaten: bool) -> sweep.Point:
    answer = row.answer
    return filled(
        sweep.Point,
        row,
        values=dict(row.values),
        reason=row.reason or None,
        duration_s=answer.duration if answer else None,
        interval_s=list(answer.interval) if answer and answer.interval else None,
        prediction=prediction_json(sure),
        bottleneck=_bottleneck(answer.bottleneck if answer else None),
        next_bottleneck=_bottleneck(answer.next_bottleneck if answer else None),
        unbeaten=is_unbeaten,
    )


def _bottleneck(bottleneck: Bottleneck | None) -> common.Bottleneck | None:
    return filled(common.Bottleneck, bottleneck) if bottleneck else None
