"""`headroom.profiles/1`, `headroom.profile/1`, `headroom.study/1`: what ships, and one of it with every number."""

from __future__ import annotations

from typing import Any, Literal

from typing_extensions import TypedDict

from app.reports.contracts.common import Toml


class Reproduced(TypedDict):
    """A documented number that a profile reproduces, [low, high] for a band."""

    id: str
    metric: str
    value: float | list[float]
    unit: str


class Documented(TypedDict):
    """What a profile reproduces: the main number, null if there is none, and all others."""

    documented: Reproduced | None
    further_documented: list[Reproduced]


class ListedProfile(Documented):
    """A shipped profile."""

    name: str
    family: str
    title: str


class ListedStudy(TypedDict):
    """A shipped study, and the command that carries it out."""

    name: str
    title: str
    command: str


class Listed(TypedDict):
    """All that ships; `parts` are names by folder."""

    schema: Literal["headroom.profiles/1"]
    profiles: list[ListedProfile]
    studies: list[ListedStudy]
    parts: dict[str, list[str]]


class Source(TypedDict):
    """What a value rests on."""

    kind: str
    text: str


class Value(TypedDict):
    """A value of a profile: in `unit` as the model holds it, and as typed, null where the default holds."""

    key: str
    value: Any
    unit: str | None
    typed: Any
    default: bool
    source: Source | None


class Profile(Documented):
    """A profile with every value."""

    schema: Literal["headroom.profile/1"]
    name: str
    family: str
    title: str
    values: list[Value]
    resolved: Toml


class Study(TypedDict):
    """A study with its keys, and the command that carries it out."""

    schema: Literal["headroom.study/1"]
    name: str
    title: str
    command: str
    values: list[Value]
    resolved: Toml
