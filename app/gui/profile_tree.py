"""A profile as a tree of entries for a form: key, value as typed, unit, meaning, source and place. Knows no Qt."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from pydantic.fields import FieldInfo

from app.reports import words
from models import units
from models.quantity import Model, extra
from models.scenario import Scenario
from profiles.catalog import SHIPPED
from profiles.loader import Loaded
from profiles.schema import Shape
from profiles.tree import dotted

Key = tuple[str | int, ...]
UNSET = "not set"
UNSOURCED = "none stated"


@dataclass(eq=False)
class Entry:
    """One key of a profile. `typed` is its value in words, as typed where the profile states it.

    `choices` are the values among which one chooses; `is_text`: the value is text even if it looks like a number.
    `dimension` is the unit in which the models hold it, "1" for a number without one, "" for what is no quantity.
    """

    key: str
    name: str
    typed: str = ""
    unit: str = ""
    description: str = ""
    bounds: str = ""
    source: str = ""
    place: str = ""
    is_stated: bool = False
    is_leaf: bool = True
    is_text: bool = False
    dimension: str = ""
    choices: tuple[str, ...] = ()
    parent: Entry | None = None
    children: list[Entry] = field(default_factory=list)

    @property
    def row(self) -> int:
        """Where it stands below its parent."""
        return self.parent.children.index(self) if self.parent else 0

    @property
    def typed_unit(self) -> str:
        """The unit in which the profile states the value."""
        return self.typed.partition(" ")[2] if self.is_stated and self.dimension else ""

    @property
    def units(self) -> tuple[str, ...]:
        """The units in which the stated value may be written, its own among them; empty where there is no choice."""
        return _units(self.typed, self.dimension) if self.is_stated and self.dimension else ()

    def walk(self) -> Iterator[Entry]:
        """Yield all entries below."""
        for child in self.children:
            yield child
            yield from child.walk()


def tree(loaded: Loaded[Scenario]) -> Entry:
    """Return the root of a profile's entries, in the order of the models."""
    root = Entry("", "", is_leaf=False)
    _Grower(loaded).grow(root, loaded.scenario, ())
    return root


class _Grower:
    """Walks over a scenario and adds entries to a tree."""

    def __init__(self, loaded: Loaded[Scenario]) -> None:
        self._loaded = loaded

    def grow(self, parent: Entry, value: Any, key: Key, info: FieldInfo | None = None) -> None:
        """Add what a value holds below its entry."""
        if isinstance(value, Model):
            for name, declared in type(value).model_fields.items():
                self._add(parent, getattr(value, name), (*key, declared.alias or name), declared)
        elif isinstance(value, dict):
            for name, item in value.items():
                self._add(parent, item, (*key, name), info)
        else:
            for index, item in enumerate(value):
                self._add(parent, item, (*key, index), info)

    def _add(self, parent: Entry, value: Any, key: Key, info: FieldInfo | None) -> None:
        is_leaf = not isinstance(value, (Model, dict)) and not (isinstance(value, tuple) and _holds_tables(value))
        entry = Entry(dotted(key), str(key[-1]), parent=parent, is_leaf=is_leaf)
        self._describe(entry, value, info)
        parent.children.append(entry)
        if not is_leaf:
            self.grow(entry, value, key, info)

    def _describe(self, entry: Entry, value: Any, info: FieldInfo | None) -> None:
        loaded, unit = self._loaded, extra(info).get("unit", "") if info else ""
        entry.unit, entry.dimension = "" if unit == "1" else unit, unit
        entry.description = info.description or "" if info else ""
        entry.bounds = _bounds(info, unit) if info else ""
        if not entry.is_leaf:
            return
        shape = Shape(info.annotation if info else None)
        entry.choices = tuple(map(str, shape.choices)) or _parts(shape, info, value)
        entry.is_text = isinstance(value, str) or bool(entry.choices)
        entry.is_stated = entry.key in loaded.values or f"{entry.key}.0" in loaded.values
        entry.typed = _said(loaded.values.get(entry.key, value), unit, is_typed=entry.key in loaded.values)
        source = loaded.sources.get(entry.key) or loaded.sources.get(f"{entry.key}.0")
        entry.source = f"{source}" if source else (UNSOURCED if entry.is_stated else "default")
        entry.place = _place(*loaded.origin.get(entry.key, ("", None)))


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


def _parts(shape: Shape, info: FieldInfo | None, value: Any) -> tuple[str, ...]:
    """Return the shipped parts that may be named at a key that is not set, and yes and no for a switch."""
    if isinstance(value, bool):
        return ("true", "false")
    folder = extra(info).get("catalog") if info else None
    return SHIPPED.names(folder) if folder and value is None else ()


def _bounds(info: FieldInfo, unit: str) -> str:
    """Return the limits of a number in words: "> 0, <= 1 (1)"."""
    signs = {"gt": ">", "ge": "≥", "lt": "<", "le": "≤"}
    said = [
        f"{sign} {words.declared(getattr(rule, name), unit) if unit and unit != '1' else f'{getattr(rule, name):g}'}"
        for rule in info.metadata
        for name, sign in signs.items()
        if isinstance(getattr(rule, name, None), (int, float))
    ]
    return ", ".join(said)


def _place(file: str, line: int | None) -> str:
    return "" if not file else f"{Path(file).name}:{line}" if line else Path(file).name
