"""Drawings of a report that are no charts over axes of numbers: racks, maps and fields."""

from __future__ import annotations

from collections.abc import Sequence
from string import ascii_uppercase

from app.reports.document import OTHER, Axis, Column, Drawing, Table
from app.reports.scales import drawn, tick
from models.values import value


@value()
class Elevation(Drawing):
    """Racks from the front: `racks` are their names and heights in units, and what stands in them.

    Each thing that stands there is (lowest unit, height, name, what it belongs to), units counted from 1 at the bottom.
    """

    racks: Sequence[tuple[str, int, Sequence[tuple[int, int, str, str]]]]

    @property
    def owners(self) -> list[str]:
        """What things belong to, in the order of the racks."""
        return list(dict.fromkeys(owner for _, _, slots in self.racks for _, _, _, owner in slots))

    def table(self) -> Table:
        """Return what stands where, a row each."""
        columns = (Column("rack"), Column("lowest unit", "1"), Column("units", "1"), Column("what"), Column("group"))
        rows = [(rack, *slot) for rack, _, slots in self.racks for slot in slots]
        return Table(self.name, columns, rows)


@value()
class HeatMap(Drawing):
    """Cells over two axes: `cells[i][j]` is of row i and column j, as the number of its colour and in words.

    `names` are what the numbers stand for, `OTHER` is of none of them; `asked` is the row and the column of the case
    that was asked about.
    """

    x: str
    y: str
    columns: Sequence[str]
    rows: Sequence[str]
    cells: Sequence[Sequence[tuple[int, str]]]
    names: Sequence[str]
    asked: tuple[int, int] | None = None

    def table(self) -> Table:
        """Return the words of all cells, a row each; that of the case asked about stands in brackets."""
        columns = (Column(""), *map(Column, self.columns))
        rows = [(label, *(self._words(i, j) for j in range(len(self.columns)))) for i, label in enumerate(self.rows)]
        return Table(self.name, columns, rows)

    @property
    def key(self) -> str:
        """What the rows, the columns and the letters of the table stand for."""
        return "; ".join([f"down: {self.y}", f"across: {self.x}", *self._letters])

    @property
    def _letters(self) -> list[str]:
        return [f"{letter(i)}: {name}" for i, name in enumerate(self.names)]

    def _words(self, row: int, column: int) -> str:
        number, words = self.cells[row][column]
        text = f"{letter(number)} {words}".strip() if number != OTHER else words
        return f"[{text}]" if (row, column) == self.asked else text


MOST_WORDS = 80  # Assumption: cells of a field that have room for a number
DIGITS = 3  # that are written in a cell


@value()
class Field(Drawing):
    """A number over two axes of words, brighter where it is more: `cells[i][j]` of row i and column j, None for none.

    The first row is the lowest. `axis` is that of the number.
    """

    x: str
    y: str
    columns: Sequence[str]
    rows: Sequence[str]
    cells: Sequence[Sequence[float | None]]
    axis: Axis

    def table(self) -> Table:
        """Return the number of all cells, a row each."""
        columns = (Column(self.y), *(Column(f"{self.x} {name}", self.axis.unit or "1") for name in self.columns))
        return Table(self.name, columns, [(label, *row) for label, row in zip(self.rows, self.cells, strict=True)])

    @property
    def ends(self) -> tuple[float, float] | None:
        """The least and the most of its numbers, None where it has none."""
        known = [cell for row in self.cells for cell in row if cell is not None]
        return (min(known), max(known)) if known else None

    @property
    def key(self) -> tuple[str, str]:
        """What the darkest and the brightest cell hold, with what that is and its unit."""
        unit, name = drawn(self.axis.unit, self.ends or ())
        low, high = (_short(end / unit) for end in self.ends or (0.0, 0.0))
        return f"{Axis(self.axis.label, name).title}: {low}", high

    def shares(self) -> list[list[float | None]]:
        """Return how far each cell stands from the least (0) to the most (1)."""
        low, high = self.ends or (0.0, 0.0)
        wide = (high - low) or 1.0
        return [[None if cell is None else (cell - low) / wide for cell in row] for row in self.cells]

    def texts(self) -> list[list[str]]:
        """Return what is written in the cells, bare numbers in the unit of the key; nothing where they are many."""
        if len(self.rows) * len(self.columns) > MOST_WORDS:
            return [[""] * len(self.columns) for _ in self.rows]
        unit, _ = drawn(self.axis.unit, self.ends or ())
        return [["" if cell is None else _short(cell / unit) for cell in row] for row in self.cells]


def _short(number: float) -> str:
    return tick(float(f"{number:.{DIGITS}g}"))


def letter(number: int) -> str:
    """Return the letter that stands for a number: A for 0."""
    return ascii_uppercase[number % len(ascii_uppercase)]
