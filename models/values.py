"""Values: what is made once and never changed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import MISSING, dataclass, field, fields
from operator import attrgetter
from typing import Any, TypeVar, dataclass_transform

T = TypeVar("T")


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def value(*, eq: bool = True, slots: bool = True, kw_only: bool = False) -> Callable[[type[T]], type[T]]:
    """Return what makes a class one of values, of which a run makes millions.

    That nobody changes one is for the type checker to see: a guard at run time doubles the time that making one takes.
    Python compiles a text for each method of a dataclass, six for a frozen one, which takes most of the time in which a
    module of values is imported. Here it compiles one, `__init__`, and that when the first of a class is made: a run
    makes values of a third of the classes that it imports. How values compare and read needs no text.
    """

    def made(described: type[T]) -> type[T]:
        kind = dataclass(init=False, repr=False, eq=False, slots=slots, kw_only=kw_only)(described)
        methods: dict[str, Any] = {"__init__": _first(kind), "__repr__": _told, **(_compared(kind) if eq else {})}
        for name, method in methods.items():
            if vars(kind).get(name) is None:  # a class that says how it is equal has None as its hash
                setattr(kind, name, method)
        return kind

    return made


def _first(kind: Any) -> Callable[..., None]:
    """Return an `__init__` that puts the one of a dataclass in its place when it is called."""

    def make_first(value: Any, /, *args: Any, **stated: Any) -> None:
        kind.__init__ = _initial(kind)
        kind.__init__(value, *args, **stated)

    return make_first


def _initial(kind: Any) -> Callable[..., None]:
    """Return what a dataclass with the fields of a kind of values has as its `__init__`.

    Python makes it by way of another class, which takes four times as long.
    """
    known: dict[str, Any] = {"MISSING": MISSING}
    plain, named, body = ["self"], ["*"], []
    has_slots = "__slots__" in vars(kind)  # which have no value until `__init__` gives them one
    for entry in fields(kind):
        name, usual = entry.name, f"__{entry.name}__"
        is_made = entry.default_factory is not MISSING
        is_optional = is_made or entry.default is not MISSING
        known[usual] = entry.default_factory if is_made else entry.default
        made = f"{usual}()" if is_made else usual
        if entry.init:
            optional = f"{name}={'MISSING' if is_made else usual}"
            (named if entry.kw_only else plain).append(optional if is_optional else name)
            body.append(f"self.{name} = {f'{made} if {name} is MISSING else ' if is_made else ''}{name}")
        elif is_made or (has_slots and is_optional):
            body.append(f"self.{name} = {made}")
    if hasattr(kind, "__post_init__"):
        body.append("self.__post_init__()")
    parameters = ", ".join(plain + (named if named[1:] else []))
    exec(f"def __init__({parameters}):\n " + "\n ".join(body or ["pass"]), known)
    initial: Callable[..., None] = known["__init__"]
    initial.__qualname__ = f"{kind.__qualname__}.__init__"
    return initial


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
