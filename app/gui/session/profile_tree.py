"""A profile as a tree of entries for a form: key, value as typed, unit, meaning, source and place. Knows no Qt."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, fields
from functools import cache
from operator import attrgetter
from pathlib import Path
from typing import Any

from pydantic.fields import FieldInfo

from app.reports import words
from models import units
from models.quantity import Model, extra
from models.scenario import Scenario
from profiles.loading.catalog import SHIPPED
from profiles.loading.loader import Loaded
from profiles.text.schema import Shape
from profiles.text.tree import dotted

Key = tuple[str | int, ...]
UNSET = "not set"
UNSOURCED = "none stated"


@dataclass(frozen=True, slots=True)
class Declared:
    """What the models say of a key, whatever its value; `folder` is that of the parts that may be named there.

    `dimension` is the unit in which the models hold it, "1" for a number without one, "" for what is no quantity.
    `source` and `range` are those of the default.
    """

    dimension: str = ""
    description: str = ""
    bounds: str = ""
    choices: tuple[str, ...] = ()
    folder: str = ""
    source: str = ""
    range: str = ""

    @property
    def unit(self) -> str:
        """The dimension as it is shown."""
        return "" if self.dimension == "1" else self.dimension


@dataclass(eq=False, slots=True)
class Entry:
    """One key of a profile. `typed` is its value in words, as typed where the profile states it.

    `choices` are the values among which one chooses; `is_text`: the value is text even if it looks like a number.
    """

    key: str
    name: str
    declared: Declared = Declared()
    typed: str = ""
    source: str = ""
    range: str = ""
    place: str = ""
    is_stated: bool = False
    is_leaf: bool = True
    is_text: bool = False
    choices: tuple[str, ...] = ()
    parent: Entry | None = None
    children: list[Entry] = field(default_factory=list)

    @property
    def dimension(self) -> str:
        """The unit in which the models hold it."""
        return self.declared.dimension

    @property
    def unit(self) -> str:
        """The dimension as it is shown."""
        return self.declared.unit

    @property
    def description(self) -> str:
        """What it means."""
        return self.declared.description

    @property
    def bounds(self) -> str:
        """The limits of a number in words."""
        return self.declared.bounds

    @property
    def row(self) -> int:
        """Where it stands below its parent."""
        return self.parent.children.index(self) if self.parent else 0

    @property
    def typed_unit(self) -> str:
        """The unit in which the value is shown, "" where it has none."""
        return self.typed.partition(" ")[2] if self.dimension and self.typed != UNSET else ""

    @property
    def units(self) -> tuple[str, ...]:
        """The units in which the stated value may be written, its own among them; empty where there is no choice."""
        return _units(self.typed, self.dimension) if self.is_stated and self.dimension else ()

    def walk(self) -> Iterator[Entry]:
        """Yield all entries below."""
        for child in self.children:
            yield child
            yield from child.walk()

    def take(self, other: Entry) -> bool:
        """Say what another entry says, in one's own place of the tree; return whether that is something else."""
        if _said_by(self) == _said_by(other):
            return False
        for name in _SAID:
            setattr(self, name, getattr(other, name))
        return True


_SAID = tuple(
    attribute.name for attribute in fields(Entry) if attribute.name not in {"key", "name", "parent", "children"}
)
_said_by = attrgetter(*_SAID)


def tree(loaded: Loaded[Scenario], parts: Container[str] | None = None) -> Entry:
    """Return the root of a profile's entries, in the order of the models; of all its `parts`, or of some."""
    root = Entry("", "", is_leaf=False)
    _Grower(loaded).grow(root, loaded.scenario, (), parts)
    return root


def changed_parts(one: Loaded[Scenario], other: Loaded[Scenario]) -> set[str]:
    """Return the parts, by the first step of their keys, of which two profiles say something else."""
    values, sources = _differing(one.values, other.values), _differing(one.sources, other.sources)
    ranges, places = _differing(one.ranges, other.ranges), _differing(one.origin, other.origin)
    fields = _declared(type(one.scenario))
    parts = {name for field, name, _ in fields if getattr(one.scenario, field) != getattr(other.scenario, field)}
    return parts | {key.partition(".")[0] for key in (*values, *sources, *ranges, *places)}


def _differing(one: Mapping[str, object], other: Mapping[str, object]) -> Iterator[str]:
    if one != other:
        yield from (key for key in one.keys() | other.keys() if one.get(key) != other.get(key))


class _Grower:
    """Walks over a scenario and adds entries to a tree."""

    def __init__(self, loaded: Loaded[Scenario]) -> None:
        self._loaded = loaded

    def grow(self, parent: Entry, value: Any, key: Key, parts: Container[str] | None = None) -> None:
        """Add what a value holds, or `parts` of it, below its entry; items of tables and lists are declared like it."""
        if isinstance(value, Model):
            for attribute, name, declared in _declared(type(value)):
                if parts is not None and name not in parts:
                    continue
                below = getattr(value, attribute)
                is_left_out = type(value).model_fields[attribute].exclude_if
                if is_left_out is None or not is_left_out(below):
                    self._add(parent, below, (*key, name), declared)
        else:
            items: Iterable[tuple[str | int, Any]] = value.items() if isinstance(value, dict) else enumerate(value)
            for place, item in items:
                self._add(parent, item, (*key, place), parent.declared)

    def _add(self, parent: Entry, value: Any, key: Key, declared: Declared) -> None:
        is_leaf = not isinstance(value, (Model, dict)) and not (isinstance(value, tuple) and _holds_tables(value))
        is_item = isinstance(key[-1], int)
        name = str(getattr(value, "name", key[-1]) if is_item else key[-1])
        entry = Entry(dotted(key), name, declared, parent=parent, is_leaf=is_leaf)
        parent.children.append(entry)
        if is_leaf:
            self._describe(entry, value)
        else:
            self.grow(entry, value, key)

    def _describe(self, entry: Entry, value: Any) -> None:
        loaded, key, first = self._loaded, entry.key, f"{entry.key}.0"
        is_typed = key in loaded.values
        entry.choices = entry.declared.choices or _choices(entry.declared, value)
        entry.is_text = isinstance(value, str) or bool(entry.choices)
        entry.is_stated = is_typed or first in loaded.values
        entry.typed = _said(loaded.values.get(key, value), entry.dimension, is_typed=is_typed)
        source = loaded.sources.get(key) or loaded.sources.get(first)
        by_default = entry.declared.source or "default"
        entry.source = f"{source}" if source else (UNSOURCED if entry.is_stated else by_default)
        limits = loaded.ranges.get(key)
        own = _range((limits.low, limits.high) if limits else None, entry.dimension)
        entry.range = own if entry.is_stated else entry.declared.range
        entry.place = _place(*loaded.origin.get(key, ("", None)))


@cache
def _declared(model: type[Model]) -> tuple[tuple[str, str, Declared], ...]:
    """Return the fields of a model: attribute, name in a profile, and what is said of it, which costs the most."""
    return tuple(
        (attribute, info.alias or attribute, _declaration(info)) for attribute, info in model.model_fields.items()
    )


def _declaration(info: FieldInfo) -> Declared:
    extras = extra(info)
    unit = extras.get("unit", "")
    return Declared(
        dimension=unit,
        description=info.description or "",
        bounds=_bounds(info, unit),
        choices=tuple(map(str, Shape(info.annotation).choices)),
        folder=extras.get("catalog") or "",
        source=extras.get("source", ""),
        range=_range(extras.get("between"), unit),
    )


def _range(between: tuple[float | str, float | str] | None, unit: str) -> str:
    return words.between(*between, unit) if between else ""


@cache
def _units(typed: str, dimension: str) -> tuple[str, ...]:
    """Return the units in which a quantity may be written so that the models read the very same number."""
    return tuple(
        name
        for name in units.alternatives(typed)
        if units.parse(units.convert(typed, name), dimension) == units.parse(typed, dimension)
    )


def _holds_tables(value: tuple[Any, ...]) -> bool:
    return any(isinstance(item, Model) for item in value)


def _said(value: Any, unit: str, *, is_typed: bool) -> str:
    if value is None:
        return UNSET
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (tuple, list)):
        return "[" + ", ".join(f'"{item}"' if isinstance(item, str) else f"{item}" for item in value) + "]"
    if isinstance(value, float) and unit and unit != "1" and not is_typed:
        return words.declared(value, unit)
    return f"{value:.12g}" if isinstance(value, float) else f"{value}"


def _choices(declared: Declared, value: Any) -> tuple[str, ...]:
    """Return yes and no for a switch, and the shipped parts that may be named at a key that is not set."""
    if isinstance(value, bool):
        return ("true", "false")
    return _shipped(declared.folder) if declared.folder and value is None else ()


@cache
def _shipped(folder: str) -> tuple[str, ...]:
    return SHIPPED.names(folder)


def _bounds(info: FieldInfo, unit: str) -> str:
    """Return the limits of a number in words: "> 0, <= 1 (1)"."""
    signs = {"gt": ">", "ge": "≥", "lt": "<", "le": "≤"}
    bounds = [
        f"{sign} {words.declared(getattr(rule, name), unit) if unit and unit != '1' else f'{getattr(rule, name):g}'}"
        for rule in info.metadata
        for name, sign in signs.items()
        if isinstance(getattr(rule, name, None), (int, float))
    ]
    return ", ".join(bounds)


@cache
def _place(file: str, line: int | None) -> str:
    return "" if not file else f"{Path(file).name}:{line}" if line else Path(file).name
