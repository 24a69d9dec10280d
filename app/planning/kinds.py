"""What a file holds: a whole profile, one part of one, or a study. Told by where it ships, else by what it states."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import Any

from app.planning.studies import table_of
from models.problem import ProblemError
from models.quantity import Model, part
from models.scenario import Scenario
from profiles.loading.catalog import PROFILES, SHIPPED
from profiles.loading.loader import load_text
from profiles.loading.reach import real
from profiles.text.schema import Shape
from profiles.text.tree import Table

PRESENTED = {"profile", "extends", "source", "sources", "ranges"}  # keys that every file may state


@dataclass(frozen=True, eq=False)
class Part:
    """A part of a profile: the key at which it stands, the folder of the files that it may be, and its shape."""

    key: str
    folder: str
    shape: Shape

    def check(self, path: Path) -> list[str]:
        """Load a file as this part, and return the keys that it leaves to the profile that will use it.

        Raises:
            ProblemError: with all that is wrong with it.
        """
        try:
            load_text(f"{self.key} = {json.dumps(str(path))}\n", self._alone, path=path.with_name("profile.toml"))
        except ProblemError as error:
            if not all(problem.message.startswith("missing: ") for problem in error.problems):
                raise
            return [problem.key for problem in error.problems]
        return []

    @cached_property
    def _alone(self) -> type[Model]:
        """A model of this part alone. Made once: what was ever asked of a model is kept as long as the process runs."""
        field = self.shape.info or part(self.folder, "The part.")
        declared = {"__annotations__": {self.key: self.shape.annotation}, self.key: field}
        make: Any = type(Model)
        root: type[Model] = make("Alone", (Model,), {"__module__": __name__, **declared})
        return root


def part_of(name: str) -> tuple[Part, Path] | None:
    """Return the part that a shipped name or a file is, with its file or, of an instance of a cloud, its name.

    None for a profile and for what is not there.
    """
    if SHIPPED.find(name, PROFILES):
        return None
    known = _known()
    instances = [kind for kind in known if SHIPPED.instance(name, [kind.folder])]
    if instances:
        return instances[0], Path(name)
    shipped = SHIPPED.find(name, [kind.folder for kind in known])
    path = shipped or Path(name)
    if not os.path.isfile(path):
        return None
    path = real(path)
    table, folder = table_of(path), path.parent.name
    fits = {kind: _fit(kind.shape, table, kind.folder.split("/")[-1] == folder) for kind in known}
    best = max(known, key=lambda kind: fits[kind])
    return (best, path) if fits[best] > _fit(Shape(Scenario), table, folder in PROFILES) else None


def part_folders() -> tuple[str, ...]:
    """Return the folders of all parts that a profile may name, in the order of the models."""
    return tuple(dict.fromkeys(kind.folder for kind in _known()))


@cache
def _known() -> tuple[Part, ...]:
    """Return every part that may be named somewhere in a profile; there are some forty, in two thousand places."""
    return tuple(_parts(Shape(Scenario)))


def _parts(shape: Shape) -> Iterator[Part]:
    """Yield every part that may be named somewhere in a shape."""
    for model in shape.models:
        for key, below in Shape(model).keys(None).items():
            inner = below.item if below.item and below.item.models else below
            if inner.catalog and inner.models:
                yield Part(key, inner.catalog, inner)
            yield from _parts(inner)


def _fit(shape: Shape, table: Table, is_its_folder: bool) -> tuple[int, bool]:
    """Return how well a table fits a shape: keys that it knows less those that it does not, then the folder."""
    known, stated = set(shape.keys(table)), set(table.entries) - PRESENTED
    return len(stated & known) - len(stated - known), is_its_folder
