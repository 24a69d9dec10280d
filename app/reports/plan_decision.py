"""What a decision of a plan rests on: who wins where numbers are otherwise, and who is regretted least."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from app.reports import words
from app.reports.contracts import plan as contracts
from app.reports.document import OTHER, Column, HeatMap, Paragraph, Section, Table, quantity

ALIKE = 1e-9
"""Part of a cost below which two are the same."""


@dataclass(frozen=True, slots=True)
class Scale:
    """An axis of a map: what it changes, in which unit, its values, and the one that the plan states."""

    label: str
    unit: str
    values: Sequence[float]
    asked: int

    def shown(self, number: int) -> str:
        """Return a value as people read it."""
        return quantity(self.values[number], self.unit)


@dataclass(frozen=True, slots=True)
class Won:
    """Who wins a cell of a map: the candidate, with how many servers, and for how much of the objective.

    There is no candidate where no option meets what is required, and `is_within` tells whether the limits hold, too.
    `is_simulated`: the times are those of runs of this very option, else they follow from runs of others of it.
    """

    candidate: str | None
    servers: float = 0.0
    cost: float = 0.0
    is_within: bool = False
    is_simulated: bool = False


@dataclass(frozen=True, slots=True)
class FlipMap:
    """Who wins as two numbers change; `cells[i][j]` is of row i of `y` and column j of `x`."""

    name: str
    x: Scale
    y: Scale
    cells: Sequence[Sequence[Won]]
    unit: str
    basis: str

    @property
    def winners(self) -> list[str]:
        """The candidates that win somewhere, that of the case asked about first."""
        asked = self.cells[self.y.asked][self.x.asked].candidate
        every = [asked, *(cell.candidate for row in self.cells for cell in row)]
        return [name for name in dict.fromkeys(every) if name is not None]


@dataclass(frozen=True, slots=True)
class Regretted:
    """How a candidate does over the draws: its cost as planned, and what it costs more than the best of each draw.

    What falls short is made up for by more of the same: a cost of as much more as it falls short by.
    """

    candidate: str
    cost: float
    mean: float
    worst: float
    best_in: float


@dataclass(frozen=True, slots=True)
class LeastRegret:
    """Candidates over so many draws of all that is assumed, the least regretted first; `unit` is of their money.

    It has prices where some are among the numbers. `left_out` are candidates of which something has no price, with
    what; `fixed` are workloads whose runs were not repeated for the draws.
    """

    draws: int
    numbers: int
    unit: str
    choices: Sequence[Regretted]
    has_prices: bool = False
    left_out: Sequence[tuple[str, str]] = ()
    fixed: Sequence[str] = ()


def map_sections(maps: Sequence[FlipMap]) -> Iterator[Section]:
    """Yield the maps as a section, none where there are none."""
    if maps:
        blocks = [block for each in maps for block in (Paragraph(map_sentence(each)), heat_map(each))]
        yield Section("flip-map", "Where another answer is right", blocks)


def map_sentence(found: FlipMap) -> str:
    """Return what a map shows in a sentence."""
    axes = f"{found.y.label} and {found.x.label}" if len(found.y.values) > 1 else found.x.label
    asked = found.cells[found.y.asked][found.x.asked]
    every = [cell for row in found.cells for cell in row]
    if asked.candidate is None:
        return f"By {axes}: as asked no candidate meets what is required. {found.basis}"
    same = sum(cell.candidate == asked.candidate for cell in every)
    others = [f"{name} in {sum(cell.candidate == name for cell in every)}" for name in found.winners[1:]]
    none = sum(cell.candidate is None for cell in every)
    others += [f"no option of the ranges in {none}"] if none else []
    said = f"By {axes}: {asked.candidate} is the answer in {same} of {len(every)} cases"
    return f"{said}{', ' + words.listed(others) if others else ''}. {found.basis}"


def heat_map(found: FlipMap) -> HeatMap:
    """Return a map as a block."""
    names = found.winners
    return HeatMap(
        found.name,
        x=found.x.label,
        y=found.y.label,
        columns=[found.x.shown(j) for j in range(len(found.x.values))],
        rows=[found.y.shown(i) for i in range(len(found.y.values))],
        cells=[[_cell(cell, names, found.unit) for cell in row] for row in found.cells],
        names=names,
        asked=(found.y.asked, found.x.asked),
    )


def _cell(cell: Won, names: Sequence[str], unit: str) -> tuple[int, str]:
    if cell.candidate is None:
        return OTHER, "none"
    over = "" if cell.is_within else "!"
    return names.index(cell.candidate), f"{cell.servers:g}, {_short(cell.cost, unit)}{over}"


def _short(cost: float, unit: str) -> str:
    """Return an amount in few letters: "1.27 M USD"."""
    if unit == "1":
        return f"{cost:,.0f}"
    scale, letter = next(((s, n) for s, n in ((1e9, "G "), (1e6, "M "), (1e3, "k ")) if abs(cost) >= s), (1.0, ""))
    return f"{cost / scale:.3g} {letter}{unit}"


def regret_sections(found: LeastRegret | None) -> Iterator[Section]:
    """Yield the second opinion as a section, none where there is none."""
    if found is None or not found.choices:
        return
    columns = (
        Column("candidate"),
        Column("cost as planned", found.unit),
        Column("regret, mean", found.unit),
        Column("regret, worst", found.unit),
        Column("best in", "share"),
    )
    rows = [(each.candidate, each.cost, each.mean, each.worst, each.best_in) for each in found.choices]
    told = [*regret_sentences(found)]
    yield Section(
        "regret", "What is regretted least", [*map(Paragraph, told), Table("Regret by candidate", columns, rows)]
    )


def regret_sentences(found: LeastRegret) -> Iterator[str]:
    """Yield the second opinion in sentences."""
    first, *others = found.choices
    among = "prices among them" if found.has_prices else "none of them a price"
    whatever = f"Over {found.draws} draws of {found.numbers} assumed numbers, {among}"
    if first.worst <= ALIKE * first.cost:
        yield f"{whatever}, {first.candidate} is the cheapest answer in every one: there is nothing to regret."
    else:
        most = quantity(first.worst, found.unit)
        yield f"{whatever}, {first.candidate} loses least: at most {most} more than the best choice, seen afterwards."
    for each in others:
        mean, worst = quantity(each.mean, found.unit), quantity(each.worst, found.unit)
        yield f"{each.candidate} would cost {mean} more than the best on average, and {worst} at worst."
    yield "What falls short of a requirement is counted as the money for as much more of the same."
    if found.fixed:
        yield f"As simulated, not drawn: {words.listed(list(found.fixed))} (--interval full draws all)."
    for name, what in found.left_out:
        yield f"{name} is not weighed: {what}."


def map_contract(found: FlipMap) -> contracts.FlipMap:
    """Return a map as JSON data."""
    return {
        "name": found.name,
        "x": _scale(found.x),
        "y": _scale(found.y),
        "unit": found.unit,
        "basis": found.basis,
        "cells": [
            [
                {
                    "candidate": cell.candidate,
                    "servers": cell.servers if cell.candidate else None,
                    "cost": cell.cost if cell.candidate else None,
                    "is_within": cell.is_within,
                    "is_simulated": cell.is_simulated,
                }
                for cell in row
            ]
            for row in found.cells
        ],
    }


def _scale(scale: Scale) -> contracts.Scale:
    return {"label": scale.label, "unit": scale.unit, "values": list(scale.values), "asked": scale.asked}


def regret_contract(found: LeastRegret | None) -> contracts.Regret | None:
    """Return the second opinion as JSON data."""
    if found is None:
        return None
    return {
        "draws": found.draws,
        "numbers": found.numbers,
        "has_prices": found.has_prices,
        "unit": found.unit,
        "choices": [
            {
                "candidate": each.candidate,
                "cost": each.cost,
                "mean": each.mean,
                "worst": each.worst,
                "best_in": each.best_in,
            }
            for each in found.choices
        ],
        "left_out": [{"candidate": name, "reason": what} for name, what in found.left_out],
        "fixed": list(found.fixed),
    }
