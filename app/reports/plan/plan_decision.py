"""What a decision of a plan rests on: who wins where numbers are otherwise, and who is regretted least."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from app.reports import words
from app.reports.contracts import plan as contracts
from app.reports.contracts.filling import filled
from app.reports.document import OTHER, Block, Column, Paragraph, Section, Table, quantity
from app.reports.pictures import HeatMap

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
        blocks = list[Block]()
        for flip_map in maps:
            blocks.append(Paragraph(map_sentence(flip_map)))
            if flip_map.winners:  # else it shows nothing but "none"
                blocks.append(heat_map(flip_map))
        yield Section("flip-map", "Where another answer is right", blocks)


def map_sentence(flip_map: FlipMap) -> str:
    """Return what a map shows in a sentence."""
    axes = f"{flip_map.y.label} and {flip_map.x.label}" if len(flip_map.y.values) > 1 else flip_map.x.label
    asked = flip_map.cells[flip_map.y.asked][flip_map.x.asked]
    every = [cell for row in flip_map.cells for cell in row]
    if not flip_map.winners:
        return f"By {axes}: in none of {len(every)} cases does a candidate meet what is required. {flip_map.basis}"
    if asked.candidate is None:
        some = [f"{name} in {sum(cell.candidate == name for cell in every)}" for name in flip_map.winners]
        text = f"as asked no candidate meets what is required; it is met by {words.listed(some)} of {len(every)} cases"
        return f"By {axes}: {text}. {flip_map.basis}"
    same = sum(cell.candidate == asked.candidate for cell in every)
    others = [f"{name} in {sum(cell.candidate == name for cell in every)}" for name in flip_map.winners[1:]]
    none = sum(cell.candidate is None for cell in every)
    others += [f"no option of the ranges in {none}"] if none else []
    text = f"By {axes}: {asked.candidate} is the answer in {same} of {len(every)} cases"
    return f"{text}{', ' + words.listed(others) if others else ''}. {flip_map.basis}"


def heat_map(flip_map: FlipMap) -> HeatMap:
    """Return a map as a block."""
    names = flip_map.winners
    return HeatMap(
        flip_map.name,
        x=flip_map.x.label,
        y=flip_map.y.label,
        columns=[flip_map.x.shown(j) for j in range(len(flip_map.x.values))],
        rows=[flip_map.y.shown(i) for i in range(len(flip_map.y.values))],
        cells=[[_cell(cell, names, flip_map.unit) for cell in row] for row in flip_map.cells],
        names=names,
        asked=(flip_map.y.asked, flip_map.x.asked),
    )


def _cell(cell: Won, names: Sequence[str], unit: str) -> tuple[int, str]:
    if cell.candidate is None:
        return OTHER, "none"
    over = "" if cell.is_within else "!"
    cost = "" if unit == "1" else f", {_short(cell.cost, unit)}"  # without prices the least servers are sought
    return names.index(cell.candidate), f"{cell.servers:g}{cost}{over}"


def _short(cost: float, unit: str) -> str:
    """Return an amount in few letters: "1.27 M USD"."""
    scale, letter = next(((s, n) for s, n in ((1e9, "G "), (1e6, "M "), (1e3, "k ")) if abs(cost) >= s), (1.0, ""))
    return f"{cost / scale:.3g} {letter}{unit}"


def regret_sections(regret: LeastRegret | None) -> Iterator[Section]:
    """Yield the second opinion as a section, none where there is none."""
    if regret is None or not regret.choices:
        return
    columns = (
        Column("candidate"),
        Column("cost as planned", regret.unit),
        Column("regret, mean", regret.unit),
        Column("regret, worst", regret.unit),
        Column("best in", "share"),
    )
    rows = [(choice.candidate, choice.cost, choice.mean, choice.worst, choice.best_in) for choice in regret.choices]
    told = [*regret_sentences(regret)]
    yield Section(
        "regret", "What is regretted least", [*map(Paragraph, told), Table("Regret by candidate", columns, rows)]
    )


def regret_sentences(regret: LeastRegret) -> Iterator[str]:
    """Yield the second opinion in sentences."""
    first, *others = regret.choices
    among = "prices among them" if regret.has_prices else "none of them a price"
    whatever = f"Over {regret.draws} draws of {regret.numbers} assumed numbers, {among}"
    if first.worst <= ALIKE * first.cost:
        yield f"{whatever}, {first.candidate} is the cheapest answer in every one: there is nothing to regret."
    else:
        most = quantity(first.worst, regret.unit)
        yield f"{whatever}, {first.candidate} loses least: at most {most} more than the best choice, seen afterwards."
        thrifty = min(regret.choices, key=lambda choice: choice.mean)
        if thrifty.mean < first.mean:
            means = [quantity(choice.mean, regret.unit) for choice in (thrifty, first)]
            yield f"On average {thrifty.candidate} loses less: {means[0]} against {means[1]}."
    for other in others:
        mean, worst = quantity(other.mean, regret.unit), quantity(other.worst, regret.unit)
        yield f"{other.candidate} would cost {mean} more than the best on average, and {worst} at worst."
    yield "What falls short of a requirement is counted as the money for as much more of the same."
    if regret.fixed:
        fixed = words.listed(list(regret.fixed))
        yield f"What is assumed was not drawn for the times of {fixed}: they are as simulated."
    for name, what in regret.left_out:
        yield f"{name} is not weighed: {what}."


def map_contract(flip_map: FlipMap) -> contracts.FlipMap:
    """Return a map as JSON data."""
    return filled(contracts.FlipMap, flip_map, cells=[[_won(cell) for cell in row] for row in flip_map.cells])


def _won(cell: Won) -> contracts.Won:
    return filled(contracts.Won, cell) if cell.candidate else filled(contracts.Won, cell, servers=None, cost=None)


def regret_contract(regret: LeastRegret | None) -> contracts.Regret | None:
    """Return the second opinion as JSON data."""
    if regret is None:
        return None
    left_out = [{"candidate": name, "reason": what} for name, what in regret.left_out]
    return filled(contracts.Regret, regret, left_out=left_out)
