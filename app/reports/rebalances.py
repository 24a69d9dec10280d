"""Rebalances after servers have come: how long they take, and what becomes of targets meanwhile."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from app.reports.contracts import planning
from app.reports.contracts.filling import filled
from app.reports.document import Block, Cell, Column, Paragraph, Table
from models.planning.grid import numbered
from models.target import spelled
from models.units import format_duration
from simulator.studies.growth import Moving

IDLE = (
    "A rebalance is simulated on the cluster as it stands on that day: the storage system moves data onto the servers"
    " that come, under its throttles, over drives, cards and uplinks. Until then they hold nothing of what was stored."
)
BESIDE = " Beside the workload both were simulated together, as if the workload were under way all the time."
NOT_COVERED = " A failure during a rebalance is not modelled."


def blocks(moving: Sequence[Moving], *, is_told: bool = False) -> Iterator[Block]:
    """Yield the rebalances and how they were found; nothing without any.

    Where it `is_told` how long they take, what is known of an idle cluster alone is left out.
    """
    if not moving:
        return
    units = {name: measure.unit for one in moving for name, measure in one.measures.items()}
    is_beside = any(one.beside is not None for one in moving)
    columns = [Column("servers come"), Column("servers", "1"), Column("rebalance, idle")]
    if is_beside:
        columns += [
            Column("beside the workload"),
            *(Column(f"{spelled(name)} then", unit) for name, unit in units.items()),
        ]
        columns.append(Column("missed meanwhile"))
    if is_beside or not is_told:
        yield Table("Rebalances", tuple(columns), [_row(one, list(units), is_beside=is_beside) for one in moving])
    yield Paragraph(f"{IDLE}{BESIDE if is_beside else ''}{NOT_COVERED}")


def words(one: Moving) -> str:
    """Return a rebalance in a line."""
    text = f"{numbered(f'{one.servers}', 'servers')} on {one.day}: {format_duration(one.idle)} on an idle cluster"
    if one.beside is not None:
        text += f", {format_duration(one.beside)} beside the workload"
    return f"{text}; missed meanwhile: {one.cause}" if one.cause else text


def data(moving: Moving) -> planning.Moving:
    """Return a rebalance as JSON data."""
    return filled(planning.Moving, moving, date=f"{moving.day}")


def _row(one: Moving, names: Sequence[str], *, is_beside: bool) -> tuple[Cell, ...]:
    row = (f"{one.day}", one.servers, format_duration(one.idle))
    if not is_beside:
        return row
    values = (one.measures[name].value if name in one.measures else None for name in names)
    beside = format_duration(one.beside) if one.beside is not None else "–"
    return (*row, beside, *values, one.cause or "–")
