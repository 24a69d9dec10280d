"""What puts a problem right on a click: a value or a name that its way out offers, or that something is taken away.

A message says its way out in one of a few forms; what is an example only ("such as '2 TB'") is none. Knows no Qt.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from app.gui.session.tables import Tables, at, dropped, keys_of, put
from models.problem import Problem

MEANT = re.compile(r"did you mean '([^']+)'\?")
NAMED = re.compile(r"(?:it has|they have|there are|name one of):? ((?:'?[\w.-]+'?(?:, | or )?)+)")
REMOVED = re.compile(r"remove \[([\w.]+)\]")
UNKNOWN = "unknown key"
MOST = 4
"""Ways out that are offered for one problem: more are a catalogue, which the cards have."""


@dataclass(frozen=True, slots=True)
class Fix:
    """One way out in words, and the tables of the text in which it is taken."""

    words: str
    tables: Tables


def fixes(problem: Problem, tables: Tables) -> list[Fix]:
    """Return the ways out of a problem of a text that states some tables, the likeliest first."""
    keys = keys_of(problem.key)
    if not keys:
        return []
    return [fix for fix in _all(problem, keys, tables) if fix.tables != tables][:MOST]


def _all(problem: Problem, keys: tuple[str | int, ...], tables: Tables) -> Iterator[Fix]:
    message = problem.message
    if message.startswith(UNKNOWN):
        if at(tables, keys) is None:
            return  # it stands in the file of a part
        left = dropped(tables, keys)
        for name in MEANT.findall(message):
            yield Fix(f"Call it {name}", put(left, (*keys[:-1], name), at(tables, keys)))
        yield Fix("Remove it", left)
        return
    listed = [name for names in NAMED.findall(message) for name in re.split(r", | or ", names)]
    for name in dict.fromkeys([*MEANT.findall(message), *(word.strip("'") for word in listed)]):
        if name:
            yield Fix(f"Use {name}", put(tables, keys, name))
    for table in REMOVED.findall(message):
        if at(tables, keys_of(table)) is not None:
            yield Fix(f"Remove {table}", dropped(tables, keys_of(table)))
