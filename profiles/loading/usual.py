"""Parts that a profile takes without naming them: those that another of its parts calls usual.

A storage system names the operating rules under which it is usually run (`Model.usual`). They hold where the files of a
profile state none; the command line changes single keys of them, or names another part. So it is with the client that
a workload takes of a store where none is stated, which follows from both.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from tomllib import TOMLDecodeError
from typing import Any

from models.quantity import Model
from profiles.loading.catalog import PROFILES, SHIPPED, Catalog
from profiles.loading.overrides import key_of
from profiles.loading.reader import Here, Reader
from profiles.text.schema import Shape, merge
from profiles.text.toml import parsed
from profiles.text.tree import Node, Place, Table, dotted

NAMING = ("use", "system", "connector")
"""Keys of a storage system and of a client that say which it is."""


def usual(tree: Node, shape: Shape) -> dict[str, str]:
    """Return the names of the parts that the parts of a tree call usual, by those keys that the tree may have."""
    if not isinstance(tree, Table):
        return {}
    names: dict[str, str] = {}
    for key, node in tree.entries.items():
        models = shape.below(tree, key).chosen(node) if isinstance(node, Table) else ()
        if len(models) == 1 and issubclass(models[0], Model):
            names |= models[0].usual
    return {key: name for key, name in names.items() if key in shape.keys(tree)}


def usual_for(written: str, text: str, root: type[Model], *, path: Path, catalog: Catalog = SHIPPED) -> dict[str, str]:
    """Return the names of the parts that a text, as if it stood in the file `path`, takes without naming them.

    None where they are no matter to the dotted key `written`, since the text itself states the part in which it lies:
    no file is read then.
    """
    key = key_of(written)
    reader, shape = Reader(catalog), Shape(root)
    try:
        if key is None or key[0] in parsed(text):
            return {}
    except TOMLDecodeError:
        return {}
    tree = reader.text(text, PROFILES, shape, path.absolute(), Here(path.absolute().parent))
    stated = tree.entries if isinstance(tree, Table) else ()
    return completed(tree, shape, stated, reader)[1]


def completed(tree: Node, shape: Shape, stated: Collection[str], reader: Reader) -> tuple[Node, dict[str, str]]:
    """Return a tree with its usual parts in place, and their names by key.

    Keys that the files have `stated` stay as they are; what else stands in the tree is laid over the usual part.
    """
    taken: dict[str, str] = {}
    for key, name in usual(tree, shape).items():
        assert isinstance(tree, Table)  # it has usual parts
        over = tree.entries.get(key)
        if key in stated or (over is not None and (not isinstance(over, Table) or over.whole)):
            continue
        below = shape.below(tree, key)
        part = reader.named(name, (below.catalog or "",), Shape(below.annotation), Here(Path.cwd()), Place(""))
        taken[key] = name
        tree = replace(tree, entries={**tree.entries, key: part if over is None else merge(part, over, below)})
    return tree, taken


def over_client(
    overrides: Mapping[str, str], stated: Collection[str], without: Callable[[Mapping[str, str]], Any]
) -> Mapping[str, str]:
    """Return changes before which, where they reach into a client that files leave open, those stand that make it.

    It is the client that all workloads take then; `without` returns the scenario that other changes make.

    Raises:
        ProblemError: these make none.
    """
    keys = {written: key_of(written) or () for written in overrides}
    inside = {written for written, key in keys.items() if key[:1] == ("client",)}
    if not inside or "client" in stated or any(says_which(keys[written][1:]) for written in inside):
        return overrides
    scenario = without({written: text for written, text in overrides.items() if written not in inside})
    every = scenario.each().values()
    ends = [(one, end) for one in every for end in (one.storage, *one.workload.origins())]
    client, *others = [made for one, end in ends if (made := one.client_of(end)) is not None] or [None]
    is_brought = any(one.workload.brought is not None for one in every)
    if client is None or is_brought or any(other != client for other in others):
        return overrides
    return {**stating(client), **overrides}


def says_which(key: Sequence[str | int]) -> bool:
    """Tell whether a key below a storage system or a client, or the whole of it, says which it is."""
    return not key or key[0] in NAMING


def stating(client: Model) -> dict[str, str]:
    """Return the settings that make a client, by key."""
    return dict(_settings(("client",), client.model_dump(exclude_unset=True)))


def _settings(key: tuple[str, ...], value: Any) -> Iterator[tuple[str, str]]:
    if isinstance(value, dict):
        for step, below in value.items():
            yield from _settings((*key, step), below)
    else:
        yield dotted(key), f"{value}"
