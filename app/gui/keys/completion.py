"""What may stand at a place of a profile's text: keys of the table, parts and choices of the key. Knows no Qt."""

from __future__ import annotations

import re
from dataclasses import dataclass

from models.scenario import Scenario
from profiles.loading.catalog import SHIPPED
from profiles.loading.overrides import key_of
from profiles.text.schema import Shape
from profiles.text.tree import Node, child

HEADER = re.compile(r"\s*\[+([^\]]+)\]+")
VALUE = re.compile(r"""\s*([\w\-."']+)\s*=\s*["']?([\w\-.]*)$""")
NAMED = re.compile(r"""([\w\-.]+)\s*=\s*\{.*?\buse\s*=\s*["']([\w\-.]*)$""")
KEY = re.compile(r"\s*([\w\-.]*)$")


@dataclass(frozen=True, slots=True)
class Completions:
    """What begins as was typed before the cursor, and that beginning; `is_key`: keys, which a value follows."""

    begun: str
    words: tuple[str, ...]
    is_key: bool


def completions(text: str, position: int, tree: Node | None) -> Completions:
    """Return what may stand at a position of a text; `tree` is the last profile that was right."""
    *above, row = text[:position].split("\n")
    table = next((heading[1] for line in reversed(above) if (heading := HEADER.match(line))), "")
    steps = tuple(f"{step}" for step in key_of(table) or ()) if table else ()
    named, value, key = NAMED.search(row), VALUE.match(row), KEY.match(row)
    if (match := named or value) is not None:
        own = tuple(f"{step}" for step in key_of(match[1]) or ())
        own = own[:-1] if own[-1:] == ("use",) else own
        return _completed(match[2], _values(_shape((*steps, *own), tree)[0]), is_key=False)
    if key is None:
        return Completions("", (), is_key=True)
    *own_steps, begun = key[1].split(".")
    shape, node = _shape((*steps, *own_steps), tree)
    return _completed(begun, tuple(shape.keys(node)) if shape.models else (), is_key=True)


def _completed(begun: str, words: tuple[str, ...], *, is_key: bool) -> Completions:
    return Completions(begun, tuple(sorted(word for word in words if word.startswith(begun))), is_key)


def _shape(steps: tuple[str, ...], tree: Node | None) -> tuple[Shape, Node | None]:
    """Return what may stand below some keys, and what stands there; of an array, what its items may be."""
    shape, node = Shape(Scenario), tree
    for step in steps:
        shape, node = _item(shape.below(node, step), child(node, step))
    return shape, node


def _item(shape: Shape, node: Node | None) -> tuple[Shape, Node | None]:
    if shape.item is None or shape.models or shape.has_free_keys:
        return shape, node
    return Shape(shape.item.annotation, shape.item.info, shape.catalog), child(node, 0)


def _values(shape: Shape) -> tuple[str, ...]:
    if shape.annotation is bool:
        return ("true", "false")
    return tuple(map(str, shape.choices)) or (SHIPPED.names(shape.catalog) if shape.catalog else ())
