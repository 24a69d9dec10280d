"""A sweep as a report: the best point, the table of all, the points that cannot be run, and a chart over numbers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from app.reports import words
from app.reports.document import Block, Cell, Column, Document, Facts, Paragraph, Section, Table
from app.reports.leading import PHRASES, said
from app.reports.prediction_report import rows as sure_rows
from app.reports.sweep import sweep_charts
from app.reports.sweep.sweep_json import contract
from app.reports.sweep.sweep_points import SurePoints, plain, varied
from app.reports.sweep.sweep_report import SweepReport, limiting, said_of
from models.planning.grid import short_names
from models.target import spelled
from simulator.run import interval_of_mean
from simulator.studies.compare import values_of
from simulator.studies.sweep import Row, best, firsts, leading_of, unbeaten

BEST, UNBEATEN = "*", "+"
MOST_VALUES = 8  # Assumption: values of a key that a line has room for


def document(report: SweepReport) -> Document:
    """Return the report of a sweep."""
    return Document(report.title, [*sections(report), *_charts(report)], contract(report))


def sections(report: SweepReport) -> list[Section]:
    """Return what a terminal shows."""
    answer = Section("answer", "The answer", [Facts(list(_facts(report)))])
    points = Section("points", "All points", list(_points(report)))
    return [answer, points]


def _facts(report: SweepReport) -> Iterator[tuple[str, str]]:
    first = best(report.rows)
    if first is None:
        is_run = any(row.answer is not None for row in report.rows)
        yield "Best", "none: there is nothing to run, data is only kept" if is_run else "none: no point can be run"
    else:
        best_of_each = firsts(report.rows)
        if not best_of_each:
            yield "Best", "none: each point has another amount of work to do"
        for number in best_of_each:
            yield "Best", _led(report, number)
        if sure := report.prediction(first):
            yield from sure_rows(sure)
    yield from (("Setting", text) for text in limiting(report.rows))
    for axis in report.axes:
        yield "Varied", f"{axis.key}: {_listed(axis.values)}"
    yield from words.changes(report.settings)
    runs = "" if report.replications == 1 else f", {report.replications} runs of each point"
    yield "Run", f"{report.profile}, {len(report.rows)} points{runs}, seed {report.seed}, headroom {report.version}"


def _led(report: SweepReport, number: int) -> str:
    row = report.rows[number]
    assert row.answer is not None  # what leads was run
    names = leading_of(report.rows)
    interval = interval_of_mean(values_of(row.answer, names[0]))
    sure = report.prediction(number)
    likely = f", likely {sure.likely}" if sure else ""
    return f"{said_of(row)}: {said(names, row.measures, interval)}{likely}"


def _points(report: SweepReport) -> Iterator[Block]:
    yield table(report)
    name, leads = leading_of(report.rows)[0], firsts(report.rows)
    alike = " of those with as much to do" if len(leads) > 1 else ""
    marks = [f"{BEST} {PHRASES[name].best}{alike}"] if leads else []
    if unbeaten(report.rows):
        marks.append(f"{UNBEATEN} no other point{alike} beats it in all of {name}, cost and power")
    if marks:
        yield Paragraph("; ".join(marks))
    refused = [(said_of(row), row.reason) for row in report.rows if row.reason]
    if refused:
        yield Paragraph(f"{len(refused)} of {len(report.rows)} points cannot be run:")
        yield Facts(refused)


def table(report: SweepReport) -> Table:
    """Return all points, one a row."""
    (leads, unit), *shown = report.shown().items()
    ends = ("low", "high") if report.predictions else ()
    columns = [
        Column(""),
        *(Column(name) for name in short_names([axis.key for axis in report.axes])),
        Column(spelled(leads), unit),
        *(Column(end, unit) for end in ends),
        *(Column(spelled(name), unit) for name, unit in shown),
        Column("limited by"),
    ]
    marks = dict.fromkeys(unbeaten(report.rows), UNBEATEN) | dict.fromkeys(firsts(report.rows), BEST)
    rows = []
    for i, row in enumerate(report.rows):
        sure = report.prediction(i)
        measured = [_value(row, leads), *(getattr(sure, end, None) for end in ends)]
        measured += [_value(row, name) for name, _ in shown]
        rows.append(_row(row, marks.get(i, ""), measured))
    return Table("points", columns, rows)


def _value(row: Row, name: str) -> float | None:
    return row.measures[name].value if name in row.measures else None


def _row(row: Row, mark: str, measured: Sequence[float | None]) -> list[Cell]:
    values = [value for _, value in row.values]
    if row.answer is None:
        return ["", *values, *measured, "cannot be run"]
    limit = row.answer.bottleneck
    return [mark, *values, *measured, f"{limit.resource} ({words.percent(limit.share)})"]


def _listed(values: Sequence[str]) -> str:
    if len(values) <= MOST_VALUES:
        return ", ".join(values)
    return f"{', '.join(values[:3])} ... {values[-1]} ({len(values)} values)"


def _charts(report: SweepReport) -> Iterator[Section]:
    """Yield what leads over a varied key that has numbers, as a field over two keys, and cost against it."""
    keys, leads = varied(report.axes), leading_of(report.rows)[0]
    points = [plain(i, row, _ends(report, i)) for i, row in enumerate(report.rows)]
    if not any(leads in point.measures for point in points):
        return
    drawn: list[Block] = []
    if sweep_charts.numeric(keys):
        drawn.append(sweep_charts.curves(keys, points, leads, _sure(report)))
    if len(keys) > 1:
        drawn.append(sweep_charts.field(keys, points, leads))
    if sweep_charts.cost_measure(points) not in {"", leads}:
        drawn.append(sweep_charts.front(points, leads))
    if drawn:
        yield Section("chart", f"{leads.capitalize()} over what varies", drawn)


def _ends(report: SweepReport, number: int) -> tuple[float, float] | None:
    sure = report.prediction(number)
    return (sure.low, sure.high) if sure else None


def _sure(report: SweepReport) -> SurePoints | None:
    """Return how sure the points are, None where nothing is known of that."""
    first = report.prediction(best(report.rows))
    if first is None:
        return None
    ends = {i: (sure.low, sure.high) for i, sure in enumerate(report.predictions) if sure}
    return SurePoints(first.measure, first.level, ends, first.why)
