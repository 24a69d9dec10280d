"""A resolved profile as TOML text, sources and ranges beside the values, so that a result can be run again."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from models.hidden import escaped
from profiles.text.provenance import UNSURE
from profiles.text.ranges import ALL
from profiles.text.tree import Array, Leaf, Node, Range, Table, leaves, plain

STRING = re.compile(r'(.*? = )"((?:[^"\\]|\\.)*)"')
ARRAY = re.compile(r"(.*? = )\[(.*)\]")
ITEM = re.compile(r'"(?:[^"\\]|\\.)*"|[^",\s]+')
WORD = re.compile(r"(?:[^ \\]|\\u.{4}|\\U.{8}|\\.){1,48} *| +")
"""Where a string may be broken: behind spaces, and within the longest words, but not within an escape."""


def dump(resolved: Mapping[str, Any]) -> str:
    """Return the TOML text of `Loaded.resolved`; loading it again gives the same model, values, sources and ranges.

    What a text hides is written as its escape: the file of somebody else's title may be shown by a terminal.
    """
    import tomlkit  # half of what importing the loader would take

    return escaped(tomlkit.dumps(resolved))


def printed(resolved: Mapping[str, Any], columns: int) -> str:
    """Return what `dump` does in lines of so many letters, so that it can be copied from a printed page and run."""
    return "\n".join(line for whole in dump(resolved).split("\n") for line in _folded(whole, columns))


def _folded(line: str, columns: int) -> Iterator[str]:
    """Yield a line of TOML as lines that mean the same and are not too long, but for those that are one word."""
    if len(line) <= columns:
        yield line
    elif match := STRING.fullmatch(line):
        yield from _folded_string(match[1], match[2], columns)
    elif line.endswith("]") and (match := ARRAY.fullmatch(line)):
        yield f"{match[1]}["
        yield from (f"    {item[0]}," for item in ITEM.finditer(match[2]))
        yield "]"
    else:
        yield line


def _folded_string(key: str, body: str, columns: int) -> Iterator[str]:
    """Yield a string, as it stands between its quotes, in lines that are joined again when they are read."""
    line = f'{key}"""'
    for word in WORD.findall(body):
        if len(line) + len(word) + len('"""') > columns:
            yield f"{line}\\"
            line = ""
        line += word
    yield f'{line}"""'


def stated(tree: Table) -> dict[str, Any]:
    """Return a tree as TOML data with as few `source`, `sources` and `ranges` as say what each value rests on."""
    return _table(tree, None, None)


def _table(table: Table, inherited: str | None, outer: Range | None) -> dict[str, Any]:
    source, of_all = _common_source(table, inherited), outer or _common_range(table)
    own = {
        key: own_source
        for key, node in table.entries.items()
        if (own_source := _own_source(node)) and own_source != source
    }
    data: dict[str, Any] = {"source": source} if source != inherited else {}
    data |= {key: _data(node, source, of_all) for key, node in table.entries.items()}
    own_ranges = {key: _own_range(node) for key, node in table.entries.items()}
    ranges = {
        key: [own_range.low, own_range.high, own_range.knob]
        for key, own_range in own_ranges.items()
        if own_range and own_range != of_all
    }
    if of_all and of_all != outer:
        ranges[ALL] = [of_all.low, of_all.high, of_all.knob]
    return data | ({"sources": own} if own else {}) | ({"ranges": ranges} if ranges else {})


def _data(node: Node, inherited: str | None, outer: Range | None) -> Any:
    if isinstance(node, Table):
        return _table(node, inherited, outer)
    if isinstance(node, Array):
        return [_data(item, inherited, outer) for item in node.items]
    return plain(node)


def _common_range(table: Table) -> Range | None:
    """Return the range for all that is not sure in a table, None where one does not hold for all of it."""
    unsure = [leaf for _, leaf in leaves(table) if leaf.source and leaf.source.kind in UNSURE]
    ranges = {leaf.range for leaf in unsure if leaf.range is None or leaf.range.place.key[-1] == ALL}
    return ranges.pop() if len(ranges) == 1 else None


def _own_range(node: Node) -> Range | None:
    """Return the range of a value or of the values of a list."""
    if isinstance(node, Array) and node.items:
        return _own_range(node.items[0])
    return node.range if isinstance(node, Leaf) else None


def _common_source(table: Table, inherited: str | None) -> str | None:
    """Return the source to state for a whole table: none where it would also cover a value that has none."""
    sources = [leaf.source for _, leaf in leaves(table)]
    if not sources or not all(sources):
        return inherited
    direct = [source for node in table.entries.values() if (source := _own_source(node))]
    if not direct and inherited:
        return inherited
    counts = Counter(direct or map(str, sources))
    return max(counts, key=lambda source: (counts[source], source))


def _own_source(node: Node) -> str | None:
    """Return the source of a value or a list of values; tables state theirs themselves."""
    if isinstance(node, Array) and node.items:
        return _own_source(node.items[0])
    return str(node.source) if isinstance(node, Leaf) and node.source else None
