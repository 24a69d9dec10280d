"""How long a growing cluster meets its targets, as a part of a report: the answer, every day checked, and curves."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date

from app.reports.contracts import planning
from app.reports.contracts.filling import filled
from app.reports.document import Axis, Block, Cell, Column, Lines, Paragraph, Section, Series, Table
from app.reports.held_up import of_each
from app.reports.run.findings import limit
from app.reports.scales import axis_of
from models.planning.growth import Missed
from models.target import spelled
from models.units import reworded
from simulator.studies.growth import Checked, Held

DAYS_A_MONTH = 365 / 12
SHOWN = 12  # days that the terminal shows between the first and the last: one a year, and the last year whole


def answer(held: Held, full: Missed | None) -> tuple[str, str]:
    """Return the row that is read first."""
    early = f", perhaps from {held.early} on" if held.early else ""
    if held.missed is not None:
        return "First missed", f"on {held.missed.day}{early}: {held.missed.cause}"
    asked = ", ".join(target.words for target in held.targets)
    if full is not None:
        return "First missed", f"none of these before it is full{early}: {asked}"
    return "First missed", f"none of these up to {held.checked[-1].day}{early}: {asked}"


def limiting(held: Held) -> list[str]:
    """Return what limits by a setting the last day that was checked, which is the one that misses a target, if any."""
    last = held.checked[-1:]
    return list(of_each((f"{day.day}", day.scenario, day.answer) for day in last if day.answer))


def section(held: Held, is_short: bool) -> Section:
    """Return the targets over the days; a short one leaves out most days of all years but the last."""
    return Section("targets", "Targets", list(_blocks(held, is_short)))


def data(held: Held) -> planning.Targets:
    """Return the targets as JSON data."""
    missed = filled(planning.Event, held.missed, date=f"{held.missed.day}") if held.missed else None
    days = [filled(planning.Day, checked, date=f"{checked.day}") for checked in held.checked]
    asked = [f"{target}" for target in held.targets]
    return filled(planning.Targets, held, asked=asked, missed=missed, days=days, warnings=limiting(held))


def _blocks(held: Held, is_short: bool) -> Iterator[Block]:
    units = {name: measure.unit for checked in held.checked for name, measure in checked.measures.items()}
    columns = (Column("date"), *(Column(spelled(name), unit) for name, unit in units.items()), Column("limited by"))
    shown = [checked for i, checked in enumerate(held.checked) if not is_short or _is_shown(held, i)]
    yield Table("Targets by day", columns, [_row(checked, list(units)) for checked in shown])
    for name, unit in units.items():
        if len(held.checked) > 1:
            yield _curve(held, name, unit)
    ran = f"{held.simulated} different scenarios were simulated" if held.simulated else "none had to be simulated"
    ran = "1 scenario was simulated" if held.simulated == 1 else ran
    days = "1 day was" if len(held.checked) == 1 else f"{len(held.checked)} days were"
    yield Paragraph(f"{days} checked, the first of each month and those of expansions; {ran}.")


def _is_shown(held: Held, i: int) -> bool:
    return i % SHOWN == 0 or i >= len(held.checked) - 3


def _row(checked: Checked, names: list[str]) -> tuple[Cell, ...]:
    values = (checked.measures[name].value if name in checked.measures else None for name in names)
    return (str(checked.day), *values, limit(checked.bottleneck) if checked.bottleneck else None)


def _curve(held: Held, name: str, unit: str) -> Lines:
    """Return a measure over the months, beside the limits that are set to it."""
    start = held.checked[0].day
    met = [
        (_months(start, checked.day), checked.measures[name].value)
        for checked in held.checked
        if name in checked.measures
    ]
    months = [month for month, _ in met]
    series = [Series(spelled(name), months, [value for _, value in met])]
    for target in held.targets:
        if target.measure == name:
            series.append(
                Series(f"{target.sense} {reworded(target.limit)}", months, [target.value(unit)] * len(months))
            )
    return Lines(
        f"{spelled(name).capitalize()} and target",
        Axis("months from the start", "1", is_whole=True),
        axis_of(spelled(name), unit),
        series,
    )


def _months(start: date, day: date) -> float:
    return (day - start).days / DAYS_A_MONTH
