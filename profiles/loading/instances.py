"""Instances of a cloud: rows of one table, of each of which a server part is made. Checks no value.

A server that is made so is the same as one that a file of hardware/servers describes: its values have the sources of
the table and stand in the line of their row.
"""

from __future__ import annotations

import tomllib
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

from profiles.text.document import Document
from profiles.text.tree import Array, Leaf, Node, Place, Table, child

FOLDER = "hardware/servers"
TABLE = "hardware/instances.toml"
THREADS = "threads_per_core"
"""vCPU of a core of a group of rows, 2 where it does not say."""
BAY = "data"
"""Name of the bay with the local drives of an instance, as in the files of hardware/servers."""


class _Row(NamedTuple):
    """An instance in the table, by its columns: values, or the leaves of a tree that hold them."""

    threads: Any
    memory: Any
    card: Any  # what it gives for ever
    card_burst: Any
    link: Any  # to its volumes, for ever
    link_burst: Any
    drives: Any = None
    drive: Any = None


def names(root: Path) -> tuple[str, ...]:
    """Return the names of all instances in the table of a catalog, none if it has no table."""
    path = root / TABLE
    return _names(path) if path.is_file() else ()


@lru_cache
def _names(path: Path) -> tuple[str, ...]:
    with path.open("rb") as file:
        groups: dict[str, dict[str, Any]] = tomllib.load(file)["instances"]
    return tuple(name for group in groups.values() for name, row in group.items() if isinstance(row, list))


@lru_cache
def said(root: Path) -> dict[str, str]:
    """Return what each instance is, in a few words, by its name: its size, its card and its local drives."""
    path = root / TABLE
    with path.open("rb") as file:
        groups: dict[str, dict[str, Any]] = tomllib.load(file)["instances"]
    rows = {name: row for group in groups.values() for name, row in group.items() if isinstance(row, list)}
    return {name: _said(_Row(*row)) for name, row in rows.items()}


def _said(row: _Row) -> str:
    card = row.card if row.card == row.card_burst else f"{row.card}, up to {row.card_burst}"
    return f"EC2: {row.threads} vCPU, {row.memory}, {card}" + (f", {row.drives} × {row.drive}" if row.drives else "")


def server(root: Path, name: str) -> Table | None:
    """Return the server that an instance of the table is, None if the table has no such instance."""
    if name not in names(root):
        return None
    table = _table(root / TABLE)
    group = next(entry for entry in _group(table, "instances").entries.values() if child(entry, name) is not None)
    columns, of_a_core = child(group, name), child(group, THREADS)
    assert isinstance(columns, Array)
    row = _Row(*columns.items)
    assert isinstance(row.threads, Leaf)
    assert isinstance(row.threads.value, int)
    one_each = isinstance(of_a_core, Leaf) and of_a_core.value == 1
    cores = replace(row.threads, value=row.threads.value if one_each else row.threads.value // 2)
    place, common = columns.place, _group(table, "common").entries
    entries: dict[str, Node] = {
        "model": Leaf(name, place),
        "cpu": _made(place, use=_entry(group, "processor"), cores=cores, threads=row.threads),
        "memory": _made(place, size=row.memory, dirty_ratio=common["dirty_ratio"]),
        "nic": _made(
            place,
            bandwidth=row.card_burst,
            baseline=row.card,
            flow_bandwidth=common["flow_bandwidth"],
            mtu=common["mtu"],
        ),
        "volume_link": _made(place, bandwidth=row.link_burst, baseline=row.link),
    }
    if row.drives is not None:
        bay = _made(place, drive=_drive(table, row.drive), count=row.drives)
        entries["bays"] = _made(place, **{BAY: bay})
    return Table(entries, place)


def _drive(table: Table, named: Leaf) -> Node:
    """Return a drive of the table, or the name of one that has a file."""
    for kind in _group(table, "drives").entries.values():
        row = child(kind, f"{named.value}")
        if isinstance(row, Array):
            capacity, read, write = row.items
            assert isinstance(capacity, Leaf)
            known = replace(capacity, source=named.source, range=None)  # as sure as the instance itself
            like = _entry(kind, "like")
            return _made(row.place, use=like, capacity=known, read_bandwidth=read, write_bandwidth=write)
    return named


def _made(place: Place, **entries: Node) -> Table:
    return Table(entries, place)


def _entry(table: Node, key: str) -> Node:
    node = child(table, key)
    assert node is not None, key
    return node


def _group(table: Table, key: str) -> Table:
    node = table.entries[key]
    assert isinstance(node, Table)
    return node


@lru_cache
def _table(path: Path) -> Table:
    document = Document(path.read_text(encoding="utf-8"), TABLE)
    tree = document.tree()
    assert tree is not None
    assert not document.problems, document.problems
    return tree
