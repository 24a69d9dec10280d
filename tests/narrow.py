"""Say in a test which of several kinds a value is: it fails where the value is another."""

from __future__ import annotations

from typing import TypeVar

T = TypeVar("T")


def as_a(kind: type[T], value: object) -> T:
    """Return a value that is of a kind."""
    assert isinstance(value, kind), f"expected {kind.__name__} (got {value!r})"
    return value


def some(value: T | None) -> T:
    """Return a value that is not None."""
    assert value is not None
    return value
