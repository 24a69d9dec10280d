"""Amounts in other currencies, put in USD where a table says what the currencies are worth.

A table with `[currencies.EUR] value = "1.08 USD"` gives "12 EUR/h" as "12.96 USD/h" to all that reads amounts in it:
models, ranges and reports. What has no such value is refused where it stands.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction

from models import units
from models.problem import Problem, RefusalError
from models.quantity import extra
from models.units import CURRENCIES
from profiles.text.schema import Shape
from profiles.text.tree import Array, Leaf, Node, Range, Table, dotted, leaves

RATES = "currencies"
"""The key of the table that says what currencies are worth."""
BASE = "USD"
_OTHERS = re.compile(rf"\b({'|'.join(name for name in CURRENCIES if name != BASE)})\b")


def exchanged(tree: Node, shape: Shape) -> tuple[Node, list[Problem]]:
    """Return a tree with its amounts of other currencies in USD, and the problems of those without a value."""
    if not any(isinstance(leaf.value, str) and _OTHERS.search(leaf.value) for _, leaf in leaves(tree)):
        return tree, []
    exchanger = _Exchanger()
    return exchanger.exchanged(tree, shape), exchanger.problems


class _Exchanger:
    """Rewrites amounts of a tree; `problems` are those of currencies without a value."""

    def __init__(self) -> None:
        self.problems: list[Problem] = []

    def exchanged(self, node: Node, shape: Shape, rates: Mapping[str, Fraction] | None = None) -> Node:
        """Return a tree with its amounts of other currencies in USD; `rates` are those of the table around it."""
        if isinstance(node, Table):
            if RATES in node.entries:
                rates = dict(_rates(node.entries[RATES]))
            entries = {key: self.exchanged(entry, shape.below(node, key), rates) for key, entry in node.entries.items()}
            return replace(node, entries=entries)
        if isinstance(node, Array) and shape.item:
            return replace(node, items=tuple(self.exchanged(item, shape.item, rates) for item in node.items))
        is_money = shape.info is not None and BASE in str(extra(shape.info).get("unit") or "")
        if not isinstance(node, Leaf) or not is_money:
            return node
        value = self._in_base(node.value, node, rates or {})
        return replace(node, value=value, range=self._range(node, rates or {}))

    def _range(self, leaf: Leaf, rates: Mapping[str, Fraction]) -> Range | None:
        if leaf.range is None:
            return None
        low, high = (self._in_base(end, leaf, rates) for end in (leaf.range.low, leaf.range.high))
        return replace(leaf.range, low=low, high=high)

    def _in_base(self, text: object, leaf: Leaf, rates: Mapping[str, Fraction]) -> object:
        """Return an amount in USD; what is no amount of another currency as it is."""
        match = _OTHERS.search(text) if isinstance(text, str) else None
        if not isinstance(text, str) or match is None:
            return text
        name = match[1]
        if name not in rates:
            way_out = f'add [{RATES}.{name}] with value, such as value = "1.08 USD"'
            message = f"the list does not say what {name} is worth; {way_out} (got '{text}')"
            self.problems.append(Problem(leaf.place.file, leaf.place.line, dotted(leaf.place.key), message))
            return _OTHERS.sub(BASE, text)
        number = re.match(r"\s*([-+\d.,eE]+)", text)
        if number is None:
            return text
        amount = Fraction(number[1].replace(",", "")) * rates[name]
        return f"{Decimal(repr(float(amount))):f}{_OTHERS.sub(BASE, text[number.end() :])}"


def _rates(table: Node) -> Iterator[tuple[str, Fraction]]:
    """Yield what currencies are worth, as far as that can be read: the model complains about the rest."""
    for name, entry in table.entries.items() if isinstance(table, Table) else ():
        value = entry.entries.get("value") if isinstance(entry, Table) else None
        if isinstance(value, Leaf) and isinstance(value.value, str):
            try:
                yield name, Fraction(repr(units.parse(value.value, BASE)))
            except RefusalError:
                continue
