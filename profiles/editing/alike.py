"""Server groups of two profiles that do the same under different names, called alike so that they can be compared.

Two groups do the same where the same key of both profiles names them: the servers of the storage system first, then
those of workloads and clients, in their order. A name that both profiles have stays what it is in both.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from models.quantity import GROUP
from profiles.loading.cluster_names import STORAGE, changed
from profiles.text.lines import Key
from profiles.text.schema import Shape
from profiles.text.tree import Array, Leaf, Node, Table, child

EACH = "*"
GROUPS = ("cluster", "groups")
EXPANSIONS = ("growth", "expansions", EACH, "group")
LICENCES = ("prices", "licences", EACH, "groups", EACH)
FAULTS = ("failures", "faults", EACH, "component")
_COMPONENT = re.compile(r"(.+?)(-\d.*)")
"""A component that a fault names: its group, then its number and what is in it."""


def called_alike(one: Table, other: Table, shape: Shape) -> tuple[Table, dict[str, str]]:
    """Return the other profile with its groups called as those of the first, and these names by its own."""
    names = _pairs(one, other, shape)
    return (_renamed(other, shape, names), names) if names else (other, {})


def _pairs(one: Table, other: Table, shape: Shape) -> dict[str, str]:
    """Return the names of groups in the first profile by those in the other that do the same."""
    roles = [_roles(tree, shape) for tree in (one, other)]
    groups = [_groups(tree) for tree in (one, other)]
    names: dict[str, str] = {}
    shared = [key for key in roles[0] if key in roles[1]]
    for key in sorted(shared, key=lambda key: key[0] != STORAGE):
        mine, own = roles[0][key], roles[1][key]
        is_free = mine not in groups[1] and own not in groups[0] and mine in groups[0] and own in groups[1]
        if is_free and own not in names and mine not in names.values():
            names[own] = mine
    return names


def _roles(tree: Table, shape: Shape) -> dict[Key, str]:
    """Return the group that each key names."""
    roles: dict[Key, str] = {}

    def look(leaf: Leaf, key: Key) -> Leaf:
        roles[key] = f"{leaf.value}"
        return leaf

    changed(tree, shape, (), GROUP, look)
    return roles


def _groups(tree: Table) -> Mapping[str, Node]:
    groups = child(child(tree, "cluster"), "groups")
    return groups.entries if isinstance(groups, Table) else {}


def _renamed(tree: Table, shape: Shape, names: Mapping[str, str]) -> Table:
    """Return a profile with groups renamed, and with them all that names one."""

    def called(node: Node, key: Key = ()) -> Leaf:
        assert isinstance(node, Leaf)  # a name
        return replace(node, value=names.get(f"{node.value}", node.value))

    def component(node: Node) -> Node:
        assert isinstance(node, Leaf)  # likewise
        match = _COMPONENT.fullmatch(f"{node.value}")
        return replace(node, value=f"{names[match[1]]}{match[2]}") if match and match[1] in names else node

    made = changed(tree, shape, (), GROUP, called)
    for way, change in ((EXPANSIONS, called), (LICENCES, called), (FAULTS, component), (GROUPS, _with_keys(names))):
        made = _at(made, way, change)
    assert isinstance(made, Table)  # as it was
    return made


def _with_keys(names: Mapping[str, str]) -> Callable[[Node], Node]:
    """Return what renames the keys of a table."""

    def called(node: Node) -> Node:
        assert isinstance(node, Table)  # the groups of a cluster
        return replace(node, entries={names.get(name, name): below for name, below in node.entries.items()})

    return called


def _at(node: Node, way: Sequence[str], change: Callable[[Node], Node]) -> Node:
    """Return a tree in which something is changed that stands at a way of keys, of which "*" is any."""
    if not way:
        return change(node)
    step, *rest = way
    if isinstance(node, Array):
        return replace(node, items=tuple(_at(item, rest, change) for item in node.items)) if step == EACH else node
    if not isinstance(node, Table):
        return node
    steps = [key for key in node.entries if step in (EACH, key)]
    return replace(node, entries=node.entries | {key: _at(node.entries[key], rest, change) for key in steps})
