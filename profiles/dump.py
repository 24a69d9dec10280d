"""A resolved profile as TOML text, its sources beside the values, so that a result can be run again."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from profiles.tree import Array, Leaf, Node, Table, leaves, plain


def dump(resolved: Mapping[str, Any]) -> str:
    """Return the TOML text of `Loaded.resolved`; loading it again gives the same model, values and sources."""
    import tomlkit  # half of what importing the loader would take

    return tomlkit.dumps(resolved)


def stated(tree: Table) -> dict[str, Any]:
    """Return a tree as TOML data with as few `source` and `sources` keys as say what each value rests on."""
    return _table(tree, None)


def _table(table: Table, inherited: str | None) -> dict[str, Any]:
    source = _common_source(table, inherited)
    own = {key: said for key, node in table.entries.items() if (said := _own_source(node)) and said != source}
    data: dict[str, Any] = {"source": source} if source != inherited else {}
    data |= {key: _data(node, source) for key, node in table.entries.items()}
    return data | ({"sources": own} if own else {})


def _data(node: Node, inherited: str | None) -> Any:
    if isinstance(node, Table):
        return _table(node, inherited)
    if isinstance(node, Array):
        return [_data(item, inherited) for item in node.items]
    return plain(node)


def _common_source(table: Table, inherited: str | None) -> str | None:
    """Return the source to state for a whole table: none where it would also cover a value that has none."""
    said = [leaf.source for _, leaf in leaves(table)]
    if not said or not all(said):
        return inherited
    direct = [source for node in table.entries.values() if (source := _own_source(node))]
    if not direct and inherited:
        return inherited
    counts = Counter(direct or map(str, said))
    return max(counts, key=lambda source: (counts[source], source))


def _own_source(node: Node) -> str | None:
    """Return the source of a value or a list of values; tables state theirs themselves."""
    if isinstance(node, Array) and node.items:
        return _own_source(node.items[0])
    return str(node.source) if isinstance(node, Leaf) and node.source else None
