"""What the models refuse, in words for the user: key and line, what was expected, what was found, the way out."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import Any

from pydantic import ValidationError

from models import units
from models.problem import Problem, did_you_mean
from models.quantity import extra
from profiles.catalog import Catalog
from profiles.lines import Key
from profiles.schema import Shape
from profiles.tree import Array, Broken, Leaf, Node, child, dotted

_SHOWN_NAMES = 12  # how many names a message lists
_TYPES = {
    "int_type": "a whole number",
    "int_from_float": "a whole number",
    "float_type": "a number",
    "finite_number": "a finite number",
    "string_type": "text in quotes",
    "bool_type": "true or false",
    "tuple_type": "an array",
    "list_type": "an array",
    "dict_type": "a table",
    "model_type": "a table",
    "model_attributes_type": "a table",
}
_BOUNDS = {
    "greater_than": ("gt", "greater than"),
    "greater_than_equal": ("ge", "at least"),
    "less_than": ("lt", "less than"),
    "less_than_equal": ("le", "at most"),
}
_EXAMPLES: dict[object, str] = {int: "1", float: "1.0", bool: "true", str: '"..."'}


class Spot:
    """The place of one of pydantic's errors: the deepest node on its path, and the key below it if that is missing."""

    def __init__(self, tree: Node, shape: Shape, path: Key) -> None:
        self.node, self.shape = tree, shape
        self.table, self.table_shape = tree, shape  # that in which the node stands
        self.missing: Key = ()
        steps = iter(path)
        for step in steps:
            entry = next(steps, None) if len(self.shape.models) > 1 else step  # pydantic names the chosen model first
            if entry is None or isinstance(self.node, Leaf) or self.missing:
                break
            self._enter(entry)

    def _enter(self, step: str | int) -> None:
        self.table, self.table_shape = self.node, self.shape
        self.shape = self.shape.below(self.node, step)
        found = child(self.node, step)
        self.node, self.missing = (found, ()) if found else (self.node, (step,))

    def enter_tag(self) -> None:
        """Go on to the key that decides between several models."""
        if self.shape.tag:
            self._enter(self.shape.tag)

    @property
    def key(self) -> Key:
        """The key path in the file in which the node stands."""
        return (*self.node.place.key, *self.missing)

    @property
    def unit(self) -> str | None:
        """The unit of a quantity."""
        return extra(self.shape.info).get("unit") if self.shape.info else None

    @property
    def choices(self) -> tuple[object, ...]:
        """The values that the models allow here, if they allow only some."""
        if self.key and self.key[-1] == self.table_shape.tag:
            return self.table_shape.tags
        return self.shape.choices

    @property
    def got(self) -> str:
        """What was found, as typed."""
        if isinstance(self.node, Leaf):
            value = self.node.value
            return f"(got {str(value).lower() if isinstance(value, bool) else repr(value)})"
        return "(got an array)" if isinstance(self.node, Array) else "(got a table)"


def problems(error: ValidationError, tree: Node, root: Shape, catalog: Catalog) -> Iterator[Problem]:
    """Yield one problem for each key that the models refuse; none for what could not be read in the first place."""
    found: dict[tuple[str, int | None, str], list[str]] = defaultdict(list)
    for details in error.errors(include_url=False):
        spot = Spot(tree, root, details["loc"])
        if details["type"].startswith("union_tag"):
            spot.enter_tag()
        if not isinstance(spot.node, Broken):
            place = spot.node.place
            message = _message(details["type"], details["msg"], details.get("ctx", {}), spot, catalog)
            found[place.file, place.line, dotted(spot.key)].append(message)
    for (file, line, key), messages in found.items():
        yield Problem(file, line, key, "; or ".join(dict.fromkeys(messages)))


def _message(kind: str, text: str, details: Mapping[str, Any], spot: Spot, catalog: Catalog) -> str:
    """Return the words for one of pydantic's errors; its own words where a validator of ours has raised it."""
    if kind in {"value_error", "assertion_error"}:
        return str(details["error"])
    if kind in {"missing", "union_tag_not_found"}:
        return _missing(spot, catalog)
    if kind == "extra_forbidden":
        return _unknown_key(spot)
    return f"{_refusal(kind, text, details, spot)} {spot.got}{_near_choice(spot)}"


def _refusal(kind: str, text: str, details: Mapping[str, Any], spot: Spot) -> str:
    """Return what was expected of a value."""
    if kind in {"literal_error", "enum", "union_tag_invalid"}:
        return f"expected {_listed(spot.choices)}"
    if kind in _BOUNDS:
        name, words = _BOUNDS[kind]
        return f"must be {words} {_bound(details[name], spot.unit)}"
    if kind in _TYPES:
        return f"expected {_expected_type(_TYPES[kind], spot)}"
    return f"{text[:1].lower()}{text[1:]}"


def _missing(spot: Spot, catalog: Catalog) -> str:
    info = spot.shape.info
    what = (info.description or "").rstrip(".") if info else ""
    return f"missing: {what}; {_way_out(spot, catalog)}"


def _way_out(spot: Spot, catalog: Catalog) -> str:
    """Return what to write for a missing key."""
    key, shape = spot.key[-1], spot.shape
    if spot.choices:
        return f"one of {_listed(spot.choices)}"
    if shape.catalog and shape.models:
        return f"name one of {_listed(catalog.names(shape.catalog))}, or write a table"
    if shape.models or shape.has_free_keys:
        return f"write a table [{dotted(spot.key)}]"
    if spot.unit:
        return f'for example {key} = "{_stated_example(spot) or units.example(spot.unit)}"'
    return f"for example {key} = {_stated_example(spot) or _EXAMPLES.get(shape.annotation, '...')}"


def _stated_example(spot: Spot) -> str:
    stated = spot.shape.info.examples if spot.shape.info else None
    if not stated:
        return ""
    return f'"{stated[0]}"' if isinstance(stated[0], str) and not spot.unit else f"{stated[0]}"


def _unknown_key(spot: Spot) -> str:
    known = spot.table_shape.keys(spot.table)
    key = str(spot.key[-1])
    return f"unknown key{did_you_mean(key, known) or f'; known here are {_listed(known)}'}"


def _near_choice(spot: Spot) -> str:
    if spot.choices and isinstance(spot.node, Leaf):
        return did_you_mean(str(spot.node.value), map(str, spot.choices))
    return ""


def _expected_type(kind: str, spot: Spot) -> str:
    if spot.unit and isinstance(spot.node, Leaf):
        return units.expected(spot.unit)
    if spot.shape.catalog and spot.shape.models:
        return f"a table or the name of a file in {spot.shape.catalog}"
    return kind


def _bound(value: float, unit: str | None) -> str:
    return units.format(value, unit) if unit and value else f"{value:g}"


def _listed(names: Any) -> str:
    shown = [name if isinstance(name, str) else f"{name}" for name in names]
    if all(isinstance(name, str) for name in names):
        shown = [f"'{name}'" for name in names]
    if len(shown) > _SHOWN_NAMES:
        return f"{', '.join(shown[:_SHOWN_NAMES])} ..."
    return f"{', '.join(shown[:-1])} or {shown[-1]}" if len(shown) > 1 else "".join(shown) or "none"
