"""The profile reference page, Markdown: every key with its unit, meaning, default and bounds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from app.reports import words
from app.reports.tables import markdown_table

INTRODUCTION = """\
# Profile reference

Written by `simulate reference` from the declarations in `models/`. A profile is a TOML file; quantities are text with
a unit ("205 MB/s"), bit and byte are never mixed up, and unknown keys are refused. A key without a default must be
given. Where a part is named in the heading of a section, the table may be replaced by the name of a shipped file, or by
a table with `use = "NAME"` and the keys that differ. `NAME` in a key is a name of your choice.

Every table may say `source = "KIND: TEXT"` for the numbers in it, and `[TABLE.sources]` for single ones; the kinds are
measured, documented, published, prior, fitted, chosen and assumed. `[TABLE.ranges]` says for single numbers, which are
assumed or priors, between what 90 % of the world lies: `seek_time = ["7 ms", "12.7 ms"]`, or `["0.5 x", "2 x"]` for
half and twice the number; `"*"` there stands for all such numbers of the table. A default that rests on a source has
both in the column "default".

The last sections list the keys of studies: TOML files that say what a command of the planner is to do."""

FOLLOWS = "as its class"
"""The default of a key that follows from others of its table."""


@dataclass(frozen=True, slots=True)
class KeyLine:
    """One key. `kind` is what stands there if it has no unit; `bounds` maps gt, ge, lt, le to numbers in the unit."""

    key: str
    unit: str | None
    kind: str
    description: str
    default: Any
    is_required: bool
    bounds: Mapping[str, float]
    choices: Sequence[object]
    source: str = ""
    between: tuple[float | str, float | str] | None = None


@dataclass(frozen=True, slots=True)
class Section:
    """The keys of one table. `choice` says which of several tables it is, `catalog` where named parts of it lie."""

    path: str
    choice: str
    description: str
    catalog: str | None
    lines: tuple[KeyLine, ...]


def render(sections: Sequence[Section]) -> str:
    """Return the page; a section without keys of its own is left out."""
    pages = ["\n\n".join(_section(section)) for section in sections if section.lines]
    return "\n\n".join([INTRODUCTION, *pages]) + "\n"


def _section(section: Section) -> list[str]:
    choice = f", {section.choice}" if section.choice else ""
    heading = f"## `{section.path}`{choice}" if section.path else "## Profile"
    named = f" May be named: a file in `profiles/library/{section.catalog}`." if section.catalog else ""
    rows = [_row(line) for line in section.lines]
    table = markdown_table(("key", "unit", "meaning", "default", "bounds"), rows)
    return [heading, f"{section.description}{named}", "\n".join(table)]


def _row(line: KeyLine) -> list[str]:
    return [f"`{line.key}`", line.unit or line.kind, line.description, _default(line), _bounds(line)]


def _default(line: KeyLine) -> str:
    """Return the default with its range and its source."""
    ends = f" ({words.between(*line.between, line.unit)})" if line.between else ""
    return f"{_stated(line)}{ends}" + (f"; {line.source}" if line.source else "")


def _stated(line: KeyLine) -> str:
    if line.is_required:
        return "must be given"
    if line.default in (None, (), {}):
        return "none"
    if line.default == FOLLOWS:
        return FOLLOWS
    if line.unit:
        return words.declared(line.default, line.unit)
    if isinstance(line.default, float):
        return words.number(line.default)
    return words.as_stated(line.default)


def _bounds(line: KeyLine) -> str:
    if line.choices:
        return " or ".join(f"`{choice}`" for choice in line.choices)
    signs = {"gt": ">", "ge": "≥", "lt": "<", "le": "≤"}
    return ", ".join(f"{signs[rule]} {_bound(bound, line.unit)}" for rule, bound in line.bounds.items())


def _bound(bound: float, unit: str | None) -> str:
    return words.declared(bound, unit) if unit and bound else f"{bound:,.10g}"
