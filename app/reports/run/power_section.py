"""What a run draws, by part and over time, and what it emits."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from app.reports.document import Axis, Block, Column, Facts, Lines, Section, Series, Table, quantity
from app.reports.parts import Part
from models.planning.power import KILOWATT_HOUR, PartPower, Power
from models.units import HOUR
from simulator.result import Result


def section(power: Power, result: Result) -> Section:
    """Return the power of a run as a part of a report."""
    return Part.POWER.section(list(_blocks(power, result)))


def facts(power: Power, duration: float) -> Iterator[tuple[str, str]]:
    """Yield what a run draws, and its share of energy and carbon."""
    ends = f"{quantity(power.idle, 'W')} without work to {quantity(power.work, 'W')} with everything at work"
    yield "Power", f"{quantity(power.mean, 'W')} on average, building included; {ends}"
    if duration:
        yield "Energy of the run", f"{power.energy(duration):,.4g} kWh, with all machines to itself"
    emitted = power.emitted(duration)
    if emitted is not None and power.carbon is not None:
        grams = power.carbon * KILOWATT_HOUR
        yield "Carbon of the run", f"{emitted:,.4g} kg of CO2, at {grams:g} g a kWh"


def _blocks(power: Power, result: Result) -> Iterator[Block]:
    yield Facts(list(facts(power, result.duration)))
    columns = (
        Column("servers"),
        Column("part"),
        Column("without work", "W"),
        Column("in this run", "W"),
        Column("at work", "W"),
    )
    rows = [(part.group, part.part, part.idle, part.mean, part.work) for part in power.parts]
    yield Table("Power by part, without the building", columns, rows)
    if chart := _over_time(power, result):
        yield chart


def _over_time(power: Power, result: Result) -> Lines | None:
    """Return the power of each kind of part over the run, in hours where it takes some; None for a steady load."""
    series = {part: _series(part, result) for part in power.parts}
    bins = max(map(len, series.values()), default=0)
    if bins < 2:
        return None
    is_long = result.duration >= 3 * HOUR
    step, unit = (HOUR, "hours") if is_long else (1.0, "seconds")
    x = [(i + 0.5) * result.bin_width / step for i in range(bins)]
    kinds: dict[str, np.ndarray] = {}
    for part, watts in series.items():
        full = watts if len(watts) == bins else np.full(bins, part.mean)
        kinds[part.part] = kinds.get(part.part, np.zeros(bins)) + full
    names = Axis(f"{unit} after the start", "1"), Axis("power without the building", "W")
    curves = [Series(kind, x, watts.tolist()) for kind, watts in kinds.items()]
    return Lines("Power over time", *names, curves, is_stacked=True, is_joint=True)


def _series(part: PartPower, result: Result) -> np.ndarray:
    """Return the watts of a part in each bin, empty where nothing says how busy it was."""
    used = [resource for resource in result.resources if resource.group in part.follows]
    if not used or any(len(resource.utilization) < 2 for resource in used):
        return np.zeros(0)
    by_group: dict[str, list[np.ndarray]] = {}
    for resource in used:
        by_group.setdefault(resource.group, []).append(resource.utilization)
    busiest = np.max([np.mean(np.power(members, part.exponent), axis=0) for members in by_group.values()], axis=0)
    watts: np.ndarray = part.idle + (part.work - part.idle) * busiest
    return watts
