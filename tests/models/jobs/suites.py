"""Suites of queries on tables in objects, for tests of what they take."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from models.jobs.engine import Engine
from models.jobs.lakehouse import Lakehouse
from tests.models.machines import GB, MB


def suite_of(runs: Mapping[str, Any], settings: Mapping[str, Any], changes: Mapping[str, Any]) -> Lakehouse:
    """Return a suite that wants 100 of 320 GB in 10,000 objects, with changes of how its engine `runs` or of itself."""
    own = {name: value for name, value in changes.items() if name in Engine.model_fields}
    usual: dict[str, Any] = {
        "kind": "lakehouse",
        "servers": "workers",
        "driver": "workers",
        "engine": Engine(name="an engine", decode_cpu={"parquet": 1e-9}, **{**runs, **own}),
        "data": 320 * GB,
        "object_size": 32 * MB,
        "opened": 10_000,
        "wanted": 100 * GB,
    }
    rest = {name: value for name, value in changes.items() if name not in own}
    return Lakehouse(**{**usual, **settings, **rest}).at_scale()
