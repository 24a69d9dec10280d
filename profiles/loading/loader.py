"""`load`: a profile by name or path, completed, checked, and turned into a model. All problems are raised at once.

What a file says is completed (`reader`: `extends` and named parts), changed for this run (`overrides`) and given to
the model, whose refusals `complaints` puts in words. Numbers keep the unit in which they were typed until the model
reads them; their sources and lines stay outside the model, in `Loaded`.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import field
from pathlib import Path
from types import MappingProxyType
from typing import Any, Generic, TypeVar

from pydantic import ValidationError

from models.problem import Problem, ProblemError, RefusalError
from models.quantity import UNITS_REQUIRED, Model
from models.values import value
from profiles.loading.catalog import PROFILES, SHIPPED, STUDIES, Catalog
from profiles.loading.cluster_names import settled
from profiles.loading.complaints import problems
from profiles.loading.currencies import exchanged
from profiles.loading.overrides import override
from profiles.loading.reach import outside, user_folders, within
from profiles.loading.reader import Here, Reader, is_path
from profiles.loading.usual import completed, over_client
from profiles.text.dump import dump, stated
from profiles.text.lines import Key
from profiles.text.provenance import Source
from profiles.text.ranges import Limits, is_number, limits
from profiles.text.schema import Shape
from profiles.text.tree import Leaf, Node, Place, Table, child, children, dotted, leaves, plain

__all__ = ["Loaded", "Variants", "dump", "load", "load_text", "seen_from"]

M = TypeVar("M", bound=Model)
_NOTHING: Mapping[str, str] = MappingProxyType({})
_WHOLE = 2.0**53
_Known = dict[int, tuple[Leaf, Limits]]
"""Ranges of numbers that were read before, by the identity of the values: variants of a profile share most of these."""


@value()
class Loaded(Generic[M]):
    """A checked profile. Key paths are dotted: "cluster.groups.workers.count".

    `values`, `sources`, `ranges` and `origin` are by the key path of each value that the profile states; a value
    without a source or a range has no entry there. `origin` is file and line, None for the command line. `tree` holds
    them all. `usual` names the parts, by key, that the profile has not named itself: those that are usual for its
    storage system, and `settled` the groups and places of its cluster that were taken for names which it does not have.
    `context` is that in which it was validated.
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
    context: Mapping[str, object] = field(repr=False, compare=False)

    def variants(self) -> Variants[M]:
        """Return the variants of the profile as it was loaded, which are validated as it was."""
        return Variants.of_tree(self.tree, type(self.scenario), context=self.context)

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

    _context: Mapping[str, object] = UNITS_REQUIRED
    _settings: Mapping[str, str] = _NOTHING
    _meant: Callable[[str], Sequence[str]] | None = None

    def __init__(
        self, name: str, root: type[M], *, folders: Sequence[str] = PROFILES, catalog: Catalog = SHIPPED
    ) -> None:
        self._root, self._catalog = root, catalog
        self._known: _Known = {}
        self._reader = Reader(catalog)
        self._tree = self._reader.named(name, folders, Shape(root), Here(Path.cwd()), Place(""))

    @classmethod
    def of_text(cls, text: str, root: type[M], *, path: Path, catalog: Catalog = SHIPPED) -> Variants[M]:
        """Return the variants of a profile given as text, as if it stood in the file `path`."""
        made = cls.__new__(cls)
        made._root, made._catalog, made._reader, made._known = root, catalog, Reader(catalog), {}
        made._tree = made._reader.text(text, PROFILES, Shape(root), path.absolute(), Here(path.absolute().parent))
        return made

    @classmethod
    def of_tree(
        cls, tree: Table, root: type[M], *, catalog: Catalog = SHIPPED, context: Mapping[str, object] = UNITS_REQUIRED
    ) -> Variants[M]:
        """Return the variants of a profile that has been loaded, as it was then, validated in a `context`."""
        made = cls.__new__(cls)
        made._root, made._catalog, made._reader, made._tree = root, catalog, Reader(catalog), tree
        made._known, made._context = {}, context
        return made

    @property
    def files(self) -> frozenset[str]:
        """The files in which its values stand, as messages name them."""
        return frozenset(leaf.place.file for _, leaf in leaves(self._tree))

    def changed(self, settings: Mapping[str, str]) -> Variants[M]:
        """Return the variants of the profile with other values in all of them, where they state none."""
        made = copy(self)
        made._settings = {**self._settings, **settings}
        return made

    def meaning(self, meant: Callable[[str], Sequence[str]]) -> Variants[M]:
        """Return the variants of the profile whose settings have the keys that are `meant` by theirs: any number."""
        made = copy(self)
        made._meant = meant
        return made

    def load(self, overrides: Mapping[str, str]) -> Loaded[M]:
        """Return the profile with some of its values replaced; the function `load` says the rest."""
        settings = self._changed_by(overrides)
        return _checked(
            self._tree, self._root, settings, self._reader.again(), self._catalog, self._known, self._context
        )

    def scenario(self, overrides: Mapping[str, str]) -> M:
        """Return the model that `load` would: a draw leaves the ranges as they were, and asks for no sources."""
        settings = self._changed_by(overrides)
        reader = self._reader.again()
        return _read_as(self._tree, self._root, settings, reader, self._catalog, self._context).without_problems()

    def _changed_by(self, overrides: Mapping[str, str]) -> Mapping[str, str]:
        settings = {**self._settings, **overrides}
        if (meant := self._meant) is not None:
            settings = {key: text for written, text in settings.items() for key in meant(written)}
        return settings


def seen_from(name: str, file: str, catalog: Catalog = SHIPPED) -> str:
    """Return the name or path of a profile that stands in a file as it is to be given here.

    There a path begins at the file's directory, here at the current one. The same holds for the name of a neighbour.

    Raises:
        ProblemError: it is a path that leads away from there.
    """
    if name.endswith(".toml"):
        return _seen_from(name, file, catalog)
    file_name, sign, candidate = name.rpartition("#")
    return f"{_seen_from(file_name, file, catalog)}{sign}{candidate}" if sign else _seen_from(name, file, catalog)


def _seen_from(name: str, file: str, catalog: Catalog) -> str:
    path = os.path.normpath(os.path.join(os.path.dirname(file), name))
    if is_path(name):
        folder = Path(os.path.dirname(os.path.abspath(file)))
        if within(os.path.abspath(path), (folder, catalog.root, *user_folders())) is None:
            raise ProblemError([Problem(file, None, "profile", outside(name, folder))])
        return path
    is_neighbour = catalog.find(name, PROFILES) is None and os.path.isfile(f"{path}.toml")
    return f"{path}.toml" if is_neighbour else name


def _checked(
    tree: Node,
    root: type[M],
    overrides: Mapping[str, str],
    reader: Reader,
    catalog: Catalog,
    known: _Known | None = None,
    context: Mapping[str, object] = UNITS_REQUIRED,
) -> Loaded[M]:
    read = _read_as(tree, root, overrides, reader, catalog, context)
    if not isinstance(read.tree, Table):
        raise ProblemError(read.problems)
    placed = [(dotted(key), leaf, below) for key, leaf, below in _leaves(read.tree, Shape(root))]
    ranges, wrong = _ranges(placed, {} if known is None else known)
    return Loaded(
        scenario=read.without_problems(wrong),
        values={key: leaf.value for key, leaf, _ in placed},
        sources={key: leaf.source for key, leaf, _ in placed if leaf.source},
        ranges=ranges,
        origin={key: (leaf.place.file, leaf.place.line) for key, leaf, _ in placed},
        unsourced=tuple(key for key, leaf, below in placed if not leaf.source and is_number(leaf, below)),
        usual=read.usual,
        settled=read.settled,
        tree=read.tree,
        context=context,
    )


@value()
class _AsModel(Generic[M]):
    """What the tree of a profile makes: a model, if it makes one, and all that is wrong with it."""

    scenario: M | None
    tree: Node
    usual: Mapping[str, str]
    settled: Mapping[str, str]
    problems: Sequence[Problem]

    def without_problems(self, others: Sequence[Problem] = ()) -> M:
        """Return the model where nothing is wrong with it, nor in any other way."""
        if self.scenario is None or self.problems or others:
            raise ProblemError([*self.problems, *others])
        return self.scenario


def _read_as(
    tree: Node,
    root: type[M],
    overrides: Mapping[str, str],
    reader: Reader,
    catalog: Catalog,
    context: Mapping[str, object],
) -> _AsModel[M]:
    shape = Shape(root)
    stated = tree.entries if isinstance(tree, Table) else ()
    _refuse_study(tree, root)
    if "client" in root.model_fields:  # a profile

        def without(others: Mapping[str, str]) -> M:
            return _read_as(tree, root, others, reader.again(), catalog, context).without_problems()

        overrides = over_client(overrides, stated, without)
    changed, usual = completed(override(tree, overrides, shape, reader), shape, stated, reader)
    changed, settled_names = settled(changed, shape)
    changed, complaints = exchanged(changed, shape)
    scenario = None
    try:
        scenario = _made(root, plain(changed), context)
    except ValidationError as error:
        complaints += list(problems(error, changed, shape, catalog, is_complete=reader.is_complete))
    return _AsModel(scenario, changed, usual, settled_names, [*reader.problems, *complaints])


def _made(root: type[M], data: Any, context: Mapping[str, object]) -> M:
    """Return the model that values make, in which 1e3 may be a count.

    Raises:
        ValidationError: they make none.
    """
    try:
        return _read(root, data, context)
    except ValidationError:
        return _read(root, _counted(data), context)


def _read(root: type[M], data: Any, context: Mapping[str, object]) -> M:
    return root.model_validate_json(json.dumps(data, default=str), context=context)  # JSON: an array may become a tuple


def _counted(data: Any) -> Any:
    """Return values with those of floats that are whole numbers as such; beyond 2^53 none is known to be one."""
    if isinstance(data, dict):
        return {key: _counted(entry) for key, entry in data.items()}
    if isinstance(data, list):
        return [_counted(entry) for entry in data]
    return int(data) if isinstance(data, float) and abs(data) < _WHOLE and data.is_integer() else data


def _refuse_study(tree: Node, root: type[Model]) -> None:
    """Refuse a study where a profile is expected, which would be told of as a profile with nothing but unknown keys."""
    stated = child(tree, "kind") if isinstance(tree, Table) else None
    if not isinstance(stated, Leaf) or "kind" in root.model_fields:
        return
    from models.planning.study import COMMANDS, KINDS, Plan

    if study := KINDS.get(f"{stated.value}"):
        file = stated.place.file
        shipped = Path(file).stem
        if file == f"{STUDIES}/{shipped}.toml":
            file = shipped
        advice = f"run it with: simulate {COMMANDS[study]} --study {file}"
        advice += f"; one of its candidates is a profile: {file}#CANDIDATE" if study is Plan else ""
        message = f"expected a profile (got a study of kind '{stated.value}'); {advice}"
        raise ProblemError([Problem(stated.place.file, stated.place.line, "kind", message)])


def _ranges(placed: Sequence[tuple[str, Leaf, Shape]], known: _Known) -> tuple[dict[str, Limits], list[Problem]]:
    """Return the ranges of the numbers among some values, by key path, and what is wrong with them."""
    ranges: dict[str, Limits] = {}
    wrong: list[Problem] = []
    for key, leaf, below in placed:
        if id(leaf) in known:
            ranges[key] = known[id(leaf)][1]
            continue
        if leaf.range is None or below.annotation is None:  # the latter stands below an unknown key, which is told
            continue
        if leaf.range.is_relative and not is_number(leaf, below):  # as "*" has them all
            continue
        try:
            ranges[key] = limits(leaf, below)
            known[id(leaf)] = leaf, ranges[key]
        except RefusalError as error:
            place = leaf.range.place
            wrong.append(Problem(place.file, place.line, dotted(place.key), str(error)))
    return ranges, wrong


def _leaves(node: Node, shape: Shape) -> Iterator[tuple[Key, Leaf, Shape]]:
    """Yield every value with its key path and its shape, in order."""
    left: list[tuple[Key, Node, Shape]] = [((), node, shape)]
    while left:
        key, node, shape = left.pop()
        if isinstance(node, Leaf):
            yield key, node, shape
        else:
            below = [((*key, step), entry, shape.below(node, step)) for step, entry in children(node)]
            left += reversed(below)
