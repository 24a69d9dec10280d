"""Shipped profiles for a terminal: the list, and one profile with every number and its source."""

from __future__ import annotations

import shlex
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from app.reports import words
from app.reports.tables import text_table
from models.outcome import Outcome

WIDTH = 90
LONGEST = 30  # columns of a value beside its key
LISTED = 2  # documented numbers of a profile in the list; more are counted


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


def render_list(
    profiles: Sequence[ListedProfile], studies: Sequence[ListedStudy], parts: Mapping[str, Sequence[str]]
) -> str:
    """Return the profiles by family, the studies of the planner, then the parts to build one's own from."""
    sections = [list(_family(name, list(rows))) for name, rows in groupby(profiles, key=lambda profile: profile.family)]
    sections.append(["studies of the planner:", *_listed_studies(studies)])
    sections.append(["parts to build on:", *(line for folder, names in parts.items() for line in _part(folder, names))])
    sections.append(["simulate profiles NAME shows one with every number; simulate --profile NAME runs it"])
    return "\n\n".join("\n".join(lines) for lines in sections) + "\n"


def render_profile(profile: ShownProfile) -> str:
    """Return every value of a profile, its source by number, then the sources."""
    numbers: dict[tuple[str, str], int] = {}
    rows = [row for value in profile.values if _is_content(value) for row in _rows(value, numbers)]
    sections = (
        [f"{profile.name}: {profile.title}", *textwrap.wrap(_about(profile), WIDTH)],
        text_table(("key", "value", ">source"), rows),
        [line for source, number in numbers.items() for line in _source(number, *source)],
    )
    return "\n\n".join("\n".join(lines) for lines in sections if lines) + "\n"


def render_study(study: ShownStudy) -> str:
    """Return how a study is run, and the keys that say what it does."""
    rows = [[value.key, shown(value), "default" if value.is_default else ""] for value in study.values]
    sections = (
        textwrap.wrap(f"{study.name}: {study.title}", WIDTH),
        [f"simulate {study.command} --study {shlex.quote(study.name)}"],
        text_table(("key", "value", ""), [row for row in rows if row[0] != "title"]),
    )
    return "\n\n".join("\n".join(lines) for lines in sections) + "\n"


def _rows(value: ShownValue, numbers: dict[tuple[str, str], int]) -> Iterator[list[str]]:
    """Yield a value as cells: key, value, source; a long value goes on below itself."""
    first, *rest = textwrap.wrap(shown(value), LONGEST) or [""]
    yield [value.key, first, _mark(value, numbers)]
    for line in rest:
        yield ["", line, ""]


def _is_content(value: ShownValue) -> bool:
    """Tell whether a value says what is simulated, not what the profile is about."""
    return not value.key.startswith("profile.")


def shown(value: ShownValue) -> str:
    """Return a value as the profile states it; a default in our units."""
    if not value.is_default:
        return _plain(value.typed)
    is_quantity = value.unit and value.value is not None
    return words.declared(value.value, value.unit or "") if is_quantity else _plain(value.value)


def _plain(value: object) -> str:
    if value is None:
        return "none"
    return str(value).lower() if isinstance(value, bool) else str(value)


def _family(name: str, profiles: Sequence[ListedProfile]) -> Iterator[str]:
    yield f"{name}:"
    yield from text_table(
        ("profile", "what it runs", ">documented"), [_listed(profile) for profile in profiles], indent="  "
    )


def _listed(profile: ListedProfile) -> list[str]:
    texts = [words.documented(outcome.value, outcome.unit, outcome.role) for outcome in profile.outcomes[:LISTED]]
    more = len(profile.outcomes) - len(texts)
    return [profile.name, profile.title, ", ".join(texts) + (f" and {more} more" if more else "") or "-"]


def _part(folder: str, names: Sequence[str]) -> list[str]:
    return textwrap.wrap(
        f"{folder:<18}{', '.join(names)}",
        WIDTH,
        initial_indent="  ",
        subsequent_indent=" " * 20,
        break_on_hyphens=False,
    )


def _about(profile: ShownProfile) -> str:
    texts = [
        f"{outcome.metric} {words.documented(outcome.value, outcome.unit, outcome.role)} ({outcome.id})"
        for outcome in profile.outcomes
    ]
    documented = f"documented {', '.join(texts)}" if texts else "nothing documented"
    return f"family {profile.family}, {documented}"


def _mark(value: ShownValue, numbers: dict[tuple[str, str], int]) -> str:
    """Return the number of a value's source, numbering it at its first use."""
    if value.source is None:
        return "default" if value.is_default else "-"
    return f"[{numbers.setdefault(value.source, len(numbers) + 1)}]"


def _source(number: int, kind: str, text: str) -> list[str]:
    mark = f"[{number}]".rjust(4)
    return textwrap.wrap(f"{mark} {kind}: {text}", WIDTH, subsequent_indent=" " * 5, drop_whitespace=True)


def _listed_studies(studies: Sequence[ListedStudy]) -> Iterator[str]:
    for study in studies:
        yield f"  simulate {study.command} --study {study.name}"
        yield from textwrap.wrap(study.title, WIDTH, initial_indent="    ", subsequent_indent="    ")
