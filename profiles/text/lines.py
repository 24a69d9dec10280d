"""The line on which each key of a TOML text stands, down to the items of arrays and inline tables.

`tomllib` gives the data without places. This scanner reads the same text once more and only has to find keys in it:
it expects text that `tomllib` has accepted, so it checks nothing.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from typing import NamedTuple

Key = tuple[str | int, ...]

_TOKEN = re.compile(
    r"""(?P<skip> [ \t\r]+ | \#[^\n]* )
      | (?P<newline> \n (?: [ \t\r]*+ (?: \#[^\n]*+ )? \n )*+ )  # with the lines behind it that hold nothing
      | (?P<quoted> \"{3} (?:\\.|[^\\])*? \"{3,5} | '{3} .*? '{3,5} | " (?:\\.|[^"\\])* " | ' [^']* ' )
      | (?P<mark> [\[\]{}=,.] )
      | (?P<bare> [^\s\[\]{}=,.\#"']+ )""",
    re.VERBOSE | re.DOTALL,
)


class _Token(NamedTuple):
    kind: str
    text: str
    line: int


def locate(text: str) -> dict[Key, int]:
    """Return the line, counted from 1, of every key path and array item of a valid TOML text."""
    return _Scanner(text).lines


def _tokens(text: str) -> Iterator[_Token]:
    line = 1
    for match in _TOKEN.finditer(text):
        kind = match.lastgroup or ""
        if kind != "skip":
            yield _Token(kind, match.group(), line)
        line += match.group().count("\n")
    yield _Token("end", "", line)


class _Scanner:
    """Walks over the tokens once; `lines` is what it has found."""

    def __init__(self, text: str) -> None:
        self.lines: dict[Key, int] = {}
        self._tokens = _tokens(text)
        self._next = next(self._tokens)
        self._array_lengths: dict[Key, int] = {}  # of the arrays of tables so far
        table: Key = ()
        while self._next.kind != "end":
            if self._next.kind == "newline":
                self._take()
            elif self._next.text == "[":
                table = self._header()
            else:
                self._pair(table)

    def _take(self) -> _Token:
        token = self._next
        if token.kind != "end":
            self._next = next(self._tokens)
        return token

    def _header(self) -> Key:
        """Read [a.b] or [[a.b]] and return the path of the table that it opens."""
        line = self._take().line
        is_array = self._next.text == "["
        if is_array:
            self._take()
        *parents, name = self._names()
        while self._next.text == "]":
            self._take()
        path: Key = ()
        for parent in parents:
            path = self._mark((*path, parent), line)
            path += (self._array_lengths[path] - 1,) if path in self._array_lengths else ()
        path = (*path, name)
        if is_array:
            self._mark(path, line)
            self._array_lengths[path] = self._array_lengths.get(path, 0) + 1
            path = (*path, self._array_lengths[path] - 1)
        self.lines[path] = line  # of its own header, wherever one below it may have named the table before
        return path

    def _names(self) -> list[str]:
        """Read a dotted key."""
        names = [self._name()]
        while self._next.text == ".":
            self._take()
            names.append(self._name())
        return names

    def _name(self) -> str:
        token = self._take()
        return str(tomllib.loads(f"key = {token.text}")["key"]) if token.kind == "quoted" else token.text

    def _pair(self, table: Key) -> None:
        line = self._next.line
        path = table
        for name in self._names():
            path = self._mark((*path, name), line)
        self._take()  # the equals sign
        self._value(path)

    def _value(self, path: Key) -> None:
        if self._next.text == "[":
            self._array(path)
        elif self._next.text == "{":
            self._inline_table(path)
        elif self._take().kind != "quoted":
            while self._next.kind == "bare" or self._next.text == ".":  # 3.14, or a date and a time
                self._take()

    def _array(self, path: Key) -> None:
        self._take()
        index = 0
        while self._next.text != "]":
            if self._next.kind == "newline" or self._next.text == ",":
                self._take()
            else:
                self._value(self._mark((*path, index), self._next.line))
                index += 1
        self._take()

    def _inline_table(self, path: Key) -> None:
        self._take()
        while self._next.text != "}":
            if self._next.text == ",":
                self._take()
            else:
                self._pair(path)
        self._take()

    def _mark(self, path: Key, line: int) -> Key:
        self.lines.setdefault(path, line)
        return path
