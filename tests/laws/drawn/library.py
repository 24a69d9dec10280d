"""What ships, by listing it: the parts and profiles of which profiles are drawn. No name of any stands in a test."""

from __future__ import annotations

import math
import tomllib
from collections.abc import Iterator
from copy import deepcopy
from functools import cache
from pathlib import Path
from typing import Any

from pydantic import BaseModel
from pydantic.fields import FieldInfo

from models.hardware.server import Server
from models.jobs.engine import Engine
from models.jobs.schedule import Schedule
from models.scenario import Scenario
from profiles.loading import catalog, instances
from profiles.loading.catalog import PROFILES, SHIPPED
from profiles.loading.cluster_names import Change, changed
from profiles.loading.reader import Here, Reader
from profiles.text.dump import dump
from profiles.text.schema import Shape
from profiles.text.tree import Place, Table, plain
from tests.laws.test_any_storage import OBSERVED, SPARK

Data = dict[str, Any]
ROOT = Shape(Scenario)
HERE = Here(Path.cwd())
INSTANCES = instances.names(SHIPPED.root)
SERVERS = tuple(name for name in catalog.names(instances.FOLDER) if name not in INSTANCES)
DRIVES = catalog.names("hardware/drives")
ENTRIES = tuple(entry.name for entry in SHIPPED.describe(PROFILES))
OF_TESTS = tuple(tomllib.loads(f"[workload]\n{text}")["workload"] for text in (OBSERVED, SPARK))
"""Workloads of kinds of which the library has no part, or none that is small."""


@cache
def _read(folder: str, name: str, annotation: Any) -> Table:
    reader = Reader(SHIPPED)
    tree = reader.named(name, (folder,), Shape(annotation), HERE, Place(""))
    assert isinstance(tree, Table), reader.problems
    return tree


def part(key: str, name: str) -> Data:
    """Return the values of a part that may stand at a key of a profile, such as "workload"."""
    shape = ROOT.below(None, key)
    return deepcopy(plain(_read(shape.catalog or "", name, shape.annotation)))


def server(name: str) -> Data:
    """Return the values of a server."""
    return deepcopy(plain(_read(instances.FOLDER, name, Server)))


@cache
def _whole(name: str) -> Data:
    tree = Reader(SHIPPED).named(name, PROFILES, ROOT, HERE, Place(""))
    return plain(tree)  # type: ignore[no-any-return]


def shipped(name: str) -> Data:
    """Return the values of a shipped profile; what it runs beside other work is a workload of its own, the first."""
    data = deepcopy(_whole(name))
    if data.get("workloads"):
        first = data.pop("workloads")[0]
        data["workload"] = {key: value for key, value in first.items() if key not in Schedule.model_fields}
    return data


def decodes(engine: str, file_format: str) -> bool:
    """Tell whether an engine knows what a file format costs."""
    return file_format in plain(_read("engines", engine, Engine)).get("decode_cpu", {})


@cache
def fitting(model: type[BaseModel], key: str) -> tuple[str, ...]:
    """Return the parts that ship for a key of a model, and state no key that it does not have."""
    below = Shape(model).below(None, key)
    folder = below.catalog or ""
    known = {name for kind in below.models for name in kind.model_fields}
    parts = {name: _read(folder, name, below.annotation) for name in catalog.names(folder)}
    return tuple(name for name, tree in parts.items() if tree.entries.keys() <= known)


def with_names(data: Data, groups: Change, places: Change) -> Data:
    """Return a profile with all parts in place, and with other names of server groups, and then of their drives."""
    tree = Reader(SHIPPED).text(dump(data), PROFILES, ROOT, Path("drawn.toml").absolute(), Here(Path.cwd()))
    assert isinstance(tree, Table)
    for names, change in (("group", groups), ("place", places)):
        tree = _renamed(tree, names, change)
    return plain(tree)  # type: ignore[no-any-return]


def _renamed(tree: Table, names: str, change: Change) -> Table:
    entries = dict(tree.entries)
    for key in ("storage", "workload", "workloads", "client"):
        if key in entries:
            entries[key] = changed(entries[key], ROOT.below(tree, key), (key,), names, change)
    return Table(entries, tree.place)


def settings(model: BaseModel, key: tuple[str, ...] = ()) -> list[tuple[tuple[str, ...], object, FieldInfo]]:
    """Return the settings of a part with their keys: numbers, choices, and whether something is so.

    A table that is left out is {}, with which it is there, and all in it has its default.
    """
    every: list[tuple[tuple[str, ...], object, FieldInfo]] = []
    for name, info in type(model).model_fields.items():
        value, shape = getattr(model, name), Shape(info.annotation)
        if isinstance(value, BaseModel):
            every += settings(value, (*key, name))
        elif value is None and shape.models and not any(field.is_required() for field in _fields(shape)):
            every.append(((*key, name), {}, info))
        elif (isinstance(value, (bool, int, float)) and value != math.inf) or shape.choices:
            every.append(((*key, name), value, info))
    return every


def _fields(shape: Shape) -> Iterator[FieldInfo]:
    return (info for model in shape.models for info in model.model_fields.values())
