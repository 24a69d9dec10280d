"""Two profiles and what lies between them: the parts in which they differ, and profiles with some parts of either.

A part is what people choose as one: the storage system, the network, the drives of a group of servers. All of its keys
come from one profile.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace

from profiles.text.lines import Key
from profiles.text.tree import Leaf, Node, Table, child, dotted, leaves

ABOUT = "profile"
GROUPS = ("cluster", "groups")
OF_SERVER = {"bays": "drives", "volumes": "volumes", "nic": "network cards", "cpu": "processors", "memory": "memory"}
"""Parts of a server by their keys; what else differs is its own."""


@dataclass(frozen=True, slots=True)
class Differing:
    """A part in which two profiles differ: its name in words, and its keys with the text of either, None for none."""

    name: str
    keys: Sequence[tuple[str, str | None, str | None]]


def differences(one: Table, other: Table, *, is_fine: bool = True) -> list[Differing]:
    """Return the parts in which two profiles differ, those of a server apart where it is fine; titles are none."""
    by_name: dict[str, list[tuple[str, str | None, str | None]]] = {}
    for name, key, first, second in _parts(one, other, (), is_fine):
        texts = [{dotted(at): f"{leaf.value}" for at, leaf in _leaves(node, key)} for node in (first, second)]
        keys = dict.fromkeys([*texts[0], *texts[1]])
        rows = [(at, texts[0].get(at), texts[1].get(at)) for at in keys if texts[0].get(at) != texts[1].get(at)]
        if rows:
            by_name.setdefault(name, []).extend(rows)
    return [Differing(name, rows) for name, rows in by_name.items()]


def mixed(one: Table, other: Table, chosen: Collection[str], *, is_fine: bool = True) -> Table:
    """Return the first profile with the chosen parts of the other, named as `differences` names them."""
    tree = _mixed(one, other, (), frozenset(chosen), is_fine)
    assert isinstance(tree, Table)  # as both are
    return tree


def _mixed(one: Node | None, other: Node | None, key: Key, chosen: frozenset[str], is_fine: bool) -> Node | None:
    name = _part(one, other, key, is_fine)
    if name is not None:
        return other if name in chosen else one
    assert isinstance(one, Table)  # no part of its own
    assert isinstance(other, Table)
    steps = dict.fromkeys([*one.entries, *other.entries])
    below = {at: _mixed(child(one, at), child(other, at), (*key, at), chosen, is_fine) for at in steps}
    return replace(one, entries={at: node for at, node in below.items() if node is not None})


def _parts(
    one: Node | None, other: Node | None, key: Key, is_fine: bool
) -> Iterator[tuple[str, Key, Node | None, Node | None]]:
    """Yield each part with its key and what stands there in either profile; the profile's own title is none."""
    name = _part(one, other, key, is_fine)
    if name is not None:
        if name != ABOUT:
            yield name, key, one, other
        return
    assert isinstance(one, Table)  # no part of its own
    assert isinstance(other, Table)
    for step in dict.fromkeys([*one.entries, *other.entries]):
        yield from _parts(child(one, step), child(other, step), (*key, step), is_fine)


def _part(one: Node | None, other: Node | None, key: Key, is_fine: bool) -> str | None:
    """Return the part that stands at a key; None where it is in several parts."""
    is_above = key in ((), ("cluster",), GROUPS) or (key[:2] == GROUPS and len(key) == 3)
    is_server = key[:2] == GROUPS and len(key) == 4 and key[3] == "server" and is_fine
    if (is_above or is_server) and isinstance(one, Table) and isinstance(other, Table):
        return None
    if key[:2] != GROUPS:
        return f"{key[1] if key[:1] == ('cluster',) and len(key) > 1 else key[0]}"
    if len(key) < 4:
        return f"servers of {key[-1]}"
    group, what = key[2], key[3]
    if len(key) == 5:
        return f"{OF_SERVER[f'{key[4]}']} of {group}" if key[4] in OF_SERVER else f"machines of {group}"
    return f"machines of {group}" if what == "server" else f"number of {group}"


def _leaves(node: Node | None, key: Key) -> Iterator[tuple[Key, Leaf]]:
    if node is not None:
        yield from leaves(node, key)
