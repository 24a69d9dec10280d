"""Processors as the kernel names them: the shipped one of a model, and what a CPU second was worth on it."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from functools import cache
from typing import Any

from models.hardware.server import Cpu
from profiles.imports.finding import Value
from profiles.loading.catalog import SHIPPED

_SAID = ("speed", "smt_yield", "cores", "threads")


def processor(model: str) -> str | None:
    """Return the shipped processor of a model."""
    wanted = _words(model)
    return next(
        (name for name, data in _processors().items() if (words := _words(data["model"])) and words <= wanted), None
    )


def observed_speed(values: Mapping[str, Value], slots: int | None) -> float | None:
    """Return the core-seconds of the reference core in a CPU second of a server whose `slots` were busy.

    `values` are what is said of the server; without its model, or one that is not shipped, there is none. Where more
    tasks ran than it has cores, two shared one. Without slots all threads are taken as busy.
    """
    model = values.get("cpu.model")
    name = processor(str(model.value)) if model else None
    if name is None:
        return None
    cpu = {key: _processors()[name][key] for key in _SAID if key in _processors()[name]}
    cpu |= {key: values[f"cpu.{key}"].value for key in ("cores", "threads") if f"cpu.{key}" in values}
    if cpu["cores"] == cpu["threads"]:
        cpu["smt_yield"] = 1.0
    capacity = Cpu.model_validate(cpu).capacity()
    busy = min(slots or len(capacity), len(capacity))
    return capacity[busy - 1] / busy


@cache
def _processors() -> Mapping[str, Mapping[str, Any]]:
    folder = SHIPPED.root / "hardware" / "processors"
    texts = {path.stem: tomllib.loads(path.read_text(encoding="utf-8")) for path in sorted(folder.glob("*.toml"))}
    return {name: {"model": "", **data} for name, data in texts.items()}


def _words(model: str) -> frozenset[str]:
    """Return what tells a model: "Intel(R) Xeon(R) Gold 6148 CPU @ 2.40GHz" is an Intel Xeon Gold 6148."""
    plain = re.sub(r"\((r|tm|c)\)|@.*|\bcpu\b|\b\d+-core\b|\bprocessor\b", " ", model.lower())
    return frozenset(re.findall(r"[a-z0-9-]+", plain))
