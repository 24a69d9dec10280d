"""A profile between text and model: tables, arrays and values that know where they stand and what they rest on."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache
from typing import Any

from models.values import value
from profiles.text.lines import Key
from profiles.text.provenance import Source

FACTOR = re.compile(r"(\d+(?:\.\d+)?) x")


@value()
class Place:
    """A key in one file, as a problem names it. `line` is None for a whole file and for the command line."""

    file: str
    line: int | None = None
    key: Key = ()


@value()
class Range:
    """Between what 90 % of the world lies, as typed, and where that stands: "0.5 x" is half the value itself.

    Values that share a range, since it stands at their table, are off together, and so are those whose ranges have one
    `name`: that of another statement, where a file was written with all its parts in place.
    """

    low: object
    high: object
    place: Place
    name: str = ""

    @property
    def knob(self) -> str:
        """What is the same for all values that are off together."""
        return self.name or f"{self.place.file}: {'.'.join(map(str, self.place.key))}"

    @property
    def is_relative(self) -> bool:
        """Whether both ends are factors of the value itself."""
        return all(isinstance(end, str) and FACTOR.fullmatch(end) for end in (self.low, self.high))


@value()
class Leaf:
    """One value as typed; it is the likely one of its range."""

    value: object
    place: Place
    source: Source | None = None
    range: Range | None = None


@value()
class Array:
    """Values in order."""

    items: tuple[Node, ...]
    place: Place


@value()
class Table:
    """Values by key.

    A `whole` table replaces what it is laid over instead of joining it: a part, which was `named` at some place.
    """

    entries: dict[str, Node]
    place: Place
    whole: bool = False
    named: Place | None = None


@value()
class Broken:
    """Stands for what could not be read, so that nobody complains about it again."""

    place: Place


Node = Leaf | Array | Table | Broken


def children(node: Node) -> Iterator[tuple[str | int, Node]]:
    """Yield what stands directly in a table or an array, with its key or index."""
    if isinstance(node, Table):
        yield from node.entries.items()
    elif isinstance(node, Array):
        yield from enumerate(node.items)


def child(node: Node | None, step: str | int) -> Node | None:
    """Return one entry of a table or item of an array; None where there is none."""
    if isinstance(node, Table) and isinstance(step, str):
        return node.entries.get(step)
    number = place_of(node, step) if isinstance(node, Array) else None
    return node.items[number] if isinstance(node, Array) and number is not None else None


def place_of(array: Array, step: str | int) -> int | None:
    """Return the number of an item by the number itself, or by the `name` that its table states; None for no item."""
    if isinstance(step, int) or step.isdecimal():
        return int(step) if 0 <= int(step) < len(array.items) else None
    return next((i for i, name in enumerate(names_in(array)) if name == step), None)


def names_in(array: Array) -> list[str]:
    """Return the `name` that each item of an array of tables states, "" for none."""
    names = [child(item, "name") for item in array.items]
    return [f"{name.value}" if isinstance(name, Leaf) else "" for name in names]


def leaves(node: Node, key: Key = ()) -> Iterator[tuple[Key, Leaf]]:
    """Yield every value with its key path, in order."""
    left = [(key, node)]
    while left:
        key, node = left.pop()
        if isinstance(node, Leaf):
            yield key, node
        else:
            left += [((*key, step), below) for step, below in reversed(list(children(node)))]


def plain(node: Node) -> Any:
    """Return the values as dicts, lists and scalars."""
    if isinstance(node, Table):
        return {key: plain(entry) for key, entry in node.entries.items()}
    if isinstance(node, Array):
        return [plain(item) for item in node.items]
    return node.value if isinstance(node, Leaf) else None


def sourced(node: Node, source: Source) -> Node:
    """Return the node with the same source for all its values, and without the ranges that went with others."""
    if isinstance(node, Leaf):
        return replace(node, source=source, range=None)
    if isinstance(node, Array):
        return replace(node, items=tuple(sourced(item, source) for item in node.items))
    if isinstance(node, Table):
        return replace(node, entries={key: sourced(entry, source) for key, entry in node.entries.items()})
    return node


def dotted(key: Key) -> str:
    """Return a key path as TOML writes it: disk.1.seq_read, servers."h1.16xlarge"."""
    return ".".join(map(_quoted, key))


@lru_cache(maxsize=4096)
def _quoted(step: str | int) -> str:
    if re.fullmatch(r"[\w-]+", str(step), re.ASCII):
        return str(step)
    import json  # imported late: few names need quotes

    return json.dumps(step, ensure_ascii=False).replace("\x7f", "\\u007f")  # which TOML escapes, and JSON does not
