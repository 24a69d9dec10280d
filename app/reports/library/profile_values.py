"""What ships, and all values of one profile or study, before they are put into words or JSON."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from models.outcome import Outcome


@dataclass(frozen=True, slots=True)
class ListedProfile:
    """A shipped profile in the list; `outcomes` are what it reproduces, the main one first."""

    name: str
    family: str
    title: str
    outcomes: tuple[Outcome, ...]


@dataclass(frozen=True, slots=True)
class ListedStudy:
    """A shipped study of the planner, and the command that carries it out."""

    name: str
    title: str
    command: str


@dataclass(frozen=True, slots=True)
class ShownValue:
    """One value: as typed (None where the default holds), as the model holds it, and its source, (kind, text)."""

    key: str
    typed: object
    value: Any
    unit: str | None
    is_default: bool
    source: tuple[str, str] | None


@dataclass(frozen=True, slots=True)
class ShownProfile:
    """A whole profile; `resolved` is its TOML data."""

    name: str
    family: str
    title: str
    outcomes: tuple[Outcome, ...]
    values: tuple[ShownValue, ...]
    resolved: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class ShownStudy:
    """A whole study, and the command that carries it out; `resolved` is its TOML data."""

    name: str
    title: str
    command: str
    values: tuple[ShownValue, ...]
    resolved: Mapping[str, Any]
