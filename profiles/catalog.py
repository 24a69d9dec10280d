"""The profiles and parts that ship with the program: their folders, names and titles. Validates nothing."""

from __future__ import annotations

import os
import tomllib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from profiles import instances
from profiles.tree import Table

PROFILES = ("benchmarks", "published", "studies")  # the folders of whole profiles; all others hold parts
STUDIES = "planner"  # the folder of studies


@dataclass(frozen=True, slots=True)
class Entry:
    """A shipped file as its `[profile]` table presents it; `documented` names the outcomes that it re-runs.

    `states` are the keys at its top.
    """

    name: str
    folder: str
    family: str
    title: str
    documented: tuple[str, ...]
    path: Path
    states: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class StudyEntry:
    """A shipped study of the planner as it presents itself."""

    name: str
    kind: str
    title: str


@dataclass(frozen=True, slots=True)
class Catalog:
    """A directory of TOML files in folders: hardware/drives/*.toml, benchmarks/*.toml. A name is a file's stem.

    Servers are also made of the instances of a cloud, which are rows of one table.
    """

    root: Path

    def names(self, folder: str) -> tuple[str, ...]:
        """Return the names in one folder, sorted."""
        files = [path.name.removesuffix(".toml") for path in (self.root / folder).glob("*.toml")]
        return tuple(sorted([*files, *(instances.names(self.root) if folder == instances.FOLDER else ())]))

    def find(self, name: str, folders: Iterable[str]) -> Path | None:
        """Return the file of a name in the first folder that has it."""
        paths = (self.root / folder / f"{name}.toml" for folder in folders)
        return next((path for path in paths if path.name == f"{name}.toml" and path.is_file()), None)  # not "../name"

    def instance(self, name: str, folders: Iterable[str]) -> Table | None:
        """Return the server that an instance of a cloud is, if servers are in the folders and there is one."""
        return instances.server(self.root, name) if instances.FOLDER in folders else None

    def describe(self, folders: Iterable[str] = PROFILES) -> tuple[Entry, ...]:
        """Return what ships in some folders, by family and name."""
        return tuple(sorted(self._entries(folders), key=lambda entry: (entry.family, entry.name)))

    def _entries(self, folders: Iterable[str]) -> Iterator[Entry]:
        for folder in folders:
            for name in self.names(folder):
                path = self.root / folder / f"{name}.toml"
                stated = tomllib.loads(path.read_text(encoding="utf-8"))
                said = stated.get("profile", {})
                documented = tuple(filter(None, (said.get("outcome"), *said.get("further_outcomes", ()))))
                yield Entry(
                    name, folder, said.get("family", ""), said.get("title", ""), documented, path, tuple(stated)
                )

    def shown(self, path: Path) -> str:
        """Return a path as a message names it: from the catalog's root, from the current directory, or whole."""
        for base in (self.root, Path.cwd()):
            if path.is_relative_to(base):
                return path.relative_to(base).as_posix()
        return os.fspath(path)


SHIPPED = Catalog(Path(__file__).resolve().parent)


def names(folder: str) -> tuple[str, ...]:
    """Return the names of the shipped files in one folder such as "hardware/drives"."""
    return SHIPPED.names(folder)


def describe() -> tuple[Entry, ...]:
    """Return the shipped profiles, by family and name."""
    return SHIPPED.describe()


def studies() -> tuple[StudyEntry, ...]:
    """Return the shipped studies of the planner, by name."""
    folder = SHIPPED.root / STUDIES
    stated = {name: tomllib.loads((folder / f"{name}.toml").read_text(encoding="utf-8")) for name in names(STUDIES)}
    return tuple(StudyEntry(name, said["kind"], said["title"]) for name, said in stated.items())
