"""`--set cluster.workers.count=24`: one value of a profile, or one part, replaced for one run."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache
from pathlib import Path

from models.problem import Problem, did_you_mean, shortened
from profiles.loading.reader import Here, Reader
from profiles.text.lines import Key
from profiles.text.provenance import COMMAND_LINE, SET_BY_HAND
from profiles.text.schema import Shape, merge
from profiles.text.toml import parsed
from profiles.text.tree import Array, Broken, Leaf, Node, Place, Table, dotted, names_in, place_of, sourced

_QUANTITY = re.compile(r"[+-]?[0-9][0-9.]*(?:[eE][+-]?[0-9]+)? [A-Za-z]")
"""What begins so is no TOML, whose numbers end at a blank, and is not read as such: draws set thousands of them."""
_NO_TEXT = re.compile("[\ud800-\udfff]")
"""Stands for bytes of a command line that are no text; no JSON, and so no model, holds it."""
_LONGEST_KEY = 400  # Assumption: characters; the longest key of a shipped profile has a quarter of it


def override(tree: Node, overrides: Mapping[str, str], shape: Shape, reader: Reader) -> Node:
    """Return the tree with each dotted key set to its text, in order; the reader collects what cannot be set."""
    for written, text in overrides.items():
        key = key_of(written)
        if key is None:
            reader.problems.append(Problem(COMMAND_LINE, None, written, "expected a key such as cluster.network.racks"))
        elif _NO_TEXT.search(text):
            reader.problems.append(Problem(COMMAND_LINE, None, written, f"expected text in UTF-8 (got {text!a})"))
        else:
            tree = _Setting(key, text, reader).apply(tree, shape, key)
    return tree


def canonical(written: str) -> str:
    """Return a dotted key as problems name it; what is no key as it is."""
    key = key_of(written)
    return written if key is None else dotted(key)


def key_of(written: str) -> Key | None:
    """Return the steps of a dotted key, quotes as in TOML; None if it is none."""
    return None if len(written) > _LONGEST_KEY else _steps_of(written)


@lru_cache(maxsize=1024)  # each draw sets the same keys
def _steps_of(written: str) -> Key | None:
    try:
        value: object = parsed(f"{written} = 0")
    except tomllib.TOMLDecodeError:
        return None
    steps: list[str] = []
    while isinstance(value, dict) and len(value) == 1:
        (step, value), *_ = value.items()
        steps.append(step)
    return tuple(steps) if value == 0 else None


def value_of(text: str) -> object:
    """Return a text as a TOML value if it is one, else as it is: 25 Gbit/s needs no quotes."""
    if _QUANTITY.match(text):
        return text
    try:
        data = parsed(f"value = {text}")
    except tomllib.TOMLDecodeError:
        return text
    return data["value"] if len(data) == 1 else text


class _Setting:
    """One key and the text that it is set to."""

    def __init__(self, key: Key, text: str, reader: Reader) -> None:
        self._key = key
        self._text = text
        self._reader = reader

    def apply(self, node: Node, shape: Shape, steps: Key) -> Node:
        """Return the node with what lies `steps` below it replaced."""
        if not steps:
            return merge(node, self._new(shape), shape)
        if isinstance(node, Table):
            return self._in_table(node, shape, steps)
        if isinstance(node, Array):
            return self._in_array(node, shape, steps)
        if not isinstance(node, Broken):
            self._refuse(steps, "has no keys of its own")
        return node

    def _new(self, shape: Shape) -> Node:
        """Return the value with its parts in place; those are as their files say, and the choice is the user's."""
        value = value_of(self._text)
        if shape.annotation is str and not isinstance(value, str):
            value = self._text  # a name that looks like a number
        grown = _grow(value, Place(COMMAND_LINE, None, self._key))
        if isinstance(grown, Leaf) and not shape.catalog:  # which names nothing that would have to be looked for
            return grown
        return self._reader.expanded(grown, shape, Here(Path.cwd()))

    def _in_table(self, table: Table, shape: Shape, steps: Key) -> Node:
        step, rest = str(steps[0]), steps[1:]
        below = shape.below(table, step)
        under = table.entries.get(step)
        if steps == ("use",) and shape.catalog is not None and not shape.has_free_keys:
            self._refuse(rest, f"a part is named by its own key: {dotted(self._key[:-1])}={shortened(self._text)}")
            return table
        if under is None and rest and shape.has_free_keys:
            near = did_you_mean(step, table.entries) or f"; there are {', '.join(table.entries) or 'none'}"
            self._refuse(rest, f"there is no such entry{near}")
            return table
        if under is None:  # an optional table, or a key that validation will refuse
            under = Table({}, Place(COMMAND_LINE, None, self._key[: len(self._key) - len(rest)]))
        entry = self.apply(under, below, rest)
        changed = Table({step: entry}, table.place)
        if not rest and shape.tag == step:
            return merge(table, changed, shape)
        return replace(table, entries=table.entries | changed.entries)

    def _in_array(self, array: Array, shape: Shape, steps: Key) -> Node:
        rest, number = steps[1:], place_of(array, steps[0])
        if number is None:
            near = did_you_mean(f"{steps[0]}", names_in(array))
            self._refuse(rest, f"there is no such entry{near}; they are numbered 0 to {len(array.items) - 1}")
            return array
        items = list(array.items)
        items[number] = self.apply(items[number], shape.item or Shape(None), rest)
        changed = replace(array, items=tuple(items))
        is_flat = all(isinstance(item, Leaf) for item in items)  # one source for one list of numbers
        return sourced(changed, SET_BY_HAND) if is_flat else changed

    def _refuse(self, rest: Key, message: str) -> None:
        reached = self._key[: len(self._key) - len(rest)]
        self._reader.problems.append(Problem(COMMAND_LINE, None, dotted(reached), message))


def _grow(value: object, place: Place) -> Node:
    if isinstance(value, dict):
        return Table({k: _grow(v, replace(place, key=(*place.key, k))) for k, v in value.items()}, place)
    if isinstance(value, list):
        items = tuple(_grow(v, replace(place, key=(*place.key, i))) for i, v in enumerate(value))
        return Array(items, place)
    return Leaf(value, place, SET_BY_HAND)
