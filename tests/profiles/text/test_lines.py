"""The line of each key, for every way in which TOML can write one."""

from __future__ import annotations

import tomllib
from typing import Any

import tomlkit
from hypothesis import given, strategies as st

from profiles.text.lines import Key, locate

TEXT = '''\
# a comment with [brackets] and "quotes"
title = "a # b"   # c
"quoted key" = 1
a.b.c = 3.14

[table]   # comment
text = """
[not.a.table]
x = 1 \\""" still
"""
raw = \'\'\'
y = 2
\'\'\'
when = 1979-05-27 07:32:00
list = [
  1,  # one
  [2, 3],
  { x = 1, y.z = "}" },
]

[[disk]]
read = 1
[disk.cache]
size = 2

[[disk]]
read = 2
[[disk.part]]
n = 1
[[disk.part]]
n = 2
[other."x.y"]
k = -1
'''


def keys(value: object, path: Key = ()) -> list[Key]:
    own = [path] if path else []
    pairs = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return own + [key for step, below in pairs for key in keys(below, (*path, step))]


def test_every_key_is_found_on_its_line() -> None:
    lines = locate(TEXT)
    assert set(lines) == set(keys(tomllib.loads(TEXT)))
    assert {key: line for key, line in lines.items() if key[0] != "table"} == {
        ("title",): 2,
        ("quoted key",): 3,
        ("a",): 4,
        ("a", "b"): 4,
        ("a", "b", "c"): 4,
        ("disk",): 21,
        ("disk", 0): 21,
        ("disk", 0, "read"): 22,
        ("disk", 0, "cache"): 23,
        ("disk", 0, "cache", "size"): 24,
        ("disk", 1): 26,
        ("disk", 1, "read"): 27,
        ("disk", 1, "part"): 28,
        ("disk", 1, "part", 0): 28,
        ("disk", 1, "part", 0, "n"): 29,
        ("disk", 1, "part", 1): 30,
        ("disk", 1, "part", 1, "n"): 31,
        ("other",): 32,
        ("other", "x.y"): 32,
        ("other", "x.y", "k"): 33,
    }
    assert [lines[("table", *key)] for key in [("text",), ("raw",), ("when",), ("list",)]] == [7, 11, 14, 15]
    assert [lines[("table", "list", *key)] for key in [(0,), (1, 0), (2,), (2, "y", "z")]] == [16, 17, 18, 18]


def test_carriage_returns_do_not_count_as_lines() -> None:
    assert locate("a = 1\r\n[b]\r\nc = 2\r\n") == {("a",): 1, ("b",): 2, ("b", "c"): 3}


names = st.text(st.characters(codec="utf-8", exclude_characters="\r", exclude_categories=["Cc", "Cs"]), max_size=5)
scalars = st.integers(-9, 9) | st.booleans() | st.floats(allow_nan=False) | names
documents = st.dictionaries(
    names,
    st.recursive(scalars, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(names, inner, max_size=3)),
    max_size=4,
)


@given(documents)
def test_every_key_of_any_document_has_a_line(data: dict[str, Any]) -> None:
    text = tomlkit.dumps(data)
    assert set(locate(text)) == set(keys(tomllib.loads(text)))


def test_lines_that_hold_nothing_count_wherever_they_stand() -> None:
    text = "# one\n\n  # three\n[a]\n\n# six\n \t\r\nb = 1 # eight\n# nine\n\nc = [\n  # twelve\n  2,\n]\n"
    assert locate(text) == {("a",): 4, ("a", "b"): 8, ("a", "c"): 11, ("a", "c", 0): 13}
