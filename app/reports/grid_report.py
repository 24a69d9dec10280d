"""Works by systems: how long each takes or how much it carries, what limits it, what a byte takes, what survives."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from app.reports import words
from app.reports.document import Column, Document, Facts, Section, Table
from models.hardware.measurement import counted
from models.units import format
from simulator.result import Bottleneck

SCHEMA = "headroom.storages/1"


@dataclass(frozen=True, slots=True)
class Cell:
    """One work on one system: its duration (s) or its rate and what limits it, or why it does not run there."""

    workload: str
    storage: str
    duration: float | None = None
    rate: float | None = None
    unit: str = ""
    bottleneck: Bottleneck | None = None
    refused: str | None = None


@dataclass(frozen=True, slots=True)
class Kept:
    """What a system takes for a stored byte, and how many drives and servers may fail; None where nobody sees them."""

    storage: str
    raw_per_byte: float
    drives: int | None
    servers: int | None


def as_json(title: str, cells: Sequence[Cell], kept: Sequence[Kept], notes: Mapping[str, str]) -> dict[str, Any]:
    """Return the table as data, with notes by work or system."""
    systems = [
        {
            "storage": row.storage,
            "raw_per_byte": row.raw_per_byte,
            "survives": None if row.drives is None else {"drives": row.drives, "servers": row.servers},
        }
        for row in kept
    ]
    values = [_as_json(cell) for cell in cells]
    return {"schema": SCHEMA, "title": title, "cells": values, "storages": systems, "notes": dict(notes)}


def _as_json(cell: Cell) -> dict[str, Any]:
    head: dict[str, Any] = {"workload": cell.workload, "storage": cell.storage}
    if cell.refused is not None or cell.bottleneck is None:
        return head | {"refused": cell.refused}
    value = {"duration_s": cell.duration} if cell.rate is None else {"rate": cell.rate, "unit": cell.unit}
    return head | value | {"bottleneck": {"resource": cell.bottleneck.resource, "share": cell.bottleneck.share}}


def document(title: str, cells: Sequence[Cell], kept: Sequence[Kept], notes: Mapping[str, str]) -> Document:
    """Return the report: what each work takes, what limits it, what the systems keep, and notes to both."""
    works = list(dict.fromkeys(cell.workload for cell in cells))
    by_pair = {(cell.workload, cell.storage): cell for cell in cells}
    columns = (
        Column("storage"),
        *(Column(work, "1") for work in works),
        Column("raw B a byte", "1"),
        Column("survives"),
    )
    rows = [
        (
            row.storage,
            *(_taken(by_pair[work, row.storage]) for work in works),
            f"{row.raw_per_byte:.3g}",
            _survives(row),
        )
        for row in kept
    ]
    limits = [(row.storage, *(_limit(by_pair[work, row.storage]) for work in works)) for row in kept]
    limited = Table("Limits", (Column("limited by"), *map(Column, works)), limits)
    sections = [
        Section("answer", "The answer", [Table("Works by systems", columns, rows)]),
        Section("limits", "What limits it", [limited]),
    ]
    refused = dict.fromkeys((f"{cell.workload} on {cell.storage}", cell.refused) for cell in cells if cell.refused)
    if refused:
        sections.append(Section("refused", "What does not run, and why", [Facts(list(refused))]))
    if notes:
        sections.append(Section("notes", "Notes", [Facts(list(notes.items()))]))
    return Document(title, sections, as_json(title, cells, kept, notes))


def _taken(cell: Cell) -> str | None:
    if cell.rate is not None:
        return format(cell.rate, cell.unit)
    return None if cell.duration is None else words.seconds(cell.duration)


def _limit(cell: Cell) -> str | None:
    return None if cell.bottleneck is None else cell.bottleneck.resource


def _survives(row: Kept) -> str | None:
    if row.drives is None or row.servers is None:
        return None
    return f"{counted(row.drives, 'drive')}, {counted(row.servers, 'server')}"
