"""Contracts filled from what was computed: the keys that their types name are looked up there, and said only once."""

from __future__ import annotations

import types
from collections.abc import Callable
from functools import cache, partial
from typing import Any, NotRequired, TypeVar, Union, cast, get_args, get_origin, get_type_hints

from typing_extensions import is_typeddict

Contract = TypeVar("Contract")
UNITS = ("_s", "_w")
"""What keys of seconds and watts end in, and attributes do not."""


def filled(contract: type[Contract], /, *sources: object, **stated: Any) -> Contract:
    """Return the data of a contract in the order of its keys: what is stated, else what the first source knows.

    A source knows a key by an attribute of that name. What is a contract itself, alone, in a list or by name, is filled
    likewise; a target or a problem is its text.
    """
    data = {
        key: stated[key] if key in stated else _looked_up(sources, key, hint)
        for key, hint in _hints(contract).items()
        if key in stated or get_origin(hint) is not NotRequired
    }
    return cast(Contract, data)


_hints: Callable[[Any], dict[str, Any]] = cache(partial(get_type_hints, include_extras=True))


def _looked_up(sources: tuple[object, ...], key: str, hint: Any) -> Any:
    if key == "schema":
        return get_args(hint)[0]
    name = key[:-2] if key.endswith(UNITS) else key
    return _told(hint, getattr(next((source for source in sources[:-1] if hasattr(source, name)), sources[-1]), name))


def _told(hint: Any, value: Any) -> Any:
    """Return an attribute as data of a type."""
    origin, inner = get_origin(hint), get_args(hint)
    if value is None:
        return None
    if origin in (types.UnionType, Union):
        return _told(inner[0], value)  # the other is None
    if is_typeddict(hint):
        return filled(hint, value)
    if origin is list:
        return [_told(inner[0], entry) for entry in value]
    if origin is dict:
        return {name: _told(inner[1], entry) for name, entry in value.items()}
    return f"{value}" if hint is str else value
