"""One value of a TOML text changed as a hand would: its line changes, or one line is added, and all else stays.

A value that the text states is replaced where it stands. One that comes from a named part is laid over it on the
line of the name: `cluster = "12-h1"` becomes `cluster = { use = "12-h1", groups.workers.count = 24 }`. One that the
text does not mention gets a line of its own at the end of the table to which it belongs.
"""

from __future__ import annotations

import copy
import re
import tomllib
from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Any

import tomlkit
from tomlkit.items import InlineTable, Item

from models.problem import Problem, ProblemError
from profiles.loading.overrides import key_of, value_of
from profiles.text.lines import Key, locate
from profiles.text.toml import parsed
from profiles.text.tree import dotted

_NOTHING: Mapping[str, str] = MappingProxyType({})
BESIDE = ("sources", "ranges")  # tables that say something of the values beside them


def set_value(
    text: str, written: str, value: str, *, is_text: bool = False, usual: Mapping[str, str] = _NOTHING
) -> str:
    """Return a TOML text in which the dotted key `written` has a value, given as typed: 24, or 25 Gbit/s.

    `is_text`: the value is text even if it looks like a number. `usual` names the parts that the text takes without
    naming them: a value within one is laid over it.

    Raises:
        ProblemError: the text is no TOML, the key is none, or it stands where one line cannot change it.
    """
    key, given = key_of(written), value if is_text else value_of(value)
    if key is not None and len(key) > 1 and key[0] in usual and key[0] not in (_data(text) or usual):
        text = set_value(text, f"{key[0]}", usual[f"{key[0]}"], is_text=True)
    steps = None if key is None else _steps(text, key)
    if steps is None:
        raise ProblemError([Problem("", None, written, "cannot be set here; write it into the text")])
    wanted = _with(parsed(text), steps, given)
    changed = _changed(text, steps, given)
    if changed is None or _data(changed) != wanted:
        raise ProblemError([Problem("", None, written, "one line cannot set this; write it into the text")])
    return _without_beside(changed, steps, "ranges")


def unset_value(text: str, written: str) -> str:
    """Return a TOML text that no longer states a value of a dotted key, nor the source and the range of that value.

    Raises:
        ProblemError: the text does not state the value, or not in a way that taking out a line or a part of it undoes.
    """
    key = key_of(written)
    steps = None if key is None else _steps(text, key)
    if not steps or not is_stated(text, written):
        raise ProblemError([Problem("", None, written, "is not stated here")])
    for name in BESIDE:
        text = _without_beside(text, steps, name)
    wanted = _without(parsed(text), steps)
    for changed in (_row_taken_out(text, steps), _shortened(text, steps)):
        if changed is not None and _pruned(_data(changed)) == _pruned(wanted):
            return changed
    raise ProblemError([Problem("", None, written, "one line cannot undo this; take it out of the text")])


def _without_beside(text: str, steps: Key, name: str) -> str:
    """Return the text without the source, or the range, of a value: a new value is no longer the likely one."""
    beside = (*steps[:-1], name, steps[-1])
    return text if _at(parsed(text), beside) is None else unset_value(text, dotted(beside))


def is_stated(text: str, written: str) -> bool:
    """Tell whether a TOML text itself states a value, or names a part, at a dotted key."""
    key = key_of(written)
    steps = None if key is None else _steps(text, key)
    stated = _at(parsed(text), steps) if steps else None
    return stated is not None and not isinstance(stated, dict)


def _data(text: str) -> dict[str, Any] | None:
    """Return the data of a text, None where it is no TOML."""
    try:
        return parsed(text)
    except tomllib.TOMLDecodeError:
        return None


def _at(data: Any, steps: Key) -> Any:
    """Return what stands at a key in TOML data, None for nothing."""
    for step in steps:
        if isinstance(data, list) and isinstance(step, int) and step < len(data):
            data = data[step]
        else:
            data = data.get(step) if isinstance(data, dict) else None
    return data


def _without(data: Any, steps: Key) -> Any:
    """Return TOML data without one value."""
    step, *rest = steps
    if isinstance(data, list):
        return [_without(item, tuple(rest)) if i == step else item for i, item in enumerate(data)]
    if not rest:
        return {name: value for name, value in data.items() if name != step}
    return {name: _without(value, tuple(rest)) if name == step else value for name, value in data.items()}


def _pruned(data: Any) -> Any:
    """Return TOML data in which empty tables are left out, and a part that is only named is its name."""
    if isinstance(data, list):
        return [_pruned(item) for item in data]
    if not isinstance(data, dict):
        return data
    pruned = {name: _pruned(value) for name, value in data.items()}
    pruned = {name: value for name, value in pruned.items() if value != {}}
    return pruned["use"] if pruned.keys() == {"use"} else pruned


def _row_taken_out(text: str, steps: Key) -> str | None:
    """Return the text without the line on which a key begins; None where it has none."""
    rows, line = text.split("\n"), locate(text).get(steps)
    if line is None:
        return None
    del rows[line - 1]
    return "\n".join(rows)


def _shortened(text: str, steps: Key) -> str | None:
    """Return the text with the inline table that holds a key written without it; None where it is in none."""
    document = tomlkit.parse(text)
    container: Any = document
    for depth, step in enumerate(steps[:-1]):
        item = container[step]
        if isinstance(item, InlineTable):
            container[step] = _item(_pruned(_without(item.unwrap(), steps[depth + 1 :])))
            return tomlkit.dumps(document)
        container = item
    return None


def _steps(text: str, key: Key) -> Key | None:
    """Return the key with the indices of arrays as numbers, None where the text is no TOML or has no such item."""
    node: Any = _data(text)
    if node is None:
        return None
    steps: list[str | int] = []
    for step in key:
        if isinstance(node, list):
            if not str(step).isdecimal() or int(step) >= len(node):
                return None
            steps.append(int(step))
            node = node[int(step)]
        else:
            steps.append(step)
            node = node.get(step) if isinstance(node, dict) else None
    return tuple(steps)


def _with(data: Any, steps: Key, value: object) -> Any:
    """Return TOML data with one value set; the name of a part becomes a table that uses it."""
    if not steps:
        return value
    step, *rest = steps
    if isinstance(step, int):
        return [_with(item, tuple(rest), value) if i == step else item for i, item in enumerate(data)]
    table = data if isinstance(data, dict) else {} if data is None else {"use": data}
    return {**table, step: _with(table.get(str(step)), tuple(rest), value)}


def _changed(text: str, steps: Key, value: object) -> str | None:
    """Return the text with a line changed or added; None where that needs more than a line."""
    document = tomlkit.parse(text)
    container: Any = document
    for depth, step in enumerate(steps):
        is_there = isinstance(container, list) or step in container
        if not is_there:
            return _added(text, steps, _literal(value))
        item = container[step]
        is_last = depth == len(steps) - 1
        if is_last or isinstance(item, (str, InlineTable)):
            plain = item.unwrap() if isinstance(item, Item) else item
            container[step] = _item(_with(copy.deepcopy(plain), steps[depth + 1 :], value))
            return tomlkit.dumps(document)
        container = item
    return None


def _item(value: object) -> Item:
    """Return data as one line of TOML."""
    return tomlkit.value(_literal(value))


def _literal(value: object) -> str:
    """Return data as TOML writes it in one line; the keys of tables in it are dotted."""
    if isinstance(value, dict):
        pairs = ", ".join(f"{dotted(key)} = {_literal(leaf)}" for key, leaf in _leaves(value))
        return f"{{ {pairs} }}" if pairs else "{}"
    if isinstance(value, list):
        return f"[{', '.join(map(_literal, value))}]"
    return str(tomlkit.item(value).as_string())


def _leaves(table: dict[str, Any], above: Key = ()) -> Iterator[tuple[Key, object]]:
    for key, value in table.items():
        if isinstance(value, dict) and value:
            yield from _leaves(value, (*above, key))
        else:
            yield (*above, key), value


def _added(text: str, steps: Key, literal: str) -> str:
    """Return the text with a line for a key, at the end of the innermost table that has a header of its own."""
    rows = text.split("\n")
    headers = _headers(text, rows)
    owner = max((key for key in headers if key == steps[: len(key)]), key=len, default=())
    start = headers.get(owner, 0)
    end = min((line - 1 for line in headers.values() if line > start), default=len(rows))
    while end > start and re.match(r"\s*(#.*)?$", rows[end - 1]):
        end -= 1
    rows.insert(end, f"{dotted(steps[len(owner) :])} = {literal}")
    if end == 0 and len(rows) > 1 and rows[1].strip():
        rows.insert(1, "")
    return "\n".join(rows)


def _headers(text: str, rows: list[str]) -> dict[Key, int]:
    """Return the line of the header of each table that has one; of the items of an array of tables, too."""
    return {key: line for key, line in locate(text).items() if _opens(rows[line - 1], key)}


def _opens(row: str, key: Key) -> bool:
    """Tell whether a row is the header of the table of a key, not of one below or above it."""
    name = re.match(r"\s*\[+(.*?[^\]])\]++\s*(#.*)?$", row)
    path = key_of(name[1]) if name else None
    return path is not None and tuple(step for step in key if isinstance(step, str)) == path
