"""Writes what a calibration has fitted as parts of profiles; each number names the file that it was measured in.

What no measurement tells (the capacity of a drive, the chunks of buffered and mixed access) comes from another drive
part, under the source and with the range that it has there.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from models import units
from models.hardware.calibration import Estimate, Fit, Kind
from models.hardware.drive import Drive
from models.hardware.measurement import Run, files
from models.quantity import fields
from profiles.loading.loader import Loaded, dump, load
from profiles.text.tree import Leaf

FOLDER = "hardware/drives"
_SEEKING = {"seek_time", "read_chunk", "write_chunk", "writeback_chunk", "mixed_chunk"}  # what only hard drives have
_DERIVED = {"read_chunk", "write_chunk", "mixed_chunk"}  # from rates and a seek time
_SAME = 1e-3  # Assumption: what four digits do not tell apart
_UNITS = {parameter.key: parameter.unit for parameter in fields(Drive) if parameter.unit}


@dataclass(frozen=True, slots=True)
class Value:
    """A number as a profile states it, with its source, and in `brief` the files that it was measured in, if it was.

    `range` is low and high as a profile states them, None for a number that is sure.
    """

    text: str
    source: str
    brief: str
    range: tuple[object, object] | None = None


def like(name: str) -> Loaded[Drive]:
    """Return the drive part, shipped or a file, that gives what no measurement tells.

    Raises:
        ProblemError: there is none of that name, or it is wrong.
    """
    return load(name, Drive, folders=(FOLDER,))


def drive_values(fit: Fit, other: Loaded[Drive], capacity: str | None = None, origin: str = "") -> dict[str, Value]:
    """Return the numbers of a drive part, by key in the order of `Drive`; none for a key whose default holds."""
    values = _values(fit.drive, origin)
    if capacity:
        source = "assumed: stated to the calibration"
        values["capacity"] = Value(capacity, source, source)
    skipped = set() if fit.kind and fit.kind.technology == "hdd" else _SEEKING
    for key in (_UNITS.keys() & other.values.keys()) - values.keys() - skipped:
        values[key] = _taken(key, other, fit)
    infinite = {key for key, estimate in fit.drive.items() if math.isinf(estimate.value)}
    return {key: values[key] for key in _UNITS if key in values and key not in infinite}


def _taken(key: str, other: Loaded[Drive], fit: Fit) -> Value:
    """Return a number of another part; a chunk that goes with its seek time is scaled to the fitted one."""
    text, source = str(other.values[key]), str(other.sources.get(key, "assumed: no source given"))
    is_derived = key in _DERIVED and other.scenario.seek_time > 0
    scale = fit.drive["seek_time"].value / other.scenario.seek_time if is_derived else 1.0
    leaf, limits = other.tree.entries[key], other.ranges.get(key)
    ends = (leaf.range.low, leaf.range.high) if limits and isinstance(leaf, Leaf) and leaf.range else None
    if abs(scale - 1) < _SAME:
        return Value(text, source, source, ends)
    if limits:
        ends = quantity(key, scale * limits.low), quantity(key, scale * limits.high)
    source = f"{source}; scaled to this seek_time"
    return Value(quantity(key, scale * getattr(other.scenario, key)), source, source, ends)


def drive_part(name: str, fit: Fit, values: Mapping[str, Value], origin: str = "") -> str:
    """Return the TOML text of a drive part."""
    return f"# {name}, fitted to measurements with `simulate calibrate`.\n{dump(drive_table(fit, values, origin))}"


def drive_table(fit: Fit, values: Mapping[str, Value], origin: str = "") -> dict[str, Any]:
    """Return a drive part as TOML data."""
    assert fit.kind is not None  # without runs of drives there is no part to write
    data: dict[str, Any] = {"technology": fit.kind.technology}
    data |= {key: value.text for key, value in values.items()}
    data["sources"] = {"technology": _source(fit.kind, _names(fit.kind.runs), origin)}
    data["sources"] |= {key: value.source for key, value in values.items()}
    if ranges := {key: list(value.range) for key, value in values.items() if value.range}:
        data["ranges"] = ranges
    return data


def server_part(fit: Fit, origin: str = "") -> str:
    """Return the TOML text of the tables of a server that were fitted, empty where none was."""
    return dump(server_tables(fit, origin))


def server_tables(fit: Fit, origin: str = "") -> dict[str, Any]:
    """Return the tables of a server that were fitted as TOML data."""
    data = {"nic": _values(fit.nic, origin, network=True), "controller": _values(fit.controller, origin)}
    tables = {table: _table(values) for table, values in data.items() if values}
    if "nic" in tables:
        tables["nic"] = {"efficiency": 1} | tables["nic"]  # tools count payload
        if sources := tables["nic"].get("sources"):
            sources["efficiency"] = sources["bandwidth"]
    return tables


def _table(values: Mapping[str, Value]) -> dict[str, Any]:
    data: dict[str, Any] = {key: value.text for key, value in values.items()}
    sources = {key: value.source for key, value in values.items()}
    return data | ({"source": sources.popitem()[1]} if len(sources) == 1 else {"sources": sources})


def _values(estimates: Mapping[str, Estimate], origin: str, *, network: bool = False) -> dict[str, Value]:
    names = _names(run for estimate in estimates.values() for run in estimate.runs)
    return {
        key: Value(
            quantity(key, estimate.value, network=network),
            _source(estimate, names, origin),
            _brief(estimate, names),
            (quantity(key, estimate.between[0]), quantity(key, estimate.between[1])) if estimate.between else None,
        )
        for key, estimate in estimates.items()
    }


def quantity(key: str, value: float, *, network: bool = False) -> str:
    """Return a fitted number as profiles write it, with four digits; network rates in Gbit/s."""
    if network:
        return f"{value / units.parse('1 Gbit/s', 'B/s'):.4g} Gbit/s"
    return units.format(value, _UNITS[key], 4)


def _source(estimate: Estimate | Kind, names: Mapping[str, str], origin: str) -> str:
    """Return the source of a number: "measured: dd-read.txt: dd, sequential read, 1 stream on 1 drive"."""
    if not estimate.runs:
        return f"assumed: {estimate.reason}"
    text = f"{_brief(estimate, names)}: {_described(estimate.runs)}"
    return "; ".join(filter(None, (text, estimate.reason, origin)))


def _brief(estimate: Estimate | Kind, names: Mapping[str, str]) -> str:
    if not estimate.runs:
        return f"assumed: {estimate.reason}"
    return "measured: " + ", ".join(names[file] for file in files(estimate.runs))


def _described(runs: tuple[Run, ...]) -> str:
    first = f"{runs[0].tool}, {runs[0]}"
    return first if len(runs) == 1 else f"{first}, and {len(runs) - 1} more"


def _names(runs: Iterable[Run]) -> dict[str, str]:
    """Return what a source calls each file: its name, or its path where two have the same name."""
    paths = files(list(runs))
    short = [Path(path).name for path in paths]
    return {path: name if short.count(name) == 1 else path for path, name in zip(paths, short, strict=True)}
