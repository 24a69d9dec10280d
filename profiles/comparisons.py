"""Reads the comparisons that ship: the same work on two systems, row by row, or one profile changed row by row."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from typing import Any

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


@dataclass(frozen=True, slots=True)
class Change:
    """What is changed, the values that it sets by dotted key, and why that should matter."""

    what: str
    why: str
    set: dict[str, str]


@dataclass(frozen=True, slots=True)
class Changes:
    """A profile, and what becomes of it by one change at a time."""

    title: str
    profile: str
    rows: tuple[Change, ...]


def comparison(name: str) -> Comparison | Changes:
    """Return the shipped comparison of a name.

    Raises:
        FileNotFoundError: none has that name.
    """
    with (SHIPPED.root / "comparisons" / f"{name}.toml").open("rb") as file:
        data: dict[str, Any] = tomllib.load(file)
    if "change" in data:
        return Changes(rows=tuple(Change(**row) for row in data.pop("change")), **data)
    return Comparison(rows=tuple(Pair(**row) for row in data.pop("row")), **data)
