"""`load`: a profile by name or path, completed, checked, and turned into a model. All problems are raised at once.

What a file says is completed (`reader`: `extends` and named parts), changed for this run (`overrides`) and given to
the model, whose refusals `complaints` puts in words. Numbers keep the unit in which they were typed until the model
reads them; their sources and lines stay outside the model, in `Loaded`.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Any, Generic, TypeVar

from pydantic import ValidationError

from models.problem import Problem, ProblemError, RefusalError
from models.quantity import UNITS_REQUIRED, Model
from profiles.catalog import PROFILES, SHIPPED, Catalog
from profiles.cluster_names import settled
from profiles.complaints import problems
from profiles.dump import dump, stated
from profiles.lines import Key
from profiles.overrides import override
from profiles.provenance import Source
from profiles.ranges import Limits, is_number, limits
from profiles.reader import Here, Reader, is_path
from profiles.schema import Shape
from profiles.tree import Leaf, Node, Place, Table, children, dotted, plain
from profiles.usual import completed

__all__ = ["Loaded", "Variants", "dump", "load", "load_text", "seen_from"]

M = TypeVar("M", bound=Model)
_NOTHING: Mapping[str, str] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Loaded(Generic[M]):
    """A checked profile. Key paths are dotted: "cluster.groups.workers.count".

    `values`, `sources`, `ranges` and `origin` are by the key path of each value that the profile states; a value
    without a source or a range has no entry there. `origin` is file and line, None for the command line. `tree` holds
    them all. `usual` names the parts, by key, that the profile has not named itself: those that are usual for its
    storage system, and `settled` the groups and places of its cluster that were taken for names which it does not have.
    """

    scenario: M
    values: dict[str, object]
    sources: dict[str, Source]
    ranges: dict[str, Limits]
    origin: dict[str, tuple[str, int | None]]
    unsourced: tuple[str, ...]  # the numbers among them
    usual: Mapping[str, str]
    settled: Mapping[str, str]
    tree: Table = field(repr=False, compare=False)

    @property
    def resolved(self) -> dict[str, Any]:
        """The whole profile, parts and sources in place, values as typed: `dump` writes it, `load` reads it back."""
        return stated(self.tree)


def load(
    name_or_path: str | Path,
    root: type[M],
    overrides: Mapping[str, str] = _NOTHING,
    *,
    folders: Sequence[str] = PROFILES,
    catalog: Catalog = SHIPPED,
) -> Loaded[M]:
    """Return a shipped profile, found by name in `folders`, or a file, checked against the model `root`.

    Raises:
        ProblemError: with every problem of the profile, the files that it names and the overrides.
    """
    name = os.path.abspath(name_or_path) if isinstance(name_or_path, Path) else name_or_path
    reader = Reader(catalog)
    tree = reader.named(name, folders, Shape(root), Here(Path.cwd()), Place(""))
    return _checked(tree, root, overrides, reader, catalog)


def load_text(
    text: str,
    root: type[M],
    overrides: Mapping[str, str] = _NOTHING,
    *,
    path: Path = Path("profile.toml"),
    catalog: Catalog = SHIPPED,
) -> Loaded[M]:
    """Return a profile given as text, as if it stood in the file `path`; `load` says the rest."""
    reader = Reader(catalog)
    tree = reader.text(text, PROFILES, Shape(root), path.absolute(), Here(path.absolute().parent))
    return _checked(tree, root, overrides, reader, catalog)


class Variants(Generic[M]):
    """One profile, of which many variants are wanted: its files are read once."""

    def __init__(
        self, name: str, root: type[M], *, folders: Sequence[str] = PROFILES, catalog: Catalog = SHIPPED
    ) -> None:
        self._root, self._catalog = root, catalog
        self._reader = Reader(catalog)
        self._tree = self._reader.named(name, folders, Shape(root), Here(Path.cwd()), Place(""))

    @classmethod
    def of_text(cls, text: str, root: type[M], *, path: Path, catalog: Catalog = SHIPPED) -> Variants[M]:
        """Return the variants of a profile given as text, as if it stood in the file `path`."""
        made = cls.__new__(cls)
        made._root, made._catalog, made._reader = root, catalog, Reader(catalog)
        made._tree = made._reader.text(text, PROFILES, Shape(root), path.absolute(), Here(path.absolute().parent))
        return made

    @classmethod
    def of_tree(cls, tree: Table, root: type[M], *, catalog: Catalog = SHIPPED) -> Variants[M]:
        """Return the variants of a profile that has been loaded, as it was then."""
        made = cls.__new__(cls)
        made._root, made._catalog, made._reader, made._tree = root, catalog, Reader(catalog), tree
        return made

    def load(self, overrides: Mapping[str, str]) -> Loaded[M]:
        """Return the profile with some of its values replaced; the function `load` says the rest."""
        return _checked(self._tree, self._root, overrides, self._reader.again(), self._catalog)


def seen_from(name: str, file: str, catalog: Catalog = SHIPPED) -> str:
    """Return the name or path of a profile that stands in a file as it is to be given here.

    There a path begins at the file's directory, here at the current one. The same holds for the name of a neighbour.
    """
    path = os.path.normpath(os.path.join(os.path.dirname(file), name))
    if is_path(name):
        return path
    is_neighbour = catalog.find(name, PROFILES) is None and os.path.isfile(f"{path}.toml")
    return f"{path}.toml" if is_neighbour else name


def _checked(tree: Node, root: type[M], overrides: Mapping[str, str], reader: Reader, catalog: Catalog) -> Loaded[M]:
    shape = Shape(root)
    stated = tree.entries if isinstance(tree, Table) else ()
    tree, usual = completed(override(tree, overrides, shape, reader), shape, stated, reader)
    tree, settled_names = settled(tree, shape)
    found: list[Problem] = []
    try:
        text = json.dumps(plain(tree), default=str)  # as JSON, in which an array may become a tuple
        scenario = root.model_validate_json(text, context=UNITS_REQUIRED)
    except ValidationError as error:
        found = list(problems(error, tree, shape, catalog, is_complete=reader.is_complete))
    ranges, wrong = _ranges(tree, shape)
    found += wrong
    if found or reader.problems or not isinstance(tree, Table):
        raise ProblemError([*reader.problems, *found])
    return _loaded(scenario, tree, shape, ranges, usual, settled_names)


def _ranges(tree: Node, shape: Shape) -> tuple[dict[str, Limits], list[Problem]]:
    """Return the ranges of the numbers of a tree, by key path, and what is wrong with them."""
    found: dict[str, Limits] = {}
    wrong: list[Problem] = []
    for key, leaf, below in _leaves(tree, shape):
        if leaf.range is None or (leaf.range.is_relative and not is_number(leaf, below)):  # as "*" has them all
            continue
        try:
            found[dotted(key)] = limits(leaf, below)
        except RefusalError as error:
            place = leaf.range.place
            wrong.append(Problem(place.file, place.line, dotted(place.key), str(error)))
    return found, wrong


def _loaded(
    scenario: M,
    tree: Table,
    shape: Shape,
    ranges: dict[str, Limits],
    usual: Mapping[str, str],
    settled_names: Mapping[str, str],
) -> Loaded[M]:
    found = [(dotted(key), leaf, below) for key, leaf, below in _leaves(tree, shape)]
    return Loaded(
        scenario=scenario,
        values={key: leaf.value for key, leaf, _ in found},
        sources={key: leaf.source for key, leaf, _ in found if leaf.source},
        ranges=ranges,
        origin={key: (leaf.place.file, leaf.place.line) for key, leaf, _ in found},
        unsourced=tuple(key for key, leaf, below in found if not leaf.source and is_number(leaf, below)),
        usual=usual,
        settled=settled_names,
        tree=tree,
    )


def _leaves(node: Node, shape: Shape, key: Key = ()) -> Iterator[tuple[Key, Leaf, Shape]]:
    """Yield every value with its key path and its shape."""
    if isinstance(node, Leaf):
        yield key, node, shape
    for step, entry in children(node):
        yield from _leaves(entry, shape.below(node, step), (*key, step))
