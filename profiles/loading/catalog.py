"""The profiles and parts that ship with the program: their folders, names and titles. Validates nothing."""

from __future__ import annotations

import os
import tomllib
from collections.abc import Iterable, Mapping
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

from models.values import value
from profiles.loading import instances
from profiles.text.tree import Table

PROFILES = ("benchmarks", "published", "studies")  # the folders of whole profiles; all others hold parts
STUDIES = "planner"  # the folder of studies
SAID = frozenset({"extends", "use", "source", "sources", "ranges"})
"""Keys that say where the values of a part come from."""


@value()
class Entry:
    """A shipped file as its `[profile]` table presents it; `documented` names the outcomes that it re-runs.

    `states` are the keys at its top, `storage` is the system that keeps its data, `framework` what runs its first
    workload, or else the kind of that.
    """

    name: str
    folder: str
    family: str
    title: str
    documented: tuple[str, ...]
    path: Path
    states: tuple[str, ...] = ()
    storage: str = ""
    framework: str = ""


@value()
class StudyEntry:
    """A shipped study of the planner as it presents itself."""

    name: str
    kind: str
    title: str


@value()
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
        file = f"{name}.toml"
        paths = (self.root / folder / file for folder in folders)
        is_there = _ships if self.root == ROOT else os.path.isfile
        return next((path for path in paths if path.name == file and is_there(path)), None)  # not "../name"

    def instance(self, name: str, folders: Iterable[str]) -> Table | None:
        """Return the server that an instance of a cloud is, if servers are in the folders and there is one.

        What has a file of its own has no row in the table, which is not read for it.
        """
        if instances.FOLDER not in folders or self.find(name, folders) is not None:
            return None
        return instances.server(self.root, name)

    def about(self, folder: str, name: str) -> str:
        """Return what a part is: the first line of its file, or its row in the table of instances; "" for neither."""
        path = self.find(name, [folder])
        if path is None:
            return instances.said(self.root).get(name, "") if folder == instances.FOLDER else ""
        first = path.read_text(encoding="utf-8").partition("\n")[0]
        return first.removeprefix("#").strip() if first.startswith("#") else ""

    def describe(self, folders: Iterable[str] = PROFILES) -> tuple[Entry, ...]:
        """Return what ships in some folders, by family and name."""
        return _sorted(self.entry(folder, name) for folder in folders for name in self.names(folder))

    def entry(self, folder: str, name: str) -> Entry:
        """Return what a profile says of itself."""
        path = self.root / folder / f"{name}.toml"
        stated = tomllib.loads(path.read_text(encoding="utf-8"))
        table = stated.get("profile", {})
        return Entry(
            name,
            folder,
            table.get("family", ""),
            table.get("title", ""),
            tuple(filter(None, (table.get("outcome"), *table.get("further_outcomes", ())))),
            path,
            tuple(stated),
            storage=self.says("storage", stated.get("storage"), "system"),
            framework=self._framework(stated),
        )

    def studies(self) -> tuple[StudyEntry, ...]:
        """Return the studies of the planner, by name."""
        folder, known = self.root / STUDIES, self.names(STUDIES)
        stated = {name: tomllib.loads((folder / f"{name}.toml").read_text(encoding="utf-8")) for name in known}
        return tuple(StudyEntry(name, entry["kind"], entry["title"]) for name, entry in stated.items())

    def _framework(self, stated: Mapping[str, Any]) -> str:
        workload: Any = stated.get("workload") or next(iter(stated.get("workloads", ())), {})
        if isinstance(workload, dict) and isinstance(workload.get("framework"), str):
            return str(workload["framework"]).partition("-")[0]
        return self.says("workloads", workload, "kind")

    def says(self, folder: str, part: object, key: str) -> str:
        """Return what a part, stated as a table or by name, says of a key, or the part that it is made of."""
        stated: Mapping[str, Any] = part if isinstance(part, dict) else _part(self.root / folder / f"{part}.toml")
        if key in stated or not stated:
            return str(stated.get(key, ""))
        return self.says(folder, stated.get("use") or stated.get("extends"), key)

    def keys(self, folder: str, name: str) -> frozenset[str]:
        """Return the keys that a part states, or the part that it extends, but for what says where it comes from."""
        stated = _part(self.root / folder / f"{name}.toml")
        under = stated.get("extends")
        below = self.keys(folder, under) if isinstance(under, str) and under != name else frozenset()
        return below | (frozenset(stated) - SAID)

    def shown(self, path: Path) -> str:
        """Return a path as a message names it: from the catalog's root, from the current directory, or whole."""
        if path.is_relative_to(self.root):
            return path.relative_to(self.root).as_posix()
        here = Path.cwd()
        return path.relative_to(here).as_posix() if path.is_relative_to(here) else os.fspath(path)


@cache
def _part(path: Path) -> Mapping[str, Any]:
    """Return what a part states, nothing where there is none."""
    return tomllib.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}


def _sorted(entries: Iterable[Entry]) -> tuple[Entry, ...]:
    return tuple(sorted(entries, key=lambda entry: (entry.family, entry.name)))


@lru_cache(maxsize=4096)
def _ships(path: Path) -> bool:
    """Tell whether a file ships: that is asked for each part of each profile, and changes with an installation."""
    return os.path.isfile(path)


ROOT = Path(__file__).resolve().parents[1] / "library"
SHIPPED = Catalog(ROOT)


def names(folder: str) -> tuple[str, ...]:
    """Return the names of the shipped files in one folder such as "hardware/drives"."""
    return SHIPPED.names(folder)


@cache
def describe() -> tuple[Entry, ...]:
    """Return the shipped profiles, by family and name; they are read once: that takes as long as to show a page."""
    return _sorted(entry(folder, name) for folder in PROFILES for name in names(folder))


@cache
def entry(folder: str, name: str) -> Entry:
    """Return what a shipped profile says of itself."""
    return SHIPPED.entry(folder, name)


def studies() -> tuple[StudyEntry, ...]:
    """Return the shipped studies of the planner, by name."""
    return SHIPPED.studies()
