"""What the models refuse, in words for the user: key and line, what was expected, what was found, the way out."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import islice
from pathlib import PurePosixPath
from typing import Any

from pydantic import ValidationError

from models import units
from models.problem import Problem, Reason, RefusalError, did_you_mean, shortened
from models.quantity import extra
from profiles.loading.catalog import Catalog
from profiles.text.lines import Key
from profiles.text.provenance import COMMAND_LINE
from profiles.text.schema import Shape
from profiles.text.tree import Array, Broken, Leaf, Node, Place, Table, child, dotted, leaves

_MISSING = {"missing", "union_tag_not_found"}
_UNKNOWN = "extra_forbidden"
_FOLLOWS = "default_factory_not_called"  # a default that follows from what is refused itself
_SHOWN_NAMES = 12  # how many names a message lists
_NEAR = 3  # keys further down that a message offers
_FEW = 2  # keys that a table must have which a message names
_MOST = 500  # Assumption: problems that somebody reads
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
        self.above, self.above_shape = tree, shape  # that in which the table stands
        self.path: Key = ()
        self.missing: Key = ()
        steps = iter(path)
        for step in steps:
            entry = next(steps, None) if len(self.shape.models) > 1 else step  # pydantic names the chosen model first
            if entry is None or isinstance(self.node, Leaf) or self.missing or self.shape.is_single:
                break  # what follows names one of several kinds of values
            self._enter(entry)

    def _enter(self, step: str | int) -> None:
        self.above, self.above_shape = self.table, self.table_shape
        self.table, self.table_shape = self.node, self.shape
        self.path += (step,)
        self.shape = self.shape.below(self.node, step)
        below = child(self.node, step)
        self.node, self.missing = (below, ()) if below else (self.node, (step,))

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
            if isinstance(value, str):
                return shortened(repr(value))
            return str(value).lower() if isinstance(value, bool) else shortened(str(value))
        return "an array" if isinstance(self.node, Array) else "a table"


def problems(
    error: ValidationError, tree: Node, root: Shape, catalog: Catalog, *, is_complete: bool
) -> Iterator[Problem]:
    """Yield one problem for each key that the models refuse; none for what could not be read in the first place.

    What is missing from a tree that is not complete may stand in the file that could not be read.
    """
    reasons: dict[tuple[Place, str, bool], list[tuple[str, Reason]]] = defaultdict(list)
    for details in error.errors(include_url=False):
        if len(reasons) > _MOST:
            yield Problem("", None, "", f"there are more than {_MOST} problems, these are the first; mend them first")
            break
        if details["type"] == _FOLLOWS or (details["type"] in _MISSING and not is_complete):
            continue
        spot = Spot(tree, root, details["loc"])
        if details["type"].startswith("union_tag"):
            spot.enter_tag()
        if not isinstance(spot.node, Broken):
            refused = _refused(details.get("ctx", {}).get("error"))
            is_clash = bool(refused) and isinstance(spot.node, Table)
            for reason in refused:  # a table may be wrong in several ways
                if _follows(reason, spot.node):
                    continue
                place, key, text = _placed(reason, spot)
                reasons[place, key, is_clash].append((text, reason))
            if not refused:
                if details["type"] == _UNKNOWN and (misfit := _misfit(spot, catalog)):
                    place, text = misfit
                    reasons[place, dotted(place.key), is_clash].append((text, Reason(dotted(place.key), text)))
                    continue
                if details["type"] == _UNKNOWN and isinstance(spot.node, Table) and spot.node.named:
                    spot.node = replace(spot.node, place=spot.node.named)  # the file that it names is not wrong
                reason = _reason(details["type"], details["msg"], details.get("ctx", {}), spot, catalog)
                reasons[spot.node.place, dotted(spot.key), is_clash].append((_message(reason), reason))
    for (place, key, is_clash), refusals in islice(reasons.items(), _MOST):
        by_message = dict(refusals)
        parts = next(iter(by_message.values())) if len(by_message) == 1 else None
        yield Problem(place.file, place.line, key, "; or ".join(by_message), is_clash, parts)


def _follows(reason: Reason, node: Node) -> bool:
    """Tell whether a table is told to lack a key beside a part that could not be read, and may have said it."""
    if not isinstance(node, Table) or not reason.key or reason.key.split(".")[0] in node.entries:
        return False
    return any(isinstance(entry, Broken) for entry in node.entries.values())


def _misfit(spot: Spot, catalog: Catalog) -> tuple[Place, str] | None:
    """Return where a shipped part is named that is of another kind, and what would fit; None for any other key.

    Shipped parts have no unknown keys where they belong.
    """
    table, file = spot.table, PurePosixPath(spot.node.place.file)
    is_shipped = not file.is_absolute() and (catalog.root / file).is_file()
    if not isinstance(table, Table) or table.named is None or not is_shipped:
        return None
    folder, name = str(file.parent), file.stem
    known = spot.table_shape.keys(table)
    unknown = [key for key in table.entries if key not in known]
    fitting = [other for other in catalog.names(folder) if catalog.keys(folder, other) <= known.keys()]
    text = f"'{name}' does not fit here, where {_listed(unknown, ' and ')} mean nothing"
    way_out = [f"name one of {_listed(fitting)}"] if fitting else []
    for key, shape in spot.above_shape.keys(spot.above).items():
        if shape.catalog and shape.catalog != folder:
            alike = [other for other in catalog.names(shape.catalog) if other.startswith(f"{name}-")]
            way_out += [f"{key} = {_listed(alike)}"] if alike else []
    return table.named, "; ".join(filter(None, (text, ", beside ".join(way_out))))


def _refused(error: object) -> tuple[Reason, ...]:
    """Return why a validator of ours refuses its input; nothing for pydantic's own errors.

    Raises:
        Exception: what a validator raised that refuses nothing, which is a fault of the program.
    """
    if isinstance(error, RefusalError):
        return error.reasons
    if isinstance(error, Exception):
        raise error
    return ()


def _placed(reason: Reason, spot: Spot) -> tuple[Place, str, str]:
    """Return place, key and message of a reason.

    That of a whole table stands at the key in it which it names, wherever that value comes from.
    """
    here = spot.node.place, dotted(spot.key), str(reason)
    if not reason.key or not isinstance(spot.node, Table):
        return here
    steps = reason.key.split(".")
    node: Node | None = spot.node
    shape, place = spot.shape, spot.node.place
    for step in steps:
        shape, node = shape.below(node, step), child(node, step)
        named_at = node.named if isinstance(node, Table) else None
        place = named_at or (node.place if node else place)
    return here if shape.annotation is None else (place, dotted((*spot.path, *steps)), reason.message)


def _reason(kind: str, text: str, details: Mapping[str, Any], spot: Spot, catalog: Catalog) -> Reason:
    """Return what one of pydantic's errors says."""
    key = dotted(spot.key)
    if kind in _MISSING:
        return Reason(key, _missing(spot), _way_out(spot, catalog))
    if kind == _UNKNOWN:
        return Reason(key, "unknown key", _near_key(spot))
    return Reason(key, _refusal(kind, text, details, spot), _near_choice(spot), spot.got)


def _message(reason: Reason) -> str:
    """Return the words for one of pydantic's errors: what was found stands before the way out."""
    got = f" (got {reason.found})" if reason.found else ""
    return f"{reason.expected}{got}" + (f"; {reason.way_out}" if reason.way_out else "")


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


def _missing(spot: Spot) -> str:
    info = spot.shape.info
    what = (info.description or "").rstrip(".") if info else ""
    return f"missing: {what}"


def _way_out(spot: Spot, catalog: Catalog) -> str:
    """Return what to write for a missing key."""
    key, shape = spot.key[-1], spot.shape
    if spot.choices:
        return f"one of {_listed(spot.choices)}"
    if shape.catalog and shape.models and (names := catalog.names(shape.catalog)):
        return f"name one of {_listed(names)}, or write a table"
    if shape.models or shape.has_free_keys:
        return f"write a table [{dotted(spot.key)}]"
    if shape.item and shape.item.models:
        return f"write tables [[{dotted(spot.key)}]]"
    if spot.unit:
        return f'for example {key} = "{_stated_example(spot) or units.example(spot.unit)}"'
    return f"for example {key} = {_stated_example(spot) or _EXAMPLES.get(shape.annotation, '...')}"


def _stated_example(spot: Spot) -> str:
    stated = spot.shape.info.examples if spot.shape.info else None
    if not stated:
        return ""
    return f'"{stated[0]}"' if isinstance(stated[0], str) and not spot.unit else f"{stated[0]}"


def _near_key(spot: Spot) -> str:
    name, known = str(spot.path[-1]), spot.table_shape.keys(spot.table)
    is_by_hand = spot.node.place.file == COMMAND_LINE  # few are: a file may hold thousands of keys, each unknown
    if is_by_hand and (below := _below(spot)):
        return f"did you mean {_listed(below)}?"
    return _near(name, known) or f"known here: {_listed(known, ', ')}"


def _below(spot: Spot) -> tuple[str, ...]:
    """Return the keys further down that end with the name of one that is unknown: all counts, the shortest first."""
    *above, name = spot.path
    keys = {(*above, *key[: key.index(name, 1) + 1]) for key, _ in leaves(spot.table) if name in key[1:]}
    return tuple(dotted(key) for key in sorted(keys, key=lambda key: (len(key), key))[:_NEAR])


def _near_choice(spot: Spot) -> str:
    if spot.choices and isinstance(spot.node, Leaf):
        if any(spot.node.value == str(choice) for choice in spot.choices):
            return "a number stands without quotes"
        return _near(str(spot.node.value), map(str, spot.choices))
    return ""


def _near(name: str, known: Iterable[str]) -> str:
    return did_you_mean(name, known).removeprefix("; ")


def _expected_type(kind: str, spot: Spot) -> str:
    if spot.unit and isinstance(spot.node, Leaf):
        return units.expected(spot.unit)
    if spot.shape.catalog and spot.shape.models:
        return f"a table or the name of a file in {spot.shape.catalog}"
    if kind == "a table" and len(spot.shape.models) == 1:
        fields = spot.shape.models[0].model_fields.items()
        required = [field.alias or name for name, field in fields if field.is_required()]
        return f"a table that has {' and '.join(required)}" if 0 < len(required) <= _FEW else kind
    return kind


def _bound(value: float, unit: str | None) -> str:
    return units.format(value, unit) if unit and value else f"{value:,.10g}"


def _listed(names: Iterable[object], last: str = " or ") -> str:
    shown = [f"'{name}'" if isinstance(name, str) else f"{name}" for name in names]
    if len(shown) > _SHOWN_NAMES:
        return f"{', '.join(shown[:_SHOWN_NAMES])} ..."
    return last.join(filter(None, (", ".join(shown[:-1]), shown[-1])))
