"""One TOML text as a tree of values with lines, sources and ranges. Says what is wrong with its syntax and those."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Callable, Mapping
from itertools import islice
from typing import Any, TypeVar

from models.problem import Problem, RefusalError, did_you_mean
from models.values import value
from profiles.text.lines import Key, locate
from profiles.text.provenance import UNSURE, Source, read_source
from profiles.text.ranges import ALL, read_range
from profiles.text.toml import parsed
from profiles.text.tree import Array, Leaf, Node, Place, Range, Table, dotted

BESIDE = {"source", "sources", "ranges"}
"""Keys of a table that say something of the values in it."""


@value()
class _Said:
    """What is said of the values of a table: their source, and the range of those that are not sure."""

    source: Source | None = None
    range: Range | None = None


_MOST_STRAY = 100  # Assumption: keys beside none that somebody reads of
_LONGEST_ROW = 1000  # Assumption: characters of a row that are looked at for what is wrong with its syntax
T = TypeVar("T")


class Document:
    """Reads one text; `problems` collects what is wrong with it. `file` is its name in them."""

    def __init__(self, text: str, file: str) -> None:
        self.problems: list[Problem] = []
        self._text = text
        self._file = file
        self._lines: Mapping[Key, int] = {}

    def tree(self) -> Table | None:
        """Return the values of the text, None if it is not TOML."""
        try:
            data = parsed(self._text)
        except tomllib.TOMLDecodeError as error:
            self.problems.append(_syntax_problem(str(error), self._text, self._file))
            return None
        self._lines = locate(self._text)
        return self._table(data, (), _Said())

    def _place(self, key: Key) -> Place:
        return Place(self._file, self._lines.get(key), key)

    def _node(self, value: object, key: Key, inherited: _Said, own: Range | None = None) -> Node:
        """Return a value that takes what is said above it as `inherited`; it may have a range of its own."""
        if isinstance(value, dict):
            return self._table(value, key, inherited)
        if isinstance(value, list):
            items = tuple(self._node(item, (*key, index), inherited, own) for index, item in enumerate(value))
            return Array(items, self._place(key))
        is_unsure = inherited.source is not None and inherited.source.kind in UNSURE
        return Leaf(value, self._place(key), inherited.source, own or (inherited.range if is_unsure else None))

    def _table(self, data: dict[str, Any], key: Key, inherited: _Said) -> Table:
        """Return a table without its `source`, `sources` and `ranges`, which go to the values in it."""
        source = self._source(data["source"], (*key, "source")) if "source" in data else inherited.source
        values = {name: value for name, value in data.items() if name not in BESIDE}
        sources = self._beside(data, (*key, "sources"), values, self._source)
        ranges = self._beside(data, (*key, "ranges"), {**values, ALL: None}, self._range)
        of_all = ranges.pop(ALL, inherited.range)
        nodes = {
            name: self._node(value, (*key, name), _Said(sources.get(name, source), of_all), ranges.get(name))
            for name, value in values.items()
        }
        return Table(nodes, self._place(key))

    def _beside(
        self, data: dict[str, Any], key: Key, values: Mapping[str, object], read: Callable[[object, Key], T]
    ) -> dict[str, T]:
        """Return what a table says of single keys in a table of its own."""
        entries = data.get(f"{key[-1]}", {})
        if not isinstance(entries, dict):
            self._complain(key, "expected a table with an entry a key")
            return {}
        for name in islice(entries.keys() - values.keys(), _MOST_STRAY):
            self._complain((*key, name), f"there is no such key beside it{did_you_mean(name, values)}")
        return {name: read(entry, (*key, name)) for name, entry in entries.items()}

    def _source(self, stated: object, key: Key) -> Source | None:
        try:
            return read_source(stated, self._file)
        except ValueError as error:
            self._complain(key, str(error))
            return None

    def _range(self, stated: object, key: Key) -> Range | None:
        try:
            return read_range(stated, f"{key[-1]}", self._place(key))
        except RefusalError as error:
            self._complain(key, str(error))
            return None

    def _complain(self, key: Key, message: str) -> None:
        self.problems.append(Problem(self._file, self._lines.get(key), dotted(key), message))


def _syntax_problem(error: str, text: str, file: str) -> Problem:
    """Return what `tomllib` found, with its line; duplicate keys and numbers without quotes in our words."""
    match = re.fullmatch(r"(.*?) \(at (?:line (\d+), column (\d+)|end of document)\)", error, re.DOTALL)
    what, line_text, column = match.groups() if match else (error, None, None)
    rows = [row[:_LONGEST_ROW] for row in text.split("\n")]
    line = int(line_text) if line_text else len(rows)
    row = rows[line - 1]
    if re.match(r"Cannot (overwrite|declare|mutate)|Duplicate", what):
        key = _key_of(rows[:line])
        named = _named_above(key, rows[: line - 1], is_table="=" not in row)
        if named is None:
            return Problem(file, line, key, "given twice; keep one")
        table, name = named
        way_out = f"to change keys of it, name it within: use = {json.dumps(name)} in [{table}]"
        return Problem(file, line, key, f"{table} is named already, as {name!r}; {way_out}")
    where = f", column {column}" if column else ", end of file"
    bare = re.match(r"[^=#]+=\s*([+-]?\d[\d.]*\s*[A-Za-zµ%][^\"'#]{0,60})(#.*)?$", row)
    hint = f'; text needs quotes: "{bare[1].rstrip()}"' if bare else ""
    return Problem(file, line, "", f"TOML syntax{where}: {what[:1].lower()}{what[1:]}{hint}")


def _key_of(rows: list[str]) -> str:
    """Return the key, or the table, that the last of some rows states, as far as the rows tell."""
    headers = [match[1].strip() for row in rows if (match := re.fullmatch(r"\s*\[+([^\[\]]+)\]+\s*(#.*)?", row))]
    name = re.match(r"([^=\[\]]+)=", rows[-1])
    return ".".join([*headers[-1:], *([name[1].strip()] if name else [])])


def _named_above(key: str, rows: list[str], *, is_table: bool) -> tuple[str, str] | None:
    """Return the part of a key that some rows before it give as a name, and that name; None where they give none."""
    try:
        value: object = parsed("\n".join(rows))
    except tomllib.TOMLDecodeError:  # the key stands within a value of several lines
        return None
    parts = key.split(".")
    for count, part in enumerate(parts, 1):
        value = value.get(part) if isinstance(value, dict) else None
        if isinstance(value, str) and (is_table or count < len(parts)):
            return ".".join(parts[:count]), value
    return None
