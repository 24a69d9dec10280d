"""Values: what is made once and never changed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, fields
from operator import attrgetter
from typing import Any, TypeVar, dataclass_transform

T = TypeVar("T")


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def value(*, eq: bool = True, slots: bool = True, kw_only: bool = False) -> Callable[[type[T]], type[T]]:
    """Return what makes a class one of values, of which a run makes millions.

    That nobody changes one is for the type checker to see: a guard at run time doubles the time that making one takes.
    Python compiles a text for each method of a dataclass, six for a frozen one, which takes most of the time in which a
    module of values is imported. Here it compiles one, `__init__`; how values compare and read needs no text.
    """

    def made(described: type[T]) -> type[T]:
        kind = dataclass(repr=False, eq=False, slots=slots, kw_only=kw_only)(described)
        methods: dict[str, Any] = {"__repr__": _told, **(_compared(kind) if eq else {})}
        for name, method in methods.items():
            if vars(kind).get(name) is None:  # a class that says how it is equal has None as its hash
                setattr(kind, name, method)
        return kind

    return made


def _told(value: Any) -> str:
    """Return what would make a value again."""
    stated = (f"{entry.name}={getattr(value, entry.name)!r}" for entry in fields(value) if entry.repr)
    return f"{type(value).__qualname__}({', '.join(stated)})"


def _compared(kind: Any) -> dict[str, Any]:
    """Return how values of a kind are equal, and keys: by the fields that count for either."""
    same = _content([entry.name for entry in fields(kind) if entry.compare])
    key = _content([entry.name for entry in fields(kind) if (entry.compare if entry.hash is None else entry.hash)])

    def are_equal(value: object, other: object) -> bool:
        return same(value) == same(other) if type(value) is type(other) else NotImplemented

    return {"__eq__": are_equal, "__hash__": lambda value: hash(key(value))}


def _content(names: list[str]) -> Callable[[object], tuple[Any, ...]]:
    """Return what takes fields of a value as a tuple."""
    if len(names) > 1:
        several: Callable[[object], tuple[Any, ...]] = attrgetter(*names)
        return several
    return lambda value: tuple(getattr(value, name) for name in names)
