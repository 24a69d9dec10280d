"""Many workloads in a report: how each fared, when it ran, who used what, and how requests fared by the hour."""

from __future__ import annotations

from collections.abc import Iterator

from app.reports.document import Block, Column, Table
from app.reports.run import run_charts
from app.reports.run.workload_series import contested, loads
from app.reports.run.workloads import workload_cells
from simulator.result import Result

GROUPS = 3
"""Groups of resources of which a report shows who used them: what holds any workload up first."""


def blocks(result: Result) -> Iterator[Block]:
    """Yield a table of the workloads of a run, and its charts by workload."""
    yield _table(result)
    yield _measures(result)
    yield run_charts.schedule(result)
    steps, whole = run_charts.Steps.few_of(result), run_charts.whole_of(result)
    for group in contested(result)[:GROUPS]:
        yield run_charts.used_by(result, group, whole[group], steps)
    if loads(result):
        yield run_charts.rates(result, steps)
        yield run_charts.tails(result, steps)


def _table(result: Result) -> Table:
    columns = (
        Column("workload"),
        Column("runs", "1"),
        Column("together"),
        Column("alone"),
        Column("slowdown", "1"),
        Column("met", "share"),
        Column("limited by"),
        Column("taken by"),
    )
    return Table("Workloads", columns, [workload_cells(workload) for workload in result.workloads])


def _measures(result: Result) -> Table:
    """Return all that is measured of each workload, beside the others and alone."""
    columns = (Column("workload"), Column("measure"), Column("together", "1"), Column("alone", "1"), Column("unit"))
    rows = [
        (workload.name, name, value, workload.alone[name][0] if name in workload.alone else None, unit)
        for workload in result.workloads
        for name, (value, unit) in workload.metrics.items()
    ]
    return Table("Measures of workloads", columns, rows, for_sheets=True)
