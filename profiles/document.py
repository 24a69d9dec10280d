"""One TOML text as a tree of values with their lines and sources. Says what is wrong with its syntax and sources."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from typing import Any

from models.problem import Problem, did_you_mean
from profiles.lines import Key, locate
from profiles.provenance import Source, read_source
from profiles.tree import Array, Leaf, Node, Place, Table, dotted


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
            data = tomllib.loads(self._text)
        except tomllib.TOMLDecodeError as error:
            self.problems.append(_syntax_problem(str(error), self._text, self._file))
            return None
        self._lines = locate(self._text)
        return self._table(data, (), None)

    def _place(self, key: Key) -> Place:
        return Place(self._file, self._lines.get(key), key)

    def _node(self, value: object, key: Key, source: Source | None) -> Node:
        if isinstance(value, dict):
            return self._table(value, key, source)
        if isinstance(value, list):
            items = tuple(self._node(item, (*key, index), source) for index, item in enumerate(value))
            return Array(items, self._place(key))
        return Leaf(value, self._place(key), source)

    def _table(self, data: dict[str, Any], key: Key, inherited: Source | None) -> Table:
        """Return a table without its `source` and `sources`, which go to the values in it."""
        source = self._source(data["source"], (*key, "source")) if "source" in data else inherited
        values = {name: value for name, value in data.items() if name not in {"source", "sources"}}
        own = self._own_sources(data.get("sources", {}), (*key, "sources"), values)
        nodes = {name: self._node(value, (*key, name), own.get(name, source)) for name, value in values.items()}
        return Table(nodes, self._place(key))

    def _own_sources(self, said: object, key: Key, values: Mapping[str, object]) -> dict[str, Source | None]:
        if not isinstance(said, dict):
            self._complain(key, "expected a table of texts, one a key")
            return {}
        for name in said.keys() - values.keys():
            self._complain((*key, name), f"there is no such key beside it{did_you_mean(name, values)}")
        return {name: self._source(text, (*key, name)) for name, text in said.items()}

    def _source(self, said: object, key: Key) -> Source | None:
        try:
            return read_source(said, self._file)
        except ValueError as error:
            self._complain(key, str(error))
            return None

    def _complain(self, key: Key, message: str) -> None:
        self.problems.append(Problem(self._file, self._lines.get(key), dotted(key), message))


def _syntax_problem(error: str, text: str, file: str) -> Problem:
    """Return what `tomllib` found, with its line; duplicate keys and numbers without quotes in our words."""
    found = re.fullmatch(r"(.*?) \(at (?:line (\d+), column (\d+)|end of document)\)", error, re.DOTALL)
    what, line_text, column = found.groups() if found else (error, None, None)
    rows = text.split("\n")
    line = int(line_text) if line_text else len(rows)
    row = rows[line - 1]
    if re.match(r"Cannot (overwrite|declare|mutate)|Duplicate", what):
        return Problem(file, line, _key_of(rows[:line]), "given twice; keep one")
    where = f", column {column}" if column else ", end of file"
    bare = re.match(r"[^=#]+=\s*([+-]?\d[\d.]*\s*[A-Za-zµ%][^\"'#]*?)\s*(#.*)?$", row)
    hint = f'; text needs quotes: "{bare[1]}"' if bare else ""
    return Problem(file, line, "", f"TOML syntax{where}: {what[:1].lower()}{what[1:]}{hint}")


def _key_of(rows: list[str]) -> str:
    """Return the key, or the table, that the last of some rows states, as far as the rows tell."""
    headers = [match[1] for row in rows if (match := re.fullmatch(r"\s*\[+\s*([^\[\]]+?)\s*\]+\s*(#.*)?", row))]
    name = re.match(r"\s*([^=\[\]]+?)\s*=", rows[-1])
    return ".".join([*headers[-1:], *([name[1]] if name else [])])
