"""Parts that a profile takes without naming them: those that another of its parts calls usual.

A storage system names the operating rules under which it is usually run (`Model.usual`). They hold where the files of a
profile state none; the command line changes single keys of them, or names another part.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from pathlib import Path
from tomllib import TOMLDecodeError

from models.quantity import Model
from profiles.loading.catalog import PROFILES, SHIPPED, Catalog
from profiles.loading.overrides import key_of
from profiles.loading.reader import Here, Reader
from profiles.text.schema import Shape, merge
from profiles.text.toml import parsed
from profiles.text.tree import Node, Place, Table


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
