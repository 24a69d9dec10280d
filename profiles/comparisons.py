"""Reads the comparisons that ship: the same work on two systems, row by row."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass

from profiles.catalog import SHIPPED


@dataclass(frozen=True, slots=True)
class Pair:
    """One kind of work, and the profiles that run it on each system."""

    work: str
    baseline: str
    challenger: str


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two systems, named as a reader knows them, and what both ran."""

    title: str
    baseline: str
    challenger: str
    rows: tuple[Pair, ...]


def comparison(name: str) -> Comparison:
    """Return the shipped comparison of a name.

    Raises:
        FileNotFoundError: none has that name.
    """
    with (SHIPPED.root / "comparisons" / f"{name}.toml").open("rb") as file:
        data = tomllib.load(file)
    rows = tuple(Pair(**row) for row in data.pop("row"))
    return Comparison(rows=rows, **data)
