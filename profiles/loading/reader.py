"""From a file to one tree: `extends` is laid under it, named parts are put in their places. Checks no value.

A file is completed where it stands, so that a name or a relative path means what it means to its author; only then
is it laid over what it extends. Where a part may stand, a text names its file, and a table with `use = "NAME"` is
the named part with the table's other keys laid over it.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from pathlib import Path

from models.problem import Problem, did_you_mean
from models.quantity import Model
from models.units import either
from models.values import value
from profiles.loading.catalog import PROFILES, STUDIES, Catalog
from profiles.loading.reach import outside, real, user_folders, within
from profiles.text.document import Document
from profiles.text.files import unreadable, why_not
from profiles.text.schema import Shape, inheritable, merge
from profiles.text.toml import text_of
from profiles.text.tree import Array, Broken, Leaf, Node, Place, Table, dotted, leaves

_LONGEST_CHAIN = 30  # Assumption: files that extend or use each other; the longest that ships has a sixth of it
MOST_VALUES = 100_000
"""Values of a profile with all its parts. Assumption: each takes a kilobyte; the largest that ships has 1,019."""

_MOST_NAMED = 20  # Assumption: names of others that a message is read with


@value()
class Here:
    """Where a name stands: relative paths start in `directory`; `chain` is the files that led here, first to last."""

    directory: Path
    chain: tuple[Path, ...] = ()


class Reader:
    """Reads files of one catalog and its users; `problems` collects all that is wrong with them.

    `is_complete` is False once a file could not be read: what seems to be missing may stand there. A part in which
    nothing is wrong is read once, also by those that read `again`.
    """

    def __init__(self, catalog: Catalog) -> None:
        self.problems: list[Problem] = []
        self.is_complete = True
        self._catalog = catalog
        self._parts: dict[tuple[str, str, int, Here], tuple[object, Node, int]] = {}
        self._values = 0
        self._is_full = False

    def again(self) -> Reader:
        """Return a reader that knows what this one has found and leaves it as it is."""
        reader = Reader(self._catalog)
        reader.problems += self.problems
        reader.is_complete = self.is_complete
        reader._parts = self._parts
        return reader

    def named(self, name: str, folders: Sequence[str], shape: Shape, here: Here, place: Place) -> Node:
        """Return the tree of a shipped name, a neighbouring file's name, or a path; `place` is where it is named."""
        if not _may_be_file(name):
            return self._broken(place, "no file has this name, which is too long or has a zero byte; name another one")
        if len(here.chain) > _LONGEST_CHAIN:
            return self._broken(place, f"more than {_LONGEST_CHAIN} files lead here; let some of them be one")
        if self._values > MOST_VALUES:
            return self._full(place)
        made = self._catalog.instance(name, folders)
        if made is not None:
            self._values += _count(made)
            return self._completed(made, folders, shape, here)
        path = self._find(name, folders, here)
        if path is None:
            return self._broken(place, outside(name, here.chain[0].parent))
        if not os.path.isfile(path):
            return self._broken(place, self._missing(name, folders, path, shape))
        if path in here.chain:
            loop = (*here.chain[here.chain.index(path) :], path)
            return self._broken(place, f"leads back to itself: {' -> '.join(map(self._catalog.shown, loop))}")
        try:
            text = text_of(path)
        except (OSError, UnicodeDecodeError) as error:
            return self._broken(Place(self._catalog.shown(path)), unreadable(error))
        return self.text(text, folders, shape, path, here)

    def text(self, text: str, folders: Sequence[str], shape: Shape, path: Path, here: Here) -> Node:
        """Return the tree of a text that stands in the file `path`; `here` is what led to it.

        Of a file that another one names and that is no TOML nothing is told: it may be no part, but a secret.
        """
        tree, problems, values = _parsed(text, self._catalog.shown(path))
        self._values += values
        if tree is None and here.chain:
            problems = tuple(replace(problem, key="", message="is no TOML, and so no part") for problem in problems)
        self.problems += problems
        if tree is None:
            self.is_complete = False
            return Broken(Place(self._catalog.shown(path)))
        return self._completed(tree, folders, shape, Here(path.parent, (*here.chain, path)))

    def expanded(self, node: Node, shape: Shape, here: Here) -> Node:
        """Return a tree in which every named part stands in the place of its name."""
        if isinstance(node, Array) and shape.item:
            return replace(node, items=tuple(self.expanded(item, shape.item, here) for item in node.items))
        if shape.models and shape.catalog:
            if isinstance(node, Leaf) and isinstance(node.value, str):
                return self._part(node.value, shape, here, node.place)
            if isinstance(node, Table) and "use" in node.entries:
                return self._used(node, shape, here)
        if isinstance(node, Table):
            entries = {key: self.expanded(entry, shape.below(node, key), here) for key, entry in node.entries.items()}
            return Table(entries, node.place, node.whole, node.named)
        return node

    def _completed(self, tree: Table, folders: Sequence[str], shape: Shape, here: Here) -> Node:
        """Return a file's tree with its parts in place, laid over what it extends."""
        entries = dict(tree.entries)
        extends = entries.pop("extends", None)
        if "profile" not in shape.keys(tree):  # how the catalog presents a file is no part of it
            entries.pop("profile", None)
        over = self.expanded(replace(tree, entries=entries), shape, here)
        if extends is None:
            return over
        name = self._name(extends)
        under = None if name is None else self.named(name, folders, shape, here, extends.place)
        if not isinstance(under, Table) or not isinstance(over, Table):
            return over
        return merge(_without_replaced(inheritable(under, shape), over, shape), over, shape)

    def _part(self, name: str, shape: Shape, here: Here, place: Place) -> Node:
        key = name, shape.catalog or "", id(shape.annotation), here
        if key in self._parts:
            _, part, values = self._parts[key]
            self._values += values
            if self._values > MOST_VALUES:
                return self._full(place)
        else:
            known, before = len(self.problems), self._values
            part = self.named(name, key[1:2], Shape(shape.annotation), here, place)
            if len(self.problems) == known:
                self._parts[key] = shape.annotation, part, self._values - before
        return replace(part, whole=True, named=place) if isinstance(part, Table) else part

    def _used(self, table: Table, shape: Shape, here: Here) -> Node:
        use = table.entries["use"]
        rest = replace(table, entries={key: entry for key, entry in table.entries.items() if key != "use"})
        name = self._name(use)
        under = None if name is None else self._part(name, shape, here, use.place)
        over = self.expanded(rest, shape, here)
        merged = merge(under, over, shape)
        return replace(merged, whole=True) if isinstance(merged, Table) else merged

    def _name(self, node: Node) -> str | None:
        if isinstance(node, Leaf) and isinstance(node.value, str):
            return node.value
        self._broken(node.place, "expected a name or a path in quotes")
        return None

    def _find(self, name: str, folders: Iterable[str], here: Here) -> Path | None:
        """Return the file that a name or path means, whether it is there or not; None if no file may name it.

        What no file names, the user has named, and it may lie anywhere.
        """
        shipped = None if is_path(name) else self._catalog.find(name, folders)
        if shipped is not None:
            return real(shipped)
        file = name if is_path(name) else f"{name}.toml"
        if not here.chain:
            return real(here.directory / file)
        own = user_folders()
        reach = (here.chain[0].parent, self._catalog.root, *own)
        looked = [within(directory / file, reach) for directory in (here.directory, *own)]
        return next((path for path in looked if path is not None and os.path.isfile(path)), looked[0])

    def _missing(self, name: str, folders: Sequence[str], path: Path, shape: Shape) -> str:
        known = [other for folder in folders for other in self._catalog.names(folder)]
        if STUDIES in folders:
            from models.planning.study import KINDS  # imported late: who reads profiles needs no studies

            kinds = {kind for kind, model in KINDS.items() if shape.models == (model,)}
            known = [study.name for study in self._catalog.studies() if not kinds or study.kind in kinds]
        try:
            is_there = path.exists()
        except OSError as error:  # in a folder that nobody may look into
            return f"'{name}' cannot be read: {why_not(error)}; let it be read, or name another file"
        if is_there:
            return f"'{name}' is a folder, a pipe or a device, and no file; name a file that holds what it gives"
        if path.is_symlink():
            return f"'{name}' is a link that leads to no file; name a file"
        if is_path(name):
            beside = [file.name for file in path.parent.glob("*.toml")]
            shipped = did_you_mean(path.stem, known)
            near = shipped if path.stem in known else did_you_mean(path.name, beside) or shipped
            return f"no such file: '{name}'{near}"
        if not set(folders) & set(PROFILES) and self._catalog.find(name, PROFILES) is not None:
            return f"{_none(folders, name)}, but a profile is; run it with: simulate {name}"
        more, are = ", ..." if len(known) > _MOST_NAMED else "", "is" if len(known) == 1 else "are"
        near = did_you_mean(name, known) or (f"; there {are} {', '.join(known[:_MOST_NAMED])}{more}" if known else "")
        return f"{_none(folders, name)}{near or '; name a file of your own by its path'}"

    def _full(self, place: Place) -> Broken:
        """Return what stands for a part with which a profile is too large; it is told once."""
        if self._is_full:
            return Broken(place)
        self._is_full = True
        way_out = "name fewer, or smaller ones"
        return self._broken(place, f"its parts have more than {MOST_VALUES:,} values by here; {way_out}")

    def _broken(self, place: Place, message: str) -> Broken:
        self.is_complete = False
        self.problems.append(Problem(place.file, place.line, dotted(place.key), message))
        return Broken(place)


def _none(folders: Sequence[str], name: str) -> str:
    """Return that nothing has a name, by what lies in the folders."""
    if set(folders) <= {*PROFILES, STUDIES}:
        return f"no {'study' if STUDIES in folders else 'profile'} is named '{name}'"
    return f"nothing is named '{name}' in {either(folders)}"


def _without_replaced(under: Table, over: Table, shape: Shape) -> Table:
    """Return what a file extends without the keys in whose place the file states others."""
    exclusive = {key for model in shape.chosen(over) if issubclass(model, Model) for key in model.exclusive}
    if not exclusive & over.entries.keys():
        return under
    replaced = exclusive - over.entries.keys()
    return replace(under, entries={key: node for key, node in under.entries.items() if key not in replaced})


def _may_be_file(name: str) -> bool:
    """Tell whether systems of files could have a file of a name or path: 255 bytes a step, 4,096 in all."""
    longest = max(len(step.encode(errors="replace")) for step in re.split(r"[/\\]", name))
    return "\0" not in name and longest <= 255 - len(".toml") and len(name) <= 2048


def _count(tree: Table) -> int:
    return sum(1 for _ in leaves(tree))


def is_path(name: str) -> bool:
    """Tell whether a text names a file by its path."""
    return name.endswith(".toml") or "/" in name or "\\" in name


def read_ahead(catalog: Catalog, folders: Iterable[str]) -> Iterator[Path]:
    """Read the parts that ship in some folders, one a step, so that a profile made of them is opened at once."""
    for folder in folders:
        for path in sorted((catalog.root / folder).glob("*.toml")):
            _parsed(text_of(path), catalog.shown(path))
            yield path


@lru_cache(maxsize=512)
def _parsed(text: str, file: str) -> tuple[Table | None, tuple[Problem, ...], int]:
    """Return a text as a tree, which nobody changes, what is wrong with it, and how many values it has.

    Parts are read again and again.
    """
    document = Document(text, file)
    tree = document.tree()
    return tree, tuple(document.problems), _count(tree) if tree else 0
