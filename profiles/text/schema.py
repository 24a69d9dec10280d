"""What the models say about each key of a profile: which tables may stand there, and which folder names them."""

from __future__ import annotations

import types
from functools import cache, cached_property
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from pydantic import BaseModel
from pydantic.fields import FieldInfo

from models.alternatives import Alternatives
from models.quantity import extra
from models.values import value
from profiles.text.lines import Key
from profiles.text.tree import Leaf, Node, Table, child


@value(slots=False)
class Shape:
    """What may stand at one key: a table of one of `models`, or values of the shape `item`, or a single value.

    `info` is the declaration of the key itself, None for an item. `catalog` is the folder of the files that may be
    named here, which the items of a declared part share.
    """

    annotation: Any
    info: FieldInfo | None = None
    catalog: str | None = None

    @cached_property
    def models(self) -> tuple[type[BaseModel], ...]:
        """The alternatives for a table; more than one where a key such as `kind` decides."""
        return tuple(alternative for alternative in _alternatives(self.annotation) if _is_model(alternative))

    @cached_property
    def item(self) -> Shape | None:
        """What stands in an array, or in a table whose keys are free."""
        for alternative in _alternatives(self.annotation):
            if get_origin(alternative) in {tuple, list, dict}:
                inner = [a for a in get_args(alternative) if a is not Ellipsis]
                return Shape(inner[-1], _declaration(inner[-1]), self.catalog)
        return None

    @cached_property
    def has_free_keys(self) -> bool:
        """Whether a table stands here whose keys are names that the user chooses."""
        return any(get_origin(alternative) is dict for alternative in _alternatives(self.annotation))

    @cached_property
    def is_single(self) -> bool:
        """Whether neither a table nor an array may stand here."""
        return not self.models and self.item is None

    @cached_property
    def tag(self) -> str | None:
        """The key that decides between several models: a choice in each of them, with different values."""
        if len(self.models) < 2:
            return None
        common = set.intersection(*(set(model.model_fields) for model in self.models))
        return next((name for name in sorted(common) if self._decides(name)), None)

    @property
    def tags(self) -> tuple[object, ...]:
        """The values of the tag over all models."""
        return tuple(v for model in self.models for v in _choices(model.model_fields[self.tag or ""]))

    def _decides(self, name: str) -> bool:
        choices = [choice for model in self.models for choice in _choices(model.model_fields[name])]
        return all(_choices(model.model_fields[name]) for model in self.models) and len(choices) == len(set(choices))

    def chosen(self, table: Node | None) -> tuple[type[BaseModel], ...]:
        """Return the models that a table can mean, going by its tag; all of them if the tag is missing or wrong."""
        if self.tag is None:
            return self.models
        return self._by_tag.get(_value(child(table, self.tag)), self.models)

    @cached_property
    def _by_tag(self) -> dict[object, tuple[type[BaseModel], ...]]:
        """The models that each value of the tag means."""
        by_tag: dict[object, tuple[type[BaseModel], ...]] = {}
        for model in self.models:
            for word in _choices(model.model_fields[self.tag or ""]):
                by_tag[word] = (*by_tag.get(word, ()), model)
        return by_tag

    def keys(self, table: Node | None) -> dict[str, Shape]:
        """Return what the models declare for a table, under the names that a file uses."""
        return _declared(self.chosen(table))

    def below(self, table: Node | None, step: str | int) -> Shape:
        """Return the shape of one entry or item; one that allows nothing for a key that nobody declares."""
        if isinstance(step, str) and self.models and step in (keys := self.keys(table)):
            return keys[step]
        return self.item or Shape(None)

    def at(self, tree: Node, key: Key) -> Shape:
        """Return the shape of what stands at a key path of a tree of this shape."""
        shape: Shape = self
        node: Node | None = tree
        for step in key:
            shape, node = shape.below(node, step), child(node, step)
        return shape

    @property
    def is_count(self) -> bool:
        """Whether it is a whole number."""
        alternatives = _alternatives(self.annotation)
        return int in alternatives and float not in alternatives

    @property
    def choices(self) -> tuple[object, ...]:
        """The values of a choice, () for anything else."""
        return tuple(
            v
            for alternative in _alternatives(self.annotation)
            if get_origin(alternative) is Literal
            for v in get_args(alternative)
        )


def merge(under: Node | None, over: Node, shape: Shape) -> Node:
    """Return `over` laid on `under`: tables join key by key, everything else replaces what was there.

    A table that chooses another kind (another value of the tag) replaces the table, since the old keys mean nothing.
    """
    if not isinstance(under, Table) or not isinstance(over, Table) or over.whole or _differ(under, over, shape.tag):
        return over
    entries: dict[str, Node] = dict(under.entries)
    for key, node in over.entries.items():
        entries[key] = merge(entries.get(key), node, shape.below(over if shape.tag in over.entries else under, key))
    return Table(entries, over.place, under.whole)


def inheritable(table: Table, shape: Shape) -> Table:
    """Return a table without the keys that belong to their own file only."""
    entries: dict[str, Node] = {}
    for key, node in table.entries.items():
        below = shape.below(table, key)
        if below.info is None or extra(below.info).get("inherited", True):
            entries[key] = inheritable(node, below) if isinstance(node, Table) else node
    return Table(entries, table.place, table.whole)


@cache
def _declared(models: tuple[type[BaseModel], ...]) -> dict[str, Shape]:
    """Return what some models declare, the first of a name; asked for the same models again and again."""
    shapes: dict[str, Shape] = {}
    for model in models:
        for name, info in model.model_fields.items():
            shapes.setdefault(info.alias or name, Shape(info.annotation, info, extra(info).get("catalog")))
    return shapes


def _alternatives(annotation: Any) -> tuple[Any, ...]:
    """Return the members of a union without None, each without what `Annotated` adds."""
    origin = get_origin(annotation)
    if origin is Annotated:
        inner, *about = get_args(annotation)
        known = [entry.kinds(inner) for entry in about if isinstance(entry, Alternatives)]
        return known[0] if known else _alternatives(inner)
    if origin in {Union, types.UnionType}:
        return tuple(inner for arg in get_args(annotation) for inner in _alternatives(arg))
    return () if annotation in {None, type(None)} else (annotation,)


def _declaration(annotation: Any) -> FieldInfo | None:
    """Return the quantity that an item is declared as: tuple[Annotated[Quantity, quantity("s", "...")], ...]."""
    return next((info for info in getattr(annotation, "__metadata__", ()) if isinstance(info, FieldInfo)), None)


def _is_model(annotation: Any) -> bool:
    return isinstance(annotation, type) and issubclass(annotation, BaseModel)


def _choices(info: FieldInfo) -> tuple[object, ...]:
    return Shape(info.annotation).choices


def _value(node: Node | None) -> object:
    return node.value if isinstance(node, Leaf) else None


def _differ(under: Table, over: Table, tag: str | None) -> bool:
    if tag is None or tag not in under.entries or tag not in over.entries:
        return False
    return _value(under.entries[tag]) != _value(over.entries[tag])
