"""TOML as plain tables and back, for what a form edits whole. Checks nothing but the syntax."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Sequence
from typing import Any

from models.problem import Problem, ProblemError
from profiles.loading.overrides import key_of
from profiles.text.lines import Key
from profiles.text.toml import parsed
from profiles.text.tree import dotted

_HEADER = re.compile(r"(\s*\[+)((?:[^\[\]][^\]]*)?)(\]+\s*(?:#.*)?)")


def tables_of(text: str) -> dict[str, Any]:
    """Return what a text states.

    Raises:
        ProblemError: it is not TOML.
    """
    try:
        return parsed(text)
    except tomllib.TOMLDecodeError as error:
        raise ProblemError([Problem("", None, "", f"is not TOML: {error}")]) from None


def text_of(tables: dict[str, Any]) -> str:
    """Return tables as TOML, single values of each before its tables."""
    import tomlkit

    return tomlkit.dumps(_ordered(tables))


def rewritten(text: str, tables: dict[str, Any]) -> str:
    """Return a text that states some tables, as near to another text as can be: what stays keeps place and comments.

    The text is written anew where a table stands in another order than before, as one that has another name does.

    Raises:
        ProblemError: the other text is not TOML.
    """
    import tomlkit

    tables_of(text)
    document = tomlkit.parse(text)
    try:
        _lay(document, _ordered(tables))
        changed = tomlkit.dumps(document)
        reread = parsed(changed)
    except (
        LookupError,
        ValueError,
    ):  # tables that stand apart, such as [a.b] after [c]
        return text_of(tables)
    return changed if reread == tables and _order(reread) == _order(tables) else text_of(tables)


def renamed(text: str, table: Key, name: str) -> str:
    """Return a text in which a table, by the keys that lead to it, has another name and its place and comments.

    Raises:
        ProblemError: the text is not TOML.
    """
    wanted = _with_name(tables_of(text), table, name)
    rows = text.split("\n")
    for number, row in enumerate(rows):
        header = _HEADER.fullmatch(row)
        keys = key_of(header[2]) if header else None
        if header is not None and keys is not None and keys[: len(table)] == table:
            rows[number] = f"{header[1]}{dotted((*table[:-1], name, *keys[len(table) :]))}{header[3]}"
    changed = "\n".join(rows)
    return changed if parsed(changed) == wanted else text_of(wanted)


def _with_name(tables: dict[str, Any], table: Key, name: str) -> dict[str, Any]:
    first, *rest = table
    if not rest:
        return {name if key == first else key: value for key, value in tables.items()}
    return {key: _with_name(value, tuple(rest), name) if key == first else value for key, value in tables.items()}


def _lay(container: Any, wanted: dict[str, Any]) -> None:
    """Let a table of a document state what is wanted, and nothing else."""
    for key in [key for key in container if key not in wanted]:
        del container[key]
    for key, value in wanted.items():
        stated = container.get(key)
        if isinstance(stated, dict) and isinstance(value, dict):
            _lay(stated, value)
        elif isinstance(stated, list) and _is_table(stated) and _is_table(value):
            _lay_items(stated, value)
        elif key not in container or stated != value:
            container[key] = value


def _lay_items(items: Any, wanted: Sequence[dict[str, Any]]) -> None:
    """Let an array of tables have the items that are wanted: the first and the last that are the same stay."""
    first = next((i for i, (one, other) in enumerate(zip(items, wanted, strict=False)) if one != other), None)
    first = min(len(items), len(wanted)) if first is None else first
    while len(items) > len(wanted):
        del items[first]
    for item, value in zip(items, wanted, strict=False):
        _lay(item, value)
    for value in wanted[len(items) :]:
        items.append(value)


def _order(tables: dict[str, Any]) -> list[Any]:
    """Return the names of tables in their order, each with those in it."""
    return [(key, _order(value)) for key, value in tables.items() if isinstance(value, dict)]


def _ordered(tables: dict[str, Any]) -> dict[str, Any]:
    ordered = {key: _ordered(value) if isinstance(value, dict) else value for key, value in tables.items()}
    ordered = {
        key: [_ordered(entry) if isinstance(entry, dict) else entry for entry in value]
        if isinstance(value, list)
        else value
        for key, value in ordered.items()
    }
    return dict(sorted(ordered.items(), key=lambda entry: _is_table(entry[1])))


def _is_table(value: object) -> bool:
    return isinstance(value, dict) or (isinstance(value, list) and any(isinstance(entry, dict) for entry in value))
