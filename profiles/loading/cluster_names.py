"""Server groups and drives that a part names, found in a cluster that calls its own otherwise.

A storage system or framework of the library says on which servers it runs ("storage", "workers") and where these keep
what is local ("nvme"), and cannot know what the cluster of a profile calls them. Where the cluster has no such name and
only one can be meant, that one is taken: for a storage system the only group with its drives, for what else it needs
the same servers, for a workload the only group besides; for a place the only bay, or the only volume without bays,
also where nobody names one and the servers lack the usual one.
A storage system that does not say which drives are its own has those of the only bay there is.
What is named where the cluster was chosen, or later, stays as it is, for validation to refuse.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass, field, replace
from functools import cache

from pydantic import BaseModel

from models.quantity import GROUP, PLACE, extra
from profiles.text.lines import Key
from profiles.text.provenance import COMMAND_LINE
from profiles.text.schema import Shape
from profiles.text.tree import Array, Leaf, Node, Place, Table, child, dotted

STORAGE, WORKLOADS, CLIENT = "storage", ("workload", "workloads"), "client"
HOME: Key = (STORAGE, "servers")
Change = Callable[[Leaf, Key], Leaf]


def settled(tree: Node, shape: Shape) -> tuple[Node, dict[str, str]]:
    """Return a tree whose parts name what its cluster has, and what was taken for other names, by key."""
    cluster = child(tree, "cluster")
    groups = child(cluster, "groups")
    if not isinstance(tree, Table) or not isinstance(cluster, Table) or not isinstance(groups, Table):
        return tree, {}
    chosen_in = (cluster.named or cluster.place).file
    binding = {COMMAND_LINE} if chosen_in == COMMAND_LINE else {COMMAND_LINE, chosen_in, tree.place.file}
    entries, taken = dict(tree.entries), {}
    bay, stated = _bay(tree, shape)
    if not stated and bay and (other := _only_bay(tree, groups, bay)):
        storage = entries[STORAGE]
        assert isinstance(storage, Table)
        entries[STORAGE] = replace(storage, entries=storage.entries | {"bay": Leaf(other, storage.place)})
        bay = taken[f"{STORAGE}.bay"] = other
    search = _Search(groups, frozenset(binding), bay, taken=taken)
    # a workload runs on what its storage leaves, and keeps what is local on its own servers
    for keys, names, change in (
        ((STORAGE, *WORKLOADS), GROUP, search.group),
        ((*WORKLOADS, CLIENT), PLACE, search.place),
    ):
        for key in keys:
            if key in entries:
                entries[key] = changed(entries[key], shape.below(tree, key), (key,), names, change)
    return replace(tree, entries=entries), search.taken


@dataclass
class _Search:
    """Finds names of a cluster for names of parts; `bay` holds the drives of the storage system.

    `used` are the groups at the keys seen so far.
    """

    groups: Table
    binding: frozenset[str]
    bay: str
    used: dict[Key, str] = field(default_factory=dict)
    taken: dict[str, str] = field(default_factory=dict)

    def group(self, leaf: Leaf, key: Key) -> Leaf:
        """Return the group that is meant."""
        leaf = self._known(leaf, key, self.groups.entries, self._groups_at(key))
        self.used[key] = str(leaf.value)
        return leaf

    def place(self, leaf: Leaf, key: Key) -> Leaf:
        """Return the bay or volume that is meant: of all servers of the workload."""
        servers = [child(self.groups.entries.get(name), "server") for name in self._servers_of(key)]
        bays, volumes = (_in_all(child(server, kind) for server in servers) for kind in ("bays", "volumes"))
        return self._known(leaf, key, [*bays, *volumes], bays or volumes)

    def _known(self, leaf: Leaf, key: Key, known: Collection[object], likely: list[str]) -> Leaf:
        if leaf.value in known or leaf.place.file in self.binding or len(likely) != 1:
            return leaf
        self.taken[dotted(key)] = likely[0]
        return replace(leaf, value=likely[0], source=None)

    def _groups_at(self, key: Key) -> list[str]:
        home = self.used.get(HOME)
        if key == HOME:
            servers = {name: child(group, "server") for name, group in self.groups.entries.items()}
            return [name for name, server in servers.items() if child(child(server, "bays"), self.bay)]
        if key[0] == STORAGE and home is not None:
            return [home]
        return [name for name in self.groups.entries if name != home] or list(self.groups.entries)

    def _servers_of(self, key: Key) -> list[str]:
        """Return the groups of the workload at a key, those of all workloads for the client."""
        depth = WORKLOADS.index(key[0]) + 1 if key[0] in WORKLOADS else 0
        return [group for other, group in self.used.items() if other[0] in WORKLOADS and other[:depth] == key[:depth]]


def changed(node: Node, shape: Shape, key: Key, names: str, change: Change) -> Node:
    """Return a tree with the values changed that name something of the cluster, each of an array once."""
    if isinstance(node, Table):
        chosen = shape.chosen(node) if shape.models else ()
        below: dict[str, Node] = {}
        for step in _leading_to(chosen, names):
            stated, at = node.entries.get(step), (shape.below(node, step), (*key, step), names, change)
            if stated is not None:
                below[step] = changed(stated, *at)
            elif names == PLACE and (usual := _usual(node, *at)) is not None:
                below[step] = usual
        return replace(node, entries=node.entries | below) if below else node
    if isinstance(node, Array):
        item = shape if _names(shape, names) else shape.item or Shape(None)
        items = [changed(entry, item, (*key, i), names, change) for i, entry in enumerate(node.items)]
        if item is shape:
            items = list({entry.value: entry for entry in items if isinstance(entry, Leaf)}.values())
        return replace(node, items=tuple(items))
    return change(node, key) if isinstance(node, Leaf) and _names(shape, names) else node


def _usual(table: Table, shape: Shape, key: Key, names: str, change: Change) -> Node | None:
    """Return what is meant by a default that a table leaves unsaid at or below a key, None if that is the default."""
    if shape.info is not None and shape.info.default is None:  # a part that may be left out is not there
        return None
    if shape.models:
        inside = changed(Table({}, table.place), shape, key, names, change)
        return inside if isinstance(inside, Table) and inside.entries else None
    if shape.info is None or not isinstance(shape.info.default, str):
        return None
    default = Leaf(shape.info.default, Place(""))
    meant = change(default, key)
    return None if meant is default else replace(meant, place=table.place)


@cache
def _leading_to(models: tuple[type[BaseModel], ...], names: str) -> tuple[str, ...]:
    """Return the keys of some models at or below which something of the cluster is named."""
    keys: dict[str, None] = {}
    for model in models:
        for name, info in model.model_fields.items():
            shape = Shape(info.annotation, info)
            if _names(shape, names) or any(_leading_to((below,), names) for below in (shape.item or shape).models):
                keys[info.alias or name] = None
    return tuple(keys)


def _names(shape: Shape, names: str) -> bool:
    return shape.info is not None and extra(shape.info).get("names") == names


def _in_all(tables: Iterable[Node | None]) -> list[str]:
    """Return the keys that all tables have."""
    all_keys = [list(table.entries) if isinstance(table, Table) else [] for table in tables]
    return [key for key in all_keys[0] if all(key in keys for keys in all_keys)] if all_keys else []


def _bay(tree: Table, shape: Shape) -> tuple[str, bool]:
    """Return the bay of the drives that hold what is stored, and whether the profile or a part names it."""
    table = child(tree, STORAGE)
    stated = child(table, "bay")
    if isinstance(stated, Leaf):
        return str(stated.value), True
    declared = shape.below(tree, STORAGE).keys(table).get("bay")
    return "" if declared is None or declared.info is None else str(declared.info.default), False


def _only_bay(tree: Table, groups: Table, usual: str) -> str:
    """Return the only bay of the servers that store, or of all where these are not known; empty if there is a choice.

    Empty as well if any of them has the usual one.
    """
    named = child(child(tree, STORAGE), "servers")
    home = named.value if isinstance(named, Leaf) else None
    of = [home] if isinstance(home, str) and home in groups.entries else list(groups.entries)
    bays = [child(child(groups.entries[name], "server"), "bays") for name in of]
    held = {key for table in bays if isinstance(table, Table) for key in table.entries}
    return held.pop() if len(held) == 1 and usual not in held else ""
