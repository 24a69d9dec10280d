"""Reads the comparisons that ship: one work on two systems, one profile changed row by row, or works by systems."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from typing import Any

from profiles.loading.catalog import SHIPPED


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


@dataclass(frozen=True, slots=True)
class Work:
    """One kind of work: a profile, and the values by dotted key that make it of that.

    `rate` is the metric that counts, by default its duration; `note` explains how its values differ.
    """

    name: str
    profile: str
    set: dict[str, str]
    rate: str | None = None
    note: str = ""


@dataclass(frozen=True, slots=True)
class System:
    """A system as a reader knows it, and the values by dotted key that put it into a profile.

    `note` says what a reader must know of it to judge its values.
    """

    name: str
    set: dict[str, str]
    note: str = ""


@dataclass(frozen=True, slots=True)
class Grid:
    """Several kinds of work, each on each of several systems, and the cluster of all."""

    title: str
    cluster: str
    works: tuple[Work, ...]
    systems: tuple[System, ...]

    @property
    def notes(self) -> dict[str, str]:
        """What explains the values, by the name of a work or of a system."""
        of_works = {work.name: work.note for work in self.works if work.note}
        return of_works | {system.name: system.note for system in self.systems if system.note}


def comparison(name: str) -> Comparison | Changes | Grid:
    """Return the shipped comparison of a name.

    Raises:
        FileNotFoundError: none has that name.
    """
    with (SHIPPED.root / "comparisons" / f"{name}.toml").open("rb") as file:
        data: dict[str, Any] = tomllib.load(file)
    if "system" in data:
        works = tuple(Work(**row) for row in data.pop("work"))
        return Grid(works=works, systems=tuple(System(**row) for row in data.pop("system")), **data)
    if "change" in data:
        return Changes(rows=tuple(Change(**row) for row in data.pop("change")), **data)
    return Comparison(rows=tuple(Pair(**row) for row in data.pop("row")), **data)
