"""`--set cluster.workers.count=24`: one value of a profile, or one part, replaced for one run."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import groupby
from pathlib import Path

from models.problem import Problem, did_you_mean, shortened
from models.values import value as kept
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
    settings: list[_Setting] = []
    for written, text in overrides.items():
        key = key_of(written)
        if key is None:
            reader.problems.append(Problem(COMMAND_LINE, None, written, "expected a key such as cluster.network.racks"))
        elif _NO_TEXT.search(text):
            reader.problems.append(Problem(COMMAND_LINE, None, written, f"expected text in UTF-8 (got {text!a})"))
        else:
            settings.append(_Setting(key, text))
    return _Setter(reader).apply(tree, shape, settings, 0)


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


@kept()
class _Setting:
    """One key and the text that it is set to."""

    key: Key
    text: str


class _Setter:
    """Sets keys of a tree in order; what follows each other below one key goes through it once, such as a draw's.

    `depth` is how many steps of the keys lead to where they are set.
    """

    def __init__(self, reader: Reader) -> None:
        self._reader = reader

    def apply(self, node: Node, shape: Shape, settings: Sequence[_Setting], depth: int) -> Node:
        """Return the node with what is `depth` steps down the keys replaced."""
        for is_below, run in groupby(settings, lambda setting: len(setting.key) > depth):
            if not is_below:
                for setting in run:
                    node = merge(node, self._new(setting, shape), shape)
            elif isinstance(node, Table):
                node = self._in_table(node, shape, run, depth)
            elif isinstance(node, Array):
                node = self._in_array(node, shape, run, depth)
            elif not isinstance(node, Broken):
                for setting in run:
                    self._refuse(setting, depth, "has no keys of its own")
        return node

    def _new(self, setting: _Setting, shape: Shape) -> Node:
        """Return the value with its parts in place; those are as their files say, and the choice is the user's."""
        value = value_of(setting.text)
        if shape.annotation is str and not isinstance(value, str):
            value = setting.text  # a name that looks like a number
        grown = _grow(value, Place(COMMAND_LINE, None, setting.key))
        if isinstance(grown, Leaf) and not shape.catalog:  # which names nothing that would have to be looked for
            return grown
        return self._reader.expanded(grown, shape, Here(Path.cwd()))

    def _in_table(self, table: Table, shape: Shape, settings: Iterable[_Setting], depth: int) -> Node:
        changed = Table(dict(table.entries), table.place, table.whole, table.named)
        for (step, goes_on), run in groupby(settings, lambda setting: _next(setting, depth)):
            if goes_on:
                changed = self._with_entry(changed, shape, step, list(run), depth)
            else:
                for setting in run:
                    changed = self._with_entry(changed, shape, step, [setting], depth)
        return changed

    def _with_entry(self, table: Table, shape: Shape, step: str, settings: Sequence[_Setting], depth: int) -> Table:
        """Return a table, which is nobody else's, with one entry changed by all settings of it or below it."""
        first = settings[0]
        is_last = len(first.key) == depth + 1
        if step == "use" and is_last and shape.catalog is not None and not shape.has_free_keys:
            part = f"a part is named by its own key: {dotted(first.key[:-1])}={shortened(first.text)}"
            self._refuse(first, depth + 1, part)
            return table
        under = table.entries.get(step)
        if under is None and not is_last and shape.has_free_keys:
            near = did_you_mean(step, table.entries) or f"; there are {', '.join(table.entries) or 'none'}"
            for setting in settings:
                self._refuse(setting, depth + 1, f"there is no such entry{near}")
            return table
        if under is None:  # an optional table, or a key that validation will refuse
            under = Table({}, Place(COMMAND_LINE, None, first.key[: depth + 1]))
        entry = self.apply(under, shape.below(table, step), settings, depth + 1)
        if is_last and shape.tag == step:
            joined = merge(table, Table({step: entry}, table.place), shape)
            assert isinstance(joined, Table)  # as both are
            return joined
        table.entries[step] = entry
        return table

    def _in_array(self, array: Array, shape: Shape, settings: Iterable[_Setting], depth: int) -> Array:
        for (step, _), run in groupby(settings, lambda setting: _next(setting, depth)):
            number = place_of(array, step)
            if number is None:
                near = did_you_mean(step, names_in(array))
                message = f"there is no such entry{near}; they are numbered 0 to {len(array.items) - 1}"
                for setting in run:
                    self._refuse(setting, depth + 1, message)
                continue
            items = list(array.items)
            items[number] = self.apply(items[number], shape.item or Shape(None), list(run), depth + 1)
            array = Array(tuple(items), array.place)
            if all(isinstance(item, Leaf) for item in items):  # one source for one list of numbers
                array = Array(tuple(sourced(item, SET_BY_HAND) for item in items), array.place)
        return array

    def _refuse(self, setting: _Setting, depth: int, message: str) -> None:
        self._reader.problems.append(Problem(COMMAND_LINE, None, dotted(setting.key[:depth]), message))


def _next(setting: _Setting, depth: int) -> tuple[str, bool]:
    """Return the step of a key below its first `depth`, and whether more follow."""
    return str(setting.key[depth]), len(setting.key) > depth + 1


def _grow(value: object, place: Place) -> Node:
    if isinstance(value, dict):
        return Table({k: _grow(v, replace(place, key=(*place.key, k))) for k, v in value.items()}, place)
    if isinstance(value, list):
        items = tuple(_grow(v, replace(place, key=(*place.key, i))) for i, v in enumerate(value))
        return Array(items, place)
    return Leaf(value, place, SET_BY_HAND)
